"""The checks that every room makes on its arguments, with one wording."""
import difflib
import reprlib
from importlib import import_module
from operator import index

_REPR = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = 200          # `short` cuts further
_REPR.maxlevel = 2


def short(value, most=80):
    """Return `value` as an error shows it: its repr in one line, a str.

    value: anything, also what has no repr. most: characters to keep; the middle goes.

    >>> short("a" * 10**6, 20)
    "'aaaaaaaa…aaaaaaaaa'"
    >>> short([1, 2]), short(10**5000)
    ('[1, 2]', '<int without a repr>')
    """
    try:
        text = " ".join(_REPR.repr(value).splitlines())
    except Exception:  # noqa: BLE001 - a repr may raise anything, that of a long int too, and the error must be told all the same
        text = f"<{type(value).__name__} without a repr>"
    half = most // 2
    return text if len(text) <= most else f"{text[:half - 1]}…{text[-half:]}"


def choose(name, allowed, what):
    """Return `name` if it is one of `allowed`, else raise an error that suggests the nearest.

    name: what the caller wrote. allowed: a collection of str. what: the argument in words, such as "tie rule".
    Raises ValueError for an unknown name, TypeError for anything but a str.

    >>> choose("gpt2", ["gpt2", "tekken"], "pattern")
    'gpt2'
    >>> choose("gtp2", ["gpt2", "tekken"], "pattern")
    Traceback (most recent call last):
    ValueError: unknown pattern 'gtp2': did you mean 'gpt2'? Allowed: gpt2, tekken
    """
    if isinstance(name, str) and name in allowed:
        return name
    allowed = list(allowed)
    if not isinstance(name, str):
        raise TypeError(f"{what} must be a name, not {type(name).__name__} {short(name)}. Allowed: {_listed(allowed)}")
    near = difflib.get_close_matches(name[:100].lower(), map(str, allowed), 1, 0.4)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise ValueError(f"unknown {what} {short(name)}: {hint}Allowed: {_listed(allowed)}")


def _listed(names, most=50):
    """The first names, separated by commas, and how many there are if there are more."""
    shown = ", ".join(map(str, names[:most]))
    return shown if len(names) <= most else f"{shown}, … ({len(names)} in all)"


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
        raise TypeError(f"{what} must be str, not {type(value).__name__} {short(value)}")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"{what} holds a lone surrogate {value[error.start]!r} at index {error.start}, which UTF-8 cannot "
                         f'write: remove it, or repair the text with s.encode("utf-16", "surrogatepass").decode("utf-16", "replace")') from None
    return value


def need_tokenizer(tok):
    """Return `tok` if it is a tokenizer of this package, which has `encode` and `lost`; raises TypeError for anything else.

    >>> need_tokenizer("gpt2")
    Traceback (most recent call last):
    TypeError: tok must be a tokenizer of this package, not str 'gpt2': write pretrained.load('gpt2')
    """
    if isinstance(tok, type) or not (hasattr(tok, "encode") and hasattr(tok, "lost")):
        todo = f"write pretrained.load({short(tok) if isinstance(tok, str) else repr('gpt2')})"
        raise TypeError(f"tok must be a tokenizer of this package, not {type(tok).__name__} {short(tok)}: {todo}")
    return tok


def whole(number, what, least, most=None, advice=""):
    """Return `number` as an int from `least` to `most`, or raise an error that names `what`.

    number: what the caller gave. what: the argument in words. least, most: int; None for `most` sets no end.
    advice: words that the error says after the range.
    Raises TypeError for anything but whole numbers (True is none), ValueError outside the range.

    >>> whole(12, "k", 0, 10, " (merges of this trace)")
    Traceback (most recent call last):
    ValueError: k must be a whole number from 0 to 10 (merges of this trace), not 12
    """
    try:
        value = index(None if isinstance(number, bool) else number)
    except TypeError:
        raise TypeError(f"{what} must be a whole number (int), not {type(number).__name__} {short(number)}") from None
    if value < least or most is not None and value > most:
        limits = f"{least} up" if most is None else f"{least} to {most}"
        raise ValueError(f"{what} must be a whole number from {limits}{advice}, not {short(number)}")
    return value


def package(name, what):
    """Return a module of another package, imported only here because not every kernel has it; the error says what needs it.

    >>> package("no_such_package.part", "this example")
    Traceback (most recent call last):
    ModuleNotFoundError: this example needs the package no_such_package: pip install no_such_package
    """
    try:
        return import_module(name)
    except ModuleNotFoundError:
        top = name.split(".")[0]
        raise ModuleNotFoundError(f"{what} needs the package {top}: pip install {top}", name=top) from None
