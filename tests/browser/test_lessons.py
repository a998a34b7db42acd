"""The lessons as a learner uses them: every widget by keyboard and mouse, an exercise from stub to right, a prediction, a quiz."""
import re

import pytest
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def start(open_notebook):
    return open_notebook("00_start_here")


@pytest.fixture(scope="module")
def one(open_notebook):
    return open_notebook("01_ascii_to_utf8")


@pytest.fixture(scope="module")
def two(open_notebook):
    return open_notebook("02_byte_bpe")


class TestStart:
    def test_environment_shows_what_was_found(self, start):
        assert "Everything is here" in start.output("course.environment()").inner_text()

    def test_first_taste_follows_the_text_the_samples_and_the_slider(self, start, latency):
        taste = start.explorer("widgets.first_taste()")
        assert "11 tokens in gpt2, 13 tokens in cl100k_base" in taste.text()
        shown = taste.type(" hedgehogs")
        assert "3 tokens in gpt2" in shown and "·hedge" in shown
        assert "id 19859" in shown
        assert "id 71," in taste.press("ArrowRight")
        taste.click("code")
        assert "↵" in taste.text()
        latency("lesson 0: describe a token", taste.latencies())

    def test_hostile_text_stays_text(self, start):
        taste = start.explorer("widgets.first_taste()")
        taste.type("<img src=x onerror=window.hacked=1><script>window.hacked=1</script>")
        assert "67 characters" in taste.text()
        assert start.page.evaluate("() => window.hacked === undefined")


class TestLesson1:
    def test_prediction_answers_the_guess(self, one):
        output = one.commit("1.hook", "7")
        expect(output).to_contain_text("You said 7; it is 25", timeout=10_000)

    def test_byte_inspector(self, one):
        inspector = one.explorer("widgets.byte_inspector(")
        assert "3 bytes" in inspector.text() and "continuation" in inspector.text()
        assert "1 grapheme, 1 code point, 2 bytes" in inspector.type("é")
        inspector.click("e + accent")
        assert "1 grapheme, 2 code points, 3 bytes" in inspector.text()
        inspector.click("family")
        assert "1 grapheme, 7 code points, 25 bytes" in inspector.text()
        inspector.changes(lambda: inspector.root.locator("input[type=text]").fill(""))
        assert "0 bytes" in inspector.text()

    def test_four_rulers(self, one):
        rulers = one.explorer("widgets.four_rulers(")
        assert "1 grapheme, 7 code points, 11 UTF-16 units, 25 bytes" in rulers.text()
        assert "3 graphemes, 3 code points, 3 UTF-16 units, 3 bytes" in rulers.type("cat")
        rulers.click("flag")
        assert "1 grapheme, 2 code points, 4 UTF-16 units, 8 bytes" in rulers.text()

    def test_byte_eraser(self, one, latency):
        eraser = one.explorer("widgets.byte_eraser(")
        assert "10 of 11 bytes kept: they end inside a code point" in eraser.text()
        assert "11 of 11" in eraser.press("End")
        assert "0 of 11" in eraser.press("Home")
        for _ in range(3):
            eraser.press("ArrowRight")
        assert "3 of 11" in eraser.text() and "inside" not in eraser.text()
        eraser.drag(160)
        assert "3 of 11" not in eraser.text()
        latency("lesson 1: byte eraser", eraser.latencies())

    def test_exercise_from_stub_to_wrong_to_right(self, one):
        check = 'course.check("1.1", byte_lengths)'
        assert "Not started yet" in one.output(check).inner_text()
        one.run("def byte_lengths", "def byte_lengths(s):\n    return [1 for _ in s]")
        one.run(check)
        wrong = one.output(check)
        expect(wrong).to_contain_text("Not yet")
        expect(wrong).to_contain_text("You gave 1 for every character")
        expect(one.check(check, "def byte_lengths", "def byte_lengths(s):\n    return [len(c.encode('utf-8')) for c in s]")).to_contain_text("Right.")

    def test_solution_unfolds(self, one):
        details = one.page.locator(".jp-MarkdownOutput details").filter(has_text="Solution").first
        assert details.locator("pre").is_hidden()
        details.locator("summary").click()
        expect(details.locator("pre")).to_be_visible()

    def test_quiz_answers_every_choice(self, one):
        one.quiz(1, 0, "In Latin-1, yes", 2)


class TestLesson2:
    def test_prediction_by_choice(self, two):
        output = two.commit("2.hook", 0)
        expect(output).to_contain_text("You said th; it is ·t", timeout=10_000)

    def test_merge_stepper_steps_plays_and_takes_other_words(self, two, latency):
        stepper = two.explorer("widgets.merge_stepper(")
        assert "0 of 15 merges done, 95 tokens; next: e + s (9 times)" in stepper.text()
        stepper.click("next")
        assert "1 of 15 merges done, 86 tokens" in stepper.text()
        stepper.click("back")
        for _ in range(5):
            stepper.press("ArrowRight")
        assert "5 of 15" in stepper.text() and "lowest with these merges: 2 tokens" in stepper.text()
        stepper.press("Home")
        stepper.changes(lambda: stepper.root.get_by_role("button", name="play").click())
        stepper.waits_for("3 of 15")
        stepper.root.get_by_role("button", name="pause").click()
        expect(stepper.root.get_by_role("button", name="play")).to_be_visible()
        assert "newer with" in stepper.type("newer", nth=0) or "newer with" in stepper.type("newer", nth=1)
        latency("lesson 2: merge stepper", stepper.latencies())

    def test_merge_stepper_takes_another_corpus(self, two):
        stepper = two.explorer("widgets.merge_stepper(")
        stepper.choose("taxi")
        stepper.waits_for("next: a + x (11 times)")
        corpus = stepper.root.locator("textarea")
        stepper.changes(lambda: corpus.fill("bob 3 bobo 1"))
        assert re.search(r"next: b \+ o \(\d+ times\)", stepper.text())
        stepper.changes(lambda: corpus.fill("x" * 5_000))
        assert "2,000" in stepper.text() and "Traceback" not in stepper.text()

    def test_tie_switch(self, two):
        switch = two.explorer("widgets.tie_switch()")
        assert "abcbcab becomes ab c b c ab" in switch.text()
        switch.choose("greatest-bytes")
        assert "abcbcab becomes a bc bc a b" in switch.text()
        switch.root.locator("select").focus()
        switch.changes(lambda: two.page.keyboard.press("s"))       # to the next choice that begins so
        assert "sentencepiece:" in switch.text()

    def test_merge_curve(self, two, latency):
        curve = two.explorer("widgets.merge_curve(")
        assert "Merge 1 saved 32,722 tokens" in curve.text()
        assert "256 + 2,000 = 2,256" in curve.press("End")
        curve.choose("Python source")
        assert "Python source" in curve.view.inner_html()
        curve.changes(lambda: curve.root.locator("input[type=checkbox]").click())
        latency("lesson 2: merge curve", curve.latencies())

    def test_exercise_with_a_value(self, two):
        check = 'course.check("2.5", letters)'
        expect(two.check(check, "letters = ...", 'letters = "aaaaaaa"')).to_contain_text("No tie here")
        expect(two.check(check, 'letters = "aaaaaaa"', 'letters = "xyzyzxy"')).to_contain_text("Right.")

    def test_quiz(self, two):
        quiz = two.output("course.quiz(2)")
        quiz.locator("input[type=radio]").nth(2).check()
        expect(quiz).to_contain_text("1 of 5 right")
