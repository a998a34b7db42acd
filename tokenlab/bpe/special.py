"""Special tokens: found in a text only where the caller allows them."""
import re
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
    [('h', None), ('i', None), ('<end>', 300)]
    """
    refuse = choose(disallowed_special, ("raise", "text"), "treatment of special tokens") == "raise"
    allowed = _allowed(allowed_special, special_tokens)
    search, longest = _search(tuple(special_tokens if refuse else allowed))
    text, passed = "", 0                                        # what waits, and how many characters came before it
    pieces = chain(zip(s, repeat(True)), [("", False)]) if in_cuts else [(s, False)]       # each with whether more may follow
    for piece, more in pieces:
        text, start = text + need_text(piece), 0
        decided = len(text) - (longest - 1) * more              # what begins before this is there to its end
        while (found := search(text, start)) and found.start() < decided:
            if start < found.start():
                yield text[start:found.start()], None
            name = found[0]
            if name not in allowed:
                raise ValueError(f"the text holds the special token {short(name)} at index {passed + found.start()}: to make it one, "
                                 f'encode with allowed_special=[{short(name)}] (or "all"); to take it as ordinary text, encode '
                                 f'with disallowed_special="text"')
            yield name, special_tokens[name]
            start = found.end()
        if start < decided:
            yield text[start:decided], None
            start = decided
        text, passed = text[start:], passed + start


def _allowed(names, special_tokens):
    if isinstance(names, str) and names == "all":
        return special_tokens
    if isinstance(names, str) or not isinstance(names, Collection):
        raise TypeError(f'allowed_special must be "all" or a collection of names, as in ["<|endoftext|>"], not {short(names)}')
    return dict.fromkeys(choose(name, special_tokens, "special token") for name in names)


@lru_cache(maxsize=64)
def _search(names):
    """Return the search for any of `names`, the longest first, and the greatest length."""
    expression = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(expression or "(?!)").search, max(map(len, names), default=1)
