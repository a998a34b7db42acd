"""Special tokens: found in a text only where the caller allows them."""
import re
from bisect import bisect
from collections.abc import Collection
from functools import lru_cache
from itertools import chain, repeat

from ..errors import choose, need_text, short


def sections(s, special_tokens, allowed_special=(), disallowed_special="raise", in_cuts=False):
    """Yield the parts of `s` in order: (ordinary text, None) or (the name of a special token, its id).

    special_tokens: a mapping of str -> int; the next two as in `Tokenizer.encode`. in_cuts: whether `s` is no str but an
    iterable of str, cuts of one text; then ordinary text may come in several parts. Where several special tokens start
    at one place the longest is taken. Raises TypeError and ValueError as `Tokenizer.encode` does. Lesson 4.

    >>> list(sections("hi<end>", {"<end>": 300}, allowed_special="all"))
    [('hi', None), ('<end>', 300)]
    >>> list(sections("hi<end>", {"<end>": 300}, disallowed_special="text"))
    [('hi<end>', None)]
    >>> list(sections(["hi<", "en", "d>"], {"<end>": 300}, allowed_special="all", in_cuts=True))
    [('hi', None), ('<end>', 300)]
    """
    refuse = choose(disallowed_special, ("raise", "text"), "treatment of special tokens") == "raise"
    allowed = _allowed(allowed_special, special_tokens)
    search, in_order, longest = _search(tuple(special_tokens if refuse else allowed))
    last = len(in_order) - 1
    text, passed = "", 0                                        # what may yet become a longer special token waits; how many characters came before it
    pieces = chain(zip(s, repeat(True)), [("", False)]) if in_cuts else [(s, False)]       # each with whether more may follow
    for piece, more in pieces:
        text, start = text + need_text(piece), 0
        while True:
            near = range(max(start, len(text) - longest), len(text)) if more else ()
            decided = next((i for i in near if in_order[bisect(in_order, text[i:], hi=last)].startswith(text[i:])), len(text))
            found = search(text, start) if longest else None
            end = min(found.start(), decided) if found else decided
            if start < end:
                yield text[start:end], None
            start = end
            if not found or end == decided:
                break
            name = found[0]
            if name not in allowed:
                raise ValueError(f"the text holds the special token {short(name)} at index {passed + start}: to make it one, "
                                 f'encode with allowed_special=[{short(name)}] (or "all"); to take it as ordinary text, encode '
                                 f'with disallowed_special="text"')
            yield name, special_tokens[name]
            start = found.end()
        text, passed = text[start:], passed + start


def _allowed(names, special_tokens):
    if isinstance(names, str) and names == "all":
        return special_tokens
    if isinstance(names, str) or not isinstance(names, Collection):
        raise TypeError(f'allowed_special must be "all" or a collection of names, as in ["<|endoftext|>"], not {short(names)}')
    known = [name for name in names if isinstance(name, str) and name in special_tokens]
    return dict.fromkeys(known if len(known) == len(names) else [choose(name, special_tokens, "special token") for name in names])


@lru_cache(maxsize=64)
def _search(names):
    """Return the search for any of `names`, the longest first; the names in order, with "" as their end; the greatest length."""
    expression = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
    return expression.search, [*sorted(names), ""], max(map(len, names), default=0)
