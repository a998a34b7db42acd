"""BPE-dropout: the exact distributions against their definitions, against draws, and against the libraries that drop joins."""
import io
import math
import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlab import bpe, data, pretrained, unigram
from tokenlab.bpe.joins import recover_merges

ABAB = [("a", "b"), ("ab", "ab")]
LISTS = [ABAB, [("b", "c"), ("a", "b"), ("a", "bc"), ("c", "a")], [("a", "a"), ("aa", "a")], [("a", "b"), ("b", "a"), ("ab", "a"), ("a", "ba")], []]
HALF = Fraction(1, 2)
DRAWS, SEEDS = 10_000, range(5)


def exact(word, merges, p, rule="paper"):
    return dict(bpe.dropout_distribution(word, merges, p, rule))


def bound(freedom):
    """What chi-square of so many degrees exceeds at most once in a million times (Wilson and Hilferty 1931, 4.75 deviations)."""
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + 4.75 * math.sqrt(spread)) ** 3


def chi_square(chances, *runs):
    """Pearson's statistic of all runs (lists of draws) together, and its degrees of freedom.

    Each frequency of each run is in it, so no seed need be chosen. Ways of which fewer than 25 are expected count as one.
    """
    total = freedom = 0
    for draws in runs:
        found, groups = Counter(draws), {}
        assert found.keys() <= {way for way, chance in chances.items() if chance}, "drawn, but it cannot be"
        for way, chance in chances.items():
            expected = len(draws) * float(chance)
            seen, wanted = groups.get(key := way if expected >= 25 else "rare", (0, 0))
            groups[key] = seen + found[way], wanted + expected
        total += sum((seen - wanted) ** 2 / wanted for seen, wanted in groups.values() if wanted)
        freedom += len(groups) - 1
    return total, freedom


def follow(chances, *runs):
    """Whether the draws of the runs can have been made with these chances; for right ones it says no once in a million times."""
    total, freedom = chi_square(chances, *runs)
    return total <= bound(freedom)


