"""Token strips: one text by one tokenizer or by several, and any other cuts of a text beside each other."""
from itertools import groupby

from ..errors import need_text, need_tokenizer, short
from .base import INK, block, card, mono, shows, small, strip, table
from .writing import counted, first, isolate, label, notes

DRAWN = 200                     # tokens that one strip draws
LEGEND = "the number under a token is its id"


def token_strip(tokens, ids=None, mark=None):
    """A row of at most DRAWN tokens with their ids below, and a note if there are more. mark: the index to outline."""
    shown, rest = first(list(tokens), DRAWN, "tokens")
    below = [str(number) for number in ids[:DRAWN]] if ids is not None else None
    return strip(shown, below, () if mark is None else (mark,)), rest


def need_part(tok, name):
    """Return `tok` if it is a tokenizer that has `name`; raises TypeError for others, such as bpe.WordPiece, which lacks most."""
    if not hasattr(need_tokenizer(tok), name):
        raise TypeError(f"tok must be a tokenizer that has {name}, as bpe.Tokenizer does, not {type(tok).__name__} {short(tok)}")
    return tok


def encoding(tok, text):
    """What one tokenizer makes of a text: dict name, ids, tokens (bytes), spans (as tok.offsets gives them).

    tok: a bpe.Tokenizer, unigram.Tokenizer or sentencepiece tokenizer: any that knows where its tokens come from, as
    bpe.WordPiece does not. Special strings in the text are ordinary text. Raises TypeError for others.
    """
    need_part(tok, "offsets")
    ordinary = {"disallowed_special": "text"}
    return {"name": tok.name or "your tokenizer", "ids": tok.encode(text, **ordinary),
            "tokens": tok.tokens(text, **ordinary), "spans": tok.offsets(text, **ordinary)}


def tokens_card(tok, text):
    """A text as the tokens of one tokenizer, with ids. For every lesson.

    tok: a tokenizer as for `encoding`; special strings in the text are ordinary text. Raises TypeError for another, TypeError
    or ValueError for what is not text.

    >>> from tokenlab import pretrained
    >>> tokens_card(pretrained.load("o200k_base"), "The ride of 2.5 km cost 8 dollars.")
    o200k_base: 13 tokens for 34 characters
    """
    row = encoding(tok, need_text(text))
    body, rest = token_strip(row["tokens"], row["ids"])
    return card(f"{row['name']}: {counted(len(row['ids']), 'token')} for {counted(len(text), 'character')}", body, notes(LEGEND, rest))


def compare(toks, text, token=None, limit=300):
    """Encode one text with several tokenizers.

    toks: list of tokenizers as for `encoding`, or dict name -> tokenizer. token: number of the token to describe, from 1, or None.
    limit: characters that are encoded; more are left out, and `rest` says so.
    Returns dict: text, token, rest, rows (what `encoding` returns, one a tokenizer).
    Raises TypeError or ValueError for what is not text.
    """
    shown, rest = first(need_text(text), limit, "characters")
    if hasattr(toks, "encode"):                     # a tokenizer, or its name
        raise TypeError(f"toks must be a list of tokenizers, or a dict name -> tokenizer, not {type(toks).__name__} {short(toks)}")
    named = toks.items() if isinstance(toks, dict) else [(need_tokenizer(tok).name, tok) for tok in toks]
    rows = [{**encoding(tok, shown), "name": name} for name, tok in named]
    return {"text": shown, "token": token, "rest": rest, "rows": rows}


def detail(row, number):
    """One line about token `number` (from 1) of a row of `compare`."""
    if not 1 <= number <= len(row["ids"]):
        return f"has only {counted(len(row['ids']), 'token')}"
    token, (start, end) = row["tokens"][number - 1], row["spans"][number - 1].chars
    where = f"characters {start + 1} to {end}" if end > start + 1 else f"character {start + 1}"
    return f"{label(token)}  id {row['ids'][number - 1]}, bytes {token.hex(' ').upper()}, {where}"


@shows(compare, "rows")
def compare_card(data):
    """The same text by several tokenizers, one strip each, with counts. For lessons 00 and 2.

    toks: list of tokenizers, dict name -> tokenizer, or what `compare` returns. token: number of the token to
    describe, from 1, or None. Raises TypeError or ValueError for what is not text.

    >>> from tokenlab import pretrained
    >>> compare_card([pretrained.load("gpt2"), pretrained.load("o200k_base")], "Two 🚕")
    5 characters: 4 tokens in gpt2, 3 tokens in o200k_base
    """
    number, parts, cut = data["token"], [], ""
    for row in data["rows"]:
        body, more = token_strip(row["tokens"], row["ids"], number and number - 1)
        head = small(isolate(row["name"]), INK) + " " + small(counted(len(row["ids"]), "token"))
        parts.append(f'<div style="margin:6px 0 2px">{head}</div>{body}')
        cut = cut or more
    if number:
        lines = [[small(isolate(row["name"]), INK), mono(detail(row, number), 12)] for row in data["rows"]]
        parts.append(block(f"token {number} of each, outlined above", table(lines)))
    sizes = [f"{counted(len(row['ids']), 'token')} in {row['name']}" for row in data["rows"]]
    return card(f"{counted(len(data['text']), 'character')}: {', '.join(sizes)}", "".join(parts),
                notes(LEGEND, "bytes are in hexadecimal" if number else "", data["rest"], cut))


def cuts_card(title, rows, note=""):
    """Different cuts of the same text beside each other. For lessons 1 and 2.

    rows: list of (name, list of str or bytes).

    >>> cuts_card("dog in two ways", [("characters", ["d", "o", "g"]), ("words", ["dog"])])
    dog in two ways
    """
    strips = [token_strip(tokens) for _, tokens in rows]
    lines = [[small(isolate(name), INK), body, small(counted(len(tokens), "piece"), wrap=False)]
             for (name, tokens), (body, _) in zip(rows, strips, strict=True)]
    return card(title, table(lines), notes(note, *(rest for _, rest in strips)))


def byte_ids_table(tok):
    """Which byte has which id: the runs in which ids and bytes go up together. For lesson 2.

    tok: a tokenizer over the bytes.

    >>> from tokenlab import pretrained
    >>> byte_ids_table(pretrained.load("gpt2"))
    gpt2: id 0 is byte 21 (hexadecimal), !
    """
    at = {data[0]: number for number, data in tok.vocabulary.items() if len(data) == 1}
    if not at:
        raise ValueError(f"{tok!r} has no single bytes among its tokens: give a tokenizer over the bytes")
    rows = []
    for _, run in groupby(sorted(at, key=at.get), key=lambda byte: at[byte] - byte):
        low, *_, high = [*run] * 2
        rows.append([mono(f"{at[low]} to {at[high]}" if low < high else at[low]),
                     mono(f"{low:02X} to {high:02X}" if low < high else f"{low:02X}"),
                     mono(f"{chr(low)} to {chr(high)}" if low > 32 and high < 127 else "")])
    lowest = min(at, key=at.get)
    return card(f"{tok.name or 'your tokenizer'}: id {at[lowest]} is byte {lowest:02X} (hexadecimal), "
                f"{label(bytes([lowest]))}", table(rows, ["ids", "bytes, hexadecimal", "as text"]))
