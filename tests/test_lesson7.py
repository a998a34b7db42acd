"""Lesson 7: its views, figure and explorers against the tokenizers, the facts, and the counts that it states."""
import json
import pathlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlab import course, figures, measure, pretrained, views, widgets
from tokenlab.course import lesson7
from tokenlab.views.letters import CASES, DIGITS, form, occurs, with_commas
from tokenlab.widgets.explorer import WIDGET
from tokenlab.widgets.lesson7 import NAMES, NUMBERS, WORDS

from .test_exercises import ROOT
from .test_views import shown
from .test_widgets import NASTY, every_widget, press

FACTS = json.loads((pathlib.Path(__file__).parent / "data" / "facts.json").read_text(encoding="utf-8"))["cases"]


@pytest.fixture(scope="module")
def toks():
    return {name: pretrained.load(name) for name in NAMES}


# ---- views

@pytest.mark.parametrize("fact", [fact for fact in FACTS if fact["kind"] == "encode" and fact["tokenizer"] in NAMES
                                  and re.match("s002-(strawberry|taxi-form)", fact["id"]) and len(fact["input"]) < 13], ids=lambda fact: fact["id"])
def test_the_ids_of_each_form_are_those_of_the_facts(toks, fact):
    state = views.letters_state(toks[fact["tokenizer"]], fact["input"], "r")
    assert state["ids"] == state["plain"] == fact["expected_ids"]
    assert shown(views.letters_card(state)).count(str(fact["expected_ids"][0])) >= 1


@pytest.mark.parametrize("fact", [fact for fact in FACTS if fact["kind"] == "encode" and fact["tokenizer"] in NAMES
                                  and re.match("num[0-9]|s002-n[0-9]", fact["id"])], ids=lambda fact: fact["id"])
def test_the_groups_of_digits_are_those_of_the_facts(toks, fact):
    digits = fact["input"].strip()
    rows = views.digits_state([toks[fact["tokenizer"]]], digits)["rows"]
    groups = [group for group, _ in rows[fact["tokenizer"]]]
    if fact["input"] == digits or fact["tokenizer"] != "gpt2":      # in GPT-2 a blank before them changes the groups
        assert groups == [piece.strip("▁ ") for piece in fact["expected_pieces"] if piece.strip("▁ ")]


@given(st.text(min_size=1, max_size=20).filter(str.strip), st.characters(codec="utf-8", exclude_characters="\ufffd"), st.sampled_from(NAMES[:4]),
       st.booleans(), st.sampled_from(list(CASES)), st.booleans())
def test_a_letter_is_counted_in_the_whole_text(word, letter, name, blank, case, spaced):
    state = views.letters_state(pretrained.load(name), word, letter, blank=blank, case=case, spaced=spaced)
    assert state["text"] == form(word, blank, case, spaced)
    assert state["total"] == sum(each.lower() == letter.lower() for each in state["text"]) >= sum(state["alone"])
    shown(views.letters_card(state))


def test_before_you_ask_there_are_ids_only(toks):
    card = views.letters_card(toks["gpt2"], "strawberry", "q", shown=False, case="UPPER")
    assert repr(card) == "gpt2: the model gets 4 ids, and no letters"
    assert not {"ST", "RAW", "BER", "RY"} & set(re.findall("[A-Z]+", shown(card))) and "20530" in shown(card) and "× q" not in shown(card)
    assert "0 ids in common" in shown(card)
    title = views.letters_card(toks["o200k_base"], "strawberry", "r", case="Title")
    assert "1 id in common, outlined" in shown(title) and repr(title) == "o200k_base: Str aw berry has 3 × r"


def test_a_character_over_two_tokens_is_counted_once(toks):
    card = views.letters_card(toks["o200k_base"], "🚕", "🚕")
    assert repr(card) == "o200k_base: ⟨F0⟩⟨9F⟩⟨9A⟩ ⟨95⟩ has 1 × 🚕" and "1 × 🚕 is cut by a border" in shown(card)
    assert occurs("R", "strawbeRry") == 3 and occurs("s", "ß") == 0


