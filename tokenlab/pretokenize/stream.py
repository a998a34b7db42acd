"""The chunks of a text that comes in pieces."""
from functools import cache

from .cut import split
from .expressions import on_regex
from .named import CUT_AT_BLANKS
from .patterns import PATTERNS, UPPER


def split_stream(pieces, pattern="gpt2"):
    """Return the chunks of a text that comes in pieces, an iterator of str: those of `split`, wherever the cuts are.

    pieces: an iterable of str, cuts of one text. pattern: as in `split`. With the six patterns of language models and
    `whitespace`, no more waits than a few chunks and one piece; with any other, all chunks come after the last piece.

    Raises as `split` does, with indexes within what waits. Lesson 4.

    >>> list(split_stream(["I'", "l", "l p", "ay "]))
    ['I', "'ll", ' pay', ' ']
    """
    undecided = _undecided(pattern)
    waiting, size, enough = [], 0, 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if undecided and size > enough:
            text = "".join(waiting)
            chunks, end, decided = split(text, pattern), len(text), undecided(text).start()
            while chunks and end >= decided:
                end -= len(chunks.pop())
            yield from chunks
            waiting, size = [text[end:]], len(text) - end
            enough = 2 * size  # else a long chunk in short pieces would be split again with each
    yield from split("".join(waiting), pattern)


@cache
def _undecided(pattern):
    r"""The match, from the right, of the end of a text that may not be the end of its chunks if text follows.

    What a chunk takes depends on characters after it only in these cases, and there the chunk before must wait too:
    - white space up to the end: the parts for white space look at what follows it;
    - ' and a letter at the end: a contraction, if the right letter follows;
    - with o200k_base and tekken, capitals and letters without case up to the end: a small letter may end their word.
    """
    if pattern not in [*CUT_AT_BLANKS, "whitespace"]:
        return None
    letters = rf"|{UPPER}+" if UPPER in PATTERNS[pattern] else ""
    return on_regex(rf"(?r)(?:'\p{{L}}?|\s+{letters})?\Z").match
