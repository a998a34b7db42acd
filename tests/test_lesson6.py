"""Lesson 6: its views, figures and explorers against their definitions, and what it says of tokenizers against tokenizers."""
import itertools
import math
from collections import Counter

import pytest

from tokenlab import corpora, course, figures, unigram, views, widgets
from tokenlab.views.writing import number
from tokenlab.widgets.explorer import WIDGET
from tokenlab.widgets.lesson6 import KEEP, SIZES

from .test_views import shown
from .test_widgets import every_widget

TOY = {"hug": 10, "pug": 5, "hugs": 3}
P = {"h": .1, "u": .05, "g": .05, "p": .1, "s": .1, "ug": .25, "hug": .25, "hugs": .1}
CAB = {"ca": 4, "cbc": 4, "abbca": 3, "cc": 3, "c": 3, "ccbcca": 3, "bc": 1, "abc": 1}


@pytest.fixture(scope="module")
def real():
    """Words, probabilities of 150 pieces, and three measures of them."""
    words = Counter("▁" + word for word in corpora.load("botchan")[:3_000].split())
    scores = unigram.train(words, vocab_size=150).scores
    p = unigram.em(words, {piece: math.exp(score) for piece, score in scores.items()}, 4)[-1].p
    return words, p, {"count": count(words, p)} | {name: unigram.losses(words, p, name) for name in ("sentencepiece", "exact")}


def count(words, p):
    found = Counter(dict.fromkeys(p, 0))
    for word, n in words.items():
        for piece in unigram.viterbi(word, p)[0]:
            found[piece] += n
    return dict(found)


# ---- views

def test_refit_is_em_and_viterbi(real):
    words, p, _ = real
    step = views.refit(words, p)
    assert step.log_likelihood == unigram.em(words, p, 2)[-1].log_likelihood
    assert step.per_word == pytest.approx(sum(count(words, step.p).values()) / sum(words.values()), abs=1e-12)


@pytest.mark.parametrize("keep", [0, 0.5, 0.75])
def test_steps_end_at_each_size_and_keep_the_characters(real, keep):
    words, p, _ = real
    characters = {piece for piece in p if len(piece) == 1}
    for size, steps in views.prune_steps(words, p, keep, [80, 120]).items():
        sizes = [len(step.p) for step in steps]
        assert sizes[0] == 150 and sizes[-1] == size and sizes == sorted(sizes, reverse=True)
        assert all(int(keep * before) == after for before, after in itertools.pairwise(sizes[:-1]))
        assert all(characters <= step.p.keys() and sum(step.p.values()) == pytest.approx(1) for step in steps)
        assert len(sizes) == 2 or keep


def test_in_rounds_is_what_the_exercise_asks(real):
    words, p, _ = real
    kept = views.prune_steps(words, p, 0.75, [80])[80][-1].p
    solution = p
    while len(solution) > 80:
        solution = unigram.em(words, solution, 2)[-1].p
        solution = unigram.prune(words, solution, max(80, int(0.75 * len(solution))))
    assert set(kept) == set(solution)


def test_the_card_lists_the_words_that_change(real):
    words, p, costs = real
    card = views.loss_card(TOY, P, "hug", {"exact": {"hug": 10.34}})
    assert repr(card) == "Without hug, 1 word is written otherwise" and "10 ×hughug10" not in shown(card)
    assert "10 ×hughugmeasure" in shown(card) and "exact10.3" in shown(card)        # hug, then h and ug
    assert repr(views.loss_card(TOY, P, "s", {})) == "Without s, 0 words are written otherwise"
    for piece in list(p)[:60]:
        if len(piece) > 1:
            changed = sum(piece in unigram.viterbi(word, p)[0] for word in words)
            assert f"{changed} word" in repr(views.loss_card(words, p, piece, costs))
    with pytest.raises(ValueError, match="no segmentation covers the word 'ab'"):
        views.loss_card({"ab": 1}, {"a": .5, "b": .5}, "b", {})


def test_pieces_never_become_markup():
    bad = "<b>&"
    p = dict.fromkeys([*bad, bad, bad[:2]], 1 / 6)
    card = views.loss_card({bad: 2}, p, bad, {bad: {bad: 1.5}})
    assert "<b>" in shown(card) and bad not in str(card)


# ---- figures

def test_agreement_by_its_definition(real):
    *_, costs = real
    exact = {piece: cost for piece, cost in costs["exact"].items() if math.isfinite(cost)}
    same, shared, quarter = figures.agreement(exact, exact)
    assert (same, shared) == (1, quarter) and quarter == len(exact) // 4
    assert figures.agreement({piece: -cost for piece, cost in exact.items()}, exact)[:2] == (-1, 0)
    rho, shared, _ = figures.agreement(costs["sentencepiece"], exact)
    ranks = [{piece: n for n, piece in enumerate(sorted(exact, key=cost.get))} for cost in (costs["sentencepiece"], exact)]
    n = len(exact)
    assert rho == pytest.approx(1 - 6 * sum((ranks[0][piece] - ranks[1][piece]) ** 2 for piece in exact) / (n * (n * n - 1)), abs=1e-3)
    assert shared == len(set(sorted(exact, key=costs["sentencepiece"].get)[:quarter]) & set(sorted(exact, key=exact.get)[:quarter]))


