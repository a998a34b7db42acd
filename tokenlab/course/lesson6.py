"""Lesson 6: what its exercises try."""
import math
from collections import Counter

from .. import corpora, unigram
from .checks import Exercise, Value
from .limit import attempt


def exact_loss(words, p, piece, rounds=(2, 2), sign=1, divided=False):
    """What the log-likelihood loses without a piece, after EM with it and without it; what is passed besides makes the mistakes."""
    total = sum(p.values()) - p[piece] if divided else 1
    rest = {other: value / total for other, value in p.items() if other != piece}
    with_it, without = (unigram.em(words, q, n)[-1].log_likelihood for q, n in zip((p, rest), rounds))
    return round(sign * (with_it - without), 4)


def estimate(count, parts, total, moved=True, longer=True, inside=True, sign=1):
    """SentencePiece's estimate; what is passed besides makes the mistakes."""
    if not count:
        return 0.0
    after = total + count * (len(parts) - 1) * longer
    before, apart = math.log(count / total), sum(math.log((part + count * moved) / after) for part in parts if part + count * moved)
    return round(sign * (count * (before - apart) if inside else count * before - apart), 4)


def keep(costs, size, safe=True, refuse=True, besides=False):
    """The characters, and the dearest of the other pieces; what is passed besides makes the mistakes."""
    characters = [piece for piece in costs if len(piece) == 1]
    if size < len(characters) and refuse and safe:
        raise ValueError(f"size {size} is less than the {len(characters)} characters")
    ranked = sorted(costs, key=lambda piece: (safe and len(piece) > 1, -costs[piece]))
    return set(ranked[:size + besides * len(characters)]) | set(characters if safe else [])


def judge_unused(p):
    """The hint for probabilities with which no best path has the piece ab, although it is worth something; and the values in it."""
    words, pieces = {"ab": 5, "c": 3, "abc": 2}, {"a", "b", "c", "ab"}
    costs, error = attempt(unigram.losses, words, p, "exact")
    if error is not None or set(p) != pieces:
        return "pieces", {"error": error or f"The pieces are {', '.join(map(str, p))}."}
    if abs(sum(p.values()) - 1) > 1e-6:
        return "sum", {"sum": f"{sum(p.values()):.3f}"}
    used = next((word for word in words if "ab" in unigram.viterbi(word, p)[0]), None)
    return "used" if used else "nothing" if costs["ab"] < 0.01 else "", {"word": used, "loss": f"{costs['ab']:.3f}"}


def in_rounds(words, p, size, keep, rounds=2, later=None, after=0, least=True):
    """The pieces that are left after EM and pruning in turns; what is passed besides makes the mistakes."""
    while len(p) > size:
        p = unigram.em(words, p, rounds)[-1].p
        p = unigram.prune(words, p, max(size if least else sum(len(piece) == 1 for piece in p), int(keep * len(p))))
        p, rounds = unigram.em(words, p, after)[-1].p, rounds if later is None else later
    return set(p)


def seeds(words, least):
    """All substrings of up to 5 characters that occur `least` times, and all characters: weights, not yet probabilities."""
    pieces = {word[i:j] for word in words for i in range(len(word)) for j in range(i + 1, i + 6)}
    counts = {piece: sum(n * word.count(piece) for word, n in words.items()) for piece in pieces}
    return {piece: n / 1000 for piece, n in sorted(counts.items()) if n >= least or len(piece) == 1}


_WORDS = {"▁low": 5, "▁lower": 2, "▁lowest": 3, "▁newest": 6, "▁widest": 3, "▁newer": 4}
_REAL = dict(Counter("▁" + word for word in corpora.load("botchan")[:20_000].split()[:200]))
_MANY, _MORE = seeds(_WORDS, 5), seeds(_REAL, 3)
_P = {"h": .1, "u": .05, "g": .05, "p": .1, "s": .1, "ug": .25, "hug": .25, "hugs": .1}
_COSTS = {"h": 0.0, "u": 2.5, "ug": 24.1, "g": 0.2, "hug": 24.5, "hugs": 4.6, "s": 0.5}

EXERCISES = {
    "6.1": Exercise("exact_loss", exact_loss, [(words, _P, piece) for piece in ("ug", "hug", "hugs") for words in (
        {"hug": 10, "pug": 5, "hugs": 3}, {"hug": 1, "pug": 1}, {"hugs": 4})], {
        "sign": {"sign": -1}, "fixed": {"rounds": (0, 0)}, "divided": {"divided": True}, "one": ({"rounds": (0, 2)}, {"rounds": (2, 0)})}),
    "6.2": Exercise("estimate", estimate, [(10, [5, 5], 40), (3, [20, 0], 60), (12, [30, 7, 40], 1000), (1, [1, 1], 3), (0, [5, 5], 40)], {
        "parenthesis": {"inside": False}, "moved": {"moved": False}, "total": {"longer": False}, "sign": {"sign": -1}}),
    "6.3": Exercise("keep", keep, [(_COSTS, size) for size in (7, 6, 5, 4, 3, 0)] + [({"안": 1.0}, 1), ({}, 0)], {
        "characters": {"safe": False}, "silent": {"refuse": False}, "besides": {"besides": True}}),
    "6.4": Value("chances", (dict, "a dict"), judge_unused, ("pieces", "sum", "used", "nothing")),
    "6.5": Exercise("prune_rounds", in_rounds, [(_WORDS, _MANY, size, .75) for size in (12, 13, 15, 20, 50)] + [
        (_WORDS, _MANY, 13, .5), (_WORDS, _MANY, 16, .9), (_REAL, _MORE, 112, .5), (_REAL, _MORE, 112, .75)], {
        "once": lambda words, p, size, keep: in_rounds(words, p, size, 0), "share": lambda words, p, size, keep: in_rounds(words, p, size, .75),
        "fixed": {"rounds": 0}, "below": {"least": False}, "after": {"rounds": 0, "after": 2},
        "often": ({"rounds": 1}, {"rounds": 3}, {"later": 0}, {"after": 2})}),
}
