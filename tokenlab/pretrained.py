"""Real tokenizers, by name: their tokens from the shipped files, their patterns and their special tokens."""
from functools import cache
from itertools import accumulate, pairwise

from . import data
from .bpe.ties import GPT2_BYTES
from .bpe.tokenizer import Tokenizer
from .errors import choose, short
from .formats.gpt2_files import read_pairs
from .formats.model import parse
from .formats.shared import printable_bytes  # noqa: F401 - lesson 4 asks for it here

# Mistral's library gives the first 1,000 ids to special tokens and names these; the rest are spare, "<SPECIAL_20>" on.
_TEKKEN = ["<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]",
           "[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]",
           "[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]", *(f"<SPECIAL_{i}>" for i in range(20, 1000))]
# The file of each tokenizer; where it holds tokens alone also the id of the first, the pattern and the special tokens.
_SHIPPED = {
    "gpt2": ("gpt2_vocab.bpe", 0, "gpt2", {"<|endoftext|>": 50256}),
    "cl100k_base": ("cl100k_base.tok", 0, "cl100k_base", {"<|endoftext|>": 100257, "<|fim_prefix|>": 100258, "<|fim_middle|>": 100259,
                                                          "<|fim_suffix|>": 100260, "<|endofprompt|>": 100276}),
    "o200k_base": ("o200k_base.tok", 0, "o200k_base", {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}),
    "tekken": ("tekken_240911.tok", len(_TEKKEN), "tekken", {name: i for i, name in enumerate(_TEKKEN)}),
    "mistral_v1": ("mistral_v1_tokenizer.model",),
    "t5": ("t5_spiece.model",),
    "botchan-unigram": ("botchan_en_unigram_1000.model",),
    "botchan-bpe": ("botchan_en_bpe_1000.model",),
}


def names():
    """Return the names that `load` knows: a list of str.

    >>> names()
    ['gpt2', 'cl100k_base', 'o200k_base', 'tekken', 'mistral_v1', 't5', 'botchan-unigram', 'botchan-bpe']
    """
    return list(_SHIPPED)


def load(name):
    """Return the tokenizer called `name`; a second call returns the same object.

    gpt2: GPT-2 and GPT-3. cl100k_base: GPT-3.5 and GPT-4. o200k_base: GPT-4o and later. tekken: Mistral, from NeMo on.
    mistral_v1: Mistral 7B, character BPE with bytes. t5: T5, Unigram. botchan-unigram, botchan-bpe: both algorithms on one
    novel, 1,000 pieces each. These four are SentencePiece models: see `sentencepiece.PieceTokenizer`.

    Raises ValueError for an unknown name, and says which is nearest. Lessons 0, 2 and 4.

    >>> tok = load("gpt2")
    >>> tok
    <Tokenizer 'gpt2': 50256 tokens, 1 special token, pattern 'gpt2'>
    >>> tok.encode(" hedgehogs"), tok.pieces(" hedgehogs")
    ([19859, 71, 18463], [' hedge', 'h', 'ogs'])
    """
    return _load(choose(name, _SHIPPED, "tokenizer"))


@cache
def _load(name):
    file, *how = _SHIPPED[name]
    content = data.read(f"tokenizers/{file}")
    if file.endswith(".model"):
        return parse(content, name)
    first, pattern, special_tokens = how
    if file.endswith(".bpe"):
        tokens = [*map(bytes, zip(GPT2_BYTES)), *map(b"".join, read_pairs(content.decode("utf-8")))]
    else:
        tokens = read_tok(content)
    return Tokenizer({token: i for i, token in enumerate(tokens, first)}, pattern=pattern, special_tokens=special_tokens,
                     name=name, whole_chunk_first=True)


def read_tok(content):
    """Return the tokens that a `.tok` file holds, in the order of their ranks: a list of bytes.

    content: the bytes of the file: how many tokens (4 bytes, little-endian), the length of each (1 byte), then their
    bytes one after the other. Raises ValueError for a file that ends early or late, and for an empty or doubled token.

    >>> read_tok(b"\\x02\\x00\\x00\\x00" + b"\\x01\\x02" + b"a" + b"bc")
    [b'a', b'bc']
    >>> read_tok(b"\\x02\\x00\\x00\\x00" + b"\\x01\\x02" + b"a" + b"b")
    Traceback (most recent call last):
    ValueError: this is not a .tok file: it announces 2 tokens, 9 bytes in all, but has 8 bytes
    """
    if not isinstance(content, bytes):
        raise TypeError(f"content must be the bytes of a .tok file, not {type(content).__name__} {short(content)}")
    count = int.from_bytes(content[:4], "little")
    lengths = content[4:4 + count]
    needed = 4 + count + sum(lengths)
    if len(lengths) < count or len(content) != needed:
        raise ValueError(f"this is not a .tok file: it announces {count} tokens, {needed} bytes in all, but has {len(content)} bytes")
    tokens = [content[start:end] for start, end in pairwise(accumulate(lengths, initial=4 + count))]
    if len(set(tokens)) < count or b"" in tokens:
        raise ValueError("this is not a .tok file: a token is empty or stands in it twice")
    return tokens
