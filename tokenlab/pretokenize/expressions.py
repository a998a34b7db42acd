"""Names and regular expressions, compiled; those of your own with a limit on their size and their time."""
import re
from contextlib import contextmanager
from functools import lru_cache

from ..errors import choose, need_text, package, short
from .patterns import ON_RE, PARTS, PATTERNS

OWN_PATTERN_SECONDS = 5.0  # how long one search with a pattern of your own may take before it is given up,
OWN_PATTERN_SPEED = 50_000  # and this many characters of text give it one second more
OWN_PATTERN_LENGTH = 2_000  # characters that a pattern of your own may have,
OWN_PATTERN_SIGNS = 20_000  # and signs, once its counted repeats are written out: regex does that, and can overflow


def check_pattern(pattern):
    """Raise unless `pattern` is a name of PATTERNS or can be a regular expression, which a plain word cannot."""
    if not isinstance(pattern, str) or (pattern not in PARTS and re.fullmatch(r"[A-Za-z0-9_-]+", pattern)):
        try:
            choose(pattern, PARTS, "pattern")
        except (TypeError, ValueError) as error:
            raise type(error)(f"{error}, or a regular expression") from None


@lru_cache(maxsize=256)
def on_regex(expression):
    """Compile an expression with the package `regex`, imported here because not every kernel has it."""
    regex = package("regex", "a pattern on this text")
    if len(need_text(expression, "pattern")) > OWN_PATTERN_LENGTH or _signs(expression) > OWN_PATTERN_SIGNS:
        raise ValueError(f"pattern {short(expression)} is too long: it may have {OWN_PATTERN_LENGTH:,} characters, and "
                         f"{OWN_PATTERN_SIGNS:,} signs once repeats such as {{3}} are written out, which multiply within each other")
    if r"\K" in _units(expression):
        raise ValueError(f"pattern {short(expression)} holds \\K, which lets a match begin after its own end: use (?<=...) instead")
    try:
        return regex.compile(expression)
    except (regex.error, RecursionError, OverflowError, MemoryError) as error:
        raise ValueError(f"pattern {short(expression)} is no regular expression: {error}. Write a name ({', '.join(PARTS)}) "
                         "or an expression for the package regex, with \\ before a sign meant as it is") from None


def compiled(pattern):
    """The compiled form of a name or a regular expression (both modules keep what they compiled)."""
    if pattern in ON_RE:
        return re.compile("|".join(PARTS[pattern].values()))
    return on_regex(PATTERNS.get(pattern, pattern))


@contextmanager
def in_time(pattern, s, seconds=None):
    """The keyword arguments that limit a search in `s`; turn the end of time or memory into an error that says why."""
    seconds = (OWN_PATTERN_SECONDS if seconds is None else seconds) + len(s) / OWN_PATTERN_SPEED
    try:
        yield {} if pattern in PARTS else {"timeout": seconds}
    except (TimeoutError, MemoryError) as error:
        limit = f"within {seconds:.1f} s" if isinstance(error, TimeoutError) else "before the memory did"
        raise ValueError(f"pattern {short(pattern)} did not come to an end {limit} on this text: "
                         "it can take the same text in too many ways, as (a|aa)+ does, or calls itself, as (?R) does. Let one part take each "
                         "character, or repeat with ++ and *+, which give nothing back") from None


@lru_cache(maxsize=256)
def compiled_parts(pattern):
    """Return the parts of a pattern in the order in which they are tried, as tuple of (name, compiled expression).

    pattern, names: as in `explain`. Raises ValueError for an own pattern that does not compile. Lesson 3.

    >>> [name for name, _ in compiled_parts("[a-z]|[0-9]|(x|y)")]
    ['[a-z]', '[0-9]', '(x|y)']
    """
    if pattern in PARTS:
        compile_part = re.compile if pattern in ON_RE else on_regex
        return tuple((name, compile_part(part)) for name, part in PARTS[pattern].items())
    flags = re.match(r"(\(\?[a-zA-Z0-9]+\))?", pattern).group()  # such as (?i): they hold for every part
    first, *others = _alternatives(pattern)
    try:
        return ((first, on_regex(first)), *((part, on_regex(flags + part)) for part in others))
    except ValueError:  # a part that does not stand by itself, such as one that refers to a group of another
        return ((pattern, on_regex(pattern)),)


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
