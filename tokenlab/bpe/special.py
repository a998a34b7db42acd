"""Special tokens: found in a text only where the caller allows them."""
import re
from collections.abc import Collection
from functools import lru_cache

from ..errors import choose, need_text, short


def sections(s, special_tokens, allowed_special=(), disallowed_special="raise"):
    """Yield the parts of `s` in order: (ordinary text, None) or (the name of a special token, its id).

    special_tokens: a mapping of str -> int; the other two as in `Tokenizer.encode`. Where several special tokens start
    at one place the longest is taken. Raises TypeError and ValueError as `Tokenizer.encode` does. Lesson 4.

    >>> list(sections("hi<end>", {"<end>": 300}, allowed_special="all"))
    [('hi', None), ('<end>', 300)]
    >>> list(sections("hi<end>", {"<end>": 300}, disallowed_special="text"))
    [('hi<end>', None)]
    """
    need_text(s)
    refuse = choose(disallowed_special, ("raise", "text"), "treatment of special tokens") == "raise"
    allowed = _allowed(allowed_special, special_tokens)
    wanted = tuple(special_tokens if refuse else allowed)
    start = 0
    for found in _longest_first(wanted).finditer(s) if wanted else ():
        name = found[0]
        if name not in allowed:
            raise ValueError(f"the text holds the special token {short(name)} at index {found.start()}: to make it one, encode "
                             f'with allowed_special=[{short(name)}] (or "all"); to take it as ordinary text, encode with '
                             f'disallowed_special="text"')
        if start < found.start():
            yield s[start:found.start()], None
        yield name, special_tokens[name]
        start = found.end()
    if start < len(s):
        yield s[start:], None


def _allowed(names, special_tokens):
    if isinstance(names, str) and names == "all":
        return special_tokens
    if isinstance(names, str) or not isinstance(names, Collection):
        raise TypeError(f'allowed_special must be "all" or a collection of names, as in ["<|endoftext|>"], not {short(names)}')
    return {choose(name, special_tokens, "special token"): None for name in names}


@lru_cache(maxsize=64)
def _longest_first(names):
    return re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
