"""What each loss says, computed again in plain Python from its definition."""
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tokenlab import corpora, unigram

from .test_unigram import tables, words

HUGGING_FACE_WORDS = {"ca": 4, "cbc": 4, "abbca": 3, "cc": 3, "c": 3, "ccbcca": 3, "bc": 1, "abc": 1}


def drop(p, piece):
    return {other: value for other, value in p.items() if other != piece}


def log_likelihood(counts, p):
    return sum(count * math.log(unigram.marginal(word, p)) for word, count in counts.items())


def best_log_likelihood(counts, p):
    return sum(count * unigram.viterbi(word, p)[1] for word, count in counts.items())


def by_definition(counts, p, piece, loss):
    if loss == "viterbi":
        return best_log_likelihood(counts, p) - best_log_likelihood(counts, drop(p, piece))
    if loss == "marginal":
        return log_likelihood(counts, p) - log_likelihood(counts, drop(p, piece))
    if loss == "exact":
        return unigram.em_naive(counts, p, 2)[-1].log_likelihood - unigram.em_naive(counts, drop(p, piece), 2)[-1].log_likelihood
    used = Counter()
    for word, count in counts.items():
        for part in unigram.viterbi(word, p)[0]:
            used[part] += count
    total, instead = used.total(), unigram.viterbi(piece, drop(p, piece))[0]
    more = used[piece] * (len(p) if loss == "huggingface" else len(instead) - 1)
    if not used[piece]:
        return 0
    return used[piece] * (math.log(used[piece] / total)
                          - sum(math.log((used[part] + used[piece]) / (total + more)) for part in instead))


@given(words, tables, st.sampled_from(list(unigram.LOSSES)))
@settings(max_examples=100)
def test_losses_are_what_their_definitions_say(counts, p, loss):
    # where two segmentations are equally likely, which one is taken hangs on the last bit of a sum
    assume(all(len(two := unigram.nbest(text, p, 3)) < 2 or min(a[1] - b[1] for a, b in zip(two, two[1:])) > 1e-6  # noqa: RUF007
               for text in [*counts, *p]))
    found = unigram.losses(counts, p, loss)
    assert list(found) == list(p)
    for piece in p:
        if len(piece) > 1:
            assert found[piece] == pytest.approx(by_definition(counts, p, piece, loss), rel=1e-9, abs=1e-6), piece
        elif loss in ("viterbi", "marginal", "exact"):
            assert found[piece] == math.inf


def test_what_nothing_else_can_spell_costs_infinity():
    p = {"a": .25, "c": .25, "ab": .25, "bc": .25}
    for loss in ("viterbi", "marginal", "exact"):
        assert unigram.losses({"ab": 2, "abc": 1}, p, loss)["ab"] == math.inf
    assert unigram.losses({"abc": 1}, p, "exact")["ab"] == pytest.approx(-math.log(2))      # off the saddle: a·bc alone is better
    assert unigram.losses({"abc": 1}, p, "marginal")["ab"] == pytest.approx(math.log(2))


def test_a_piece_that_no_best_path_has_can_cost_something():
    p = {"a": .3, "b": .3, "ab": .08, "c": .32}
    cost = {loss: unigram.losses({"ab": 5, "c": 3, "abc": 2}, p, loss)["ab"] for loss in unigram.LOSSES}
    assert cost["sentencepiece"] == cost["huggingface"] == cost["viterbi"] == 0 < cost["marginal"] < 10 and cost["exact"] > 1


@given(words, tables, st.sampled_from(list(unigram.LOSSES)), st.integers(0, 5))
@settings(max_examples=50)
def test_pruning_keeps_the_characters_and_the_dearest(counts, p, loss, more):
    singles = [piece for piece in p if len(piece) == 1]
    kept = unigram.prune(counts, p, len(singles) + more, loss)
    assert set(singles) <= set(kept) <= set(p) and len(kept) == min(len(p), len(singles) + more)
    assert sum(kept.values()) == pytest.approx(1)
    assert all(kept[piece] / kept["a"] == pytest.approx(p[piece] / p["a"]) for piece in kept)
    cost = unigram.losses(counts, p, loss)
    gone = [cost[piece] for piece in p if piece not in kept]
    assert not gone or max(gone) <= min((cost[piece] for piece in kept if len(piece) > 1), default=math.inf)


def test_a_character_that_em_has_made_impossible_can_be_used_after_pruning():
    p = unigram.prune({"ab": 5, "b": 1}, {"a": 0.0, "b": .2, "ab": .8}, 2)
    assert list(p) == ["a", "b"] and 0 < p["a"] < 1e-9 and unigram.viterbi("ab", p)[0] == ("a", "b")


def test_on_real_text_scoring_again_comes_nearer_to_exact_than_the_formula():
    text = corpora.load("botchan")[:16_000]
    counts = Counter("▁" + word for word in text.split())
    characters = {character for word in counts for character in word}
    trace = unigram.train(counts, vocab_size=250)
    p = unigram.em(counts, dict.fromkeys(characters, 1e-4) | trace.history[-1].p, 5)[-1].p
    cost = {loss: unigram.losses(counts, p, loss) for loss in unigram.LOSSES}
    long = [piece for piece in p if len(piece) > 1]

    def spearman(loss):
        ranks = [np.argsort(np.argsort([cost[name][piece] for piece in long])) for name in (loss, "exact")]
        return np.corrcoef(*ranks)[0, 1]

    assert spearman("viterbi") > .9 and spearman("marginal") > .9
    assert spearman("huggingface") < spearman("sentencepiece") < min(spearman("viterbi"), spearman("marginal"))


def test_the_word_list_on_which_the_loss_of_hugging_face_keeps_another_piece():
    kept = {loss: set(unigram.train(HUGGING_FACE_WORDS, vocab_size=5, seeds="unique-words", loss=loss).scores)
            for loss in ("huggingface", "sentencepiece")}
    assert kept == {"huggingface": {"a", "b", "c", "bc", "cbc"}, "sentencepiece": {"a", "b", "c", "bc", "ab"}}


@pytest.mark.parametrize("loss", unigram.LOSSES)
def test_losses_of_fractions_are_those_of_floats(loss):
    p = {"a": Fraction(1, 4), "b": Fraction(1, 4), "ab": Fraction(1, 2)}
    counts, floats = {"ab": 3, "a": 1}, {piece: float(value) for piece, value in p.items()}
    assert unigram.losses(counts, p, loss) == unigram.losses(counts, floats, loss)
    assert unigram.prune(counts, p, 2, loss) == unigram.prune(counts, floats, 2, loss) == {"a": .5, "b": .5}


@pytest.mark.parametrize(("call", "message"), [
    (lambda: unigram.losses({"a": 1}, {"a": 1.0}, "exakt"), r"unknown loss 'exakt': did you mean 'exact'"),
    (lambda: unigram.losses({"b": 1}, {"a": 1.0}), r"no segmentation covers the word 'b'"),
    (lambda: unigram.losses({}, {"a": 1.0}), r"the corpus is empty"),
    (lambda: unigram.losses({"a": 1}, {"a": -1.0}), r"no probability"),
    (lambda: unigram.prune({"a": 1}, {"a": -1.0}, 1), r"no probability"),
    (lambda: unigram.prune({"ab": 1}, {"a": .5, "b": .5}, 1), r"size must be a whole number from 2 up \(every character stays\)"),
])
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()
