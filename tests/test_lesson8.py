"""Lesson 8: its views and explorers against their definitions, its exercises' edges, and what it says of models and libraries."""
import contextlib
import math
import random

import pytest
import sentencepiece

from tokenlab import bpe, corpora, course, data, pretrained, unigram, views, widgets
from tokenlab.sentencepiece.tokenizer import BYTE_NAMES
from tokenlab.views.sentencepiece import ENOUGH, ROWS, with_settings
from tokenlab.widgets.explorer import WIDGET
from tokenlab.widgets.lesson8 import METHODS, TEXTS, WORDS, sampled, ways_of

from .test_dropout import bound, follow
from .test_views import shown
from .test_widgets import every_widget

SETTINGS = [dict(zip(("nfkc", "collapse", "prefix", "fallback"), map(int, f"{n:04b}"))) for n in range(16)]
NASTY = ["", " ", "   ", "▁", "a ▁ b", "\t", "\r\n", "<unk>", "<s>", "<script>alert(1)</script>", "e\u0301", "ﷺ", "a\0b", "שלום", "🚕" * 50, "x" * 500]


# ---- the stages of a text

def test_as_it_is_the_model_is_botchans():
    real, tok = pretrained.load("botchan-unigram"), with_settings(True, True, True, False)
    for line in [*corpora.load("botchan").split("\n")[:40], *TEXTS.values(), *NASTY]:
        assert tok.encode(line, disallowed_special="text") == real.encode(line, disallowed_special="text")
        assert tok.normalizer(line) == real.normalizer(line)


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: "".join(map(str, settings.values())))
def test_each_setting_says_what_is_lost(settings):
    for s in [*TEXTS.values(), *NASTY]:
        state = views.stages_state(s, **settings)
        given = s[:80]
        assert (state["lost"] == "") == (state["back"] == given), s
        assert [stage for stage, _ in state["stages"]] == ["text", "character map", "extra blanks", "dummy prefix", "▁ for blank"]
        assert any(name in BYTE_NAMES for name in state["pieces"]) <= settings["fallback"] and ("<unk>" in state["pieces"]) <= (not settings["fallback"])
        if settings["fallback"] and not settings["nfkc"] and not settings["collapse"]:
            assert state["lost"] == "▁" * given.count("▁")
        card = views.stages_card(s, **settings)
        assert "<script" not in card and repr(card).startswith("Nothing is lost" if not state["lost"] else f"{len(state['lost'])} character")
    assert "first 80 of 500 characters" in shown(views.stages_card("x" * 500, **settings))


def test_a_stage_that_changes_nothing_says_so():
    card = shown(views.stages_card("plain"))
    assert card.count("as before") == 2 and "▁plain" in card and "given backplain" in card
    for wrong in (b"bytes", None):
        with pytest.raises(TypeError):
            views.stages_state(wrong)
    with pytest.raises(ValueError, match="lone surrogate"):
        views.stages_card("a\ud800")


# ---- draws

def test_draws_are_counted_and_measured():
    ways = [((str(n),), 1 / 10) for n in range(10)]
    rng = random.Random(1)
    drawn = [rng.choice(ways)[0] for _ in range(1000)]
    state = views.draws_state(ways, drawn)
    assert (state["draws"], state["seen"], state["ways"], len(state["rows"])) == (1000, 10, 10, ROWS + 1)
    for pieces, p, q, error in state["rows"][:ROWS]:
        assert q == drawn.count(pieces) / 1000 and error == pytest.approx((q - p) / math.sqrt(0.09 / 1000))
    last = state["rows"][-1]
    assert last[0] == "3 others" and last[1] == pytest.approx(0.3) and sum(q for _, _, q, _ in state["rows"]) == pytest.approx(1)
    few = views.draws_state(ways, drawn[:10])
    assert [error is None for *_, error in few["rows"]] == [10 * min(p, 1 - p) < ENOUGH for _, p, _, _ in few["rows"]]
    assert "standard errors" not in repr(views.draws_card(few)) and repr(views.draws_card(few)).startswith("10 draws, ")
    assert repr(views.draws_card([((), 1)], [()] * 3)) == "3 draws, 1 of 1 segmentation seen"
    assert "<b>" not in views.draws_card([(("<b>",), 0.5), (("x",), 0.5)], [("<b>",)] * 20)


def test_chances_of_the_sampler_are_those_of_the_lattice():
    p = {piece.text: math.exp(piece.score) for piece in pretrained.load("t5").model if piece.kind == "normal"}
    for word in WORDS:
        ways = dict(unigram.segmentations("▁" + word, p))
        found, _, merges = ways_of(word)
        assert {pieces for pieces, _ in found} == ways.keys()
        total = sum(q ** 0.3 for q in ways.values())
        for pieces, chance, *_ in sampled("Unigram, T5", word, 0.3, 0, 100, 0)["rows"][:-1]:
            assert pieces not in ways or chance == pytest.approx(ways[pieces] ** 0.3 / total, rel=1e-6)
        plain = tuple(pretrained.load("gpt2").tokens(" " + word))
        for rule in bpe.DROPOUT_RULES:
            assert bpe.dropout_distribution(b" " + word.encode(), merges, 0, rule) == [(plain, 1)]
            assert len(bpe.dropout_distribution(b" " + word.encode(), merges, 1, rule)[0][0]) == len(word) + 1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("word", WORDS)
