"""Lesson 5: what its exercises try."""
import math
import re
from fractions import Fraction
from itertools import pairwise

from .. import unigram
from .checks import Exercise


def segmentations(word, vocab):
    """All ways to write a word that the pieces in `vocab` cover, as a set of tuples."""
    return {pieces for pieces, _ in unigram.segmentations(word, dict.fromkeys(vocab, 1))}


def whole(word, vocab):
    """The mistake: what is left of the word is not cut any more once it is a piece."""
    return {way for way in segmentations(word, vocab) if not any("".join(way[i:]) in vocab for i in range(len(way) - 1))}


def viterbi(word, p):
    return unigram.viterbi(word, p)[0]


def greedy(word, p):
    """The mistake: always the longest piece."""
    return tuple(re.findall("|".join(sorted(p, key=len, reverse=True)), word))


def expected_counts(ways, times=lambda pieces, piece: pieces.count(piece), share=lambda q, total: q / total, top=None):
    """How often each piece is used, each way counting by its share; what is passed besides makes the mistakes."""
    total, found = sum(q for _, q in ways), {}
    for pieces, q in ways[:top]:
        for piece in dict.fromkeys(pieces):
            found[piece] = found.get(piece, 0) + times(pieces, piece) * share(q, total)
    return found


def invariants(history, near=1e-9, checked=(0, 1, 2), size=len):
    """Whether the log-likelihood never falls, Σ expected · length stays, and Σ P is 1; what is passed besides makes the mistakes."""
    letters = [sum(n * size(piece) for piece, n in zip(state.pieces, state.expected)) for state in history]
    holds = (all(b.log_likelihood >= a.log_likelihood - near for a, b in pairwise(history)),
             all(abs(n - letters[0]) <= near for n in letters), all(abs(sum(state.probabilities) - 1) <= near for state in history))
    return all(holds[n] for n in checked)


_PIECES = [*"hugs", "hu", "ug", "hug"]
# Powers of 2, so that products and sums are exact in any order.
_HALVES = {"h": 1 / 8, "u": 1 / 16, "g": 1 / 4, "s": 1 / 8, "hu": 1 / 16, "ug": 1 / 32, "hug": 1 / 128, "ugs": 1 / 32}
_A, _EVEN = {"a": 1 / 2, "aa": 1 / 8, "aaa": 1 / 64}, dict.fromkeys(["a", "b", "c", "ab", "bc", "cab"], 1 / 8)
_CASES = [*((word, _HALVES) for word in ("h", "hug", "hugs", "hughug", "gush")), ("aa", _A), ("aaa", _A), ("abc", _EVEN), ("abcab", _EVEN)]
_SEVENTHS = {piece: Fraction(1, 7) for piece in _PIECES} | {"a": Fraction(1, 3), "aa": Fraction(1, 4)}
_RUNS = [unigram.em_naive({word: 1}, dict.fromkeys(_PIECES, 1 / 7), 3) for word in ("hug", "hugs")]
_RUNS += [unigram.em_naive({"hug": 1}, dict.fromkeys(_PIECES, Fraction(1, 7)), 2), unigram.em_naive({"abc": 1}, dict.fromkeys(["a", "c", "ab", "bc"], .25), 3)]
# Three that are broken: the M-step forgets to divide by the sum, the E-step by P(word), the log-likelihood falls.
_RUNS += [[after._replace(probabilities=before.expected) for before, after in pairwise(_RUNS[0])],
          [state._replace(expected=[n * math.exp(state.log_likelihood) for n in state.expected]) for state in _RUNS[1]], _RUNS[0][::-1]]

EXERCISES = {
    "5.1": Exercise("segmentations", segmentations, [(word, set(p)) for word, p in (
        *_CASES, ("", _A), ("안😉", {"안", "😉", "안😉"}), ("a" * 10, _A))], {
        "empty": lambda word, vocab: segmentations(word, vocab) if word else set(),
        "greedy": lambda word, vocab: {greedy(word, vocab)},
        "whole": (whole, lambda word, vocab: whole(word, vocab) if word else set()),
        "all": lambda word, vocab: segmentations(word, {word[i:j] for j in range(len(word) + 1) for i in range(j)})}),
    "5.2": Exercise("forward", unigram.marginal, [*_CASES, ("a" * 60, _A)], {
        "best": lambda word, p: math.prod(map(p.get, viterbi(word, p))),
        "count": lambda word, p: unigram.marginal(word, dict.fromkeys(p, 1.0)),
        "once": lambda word, p: p.get(word, 0.0)}),
    "5.3": Exercise("viterbi", viterbi, [*_CASES, ("", _A)], {
        "greedy": greedy,
        "fewest": lambda word, p: viterbi(word, dict.fromkeys(p, 0.5)),
        "tie": lambda word, p: tuple(piece[::-1] for piece in reversed(viterbi(word[::-1], {piece[::-1]: q for piece, q in p.items()})))}),
    "5.4": Exercise("expected_counts", expected_counts, [(unigram.segmentations(word, _SEVENTHS),) for word in ("a", "hug", "hugs", "aaa", "hughug")], {
        "plain": {"share": lambda q, total: 1},
        "undivided": {"share": lambda q, total: q},
        "best": {"top": 1},
        "once": {"times": lambda pieces, piece: 1}}),
    "5.5": Exercise("invariants", invariants, [(history,) for history in _RUNS], {
        "part": tuple({"checked": some} for some in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2))),
        "exact": {"near": 0},
        "length": {"size": lambda piece: 1},
        "strict": lambda history: invariants(history) and all(b.log_likelihood > a.log_likelihood for a, b in pairwise(history)),
        "always": lambda history: True},
        show=lambda history: f"rounds with log-likelihood {history[0].log_likelihood:.2f} to {history[-1].log_likelihood:.2f}"),
}
