"""Lesson 10 as a learner uses it: train, stop, upload, download, a race, the prediction, an exercise from stub to right, the quiz."""
import json

import pytest
from playwright.sync_api import expect

from tokenlab import corpora


@pytest.fixture(scope="module")
def ten(open_notebook):
    return open_notebook("10_take_it_with_you")


@pytest.fixture(scope="module")
def own(ten):
    return ten.explorer("widgets.your_own_text(")


def test_prediction(ten):
    expect(ten.commit("10.hook", "20000")).to_contain_text("Far fewer will do")


def test_train_on_what_is_typed(own):
    assert "750 tokens in yours" in own.text() and "mine.tiktoken" in own.root.inner_text()
    assert "press train" in own.type("to be or not to be, that is the question. " * 5) and "mine.tiktoken" not in own.root.inner_text()
    own.click("train")
    assert "no pair was left to merge" in own.waits_for("that it has not seen")
    expect(own.root.get_by_role("button", name="stop")).to_be_disabled()


def test_bad_input_is_a_card(own):
    size = own.root.locator("input[type=number]")
    for value, said in (("100", "must be a whole number from 256 to 100000"), ("9999999", "not 9999999")):
        size.fill(value)
        size.press("Enter")
        own.waits_for(said)
        own.root.get_by_role("button", name="train").click()
        assert said in own.text()
    size.fill("600")
    size.press("Enter")
    own.waits_for("600 ids: press train")
    assert "there is no text" in own.changes(lambda: own.root.locator("textarea").fill(""))


def upload(own, name, content):
    with own.page.expect_file_chooser() as chooser:
        own.root.get_by_role("button", name="upload a file").click()
    chooser.value.set_files({"name": name, "mimeType": "text/plain", "buffer": content})


def test_upload_train_and_download(own, tmp_path):
    upload(own, "latin.txt", "café".encode("latin-1"))
    own.waits_for("is not UTF-8: byte 3 is E9")
    code = corpora.load("python").encode()
    upload(own, "code.txt", code)
    own.waits_for(f"{len(code):,} bytes from code.txt, 600 ids")
    own.click("train")
    assert "you stopped it" not in own.waits_for("that it has not seen")
    for name in ("tokenizer.json", "mine.tiktoken", "vocab.json"):
        with own.page.expect_download() as waiting:
            own.root.get_by_role("link", name=name, exact=True).click()
        waiting.value.save_as(tmp_path / name)
    content = json.loads((tmp_path / "tokenizer.json").read_text(encoding="utf-8"))
    assert len(content["model"]["vocab"]) == 600 == len((tmp_path / "mine.tiktoken").read_bytes().splitlines())
    assert json.loads((tmp_path / "vocab.json").read_text(encoding="utf-8")) == content["model"]["vocab"]


def test_stop_leaves_a_shorter_tokenizer(own):
    upload(own, "novel.txt", corpora.load("moby-dick").encode())
    own.waits_for("bytes from novel.txt")
    size = own.root.locator("input[type=number]")
    size.fill("26000")
    size.press("Enter")
    own.waits_for("26,000 ids: press train")
    own.root.get_by_role("button", name="train").click()
    expect(own.root).to_contain_text("merge ", timeout=20_000)          # it has begun,
    own.root.get_by_role("button", name="stop").click()
    shown = own.waits_for("you stopped it after")                       # and has not come to its end
    assert "of 25,744 merges" in shown and "tokenizer.json" in own.root.inner_text()


def test_race(ten):
    race = ten.explorer("widgets.race(tasks)")
    assert "press the button" in race.text()
    assert "was fastest" in race.click("race") and "tiktoken" in race.text()


def test_exercise_from_stub_to_wrong_to_right(ten):
    check, stub = 'course.check("10.2", add_counts)', "def add_counts("
    assert "Not started yet" in ten.output(check).inner_text()
    lines = "    totals = {}\n    for part in parts:\n        for chunk, n in part.items():\n            totals[chunk] = totals.get(chunk, 0) + n\n"
    expect(ten.check(check, stub, f"def add_counts(parts):\n{lines}    return sorted(totals.items())")).to_contain_text("the order is lost")
    expect(ten.check(check, stub, f"def add_counts(parts):\n{lines}    return list(totals.items())")).to_contain_text("Right.")


def test_quiz(ten):
    ten.quiz(10, 0, "Each line has one, after the token", 1)