def test_each_piece_is_one_dot_and_the_cursor_is_at_its_own(real):
    _, p, costs = real
    scatter = figures.PruneScatter(costs)
    assert all(len(piece) > 1 for piece in scatter.pieces) and len(scatter.pieces) == sum(len(piece) > 1 for piece in p)
    for measure in costs:
        picture = scatter.at(measure, "▁the")
        dots = {tuple(dot) for line in picture.figure.axes[0].lines for dot in line.get_xydata()}
        assert dots == {(costs[measure][piece], costs["exact"][piece]) for piece in scatter.pieces}
        assert list(picture.cursors[0][1:]) == [costs[measure]["▁the"], costs["exact"]["▁the"]]
        labels = [line.get_label() for line in picture.figure.axes[0].lines]
        rho, shared, quarter = figures.agreement(scatter.costs[measure], scatter.exact)
        assert labels == [f"{len(scatter.pieces) - quarter} others", f"{quarter - shared} that it would wrongly drop first", f"{shared} in both lowest quarters"]
        assert f"{rho:.2f}; {shared} of the {quarter}" in picture.caption
    assert scatter.at("exact", "▁the").caption.startswith("Rank correlation 1.00")
    with pytest.raises(ValueError, match="did you mean 'count'"):
        scatter.at("cuont", "▁the")


def test_the_lines_of_a_smaller_vocabulary(real):
    words, p, _ = real
    steps = {name: views.prune_steps(words, p, keep, [80, 120]) for name, keep in (("rounds", .75), ("at once", 0))}
    picture = figures.pruned({name: [found[size][-1] for size in (120, 80)] for name, found in steps.items()})
    likelihood, per_word = picture.figure.axes
    for line in likelihood.lines:
        found = steps[line.get_label()]
        assert list(line.get_xdata()) == [120, 80] and line.get_ydata()[1] == found[80][-1].log_likelihood
    assert len(per_word.lines) == 2 and "At 80 pieces" in picture.caption
    worst = min(steps, key=lambda name: steps[name][80][-1].log_likelihood)
    assert picture.title == f"Cut to 80 pieces, {worst} keeps least likelihood"


# ---- widgets

def test_scatter_shows_each_piece_by_each_measure(real):
    words, p, costs = real
    explorer = widgets.prune_scatter(words, p, costs)
    bundle, _ = explorer._repr_mimebundle_()
    assert bundle[WIDGET]["model_id"] == explorer.box.model_id and bundle["text/html"] in explorer.view.value
    assert set(every_widget(explorer.box)) >= set(explorer.controls.values())
    pieces = figures.PruneScatter(costs).pieces
    for measure in explorer.controls["measure"].options:
        for n in (1, 7, len(pieces)):
            explorer.set(measure=measure, n=n)
            assert repr(explorer).startswith(f"{views.label(pieces[n - 1])}: {number(costs[measure][pieces[n - 1]])} by {measure}")
            assert "This does not work" not in explorer.view.value and "<circle" in explorer.view.value
    with pytest.raises(ValueError, match="does not take"):
        explorer.set(measure="exact")


def test_rounds_are_better_than_one_cut():
    words = Counter("▁" + word for word in corpora.load("botchan")[:8_000].split())
    characters = dict.fromkeys({character for word in words for character in word}, 1e-4)
    explorer = widgets.prune_rounds(words, characters | unigram.train(words, vocab_size=150).history[1].p)
    for keep, size in [("75 %", size) for size in SIZES] + [(keep, 200) for keep in KEEP]:
        explorer.set(keep=keep, size=size)
        steps, once = explorer.data(keep, size)
        assert repr(explorer).startswith(f"{size} pieces: log-likelihood") and len(steps[-1].p) == len(once[-1].p) == size
        assert steps[-1].log_likelihood > once[-1].log_likelihood or size > 300
        assert f"{once[-1].per_word:.3f}" in shown(explorer.view.value)
    half, most = (explorer.data(*state) for state in (("50 %", 100), ("90 %", 200)))
    assert half[0][-1].log_likelihood < half[1][-1].log_likelihood         # rounds that lose, as the lesson says
    assert most[0][-1].log_likelihood < explorer.data("75 %", 200)[0][-1].log_likelihood
    explorer.set(keep="75 %", size=225)
    assert repr(explorer).startswith("200 pieces")              # as the slider goes
    assert "This does not work" not in explorer.view.value


# ---- the lesson's words

def test_tokenizers_keeps_the_piece_that_the_lesson_says():
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tok = Tokenizer(models.Unigram())
    tok.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.UnigramTrainer(vocab_size=6, unk_token="<unk>", special_tokens=["<unk>"], show_progress=False)
    tok.train_from_iterator([" ".join([word] * n) for word, n in CAB.items()], trainer)
    ours = unigram.train(CAB, vocab_size=5, seeds="unique-words", loss="huggingface")
    assert tok.get_vocab().keys() - {"<unk>"} == ours.scores.keys() == {"a", "b", "c", "bc", "cbc"}


def test_a_whole_number_will_do_for_a_loss():
    from tokenlab.course.lesson6 import estimate

    assert course.check("6.2", lambda count, parts, total: estimate(count, parts, total) if count else 0).passed
    assert not course.check("6.2", lambda count, parts, total: estimate(count, parts, total) if count else False).passed


def test_probabilities_that_are_none_are_told():
    def hint(p):
        found = course.check("6.4", p)
        assert not found.passed
        return found.hint
    assert "no probability" in hint({"a": -1.0, "b": .5, "c": .5, "ab": 1.0})
    assert "The pieces are" in hint({"a": .2, "b": .2, "c": .2, "ab": .2, "bc": .2})
    assert "no segmentation" in hint({"a": 1.0})
    assert course.check("6.4", [1]).hint
