"""Byte-pair encoding as one explains it: count all pairs, merge the best, begin again."""
from .learn import learn
from .pairs import merge, ranked_pairs
from .ties import tiebreak


def train_naive(source, *, vocab_size=1000, pattern="gpt2", tie="first-seen", alphabet="bytes", end_of_word="",
                min_count=1, progress=None):
    """Train as `train` does, with the same arguments and the same trace, but by counting everything anew in each step.

    Each step takes time in proportion to the whole corpus; `train` touches only what changes.
    Source: Sennrich, Haddow, Birch 2016, algorithm 1; Gage 1994. Lesson 2.

    >>> train_naive("aaabdaaabac", vocab_size=259).merges[0].token
    b'aa'
    """
    return learn(NaivePairs, source, vocab_size, pattern, tie, alphabet, end_of_word, min_count, progress)


class NaivePairs:
    """The words as they stand; what `learn` asks of them is found by going through all. The twin of Pairs in train.py."""

    def __init__(self, words, weights, tie, vocabulary):
        self.words, self.weights, self.prefer = words, weights, tiebreak(tie, vocabulary)

    def best(self):
        """Return the best pairs, two at most, each with its count, and how many have the count of the first."""
        ranked = ranked_pairs(self.words, self.weights, self.prefer)
        return ranked[:2], sum(count == ranked[0][1] for _, count in ranked)

    def merge(self, pair, new):
        """Write `new` for `pair` in all words; return how many occurrences it replaced, words weighted."""
        before, self.words = self.words, ["".join(merge(word, pair, new)) for word in self.words]
        return sum((len(old) - len(word)) * weight for old, word, weight in zip(before, self.words, self.weights))
