"""What both trainers start from: distinct words with counts, and every symbol with its id."""
import sys
from typing import NamedTuple

from ..errors import choose, need_text, short, whole
from ..pretokenize import count_chunks
from .ties import GPT2_BYTES, check_tie
from .tokenizer import ALPHABETS

MOST_IDS = sys.maxunicode + 1       # an id is written as chr(id)


class Corpus(NamedTuple):
    """A training text, counted and spelled."""
    words: dict[str, int]           # distinct chunk -> count, in order of first occurrence
    alphabet: tuple[bytes, ...]     # the token of each id before the first merge
    spelled: list[str]              # each chunk with chr(id) for every symbol: one character a token, for str methods


def read_corpus(source, vocab_size, pattern, tie, alphabet, end_of_word, min_count):
    """Return `source` as a Corpus, with all arguments checked: `train` says what they mean and what it raises.

    >>> corpus = read_corpus({"tax": 3, "max": 2}, 100, "none", "first-seen", "characters", "</w>", 1)
    >>> corpus.alphabet
    (b'a', b'm', b't', b'x', b'</w>')
    >>> [list(map(ord, word)) for word in corpus.spelled]
    [[2, 0, 3, 4], [1, 0, 3, 4]]
    """
    choose(alphabet, ALPHABETS, "alphabet")
    check_tie(tie, alphabet)
    need_text(end_of_word, "end_of_word")
    whole(vocab_size, "vocab_size", 0, MOST_IDS, f" (ids end at {MOST_IDS - 1})")
    whole(min_count, "min_count", 1)
    if end_of_word and alphabet != "characters":
        raise ValueError(f"end_of_word={short(end_of_word)} needs alphabet='characters': "
                         f"the ids of the 256 bytes leave no place for it; use that alphabet, or end_of_word=''")
    words = dict(count_chunks(source, pattern))
    corpus = _by_bytes(words, tie) if alphabet == "bytes" else _by_characters(words, end_of_word)
    if vocab_size < len(corpus.alphabet):
        raise ValueError(f"vocab_size={vocab_size} is smaller than the alphabet, {len(corpus.alphabet)} {alphabet}: "
                         f"it counts alphabet and merges, so ask for {len(corpus.alphabet)} or more")
    return corpus


def _by_bytes(words, tie):
    order = GPT2_BYTES if tie == "gpt2-order" else bytes(range(256))
    number = bytes(order.index(byte) for byte in range(256))
    spelled = [word.encode().translate(number).decode("latin-1") for word in words]
    return Corpus(words, tuple(bytes([byte]) for byte in order), spelled)


def _by_characters(words, end_of_word):
    clash = next((word for word in words if end_of_word and end_of_word in word), None)
    if clash is not None:
        raise ValueError(f"end_of_word={short(end_of_word)} occurs in the text, in {short(clash)}: "
                         f"it would mean two things; choose a string that does not occur")
    symbols = sorted(set().union(*words))
    number = {ord(character): chr(i) for i, character in enumerate(symbols)}
    end = chr(len(symbols)) if end_of_word else ""
    if end_of_word:
        symbols.append(end_of_word)
    return Corpus(words, tuple(symbol.encode() for symbol in symbols), [word.translate(number) + end for word in words])
