"""One word and all its segmentations, in plain Python: what lesson 5 explains, with floats or with exact fractions."""
import math
import random
from bisect import bisect
from collections.abc import Mapping
from heapq import nlargest
from itertools import accumulate, groupby
from numbers import Real
from operator import itemgetter

from ..errors import need_text, short, whole

MOST_SEGMENTATIONS, MOST_PIECES = 200_000, 10_000_000       # that `segmentations` lists: n letters can be cut in 2**(n-1) ways
MOST_ALPHA = 10**6


def check_probabilities(p):
    """Return `p` if it maps pieces (str, not empty) to numbers from 0 to 1, else raise an error that names the piece.

    >>> check_probabilities({"a": -1.5})
    Traceback (most recent call last):
    ValueError: p['a'] = -1.5 is no probability: it must be from 0 to 1; if it is the logarithm of one, take math.exp of it
    """
    if not isinstance(p, Mapping):
        raise TypeError(f"p must be a mapping of piece to probability, not {type(p).__name__} {short(p)}")
    for piece, value in p.items():
        if not need_text(piece, "piece"):
            raise ValueError("p holds the empty piece, which fits everywhere any number of times: remove it")
        if not isinstance(value, Real) or not 0 <= value <= 1:         # NaN is not from 0 to 1 either
            raise ValueError(f"p[{short(piece)}] = {short(value)} is no probability: it must be from 0 to 1; "
                             f"if it is the logarithm of one, take math.exp of it")
    return p


def arcs(word, p, longest=None):
    """Return where which piece fits into `word`, as a list of (start, end, piece), by end, then longest first.

    p: a dict of piece -> probability; pieces with 0 are left out. longest: the length of the longest piece, if known,
    and then `p` is taken as checked. Raises ValueError if the arcs do not lead through the whole word. Lesson 5.

    >>> arcs("hug", {"h": .1, "u": .1, "g": .1, "ug": .2})
    [(0, 1, 'h'), (1, 2, 'u'), (1, 3, 'ug'), (2, 3, 'g')]
    """
    if longest is None:
        longest = max(map(len, check_probabilities(p)), default=0)
    found, reached = [], {0}
    for end in range(1, len(need_text(word, "word")) + 1):
        for start in range(max(0, end - longest), end):
            if start in reached and p.get(word[start:end]):
                found.append((start, end, word[start:end]))
                reached.add(end)
    if len(word) not in reached:
        raise ValueError(f"no segmentation covers the word {short(word)}: the pieces lead no further than index {max(reached)}, "
                         f"{word[max(reached)]!r}; add the characters that are missing to p")
    return found


def logarithm(p):
    """Return the logarithm of a probability, also of a Fraction that is smaller than any float."""
    return math.log(p) if float(p) else math.log(p.numerator) - math.log(p.denominator)


def segmentations(word, p):
    """Return every way to write `word` in pieces, as a list of (pieces, probability), the likeliest first.

    word: a str. p: a dict of piece -> probability (float or Fraction). pieces: a tuple of str. Each probability is the
    product over its pieces. Raises ValueError if nothing covers the word, or if there are too many ways. Lesson 5.

    >>> segmentations("hug", {"h": .5, "u": .25, "g": .5, "ug": .25})
    [(('h', 'ug'), 0.125), (('h', 'u', 'g'), 0.0625)]
    """
    ways, listed = [[((), 1)]] + [[] for _ in need_text(word, "word")], 0
    for start, end, piece in arcs(word, p):
        listed += end * len(ways[start])
        ways[end] += [((*pieces, piece), probability * p[piece]) for pieces, probability in ways[start]]
        if len(ways[end]) > MOST_SEGMENTATIONS or listed > MOST_PIECES:
            many = f"{MOST_PIECES:,} pieces in its" if listed > MOST_PIECES else f"{MOST_SEGMENTATIONS:,}"
            raise ValueError(f"{short(word)} has more than {many} segmentations, too many to list: "
                             f"use nbest, or forward_backward, which needs no list")
    return sorted(ways[-1], key=lambda way: -way[1])


