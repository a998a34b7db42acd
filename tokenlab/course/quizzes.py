"""Quizzes: every choice, right or wrong, gets its own feedback."""
import ipywidgets

from ..errors import whole
from ..views import base
from .lessons import numbers, words_of
from .show import Shown, asked, details, inline, listed, plain, radio
from .words import common


class Quiz(Shown):
    """The questions of a lesson, with radio buttons; a choice is answered at once and may be changed. Made by `quiz`.

    controls: one RadioButtons a question; feedback: one HTML a question; score: the line at the end.
    """

    def __init__(self, questions, title):
        self.questions, self.title = questions, title
        self.controls, self.feedback, self.score, parts = [], [], ipywidgets.HTML(), []
        for n, question in enumerate(questions, 1):
            self.controls.append(radio([(choice.text, choice) for choice in question.choices]))
            self.controls[-1].observe(self._answer, "value")
            self.feedback.append(ipywidgets.HTML())
            parts += [asked(f"Question {n} of {len(questions)}", question.question), self.controls[-1], self.feedback[-1]]
        self._answer()
        self.box = ipywidgets.VBox([*parts, self.score])
        self.box.add_class("tokenlab-quiz")

    def _answer(self, change=None):
        """Give each choice its feedback, and count."""
        chosen = [control.value for control in self.controls]
        for feedback, choice in zip(self.feedback, chosen, strict=True):
            feedback.value = answer(choice) if choice else ""
        right, left = sum(choice.right for choice in chosen if choice), chosen.count(None)
        line = f"{right} of {len(chosen)} right" + (f", {left} to go" if left else "")
        self.score.value = str(base.card(line, "", common().quiz.keys))

    def html(self):
        """The stored twin: all questions with their choices, the answers folded."""
        parts = []
        for n, question in enumerate(self.questions, 1):
            answers = "".join(answer(choice, choice.text + " — ") for choice in question.choices)
            parts += [f'<div style="margin-top:10px"><b>{n}.</b> {inline(question.question)}</div>',
                      listed([choice.text for choice in question.choices]), details("Answer", answers)]
        return base.card(self.title, "".join(parts), common().quiz.run)

    def __repr__(self):
        lines = [self.title]
        for n, question in enumerate(self.questions, 1):
            lines += [f"{n}. {plain(question.question)}", *(f"   - {plain(choice.text)}" for choice in question.choices)]
        return "\n".join(lines)


def answer(choice, before=""):
    """The feedback to one choice as HTML, with ✓ or ✗ in front. before: text that goes first, such as the choice itself."""
    mark, color = ("✓", base.GOOD) if choice.right else ("✗", base.BAD)
    return (f'<div style="background:{base.PAPER};color:{base.INK};padding:4px 10px;border-radius:6px;font:14px/1.5 system-ui,sans-serif">'
            f'<b style="color:{color}">{mark}</b> {inline(before + choice.feedback)}</div>')


def quiz(number):
    """Show the quiz of lesson `number`, an int.

    Raises ValueError or TypeError for what is no lesson's number. Every lesson.

    >>> len(quiz(1).questions) >= 4
    True
    """
    questions = words_of(whole(number, "the number of the lesson", 1, len(numbers()))).quiz
    return Quiz(questions, f"Quiz of lesson {number}: {len(questions)} questions")
