"""One word, all words, EM: enumeration, the readable twin, the fast twin and the toys agree."""
import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlab import unigram

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
HUG_PIECES = ["h", "u", "g", "p", "n", "b", "s", "ug", "un", "hu", "bu", "hug", "gs", "ugs"]

texts = st.text("abc", min_size=1, max_size=7)
words = st.dictionaries(texts, st.integers(1, 20), min_size=1, max_size=6)
weights = st.integers(1, 1000)
vocabularies = st.dictionaries(st.text("abc", min_size=2, max_size=4), weights, max_size=8).flatmap(
    lambda long: st.tuples(weights, weights, weights).map(lambda singles: long | dict(zip("abc", singles))))
# probabilities that sum to 1, or are drawn apart: a table in a text book need not be right
tables = vocabularies.map(lambda table: {piece: weight / sum(table.values()) for piece, weight in table.items()})


def enumerate_segmentations(word, p):
    """All segmentations, by cutting or not cutting between each two characters."""
    found = {}
    for cuts in range(2 ** (len(word) - 1)):
        ends = [i for i in range(1, len(word)) if cuts >> (i - 1) & 1] + [len(word)]
        pieces = tuple(word[a:b] for a, b in zip([0, *ends], ends))
        if all(piece in p for piece in pieces):
            found[pieces] = math.prod(p[piece] for piece in pieces)
    return found


@given(texts, tables)
def test_segmentations_are_all_there_are(word, p):
    found = unigram.segmentations(word, p)
    expected = enumerate_segmentations(word, p)
    assert len(found) == len(expected) and dict(found) == pytest.approx(expected)
    assert [probability for _, probability in found] == sorted((q for _, q in found), reverse=True)


@given(texts, tables)
def test_forward_backward_is_the_sum_over_segmentations(word, p):
    ways = enumerate_segmentations(word, p)
    total, expected = unigram.forward_backward(word, p)
    counts = Counter()
    for pieces, probability in ways.items():
        for piece in pieces:
            counts[piece] += probability / sum(ways.values())
    assert total == pytest.approx(sum(ways.values())) == unigram.marginal(word, p)
    assert expected == pytest.approx(dict(counts))
    assert sum(times * len(piece) for piece, times in expected.items()) == pytest.approx(len(word))


@given(texts, tables, st.integers(1, 80))
def test_nbest_is_sorted_and_complete(word, p, n):
    ways = enumerate_segmentations(word, p)
    found = unigram.nbest(word, p, n)
    logs = [log for _, log in found]
    assert len(found) == min(n, len(ways)) == len({pieces for pieces, _ in found})
    assert logs == sorted(logs, reverse=True)
    assert logs == pytest.approx(sorted(map(math.log, ways.values()), reverse=True)[:n])
    assert all(log == pytest.approx(math.log(ways[pieces])) for pieces, log in found)
    assert unigram.viterbi(word, p) == found[0]


@pytest.mark.parametrize(("word", "p", "best"), [
    ("aaa", {"a": .5, "aa": .25}, ("a", "aa")),                             # a·a·a, aa·a and a·aa are equal
    ("abc", {"a": .25, "c": .25, "ab": .25, "bc": .25}, ("a", "bc")),
    ("aaaa", {"a": .5, "aa": .25, "aaa": .125}, ("a", "aaa")),
])
def test_of_equal_segmentations_the_longer_last_piece_wins(word, p, best):
    assert unigram.viterbi(word, p)[0] == best


