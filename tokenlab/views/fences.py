"""Fences: which pieces a pattern cuts, by which of its parts, and what BPE learns with and without them (lesson 3)."""
from functools import lru_cache, partial

from .. import bpe, corpora
from ..errors import choose, need_text, whole
from ..pretokenize import NOT_COVERED, PATTERNS, compiled_parts, explain, split
from .base import BAD, INK, block, box, card, mono, shows, small, strip, table
from .writing import counted, first, label, notes, short

LONGEST, SECONDS = 200, 0.2         # characters that are cut, and how long a pattern of one's own may take for each search
LOST = 5                            # the hue of text that no part takes
MERGES, SHOWN = 300, 40             # merges to learn, and how many of them are drawn
DOGS = ["dog."] * 4 + ["dog!"] * 3 + ["dog?"] * 2
SAMPLES = {"dogs": "dog. dog! dog?", "Botchan": "I was sitting in the corner of the room, and he was smiling."}     # each with a sentence

_explain = lru_cache(maxsize=64)(partial(explain, seconds=SECONDS))        # a slider comes back to the same text


def fences_state(text, pattern="gpt2", piece=1, every=()):
    """Which part of a pattern takes each piece of a text, and what other patterns make of it.

    piece: number of the piece to describe, from 1; a larger one is the last. every: names of patterns to compare.
    Returns dict: text, rest (a note if it was cut), pattern, pieces (list of (piece, number of its part, 0 for none)),
    parts (dict name -> expression), piece, rows (dict pattern -> list of (piece, whether a part takes it)).
    Raises ValueError as pretokenize.explain does.
    """
    shown, rest = first(need_text(text), LONGEST, "characters")
    taken = _explain(shown, pattern)
    parts = {name: part.pattern for name, part in compiled_parts(pattern)}
    if {part for _, part in taken} - {*parts, NOT_COVERED}:     # a part that acts otherwise when it stands alone
        parts = {pattern: pattern}
    numbers = {NOT_COVERED: 0} | {name: n for n, name in enumerate(parts, 1)}
    rows = {name: [(each, part != NOT_COVERED) for each, part in _explain(shown, name)] for name in every}
    return {"text": shown, "rest": rest, "pattern": pattern, "parts": parts, "rows": rows,
            "pieces": [(each, numbers.get(part, 1)) for each, part in taken], "piece": min(whole(piece, "piece", 1), len(taken))}


@shows(fences_state, "parts")
def fences_card(state):
    """A text in the pieces of one pattern, and which part of the pattern took each. For lesson 3.

    text: str, or what `fences_state` returns. pattern: a name of pretokenize.PATTERNS, or a regular expression.
    piece: number of the piece to describe, from 1. every: names of patterns to show below.

    >>> fences_card("I'LL pay")
    gpt2: 4 pieces, which add up to the text
    >>> fences_card("one two", "words")
    words: 2 pieces; 1 character is lost
    """
    pieces, at = state["pieces"], state["piece"] - 1
    taken = [n for _, n in pieces]
    body = strip([each for each, _ in pieces], [str(n or "lost") for n in taken], (at,), [(n - 1) % LOST if n else LOST for n in taken])
    lost = "".join(each for each, n in pieces if not n)
    if lost:
        body += "<br>" + small("✗ The pieces do not add up to the text: no decoder can bring back what is lost.", BAD)
    if pieces:
        told = f"taken by part {taken[at]}" if taken[at] else "taken by no part: it is lost"
        body += block(f"piece {at + 1} of {len(pieces)}, outlined: {told}", mono(label(pieces[at][0]), 13, wrap=True))
    lines = [[small(("▸ " if pieces and n == taken[at] else "") + str(n), INK, wrap=False), small(name if state["pattern"] in PATTERNS else ""),
              box(expression, hue=(n - 1) % LOST), small(counted(taken.count(n), "piece"), wrap=False)]
             for n, (name, expression) in enumerate(state["parts"].items(), 1)]
    body += block("the parts of the pattern, tried in this order at each place", table(lines))
    if state["rows"]:
        body += block("the same text by every other pattern (here the colours only alternate)", _compared(state["rows"]))
    one = len(lost or pieces) == 1
    sum_up = f"; {counted(len(lost), 'character')} {'is' if one else 'are'} lost" if lost else f", which add{'s' * one} up to the text"
    return card(f"{short(state['pattern'], 60)}: {counted(sum(map(bool, taken)), 'piece')}{sum_up}", body,
                notes("the number under a piece is its part", state["rest"]))


