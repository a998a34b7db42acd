"""Lesson 2: what its exercises try."""
from collections import Counter
from itertools import pairwise
from numbers import Real

from .. import bpe, corpora
from ..views import label
from .checks import NASTY, Exercise, Value


def _count(pairs):
    return dict(Counter(pairs))


def merge(ids, pair, new_id, found=lambda ids, i, pair: tuple(ids[i:i + 2]) == pair, left=0, skip=2):
    """One merge; what is passed besides makes the mistakes. found: whether the pair begins at ids[i]; left: ids not looked at; skip: ids used up."""
    merged, i = [], 0
    while i < len(ids) - left:
        here = found(ids, i, pair)
        merged.append(new_id if here else ids[i])
        i += skip if here else 1
    return merged


def train(data, k, pick=lambda counts: max(counts, key=counts.get), enough=1, first=256):
    """The merges of `data` as pair -> id, at most `k`; what is passed besides makes the mistakes."""
    ids, merges = list(data), {}
    while len(merges) < k:
        counts = bpe.count_pairs(ids)
        if max(counts.values(), default=0) < enough:
            break
        pair = pick(counts)
        merges[pair] = first + len(merges)
        ids = bpe.merge(ids, pair, merges[pair])
    return merges


def passage():
    """The text of exercise 2.4: the first paragraph of Moby-Dick after its heading."""
    return corpora.load("moby-dick").split("\n\n")[1]


def judge_tokens(guess, merges=50):
    """The hint for a guess of the tokens that 50 merges leave of `passage()`, "" within 10 % of the truth; and the numbers."""
    trace = bpe.train(passage(), vocab_size=256 + merges, pattern="none")
    before, after = trace.lengths[0], trace.lengths[merges]
    places = {"after": after, "first": trace.merges[0].replaced, "last": trace.merges[-1].replaced}
    if abs(guess - after) <= 0.1 * after:
        return "", places
    if abs(guess - before) <= 0.02 * before:
        return "unmerged", places
    if abs(guess - (before - merges)) <= 0.02 * before:
        return "one_each", places
    return "low" if guess < after else "high", places


def judge_tie(letters):
    """The hint for letters that two tie rules should split differently after one merge, "" if they do; and the values in it."""
    if len(letters) != 7:
        return "length", {"n": len(letters)}
    if not (letters.isascii() and letters.isalpha() and letters.islower()):
        return "letters", {}
    if letters == "abcbcab":
        return "seen", {}
    first, greatest = (bpe.train(letters, vocab_size=257, pattern="none", tie=tie) for tie in ("first-seen", "greatest-bytes"))
    best = first.merges[0]
    places = {"pair": label(best.token), "count": best.count}
    if best.count == 1:
        return "once", places
    if best.tied == 1:
        return "no_tie", places
    return "same_pair" if first.at(1) == greatest.at(1) else "", places


# Of nasty ones the beginning: natural solutions can be quadratic.
_TEXTS = [s.encode() for s in ("a", "ab", "aaa", "aba", "abab", "abcbcab", "aaabdaaabac", "taxi tax taxes max", *(s[:300] for s in NASTY))]
_IDS = [list(data) for data in _TEXTS] + [[256, 97, 256, 97], [3, 1, 3, 1, 2]]
_AA = (97, 97)
_MERGES = [(ids, _AA, 256) for ids in _IDS] + [(list(b"a" * n), _AA, 256) for n in (2, 4, 5)] + [
    (list(b"abcab"), (97, 98), 300), (list(b"baab"), (97, 98), 256), ([1, 2, 1], (2, 1), 3), ([1, 2, 31, 2, 1, 2], (1, 2), 4), ([256, 97], (256, 97), 257)]

_UNSAFE = (lambda ids, i, pair: (ids[i], ids[i + 1]) == pair, lambda ids, i, pair: ids[i] == pair[0] and ids[i + 1] == pair[1])
_PICKS = (lambda counts: max(reversed(counts), key=counts.get), lambda counts: max(counts, key=lambda pair: (counts[pair], pair)),
          lambda counts: min(counts, key=lambda pair: (-counts[pair], pair)))           # last seen, greatest, smallest

EXERCISES = {
    "2.1": Exercise("count_pairs", lambda ids: _count(pairwise(ids)), [(ids,) for ids in _IDS], {
        "sorted": lambda ids: _count(tuple(sorted(pair)) for pair in pairwise(ids)),
        "apart": lambda ids: {pair: bpe.merge(ids, pair, None).count(None) for pair in bpe.count_pairs(ids)},
        "end": lambda ids: _count(pairwise(ids[:-1])),
        "circle": lambda ids: _count(pairwise(ids + ids[:1])),
        "index": lambda ids: _count((ids[i], ids[i + 1]) for i in range(len(ids)))}),
    "2.2": Exercise("merge", merge, _MERGES, {
        "right": lambda ids, pair, new_id: bpe.merge(ids[::-1], pair[::-1], new_id)[::-1],
        "kept": {"skip": 1},
        "end": {"left": 1},
        "index": tuple({"found": found} for found in _UNSAFE),
        "list": lambda ids, pair, new_id: list(ids)}),
    "2.3": Exercise("train", train, [(data, k) for data in _TEXTS for k in ((20,) if len(data) > 99 else (0, 1, 3))], {
        "crash": {"enough": 0},
        "once": lambda data, k: {pair: 256 + n for n, (pair, _) in enumerate(bpe.count_pairs(data).most_common(k))},
        "tie": tuple({"pick": pick} for pick in _PICKS),
        "greatest": {"pick": max}, "singles": {"enough": 2},
        "ids": ({"first": 0}, {"first": 1}, {"first": 257})}),
    "2.4": Value("tokens", (Real, "an int or a float"), judge_tokens, ("unmerged", "one_each", "low", "high")),
    "2.5": Value("letters", (str, "a str"), judge_tie, ("length", "letters", "seen", "once", "no_tie", "same_pair")),
}
