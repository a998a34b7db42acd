"""Lesson 9 as a learner uses it: its two widgets by keyboard and mouse, the prediction, an exercise from stub to right, the quiz."""
import pytest
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def nine(open_notebook):
    return open_notebook("09_cost_of_a_vocabulary")


def test_prediction(nine):
    expect(nine.commit("9.hook", "3")).to_contain_text("It is dearer than that")


def test_budget(nine, latency):
    budget = nine.explorer("widgets.budget(")
    assert "256 ids: 10,000 tokens" in budget.text() and "least at 16,384" in budget.text()
    assert "512 ids" in budget.press("ArrowRight")
    assert "20,898 ids" in budget.press("End") and "16,049,664" in budget.text()
    untied = budget.changes(lambda: budget.root.locator("input[type=checkbox]").click())
    assert "32,099,328" in untied and "least at 16,384" in untied
    assert "least at 4,096" in budget.choose("256 wide, 4 layers")
    assert "least at 20,898" in budget.choose("1,000,000 bytes", nth=1)
    assert "20,898 ids" not in budget.drag(-200)
    nine.page.wait_for_timeout(500)
    latency("lesson 9: budget", budget.latencies(presses=20))


def test_price_of_a_language(nine, latency):
    price = nine.explorer("widgets.price_of_language(")
    assert "Burmese is dearest with 15.70" in price.text() and "ქართული" in price.text()
    assert "Lao is dearest with 9.60" in price.choose("o200k_base")
    assert "is lost in 29 of 46 languages" in price.choose("t5")
    assert "isiZulu" in price.click("Africa") and "ქართული" not in price.text()
    assert "unknown language code 'xxx'" in price.type("mya xxx") and "Traceback" not in price.text()
    assert "no language is chosen" in price.type(" ")
    assert "Burmese is dearest with 1.17" in price.type("mya eng")
    latency("lesson 9: price of a language", price.latencies(control=price.root.locator("input[type=text]").first, keys=("Backspace", "g"), presses=20))
    assert "Burmese" in price.click("all 46")


def test_exercise_from_stub_to_wrong_to_right(nine):
    check, stub = 'course.check("9.4", request_price)', "def request_price("
    head = "def request_price(prompt, answer, window, price_in, price_out):\n"
    assert "Not started yet" in nine.output(check).inner_text()
    total = "    return round((prompt * price_in + answer * price_out) / 1_000_000, 6)"
    expect(nine.check(check, stub, head + total)).to_contain_text("must be refused with a ValueError")
    refuse = "    if prompt > window - answer:\n        raise ValueError('too long')\n"
    expect(nine.check(check, stub, head + refuse + total)).to_contain_text("Right.")


def test_quiz(nine):
    nine.quiz(9, 0, "There are exactly 200,000", 1)
