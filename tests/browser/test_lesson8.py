"""Lesson 8 as a learner uses it: its two widgets by keyboard and mouse, the prediction, an exercise from stub to right, the quiz."""
import pytest
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def eight(open_notebook):
    return open_notebook("08_sentencepiece")


def test_prediction(eight):
    output = eight.commit("8.hook", "80")
    expect(output).to_contain_text("You said 80; it is 11", timeout=20_000)
    expect(output).to_contain_text("356 of 3,155 lines")
    expect(output).to_contain_text("no piece for { or }")


def test_spaces(eight):
    spaces = eight.explorer("widgets.spaces(")
    assert "2 characters are lost: ··" in spaces.text() and "▁two▁hedgehogs" in spaces.text()
    tick = spaces.root.locator("input[type=checkbox]")
    assert "two··hedgehogs·" in spaces.changes(lambda: tick.nth(1).focus() or eight.page.keyboard.press("Space"))
    assert "Nothing is lost" in spaces.text()
    assert "1 character is lost: 🚕" in spaces.click("taxi")
    assert "Nothing is lost" in spaces.changes(lambda: tick.nth(3).click()) and "<0x9F>" in spaces.text()
    assert "lost: ﬁ２０２４" in spaces.click("ﬁne")
    assert "Nothing is lost" in spaces.changes(lambda: tick.nth(0).click())
    assert "1 character is lost: ▁" in spaces.click("▁")
    spaces.changes(lambda: tick.nth(2).click())
    assert "snake▁case" in spaces.text()
    assert "Nothing is lost" in spaces.type("a  b <script>window.hacked=1</script>")
    assert eight.page.evaluate("() => window.hacked === undefined")


def test_sampler(eight, latency):
    sampler = eight.explorer("widgets.sampler(")
    assert "100 draws" in sampler.text() and "▁token" in sampler.text()
    assert "6.67%" in sampler.press("Home", nth=0)
    assert "99.47%" in sampler.press("End", nth=0)
    sampler.choose("1000", nth=1)
    before = sampler.text()
    sampler.drag(-150, nth=0)
    assert "1,000 draws" in sampler.text() and sampler.text() != before
    assert sampler.press("ArrowRight", nth=2) != before
    latency("lesson 8: sampler, α", sampler.latencies(0))
    sampler.choose("BPE-dropout, the paper's")
    assert "·tokens" in sampler.text() and "standard errors" in sampler.text()
    assert "1 of 1 segmentation seen" in sampler.press("Home", nth=1)
    sampler.press("PageUp", nth=1)
    paper = sampler.text()
    assert sampler.choose("BPE-dropout, SentencePiece's") != paper
    assert "This does not work" in sampler.type("much-too-long-a-word") and "too long" in sampler.text()
    assert "1 of 1 segmentation" not in sampler.click("hedgehogs")
    eight.page.wait_for_timeout(500)
    latency("lesson 8: sampler, p", sampler.latencies(1))


def test_exercise_from_stub_to_wrong_to_right(eight):
    check, stub = 'course.check("8.3", tempered)', "def tempered(probabilities, alpha)"
    assert "Not started yet" in eight.output(check).inner_text()
    powers = f"{stub}:\n    return [p ** alpha for p in probabilities]"
    expect(eight.check(check, stub, powers)).to_contain_text("do not sum to 1")
    right = f"{stub}:\n    powers = [p ** alpha for p in probabilities]\n    return [p / sum(powers) for p in powers]"
    expect(eight.check(check, stub, right)).to_contain_text("Right.")


def test_quiz(eight):
    eight.quiz(8, 0, "no text becomes one", 1)
