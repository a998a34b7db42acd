"""Lesson 3 as a learner uses it: both widgets by keyboard and mouse, a pattern without end, exercises, predictions, the quiz."""
import pytest
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def three(open_notebook):
    return open_notebook("03_pre_tokenization")


@pytest.fixture
def chooser(three):
    """The fence chooser in its first state."""
    three.run("widgets.fence_chooser()")
    return three.explorer("widgets.fence_chooser()")


class TestFenceChooser:
    def test_describes_each_piece_by_keyboard_and_mouse(self, three, chooser, latency):
        assert "gpt2: 11 pieces, which add up to the text" in chooser.text()
        assert "piece 1 of 11, outlined: taken by part 2" in chooser.text()
        assert "piece 2 of 11, outlined: taken by part 4" in chooser.press("ArrowRight")
        assert "piece 11 of 11" in chooser.press("End")
        chooser.drag(-120)
        assert "piece 11 of 11" not in chooser.text()
        latency("lesson 3: describe a piece", chooser.latencies())

    def test_takes_every_pattern_and_warns_where_text_is_lost(self, three, chooser):
        pick = chooser.root.locator("select")
        for name in ("cl100k_base", "o200k_base", "llama3", "qwen2", "tekken", "whitespace", "none"):
            chooser.changes(lambda name=name: pick.select_option(name))
            assert chooser.text().startswith(f"{name}: ") and "which add" in chooser.text()
        pick.focus()
        chooser.changes(lambda: three.page.keyboard.press("w"))         # by keyboard: to the next name that begins so
        assert chooser.text().startswith("words: 9 pieces; 6 characters are lost")
        assert "do not add up to the text" in chooser.text() and "lost" in chooser.text()

    def test_takes_other_texts(self, three, chooser):
        chooser.click("Hindi")
        assert "gpt2: 10 pieces" in chooser.text()
        chooser.type("DON'T", nth=1)
        chooser.waits_for("gpt2: 3 pieces")
        chooser.click("code")
        assert "↵" in chooser.text()

    def test_takes_a_pattern_of_ones_own(self, three, chooser):
        chooser.type(r"\S+|\s+", nth=0)
        chooser.waits_for(r"\S+|\s+: 10 pieces, which add up")      # each key draws it anew
        assert chooser.root.locator("select").evaluate("e => e.selectedOptions[0].text") == "own"
        chooser.type("(a", nth=0)
        chooser.waits_for("is no regular expression")

    def test_gives_up_a_pattern_without_end_and_lives_on(self, three, chooser):
        chooser.changes(lambda: chooser.root.locator("input[type=text]").fill("(a|aa)+$"))
        chooser.changes(lambda: chooser.root.locator("textarea").fill("a" * 60 + "b"))
        chooser.waits_for("did not come to an end within 0.2 s")
        assert "This does not work" in chooser.text() and "Traceback" not in chooser.text()
        chooser.changes(lambda: chooser.root.locator("textarea").fill("a" * 60))
        chooser.waits_for("(a|aa)+$: 1 piece, which adds up to the text")
        three.run("counts.most_common")                                  # the kernel answers
        expect(three.output("counts.most_common")).to_contain_text("6860 distinct chunks")

    def test_markup_stays_text(self, three, chooser):
        chooser.type("<img src=x onerror=window.hacked=1>", nth=1)
        assert "<img" not in chooser.view.inner_html().replace("&lt;img", "")
        assert three.page.evaluate("() => window.hacked === undefined")


class TestFencesOff:
    def test_switches_corpora_and_scrubs(self, three, latency):
        off = three.explorer("widgets.fences_off()")
        assert "dogs, fences off: 3 of 5 merges cross a border" in off.text()
        off.changes(lambda: off.root.locator("input[type=checkbox]").click())
        assert "dogs, fences on: 0 of 2 merges" in off.text()
        off.choose("Botchan")
        off.waits_for("Botchan, fences on: 0 of 300 merges")
        off.root.locator("input[type=checkbox]").focus()
        off.changes(lambda: three.page.keyboard.press("Space"))
        assert "Botchan, fences off: 120 of 300 merges cross a border" in off.text()
        assert "nothing learned yet" in off.press("Home")
        assert "Botchan, fences off: 1 of 1 merge cross" in off.press("ArrowRight")
        off.press("End")
        latency("lesson 3: fences off", off.latencies())


class TestTheRest:
    def test_predictions(self, three):
        for id, guess, said in (("3.hook", "10", "You said 10; it is 120"), ("3.distinct", "7000", "You said 7,000; it is 6,860. Close")):
            expect(three.commit(id, guess)).to_contain_text(said)

    def test_an_exercise_with_a_pattern(self, three):
        check = 'course.check("3.1", pattern)'
        expect(three.check(check, "pattern = ...", r'pattern = r"\w+|[^\w\s]"')).to_contain_text("add a part for white space")
        expect(three.check(check, r'pattern = r"\w+|[^\w\s]"', r'pattern = r"\w+|\W"')).to_contain_text("Right.")

    def test_quiz(self, three):
        quiz = three.output("course.quiz(3)")
        quiz.locator("input[type=radio]").nth(2).check()
        expect(quiz).to_contain_text("1 of 6 right")
        quiz.locator("input[type=radio]").nth(0).check()
        expect(quiz).to_contain_text("0 of 6 right")