def forward_backward(word, p):
    """Return the probability of `word` over all segmentations, and how often it uses each piece in expectation.

    word: a str. p: a dict of piece -> probability (float or Fraction). Returns (total, dict of piece -> expected count):
    each segmentation counts as much as its share of the total. The work grows with the arcs, not with the paths.
    Raises ValueError if nothing covers the word, or if the products are too small for floats: then use `em`, which adds
    logarithms. Source: Rabiner 1989; Kudo 2018, section 3.2. Lesson 5.

    >>> from fractions import Fraction
    >>> total, expected = forward_backward("hug", dict.fromkeys(["h", "u", "g", "ug", "hu", "hug"], Fraction(1, 14)))
    >>> total, expected["hug"], expected["h"]
    (Fraction(225, 2744), Fraction(196, 225), Fraction(1, 15))
    """
    steps, expected = arcs(word, p), {}
    forward, backward = [1] + [0] * len(word), [0] * len(word) + [1]
    for start, end, piece in steps:                 # forward[i]: the probability of word[:i]
        forward[end] += forward[start] * p[piece]
    for start, end, piece in reversed(steps):       # backward[i]: the probability of word[i:]
        backward[start] += p[piece] * backward[end]
    if not forward[-1]:
        raise ValueError(f"the probability of {short(word)} is too small for a float: use Fractions, or em, which adds logarithms")
    for start, end, piece in steps:
        expected[piece] = expected.get(piece, 0) + forward[start] * p[piece] * backward[end] / forward[-1]
    return forward[-1], expected


def marginal(word, p):
    """Return the probability of `word`: the sum over all its segmentations. Arguments as in `forward_backward`. Lesson 5.

    >>> marginal("ab", {"a": .5, "b": .25, "ab": .25})
    0.375
    """
    return forward_backward(word, p)[0]


def viterbi(word, p):
    """Return the likeliest segmentation of `word` and the logarithm of its probability: (tuple of str, float).

    A tie goes to the longer last piece, as in SentencePiece: starts are tried from the left, and only what is better
    replaces what was found. Raises ValueError if nothing covers the word. Source: Viterbi 1967. Lesson 5.

    >>> viterbi("hug", {"h": .1, "u": .2, "g": .1, "ug": .5, "hu": .1})[0]
    ('h', 'ug')
    """
    return nbest(word, p, 1)[0]


def nbest(word, p, n):
    """Return the `n` likeliest segmentations of `word`, best first, as a list of (pieces, log p): exactly, ties as `viterbi`.

    n: from 1; there may be fewer. Keeps the n best ways to each end. Raises ValueError as `viterbi` does. Lesson 5.

    >>> [pieces for pieces, _ in nbest("hug", {"h": .1, "u": .2, "g": .1, "ug": .5, "hu": .1}, 2)]
    [('h', 'ug'), ('hu', 'g')]
    """
    whole(n, "n", 1)
    ways = {0: [(0.0, "", None)]}                   # end -> [(log p, last piece, the way before it)]
    for end, steps in groupby(arcs(word, p), itemgetter(1)):
        longer = ((way[0] + logarithm(p[piece]), piece, way) for start, _, piece in steps for way in ways[start])
        ways[end] = nlargest(n, longer, key=itemgetter(0))          # of equals, the first
    return [(tuple(_backwards(way))[::-1], way[0]) for way in ways[len(word)]]


def _backwards(way):
    """Yield the pieces of a way that `nbest` has found, the last first."""
    while way[2]:
        yield way[1]
        way = way[2]


def sample(word, p, alpha=1.0, n=1, random_seed=0):
    """Return `n` segmentations of `word`, each drawn with a chance in proportion to its probability to the power `alpha`.

    alpha: 1 draws by probability, 0 evenly from all segmentations, and the greater it is, the more often the best one.
    Forward filtering, backward sampling: exact. Returns a list of tuples of str.
    Raises ValueError for an alpha below 0 or above a million, or a word that nothing covers. Source: Kudo 2018, section 3.3. Lesson 8.

    >>> sample("hug", {"h": .1, "u": .2, "g": .1, "ug": .5}, n=3)
    [('h', 'ug'), ('h', 'ug'), ('h', 'ug')]
    """
    if not isinstance(alpha, Real) or not 0 <= alpha <= MOST_ALPHA:
        raise ValueError(f"alpha must be a number from 0 (all segmentations alike) to {MOST_ALPHA:,}, not {short(alpha)}")
    forward, arriving, draws, rng = {0: 0.0}, {}, [], random.Random(whole(random_seed, "random_seed", 0))
    for end, steps in groupby(arcs(word, p), itemgetter(1)):
        logs, pieces = zip(*((forward[start] + alpha * logarithm(p[piece]), piece) for start, _, piece in steps))
        totals = [*accumulate(math.exp(log - max(logs)) for log in logs)]
        forward[end], arriving[end] = max(logs) + math.log(totals[-1]), (pieces, totals)
    for _ in range(whole(n, "n", 0)):
        pieces, end = [], len(word)
        while end:
            ways, totals = arriving[end]
            pieces.append(ways[bisect(totals, rng.random() * totals[-1], 0, len(ways) - 1)])        # as random.choices does
            end -= len(pieces[-1])
        draws.append(tuple(pieces[::-1]))
    return draws
