"""What the formats share: bounded reading, GPT-2's spelling of bytes, a place for patterns, merges that must fit the ids."""
import json
from itertools import zip_longest

from ..bpe.ties import GPT2_BYTES
from ..bpe.tokenizer import Tokenizer
from ..errors import short

# Of one file: a tokenizer.json of 200,000 tokens has 8 to 28 million bytes, and less than 2 million of the signs that begin a value or a line.
MOST_BYTES, MOST_VALUES = 30_000_000, 3_000_000
MOST_IN_TOKEN, MOST_IN_ALL = 1000, 5_000_000     # bytes of tokens whose merges are recovered: o200k_base has 128, and 1.4 million
MOST_SIGNS = 5000               # of an expression

_STAND_INS = {byte: chr(byte if i < 188 else 256 + i - 188) for i, byte in enumerate(GPT2_BYTES)}
_BYTES = {character: byte for byte, character in _STAND_INS.items()}


def printable_bytes():
    """Return the character that stands for each byte in GPT-2's files: a dict of byte value -> str of one character.

    What Latin-1 prints stands for itself, the other 68 bytes get the characters from U+0100 on, in order.
    Source: openai/gpt-2, src/encoder.py (`bytes_to_unicode`). Lesson 4.

    >>> stands_for = printable_bytes()
    >>> stands_for[ord("a")], stands_for[ord(" ")], stands_for[ord("\\n")]
    ('a', 'Ġ', 'Ċ')
    """
    return dict(_STAND_INS)


def spell(token):
    """Return `token` (bytes) as GPT-2's files write it, a str.

    >>> spell(b" caf\\xc3")
    'ĠcafÃ'
    """
    return token.decode("latin-1").translate(_STAND_INS)


def unspell(written):
    """Return the bytes that `written` (a str) stands for in GPT-2's files; ValueError for what stands for none.

    >>> unspell("ĠcafÃ")
    b' caf\\xc3'
    """
    if not isinstance(written, str) or not set(written) <= _BYTES.keys():
        raise ValueError(f"{short(written)} is no token in GPT-2's stand-ins for bytes")
    return bytes(map(_BYTES.get, written))


def read_bytes(path):
    """Return the content of a file, at most MOST_BYTES and MOST_VALUES; ValueError for more, OSError as Python gives it."""
    with open(path, "rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES or sum(map(content.count, (b",", b"[", b"{", b"\n"))) > MOST_VALUES:
        raise ValueError(f"{path.name} has more than {MOST_BYTES} bytes, or {MOST_VALUES} lines and values: no tokenizer is that large")
    return content


def read_json(path):
    """Return the object (a dict) that a JSON file holds; ValueError for anything else, and for a key that stands twice."""
    def once(pairs):
        if len(table := dict(pairs)) < len(pairs):
            raise ValueError(f"{path.name} holds a key twice in one object")
        return table

    content = json.loads(read_bytes(path).decode("utf-8"), object_pairs_hook=once)
    return field({path.name: content}, path.name, dict)


def field(table, key, kind):
    """Return table[key] if it is of the type `kind`, else raise ValueError: in a file a wrong type is a wrong value."""
    value = table.get(key)
    if type(value) is not kind:
        raise ValueError(f"{key} must be of the type {kind.__name__}, not {short(value)}")
    return value


def settings(path, pattern, special_tokens, tokens=None):
    """Return pattern and special tokens: those given, else those in the companion `path`; ValueError without a pattern.

    tokens: how many were read, where only the companion can say whether these are all.
    """
    stored = read_json(path) if path.exists() else {"special_tokens": {}}
    if tokens is not None and stored.get("tokens", tokens) != tokens:
        raise ValueError(f"it holds {tokens} tokens, but {short(stored['tokens'])} by {path.name}: one of the two files is cut or not its own")
    if pattern is None and "pattern" not in stored:
        raise ValueError(f"this format holds no pattern, and {path.name}, where save puts them, is not there: pass pattern= (such as "
                         f"'gpt2', or an expression), and special_tokens= if there are any")
    return (field(stored, "pattern", str) if pattern is None else pattern,
            field(stored, "special_tokens", dict) if special_tokens is None else special_tokens)


def companion(tok):
    """Return the companion file of `tok`, which `settings` reads, as bytes."""
    return json.dumps({"pattern": tok.pattern, "special_tokens": dict(tok.special_tokens), "tokens": len(tok.vocabulary)}, ensure_ascii=False).encode()


def vocabulary(tok):
    """Return the tokens and special tokens of `tok` as GPT-2's files write them: a dict of str -> id.

    Raises ValueError for a special token that is written as an ordinary one is.
    """
    _check_lengths(tok.vocabulary.values())
    written = {spell(token): i for i, token in tok.vocabulary.items()}
    for name in tok.special_tokens:
        if name in written:
            raise ValueError(f"this format writes the special token {short(name)} and the token {unspell(name)!r} in one way: use .tiktoken")
    return written | dict(tok.special_tokens)


def _check_lengths(tokens):
    if max(map(len, tokens), default=0) > MOST_IN_TOKEN or sum(map(len, tokens)) > MOST_IN_ALL:
        raise ValueError(f"a token has more than {MOST_IN_TOKEN} bytes, or all together more than {MOST_IN_ALL}: this format takes no more")


def read_merges(written):
    """Return the merges that a file holds in order: a list of (bytes, bytes); ValueError for what is not two tokens.

    written: a list of str, two tokens with a blank between, or of lists of two tokens, in GPT-2's stand-ins for bytes.

    >>> read_merges(["Ġ t", ["h", "e"]])
    [(b' ', b't'), (b'h', b'e')]
    """
    merges = []
    for number, merge in enumerate(written, 1):
        halves = merge.split(" ") if isinstance(merge, str) else merge
        if type(halves) is not list or len(halves) != 2:
            raise ValueError(f"merge {number}, {short(merge)}, is not two tokens: it must be two, with a blank between them")
        merges.append(tuple(map(unspell, halves)))
    return merges


def special_entries(tok):
    """Return the special tokens of `tok` as the list `added_tokens` of a tokenizer.json, in the order of their ids."""
    how = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return [{"id": i, "content": name, **how} for i, name in sorted((i, name) for name, i in tok.special_tokens.items())]


def build(written, merges, pattern, special_tokens):
    """Return the Tokenizer of a vocabulary as `vocabulary` gives it and the merges of a file, if these say the same.

    A Tokenizer joins by the ids of the joined bytes, a reader of merges by their order. Where each token has one merge, the
    one that `Tokenizer.merges` recovers, and merges are in the order of the ids, both give the same (and so does a look for
    whole chunks first, called ignore_merges in a tokenizer.json). Others: ValueError.
    """
    ids = {unspell(name): i for name, i in written.items() if special_tokens.get(name) != i}
    made = {left + right for left, right in merges}
    odd = {spell(token): i for token, i in ids.items() if len(token) > 1 and token not in made}
    if odd:
        raise ValueError(f"no merge makes {len(odd)} of the tokens: if they are special tokens, pass special_tokens={short(odd)}")
    _check_lengths(ids)
    tok = Tokenizer(ids, pattern=pattern, special_tokens=special_tokens, whole_chunk_first=True)
    for number, (merge, recovered) in enumerate(zip_longest(merges, tok.merges), 1):
        if merge != recovered:
            raise ValueError(f"merge {number} is {short(merge)}, not {short(recovered)}: one merge a token, in the order of the ids, is allowed")
    return tok
