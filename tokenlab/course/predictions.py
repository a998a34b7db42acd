"""Predictions: a guess that is committed before the reveal, and a reveal that answers the guess."""
import math
import re
import warnings

from ..views import base
from .lessons import find
from .show import Shown, details, fill, inline, plain, widgets
from .words import common

NEAR = 0.1      # a number this close (relative) is called near


class Prediction(Shown):
    """A question, an input and a button; after the commit it shows the answer to this guess. Made by `predict`.

    places: dict with "answer" (int, float or str) and other values that the words have places for.
    """

    def __init__(self, id, words, places):
        self.id, self.words, self.places = id, words, places
        if places["answer"] not in words.choices and (words.choices or isinstance(places["answer"], str)):
            raise ValueError(f"prediction {id}: the answer is {places['answer']!r}, which is none of the choices {words.choices}")
        self.guess, self._asked = None, False
        self.question = fill(words.question, places)
        if widgets():
            self._build(widgets())

    def _build(self, w):
        wide = w.Layout(width="max-content", max_width="100%")
        if self.words.choices:
            options = [(plain(choice), choice) for choice in self.words.choices]
            self.input = w.RadioButtons(options=options, index=None, layout=wide)
        else:
            self.input = w.Text(placeholder="a number", description="Your guess", continuous_update=False, layout=w.Layout(width="220px"))
            with warnings.catch_warnings():             # deprecated in ipywidgets 8, but what Enter does in 7 and 8
                warnings.simplefilter("ignore")
                self.input.on_submit(self._commit)
        self.button = w.Button(description="Commit", tooltip="Show the answer to my guess", layout=w.Layout(width="110px"))
        self.button.on_click(self._commit)
        # A click can overtake the value that was entered just before it. That value still counts when it comes; it
        # cannot come of knowing the answer, since the input is disabled by then.
        self.input.observe(lambda change: self._asked and self._commit(), "value")
        self.reveal = w.HTML()
        row = (w.VBox if self.words.choices else w.HBox)([self.input, self.button])
        keys = common()["prediction"]["keys"] if self.words.choices else ""
        self.box = w.VBox([w.HTML(base.card("Your guess first", inline(self.question), keys)), row, self.reveal])
        self.box.add_class("tokenlab-prediction")

    def _commit(self, sender=None):
        self._asked = True
        self.commit(self.input.value)

    def commit(self, guess):
        """Take `guess` and reveal the answer; what is no guess gets a message, and the question stays open."""
        try:
            self.guess = read_guess(guess, self.words.choices)
        except ValueError as error:
            self.reveal.value = f'<div style="background:{base.PAPER};color:{base.BAD};padding:4px 8px">{base.escape(error)}</div>'
            return
        title, body = reply(self.words, self.places, self.guess)
        self.reveal.value = str(base.card(title, inline(body)))
        self.input.disabled = self.button.disabled = True

    def html(self):
        """The stored twin: the question, and the answer folded."""
        answer = fill(f"{common()['prediction']['answer']} {self.words.because}", self.places)
        return base.card("Your guess first", f"<div>{inline(self.question)}</div>{_listed(self.words.choices)}{details('Answer', inline(answer))}",
                         common()["prediction"]["run"])

    def __repr__(self):
        choices = "".join(f"\n  - {plain(choice)}" for choice in self.words.choices)
        return f"Your guess first: {plain(self.question)}{choices}"


def predict(id):
    """Ask the prediction `id`, such as "2.hook"; its answer is computed, and shown after the learner has committed.

    Raises ValueError for an unknown id, and says which is nearest. Every lesson.

    >>> predict("1.hook").places["answer"]
    25
    """
    compute, words = find(id, "PREDICTIONS", "prediction")
    found = compute()
    return Prediction(id, words, found if isinstance(found, dict) else {"answer": found})


def read_guess(guess, choices=()):
    """Return a guess as a number, or as one of `choices` if there are any.

    Raises ValueError, in words for the learner, for what is neither.

    >>> read_guess("1,250"), read_guess(" 2.5 ")
    (1250, 2.5)
    """
    if choices:
        if guess not in choices:
            raise ValueError("Choose one of the answers first.")
        return guess
    text = str(guess).strip()
    if not text:
        raise ValueError("Type your guess first: a number, such as 12.")
    try:
        number = float(re.sub(r"(?<=\d)[, ](?=\d{3}(\D|$))", "", text))
    except ValueError:
        number = math.nan
    if not abs(number) < 1e15:          # nor is NaN; from here on float and int differ
        raise ValueError(f"{text[:40]!r} is not a number that fits here: type digits only, such as 12.")
    return int(number) if number.is_integer() else number


def reply(words, places, guess):
    """Return the reveal for `guess` as (first sentence, the rest), both text. words: a words.Guess."""
    answer, first = places["answer"], common()["prediction"]
    places = {**places, "guess": guess}
    if guess == answer:
        kind = "right"
    elif words.choices:
        kind = "wrong"
    elif abs(guess - answer) <= NEAR * abs(answer):
        kind = "near"
    else:
        kind = "low" if guess < answer else "high"
    remark = words.said.get(str(guess)) or words.said.get(kind)
    return plain(fill(first.get(kind, first["wrong"]), places)), fill(f"{remark} {words.because}" if remark else words.because, places)


def _listed(choices):
    items = "".join(f"<li>{inline(choice)}</li>" for choice in choices)
    return f'<ul style="margin:4px 0">{items}</ul>' if choices else ""
