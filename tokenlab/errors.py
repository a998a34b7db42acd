"""The two checks that every room makes on its arguments, with one wording."""
import difflib


def choose(name, allowed, what):
    """Return `name` if it is one of `allowed`, else raise an error that suggests the nearest.

    name: what the caller wrote. allowed: an iterable of str. what: the argument in words, such as "tie rule".
    Raises ValueError for an unknown name, TypeError for anything but a str.

    >>> choose("gpt2", ["gpt2", "tekken"], "pattern")
    'gpt2'
    >>> choose("gtp2", ["gpt2", "tekken"], "pattern")
    Traceback (most recent call last):
    ValueError: unknown pattern 'gtp2': did you mean 'gpt2'? Allowed: gpt2, tekken
    """
    allowed = list(allowed)
    if not isinstance(name, str):
        raise TypeError(f"{what} must be a name, not {type(name).__name__} {name!r}. Allowed: {', '.join(allowed)}")
    if name in allowed:
        return name
    near = difflib.get_close_matches(name.lower(), allowed, 1, 0.4)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise ValueError(f"unknown {what} {name!r}: {hint}Allowed: {', '.join(allowed)}")


def need_text(value, what="text"):
    """Return `value` if it is a str that UTF-8 can write, else raise an error that says what to do.

    Raises TypeError for bytes and other types, ValueError for a lone surrogate (half of a UTF-16 pair, no character).

    >>> need_text("héllo")
    'héllo'
    >>> need_text(b"hello")
    Traceback (most recent call last):
    TypeError: text must be str, not bytes: decode it first, as in data.decode("utf-8")
    """
    if isinstance(value, (bytes, bytearray)):
        raise TypeError(f'{what} must be str, not {type(value).__name__}: decode it first, as in data.decode("utf-8")')
    if not isinstance(value, str):
        raise TypeError(f"{what} must be str, not {type(value).__name__} {value!r}")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"{what} holds a lone surrogate {value[error.start]!r} at index {error.start}, which UTF-8 cannot "
                         f'write: remove it, or repair the text with s.encode("utf-16", "surrogatepass").decode("utf-16", "replace")') from None
    return value
