"""What a training run leaves behind: every merge, and the corpus at any moment of it."""
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from ..errors import whole
from .pairs import ranked_pairs
from .ties import tiebreak
from .tokenizer import Tokenizer

Pair = tuple[int, int]


class Merge(NamedTuple):
    """One step of training: the pair that was merged, and what the corpus looked like."""
    number: int                             # from 1
    rank: int                               # number - 1: what real files store
    pair: Pair                              # the ids that were joined
    id: int                                 # of the new token
    token: bytes                            # the new token
    count: int                              # occurrences of the pair, overlapping ones too
    replaced: int                           # occurrences replaced: `aaa` counts 2 and replaces 1
    runner_up: tuple[Pair, int] | None      # the pair that came second, with its count
    tied: int                               # how many pairs had this count, this one among them
    before: int                             # tokens in the corpus before this merge
    after: int                              # and after it


@dataclass(frozen=True, repr=False)
class Trace:
    """A whole training run; any smaller vocabulary is a look at it, not another run. Lesson 2.

    >>> from tokenlab import bpe
    >>> trace = bpe.train({"taxi": 4, "tax": 3, "taxes": 2, "max": 2}, vocab_size=10, alphabet="characters")
    >>> trace
    Trace(3 merges, vocabulary of 10, 41 tokens -> 17, tie='first-seen', stopped='vocab_size')
    >>> [(merge.token, merge.count) for merge in trace.merges]
    [(b'ax', 11), (b'tax', 9), (b'taxi', 4)]
    >>> trace.at(1)[0]
    ((b't', b'ax', b'i'), 4)
    >>> trace.pair_counts(1)[:2]                # (t, ax), then (ax, i)
    [((5, 7), 9), ((7, 2), 4)]
    >>> trace.tokenizer(vocab_size=8).tokens("taxis")
    [b't', b'ax', b'i', b's']
    """
    merges: tuple[Merge, ...]
    lengths: tuple[int, ...]                # lengths[k]: tokens in the corpus after k merges
    stopped: str                            # "vocab_size" | "no pair left" | "min_count" | "stopped" (by progress)
    alphabet: tuple[bytes, ...]             # tokens before the first merge, in id order
    _words: dict[str, int]                  # what `words` shows
    tie: str
    pattern: str
    end_of_word: str
    symbols: str                            # "bytes" | "characters": what the alphabet consists of
    segmented: tuple[str, ...]              # each word after the last merge, with chr(id) for every token

    @property
    def words(self):
        """The distinct chunks in order of first occurrence: a read-only dict of str -> count."""
        return MappingProxyType(self._words)

    @property
    def vocabulary(self):
        """The whole vocabulary, the alphabet, then one token a merge: a read-only dict of id -> bytes."""
        return MappingProxyType(self._tokens)

    @cached_property
    def _tokens(self):
        return dict(enumerate(self.alphabet)) | {merge.id: merge.token for merge in self.merges}

    def tokenizer(self, vocab_size=None):
        """Return the Tokenizer of the first `vocab_size` tokens.

        vocab_size: from the length of the alphabet to that of the vocabulary (default: all).
        Raises ValueError outside of these, TypeError for anything but whole numbers.

        >>> from tokenlab import bpe
        >>> bpe.train("low lower", vocab_size=258).tokenizer(vocab_size=257).tokens("low")
        [b'lo', b'w']
        """
        size = len(self.vocabulary) if vocab_size is None else vocab_size
        size = whole(size, "vocab_size", len(self.alphabet), len(self.vocabulary), " (alphabet to all merges of this trace)")
        return Tokenizer({self._tokens[i]: i for i in range(size)}, pattern=self.pattern,
                         alphabet=self.symbols, end_of_word=self.end_of_word)

    def at(self, k):
        """Return the corpus after `k` merges: a list of (tokens as a tuple of bytes, count), one for each distinct word.

        k, and what is raised: as for `ids_at`.

        >>> from tokenlab import bpe
        >>> bpe.train("low lower", vocab_size=258).at(1)
        [((b'lo', b'w'), 1), ((b' ', b'lo', b'w', b'e', b'r'), 1)]
        """
        return [(tuple(map(self.vocabulary.get, ids)), count) for ids, count in self.ids_at(k)]

    def ids_at(self, k):
        """Return the corpus after `k` merges: a list of (ids as a tuple, count), one for each distinct word.

        Nothing is merged again: what later merges joined is taken apart.

        Raises ValueError unless k is from 0 to len(trace), TypeError for anything but whole numbers.

        >>> from tokenlab import bpe
        >>> bpe.train("low", vocab_size=258).ids_at(1)
        [((256, 119), 1)]
        """
        k = whole(k, "k", 0, len(self), " (merges of this trace)")
        parts = [(i,) for i in range(len(self.alphabet))]
        for merge in self.merges:
            parts.append((merge.id,) if merge.number <= k else parts[merge.pair[0]] + parts[merge.pair[1]])
        words = (tuple(chain.from_iterable(parts[ord(token)] for token in word)) for word in self.segmented)
        return list(zip(words, self.words.values()))

    def pair_counts(self, k):
        """Return all pairs after `k` merges as a list of ((id, id), count), the one that merge k + 1 takes first.

        k, and what is raised: as for `ids_at`.

        >>> from tokenlab import bpe
        >>> bpe.train("low lower", vocab_size=258).pair_counts(1)[:2]
        [((256, 119), 2), ((32, 256), 1)]
        """
        words = [ids for ids, _ in self.ids_at(k)]
        return ranked_pairs(words, self.words.values(), tiebreak(self.tie, self.vocabulary))

    def __len__(self):
        return len(self.merges)

    def __repr__(self):
        return (f"Trace({len(self)} merge{'s' * (len(self) != 1)}, vocabulary of {len(self.vocabulary)}, "
                f"{self.lengths[0]} tokens -> {self.lengths[-1]}, tie={self.tie!r}, stopped={self.stopped!r})")
