"""Lesson 2: what its predictions ask, and what its exercises try."""
from itertools import pairwise

from .. import bpe, corpora, pretrained
from ..views import label
from .checks import NASTY, Exercise, Value


def first_merge():
    """The first merge of GPT-2, as its vocabulary tells: token 256 is the first after the single bytes."""
    tokens = pretrained.load("gpt2").vocabulary
    number = {token: id - 255 for id, token in tokens.items()}
    return {"answer": label(tokens[256]), "second": label(tokens[257]), "third": label(tokens[258]), "the": number[b" the"]}


def twice_the_merges():
    """What 500 and 1,000 merges leave of a novel."""
    lengths = bpe.train(corpora.load("botchan"), vocab_size=256 + 1000).lengths
    return {"answer": lengths[1000], "bytes": lengths[0], "half": lengths[500], "saved": lengths[500] - lengths[1000],
            "first": lengths[0] - lengths[500]}


PREDICTIONS = {"2.hook": first_merge, "2.twice": twice_the_merges}


def count_pairs(ids):
    return dict(bpe.count_pairs(ids))


def _sorted_pairs(ids):
    return _count(tuple(sorted(pair)) for pair in pairwise(ids))


def _count(pairs):
    counts = {}
    for pair in pairs:
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def _apart(ids):
    """Counts that skip both symbols of a pair once it is counted, as str.count does."""
    counts, last = {}, {}
    for i, pair in enumerate(pairwise(ids)):
        if last.get(pair) != i - 1:
            counts[pair] = counts.get(pair, 0) + 1
            last[pair] = i
    return counts


def _from_the_right(ids, pair, new_id):
    return bpe.merge(ids[::-1], pair[::-1], new_id)[::-1]


def _second_kept(ids, pair, new_id):
    return [new_id if (ids[i], ids[i + 1:i + 2]) == (pair[0], [pair[1]]) else ids[i] for i in range(len(ids))]


def _end_lost(ids, pair, new_id):
    merged, i = [], 0
    while i < len(ids) - 1:
        found = (ids[i], ids[i + 1]) == pair
        merged.append(new_id if found else ids[i])
        i += 2 if found else 1
    return merged


def train(data, k, pick=lambda counts: max(counts, key=counts.get), enough=1, first=256):
    """The merges of `data` as pair -> id, at most `k`; what is passed besides makes the mistakes."""
    ids, merges = list(data), {}
    while len(merges) < k:
        counts = count_pairs(ids)
        if not counts or max(counts.values()) < enough:
            break
        pair = pick(counts)
        merges[pair] = first + len(merges)
        ids = bpe.merge(ids, pair, merges[pair])
    return merges


def _crashing(data, k):
    if len(merges := train(data, k)) < k:
        max({})
    return merges


def _counted_once(data, k):
    return {pair: 256 + n for n, (pair, _) in enumerate(bpe.count_pairs(data).most_common(k))}


def _last_seen(counts):
    return max(reversed(counts), key=counts.get)


def passage():
    """The text of exercise 2.4: the first paragraph of Moby-Dick after its heading."""
    return corpora.load("moby-dick").split("\n\n")[1]


def judge_tokens(guess, merges=50):
    """The hint for a guess of the tokens that 50 merges leave of `passage()`, or None within 10 % of the truth."""
    trace = bpe.train(passage(), vocab_size=256 + merges, pattern="none")
    lengths, places = trace.lengths, {"first": trace.merges[0].count, "last": trace.merges[-1].count}
    if abs(guess - lengths[merges]) <= 0.1 * lengths[merges]:
        return None
    if abs(guess - lengths[0]) <= 0.02 * lengths[0]:
        return "unmerged"
    if abs(guess - (lengths[0] - merges)) <= 0.02 * lengths[0]:
        return "one_each", places
    return ("low" if guess < lengths[merges] else "high"), places


def judge_tie(text):
    """The hint for a text on which two tie rules should split differently after one merge, or None if they do."""
    if len(text) != 7:
        return "length", {"n": len(text)}
    if not (text.isascii() and text.isalpha()):
        return "letters"
    first, greatest = (bpe.train(text, vocab_size=257, pattern="none", tie=tie) for tie in ("first-seen", "greatest-bytes"))
    if first.merges[0].tied == 1:
        return "no_tie", {"pair": label(first.merges[0].token), "count": first.merges[0].count}
    return None if first.at(1) != greatest.at(1) else ("same_pair", {"pair": label(first.merges[0].token)})


_TEXTS = [s.encode() for s in ("a", "ab", "aaa", "aba", "abab", "abcbcab", "aaabdaaabac", "taxi tax taxes max", *NASTY)]
_IDS = [list(data) for data in _TEXTS] + [[256, 97, 256, 97], [3, 1, 3, 1, 2]]
_AA = (97, 97)
_MERGES = [(ids, _AA, 256) for ids in _IDS] + [(list(b"a" * n), _AA, 256) for n in (2, 4, 5)] + [
    (list(b"abcab"), (97, 98), 300), (list(b"baab"), (97, 98), 256), ([1, 2, 1], (2, 1), 3), ([1, 2, 3, 1, 2], (1, 2), 4), ([256, 97], (256, 97), 257)]

EXERCISES = {
    "2.1": Exercise("count_pairs", count_pairs, [(ids,) for ids in _IDS], {
        "sorted": _sorted_pairs,
        "apart": _apart,
        "end": lambda ids: _count(pairwise(ids[:-1])),
        "circle": lambda ids: _count(pairwise(ids + ids[:1]))}),
    "2.2": Exercise("merge", bpe.merge, _MERGES, {
        "right": _from_the_right,
        "kept": _second_kept,
        "end": _end_lost}),
    "2.3": Exercise("train", train, [(data, k) for data in _TEXTS for k in ((20,) if len(data) > 99 else (0, 1, 3))], {
        "crash": _crashing,
        "once": _counted_once,
        "last": lambda data, k: train(data, k, pick=_last_seen),
        "singles": lambda data, k: train(data, k, enough=2),
        "ids": lambda data, k: train(data, k, first=0)}),
    "2.4": Value("tokens", (int, float), judge_tokens),
    "2.5": Value("letters", (str,), judge_tie),
}
