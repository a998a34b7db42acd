"""Token strips: one text, one tokenizer; one text, several tokenizers; and any other cuts of a text beside each other."""
from ..errors import need_text
from .base import INK, card, count, first, label, mono, notes, small, strip, table
from .characters import hexadecimal

DRAWN = 200             # tokens that one strip draws; it says so when there are more


def token_strip(tokens, ids=None, mark=None):
    """A row of tokens with their ids below, at most DRAWN, and a note if there are more. mark: index of the one to outline."""
    shown, rest = first(list(tokens), DRAWN, "tokens")
    below = [str(number) for number in ids[:DRAWN]] if ids is not None else None
    return strip(shown, below, () if mark is None else (mark,)), rest


def tokens_card(tok, text):
    """A text as the tokens of one tokenizer, with ids. For every lesson.

    tok: a tokenizer with encode, tokens and name. Special strings in the text are ordinary text.
    Raises TypeError or ValueError for what is not text.
    """
    row = encoding(tok, text)
    body, rest = token_strip(row["tokens"], row["ids"])
    return card(f"{count(len(row['ids']), 'token')} for {count(len(text), 'character')}", body,
                notes(row["name"], "the number under a token is its id", "· is a blank", rest))


def encoding(tok, text):
    """What one tokenizer makes of a text: dict name, ids, tokens (bytes), spans (tok.offsets)."""
    need_text(text)
    ids = tok.encode(text, disallowed_special="text")
    return {"name": tok.name or "your tokenizer", "ids": ids, "tokens": tok.tokens(text), "spans": tok.offsets(text)}


def compare(toks, text, token=1, limit=300):
    """One text by several tokenizers.

    toks: list of tokenizers, or dict name -> tokenizer. token: the number of the token to describe, from 1.
    limit: code points that are encoded; more are left out, and `rest` says so.
    Returns dict: text, rest, token, rows (what `encoding` returns, one a tokenizer).
    """
    shown, rest = first(need_text(text), limit, "characters")
    rows = [encoding(tok, shown) for tok in (toks.values() if isinstance(toks, dict) else toks)]
    if isinstance(toks, dict):
        rows = [{**row, "name": name} for row, name in zip(rows, toks)]
    return {"text": shown, "rest": rest, "token": token, "rows": rows}


def detail(row, number):
    """One line about token `number` (from 1) of a row of `compare`: what a mouse would show on hover."""
    if not 1 <= number <= len(row["ids"]):
        return f"has {count(len(row['ids']), 'token')}"
    token, span = row["tokens"][number - 1], row["spans"][number - 1]
    start, end = span.chars[0] + 1, span.chars[1]
    where = f"character {start}" if end <= start else f"characters {start} to {end}"
    return f"{label(token)}  id {row['ids'][number - 1]}, bytes {hexadecimal(token)}, {where}"


def compare_card(toks, text=None, token=None):
    """The same text by several tokenizers, one strip each, with counts; `token` describes one token of each. For lesson 0.

    toks: list of tokenizers, dict name -> tokenizer, or what `compare` returns. Raises TypeError or ValueError for what is not text.
    """
    data = toks if text is None else compare(toks, text, token)
    blocks, cut = [], ""
    for row in data["rows"]:
        mark = data["token"] - 1 if data["token"] else None
        body, rest = token_strip(row["tokens"], row["ids"], mark)
        blocks.append(f'<div style="margin:6px 0 2px">{small(row["name"], INK)} {small(count(len(row["ids"]), "token"))}</div>{body}')
        cut = cut or rest
    body = "".join(blocks)
    if data["token"]:
        body += (f'<div style="margin-top:10px">{small("token " + str(data["token"]) + " of each, outlined above")}</div>'
                 + table([[small(row["name"], INK), mono(detail(row, data["token"]), 12)] for row in data["rows"]]))
    sizes = ", ".join(f"{len(row['ids']):,} in {row['name']}" for row in data["rows"])
    return card(f"{count(len(data['text']), 'character')}; tokens: {sizes}", body,
                notes("the number under a token is its id", "· is a blank", data["rest"], cut))


def cuts_card(title, rows, note=""):
    """Different cuts of the same text beside each other. rows: list of (name, list of str or bytes). For lessons 1 and 2.

    >>> cuts_card("three ways", [("characters", list("dog")), ("words", ["dog"])])
    three ways · characters: 3; words: 1
    """
    body = table([[small(name, INK), token_strip(tokens)[0], small(count(len(tokens), "piece"))] for name, tokens in rows])
    return card(title, body, notes(note, "; ".join(f"{name}: {len(tokens)}" for name, tokens in rows) if not note else ""))


def byte_ids_table(tok):
    """Which byte stands at which id: the runs of neighbouring ids whose bytes are neighbours too. For lesson 2.

    tok: a byte-level tokenizer. In GPT-2 id 0 is `!`, not byte 0.
    """
    at = {data[0]: number for number, data in tok.vocabulary.items() if len(data) == 1}
    runs = []
    for byte in sorted(at, key=at.get):
        if runs and byte == runs[-1][1] + 1 and at[byte] == at[runs[-1][1]] + 1:
            runs[-1][1] = byte
        else:
            runs.append([byte, byte])
    rows = [[mono(f"{at[low]} to {at[high]}" if low != high else at[low]),
             mono(f"{low:02X} to {high:02X}" if low != high else f"{low:02X}"),
             mono(f"{label(bytes([low]))} to {label(bytes([high]))}" if low > 32 and high < 127 else "")] for low, high in runs]
    lowest = min(at, key=at.get)
    return card(f"{tok.name or 'your tokenizer'}: id {at[lowest]} is byte {lowest:02X}, {label(bytes([lowest]))}",
                table(rows, ["ids", "bytes", "as text"]))
