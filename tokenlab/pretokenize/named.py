"""The named patterns at speed: the standard `re` on long stretches of ASCII, `regex` on the rest."""
import re
from functools import cache

from .expressions import compiled
from .patterns import LOWER, ON_RE, PARTS, PATTERNS, UPPER

CUT_AT_BLANKS = [name for name in PARTS if name not in ON_RE]  # a text may be cut at CUT, for the reasons below

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
    UPPER: "[A-Z]",
    LOWER: "[a-z]",
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


def split_named(s, name):
    """The same as `compiled(name).findall(s)`, for the named patterns that run on `regex`."""
    split_ascii = _ascii_twin(name).findall
    if s.isascii():
        return split_ascii(s)
    split_any, chunks, done = compiled(name).findall, [], 0
    for stretch in _other_stretches(s):
        if stretch.end() > done:  # else the one before went so far
            before, after = _last_cut(s, done, stretch.start()), CUT.search(s, stretch.end())
            start, end = before.end() if before else done, after.start() if after else len(s)
            chunks += split_ascii(s[done:start])
            chunks += split_any(s[start:end])
            done = end
    return chunks + split_ascii(s[done:])