def test_long_words_say_what_is_left_out(toks):
    assert "only the first 60 of 500 characters" in shown(views.letters_card(toks["gpt2"], "a" * 500, "a"))


@pytest.mark.parametrize("word, letter, told", [("", "r", "there is no word"), (" \t", "r", "there is no word"), ("taxi", "", "and '' has 0"),
                                                ("taxi", "ax", "and 'ax' has 2"), ("cafe", "e\u0301", "has 2"), ("\ud83d", "r", "lone surrogate")])
def test_what_cannot_be_counted_is_refused(toks, word, letter, told):
    with pytest.raises(ValueError, match=told):
        views.letters_state(toks["gpt2"], word, letter)


@given(st.text("0123456789", min_size=1, max_size=DIGITS), st.booleans(), st.sampled_from(NAMES))
def test_each_group_stands_for_its_part_of_the_number(digits, commas, name):
    state = views.digits_state([pretrained.load(name)], digits, commas)
    for groups in (state["rows"][name], state["right"]):
        assert "".join(group for group, _ in groups) == digits
        assert sum(int(group) * 10 ** power for group, power in groups) == int(digits)
    assert all(power % 3 == 0 for _, power in state["right"]) and with_commas(digits).replace(",", "") == digits
    assert digits.startswith("0") or with_commas(digits) == f"{int(digits):,}"
    shown(views.digits_card(state))


@pytest.mark.parametrize("name, commas, outlined", [("cl100k_base", False, 2), ("cl100k_base", True, 0), ("gpt2", True, 0), ("tekken", False, 0)])
def test_groups_with_digits_of_two_thousands_are_outlined(toks, name, commas, outlined):
    assert str(views.digits_card([toks[name]], "1234567", commas)).count("border:2px") == outlined


@pytest.mark.parametrize("number", ["", "12a", "-1", "1.5", "٣", "1" * 16, ","])
def test_what_is_no_number_is_refused(toks, number):
    with pytest.raises(ValueError, match="number must be 1 to 15 digits"):
        views.digits_state([toks["gpt2"]], number)


# ---- figure

def test_each_line_is_the_cost_of_its_tokenizers(toks):
    picture = figures.indents(list(toks.values()))
    drawn = {name: list(line.get_ydata()) for line in picture.figure.axes[0].lines for name in line.get_label().split(", ")}
    assert drawn == {name: [measure.count_tokens(tok, " " * n + "return") for n in range(41)] for name, tok in toks.items()}
    assert picture.title == "40 blanks, then return: 40 tokens in gpt2, 2 in cl100k_base" and "gpt2: 4, 8, 40" in picture.caption


# ---- explorers

@pytest.mark.parametrize("make", [widgets.what_the_model_sees, widgets.digit_ruler])
def test_each_shows_itself_live_and_as_text(make):
    explorer = make()
    bundle, _ = explorer._repr_mimebundle_()
    assert bundle[WIDGET]["model_id"] == explorer.box.model_id and bundle["text/html"] in explorer.view.value
    assert bundle["text/plain"] in shown(bundle["text/html"])
    assert set(every_widget(explorer.box)) >= set(explorer.controls.values())
    with pytest.raises(ValueError, match="did you mean 'gpt2'"):
        make(tokenizer="gtp2")


def test_what_the_model_sees_follows_each_control():
    explorer = widgets.what_the_model_sees()
    assert repr(explorer) == "o200k_base: the model gets 3 ids, and no letters"
    for change, told in (({"shown": True}, "o200k_base: st raw berry has 3 × r"), ({"blank": True}, "o200k_base: ·strawberry has 3 × r"),
                         ({"case": "UPPER"}, "o200k_base: ·STR AW B ERRY has 3 × r"), ({"tokenizer": "gpt2"}, "gpt2: ·ST RAW BER RY has 3 × r"),
                         ({"letter": "B"}, "gpt2: ·ST RAW BER RY has 1 × B"),
                         ({"spaced": True, "blank": False, "case": "lower"}, "gpt2: s ·t ·r ·a ·w ·b ·e ·r ·r ·y has 1 × B")):
        explorer.set(**change)
        assert repr(explorer) == told
    for name in WORDS:
        press(explorer, name)
        assert explorer.state["word"] == name and "has" in repr(explorer)


