"""Byte-pair encoding as one explains it: count all pairs, merge the best, begin again."""
from .corpus import read_corpus
from .pairs import count_pairs, merge
from .ties import tiebreak
from .trace import Merge, Trace


def train_naive(source, *, vocab_size=1000, pattern="gpt2", tie="first-seen", alphabet="bytes", end_of_word="",
                min_count=1, progress=None):
    """Train as `train` does, with the same arguments and the same trace, but by counting everything anew in each step.

    Each step takes time in proportion to the whole corpus; `train` touches only what changes.
    Source: Sennrich, Haddow, Birch 2016, algorithm 1; Gage 1994. Lesson 2.

    >>> train_naive("aaabdaaabac", vocab_size=259).merges[0].token
    b'aa'
    """
    corpus = read_corpus(source, vocab_size, pattern, tie, alphabet, end_of_word, min_count)
    vocabulary = dict(enumerate(corpus.alphabet))
    words = [list(map(ord, word)) for word in corpus.spelled]
    counts = list(corpus.words.values())
    prefer = tiebreak(tie, vocabulary)
    merges, lengths, stopped = [], [corpus_length(words, counts)], "vocab_size"
    while len(vocabulary) < vocab_size:
        pairs = count_all_pairs(words, counts)
        ranked = sorted(pairs, key=lambda pair: (-pairs[pair], prefer(pair)))       # stable: the first seen stays first
        if not ranked or pairs[ranked[0]] < min_count:
            stopped = "min_count" if ranked else "no pair left"
            break
        best, new_id = ranked[0], len(vocabulary)
        vocabulary[new_id] = vocabulary[best[0]] + vocabulary[best[1]]
        words = [merge(word, best, new_id) for word in words]
        before, after = lengths[-1], corpus_length(words, counts)
        lengths.append(after)
        merges.append(Merge(
            number=len(merges) + 1, rank=len(merges), pair=best, id=new_id, token=vocabulary[new_id],
            count=pairs[best], replaced=before - after, runner_up=(ranked[1], pairs[ranked[1]]) if ranked[1:] else None,
            tied=list(pairs.values()).count(pairs[best]), before=before, after=after))
        if progress and (go_on := progress(len(merges), vocab_size - len(corpus.alphabet))) is not None and not go_on:
            stopped = "stopped"
            break
    return Trace(tuple(merges), tuple(lengths), stopped, corpus.alphabet, corpus.words, tie, pattern, end_of_word,
                 alphabet, tuple("".join(map(chr, word)) for word in words))


def count_all_pairs(words, counts):
    """Return pair -> occurrences over all words, each word as often as its count, in order of first occurrence.

    >>> count_all_pairs([[1, 2], [2, 1, 2]], [10, 1])
    {(1, 2): 11, (2, 1): 1}
    """
    total = {}
    for word, count in zip(words, counts):
        for pair, times in count_pairs(word).items():
            total[pair] = total.get(pair, 0) + times * count
    return total


def corpus_length(words, counts):
    """Return the tokens in the corpus, each word as often as its count.

    >>> corpus_length([[1, 2], [2, 1, 2]], [10, 1])
    23
    """
    return sum(len(word) * count for word, count in zip(words, counts))
