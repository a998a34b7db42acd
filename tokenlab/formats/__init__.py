"""Tokenizers as files that other libraries read and write, one module a format."""
import os
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from ..bpe.tokenizer import Tokenizer, id_table
from ..errors import short
from ..sentencepiece import PieceTokenizer
from . import gpt2_files, model, tiktoken, tokenizer_json, unigram_json

MOST_ID, MOST_SPECIAL, MOST_IN_NAME = 2**31 - 1, 100_000, 1000
# The end of a path -> a module with write(tok, path) -> {path: bytes} and read(path, pattern, special_tokens) -> tokenizer.
_FORMATS = {".tiktoken": tiktoken, ".json": tokenizer_json, ".model": model, "": gpt2_files}


def save(tok, path, dry_run=False):
    """Write the tokenizer `tok` in the format that `path` ends in, and return the paths written: a list of Path.

    dry_run: whether to do all but write, so that what would go wrong is told before long work.

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

    Raises ValueError for a tokenizer or a pattern that the format cannot hold or `load` would refuse, OSError as Python gives it. Lesson 4.

    >>> from tempfile import TemporaryDirectory
    >>> from tokenlab import bpe
    >>> tok = bpe.train("low lower lowest", vocab_size=258).tokenizer()
    >>> with TemporaryDirectory() as folder:
    ...     print([path.name for path in save(tok, folder + "/low.tiktoken")])
    ...     print(load(folder + "/low.tiktoken").pieces("slow"))
    ['low.tiktoken', 'low.tiktoken.json']
    ['s', 'low']
    """
    form, path = _format(path)
    if isinstance(tok, PieceTokenizer) and form in (tokenizer_json, model):
        form = model if form is model else unigram_json
    elif not isinstance(tok, Tokenizer) or tok.alphabet != "bytes" or form is model:
        raise ValueError(f"{path.name!r} cannot hold {short(tok)}: .tiktoken, directories and tokenizer.json hold byte-level BPE (bpe.train, "
                         f"alphabet='bytes'); .model holds Unigram and character BPE: for the latter save sentencepiece.CharacterBPE.of(tok)")
    files = form.write(_bounded(tok, f"{path.name!r} cannot hold {short(tok)}: "), path)
    targets = {Path(os.path.realpath(name)): content for name, content in files.items()}     # a link stays one
    os.stat(os.path.join(path.parent, ""))                      # raises, and names the folder, if it is none
    if folder := next(filter(Path.is_dir, targets), None):
        raise IsADirectoryError(f"{folder} is a directory, where a file is to be written: nothing was written")
    with ExitStack() as stack:
        if form is gpt2_files and not path.exists():
            path.mkdir()
            stack.callback(lambda: any(path.iterdir()) or path.rmdir())             # if no file comes into it
        ready = [Path(stack.enter_context(TemporaryDirectory(prefix=".tokenlab-", dir=to.parent)), to.name) for to in targets]
        for new, content in zip(ready, targets.values(), strict=True):
            new.write_bytes(content)
        if not dry_run:
            for new, target in zip(ready, targets, strict=True):
                os.replace(new, target)
    return list(files)


def load(path, pattern=None, special_tokens=None):
    """Return the tokenizer that a file holds, in the format that `path` ends in: see `save`.

    pattern, special_tokens: as for `bpe.Tokenizer`. `.tiktoken` and merges files have no place for them: pass them, or
    keep the second file of `save` beside the first (what you pass goes before it). A tokenizer.json holds both.

    Raises ValueError for a file that is damaged, that asks for what this package cannot do (it says what), or whose merges
    would give other ids here; OSError as Python gives it. Lesson 4.

    >>> from tempfile import TemporaryDirectory
    >>> from tokenlab import bpe
    >>> with TemporaryDirectory() as folder:
    ...     _ = save(bpe.train("low lower lowest", vocab_size=258).tokenizer(), folder + "/low.json")
    ...     load(folder + "/low.json")
    <Tokenizer: 258 tokens, 0 special tokens, pattern 'gpt2'>
    """
    form, path = _format(path)
    if form in (tokenizer_json, model) and (pattern, special_tokens) != (None, None):
        raise ValueError(f"{path.name!r} holds its pattern and its special tokens: leave pattern and special_tokens out")
    try:
        return _bounded(form.read(path, pattern, special_tokens if special_tokens is None else id_table(special_tokens, str, "special_tokens")))
    except (ValueError, TypeError, RecursionError) as error:    # a wrong type in a file is a wrong value
        raise ValueError(f"{path} cannot be loaded: {error}") from None


def _bounded(tok, subject=""):
    """Return `tok` if other libraries can be expected to take its ids and special tokens."""
    special = tok.special_tokens
    if max([*tok.vocabulary, *special.values()], default=0) > MOST_ID or len(special) > MOST_SPECIAL or max(map(len, special), default=0) > MOST_IN_NAME:
        raise ValueError(f"{subject}it has ids above {MOST_ID}, more than {MOST_SPECIAL} special tokens, or one of more than {MOST_IN_NAME} characters")
    return tok


def _format(path):
    """The module for a path, and the path as a Path."""
    if path == "":                  # as an unset variable gives; it would be the current folder
        raise ValueError("the path is empty: name a file or a directory ('.' for the current one)")
    path = Path(path)
    if path.name in ("vocab.json", "merges.txt") and not path.is_dir():
        raise ValueError(f"{path.name!r} is one of two files: vocab.json + merges.txt are written and read by giving their directory, {str(path.parent)!r}")
    ending = "" if path.is_dir() else path.suffix
    if ending not in _FORMATS:
        raise ValueError(f"no format has the ending {ending!r} of {path.name!r}: take name.tiktoken, name.json (a tokenizer.json), "
                         f"name.model, or a directory (vocab.json and merges.txt)")
    return _FORMATS[ending], path
