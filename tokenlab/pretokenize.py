r"""Pre-tokenization: cut a text into chunks that no merge will cross (lesson 3).

A pattern is a regular expression whose alternatives are tried from left to right at each position; what one takes is
a chunk. The named patterns are the published ones, kept here part by part, so that `explain` can say which part of
the pattern took a piece. In their part names, "white space" is any character that \s matches and "blank" is U+0020.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from operator import index

from .errors import choose, need_text


def _cl100k_family(numbers):
    """The parts of the first cl100k_base pattern, with the part for `numbers` (name -> expression) in its place."""
    return {
        "contraction in any case": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)",
        "letters (one other sign may lead)": r"[^\r\n\p{L}\p{N}]?\p{L}+",
        **numbers,
        "other signs (a blank may lead, line ends may follow)": r" ?[^\s\p{L}\p{N}]+[\r\n]*",
        "white space up to the last line end": r"\s*[\r\n]+",
        "white space, all but the last if text follows": r"\s+(?!\S)",
        "white space": r"\s+",
    }


def _o200k_family(contraction, numbers):
    """The parts of the o200k_base pattern; `contraction` (an expression) may end a word.

    Letters without case and combining marks count as capitals and as small letters, so the first part takes them.
    One sign that is no letter, number or line end may lead a word.
    """
    sign, upper, lower = r"[^\r\n\p{L}\p{N}]?", r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
    return {
        "word: capitals, then small letters": f"{sign}{upper}*{lower}+{contraction}",
        "word: capitals only": f"{sign}{upper}+{lower}*{contraction}",
        **numbers,
        "other signs (a blank may lead, line ends and / may follow)": r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        "white space up to the last line end": r"\s*[\r\n]+",
        "white space, all but the last if text follows": r"\s+(?!\S)",
        "white space": r"\s+",
    }


_THREE, _ONE = {"numbers, three at most": r"\p{N}{1,3}"}, {"one number": r"\p{N}"}

# For each named pattern its parts in order: what the part takes -> its expression.
PARTS = {
    "gpt2": {  # openai/gpt-2, src/encoder.py
        "contraction": r"'s|'t|'re|'ve|'m|'ll|'d",
        "letters (a blank may lead)": r" ?\p{L}+",
        "numbers (a blank may lead)": r" ?\p{N}+",
        "other signs (a blank may lead)": r" ?[^\s\p{L}\p{N}]+",
        "white space, all but the last if text follows": r"\s+(?!\S)",
        "white space": r"\s+",
    },
    "cl100k_base": {  # tiktoken 0.14; ++, ?+ and {1,3}+ never give back what they took
        "contraction in any case": r"'(?i:[sdmt]|ll|ve|re)",
        "letters (one other sign may lead)": r"[^\r\n\p{L}\p{N}]?+\p{L}++",
        "numbers, three at most": r"\p{N}{1,3}+",
        "other signs (a blank may lead, line ends may follow)": r" ?[^\s\p{L}\p{N}]++[\r\n]*+",
        "white space at the end of the text": r"\s++$",
        "white space up to the last line end": r"\s*[\r\n]",
        "white space, all but the last if text follows": r"\s+(?!\S)",
        "one white space": r"\s",
    },
    "o200k_base": _o200k_family(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?", _THREE),  # tiktoken 0.14
    "llama3": _cl100k_family(_THREE),  # meta-llama/llama3, llama/tokenizer.py
    "qwen2": _cl100k_family(_ONE),  # Qwen 1 to 3
    "tekken": _o200k_family("", _ONE),  # Mistral
    "whitespace": {"white space": r"\s+", "no white space": r"\S+"},
    "none": {"the whole text": r"(?s:.+)"},
    "words": {"word": r"\w+", "punctuation": r"[^\w\s]"},
}

# The named patterns as regular expressions for the package `regex`; None for `none`, which leaves the text whole.
# All but `words` are lossless: their pieces add up to the text.
PATTERNS = {name: "|".join(parts.values()) for name, parts in PARTS.items()} | {"none": None}
NOT_COVERED = "not covered"  # what `explain` says of text that no part of the pattern takes
OWN_PATTERN_SECONDS = 5.0  # how long one search with a pattern of your own may take before it is given up

_ON_RE = ("whitespace", "none", "words")  # these run on the standard `re`, where nothing else is installed


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


def explain(s, pattern="gpt2"):
    r"""Return each piece of `s` with the part of the pattern that took it, as list of (piece, part).

    s, pattern: as in `split`. The parts of a named pattern have the names of `PARTS`; the parts of your own are its
    alternatives (what stands between the outermost |), named by their own source text. Text that no part takes
    is there too, as `NOT_COVERED`: the pieces always add up to `s`.

    Raises as `split` does, but for uncovered text. Lesson 3.

    >>> explain("it's 9", "gpt2")
    [('it', 'letters (a blank may lead)'), ("'s", 'contraction'), (' 9', 'numbers (a blank may lead)')]
    >>> explain("a-1", r"[a-z]|[0-9]")
    [('a', '[a-z]'), ('-', 'not covered'), ('1', '[0-9]')]
    """
    need_text(s)
    return [(s[start:end], _taker(s, start, end, pattern) if covered else NOT_COVERED)
            for start, end, covered in _spans(s, pattern)]


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
    _is_named(pattern)
    choose(gaps, ("raise", "keep", "drop"), "gaps")
    if isinstance(source, Mapping):
        return Counter({need_text(chunk, "chunk"): _whole_number(n, chunk) for chunk, n in source.items()})
    counts = Counter()
    for text in _texts(source):
        counts.update(split(text, pattern, gaps))
    return counts


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
_AS_ASCII = {
    r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]": "[A-Z]",
    r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]": "[a-z]",
    r"\p{L}\p{N}]": "A-Za-z0-9]",  # the end of a longer class
    r"\p{L}": "[A-Za-z]",
    r"\p{N}": "[0-9]",
}
_other_stretches = re.compile(r"[^\x00-\x7f](?:[\x00-\x7f]{0,100}+[^\x00-\x7f])*+").finditer  # at most 100 ASCII apart
_last_cut = re.compile(r"(?s).*\S(?= )").match  # ends before the last blank that follows a non-blank
_next_cut = re.compile(r" (?<=\S )").search  # starts at the next one


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
            before, after = _last_cut(s, done, stretch.start()), _next_cut(s, stretch.end())
            start, end = before.end() if before else done, after.start() if after else len(s)
            chunks += split_ascii(s[done:start])
            chunks += split_any(s[start:end])
            done = end
    return chunks + split_ascii(s[done:])


def _texts(source):
    """The documents of `source`, one after the other, each checked."""
    if isinstance(source, (str, bytes, bytearray)):
        yield need_text(source, "source")
    elif isinstance(source, Iterable):
        for number, text in enumerate(source, 1):
            yield need_text(text, f"document {number} of source")
    else:
        raise TypeError(f"source must be str, an iterable of str, or a mapping of chunk to count, not {source!r}")


def _whole_number(n, chunk):
    """Return the count `n` of `chunk` as an int above 0, or raise."""
    try:
        if isinstance(n, bool) or index(n) < 1:
            raise ValueError(f"the count of {chunk!r} must be a whole number above 0, not {n!r}: leave the chunk out")
        return index(n)
    except TypeError:
        raise TypeError(f"the count of {chunk!r} must be an int, not {type(n).__name__} {n!r}") from None


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

    try:
        return regex.compile(expression)
    except (regex.error, RecursionError, OverflowError) as error:
        raise ValueError(f"pattern {expression!r} is no regular expression: {error}. Write a name ({', '.join(PARTS)}) "
                         "or an expression for the package regex, with \\ before a sign meant as it is") from None


def _compiled(pattern):
    """The compiled form of a name or a regular expression (both modules keep what they compiled)."""
    if pattern in _ON_RE:
        return re.compile("|".join(PARTS[pattern].values()))
    return _on_regex(PATTERNS.get(pattern, pattern))


@contextmanager
def _in_time(pattern):
    """The keyword arguments that limit a search with `pattern`; turn the time-out into an error that says why."""
    try:
        yield {} if pattern in PARTS else {"timeout": OWN_PATTERN_SECONDS}
    except TimeoutError:
        raise ValueError(f"pattern {pattern!r} did not come to an end within {OWN_PATTERN_SECONDS:g} s on this text: "
                         "it can take the same text in too many ways, as (a|aa)+ does. Let one part take each "
                         "character, or repeat with ++ and *+, which give nothing back") from None


def _spans(s, pattern) -> Iterator[tuple[int, int, bool]]:
    """All of `s` from left to right as (start, end, whether the pattern covers it)."""
    _is_named(pattern)
    with _in_time(pattern) as limit:
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
    raise ValueError(f"pattern {pattern!r} leaves {gap!r} at index {start} uncovered: add a part that takes it, "
                     r'such as |\s+ or |(?s:.) at its end, or pass gaps="keep" (as its own piece) or "drop" (left out)')


def _taker(s, start, end, pattern):
    """The name of the part that took s[start:end]: the first that matches there by itself."""
    with _in_time(pattern) as limit:
        for name, part in _parts(pattern):
            match = part.match(s, start, **limit)
            if match and match.span() == (start, end):
                return name
    return pattern


@lru_cache(maxsize=256)
def _parts(pattern):
    """The parts of a pattern as ((name, compiled), ...)."""
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
    for unit in re.findall(r"(?s)\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|.", pattern):
        depth += {"(": 1, ")": -1}.get(unit, 0)
        if unit == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += unit
    return parts
