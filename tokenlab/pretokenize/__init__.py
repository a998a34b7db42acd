r"""Pre-tokenization: cut a text into chunks that no merge will cross (lesson 3).

A pattern is a regular expression whose alternatives are tried from left to right at each position; what one takes is
a chunk. The named patterns are the published ones, kept in `patterns` part by part, so that `explain` can say which
part of the pattern took a piece.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache

from ..errors import choose, need_text, short, whole
from .patterns import PARTS

# The named patterns as regular expressions for the package `regex`; None for `none`, which leaves the text whole.
# All but `words` are lossless: their pieces add up to the text.
PATTERNS = {name: "|".join(parts.values()) for name, parts in PARTS.items()} | {"none": None}
NOT_COVERED = "not covered"  # what `explain` says of text that no part of the pattern takes
OWN_PATTERN_SECONDS = 5.0  # how long one search with a pattern of your own may take before it is given up,
OWN_PATTERN_SPEED = 50_000  # and this many characters of text give it one second more
OWN_PATTERN_LENGTH = 2_000  # characters that a pattern of your own may have,
OWN_PATTERN_SIGNS = 20_000  # and signs, once its counted repeats are written out: regex does that, and can overflow

_ON_RE = ("whitespace", "none", "words")  # these run on the standard `re`, where nothing else is installed
CUT_AT_BLANKS = [name for name in PARTS if name not in _ON_RE]  # a text may be cut at CUT (why: see `_AS_ASCII`)


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
    if _is_named(pattern) and pattern != "words":  # lossless: there is nothing to look after
        return _compiled(pattern).findall(s) if pattern in _ON_RE else _split_named(s, pattern)
    pieces = []
    for start, end, covered in _spans(s, pattern):
        if not covered and gaps == "raise":
            _raise_uncovered(s, start, end, pattern)
        if covered or gaps == "keep":
            pieces.append(s[start:end])
    return pieces


def explain(s, pattern="gpt2", seconds=None):
    r"""Return each piece of `s` with the part of the pattern that took it, as list of (piece, part).

    s, pattern: as in `split`. seconds: how long a search with a pattern of your own may take, where the usual limit is
    too long, as it is for a widget. The parts of a named pattern have the names of `PARTS`; the parts of your own are its
    alternatives (what stands between the outermost |), named by their own source text. Text that no part takes
    is there too, as `NOT_COVERED`: the pieces always add up to `s`.

    Raises as `split` does, but for uncovered text. Lesson 3.

    >>> explain("it's 9", "gpt2")
    [('it', 'letters (a blank may lead)'), ("'s", 'contraction'), (' 9', 'numbers (a blank may lead)')]
    >>> explain("a-1", r"[a-z]|[0-9]")
    [('a', '[a-z]'), ('-', 'not covered'), ('1', '[0-9]')]
    """
    need_text(s)
    return [(s[start:end], _taker(s, start, end, pattern, seconds) if covered else NOT_COVERED)
            for start, end, covered in _spans(s, pattern, seconds)]


def count_chunks(source, pattern="gpt2", gaps="raise"):
    """Count the distinct chunks of a text, or of many, as a Counter in order of first occurrence.

    source: one text (str), texts (an iterable of str, each split on its own), or a mapping chunk -> count, which is
    taken as it stands. pattern, gaps: as in `split`.

    Raises as `split` does; TypeError or ValueError for counts that are not whole numbers above 0.
    A trainer needs no more than these counts, because no merge crosses a chunk's border. Lesson 3.

    >>> count_chunks("the cat and the dog and the cat")
    Counter({' cat': 2, ' and': 2, ' the': 2, 'the': 1, ' dog': 1})
    >>> count_chunks(["no", "no no"])
    Counter({'no': 2, ' no': 1})
    >>> count_chunks({"hug": 10, "pug": 5})
    Counter({'hug': 10, 'pug': 5})
    """
    split("", pattern, gaps)  # a wrong argument fails here, even if there is nothing to split
    if isinstance(source, Mapping):
        return Counter({need_text(chunk, "chunk"): n if type(n) is int and n > 0 else _count(n, chunk)
                        for chunk, n in source.items()})
    counts = Counter()
    for text in _texts(source):
        counts.update(split(text, pattern, gaps))
    return counts


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
            text, start = "".join(waiting), 0
            decided = undecided(text).start()
            for chunk in split(text, pattern):
                if start + len(chunk) >= decided:
                    break
                yield chunk
                start += len(chunk)
            waiting, size = [text[start:]], len(text) - start
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
    letters = rf"|{_UPPER}+" if _UPPER in PATTERNS[pattern] else ""
    return _on_regex(rf"(?r)(?:'\p{{L}}?|\s+{letters})?\Z").match


# Most text is mostly ASCII, and there the standard `re`, with [A-Za-z] for \p{L}, is twice as fast as `regex` and finds
# the same chunks. So `re` splits the long stretches of ASCII, `regex` the rest. The text is parted only before a blank
# (U+0020) that follows a non-blank: in each of the six patterns that run on `regex`
# - a blank is the first character of its chunk, or its chunk is nothing but white space. No part takes a non-blank and
#   then a blank, so a chunk always ends at such a cut;
# - what is taken before the cut does not depend on what stands after it: a part that gets that far has just taken the
#   non-blank, and then a blank is as good to it as the end of the text. (?!\S) and $ look ahead from white space only,
#   which the non-blank has ended;
# - what is taken after the cut does not depend on what stands before it: no part looks back.
# A cut elsewhere would not do: GPT-2 takes "a  b" as "a", " ", " b", and cl100k_base takes "!\n" as one chunk.
_UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_AS_ASCII = {
    _UPPER: "[A-Z]",
    r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]": "[a-z]",
    r"\p{L}\p{N}]": "A-Za-z0-9]",  # the end of a longer class
    r"\p{L}": "[A-Za-z]",
    r"\p{N}": "[0-9]",
}
_other_stretches = re.compile(r"[^\x00-\x7f](?:[\x00-\x7f]{0,100}+[^\x00-\x7f])*+").finditer  # at most 100 ASCII apart
_last_cut = re.compile(r"(?s).*\S(?= )").match  # ends before the last blank that follows a non-blank
CUT = re.compile(r" (?<=\S )")  # the blank after a cut


@cache
def _ascii_twin(name):
    """A named pattern for `re`, good for ASCII text only."""
    expression = PATTERNS[name]
    for unicode, ascii in _AS_ASCII.items():
        expression = expression.replace(unicode, ascii)
    return re.compile(expression, re.ASCII)


def _split_named(s, name):
    """The same as `_compiled(name).findall(s)`, for the named patterns that run on `regex`."""
    split_ascii = _ascii_twin(name).findall
    if s.isascii():
        return split_ascii(s)
    split_any, chunks, done = _compiled(name).findall, [], 0
    for stretch in _other_stretches(s):
        if stretch.end() > done:  # else the one before went so far
            before, after = _last_cut(s, done, stretch.start()), CUT.search(s, stretch.end())
            start, end = before.end() if before else done, after.start() if after else len(s)
            chunks += split_ascii(s[done:start])
            chunks += split_any(s[start:end])
            done = end
    return chunks + split_ascii(s[done:])


def _texts(source):
    """The documents of `source`, one after the other, each checked."""
    if isinstance(source, (str, bytes, bytearray)):
        yield need_text(source, "source")
    elif hasattr(source, "columns"):  # it would give the names of its columns
        raise TypeError(f"source must be text, not {type(source).__name__}: choose one column, as in df['text']")
    elif isinstance(source, Iterable):
        for number, text in enumerate(source, 1):
            yield need_text(text, f"document {number} of source")
    else:
        raise TypeError(f"source must be str, an iterable of str, or a mapping of chunk to count, not {short(source)}")


def _count(n, chunk):
    return whole(n, f"the count of {short(chunk)}", 1, advice=" (leave the chunk out instead)")


def _is_named(pattern):
    """Whether `pattern` is a name of PATTERNS; raise if it is neither that nor a regular expression."""
    if not isinstance(pattern, str) or (pattern not in PARTS and re.fullmatch(r"[A-Za-z0-9_-]+", pattern)):
        try:
            choose(pattern, PARTS, "pattern")
        except (TypeError, ValueError) as error:
            raise type(error)(f"{error}, or a regular expression") from None
    return pattern in PARTS


@lru_cache(maxsize=256)
def _on_regex(expression):
    """Compile an expression with the package `regex`, imported here because not every kernel has it."""
    import regex

    if len(expression) > OWN_PATTERN_LENGTH or _signs(expression) > OWN_PATTERN_SIGNS:
        raise ValueError(f"pattern {short(expression)} is too long: it may have {OWN_PATTERN_LENGTH:,} characters, and "
                         f"{OWN_PATTERN_SIGNS:,} signs once repeats such as {{3}} are written out, which multiply within each other")
    if r"\K" in _units(expression):
        raise ValueError(f"pattern {short(expression)} holds \\K, which lets a match begin after its own end: use (?<=...) instead")
    try:
        return regex.compile(expression)
    except (regex.error, RecursionError, OverflowError, MemoryError) as error:
        raise ValueError(f"pattern {short(expression)} is no regular expression: {error}. Write a name ({', '.join(PARTS)}) "
                         "or an expression for the package regex, with \\ before a sign meant as it is") from None


def _compiled(pattern):
    """The compiled form of a name or a regular expression (both modules keep what they compiled)."""
    if pattern in _ON_RE:
        return re.compile("|".join(PARTS[pattern].values()))
    return _on_regex(PATTERNS.get(pattern, pattern))


@contextmanager
def _in_time(pattern, s, seconds=None):
    """The keyword arguments that limit a search in `s`; turn the end of time or memory into an error that says why."""
    seconds = (OWN_PATTERN_SECONDS if seconds is None else seconds) + len(s) / OWN_PATTERN_SPEED
    try:
        yield {} if pattern in PARTS else {"timeout": seconds}
    except (TimeoutError, MemoryError) as error:
        limit = f"within {seconds:.1f} s" if isinstance(error, TimeoutError) else "before the memory did"
        raise ValueError(f"pattern {short(pattern)} did not come to an end {limit} on this text: "
                         "it can take the same text in too many ways, as (a|aa)+ does, or calls itself, as (?R) does. Let one part take each "
                         "character, or repeat with ++ and *+, which give nothing back") from None


def _spans(s, pattern, seconds=None) -> Iterator[tuple[int, int, bool]]:
    """All of `s` from left to right as (start, end, whether the pattern covers it)."""
    _is_named(pattern)
    with _in_time(pattern, s, seconds) as limit:
        found = sorted(m.span() for m in _compiled(pattern).finditer(s, **limit) if m.group())
    at = 0
    for start, end in [*found, (len(s), len(s))]:
        if at < start:
            yield at, start, False
        if start < end:
            yield start, end, True
        at = end


def _raise_uncovered(s, start, end, pattern):
    gap = s[start:end] if end - start <= 20 else s[start : start + 20] + "…"
    raise ValueError(f"pattern {short(pattern)} leaves {gap!r} at index {start} uncovered: add a part that takes it, "
                     r'such as |\s+ or |(?s:.) at its end, or pass gaps="keep" (as its own piece) or "drop" (left out)')


def _taker(s, start, end, pattern, seconds=None):
    """The name of the part that took s[start:end]: the first that matches there by itself."""
    with _in_time(pattern, s, seconds) as limit:
        for name, part in compiled_parts(pattern):
            match = part.match(s, start, **limit)
            if match and match.span() == (start, end):
                return name
    return pattern


@lru_cache(maxsize=256)
def compiled_parts(pattern):
    """Return the parts of a pattern in the order in which they are tried, as tuple of (name, compiled expression).

    pattern, names: as in `explain`. Raises ValueError for an own pattern that does not compile. Lesson 3.

    >>> [name for name, _ in compiled_parts("[a-z]|[0-9]|(x|y)")]
    ['[a-z]', '[0-9]', '(x|y)']
    """
    if pattern in _ON_RE:
        return tuple((name, re.compile(part)) for name, part in PARTS[pattern].items())
    if pattern in PARTS:
        return tuple((name, _on_regex(part)) for name, part in PARTS[pattern].items())
    flags = re.match(r"(\(\?[a-zA-Z0-9]+\))?", pattern).group()  # such as (?i): they hold for every part
    first, *others = _alternatives(pattern)
    try:
        return ((first, _on_regex(first)), *((part, _on_regex(flags + part)) for part in others))
    except ValueError:  # a part that does not stand by itself, such as one that refers to a group of another
        return ((pattern, _on_regex(pattern)),)


def _alternatives(pattern):
    """Cut a regular expression at each | that stands outside of groups, character classes and escapes."""
    parts, depth = [""], 0
    for unit in _units(pattern):
        depth += {"(": 1, ")": -1}.get(unit, 0)
        if unit == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += unit
    return parts


# what stands for itself in an expression: an escape, a class, the start of a counted repeat, a character
_units = re.compile(r"(?s)\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*+\]|\{\d{1,20}|.").findall


def _signs(expression):
    """The number of signs in an expression whose counted repeats are written out, each closing brace for one: 13 for (a{2}b){3}."""
    sizes, last = [0], 0  # of each group that is open, and of what has just ended
    for unit in _units(expression):
        if unit == "(":
            sizes.append(0)
        elif unit[0] == "{" and unit[1:]:
            sizes[-1] += last * (int(unit[1:]) - 1)
            last *= int(unit[1:])
        else:
            last = sizes.pop() if unit == ")" and sizes[1:] else 1
            sizes[-1] += last
    return sum(sizes)
