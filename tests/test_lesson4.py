"""Lesson 4: its views and explorers, on odd input too, and what they say against real tokenizers and the shipped files."""
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlab import bpe, corpora, course, data, pretokenize, pretrained, views, widgets
from tokenlab.widgets import lesson4
from tokenlab.widgets.explorer import WIDGET

from .test_views import NASTY, shown
from .test_widgets import every_widget, press

NAMES = ("gpt2", "cl100k_base", "o200k_base", "tekken")
UNBELIEVABLE = [38, 79, 142, 162, 239, 285, 300, 6412, 10948, 17236, 20299, 24224]
TEXTS = [s[:200] for s in NASTY] + [" ha ha haha ha", "don't  stop\n\n", "x" * 130]


@pytest.fixture(scope="module")
def real():
    return {name: pretrained.load(name) for name in NAMES}


# ---- the encode stepper

def test_the_joins_of_unbelievable(real):
    state = views.encode_state(real["gpt2"], " unbelievable")
    assert [step.number for step in state["steps"]] == UNBELIEVABLE
    assert state["chunks"] == [(b" unbelievable",)]
    bare = views.encode_state(real["gpt2"], "unbelievable")
    assert (len(bare["steps"]), bare["chunks"]) == (8, [(b"un", b"bel", b"iev", b"able")])
    card = shown(views.encode_card(real["gpt2"], " unbelievable"))
    assert all(f"{number:,}" in card for number in UNBELIEVABLE)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("s", TEXTS)