def test_what_is_drawn_follows_the_chances_beside_it(method, word):
    """Of each seed all rows at once, by chi-square: a single row may well be 3 standard errors off."""
    total = freedom = 0
    for seed in range(5):
        rows = [row for row in sampled(method, word, 0.3, 0.3, 1000, seed)["rows"] if row[-1] is not None]
        total += sum(error ** 2 * (1 - chance) for _, chance, _, error in rows)
        freedom += len(rows)
    assert freedom > 10 and total <= bound(freedom)


def test_a_wrong_sampler_is_found_out():
    rule, other = bpe.DROPOUT_RULES
    merges = [("a", "b"), ("ab", "ab")]
    chances = dict(bpe.dropout_distribution("abab", merges, 0.5, rule))
    assert not follow(chances, bpe.dropout("abab", merges, 0.5, other, 1000))
    with pytest.raises(ValueError, match=r"\('ab', 'ba'\) was drawn, and has no chance: it is not among the 5 ways given"):
        views.draws_state([*chances.items()], [("ab", "ba")])
    with pytest.raises(ValueError, match="the number of draws must be a whole number from 1 up, not 0"):
        views.draws_card([*chances.items()], [])


# ---- explorers

def test_spaces_with_each_setting():
    explorer = widgets.spaces()
    bundle, _ = explorer._repr_mimebundle_()
    assert bundle[WIDGET]["model_id"] == explorer.box.model_id and bundle["text/html"] in explorer.view.value
    assert set(every_widget(explorer.box)) >= set(explorer.controls.values())
    for settings in SETTINGS:
        for s in TEXTS.values():
            explorer.set(text=s, **{name: bool(on) for name, on in settings.items()})
            assert repr(explorer) == repr(views.stages_card(s, **settings)) and "does not work" not in explorer.view.value
    explorer.set(text="a\ud800b")
    assert "lone surrogate" in explorer.view.value
    with pytest.raises(ValueError, match="lone surrogate"):
        widgets.spaces("a\ud800b")


def test_sampler_with_each_method():
    explorer = widgets.sampler()
    assert set(every_widget(explorer.box)) >= set(explorer.controls.values()) and repr(explorer).startswith("100 draws, ")
    for method in METHODS:
        for word in (*WORDS, "", "a", "🚕", "e\u0301", "東京", "<b>x"):
            explorer.set(method=method, word=word, draws=10, alpha=0.0, p=0.5, seed=3)
            assert "does not work" not in explorer.view.value and repr(explorer).startswith("10 draws, "), word
            assert "<b>x" not in explorer.view.value
        for word in ("eleven-more", "🚕🚕🚕", "ﷺ", "a\ud800"):
            explorer.set(word=word)
            assert "does not work" in explorer.view.value, word
    explorer.set(word="tokens", method="Unigram, T5", seed=0)
    before = explorer.view.value
    explorer.set(seed=1)
    assert explorer.view.value != before
    explorer.set(seed=0)
    assert explorer.view.value == before
    with pytest.raises(ValueError, match="too long, for all its segmentations are listed"):
        widgets.sampler("tokenization")
    with pytest.raises(ValueError, match="did you mean \"BPE-dropout, the paper's\""):
        widgets.sampler(method="BPE-dropout, paper")


@pytest.mark.parametrize("alpha", [-0.1, -1e9, 1e300, 10**400, float("nan"), float("inf"), "1", None])
def test_an_alpha_that_cannot_be_is_told(alpha):
    for draw in (lambda: pretrained.load("t5").sample("tokens", alpha), lambda: sampled("Unigram, T5", "tokens", alpha, 0, 10, 0)):
        with pytest.raises(ValueError, match="alpha must be a number from 0"):
            draw()


@pytest.mark.parametrize("method", METHODS)
def test_settings_that_cannot_be_are_told(method):
    for draws in (0, -1, 10**9, 2.5, "x", None):
        with pytest.raises((ValueError, TypeError), match="draws must be a whole number"):
            sampled(method, "tokens", 0.3, 0.3, draws, 0)
    for p in (-1, 1.5, float("nan"), "x", None):
        with pytest.raises(ValueError, match="p must be a number from 0") if METHODS[method] else contextlib.nullcontext():
            sampled(method, "tokens", 0.3, p, 10, 0)
    with pytest.raises(ValueError, match="unknown method 'BPE'"):
        sampled("BPE", "tokens", 0.3, 0.3, 10, 0)


