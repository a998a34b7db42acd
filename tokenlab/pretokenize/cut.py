"""Cut a text into the chunks of a pattern, and say which part of the pattern took each."""
from collections.abc import Iterator

from ..errors import choose, need_text, short
from .expressions import check_pattern, compiled, compiled_parts, in_time
from .named import split_named
from .patterns import ON_RE, PARTS

NOT_COVERED = "not covered"  # what `explain` says of text that no part of the pattern takes


def split(s, pattern="gpt2", gaps="raise"):
    r"""Return the chunks of `s` in order, as list[str].

    s: the text. pattern: a name of `PATTERNS`, or a regular expression for the package `regex`; a plain word of
    letters, digits, - and _ counts as a name. gaps: what happens to text that the pattern does not cover:
    "raise" an error, "keep" it as pieces of its own, or "drop" it. Capturing groups and empty matches play no role.

    Raises ValueError for an unknown name, an expression that does not compile or does not come to an end, text left
    uncovered, a lone surrogate; TypeError for anything but str.
    Source of the named patterns: see the comments in `PARTS`. Lesson 3.

    >>> split("I'LL pay  $12345!")
    ['I', "'", 'LL', ' pay', ' ', ' $', '12345', '!']
    >>> split("I'LL pay  $12345!", "o200k_base")
    ["I'LL", ' pay', ' ', ' $', '123', '45', '!']
    >>> split("one two", r"\w+", gaps="drop")
    ['one', 'two']
    """
    need_text(s)
    choose(gaps, ("raise", "keep", "drop"), "gaps")
    check_pattern(pattern)
    if pattern in PARTS and pattern != "words":  # lossless: there is nothing to look after
        return compiled(pattern).findall(s) if pattern in ON_RE else split_named(s, pattern)
    pieces = []
    for start, end, covered in _spans(s, pattern):
        if not covered and gaps == "raise":
            gap = s[start:end] if end - start <= 20 else s[start : start + 20] + "…"
            raise ValueError(f"pattern {short(pattern)} leaves {gap!r} at index {start} uncovered: add a part that takes it, "
                             r'such as |\s+ or |(?s:.) at its end, or pass gaps="keep" (as its own piece) or "drop" (left out)')
        if covered or gaps == "keep":
            pieces.append(s[start:end])
    return pieces


def explain(s, pattern="gpt2", seconds=None):
    r"""Return each piece of `s` with the part of the pattern that took it, as list of (piece, part).

    s, pattern: as in `split`. seconds: how long a search with a pattern of your own may take, where the usual limit is
    too long, as it is for a widget. The parts of a named pattern have the names of `PARTS`; the parts of your own are its
    alternatives (what stands between the outermost |), named by their own source text; the part is the whole
    pattern where an alternative says nothing by itself, such as one that refers to a group of another. Text that the pattern
    does not take is there too, as `NOT_COVERED`: the pieces always add up to `s`.

    Raises as `split` does, but for uncovered text. Lesson 3.

    >>> explain("it's 9", "gpt2")
    [('it', 'letters (a blank may lead)'), ("'s", 'contraction'), (' 9', 'numbers (a blank may lead)')]
    >>> explain("a-1", r"[a-z]|[0-9]")
    [('a', '[a-z]'), ('-', 'not covered'), ('1', '[0-9]')]
    >>> explain("abab", r"(a)b|\1")
    [('ab', '(a)b|\\1'), ('ab', '(a)b|\\1')]
    """
    need_text(s)
    return [(s[start:end], _taker(s, start, end, pattern, seconds) if covered else NOT_COVERED)
            for start, end, covered in _spans(s, pattern, seconds)]


def _spans(s, pattern, seconds=None) -> Iterator[tuple[int, int, bool]]:
    """All of `s` from left to right as (start, end, whether the pattern covers it)."""
    check_pattern(pattern)
    with in_time(pattern, s, seconds) as limit:
        found = sorted(m.span() for m in compiled(pattern).finditer(s, **limit) if m.group())
    at = 0
    for start, end in [*found, (len(s), len(s))]:
        if at < start:
            yield at, start, False
        if start < end:
            yield start, end, True
        at = end


def _taker(s, start, end, pattern, seconds=None):
    """The name of the part that took s[start:end]: the first that matches there by itself."""
    with in_time(pattern, s, seconds) as limit:
        for name, part in compiled_parts(pattern):
            match = part.match(s, start, **limit)
            if match and match.span() == (start, end):
                return name
    return pattern
