"""Explorers of lesson 7: what the model sees of a word, and how it gets a number's digits."""
from functools import partial

import ipywidgets

from .. import pretrained
from ..errors import choose
from ..views import digits_card, digits_state, letters_card, letters_state
from ..views.letters import CASES, DIGITS
from .explorer import Explorer, menu, reach, samples, slider, text_box
from .lesson0 import NAMES as FOUR

NAMES = (*FOUR, "mistral_v1")
WORDS = {name: name for name in ("strawberry", "taxi", "bookkeeper", "Mississippi")}
NUMBERS = {"1234567890": "1234567890", "a year": "2024", "thousands": "1000000", "pi": "314159265358979"}


def what_the_model_sees(word="strawberry", letter="r", tokenizer="o200k_base"):
    """Write a word in another form, see its ids, and only then its letters. For lesson 7, widget 17.

    word, letter, tokenizer: what is chosen at first; tokenizer is one of NAMES. Returns an Explorer with the controls word, blank,
    case, spaced, tokenizer, letter and shown. Raises ValueError for an unknown tokenizer, an empty word, a letter that is not one.
    """
    box, pick = text_box("word", word), menu("tokenizer", NAMES, choose(tokenizer, NAMES, "tokenizer"))
    blank, spaced, shown = map(_tick, ("blank before it", "letters spaced out", "show me the letters"))
    one = ipywidgets.Text(value=letter, description="letter to count", style={"description_width": "initial"}, layout={"width": "170px"})
    case = menu("case", CASES, "as typed")
    return Explorer(lambda tokenizer, **rest: letters_state(pretrained.load(tokenizer), **rest), letters_card,
                    {"word": box, "blank": blank, "case": case, "spaced": spaced, "tokenizer": pick, "letter": one, "shown": shown},
                    [[box], samples(box, WORDS), [case, blank, spaced], [pick, one, shown]])


def _tick(told):
    return ipywidgets.Checkbox(value=False, description=told, indent=False, layout={"width": "max-content", "margin": "2px 2px 2px 12px"})


def digit_ruler(number="1234567890", tokenizer="cl100k_base"):
    """Let a number grow digit by digit, with commas or without, and see its groups. For lesson 7, widget 18.

    number: str, what the box holds at first; tokenizer: one of NAMES. Returns an Explorer with the controls number, commas,
    tokenizer and digits: how many of the number's digits are taken. Raises ValueError for what is no number, and an unknown tokenizer.
    """
    box, pick = text_box("number", number), menu("tokenizer", NAMES, choose(tokenizer, NAMES, "tokenizer"))
    commas, taken = _tick("with commas"), slider("digits taken", 7, 1, DIGITS)

    def adjust(name):
        reach(taken, min(len(box.value.replace(",", "")), DIGITS))
        taken.value = taken.max if name == "number" else taken.value

    return Explorer(partial(digits_state, [pretrained.load(name) for name in NAMES]), digits_card,
                    {"number": box, "commas": commas, "tokenizer": pick, "digits": taken},
                    [[box], samples(box, NUMBERS), [pick, commas], [taken]], adjust)
