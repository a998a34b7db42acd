"""Text to ids, join by join, and ids to text, one by one (lesson 4)."""
import codecs

from ..bpe import encode_chunk, leftmost_pair, longest_match
from ..errors import need_text
from ..pretokenize import split
from ..pretrained import printable_bytes
from .base import INK, block, box, card, mono, shows, small, strip, table
from .tokens import encoding, need_part
from .writing import counted, first, label, notes, short

STEPPED, ROWS = 60, 12          # characters of a text that is followed, rows of a table


def encode_state(tok, text, k=None):
    """Encode a text join by join, as far as `k` joins (None: all); special strings in it are ordinary text.

    tok: a byte-pair tokenizer over bytes. Of a long text the first STEPPED characters are taken.
    Returns dict: text, rest (a note that says so), all (what `encoding` returns), steps (bpe.Step, all of them), k,
    chunks (the tokens of each after k steps), next (chunk, position of the pair that comes, or None).
    Raises TypeError or ValueError for what is not text.
    """
    shown, rest = first(need_text(text), STEPPED, "characters")
    chunks, of = split(shown, need_part(tok, "merges").pattern), {}
    for step in tok.steps(shown, disallowed_special="text"):
        own = of.setdefault(step.chunk, [])
        if not own or len(step.tokens) < len(own[-1].tokens):       # not yet seen: a chunk may occur again
            own.append(step)
    steps = [(n, step) for n, chunk in enumerate(chunks) for step in of.get(chunk, ())]
    k = len(steps) if k is None else min(k, len(steps))
    now = [tuple(bytes([byte]) for byte in chunk.encode()) for chunk in chunks]
    for n, step in steps[:k]:
        now[n] = step.tokens
    coming = (steps[k][0], steps[k][1].position) if k < len(steps) else None
    return {"text": shown, "rest": rest, "all": encoding(tok, shown), "steps": [step for _, step in steps], "k": k,
            "chunks": now, "next": coming}


@shows(encode_state, "chunks")
def encode_card(state):
    """How a tokenizer joins the bytes of a text, with the number of each merge; in the end ids and spans. For lesson 4.

    tok: a byte-pair tokenizer over bytes, or what `encode_state` returns. k: joins done (all by default).

    >>> from tokenlab import pretrained
    >>> encode_card(pretrained.load("gpt2"), " the", k=2)
    gpt2, ·the: 2 of 3 joins done; next: merge 7, ·t + he
    """
    steps, k, row = state["steps"], state["k"], state["all"]
    n, place = state["next"] or (None, 0)
    parts = [strip(tokens, marks=(place, place + 1) if i == n else ()) for i, tokens in enumerate(state["chunks"])]
    body = small(" ¦ ").join(parts) or small("(nothing)")
    if k:
        made = [(b"".join(step.pair), f"{step.number:,}") for step in steps[:k]]
        body += block("what has been joined, in this order, with the number of its merge", strip(*zip(*made), hues=[1] * k))
    if state["next"]:
        coming = f"next: merge {steps[k].number:,}, {' + '.join(map(label, steps[k].pair))}"
    else:
        coming = counted(len(row["ids"]), "token")
        body += block("no pair is left: these are the tokens", spans_table(row, state["text"]))
    return card(f"{row['name']}, {short(state['text'])}: {k} of {counted(len(steps), 'join')} done; {coming}", body,
                notes("orange outline: the pair that is joined next" if state["next"] else "",
                      "¦ is a fence" if len(parts) > 1 else "", state["rest"]))


def spans_table(row, text):
    """Where each token of an `encoding` comes from: its id, its bytes, and the whole characters that it touches."""
    shown, rest = first([*zip(row["tokens"], row["ids"], row["spans"])], ROWS, "tokens")
    lines = [[box(token), mono(number), mono(f"{start} to {end}"), mono(f"{low} to {high}"), mono(label(text[low:high]))]
             for token, number, ((start, end), (low, high)) in shown]
    return table(lines, ["token", "id", "bytes from, to", "characters from, to", "those characters"]) + small(rest)


