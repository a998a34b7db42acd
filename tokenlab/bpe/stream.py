"""Ids that come one by one, and what may be wrong with ids."""
import codecs
import operator
from collections.abc import Iterable

from ..errors import short


def decode_tokens(tokens, errors):
    """Yield the text of `tokens`, an iterable of (id, bytes), in whole characters; errors as in `bytes.decode`. Lesson 4.

    Raises ValueError if errors is "strict" and the bytes are no text, at the end too.

    >>> list(decode_tokens([(0, b"a"), (1, b"\\xc3"), (2, b"\\xa9")], "strict"))
    ['a', 'é']
    """
    decoder, place, i = codecs.getincrementaldecoder("utf-8")(errors), -1, None
    try:
        for place, (i, token) in enumerate(tokens):
            if text := decoder.decode(token):
                yield text
        if text := decoder.decode(b"", final=True):
            yield text
    except UnicodeDecodeError as error:
        raise ValueError(f"the ids do not spell whole characters: with id {i} at index {place}, byte "
                         f"0x{error.object[error.start]:02x} is no text: {error.reason}. One token may hold part of a "
                         f'character: give all ids of a text, or ask for errors="replace"') from None


def each_id(ids):
    """Yield `ids` as int, one by one; raises TypeError for anything but whole numbers."""
    if isinstance(ids, (bytes, bytearray)) or not isinstance(ids, Iterable):
        need_ids(ids)
    for i in ids:
        yield from need_ids([i])


def need_ids(ids):
    """Return `ids` as a list of int; raises TypeError for anything but whole numbers."""
    try:
        if not isinstance(ids, (bytes, bytearray)):             # their elements are numbers too, but no ids
            ids = ids if type(ids) is list else list(ids)
            if operator.countOf(map(type, ids), int) == len(ids):       # a look at each type, and no copy: half of the time of `decode` is memory
                return ids
            if bool not in map(type, ids):
                return list(map(operator.index, ids))
    except TypeError:
        pass
    raise TypeError(f"ids must be an iterable of whole numbers, such as a list of int, not {type(ids).__name__} "
                    f"{short(ids)}")