def patterns_card(text, patterns=tuple(PATTERNS)):
    """The same text cut by several patterns. For lesson 3.

    patterns: names of pretokenize.PATTERNS, or regular expressions.

    >>> patterns_card("I'LL", ["gpt2", "o200k_base"])
    The same text in pieces: 3 by gpt2, 1 by o200k_base
    """
    state = fences_state(text, "none", every=patterns)
    told = ", ".join(f"{sum(kept for _, kept in row)} by {name}" for name, row in state["rows"].items())
    return card(f"The same text in pieces: {told}", _compared(state["rows"]), state["rest"])


def _compared(rows):
    """A table with one line for each pattern."""
    return table([[small(name, INK), strip([each for each, _ in row], ["" if kept else "lost" for _, kept in row],
                                           hues=[n % 2 if kept else LOST for n, (_, kept) in enumerate(row)]),
                   small(counted(sum(kept for _, kept in row), "piece"), wrap=False)] for name, row in rows.items()])


def crosses(token):
    """Whether GPT-2's pattern cuts a token (bytes); half characters count as signs."""
    return len(split(token.decode("utf-8", "replace"))) > 1


@lru_cache(maxsize=4)
def learned(corpus, fences):
    """The trace of a sample, by its name in SAMPLES, cut by GPT-2's pattern (fences) or not at all."""
    source = corpora.load("botchan") if corpus == "Botchan" else DOGS
    return bpe.train(source, vocab_size=256 + MERGES, pattern="gpt2" if fences else "none")


def merges_state(corpus="dogs", fences=False, k=MERGES):
    """What the first `k` merges of a sample are, with fences and without: dict corpus, fences (which of them to show), rows.

    rows: dict of True and False -> dict tokens (learned), crossing (how many `crosses`), left (tokens in the corpus),
    cut (a sentence in tokens). Raises ValueError for an unknown corpus.
    """
    rows = {}
    for each in (True, False):
        trace = learned(choose(corpus, SAMPLES, "corpus"), each)
        tokens = [merge.token for merge in trace.merges[:k]]
        rows[each] = {"tokens": tokens, "crossing": sum(map(crosses, tokens)), "left": trace.lengths[len(tokens)],
                      "cut": trace.tokenizer(256 + len(tokens)).tokens(SAMPLES[corpus])}
    return {"corpus": corpus, "fences": fences, "rows": rows}


def _marked(tokens, below=None):
    """Tokens in a row, those that cross a border outlined."""
    crossing = [crosses(token) for token in tokens]
    return strip(tokens, below, [n for n, each in enumerate(crossing) if each], crossing)


@shows(merges_state, "fences")
def merges_card(state):
    """The tokens that BPE learns with fences or without, those that cross a border outlined. For lesson 3.

    corpus: "dogs" or "Botchan", or what `merges_state` returns. k: merges done, at most MERGES.

    >>> merges_card("dogs", fences=False)
    dogs, fences off: 3 of 5 merges cross a border
    """
    row, names = state["rows"][state["fences"]], {True: "fences on", False: "fences off"}
    numbers = [str(n) for n in range(1, len(row["tokens"]) + 1)]
    body = _marked(row["tokens"][-SHOWN:], numbers[-SHOWN:]) if numbers else small("nothing learned yet")
    for on, each in state["rows"].items():
        told = f"{counted(len(each['tokens']), 'merge')}, {each['crossing']:,} cross; the corpus: {counted(each['left'], 'token')}"
        body += block(f"{'▸ ' if each is row else ''}{names[on]}: {told}; this sentence: {len(each['cut']):,}", _marked(each["cut"]))
    return card(f"{state['corpus']}, {names[state['fences']]}: {row['crossing']:,} of {counted(len(numbers), 'merge')} cross a border", body,
                notes("outlined: tokens that GPT-2's pattern would cut; the number is the merge's",
                      f"the last {SHOWN} are drawn" if len(numbers) > SHOWN else ""))
