"""Count the distinct chunks of texts: all that a trainer needs to know of them."""
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial

from ..errors import need_text, short, whole
from .cut import split
from .stream import split_stream

BLOCK = 1 << 20  # characters of a file in memory at a time, give or take a chunk


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
        return Counter({need_text(chunk, "chunk"): n if type(n) is int and n > 0 else
                        whole(n, f"the count of {short(chunk)}", 1, advice=" (leave the chunk out instead)") for chunk, n in source.items()})
    counts = Counter()
    for text in _texts(source):
        counts.update(split(text, pattern, gaps))
    return counts


def count_files(paths, pattern="gpt2", map=map):
    """Count the distinct chunks of UTF-8 files, each a document of its own: the Counter that `count_chunks` gives of their texts.

    paths: an iterable of paths. pattern: as in `split`. map: what applies a function to each path and gives the results in
    the order of the paths: Python's own, or that of a pool of processes or a cluster, as `ProcessPoolExecutor().map`.
    The order matters: partial counts are added in it, so that chunks keep their order of first occurrence, and with it
    ties fall as in one process. Memory grows with the distinct chunks, not with the text; a pattern of your own, or
    `none`, needs a whole file at a time.

    Raises as `split` does; ValueError for a file that is not UTF-8, OSError as Python gives it, both naming the file. Lesson 10.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     paths = [f"{folder}/{n}.txt" for n in range(2)]
    ...     for path, text in zip(paths, ["no", "no no"]):
    ...         _ = open(path, "w", encoding="utf-8").write(text)
    ...     count_files(paths)
    Counter({'no': 2, ' no': 1})
    """
    split("", pattern)
    if isinstance(paths, (str, bytes, os.PathLike)):
        raise TypeError(f"paths must be several paths, not {short(paths)}: write [path]")
    counts = Counter()
    for part in map(partial(_count_file, pattern=pattern), paths):
        counts.update(part)
    return counts


def _count_file(path, pattern):
    """The chunks of one file, counted."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return Counter(split_stream(iter(partial(file.read, BLOCK), ""), pattern))
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 ({error.reason}): write it anew as UTF-8, or read it with "
                         "open(path, encoding=...) and pass the text") from None


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
