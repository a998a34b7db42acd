"""The files that come with the package: tokenizers and texts, packed with xz; PROVENANCE.md says where each is from."""
import hashlib
import json
import lzma
from functools import cache
from importlib import resources

from ..errors import choose

_HERE = resources.files(__name__)


@cache
def manifest():
    """Return what is shipped: a dict of name -> {"bytes", "sha256", ...}, both of the unpacked content.

    >>> manifest()["corpora/numbers.txt"]["bytes"]
    4577
    """
    return json.loads((_HERE / "manifest.json").read_text(encoding="utf-8"))


def unpack(packed, size, what="the data"):
    """Return the bytes that `packed` (xz, bytes) holds, which must be exactly `size`; more is never unpacked.

    Raises ValueError for damaged data, and for data that hold more or less than `size` bytes.

    >>> unpack(lzma.compress(b"hello"), 5)
    b'hello'
    >>> unpack(lzma.compress(b"hello"), 3)
    Traceback (most recent call last):
    ValueError: the data should hold 3 bytes but do not: the file is damaged, get a fresh copy
    """
    reader = lzma.LZMADecompressor(format=lzma.FORMAT_XZ)
    try:
        data = reader.decompress(packed, max_length=size + 1)
    except lzma.LZMAError as error:
        raise ValueError(f"{what} cannot be unpacked ({error}): the file is damaged, get a fresh copy") from None
    if len(data) != size or not reader.eof or reader.unused_data:
        raise ValueError(f"{what} should hold {size} bytes but do not: the file is damaged, get a fresh copy")
    return data


def read(name):
    """Return the unpacked bytes of the shipped file `name`, checked against the manifest.

    Raises ValueError for a name that the manifest does not hold, and for a damaged file.

    >>> read("corpora/numbers.txt")[:4]
    b'8\\n3\\n'
    """
    expected = manifest()[choose(name, manifest(), "shipped file")]
    packed = (_HERE / f"{name}.xz").read_bytes()
    data = unpack(packed, expected["bytes"], f"the data of {name}")
    if hashlib.sha256(data).hexdigest() != expected["sha256"]:
        raise ValueError(f"the data of {name} differ from those that were shipped: the file is damaged, get a fresh copy")
    return data