def test_the_bound_is_exceeded_once_in_a_million_times():
    for freedom in range(2, 62, 2):                 # where the tail is a short sum
        half = bound(freedom) / 2
        assert 2e-7 < math.exp(-half) * sum(half ** k / math.factorial(k) for k in range(freedom // 2)) <= 1e-6
    assert follow({"a": 0.5, "b": 0.5}, [*"ab"] * 500) and not follow({"a": 0.5, "b": 0.5}, [*"aab"] * 500)


# ---- against the definitions

@pytest.mark.parametrize("rule, chances", [("paper", "1/4 1/4 1/8 3/16 3/16"), ("sentencepiece", "1/4 1/4 1/4 1/8 1/8")])
def test_abab_by_hand(rule, chances):
    ways = [tuple(way.split()) for way in ("a b a b", "ab a b", "a b ab", "ab ab", "abab")]
    assert exact("abab", ABAB, HALF, rule) == dict(zip(ways, map(Fraction, chances.split())))
    assert {tuple(t.decode() for t in way): q for way, q in exact(b"abab", [(b"a", b"b"), (b"ab", b"ab")], HALF, rule).items()} == dict(
        zip(ways, map(Fraction, chances.split())))


def by_algorithm_1(tokens, merges, p):
    """The paper's algorithm, read off: of every step, all subsets of candidates that stay."""
    ranks = {pair: rank for rank, pair in reversed([*enumerate(merges)])}
    places = [i for i, pair in enumerate(pairwise(tokens)) if pair in ranks]
    ends = Counter()
    for kept in range(1 << len(places)):
        stay = [i for n, i in enumerate(places) if kept >> n & 1]
        chance = (1 - p) ** len(stay) * p ** (len(places) - len(stay))
        if not stay:
            ends[tokens] += chance
        elif chance:
            i = min(stay, key=lambda i: (ranks[tokens[i:i + 2]], i))
            for end, q in by_algorithm_1((*tokens[:i], tokens[i] + tokens[i + 1], *tokens[i + 2:]), merges, p).items():
                ends[end] += chance * q
    return ends


@given(st.text("abc", max_size=5), st.sampled_from(LISTS), st.sampled_from([0, Fraction(1, 10), HALF, 1]))
@settings(max_examples=80)
def test_the_distribution_is_that_of_the_papers_algorithm(word, merges, p):
    assert exact(word, merges, p) == {way: q for way, q in by_algorithm_1(tuple(word), merges, p).items() if q}


@given(st.text("abc", max_size=7), st.sampled_from(LISTS), st.fractions(0, 1, max_denominator=7), st.sampled_from([*bpe.DROPOUT_RULES]))
@settings(max_examples=100)
def test_it_is_a_distribution_over_ways_to_write_the_word(word, merges, p, rule):
    ways = bpe.dropout_distribution(word, merges, p, rule)
    assert sum(q for _, q in ways) == 1 and all(q > 0 and "".join(way) == word for way, q in ways)
    assert [q for _, q in ways] == sorted((q for _, q in ways), reverse=True)
    assert exact(word, merges, 1, rule) == {tuple(word): 1}
    data, pairs = word.encode(), [(a.encode(), b.encode()) for a, b in merges]
    plain = bpe.encode_chunk(data, pairs, "lowest-bytes" if rule == "sentencepiece" else "lowest-rank")
    assert exact(data, pairs, 0, rule) == {tuple(plain): 1} and bpe.dropout(data, pairs, 0, rule) == [tuple(plain)]


def test_joined_by_text_a_piece_may_come_from_another_pair():
    merges = [("a", "b"), ("b", "c"), ("ab", "c")]              # abc is learned from ab + c; with ab left out, a + bc spells it too
    assert ("abc",) in exact("abc", merges, HALF, "sentencepiece") and exact("abc", merges, HALF)["a", "bc"] > exact("abc", merges, HALF, "sentencepiece")["a", "bc"]


# ---- draws

@pytest.mark.parametrize("rule", bpe.DROPOUT_RULES)
@pytest.mark.parametrize("word, merges, p", [("abab", ABAB, 0.5), ("abab", ABAB, 0.1), ("abcabc", LISTS[1], 0.3), ("aaaa", LISTS[2], 0.5)])
def test_draws_are_near_the_exact_chances(word, merges, p, rule):
    runs = [bpe.dropout(word, merges, p, rule, n=DRAWS, random_seed=seed) for seed in SEEDS]
    assert runs[1] == bpe.dropout(word, merges, p, rule, n=DRAWS, random_seed=1) != runs[2]
    assert follow(exact(word, merges, p, rule), *runs) and not follow(exact(word, merges, 1.1 * p, rule), *runs)


@pytest.mark.parametrize("alpha", [0, 0.5, 1, 2])
def test_draws_of_unigram_are_near_the_exact_chances(alpha):
    p = {"h": .1, "u": .15, "g": .15, "s": .1, "ug": .2, "hug": .2, "hugs": .1}
    ways = unigram.segmentations("hugs", p)

    def chances(alpha):
        return {way: q ** alpha / sum(q ** alpha for _, q in ways) for way, q in ways}

    runs = [unigram.sample("hugs", p, alpha, n=DRAWS, random_seed=seed) for seed in SEEDS]
    assert follow(chances(alpha), *runs) and not follow(chances(alpha + 0.1), *runs)


def test_many_draws_show_no_bias():
    """A million draws as one run: its standard errors are a tenth of those of 10,000."""
    p = {"h": .1, "u": .15, "g": .15, "s": .1, "ug": .2, "hug": .2, "hugs": .1}
    ways = dict(unigram.segmentations("hugs", p))
    many = [way for seed in range(100) for way in unigram.sample("hugs", p, n=DRAWS, random_seed=seed)]
    total = sum(ways.values())
    assert follow({way: q / total for way, q in ways.items()}, many)


# ---- the libraries

def test_tokenizers_has_the_papers_distribution_where_no_two_candidates_overlap():
    """It cannot be seeded: the bound is all that keeps this from failing at random."""
    from tokenizers.models import BPE

    def draws(word, merges):
        vocab = {token: i for i, token in enumerate([*"abc", *dict.fromkeys(a + b for a, b in merges)])}
        model = BPE(vocab, merges, dropout=0.5)
        return [tuple(token.value for token in model.tokenize(word)) for _ in range(DRAWS)]

    assert follow(exact("abab", ABAB, 0.5), draws("abab", ABAB))
    # After bc is joined, its queue still holds ab; popped, it counts as a join.
    assert not follow(exact("abcabc", LISTS[1], 0.5), draws("abcabc", LISTS[1]))


@pytest.mark.parametrize("word, alpha", [("there", 0.5), ("teacher", 0.3), ("that", 0.1), ("the", 0.5)])
def test_sentencepiece_has_its_own_distribution(word, alpha):
    """The novel's model: the pieces in the order of their scores, each with the pair that it was learned from."""
    tok = pretrained.load("botchan-bpe")
    order = sorted((piece for piece in tok.model if piece.kind == "normal" and len(piece.text) > 1), key=lambda piece: -piece.score)
    merges = [(a.decode(), b.decode()) for a, b in recover_merges([character.encode() for character in piece.text] for piece in order)]
    sentencepiece.set_random_generator_seed(8)
    theirs = sentencepiece.SentencePieceProcessor(model_proto=data.read("tokenizers/botchan_en_bpe_1000.model"))
    draws = [tuple(theirs.encode(word, out_type=str, enable_sampling=True, alpha=alpha)) for _ in range(DRAWS)]
    chances = exact("▁" + word, merges, alpha, "sentencepiece")
    assert len(chances) > 3
    assert follow(chances, draws) and not follow(exact("▁" + word, merges, alpha), draws)       # the paper's is another


def test_subword_nmt_joins_all_copies_at_once():
    from subword_nmt.apply_bpe import BPE

    random.seed(8)
    model = BPE(io.StringIO("#version: 0.2\na b\nab ab\n"))
    draws = Counter(model.process_line("ababz", dropout=0.5).replace("@@", "") for _ in range(4_000))
    assert draws["abab z"] / 4_000 == pytest.approx(0.25, abs=0.03) and exact("abab", ABAB, HALF)["abab",] == Fraction(3, 16)


# ---- errors, borders

def test_empty_and_one_character():
    for rule in bpe.DROPOUT_RULES:
        assert exact("", ABAB, HALF, rule) == {(): 1} and exact("a", ABAB, HALF, rule) == {("a",): 1}
        assert bpe.dropout("", ABAB, 0.5, rule) == [()] and bpe.dropout("abab", ABAB, 0.5, rule, n=0) == []


@pytest.mark.parametrize("draw", [bpe.dropout, bpe.dropout_distribution])
def test_what_is_refused(draw):
    for p in (-0.1, 1.1, float("nan"), float("inf"), "0.5", None):
        with pytest.raises(ValueError, match=r"p must be a number from 0 \(no join is left out\) to 1"):
            draw("abab", ABAB, p)
    with pytest.raises(ValueError, match="did you mean 'paper'"):
        draw("abab", ABAB, 0.5, "papre")
    with pytest.raises(TypeError, match="two bytes, as in .*, not \\('a', 'b'\\)"):
        draw(b"abab", ABAB, 0.5)
    with pytest.raises(TypeError, match="word must be str or bytes, not list"):
        draw([*"abab"], ABAB, 0.5)


def test_a_word_with_too_many_states_is_refused_at_once():
    merges = [("a" * i, "a" * j) for i in range(1, 9) for j in range(1, 9)]
    with pytest.raises(ValueError, match="more than 50,000 states: take a shorter word"):
        bpe.dropout_distribution("a" * 16, merges, 0.5)
    assert bpe.dropout("a" * 16, merges, 0.5)