def test_settings_that_cannot_be_are_shown_in_a_card():
    explorer = widgets.sampler("tokens")
    slider, p = explorer.controls["alpha"], explorer.controls["p"]
    for value in (float("nan"), 1e300):
        explorer.set(method="Unigram, T5", alpha=0.3)
        slider.max = 1e308                              # no end: a slider pulls what is beyond it back
        explorer.set(alpha=value)
        assert "does not work" in explorer.view.value and "alpha must be a number" in repr(explorer)
    explorer.set(method="BPE-dropout, the paper's", p=float("nan"))
    assert "does not work" in explorer.view.value and "p must be a number" in repr(explorer)
    p.max = 2.0
    explorer.set(p=1.5)
    assert "does not work" in explorer.view.value and "not 1.5" in repr(explorer)
    explorer.controls["draws"].options = [0, 100, 10**9]
    for draws in (0, 10**9):
        explorer.set(p=0.5, draws=draws)
        assert "does not work" in explorer.view.value and "draws must be a whole number" in repr(explorer)
    explorer.set(draws=100)
    assert repr(explorer).startswith("100 draws, ")
    for name in ("alpha", "p", "draws"):                # what a control cannot hold is refused, and nothing changes
        with pytest.raises(ValueError, match=f"the control '{name}' does not take 'x'"):
            explorer.set(**{name: "x"})
    assert repr(explorer).startswith("100 draws, ")


# ---- the lesson's words

def test_the_prediction_is_computed():
    places = course.predict("8.hook").places
    assert (places["answer"], places["back"], places["lines"]) == (11, 356, 3155)
    assert not {"{", "}"} & {piece.text for piece in pretrained.load("t5").model}


def test_t5_does_the_same_in_sentencepiece():
    theirs = sentencepiece.SentencePieceProcessor(model_proto=data.read("tokenizers/t5_spiece.model"))
    lines = [line for line in corpora.load("python").split("\n") if line]
    assert sum(theirs.decode(theirs.encode(line)) == line for line in lines) == 356
    best = theirs.nbest_encode_as_pieces("tokens", 4)
    assert [tuple(pieces) for pieces in best] == [pieces for pieces, _ in pretrained.load("t5").nbest("tokens", 4)]


def test_user_defined_and_control_symbols_are_those_of_sentencepiece(tmp_path):
    from tokenlab import formats
    from tokenlab.sentencepiece import CharacterBPE, Piece

    symbols = [Piece("<unk>", 0, "unknown"), Piece("<s>", 0, "control"), Piece("<user>", 0, "user-defined")]
    tiny = CharacterBPE([*symbols, *(Piece(c, -n) for n, c in enumerate("▁hi<us>er"))])
    formats.save(tiny, tmp_path / "tiny.model")
    theirs = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "tiny.model"))
    for s in ("<s>hi", "<user>hi", "hi <user>", "<user"):
        assert theirs.encode(s, out_type=str) == tiny.pieces(s, disallowed_special="text")


def test_georgian_letters_begin_with_the_same_two_bytes():
    article = "".join(next(row["articles"] for row in corpora.udhr() if row["name"] == "Georgian"))
    letters = {character for character in article if character.isalpha()}
    assert len(letters) > 30 and {letter.encode()[:2] for letter in letters} == {b"\xe1\x83"}


def test_chances_that_are_none_are_told():
    def hint(chances):
        found = course.check("8.4", chances)
        assert not found.passed
        return found.hint
    ways = ("a b a b", "ab a b", "a b ab", "ab ab", "abab")
    assert "Yours: none" in hint({}) and "Yours: 1" in hint({1: 1})
    assert "sum to nothing, for not all are numbers" in hint(dict.fromkeys(ways, "x")) and "sum to" in hint(dict.fromkeys(ways, float("nan")))
    assert "SentencePiece's variant" in hint(dict(zip(ways, (.25, .25, .25, .125, .125))))
    assert "The chance of ab ab is another" in hint(dict(zip(ways, (.25, .25, .2, .15, .15)))).replace("`", "")
    assert course.check("8.4", dict(zip(ways, (.25, .25, .125, .1875, .1875)))).passed


def test_a_model_is_read_as_the_exercise_says():
    from tokenlab.course.lesson8 import escape, first_pieces, unescape

    for name in ("botchan_en_unigram_1000", "t5_spiece", "mistral_v1_tokenizer"):
        content = data.read(f"tokenizers/{name}.model")
        theirs = sentencepiece.SentencePieceProcessor(model_proto=content)
        assert first_pieces(content, 500) == [theirs.id_to_piece(i) for i in range(500)]
    for s in [*TEXTS.values(), *NASTY, "\\", "\\\\▁ \\"]:
        assert unescape(escape(s)) == s