def test_every_moment_of_encoding(real, name, s):
    tok = real[name]
    end = views.encode_state(tok, s)
    tokens = tok.tokens(end["text"], disallowed_special="text")
    assert [token for chunk in end["chunks"] for token in chunk] == tokens and end["next"] is None
    size = len(end["text"].encode())
    assert len(end["steps"]) == size - len(tokens)
    for k in {0, 1, len(end["steps"]) // 2} & set(range(len(end["steps"]))):
        now, after = views.encode_state(tok, s, k), views.encode_state(tok, s, k + 1)
        n, place = now["next"]
        pair = now["chunks"][n][place:place + 2]
        assert pair == now["steps"][k].pair
        assert after["chunks"][n] == (*now["chunks"][n][:place], b"".join(pair), *now["chunks"][n][place + 2:])
        assert sum(map(len, now["chunks"])) == size - k
        assert b"".join(token for chunk in now["chunks"] for token in chunk).decode() == end["text"]


def test_a_token_that_splits_a_character_touches_all_of_it(real):
    card = shown(views.encode_card(real["o200k_base"], "a🚕"))
    assert "1 to 41 to 2🚕" in card and "4 to 51 to 2🚕" in card


def test_a_long_text_is_cut_and_says_so(real):
    card = views.encode_card(real["gpt2"], "hedgehogs " * 100)
    assert "only the first 60 of 1,000 characters are drawn" in shown(card) and len(card) < 40_000
    many = views.encode_card(real["gpt2"], "😉" * 60)
    assert "only the first 12 of 120 tokens are drawn" in shown(many)


@pytest.mark.parametrize("s", NASTY)
def test_no_text_breaks_a_card_or_becomes_markup(real, s):
    for card in (views.encode_card(real["gpt2"], s), views.encode_card(real["o200k_base"], s, 1), views.stream_card(real["gpt2"], s, 30)):
        assert card.plain in shown(card) and len(card) < 80_000


def test_merge_numbers_are_the_lines_of_the_file(real):
    lines = data.read("tokenizers/gpt2_vocab.bpe").decode().splitlines()[1:11]
    card = shown(views.merge_numbers(real["gpt2"]))
    for number, line in enumerate(lines, 1):
        assert f"{number}{number - 1}{number + 255}{line}" in card


# ---- replay or longest

def test_the_three_ways():
    assert views.contest("abc", [(b"b", b"c"), (b"a", b"b")]) == {
        "rank order": [b"a", b"bc"], "longest match": [b"ab", b"c"], "leftmost pair": [b"ab", b"c"]}
    assert "✗ differs" in shown(views.contest_card("abc", [(b"b", b"c"), (b"a", b"b")]))
    assert "✗ differs" not in shown(views.contest_card("abc", [(b"a", b"b"), (b"b", b"c")]))


def test_five_merges_can_tell_all_three_apart():
    explorer = widgets.replay_or_longest()
    press(explorer, "five merges")
    explorer.set(text="abca")
    assert repr(explorer) == "abca: all three differ" and "rank orderabca2 tokens" in shown(explorer.view.value)
    four = ["".join(letters) for letters in product("abc", repeat=4)]
    merges = lesson4.read_merges(lesson4.MERGES["five merges"])
    assert [s for s in four if views.contest_card(s, merges).plain.endswith("all three differ")] == ["abca"], "as the lesson says"


@pytest.mark.parametrize("s, merges, said", [
    ("abc", "b+c a+b", "both shortcuts differ"), ("abc", "a+b b+c", "all three agree"), ("", "a+b", "all three agree"),
    ("abc", "b+c a+b a+bc", "leftmost pair differs")])
def test_the_title_says_who_is_wrong(s, merges, said):
    card = views.contest_card(s, lesson4.read_merges(merges))
    assert card.plain == f"{s or '(nothing)'}: {said}"
    assert shown(card).count("✗ differs") == {"both": 2, "all": 0, "leftmost": 1}[said.split()[0]]


@pytest.mark.parametrize("state, words", [
    ({"text": "abd"}, "each a, b or c, and is 'abd'"), ({"text": "abc" * 9}, "up to 24 letters"),
    ({"merges": "b+d"}, "'b+d' is no merge here"), ({"merges": "bc"}, "'bc' is no merge here"), ({"merges": "+"}, "'+' is no merge"),
    ({"merges": "ab+c a+b"}, "'ab+c' is no merge here"), ({"merges": "<script>alert(1)</script>"}, "is no merge here")])
def test_what_cannot_be_is_said_in_the_view(state, words):
    explorer = widgets.replay_or_longest()
    explorer.set(**state)
    assert words in shown(explorer.view.value) and "This does not work" in explorer.view.value
    explorer.set(text="abc", merges="b+c, a+b")
    assert repr(explorer) == "abc: both shortcuts differ"
    with pytest.raises(ValueError, match="letters" if "text" in state else "is no merge here"):
        widgets.replay_or_longest(**state)


@given(st.text("abc", max_size=24), st.lists(st.sampled_from(["a+b", "b+c", "c+a", "a+a", "b+b"]), max_size=5, unique=True))
def test_each_way_loses_nothing(text, merges):
    for tokens in views.contest(text, lesson4.read_merges(" ".join(merges))).values():
        assert b"".join(tokens).decode() == text


# ---- drop by drop

@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("s", TEXTS)
def test_a_decoder_that_waits_never_shows_half_a_character(real, name, s):
    tok = real[name]
    whole = views.stream_state(tok, s, 1_000)
    assert "".join(given for *_, given in whole["rows"]) == whole["text"]
    for k in range(0, whole["size"], 7):
        rows = views.stream_state(tok, s, k)["rows"]
        assert rows == whole["rows"][:k]
        assert whole["text"].startswith("".join(given for *_, given in rows))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("s", TEXTS)
def test_what_the_card_shows_is_what_decode_stream_gives(real, name, s):
    rows = views.stream_state(real[name], s, 1_000)["rows"]
    given = [given for *_, given in rows if given]
    assert list(real[name].decode_stream([row[0] for row in rows])) == given


def test_alone_a_character_in_pieces_is_not_to_be_read(real):
    state = views.stream_state(real["gpt2"], "안😉", 99)
    assert [row[2] for row in state["rows"]] == ["�"] * 5
    assert [row[3] for row in state["rows"]] == ["", "", "안", "", "😉"]


# ---- the explorers

@pytest.fixture(params=["encode_stepper", "replay_or_longest", "drop_by_drop"])
def explorer(request):
    return getattr(widgets, request.param)()


def test_each_shows_itself_and_all_its_controls_work(explorer):
    bundle, _ = explorer._repr_mimebundle_()
    assert bundle[WIDGET]["model_id"] == explorer.box.model_id and bundle["text/html"] in explorer.view.value
    assert bundle["text/plain"] == repr(explorer)
    placed = list(every_widget(explorer.box))
    others = {"text": "acb", "merges": "a+c", "tokenizer": "cl100k_base", "blank": False, "k": 1}
    for name, control in explorer.controls.items():
        before = explorer.view.value
        assert control in placed and control.description
        explorer.set(**{name: others[name]})
        assert explorer.view.value != before and "This does not work" not in explorer.view.value


@pytest.mark.parametrize("make", [widgets.encode_stepper, widgets.drop_by_drop])
def test_no_text_hurts(make):
    explorer = make()
    for s in NASTY:
        explorer.set(text=s)
        assert "This does not work" not in explorer.view.value and "<script" not in explorer.view.value
    explorer.set(text="a\ud83d")
    assert "lone surrogate" in repr(explorer)
    with pytest.raises(ValueError, match="did you mean 'gpt2'"):
        make(tokenizer="gtp2")
    with pytest.raises(TypeError, match="must be str"):
        make(text=b"a")


def test_a_new_text_is_shown_to_its_end():
    stepper = widgets.encode_stepper()
    assert repr(stepper) == "gpt2, ·unbelievable: 12 of 12 joins done; 1 token"
    stepper.set(k=3)
    assert repr(stepper) == "gpt2, ·unbelievable: 3 of 12 joins done; next: merge 162, e + l"
    stepper.set(blank=False)
    assert repr(stepper) == "gpt2, unbelievable: 8 of 8 joins done; 4 tokens"
    stepper.set(tokenizer="o200k_base", text="🚕")
    assert repr(stepper) == "o200k_base, 🚕: 2 of 2 joins done; 2 tokens"
    drops = widgets.drop_by_drop("🚕", tokenizer="o200k_base")
    assert repr(drops) == "1 of 2 ids: alone �, buffered (nothing)"
    drops.set(k=2)
    assert repr(drops) == "2 of 2 ids: alone ��, buffered 🚕"
    for name in lesson4.SENTENCES:
        press(drops, name)
        assert drops.state["k"] == min(5, drops.controls["k"].max - 1)
    drops = widgets.drop_by_drop()
    assert repr(drops) == "5 of 9 ids: alone Café·��, buffered Café·" and "(waits)" in drops.view.value


# ---- the lesson's words

def test_what_the_lesson_says_of_gpt2s_merges(real):
    tok, known = real["gpt2"], set(real["gpt2"].vocabulary.values())
    for s in (" unbelievable", "unbelievable"):
        assert bpe.longest_match(s.encode(), known) == tok.tokens(s)
    assert bpe.longest_match(b" hedgehogs", known) == [b" hedge", b"hog", b"s"] != tok.tokens(" hedgehogs")
    assert (b" un", b"bel") in tok.merges and (b"un", b"bel") not in tok.merges
    chunks = pretokenize.count_chunks(corpora.load("moby-dick"))
    assert sum(n for chunk, n in chunks.items() if len(tok.tokens(chunk)) == 1) > 0.8 * chunks.total()


def test_a_value_is_said_as_code_or_in_quotes():
    assert course.check("4.4", [66, 265]).message == "Right. The text is “cat”; encode gives [9246] for it."
    assert course.check("4.4", []).hint.startswith("The text is “”, and `encode`")
    found = course.check("4.4", [8582, 248]).hint
    assert found.startswith("These ids spell no text: the ids do not spell") and found.endswith("end of data.")
    assert course.check("4.5", {"Por"}).hint.startswith("`Por` is not bytes")


def test_a_decoder_that_names_no_id_is_told_so():
    def silent(ids, vocabulary):
        if not set(ids) <= set(vocabulary):
            raise ValueError("something is unknown")
        return b"".join(vocabulary[i] for i in ids).decode()
    result = course.check("4.2", silent)
    assert not result.passed and result.case == "decode([777], {})" and "Put it into the message" in result.hint
