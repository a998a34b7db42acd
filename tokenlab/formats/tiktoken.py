"""`.tiktoken`: a line a token, its bytes in base64, a blank, its id (called rank). No pattern and no special tokens."""
from base64 import b64decode, b64encode

from ..bpe.tokenizer import Tokenizer
from ..errors import short
from .shared import companion, read_bytes, settings


def write(tok, path):
    """Return the files of `tok`: a dict of path -> bytes. ValueError where tiktoken would give other ids."""
    if not tok.whole_chunk_first:                               # as tiktoken is
        len(tok.merges)                                         # no matter if merges make all tokens; else this raises
    lines = [b"%s %d\n" % (b64encode(token), i) for i, token in sorted(tok.vocabulary.items())]
    return {path: b"".join(lines), _beside(path): companion(tok)}


def read(path, pattern, special_tokens):
    """Return the Tokenizer in the file `path`; the other two as `formats.load` has them."""
    ids, content = {}, read_bytes(path)
    if content[-1:] != b"\n":
        raise ValueError("its last line has no end: the file is cut; if it is whole, add a line break")
    for number, line in enumerate(content.splitlines(), 1):
        try:
            written, rank = line.split(b" ")
            token = b64decode(written, validate=True)
            if token in ids or not rank.isdigit():
                raise ValueError
            ids[token] = int(rank)
        except ValueError:
            raise ValueError(f"line {number}, {short(line)}, is not a new token in base64, a blank and a rank") from None
    pattern, special_tokens = settings(_beside(path), pattern, special_tokens, len(ids))
    return Tokenizer(ids, pattern=pattern, special_tokens=special_tokens, name=path.stem, whole_chunk_first=True)


def _beside(path):
    return path.with_name(path.name + ".json")
