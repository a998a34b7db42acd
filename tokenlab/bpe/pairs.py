"""The two functions that byte-pair encoding consists of, and pairs over all words."""
from collections import Counter
from itertools import pairwise


def count_pairs(ids):
    """Return how often each pair of neighbours occurs in `ids`: a Counter, in order of first occurrence.

    ids: any iterable of symbols (a list of token ids, bytes, a str). Every position counts, so overlaps do too.
    Source: Sennrich, Haddow, Birch 2016, algorithm 1 (`get_stats`). Lesson 2. See also `merge`.

    >>> count_pairs(b"aaabdaaabac").most_common(2)
    [((97, 97), 4), ((97, 98), 2)]
    >>> dict(count_pairs("aaab"))
    {('a', 'a'): 2, ('a', 'b'): 1}
    """
    return Counter(pairwise(ids))


def merge(ids, pair, new_id):
    """Return the list `ids` with `new_id` wherever `pair` stood, from left to right and without overlap.

    ids: a sequence of symbols; pair: two of them; new_id: what replaces both.
    Source: Sennrich, Haddow, Birch 2016, algorithm 1 (`merge_vocab`). Lesson 2. See also `count_pairs`.

    >>> merge([1, 2, 3, 1, 2], (1, 2), 4)
    [4, 3, 4]
    >>> merge("aaa", ("a", "a"), "A")
    ['A', 'a']
    """
    (first, second), merged, i = pair, [], 0
    while i < len(ids):
        found = ids[i] == first and i + 1 < len(ids) and ids[i + 1] == second
        merged.append(new_id if found else ids[i])
        i += 2 if found else 1
    return merged


def count_all(count, words, counts):
    """Return how often what `count` counts in one word occurs in all, each word as often as its count: a Counter, in order of first occurrence.

    >>> count_all(count_pairs, [[1, 2], [2, 1, 2]], [10, 1])
    Counter({(1, 2): 11, (2, 1): 1})
    """
    total = Counter()
    for word, weight in zip(words, counts):
        for found, times in count(word).items():
            total[found] += times * weight
    return total


def ranked_pairs(words, counts, prefer):
    """Return all pairs in `words` as a list of (pair, occurrences), the best first; prefer: what `ties.tiebreak` returns."""
    return sorted(count_all(count_pairs, words, counts).items(), key=lambda item: (-item[1], prefer(item[0])))     # stable: of equals the first seen
