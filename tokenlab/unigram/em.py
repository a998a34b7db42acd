"""Expectation–maximization: from probabilities to expected counts, and from these to better probabilities."""
from typing import Any, NamedTuple

from ..errors import whole
from . import np
from .lattice import lattices
from .seeds import read_words
from .words import check_probabilities, forward_backward, logarithm


class Round(NamedTuple):
    """One round: the probabilities it began with, what the E-step made of them, and what was dropped at its end."""
    number: int
    pieces: tuple[str, ...]
    probabilities: Any                  # of each piece: an array (a list in `em_naive`)
    log_likelihood: float               # Σ count · log P(word), in nats, under these probabilities
    expected: Any                       # the expected count of each piece in the whole corpus
    dropped: dict[str, str]             # piece -> why

    @property
    def p(self):
        """The probabilities as a dict of piece -> probability."""
        return dict(zip(self.pieces, self.probabilities))


def em_naive(words, p, rounds):
    """Do as `em` does, with the same arguments and result, but word by word: `forward_backward`, add up, divide.

    Works with Fractions too. Lesson 5.

    >>> from fractions import Fraction
    >>> history = em_naive({"ab": 1}, {"a": Fraction(1, 3), "b": Fraction(1, 3), "ab": Fraction(1, 3)}, 1)
    >>> history[0].expected, history[1].probabilities
    ([Fraction(1, 4), Fraction(1, 4), Fraction(3, 4)], [Fraction(1, 5), Fraction(1, 5), Fraction(3, 5)])
    """
    words, history = read_words(words), []
    for number in range(whole(rounds, "rounds", 0) + 1):
        log_likelihood, expected = 0.0, dict.fromkeys(check_probabilities(p), 0)
        for word, count in words.items():
            total, counts = forward_backward(word, p)
            log_likelihood += count * logarithm(total)
            for piece, times in counts.items():
                expected[piece] += count * times
        history.append(Round(number, tuple(p), list(p.values()), log_likelihood, list(expected.values()), {}))
        everything = sum(expected.values())
        p = {piece: times / everything for piece, times in expected.items()}
    return history


def em(words, p, rounds):
    """Improve the probabilities `p` by `rounds` of plain EM on `words`, and return the history: rounds + 1 Rounds.

    words: a dict of word -> count. p: a dict of piece -> probability; its sum need not be 1. history[k] holds the
    probabilities after k rounds, their log-likelihood in nats, which never falls, and the expected counts that they
    give: these, divided by their sum, are the next probabilities.
    Raises ValueError for an empty corpus, a word that nothing covers, a value that is no probability.
    Source: Dempster, Laird, Rubin 1977; Kudo 2018. Lesson 5.

    >>> history = em({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5},
    ...              dict.fromkeys("h u g p n b s ug un hu bu hug gs ugs".split(), 1 / 14), 3)
    >>> [round(state.log_likelihood, 2) for state in history]
    [-152.31, -117.33, -106.13, -101.53]
    """
    lattice, values = lattices(read_words(words), check_probabilities(p)), np.array(list(p.values()), float)
    history = []
    for number in range(whole(rounds, "rounds", 0) + 1):
        logs, expected = lattice.count(log(values))
        history.append(Round(number, tuple(p), values, float(lattice.counts @ logs), expected, {}))
        values = expected / expected.sum()
    return history


def log(values):
    """Return the logarithms of an array of probabilities; one that EM has made smaller than any float stays finite."""
    return np.log(np.maximum(np.array(values, float), np.finfo(float).tiny))
