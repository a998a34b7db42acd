"""Lesson 6 as a learner uses it: its two widgets by keyboard and mouse, the prediction, an exercise from stub to right, the quiz."""
import pytest
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def six(open_notebook):
    return open_notebook("06_pruning")


def test_prediction(six):
    output = six.commit("6.hook", 0)
    expect(output).to_contain_text("You said ▁difficult; it is ▁at", timeout=20_000)
    expect(output).to_contain_text("91.2")


def test_prune_scatter(six, latency):
    scatter = six.explorer("widgets.prune_scatter(")
    assert "27 of the 83 pieces" in scatter.text() and "exact loss 3.1 nats" in scatter.text()
    assert "by count" in scatter.press("ArrowRight")
    assert "▁of: 123 by count" in scatter.press("End")
    scatter.choose("viterbi")
    assert "▁of: " in scatter.text() and "Rank correlation 0.97" in scatter.text()
    scatter.press("PageDown")
    before = scatter.text()
    scatter.drag(-120)
    assert scatter.text() != before and "are written otherwise" in scatter.text()
    six.page.wait_for_timeout(500)
    latency("lesson 6: prune scatter", scatter.latencies())


def test_prune_rounds(six, latency):
    rounds = six.explorer("widgets.prune_rounds(")
    assert "200 pieces" in rounds.text() and "at once" in rounds.text()
    assert "250 pieces" in rounds.press("ArrowRight")
    assert "100 pieces" in rounds.press("Home")
    rounds.choose("50 %")
    assert "100 pieces" in rounds.text() and "cut 2" in rounds.text()
    six.page.wait_for_timeout(500)
    latency("lesson 6: prune rounds", rounds.latencies())


def test_exercise_from_stub_to_wrong_to_right(six):
    check = 'course.check("6.3", keep)'
    assert "Not started yet" in six.output(check).inner_text()
    rarest_first = "def keep(costs, size):\n    return set(sorted(costs, key=costs.get)[::-1][:size])"
    expect(six.check(check, "def keep(costs, size)", rarest_first)).to_contain_text("A character has gone")
    right = ("def keep(costs, size):\n    chars = [x for x in costs if len(x) == 1]\n"
             "    if size < len(chars):\n        raise ValueError('too small')\n"
             "    rest = sorted((x for x in costs if len(x) > 1), key=costs.get, reverse=True)\n    return {*chars, *rest[:size - len(chars)]}")
    expect(six.check(check, "def keep(costs, size)", right)).to_contain_text("Right.")


def test_quiz(six):
    six.quiz(6, 0, "A rare piece can be long", 1)
