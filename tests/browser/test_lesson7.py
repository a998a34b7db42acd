"""Lesson 7 as a learner uses it: its two widgets by keyboard and mouse, predictions, an exercise from stub to right, the quiz."""
import pytest
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def seven(open_notebook):
    return open_notebook("07_letters_digits_blanks")


def test_predictions(seven):
    expect(seven.commit("7.hook", "2")).to_contain_text("As you may have read")
    expect(seven.commit("7.python", "1.2")).to_contain_text("it is 1.83")


def test_what_the_model_sees(seven, latency):
    sees = seven.explorer("widgets.what_the_model_sees(")
    assert "the model gets 3 ids, and no letters" in sees.text() and "berry" not in sees.text()

    def tick(nth):
        return sees.changes(lambda: sees.root.locator("input[type=checkbox]").nth(nth).click())

    assert "0 ids in common" in tick(0)                     # a blank before it
    tick(0)
    assert "1 id in common" in sees.choose("Title")
    assert "Str aw berry has 3 × r" in tick(2)              # show me the letters
    assert "S ·t ·r ·a ·w ·b ·e ·r ·r ·y" in tick(1)        # spaced out
    sees.choose("gpt2", nth=1)
    sees.click("Mississippi")
    assert "has 4 × s" in sees.type("s", nth=1)
    assert "letter must be one character" in sees.type("ss", nth=1)
    assert "there is no word" in sees.type(" ") and "Traceback" not in sees.text()
    sees.type("strawberry")
    sees.type("i", nth=1)
    tick(1)
    assert "window . h acked = 1 > has" in sees.type("<img src=x onerror=window.hacked=1>")
    assert seven.page.evaluate("() => window.hacked === undefined")
    sees.click("strawberry")
    seven.page.wait_for_timeout(500)
    latency("lesson 7: what the model sees", sees.latencies(control=sees.root.locator("input[type=checkbox]").first, keys=("Space", "Space")))


def test_digit_ruler(seven, latency):
    ruler = seven.explorer("widgets.digit_ruler(")
    assert "1234567 as 123 456 7; by place value it is 1 234 567" in ruler.text()
    assert "12345678 as 123 456 78" in ruler.press("ArrowRight")
    ruler.drag(-150)
    assert "12345678 as" not in ruler.text()
    ruler.press("End")
    ruler.changes(lambda: ruler.root.locator("input[type=checkbox]").click())
    assert "1,234,567,890 as 1 234 567 890, as place value does" in ruler.text()
    assert "gpt2 reads" in ruler.choose("gpt2")
    assert "gpt2 reads 2,024" in ruler.click("a year")
    assert "number must be 1 to 15 digits" in ruler.type("12x")
    ruler.type("98,765")
    assert "98,765" in ruler.text()
    ruler.click("pi")
    seven.page.wait_for_timeout(500)
    latency("lesson 7: digit ruler", ruler.latencies())


def test_exercise_from_stub_to_wrong_to_right(seven):
    check, stub = 'course.check("7.1", count_letter)', "def count_letter"
    expect(seven.check(check)).to_contain_text("Not started yet")
    expect(seven.check(check, stub, "def count_letter(ids, letter):\n    return sum(letter in gpt2.decode([i], errors='replace') for i in ids)"
                       )).to_contain_text("Hint:")
    right = ("def count_letter(ids, letter):\n    if len(letter) != 1:\n        raise ValueError(letter)\n"
             "    return gpt2.decode(ids).lower().count(letter.lower())")
    expect(seven.check(check, stub, right)).to_contain_text("Right.")


def test_quiz(seven):
    seven.quiz(7, 1, "That is the split of Mistral's tokenizers", 0)
