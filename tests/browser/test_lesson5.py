"""Lesson 5 as a learner uses it: its three widgets by keyboard and mouse, predictions, an exercise from stub to right, the quiz."""
import pytest
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def five(open_notebook):
    return open_notebook("05_unigram_em")


def test_prediction(five):
    output = five.commit("5.hook", "2")
    expect(output).to_contain_text("You said 2; it is 267", timeout=10_000)
    expect(output).to_contain_text("92.9 %")


def test_a_prediction_in_the_middle(five):
    output = five.commit("5.survivors", "5")
    expect(output).to_contain_text("hug, hugs, pug, pun, bun", timeout=10_000)


def test_lattice(five, latency):
    lattice = five.explorer("widgets.lattice(")
    assert "5 segmentations, the best is hugs with 93.0 %" in lattice.text()
    assert lattice.view.locator("svg path").count() == 8
    lattice.press("End", nth=2)
    lattice.press("ArrowRight", nth=0)
    assert "the best is hug + s" in lattice.press("ArrowRight", nth=0)
    assert lattice.view.locator('svg path[stroke-dasharray="none"]').count() == 2
    assert "4 segmentations, the best is hugs" in lattice.press("Home", nth=0)
    lattice.drag(80, nth=1)
    assert "This does not work" in lattice.type("bugz")
    assert "Traceback" not in lattice.text()
    lattice.click("pun")
    assert "pun: 4 segmentations" in lattice.text()
    lattice.click("hugs")
    five.page.wait_for_timeout(500)
    latency("lesson 5: lattice", lattice.latencies())


def test_em_scrubber(five, latency):
    scrubber = five.explorer("widgets.em_scrubber(")
    assert "Round 0: the log-likelihood is −152.31" in scrubber.text() and "13.13" in scrubber.text()
    assert "Round 1: the log-likelihood is −117.33" in scrubber.press("ArrowRight")
    assert "Round 20: the log-likelihood is −101.10" in scrubber.press("End")
    scrubber.press("Home")
    scrubber.root.get_by_role("button", name="play").click()
    five.page.wait_for_function("e => /Round [2-9]:/.test(e.innerText)", arg=scrubber.view.element_handle(), timeout=15_000)
    scrubber.root.get_by_role("button", name="pause").click()
    expect(scrubber.root.get_by_role("button", name="play")).to_be_visible()
    latency("lesson 5: EM scrubber", scrubber.latencies())


def test_saddle(five):
    saddle = five.explorer("widgets.saddle(")
    for start, left in (("nothing", "a, c, ab, bc"), ("−0.001", "a, bc"), ("+0.001", "c, ab")):
        saddle.choose(start)
        assert all(piece in saddle.view.locator("svg").inner_html() for piece in left.split(", "))
        assert f"{left[-2:]} {'0.250' if start == 'nothing' else '0.500'}" in saddle.text()


def test_hostile_text_stays_text(five):
    lattice = five.explorer("widgets.lattice(")
    lattice.root.locator("input[type=text]").first.fill("<img src=x onerror=window.hacked=1>")
    lattice.waits_for("<img src=")
    assert five.page.evaluate("() => window.hacked === undefined")


def test_exercise_from_stub_to_wrong_to_right(five):
    check = 'course.check("5.2", forward)'
    assert "Not started yet" in five.output(check).inner_text()
    best = "def forward(word, p):\n    return math.exp(unigram.viterbi(word, p)[1])"
    expect(five.check(check, "def forward", best)).to_contain_text("Not yet.")
    expect(five.check(check, "def forward", best.replace("math.exp(unigram.viterbi(word, p)[1])", "unigram.marginal(word, p)"))).to_contain_text("Right.")


def test_quiz(five):
    five.quiz(5, 1, "The best one is used to encode", 0)
