"""Predictions: a guess that is committed before the reveal, and a reveal that answers the guess."""
import math
import re
import warnings

import ipywidgets

from ..views import base
from .lessons import find
from .show import Shown, asked, details, fill, inline, listed, plain, radio
from .words import common

NEAR = 0.1      # a number this close (relative) is called near


class Prediction(Shown):
    """A question, an input and a button; after the commit it shows the answer to this guess. Made by `predict`. words: a words.Guess."""

    def __init__(self, words):
        self.words, self.places = words, {"answer": words.answer, **words.facts}
        self.guess, self._asked = None, False
        self.question = fill(words.question, self.places)
        if words.choices:
            self.input, row = radio([(choice, choice) for choice in words.choices]), ipywidgets.VBox
        else:
            self.input, row = ipywidgets.Text(placeholder="a number", description="Your guess", layout={"width": "220px"}), ipywidgets.HBox
            self.input.continuous_update = False
            with warnings.catch_warnings():             # deprecated in ipywidgets 8, but what Enter does in 7 and 8
                warnings.simplefilter("ignore")
                self.input.on_submit(self._commit)
        self.button = ipywidgets.Button(description="Commit", tooltip="Show the answer to my guess")
        self.button.on_click(self._commit)
        # A click can overtake the value that was entered just before it. That value still counts when it comes; it
        # cannot come of knowing the answer, since the input is disabled by then.
        self.input.observe(lambda change: self._asked and self._commit(), "value")
        self.reveal, keys = ipywidgets.HTML(), common().prediction.keys if words.choices else ""
        self.box = ipywidgets.VBox([asked("Your guess first", self.question, keys), row([self.input, self.button]), self.reveal])
        self.box.add_class("tokenlab-prediction")

    def _commit(self, sender=None):
        """Take the guess and reveal the answer; what is no guess gets a message, and the question stays open."""
        self._asked = True
        try:
            self.guess = read_guess(self.input.value, self.words.choices)
        except ValueError as error:
            self.reveal.value = str(base.card(str(error), ""))
            return
        title, body = reply(self.words, self.places, self.guess)
        self.reveal.value = str(base.card(title, inline(body)))
        self.input.disabled = self.button.disabled = True

    def html(self):
        """The stored twin: the question, and the answer folded."""
        answer = fill(f"{common().prediction.answer} {self.words.because}", self.places)
        body = f"<div>{inline(self.question)}</div>{listed(self.words.choices)}{details('Answer', inline(answer))}"
        return base.card("Your guess first", body, common().prediction.run)

    def __repr__(self):
        return "\n  - ".join(map(plain, [f"Your guess first: {self.question}", *self.words.choices]))


def predict(id):
    """Ask the prediction `id`, such as "2.hook"; its answer is shown after the learner has committed.

    Raises ValueError for an unknown id, and says which is nearest. Every lesson.

    >>> predict("1.hook").places["answer"]
    25
    """
    return Prediction(find(id, "prediction"))


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
    text = guess.strip()
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
    answer, first = places["answer"], common().prediction
    if guess == answer:
        kind = "right"
    elif words.choices:
        kind = "wrong"
    elif abs(guess - answer) <= NEAR * abs(answer):
        kind = "near"
    else:
        kind = "low" if guess < answer else "high"
    remark = words.said.get(str(guess)) or words.said.get(kind, "")
    places = {**places, "guess": guess}
    return plain(fill(getattr(first, kind, first.wrong), places)), fill(f"{remark} {words.because}".strip(), places)
