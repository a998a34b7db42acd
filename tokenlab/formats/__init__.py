"""Tokenizers as files that other libraries read and write, one module a format."""
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from ..bpe.tokenizer import Tokenizer
from ..errors import short
from ..sentencepiece import PieceTokenizer
from . import gpt2_files, model, tiktoken, tokenizer_json, unigram_json

MOST_ID = 2**31 - 1
# The end of a path -> a module with write(tok, path) -> {path: bytes} and read(path, pattern, special_tokens) -> tokenizer.
_FORMATS = {".tiktoken": tiktoken, ".json": tokenizer_json, ".model": model, "": gpt2_files}


def save(tok, path):
    """Write the tokenizer `tok` in the format that `path` ends in, and return the paths written: a list of Path.

    `name.tiktoken`: tokens and ids. It has no place for pattern and special tokens: these go into a second file,
    `name.tiktoken.json`. tiktoken wants all three: `Encoding(name, pat_str=, mergeable_ranks=, special_tokens=)`.
    A directory (made if it is not there): GPT-2's `vocab.json` and `merges.txt`, and pattern and special tokens in
    `tokenlab.json`. Other libraries split by GPT-2's pattern, whatever pattern such files were trained with; for
    transformers a `tokenizer_config.json` allows that only where it is right.
    `name.json`: a `tokenizer.json` of tokenizers and transformers, complete in itself.

    `name.model`: SentencePiece's own format.

    The first three hold byte-level BPE, `.model` character BPE (`sentencepiece.CharacterBPE`) and Unigram, `name.json`
    Unigram too; they give the same ids in the other libraries. What cannot be written leaves the old
    files as they were.

    Raises ValueError for a tokenizer or a pattern that the format cannot hold, OSError as Python gives it. Lesson 4.

    >>> from tempfile import TemporaryDirectory
    >>> from tokenlab import bpe
    >>> tok = bpe.train("low lower lowest", vocab_size=258).tokenizer()
    >>> with TemporaryDirectory() as folder:
    ...     print([path.name for path in save(tok, folder + "/low.tiktoken")])
    ...     print(load(folder + "/low.tiktoken").pieces("slow"))
    ['low.tiktoken', 'low.tiktoken.json']
    ['s', 'low']
    """
    form = _format(path := Path(path))
    if isinstance(tok, PieceTokenizer) and form in (tokenizer_json, model):
        form = model if form is model else unigram_json
    elif not isinstance(tok, Tokenizer) or tok.alphabet != "bytes" or form is model:
        raise ValueError(f"{path.name!r} cannot hold {short(tok)}: .tiktoken, a directory (vocab.json and merges.txt) and "
                         f"tokenizer.json hold byte-level BPE, which bpe.train makes with alphabet='bytes'; .model holds Unigram "
                         f"and character BPE: for what bpe.train makes with alphabet='characters', save sentencepiece.CharacterBPE.of(tok)")
    files = form.write(tok, path)
    if form is gpt2_files:
        path.mkdir(exist_ok=True)
    with TemporaryDirectory(prefix=".tokenlab-", dir=next(iter(files)).parent) as new:
        for name, content in files.items():
            Path(new, name.name).write_bytes(content)
        for name in files:
            os.replace(Path(new, name.name), name)
    return list(files)


def load(path, pattern=None, special_tokens=None):
    """Return the tokenizer that a file holds, in the format that `path` ends in: see `save`.

    pattern, special_tokens: as for `bpe.Tokenizer`. `.tiktoken` and merges files have no place for them: pass them, or
    keep the second file of `save` beside the first (what you pass goes before it). A tokenizer.json holds both.

    Raises ValueError for a file that is damaged, that asks for what this package cannot do (it says what), or whose merges
    would give other ids here; OSError as Python gives it. Lesson 4.
    """
    form = _format(path := Path(path))
    if form in (tokenizer_json, model) and (pattern, special_tokens) != (None, None):
        raise ValueError(f"{path.name!r} holds its pattern and its special tokens: leave pattern and special_tokens out")
    try:
        tok = form.read(path, pattern, special_tokens)
    except (ValueError, TypeError, RecursionError) as error:    # a wrong type in a file is a wrong value
        raise ValueError(f"{path} cannot be loaded: {error}") from None
    if max(*tok.vocabulary, *tok.special_tokens.values()) > MOST_ID:
        raise ValueError(f"{path} cannot be loaded: it has ids above {MOST_ID}")
    return tok


def _format(path):
    """The module for a path."""
    ending = "" if path.is_dir() else path.suffix
    if ending not in _FORMATS:
        raise ValueError(f"no format has the ending {ending!r} of {path.name!r}: take name.tiktoken, name.json (a tokenizer.json), "
                         f"name.model, or a directory (vocab.json and merges.txt)")
    return _FORMATS[ending]
