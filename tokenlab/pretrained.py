"""Real tokenizers, by name: their tokens from the shipped files, their patterns and their special tokens."""
from functools import cache

from . import data
from .bpe.ties import GPT2_BYTES
from .bpe.tokenizer import Tokenizer
from .errors import choose, need_text, short


def names():
    """Return the names that `load` knows: a list of str.

    >>> names()
    ['gpt2', 'cl100k_base', 'o200k_base', 'tekken']
    """
    return list(_LOADERS)


def load(name):
    """Return the tokenizer called `name`; a second call returns the same object.

    gpt2: GPT-2 and GPT-3. cl100k_base: GPT-3.5 and GPT-4. o200k_base: GPT-4o and later. tekken: Mistral, from NeMo on.

    Raises ValueError for an unknown name, and says which is nearest. Lessons 0, 2 and 4.

    >>> tok = load("gpt2")
    >>> tok
    <Tokenizer 'gpt2': 50256 tokens, 1 special token, pattern 'gpt2'>
    >>> tok.encode(" hedgehogs"), tok.pieces(" hedgehogs")
    ([19859, 71, 18463], [' hedge', 'h', 'ogs'])
    """
    return _load(choose(name, _LOADERS, "tokenizer"))


@cache
def _load(name):
    return _LOADERS[name](name)


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
    if not isinstance(content, (bytes, bytearray)):
        raise TypeError(f"content must be the bytes of a .tok file, not {type(content).__name__} {short(content)}")
    content = bytes(content)
    count = int.from_bytes(content[:4], "little")
    lengths = content[4:4 + count]
    needed = 4 + count + sum(lengths)
    if len(lengths) < count or len(content) != needed:
        raise ValueError(f"this is not a .tok file: it announces {count} tokens, {needed} bytes in all, but has {len(content)} bytes")
    tokens, start = [], 4 + count
    for length in lengths:
        tokens.append(content[start:start + length])
        start += length
    if len(set(tokens)) < count or b"" in tokens:
        raise ValueError("this is not a .tok file: a token is empty or stands in it twice")
    return tokens


def read_merges(text):
    """Return the tokens of a merges file in the order of their ids: the 256 bytes as GPT-2 orders them, then one a line.

    text: the file as a str: "#version" in the first line, then two tokens a line, separated by a blank, each byte
    written as GPT-2's stand-in for it (Ġ is the blank). Raises ValueError for a line that is not two known tokens.

    >>> read_merges("#version: 0.2\\nĠ t\\nh e\\nĠt he\\n")[256:]
    [b' t', b'he', b' the']
    """
    byte_of = {character: byte for byte, character in printable_bytes().items()}
    tokens = {bytes([byte]): byte for byte in GPT2_BYTES}
    for number, line in enumerate(need_text(text).removesuffix("\n").split("\n")):
        if number == 0 and line.startswith("#version"):
            continue
        try:
            left, right = (bytes([byte_of[character] for character in half]) for half in line.split(" "))
        except (KeyError, ValueError):
            raise ValueError(f"line {number + 1} of the merges, {line[:80]!r}, is not two tokens in GPT-2's stand-ins "
                             f"for bytes with a blank between them") from None
        if left not in tokens or right not in tokens or left + right in tokens:
            raise ValueError(f"line {number + 1} of the merges, {line[:80]!r}, joins a token that no line before it "
                             f"makes, or makes one that exists")
        tokens[left + right] = number
    return list(tokens)


def printable_bytes():
    """Return the character that stands for each byte in GPT-2's files: a dict of byte value -> str of one character.

    What Latin-1 prints stands for itself, the other 68 bytes get the characters from U+0100 on, in order.
    Source: openai/gpt-2, src/encoder.py (`bytes_to_unicode`). Lesson 4.

    >>> stands_for = printable_bytes()
    >>> stands_for[ord("a")], stands_for[ord(" ")], stands_for[ord("\\n")]
    ('a', 'Ġ', 'Ċ')
    """
    return {byte: chr(byte if i < 188 else 256 + i - 188) for i, byte in enumerate(GPT2_BYTES)}


def _gpt2(name):
    tokens = read_merges(data.read("tokenizers/gpt2_vocab.bpe").decode("utf-8"))
    return _tokenizer(name, tokens, {"<|endoftext|>": 50256})


def _cl100k_base(name):
    return _tokenizer(name, read_tok(data.read("tokenizers/cl100k_base.tok")), {
        "<|endoftext|>": 100257, "<|fim_prefix|>": 100258, "<|fim_middle|>": 100259, "<|fim_suffix|>": 100260,
        "<|endofprompt|>": 100276})


def _o200k_base(name):
    tokens = read_tok(data.read("tokenizers/o200k_base.tok"))
    return _tokenizer(name, tokens, {"<|endoftext|>": 199999, "<|endofprompt|>": 200018})


# Mistral's library gives the first 1,000 ids to special tokens and names these; the rest are spare, "<SPECIAL_20>" on.
_TEKKEN_SPECIALS = ["<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]",
                    "[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]",
                    "[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]"]


def _tekken(name):
    specials = _TEKKEN_SPECIALS + [f"<SPECIAL_{i}>" for i in range(len(_TEKKEN_SPECIALS), 1000)]
    tokens = read_tok(data.read("tokenizers/tekken_240911.tok"))
    return _tokenizer(name, tokens, {special: i for i, special in enumerate(specials)}, first=len(specials))


def _tokenizer(name, tokens, special_tokens, first=0):
    """Return the Tokenizer of `tokens`, ids from `first` on. Its pattern bears its name."""
    return Tokenizer({token: i for i, token in enumerate(tokens, first)}, pattern=name, special_tokens=special_tokens,
                     name=name, whole_chunk_first=True)


_LOADERS = {"gpt2": _gpt2, "cl100k_base": _cl100k_base, "o200k_base": _o200k_base, "tekken": _tekken}