@given(words, tables, st.integers(0, 4))
@settings(max_examples=60)
def test_the_fast_twin_is_the_readable_one(counts, p, rounds):
    for fast, slow in zip(unigram.em(counts, p, rounds), unigram.em_naive(counts, p, rounds), strict=True):
        assert fast.pieces == slow.pieces and fast.number == slow.number
        assert fast.log_likelihood == pytest.approx(slow.log_likelihood, rel=1e-9, abs=1e-9)
        np.testing.assert_allclose(fast.probabilities, np.array(slow.probabilities, float), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(fast.expected, np.array(slow.expected, float), rtol=1e-9, atol=1e-9)


@given(words, tables)
@settings(max_examples=60)
def test_what_em_keeps(counts, p):
    history = unigram.em(counts, p, 8)
    characters = sum(len(word) * count for word, count in counts.items())
    for state in history:
        assert sum(times * len(piece) for piece, times in zip(state.pieces, state.expected)) == pytest.approx(characters, rel=1e-9)
    for before, after in pairwise(history):
        assert after.probabilities.sum() == pytest.approx(1, abs=1e-12)
        assert after.log_likelihood >= before.log_likelihood - 1e-9
        for word in counts:
            assert unigram.marginal(word, after.p) > 0              # still encodable


SOURCE_TABLE = {"ug": .107, "hug": .071, "hugs": .036, "h": .071, "g": .107, "u": .178, "s": .036, "hu": .071}
SEED_WORDS = ["hug", "hugs", "pug", "pun", "bun"]
SEED_PIECES = ["h", "u", "g", "p", "b", "n", "s", "hu", "ug", "pu", "un", "bu", *SEED_WORDS]


def test_hug_with_the_probabilities_of_the_source():
    for word, total, shares in (("hug", .087546266, [.8110, .0868, .0868, .0154]),
                                ("hugs", .0391516656, [.9195, .0653, .0070, .0070, .0012])):
        ways = unigram.segmentations(word, SOURCE_TABLE)
        assert unigram.marginal(word, SOURCE_TABLE) == pytest.approx(total, rel=1e-8)
        assert [round(probability / total, 4) for _, probability in ways] == shares
    expected = unigram.em(dict.fromkeys(["hug", "hugs"], 1), SOURCE_TABLE, 0)[0]
    assert round(expected.expected[1], 4) == .8763


def test_hug_with_the_right_probabilities_ends_as_the_list_of_words():
    counts = {piece: sum(word.startswith(piece, i) for word in SEED_WORDS for i in range(len(word))) for piece in SEED_PIECES}
    assert sum(counts.values()) == 32
    history = unigram.em(dict.fromkeys(SEED_WORDS, 1), {piece: Fraction(n, 32) for piece, n in counts.items()}, 100)
    assert [round(state.p["hug"], 4) for state in history[1:6]] == [.1502, .1980, .2003, .2001, .2000]
    assert {piece: round(value, 9) for piece, value in history[-1].p.items() if value > 1e-9} == dict.fromkeys(SEED_WORDS, .2)


def test_the_stable_toy():
    history = unigram.em(HUG, dict.fromkeys(HUG_PIECES, 1 / 14), 500)
    assert [round(history[k].log_likelihood, 2) for k in (0, 1, 2, 3, -1)] == [-152.31, -117.33, -106.13, -101.53, -101.10]
    assert all(sum(n * len(piece) for piece, n in zip(state.pieces, state.expected)) == pytest.approx(113) for state in history)


def test_the_first_e_step_in_exact_fractions():
    p = dict.fromkeys(HUG_PIECES, Fraction(1, 14))
    total, _ = unigram.forward_backward("hug", p)
    shares = {pieces: probability / total for pieces, probability in unigram.segmentations("hug", p)}
    assert shares == {("hug",): Fraction(196, 225), ("h", "ug"): Fraction(14, 225), ("hu", "g"): Fraction(14, 225),
                      ("h", "u", "g"): Fraction(1, 225)}
    first, second = unigram.em_naive(HUG, p, 1)
    assert sum(n * len(piece) for piece, n in zip(first.pieces, first.expected)) == 113
    assert sum(second.probabilities) == 1 and all(isinstance(value, Fraction) for value in second.probabilities)


@pytest.mark.parametrize(("push", "winner"), [(0, None), (1e-6, "ab"), (-1e-6, "bc"), (1e-3, "ab"), (-1e-3, "bc")])
def test_the_saddle(push, winner):
    """`abc` as ab·c or a·bc: from the middle EM never moves, beside it it falls to one side."""
    history = unigram.em({"abc": 1}, {"a": .25, "c": .25, "ab": .25 + push, "bc": .25 - push}, 100)
    assert all(after.log_likelihood >= before.log_likelihood - 1e-9 for before, after in pairwise(history))
    last = history[-1].p
    if winner is None:
        assert last == dict.fromkeys(last, .25) and history[-1].log_likelihood == pytest.approx(-math.log(8))
    else:
        assert last[winner] == pytest.approx(.5) and history[-1].log_likelihood == pytest.approx(-math.log(4))


def test_a_piece_may_die():
    history = unigram.em({"abc": 1, "ab": 3}, {"a": .2, "b": .2, "c": .2, "ab": .4}, 1000)
    assert all(math.isfinite(state.log_likelihood) for state in history)
    assert history[-1].p == pytest.approx({"a": 0, "b": 0, "c": .2, "ab": .8})


def test_a_word_may_be_very_long():
    long, p = "abc" * 600, {"a": .2, "b": .2, "c": .2, "ab": .4}
    history = unigram.em({long: 1}, p, 1)
    assert history[0].log_likelihood == pytest.approx(600 * math.log(.2 * (.2 * .2 + .4)))
    assert len(unigram.viterbi(long, p)[0]) == 1200
    assert "".join(unigram.sample(long, p, alpha=.5)[0]) == long
    with pytest.raises(ValueError, match=r"too small for a float"):
        unigram.marginal(long, p)
    with pytest.raises(ValueError, match=r"segmentations, too many to list: use nbest"):
        unigram.segmentations(long, p)


def test_few_but_long_segmentations_are_not_listed():
    p = {"a": .2, "b": .2, "c": .2, "ab": .4}
    assert len(unigram.segmentations("ab" * 12 + "c" * 10, p)) == 2**12
    for word in ("ab" * 12 + "c" * 2000, "c" * 10_000):
        with pytest.raises(ValueError, match=r"10,000,000 pieces in its segmentations, too many to list: use nbest"):
            unigram.segmentations(word, p)


def test_fractions_may_be_smaller_than_any_float():
    tiny = Fraction(1, 10**400)
    assert unigram.viterbi("aa", {"a": tiny}) == (("a", "a"), pytest.approx(-800 * math.log(10)))
    assert unigram.sample("aa", {"a": tiny, "aa": tiny ** 9}, n=3) == [("a", "a")] * 3
    assert unigram.em_naive({"a" * 800: 1}, {"a": Fraction(1, 10)}, 0)[0].log_likelihood == pytest.approx(-800 * math.log(10))


def test_a_piece_of_probability_zero_is_not_used():
    p = {"a": .5, "b": .5, "ab": 0.0}
    assert unigram.segmentations("ab", p) == [(("a", "b"), .25)]
    assert unigram.em({"ab": 1}, p, 2)[-1].p == p


def test_empty_and_short_words():
    assert unigram.segmentations("", {"a": 1.0}) == [((), 1)]
    assert unigram.forward_backward("", {"a": 1.0}) == (1, {})
    assert unigram.viterbi("", {"a": 1.0}) == ((), 0.0) == unigram.nbest("", {}, 3)[0]
    assert unigram.sample("", {"a": 1.0}, n=2) == [(), ()]
    assert unigram.viterbi("a", {"a": 1.0}) == (("a",), 0.0)


@pytest.mark.parametrize("alpha", [0, .3, 1, 2.5])
def test_samples_follow_the_power_of_the_probability(alpha):
    p, n = {"a": .3, "b": .15, "ab": .2, "ba": .2, "aba": .1, "bab": .05}, 20_000
    drawn = Counter(unigram.sample("ababa", p, alpha=alpha, n=n, random_seed=7))
    ways = {pieces: probability ** alpha for pieces, probability in unigram.segmentations("ababa", p)}
    assert drawn.keys() <= ways.keys() and len(ways) == 13
    # All 52 frequencies of these four tests stay within 5 standard errors but once in about 30,000 seeds; within 3 but once in 8.
    for pieces, weight in ways.items():
        share = weight / sum(ways.values())
        assert abs(drawn[pieces] - n * share) <= 5 * math.sqrt(n * share * (1 - share)), pieces
    assert drawn == Counter(unigram.sample("ababa", p, alpha=alpha, n=n, random_seed=7))


@pytest.mark.parametrize(("call", "error", "message"), [
    (lambda: unigram.viterbi("abxab", {"a": .5, "b": .5}), ValueError, r"no segmentation covers the word 'abxab': .* index 2, 'x'"),
    (lambda: unigram.em({"ab": 1, "xy": 1}, {"a": .5, "b": .5}, 1), ValueError, r"no segmentation covers the word 'xy'"),
    (lambda: unigram.forward_backward("ab", {}), ValueError, r"no segmentation covers"),
    (lambda: unigram.viterbi("a", {"a": math.nan}), ValueError, r"p\['a'\] = nan is no probability"),
    (lambda: unigram.viterbi("a", {"a": -1.5}), ValueError, r"no probability: .*math.exp"),
    (lambda: unigram.viterbi("a", {"a": 2.0}), ValueError, r"must be from 0 to 1"),
    (lambda: unigram.viterbi("a", {"a": "x"}), ValueError, r"no probability"),
    (lambda: unigram.viterbi("a", {"": .5, "a": .5}), ValueError, r"the empty piece"),
    (lambda: unigram.viterbi(b"a", {"a": .5}), TypeError, r"word must be str, not bytes"),
    (lambda: unigram.viterbi("\ud800", {"a": .5}), ValueError, r"lone surrogate"),
    (lambda: unigram.nbest("a", {"a": .5}, 0), ValueError, r"n must be a whole number from 1 up"),
    (lambda: unigram.sample("a", {"a": .5}, alpha=-1), ValueError, r"alpha must be a number from 0"),
    (lambda: unigram.sample("a", {"a": .5}, alpha=math.nan), ValueError, r"alpha must be a number from 0"),
    (lambda: unigram.sample("a", {"a": .5}, alpha=1e308), ValueError, r"alpha must be a number from 0 .* to 1,000,000"),
    (lambda: unigram.sample("a", {"a": .5}, alpha=10**400), ValueError, r"alpha must be a number from 0"),
    (lambda: unigram.em({"a": 2**53, "b": 1}, {"a": .5, "b": .5}, 1), ValueError, r"from 1 to 9,007,199,254,740,992 words, counts and all"),
    (lambda: unigram.em({"a": 10**400}, {"a": 1.0}, 1), ValueError, r"from 1 to 9,007,199,254,740,992 words"),
    (lambda: unigram.segmentations(None, {"a": 1.0}), TypeError, r"word must be str"),
    *((lambda call=call: call("a", [("a", 1.0)]), TypeError, r"p must be a mapping of piece to probability, not list")
      for call in (unigram.viterbi, unigram.sample, unigram.marginal, unigram.segmentations)),
    *((lambda call=call: call({"a": 1}, None, 1), TypeError, r"p must be a mapping of piece to probability, not NoneType") for call in (unigram.em, unigram.em_naive, unigram.prune)),
    (lambda: unigram.em({}, {"a": 1.0}, 1), ValueError, r"the corpus is empty"),
    (lambda: unigram.em({"a": 0}, {"a": 1.0}, 1), ValueError, r"the count of 'a'"),
    (lambda: unigram.em({"a": 1}, {"a": 1.0}, -1), ValueError, r"rounds must be a whole number from 0 up"),
])
def test_errors_say_what_to_do(call, error, message):
    with pytest.raises(error, match=message):
        call()
