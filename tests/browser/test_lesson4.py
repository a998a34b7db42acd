"""Lesson 4 as a learner uses it: its three widgets by keyboard and mouse, a prediction, an exercise from stub to right, the quiz."""
import pytest
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def four(open_notebook):
    return open_notebook("04_encode_decode")


def test_prediction(four):
    output = four.commit("4.hook", "2")
    expect(output).to_contain_text("You said 2; it is 4", timeout=10_000)
    expect(output).to_contain_text("un, bel, iev, able")


def test_prediction_by_choice(four):
    output = four.commit("4.shortcut", 2)
    expect(output).to_contain_text("You said more; it is fewer", timeout=20_000)
    expect(output).to_contain_text("286,424")


def test_encode_stepper(four, latency):
    stepper = four.explorer("widgets.encode_stepper(")
    assert "12 of 12 joins done; 1 token" in stepper.text() and "24,224" in stepper.text()
    assert "0 of 12 joins done; next: merge 38, l + e" in stepper.press("Home")
    assert "1 of 12 joins done; next: merge 79, · + u" in stepper.press("ArrowRight")
    stepper.drag(150)
    assert "1 of 12" not in stepper.text()
    stepper.changes(lambda: stepper.root.locator("input[type=checkbox]").click())
    assert "8 of 8 joins done; 4 tokens" in stepper.text()
    stepper.click("🚕")
    stepper.choose("o200k_base")
    stepper.waits_for("o200k_base, 🚕: 2 of 2 joins done; 2 tokens")
    assert "112927" in stepper.text() and "0 to 1" in stepper.text()
    stepper.choose("gpt2")
    assert "hedge" in stepper.type("hedgehogs hedgehogs hedgehogs")
    four.page.wait_for_timeout(500)
    latency("lesson 4: encode stepper", stepper.latencies())


def test_replay_or_longest(four):
    contest = four.explorer("widgets.replay_or_longest(")
    assert "abc: both shortcuts differ" in contest.text()
    contest.click("a+b first")
    assert "abc: all three agree" in contest.text() and "differs" not in contest.text()
    contest.click("five merges")
    contest.type("abca")
    contest.waits_for("abca: all three differ")
    assert "is no merge here" in contest.type("b+x", nth=1)
    assert "Traceback" not in contest.text()


def test_drop_by_drop(four, latency):
    drops = four.explorer("widgets.drop_by_drop(")
    assert "5 of 9 ids" in drops.text() and "(waits)" in drops.text()
    assert "0 of 9 ids" in drops.press("Home")
    for _ in range(4):
        drops.press("ArrowRight")
    assert "4 of 9 ids: alone Café·�, buffered Café·" in drops.text()
    drops.click("Hindi")
    drops.waits_for("नम")
    drops.choose("o200k_base")
    drops.click("Korean")
    four.page.wait_for_timeout(500)
    latency("lesson 4: drop by drop", drops.latencies())


def test_hostile_text_stays_text(four):
    stepper = four.explorer("widgets.encode_stepper(")
    stepper.root.locator("input[type=text]").first.fill("<img src=x onerror=window.hacked=1><|endoftext|>")
    stepper.waits_for("onerror")
    assert four.page.evaluate("() => window.hacked === undefined")


def test_exercise_from_stub_to_wrong_to_right(four):
    check = 'course.check("4.1", encode_piece)'
    assert "Not started yet" in four.output(check).inner_text()
    longest = "def encode_piece(data, ranks):\n    return bpe.longest_match(data, {a + b for a, b in ranks})"
    expect(four.check(check, "def encode_piece", longest)).to_contain_text("You cut off the longest token each time")
    right = "def encode_piece(data, ranks):\n    return bpe.encode_chunk(data, ranks)"
    expect(four.check(check, "def encode_piece", right)).to_contain_text("Right.")


def test_quiz(four):
    four.quiz(4, 0, "Length plays no role", 2)
