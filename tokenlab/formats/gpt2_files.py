"""`vocab.json` and `merges.txt`, the files of GPT-2, in one directory: tokens with ids; and merges, two tokens a line."""
import json

from ..errors import short
from .shared import build, companion, read_bytes, read_json, read_merges, settings, spell, vocabulary


def write(tok, path):
    """Return the files of `tok`: a dict of path -> bytes. One tells transformers whether GPT-2's tokenizer may read them.

    Raises ValueError for a directory whose other files decide the ids in transformers, and for a merge that tokenizers skips.
    """
    if found := [name for name in ("tokenizer.json", "added_tokens.json", "special_tokens_map.json") if (path / name).exists()]:
        raise ValueError(f"{path} holds {', '.join(found)}, by which transformers would give other ids: take a new directory")
    lines = ["#version: 0.2", *(f"{spell(left)} {spell(right)}" for left, right in tok.merges), ""]
    read_pairs("\n".join(lines))                                # raises for what tokenizers skips
    config = {"tokenizer_class": "GPT2Tokenizer" if tok.pattern == "gpt2" else "PreTrainedTokenizerFast", "bos_token": None,
              "eos_token": None, "unk_token": None, "additional_special_tokens": list(tok.special_tokens)}
    return {path / "vocab.json": json.dumps(vocabulary(tok), ensure_ascii=False).encode(), path / "merges.txt": "\n".join(lines).encode(),
            path / "tokenizer_config.json": json.dumps(config).encode(), path / "tokenlab.json": companion(tok)}


def read(path, pattern, special_tokens):
    """Return the Tokenizer in the directory `path`; the other two as `formats.load` has them."""
    written, merges = read_json(path / "vocab.json"), read_pairs(read_bytes(path / "merges.txt").decode("utf-8"))
    pattern, special_tokens = settings(path / "tokenlab.json", pattern, special_tokens)
    config, added = (read_json(path / name) if (path / name).exists() else {} for name in ("tokenizer_config.json", "added_tokens.json"))
    if config.get("add_prefix_space"):
        raise ValueError("tokenizer_config.json asks for add_prefix_space, which this package does not do")
    if not added.items() <= dict(special_tokens).items():
        raise ValueError(f"added_tokens.json holds more tokens: pass special_tokens={short(dict(special_tokens) | added, 300)}")
    return build(written, merges, pattern, special_tokens)


def read_pairs(text):
    """Return the merges of a merges file in order: a list of (bytes, bytes); ValueError for a line that is not two tokens.

    tokenizers skips all lines that begin with #version, not only the first: such a merge is an error, too.

    >>> read_pairs("#version: 0.2\\nĠ t\\nh e\\n")
    [(b' ', b't'), (b'h', b'e')]
    """
    lines = text.removesuffix("\n").split("\n")
    if "\n#version" in text:
        raise ValueError("a merge begins with #version, like the first line of merges.txt, and tokenizers skips it: use .tiktoken")
    return read_merges(lines[lines[0].startswith("#version"):])
