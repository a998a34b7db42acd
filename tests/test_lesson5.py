"""Lesson 5: its views, figure and explorers, on odd input too, and what its notebook says of the real libraries."""
import hashlib
import json
import math
import pathlib
import re
from collections import Counter

import nbformat
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlab import corpora, course, figures, pretrained, unigram, views, widgets
from tokenlab.views.pieces import bounds
from tokenlab.widgets import lesson5
from tokenlab.widgets.explorer import WIDGET

from .test_figures import check
from .test_unigram_training import FIXTURE, hugging_face, sentence_piece
from .test_views import NASTY, shown
from .test_widgets import every_widget, press

NOTEBOOK = pathlib.Path(__file__).resolve().parents[1] / "notebooks" / "05_unigram_em.ipynb"
TOY = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
PIECES = [*"hugpnbs", "ug", "un", "hu", "bu", "hug", "gs", "ugs"]
SEEDS = {piece: n / 32 for piece, n in lesson5.COUNTS.items()}


@pytest.fixture(scope="module")
def history():
    return unigram.em(TOY, dict.fromkeys(PIECES, 1 / 14), 20)


def sources():
    return "\n".join(cell.source for cell in nbformat.read(NOTEBOOK, as_version=4).cells)


# ---- the lattice

words = st.text("abc", min_size=1, max_size=8)
tables = st.dictionaries(st.text("abc", min_size=2, max_size=4), st.floats(.01, .5), max_size=8).map(lambda p: p | dict.fromkeys("abc", .125))


@given(words, tables)
def test_the_arcs_of_a_lattice_are_what_forward_backward_counts(word, p):
    state, (total, expected) = views.lattice_state(word, p), unigram.forward_backward(word, p)
    counted = Counter()
    for (start, end), share in state["arcs"].items():
        counted[word[start:end]] += share
    assert dict(counted) == pytest.approx(expected) and state["total"] == pytest.approx(total)
    assert state["best"] == unigram.viterbi(word, p)[0] == state["ways"][0][0]
    assert sum(share for *_, share in state["ways"]) == pytest.approx(1)
    for place in range(1, len(word)):               # a cut through the lattice between two circles
        crossing = [share for (start, end), share in state["arcs"].items() if start < place <= end]
        assert sum(crossing) == pytest.approx(1)


@given(words, tables)
def test_the_drawing_has_an_arc_for_each_span_and_the_best_way_solid(word, p):
    state, card = views.lattice_state(word, p), views.lattice_card(word, p)
    arcs = re.findall('<path d="M([0-9.]+) [^"]+".*?stroke-dasharray="([^"]+)"', card)
    assert len(arcs) == len(state["arcs"])
    assert sum(dash == "none" for _, dash in arcs) == len(state["best"]) and card.count("<circle") == len(word) + 1
    assert "▸ best" in shown(card) and card.count("▸") == 1


def test_hugs_with_the_seeds():
    card = views.lattice_card("hugs", SEEDS)
    assert card.plain == "hugs: 5 segmentations, the best is hugs with 93.0 % of 0.0336"
    for share in ("93.0 %", "5.8 %", "0.5 %", "0.1 %"):
        assert share in shown(card)
    assert bounds(("hu", "g", "s")) == [(0, 2), (2, 3), (3, 4)] and bounds(()) == []


def test_a_long_word_is_cut_and_many_ways_are_counted():
    p = {"a" * n: .1 for n in (1, 2, 3)}
    card = shown(views.lattice_card("a" * 40, p))
    assert "only the first 9 of 40 characters are drawn" in card and "only the first 8 of 149 segmentations are drawn" in card


@pytest.mark.parametrize("s", NASTY)
def test_no_word_breaks_the_lattice_or_becomes_markup(s):
    p = dict.fromkeys(s, .5)
    card = views.lattice_card(s, p)
    assert card.plain in shown(card) and len(card) < 40_000 and "<script" not in card
    explorer = widgets.lattice()
    explorer.set(word=s)
    assert "<script" not in explorer.view.value


def test_sliders_leave_probabilities_that_sum_to_1():
    explorer = widgets.lattice()
    for moved in ({}, {"hug": 10, "ug": 10, "s": 10}, {"hug": 0, "ug": 0, "s": 0}, {"hug": 7, "s": 1}):
        explorer.set(**moved)
        state = explorer.data(**explorer.state)
        # the words of one piece each tell their probability
        p = {word: next(q for pieces, q, _ in explorer.data(**explorer.state | {"word": word})["ways"] if pieces == (word,))
             for word in ("hugs", "pun", "u", *(["hug"] if explorer.state["hug"] else []))}
        rest = 1 - sum(explorer.state[name] for name in ("hug", "ug", "s")) / 32
        assert p["u"] == pytest.approx(5 / 26 * rest) and p["hugs"] == p["pun"] == pytest.approx(1 / 26 * rest)
        assert p.get("hug", 0) == pytest.approx(explorer.state["hug"] / 32) and state["word"] == "hugs"


def test_what_the_lesson_asks_of_the_lattice():
    explorer = widgets.lattice()
    explorer.set(s=10)
    assert "best is hugs" in repr(explorer)
    explorer.set(hug=4)
    assert "best is hug + s" in repr(explorer)
    explorer.set(hug=0)
    assert repr(explorer).startswith("hugs: 4 segmentations, the best is hugs with")
    explorer.set(word="bugz")
    assert "This does not work" in explorer.view.value and "'z'" in repr(explorer)
    press(explorer, "pun")
    assert repr(explorer).startswith("pun: 4 segmentations, the best is pun")


# ---- rounds of EM

