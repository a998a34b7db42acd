"""Count the distinct chunks of texts: all that a trainer needs to know of them."""
from collections import Counter
from collections.abc import Iterable, Mapping

from ..errors import need_text, short, whole
from .cut import split


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