def merge_numbers(tok):
    """The first ten merges with the three numbers that each one has, as a merges file writes them. For lesson 4.

    tok: a byte-pair tokenizer over bytes.

    >>> from tokenlab import pretrained
    >>> merge_numbers(pretrained.load("gpt2"))
    gpt2: merge 1 has rank 0 and id 256
    """
    ids, stands_for = {token: i for i, token in need_part(tok, "merges").vocabulary.items()}, printable_bytes()
    rows = []
    for rank, (left, right) in enumerate(tok.merges[:10]):
        written = " ".join("".join(map(stands_for.get, part)) for part in (left, right))
        rows.append([*map(mono, (rank + 1, rank, ids[left + right], written)), box(left + right, hue=1)])
    return card(f"{tok.name}: merge 1 has rank 0 and id {ids[b''.join(tok.merges[0])]}",
                table(rows, ["number", "rank", "id", "as the file writes it", "token"]))


def contest(text, merges):
    """One text by three ways to encode, rank order first: a dict name -> tokens.

    merges: list of pairs of bytes, in the order of their ranks.

    >>> contest("abc", [(b"b", b"c"), (b"a", b"b")])
    {'rank order': [b'a', b'bc'], 'longest match': [b'ab', b'c'], 'leftmost pair': [b'ab', b'c']}
    """
    data = need_text(text).encode()
    return {"rank order": encode_chunk(data, merges), "longest match": longest_match(data, {a + b for a, b in merges}),
            "leftmost pair": leftmost_pair(data, merges)}


@shows(contest, "rank order")
def contest_card(ways):
    """One text by rank order, longest match and leftmost pair beside each other. For lesson 4.

    text: str, or what `contest` returns. merges: list of pairs of bytes, in the order of their ranks.

    >>> contest_card("abc", [(b"b", b"c"), (b"a", b"b")])
    abc: both shortcuts differ
    """
    right = ways["rank order"]
    wrong = [name for name, tokens in ways.items() if tokens != right]
    kinds = len({tuple(tokens) for tokens in ways.values()})
    said = "both shortcuts differ" if len(wrong) == 2 else f"{''.join(wrong)} differs"
    rows = [[small(name + " ✗ differs" * (name in wrong), INK), strip(tokens, hues=[0] * len(tokens)),
             small(counted(len(tokens), "token"), wrap=False)] for name, tokens in ways.items()]
    return card(f"{short(b''.join(right))}: {('all three agree', said, 'all three differ')[kinds - 1]}", table(rows))


def stream_state(tok, text, k=None):
    """A text whose ids arrive one by one, `k` of them so far (None: all): what each is alone, and what a buffering decoder gives.

    Returns dict: name, text, size (ids in all), rest (a note), rows: for each id that has arrived (id, token, decoded
    alone, what the decoder gives when it comes). Raises TypeError or ValueError for what is not text.
    """
    shown, rest = first(need_text(text), STEPPED, "characters")
    row = encoding(tok, shown)
    decoder = codecs.getincrementaldecoder("utf-8")()               # as in tok.decode_stream
    rows = [(i, token, token.decode("utf-8", "replace"), decoder.decode(token)) for i, token in list(zip(row["ids"], row["tokens"]))[:k]]
    return {"name": row["name"], "text": shown, "size": len(row["ids"]), "rest": rest, "rows": rows}


@shows(stream_state, "rows")
def stream_card(state):
    """Ids that arrive one by one: each decoded alone, beside a decoder that waits for whole characters. For lesson 4.

    tok: a tokenizer over bytes, or what `stream_state` returns. k: how many ids have arrived (all by default).

    >>> from tokenlab import pretrained
    >>> stream_card(pretrained.load("o200k_base"), "a🚕", 2)
    2 of 3 ids: alone a�, buffered a
    """
    rows = state["rows"]
    shown = [[mono(number), mono(token.hex(" ").upper()), mono(label(alone)), mono(label(given)) if given else small("(waits)")]
             for number, token, alone, given in rows[-ROWS:]]
    alone, buffered = ("".join(row[n] for row in rows) for n in (2, 3))
    body = (block("each id decoded alone", mono(label(alone), 18, wrap=True)) + block("by a decoder that waits", mono(label(buffered), 18, wrap=True))
            + block("the last ids" if len(rows) > ROWS else "id by id", table(shown, ["id", "its bytes", "alone", "the decoder gives"])))
    return card(f"{len(rows)} of {counted(state['size'], 'id')}: alone {short(alone)}, buffered {short(buffered)}", body,
                notes("� is what stands for bytes that are no character" if "�" in alone else "", state["rest"]))