def test_bad_input_gives_a_card_and_no_text_hurts():
    explorer = widgets.what_the_model_sees()
    explorer.set(shown=True)
    for change in ({"word": ""}, {"letter": "rr"}, {"letter": ""}, {"word": "a\ud83d"}):
        before = {name: explorer.state[name] for name in change}
        explorer.set(**change)
        assert "This does not work" in explorer.view.value and "Traceback" not in explorer.view.value
        explorer.set(**before)
        assert "This does not work" not in explorer.view.value
    for name in NAMES:
        for word in filter(str.strip, NASTY):
            explorer.set(tokenizer=name, word=word, spaced=True)
            assert "<script" not in explorer.view.value and "This does not work" not in explorer.view.value


def test_a_number_grows_digit_by_digit():
    explorer = widgets.digit_ruler()
    assert explorer.state["digits"] == 7 and explorer.controls["digits"].max == 10
    factors = []
    for n in range(4, 11):
        explorer.set(digits=n)
        factors.append(explorer.data(**explorer.state)["rows"]["cl100k_base"][0])
    assert factors == [("123", n - 3) for n in range(4, 11)]
    explorer.set(digits=7, commas=True)
    assert repr(explorer) == "cl100k_base reads 1,234,567 as 1 234 567, as place value does"
    explorer.set(tokenizer="gpt2")
    assert repr(explorer) == "gpt2 reads 1,234,567 as 1 234 5 67; by place value it is 1 234 567"
    explorer.set(tokenizer="tekken")
    assert repr(explorer) == "tekken reads 1,234,567 as 1 2 3 4 5 6 7; by place value it is 1 234 567"
    for name, number in NUMBERS.items():
        press(explorer, name)
        assert explorer.state["number"] == number and explorer.controls["digits"].max == len(number) and "This does not work" not in explorer.view.value
    for bad in ("", "12a", "1" * 16):
        explorer.set(number=bad)
        assert "number must be 1 to 15 digits" in explorer.view.value


# ---- the lesson's words

def test_the_ids_of_exercise_1_spell_what_their_comment_says(toks):
    spelled = [toks["gpt2"].decode(ids) for ids, _ in lesson7._COUNTED]
    assert spelled == ["strawberry", " strawberry", "STRAWBERRY", *["strawberry"] * 2, *["Taxi 🚕🚕"] * 2, "Café é", "bookkeeper", "Mississippi",
                       "", *["strawberry"] * 2]
    assert lesson7.judge_separators({" ", "-", "."})[0] == lesson7.judge_separators({" "}, "gpt2")[0] == ""


def test_odd_answers_get_their_own_hint():
    assert "inside a token" in course.check("7.3", lambda words: {word for word in words if re.search(r"(.)\1", word)}).hint
    whole = course.check("7.4", lambda text: re.sub(r"[0-9]+(\.[0-9]+)?", lambda found: found[0] if found[1] else with_commas(found[0]), text))
    assert not whole.passed and "1,234,567.89" in whole.expected


def test_every_claim_is_told_when_it_is_sorted_wrongly():
    for key in lesson7.CLAIMS:
        for verdict in {*lesson7.CLAIMS.values()} - {lesson7.CLAIMS[key]}:
            assert course.check("7.5", lesson7.CLAIMS | {key: verdict}).hint.startswith(f"{key}:")
    assert "must map each" in course.check("7.5", {"a": ["explains"]}).hint


def test_facts_of_the_notebook_are_those_that_were_checked():
    notebook = (ROOT / "notebooks" / "07_letters_digits_blanks.ipynb").read_text(encoding="utf-8")
    for written in ("43453", "89473", "177431", "2.26", "4.13", "[36214, 72]", "[42795]", "[51, 5202, 40]", "428, 428"):
        assert written in notebook
