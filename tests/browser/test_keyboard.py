"""A lesson without a mouse: run the set-up cell, commit a guess, move a slider, answer the quiz."""
from playwright.sync_api import expect

from . import lab


def test_a_lesson_by_keyboard_alone(server, page):
    lab.Notebook(page, server, "notebooks/02_byte_bpe.ipynb")          # opens with the first cell chosen
    press = page.keyboard.press

    def walk(piece, key):
        """Press a key until the cell that holds this piece is chosen."""
        for _ in range(100):
            if piece in page.evaluate(f"{lab.CURRENT}.content.activeCell.model.sharedModel.getSource()"):
                return
            press(key)
        raise AssertionError(f"{piece} is out of reach")

    def tab(selector):
        """Run the chosen cell, and press Tab until an element of this kind has the focus; returns the cell's output."""
        press("Control+Enter")
        output = page.locator(".jp-Cell.jp-mod-active .jp-Cell-outputWrapper").first
        expect(output.locator(selector).first).to_be_visible(timeout=20_000)
        for _ in range(20):
            press("Tab")
            if output.locator(f"{selector}:focus").count():
                return output
        raise AssertionError(f"{selector} is out of reach")

    walk("importlib.util", "ArrowDown")
    walk('course.predict("2.hook")', "Shift+Enter")
    guess = tab("input[type=radio]")
    press("Space")
    while not guess.locator("button:focus").count():
        press("Tab")
    press("Enter")
    expect(guess).to_contain_text("You said th; it is", timeout=20_000)

    press("Shift+Tab")                                      # the button that had the focus is disabled now: back to the cell
    walk("widgets.merge_stepper(", "ArrowDown")
    stepper = tab(".noUi-handle")
    press("ArrowRight")
    expect(stepper).to_contain_text("1 of 15 merges done")

    press("Shift+Enter")
    walk("course.quiz(2)", "ArrowDown")
    quiz = tab("input[type=radio]")
    press("Tab")
    press("Space")
    expect(quiz).to_contain_text("✗")
    press("Tab")
    press("Space")
    expect(quiz).to_contain_text("✓")
