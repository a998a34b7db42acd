"""Lesson 9: its cost model by counting, its views, figures and explorers, and what it says of models against their libraries."""
import json
import pathlib
import re

import pytest

from tokenlab import bpe, corpora, course, figures, measure, pretrained, views, widgets
from tokenlab.course import lesson9
from tokenlab.views.cost import english_names
from tokenlab.widgets.explorer import WIDGET
from tokenlab.widgets.lesson9 import GROUPS, LENGTHS, MODELS

from .test_figures import check
from .test_views import shown
from .test_widgets import every_widget, press

FACTS = {case["id"]: case for case in json.loads((pathlib.Path(__file__).parent / "data" / "facts.json").read_text(encoding="utf-8"))["cases"]}
SIZES = {256: 1.0, 1024: 2.7, 4096: 3.5, 16384: 4.1}
ARTICLE = {row["code"]: row["articles"][0] for row in corpora.udhr()}


@pytest.fixture(scope="module")
def prices():
    """Premiums of Article 1, and what T5 loses of it."""
    found = {name: measure.premium(pretrained.load(name), ARTICLE, "eng") for name in ("gpt2", "cl100k_base", "t5")}
    return found, {"t5": {code: measure.lost_share(pretrained.load("t5"), text) for code, text in ARTICLE.items()}}


# ---- facts

def test_sizes_are_those_of_the_facts():
    sizes = FACTS["vocab-sizes"]["expected"]
    assert len(pretrained.load("gpt2")) == sizes["gpt2"]["total"]
    for name in ("cl100k_base", "o200k_base"):
        tok = pretrained.load(name)
        assert max([*tok.vocabulary, *tok.special_tokens.values()]) == sizes[name]["ids_up_to"]
        assert len(tok) == sizes[name]["bytes"] + sizes[name]["merges"] + sizes[name]["special"]
    assert len(pretrained.load("o200k_base")) == sizes["o200k_base"]["used_ids"]
    assert measure.embedding_parameters(sizes["llama3"]["total"], 4096) == FACTS["embedding-size"]["expected"]
    assert sizes["llama3"]["bytes"] + sizes["llama3"]["merges"] == 128_000 and sizes["llama3"]["special"] == 256


def test_the_models_are_as_their_library_has_them():
    from transformers import GPT2Config, LlamaConfig

    gpt2, llama = GPT2Config(), LlamaConfig()
    assert (gpt2.n_embd, gpt2.n_layer, gpt2.vocab_size) == (*MODELS["768 wide, 12 layers (GPT-2)"], 50_257) and gpt2.tie_word_embeddings
    assert (llama.hidden_size, llama.num_hidden_layers) == MODELS["4,096 wide, 32 layers (Llama 7B)"]


# ---- views

@pytest.mark.parametrize("width, layers", MODELS.values())
@pytest.mark.parametrize("length", LENGTHS.values())
def test_the_least_cost_is_the_least_of_all(width, layers, length):
    tied, untied = (views.budget_state(SIZES, 1024, width, layers, length, tied) for tied in (True, False))
    assert tied["total"] == untied["total"] and all(2 * n == untied["parameters"][size] for size, n in tied["parameters"].items())
    assert tied["total"][tied["least"]] == min(tied["total"].values())
    for size, each in SIZES.items():
        assert tied["tokens"][size] == round(length / each) and tied["parts"][size] == measure.cost(tied["tokens"][size], size, width, layers)
        assert tied["total"][size] == sum(tied["parts"][size].values())
    card = shown(views.budget_card(tied))
    assert card.count("◂ least") == 1 and card.count("▸ 1,024") == 2 and f"{1024 * width:,}" in card


def test_a_bar_that_does_not_fit_is_drawn_smaller_with_its_parts_in_proportion():
    state = views.budget_state(SIZES, 256, 768, 12, 10_000, True)
    widths = [float(found) for found in re.findall(r"width:([\d.]+)px;background", views.budget_card(state))]
    assert shown(views.budget_card(state)).count(" …") == 2              # one bar, and the note
    for n, size in enumerate(SIZES):
        bar, total = widths[3 * n:3 * n + 3], state["total"][size]
        assert sum(bar) == pytest.approx(min(120, 60 * total / state["total"][state["least"]]), abs=0.2)
        assert (total > 2 * state["total"][state["least"]]) == (size == 256)
        assert bar == pytest.approx([sum(bar) * part / total for part in state["parts"][size].values()], abs=0.2)


def test_larger_models_and_longer_texts_want_larger_vocabularies():
    def least(width, layers, length):
        return views.budget_state(SIZES, 256, width, layers, length, True)["least"]
    assert least(256, 4, 1_000) < least(256, 4, 100_000) and least(256, 4, 10_000) < least(4096, 32, 10_000)


def test_a_price_for_each_language_the_dearest_first(prices):
    state = views.price_state(*prices, "gpt2", "all")
    ratios = [ratio for _, ratio, _ in state["rows"]]
    assert len(ratios) == 46 and ratios == sorted(ratios, reverse=True) and state["scale"] == max(ratios)
    card = shown(views.price_card(state))
    for code, name in corpora.languages(own=True).items():
        assert name in card and english_names()[code] in card and f"{prices[0]['gpt2'][code]:.2f} ×" in card
    assert "lost" not in card and "is a blank" not in card


def test_what_is_lost_stands_beside_the_price(prices):
    card = views.price_card(views.price_state(*prices, "t5", "eng, jpn deu_1996"))
    assert "more than 10 % is lost in 1 of 3 languages" in repr(card) and "100 % lost" in shown(card)
    few = views.price_state(*prices, "t5", "jpn eng")
    assert [(code, gone) for code, _, gone in few["rows"]] == [("eng", 0), ("jpn", 1.0)]