def test_counts_beside_substrings(history):
    card = shown(views.counts_card(history[0], TOY))
    assert "Round 0: the log-likelihood is −152.31" in card and "113.00 characters" in card
    assert "u36 1.430.071" in card and "p17 17.000.071" in card and "hug15 10.260.071" in card


def test_the_figure_draws_the_history(history, monkeypatch):
    drawn = figures.Convergence(history)
    ax, other = drawn.axes
    by_name = {line.get_label(): line.get_ydata() for line in ax.lines}
    for piece in ("p", "un", "hug", "s", "ug", "b"):
        np.testing.assert_allclose(by_name[piece], [state.p[piece] for state in history])
    assert len(ax.lines) == 14
    values = other.lines[0].get_ydata()
    assert list(values) == [state.log_likelihood for state in history] and (np.diff(values) > -1e-9).all()
    picture = drawn.at()
    assert picture.title == "6 of 14 pieces are left: p, un, hug, s, ug, b"
    assert "p 0.274, un 0.258, hug 0.242" in picture.caption and "−152.31 → −101.10 in 20 rounds" in picture.caption
    check(picture, monkeypatch)


def test_a_claim_is_drawn_as_crosses(monkeypatch):
    words = dict.fromkeys(lesson5.WORDS, 1)
    picture = figures.convergence(unigram.em(words, SEEDS, 20), [.120, .156, .161, .162, .162])
    cross = next(line for line in picture.figure.axes[0].lines if line.get_label() == "claimed")
    assert (list(cross.get_xdata()), list(cross.get_ydata())) == ([1, 2, 3, 4, 5], [.120, .156, .161, .162, .162])
    assert picture.title == "5 of 17 pieces are left: hug, pug, pun, bun, hugs"
    check(picture, monkeypatch)


def test_only_the_cursor_moves(history):
    explorer = widgets.em_scrubber(TOY, history)
    before = explorer.view.value
    explorer.set(k=3)
    assert repr(explorer) == "Round 3: the log-likelihood is −101.53" and "Round 3: log-likelihood −101.53" in explorer.view.value
    assert explorer.view.value != before and explorer.view.value.count("<circle") == 2
    explorer.set(k=0)
    assert explorer.view.value == before


@pytest.mark.parametrize(("start", "left"), [("nothing", "a, c, ab, bc"), ("+0.000001", "ab"), ("−0.000001", "bc"), ("+0.001", "ab"), ("−0.001", "bc")])
def test_the_saddle_falls_to_the_side_of_the_push(start, left, monkeypatch):
    explorer = widgets.saddle()
    explorer.set(start=start)
    title = repr(explorer).split(".")[0]
    number, named = re.fullmatch(r"(\d) of 4 pieces are left: (.*)", title).groups()
    assert int(number) == len(named.split(", ")) and set(left.split(", ")) <= set(named.split(", "))
    history = lesson5.fallen(start)
    end = -math.log(8) if start == "nothing" else -math.log(4)
    assert history[0].log_likelihood == pytest.approx(-math.log(8), abs=1e-5) and history[-1].log_likelihood == pytest.approx(end, abs=1e-6)
    check(figures.convergence(history), monkeypatch)


def test_each_shows_itself_and_all_its_controls_work(history):
    for explorer in (widgets.lattice(), widgets.em_scrubber(TOY, history), widgets.saddle()):
        bundle, _ = explorer._repr_mimebundle_()
        assert bundle[WIDGET]["model_id"] == explorer.box.model_id and bundle["text/plain"] == repr(explorer)
        placed = list(every_widget(explorer.box))
        for name, control in explorer.controls.items():
            before = explorer.view.value
            assert control in placed and control.description
            explorer.set(**{name: {"word": "pug", "hug": 5, "ug": 5, "s": 5, "k": 4, "start": "−0.001"}[name]})
            assert (explorer.view.value != before or name == "s") and "This does not work" not in explorer.view.value


# ---- what the lesson says

def test_the_fingerprints_are_those_of_the_libraries():
    novel, said = corpora.load("botchan"), sources()
    for train, name in ((sentence_piece, "sentencepiece"), (hugging_face, "tokenizers")):
        pieces = sorted(train(novel, 1000))
        stated = re.search(rf'== "([0-9a-f]+)" +# {name}', said)[1]
        assert hashlib.sha256("\n".join(pieces).encode("utf-8")).hexdigest().startswith(stated) and len(stated) == 12
    fixture = json.loads(FIXTURE.read_text(encoding="utf-8"))["comparisons"]
    for name, pieces in (("sentencepiece, botchan, 1000", 997), ("tokenizers, botchan, 1000", 999)):
        assert fixture[name]["equal"] == fixture[name]["pieces"] == pieces
        assert "All 997 and all 999 pieces" in said


def test_the_predictions_are_computed():
    hook, left = course.predict("5.hook").places, course.predict("5.survivors").places
    assert (hook["answer"], hook["share"], hook["other"]) == (267, "92.9", "6.8")
    assert pretrained.load("t5").pieces("tokenization") == hook["best"].split(" + ")
    assert {"▁to", "ken", "tion"} <= {piece.text for piece in pretrained.load("t5").model}
    assert (left["answer"], left["pieces"], left["left"]) == (5, 17, "hug, hugs, pug, pun, bun")


def test_a_function_that_lists_all_segmentations_is_stopped():
    def forward(word, p):
        if not word:
            return 1.0
        return sum(p[word[:end]] * forward(word[end:], p) for end in range(1, len(word) + 1) if word[:end] in p)
    result = course.check("5.2", forward)
    assert not result.passed and "aaaa" in result.case
