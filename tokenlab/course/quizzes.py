"""Quizzes: every choice, right or wrong, gets its own feedback."""
from operator import index

from ..views import base
from . import words
from .checks import short
from .lessons import numbers, words_of
from .show import Shown, details, inline, plain, widgets


class Quiz(Shown):
    """The questions of a lesson, with radio buttons; a choice is answered at once and may be changed. Made by `quiz`.

    controls: one RadioButtons a question; feedback: one HTML a question; score: the line at the end.
    """

    def __init__(self, questions, title):
        self.questions, self.title = questions, title
        if widgets():
            self._build(widgets())

    def _build(self, w):
        wide = w.Layout(width="max-content", max_width="100%")
        self.controls, self.feedback, self.score, parts = [], [], w.HTML(), []
        for n, question in enumerate(self.questions):
            options = [(plain(choice.text), number) for number, choice in enumerate(question.choices)]
            control, feedback = w.RadioButtons(options=options, index=None, layout=wide), w.HTML()
            control.observe(lambda change, n=n: self._answered(n), "index")
            self.controls.append(control)
            self.feedback.append(feedback)
            parts += [w.HTML(base.card(f"Question {n + 1} of {len(self.questions)}", inline(question.question))), control, feedback]
        self._count()
        self.box = w.VBox([*parts, self.score])
        self.box.add_class("tokenlab-quiz")

    def chosen(self, n):
        """The words.Choice that is chosen for question `n` (from 0), or None."""
        index = self.controls[n].index
        return None if index is None else self.questions[n].choices[index]

    def _answered(self, n):
        choice = self.chosen(n)
        self.feedback[n].value = answer(choice) if choice else ""
        self._count()

    def _count(self):
        chosen = [self.chosen(n) for n in range(len(self.questions))]
        right, done = sum(choice.right for choice in chosen if choice), sum(choice is not None for choice in chosen)
        line = f"{right} of {len(chosen)} right" + (f", {len(chosen) - done} to go" if done < len(chosen) else "")
        self.score.value = str(base.card(line, "", words.common()["quiz"]["keys"]))

    def html(self):
        """The stored twin: all questions with their choices, the answers folded."""
        parts = []
        for n, question in enumerate(self.questions, 1):
            choices = "".join(f"<li>{inline(choice.text)}</li>" for choice in question.choices)
            answers = "".join(answer(choice, choice.text + " — ") for choice in question.choices)
            parts.append(f'<div style="margin-top:10px"><b>{n}.</b> {inline(question.question)}</div>'
                         f'<ul style="margin:4px 0">{choices}</ul>{details("Answer", answers)}')
        return base.card(self.title, "".join(parts), words.common()["quiz"]["run"])

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

    Raises TypeError for what is no int, and ValueError for a lesson that has none. Every lesson.

    >>> len(quiz(1).questions) >= 4
    True
    """
    having = [n for n in numbers() if words_of(n).quiz]
    listed = ", ".join(map(str, having))
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise TypeError(f"the number of a lesson is an int, not {short(number)}: these have a quiz: {listed}")
    if index(number) not in having:
        raise ValueError(f"no quiz for lesson {short(number)}: these have one: {listed}")
    questions = words_of(index(number)).quiz
    return Quiz(questions, f"Quiz of lesson {index(number)}: {len(questions)} questions")
