"""`vocab.json` and `merges.txt`, the files of GPT-2, in one directory: tokens with ids; and merges, two tokens a line."""
import json

from .shared import build, companion, read_bytes, read_json, read_merges, settings, spell, vocabulary


def write(tok, path):
    """Return the files of `tok`: a dict of path -> bytes. One tells transformers whether GPT-2's tokenizer may read them."""
    lines = ["#version: 0.2", *(f"{spell(left)} {spell(right)}" for left, right in tok.merges), ""]
    config = {"tokenizer_class": "GPT2Tokenizer" if tok.pattern == "gpt2" else "PreTrainedTokenizerFast", "bos_token": None,
              "eos_token": None, "unk_token": None, "additional_special_tokens": list(tok.special_tokens)}
    return {path / "vocab.json": json.dumps(vocabulary(tok), ensure_ascii=False).encode(), path / "merges.txt": "\n".join(lines).encode(),
            path / "tokenizer_config.json": json.dumps(config).encode(), path / "tokenlab.json": companion(tok)}


def read(path, pattern, special_tokens):
    """Return the Tokenizer in the directory `path`; the other two as `formats.load` has them."""
    written, merges = read_json(path / "vocab.json"), read_pairs(read_bytes(path / "merges.txt").decode("utf-8"))
    return build(written, merges, *settings(path / "tokenlab.json", pattern, special_tokens))


def read_pairs(text):
    """Return the merges of a merges file in order: a list of (bytes, bytes); ValueError for a line that is not two tokens.

    >>> read_pairs("#version: 0.2\\nĠ t\\nh e\\n")
    [(b' ', b't'), (b'h', b'e')]
    """
    lines = text.removesuffix("\n").split("\n")
    return read_merges(lines[lines[0].startswith("#version"):])