def test_codes_that_are_none_are_refused(prices):
    with pytest.raises(ValueError, match="unknown language code 'engl': did you mean 'eng'"):
        views.price_state(*prices, "t5", "engl")
    with pytest.raises(ValueError, match="no language is chosen: write all, or codes"):
        views.price_state(*prices, "t5", " , ")
    with pytest.raises(ValueError, match="did you mean 'gpt2'"):
        views.price_state(*prices, "gpt", "all")


# ---- figures

def test_curves_and_dots_are_the_numbers(monkeypatch):
    own = {"seen": {256: 1.0, 512: 2.2, 1024: 2.9, 2048: 3.4}, "new": {256: 1.0, 512: 2.1, 1024: 2.7, 2048: 3.1}}
    real = {"gpt2": (50_257, 4.02), "cl100k_base": (100_261, 4.14), "o200k_base": (200_000, 4.19), "t5": (32_000, 3.51)}
    picture = figures.vocabulary_curve(own, real)
    check(picture, monkeypatch)
    *curves, dots = picture.figure.axes[0].lines
    for line, curve in zip(curves, own.values(), strict=True):
        assert dict(map(tuple, line.get_xydata())) == curve
    assert [tuple(dot) for dot in dots.get_xydata()] == list(real.values())
    assert picture.title == "Each doubling brings less: the first 2.10 times, the last 1.15" and "1,024: 2.70" in picture.caption


def test_each_language_has_a_dot_for_each_tokenizer(prices, monkeypatch):
    found = {name: prices[0][name] for name in ("gpt2", "cl100k_base")}
    picture = figures.premiums(found)
    check(picture, monkeypatch)
    ax = picture.figure.axes[0]
    labels = [label.get_text() for label in ax.get_yticklabels()]
    code = {name: code for code, name in english_names().items()}
    for line in ax.lines[-2:]:
        assert {code[labels[int(y)]]: x for x, y in line.get_xydata()} == found[line.get_label()]
    assert len(code) == len(labels) == 46 and "Burmese" in picture.caption


# ---- widgets

def test_budget_follows_each_control():
    explorer = widgets.budget(SIZES)
    bundle, _ = explorer._repr_mimebundle_()
    assert bundle[WIDGET]["model_id"] == explorer.box.model_id and set(every_widget(explorer.box)) >= set(explorer.controls.values())
    for model, length in zip(MODELS, LENGTHS):
        for size, each in SIZES.items():
            explorer.set(vocabulary=size, model=model, length=length, tied=size > 1000)
            state = explorer.data(**explorer.state)
            assert repr(explorer).startswith(f"{size:,} ids: {round(LENGTHS[length] / each):,} tokens") and f"least at {state['least']:,}" in repr(explorer)
    assert "This does not work" not in explorer.view.value
    with pytest.raises(ValueError, match="unknown length"):
        widgets.budget(SIZES, length="10 bytes")


def test_price_of_a_language_follows_each_control(prices):
    explorer = widgets.price_of_language(*prices)
    assert repr(explorer).startswith("cl100k_base: Tibetan is dearest")
    for name, codes in GROUPS.items():
        press(explorer, name)
        rows = explorer.data(**explorer.state)["rows"]
        assert {code for code, *_ in rows} == (set(ARTICLE) if codes == "all" else set(codes.split()))
    for bad in ("<b>xxx</b>", "", "eng " * 999 + "zz"):
        explorer.set(languages=bad)
        assert "This does not work" in explorer.view.value and "<b>xxx" not in explorer.view.value
    explorer.set(languages="jpn eng", tokenizer="t5")
    assert repr(explorer) == "t5: English is dearest with 1.00 ×; more than 10 % is lost in 1 of 2 languages"


# ---- the lesson's words

def test_a_fairer_trainer_by_hand():
    """ab occurs 3 times in one, xy 8 times in two; three has 11 bytes, ö is C3 B6."""
    toy = {"one": "ab ab ab cd", "two": "xyxyxyxyxyxyxyxy", "three": "öhö öhö"}
    assert lesson9.parity_train(toy, 3) == [("two", (120, 121)), ("one", (97, 98)), ("three", (195, 182))]
    assert lesson9.parity_train({"a": "", "b": ""}, 2) == [] and len(lesson9.parity_train(toy, 99)) < 99


def test_it_is_fairer_than_ordinary_merges():
    texts = {code: ARTICLE[code] for code in ("eng", "kat", "hin", "vie")}
    fair = [pair for _, pair in lesson9.parity_train(texts, 60)]
    plain = [merge.pair for merge in bpe.train(list(texts.values()), vocab_size=256 + 60, pattern="none").merges]

    def worst(pairs):
        sizes = []
        for text in texts.values():
            ids = list(text.encode())
            for new, pair in enumerate(pairs, 256):
                ids = bpe.merge(ids, pair, new)
            sizes.append(len(ids))
        return max(sizes) / sizes[0]
    assert worst(fair) < worst(plain) < worst([])


def test_odd_but_right_answers_pass():
    assert course.check("9.2", lambda v, d, tied: v * d * (2 - tied)).passed
    assert course.check("9.3", lambda tok, text: round(len(tok.lost(text)) / max(len(text), 1), 4)).passed
    assert course.check("9.1", lambda tok, texts: {name: round(measure.premium(tok, texts, "English")[name], 2) for name in texts}).passed


def test_who_changes_the_texts_beside_a_tokenizer_is_told_so():
    def premium(tok, texts):
        english = len(tok.encode(texts["English"]))
        return {name: round(len(tok.encode(texts.pop(name))) / english, 2) for name in list(texts)}
    assert course.check("9.1", premium).got.endswith(", and changed its argument to {}")
