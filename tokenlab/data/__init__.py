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


def benchmarks():
    """Return what `make bench` measured last: a list of dicts, one a task, as benchmarks/bench.py writes them. Lesson 10.

    >>> sorted(benchmarks()[0])[-3:]
    ['task', 'theirs', 'theirs_mib']
    """
    return json.loads((_HERE / "benchmarks.json").read_text(encoding="utf-8"))


def read(name):
    """Return the unpacked bytes of the shipped file `name`, checked against the manifest.

    Raises ValueError for a name that the manifest does not hold, and for a damaged file.

    >>> read("corpora/numbers.txt")[:4]
    b'8\\n3\\n'
    """
    expected = manifest()[choose(name, manifest(), "shipped file")]
    try:
        # Bounded: no file can fill the memory, whatever it says of itself.
        data = lzma.LZMADecompressor(memlimit=2**27).decompress((_HERE / f"{name}.xz").read_bytes(), expected["bytes"] + 1)
    except lzma.LZMAError:
        data = b""
    if hashlib.sha256(data).hexdigest() != expected["sha256"]:
        raise ValueError(f"the data of {name} differ from those that were shipped: the file is damaged, get a fresh copy")
    return data
