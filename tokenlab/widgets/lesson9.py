"""Explorers of lesson 9: the price of a language, and a budget."""
from functools import partial

import ipywidgets

from ..errors import choose
from ..views import budget_card, budget_state, price_card, price_state
from .explorer import INITIAL, WIDE, Explorer, menu, samples, text_box

MODELS = {"256 wide, 4 layers": (256, 4), "768 wide, 12 layers (GPT-2)": (768, 12), "4,096 wide, 32 layers (Llama 7B)": (4096, 32)}
LENGTHS = {f"{10 ** n:,} bytes": 10 ** n for n in range(3, 7)}
GROUPS = {"all 46": "all", "South Asia": "eng hin ben tam tel kan mal guj pan sin urd",
          "East and Southeast Asia": "eng cmn_hans jpn kor tha lao khm mya vie ind bod",
          "Europe": "eng fra deu_1996 spa ita por_BR nld swe fin pol ces rus ukr ell_monotonic hun ron_2006", "Africa": "eng swh yor zul amh arb"}


def price_of_language(premiums, lost=None, tokenizer="cl100k_base"):
    """Choose a tokenizer and languages, and see what the same text costs in each. For lesson 9, widget 21.

    premiums: dict tokenizer -> dict code of a language of `corpora.languages` -> tokens relative to English; lost: the same
    with the shares of characters that are lost. Nothing is encoded here. tokenizer: the one shown first.
    Returns an Explorer with the controls tokenizer and languages (codes, or "all"). Raises ValueError for an unknown tokenizer.
    """
    pick, box = menu("tokenizer", premiums, choose(tokenizer, premiums, "tokenizer")), text_box("languages", "all")
    return Explorer(partial(price_state, premiums, lost or {}), price_card, {"tokenizer": pick, "languages": box},
                    [[pick], [box], samples(box, GROUPS)])


def budget(sizes, model="768 wide, 12 layers (GPT-2)", length="10,000 bytes"):
    """Choose a vocabulary, a model and a text, and see parameters, tokens and one total cost with its least. For lesson 9, widget 22.

    sizes: dict vocabulary size -> bytes per token, as measured. model, length: keys of MODELS and LENGTHS.
    Returns an Explorer with the controls vocabulary, model, length and tied. Raises ValueError for an unknown model or length.
    """
    size = ipywidgets.SelectionSlider(options=[(f"{n:,}", n) for n in sizes], description="vocabulary", style=INITIAL, layout=WIDE)
    kind, text = menu("model", MODELS, choose(model, MODELS, "model")), menu("text", LENGTHS, choose(length, LENGTHS, "length"))
    tied = ipywidgets.Checkbox(value=True, description="output tied to the input", indent=False)
    return Explorer(lambda vocabulary, model, length, tied: budget_state(sizes, vocabulary, *MODELS[model], LENGTHS[length], tied), budget_card,
                    {"vocabulary": size, "model": kind, "length": text, "tied": tied}, [[size], [kind, text], [tied]])
