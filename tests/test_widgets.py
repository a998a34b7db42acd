"""Widgets: from the controls' values to the view, on odd input too, without a browser (tests/browser has the rest)."""
import asyncio
import itertools
from concurrent.futures import ThreadPoolExecutor

import ipywidgets
import pytest

from tokenlab import bpe, corpora, views, widgets
from tokenlab.widgets import lesson0, lesson1, lesson2
from tokenlab.widgets.explorer import WIDGET

FAMILY = "👨‍👩‍👧‍👦"
NASTY = ["", " ", "\n\t", "e\u0301", FAMILY, "🇰🇷", "שלום", "a\u202eb", "\x00\ufeff\u200b\x85", "<|endoftext|>",
         "<script>alert(1)</script>", "a" * 10_000, "😉" * 3_000]


@pytest.fixture(scope="module")
def traces():
    return {"Python source": bpe.train(corpora.load("python")[:30_000], vocab_size=556),
            "numbers": bpe.train(corpora.load("numbers"), vocab_size=306),
            "taxi": bpe.train({"taxi": 4, "tax": 3}, vocab_size=7, pattern="none", alphabet="characters")}


@pytest.fixture(params=["first_taste", "byte_inspector", "four_rulers", "byte_eraser", "merge_stepper", "merge_curve",
                        "tie_switch"])
def explorer(request, traces):
    make = getattr(widgets, request.param)
    return make(traces) if request.param == "merge_curve" else make()


def every_widget(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from every_widget(child)


def press(explorer, name):
    """Click the button of that name, as the browser does."""
    found = [each for each in every_widget(explorer.box)
             if isinstance(each, ipywidgets.Button) and each.description == name]
    found[0].click()


def test_each_shows_itself_live_and_as_text(explorer):
    bundle, metadata = explorer._repr_mimebundle_()
    assert bundle[WIDGET]["model_id"] == explorer.box.model_id
    assert bundle["text/plain"] == repr(explorer)
    assert "object at 0x" not in repr(explorer)
    if "text/html" in bundle:
        assert bundle["text/html"] in explorer.view.value
        assert bundle["text/plain"].split(":")[0].split("…")[0] in bundle["text/html"]
    else:
        assert metadata["image/png"]["alt"]
        assert "<svg" in explorer.view.value


def test_each_uses_only_what_old_front_ends_have(explorer):
    kinds = {type(each).__name__ for each in every_widget(explorer.box)}
    assert kinds <= {"VBox", "HBox", "HTML", "Text", "Textarea", "IntSlider", "Dropdown", "Button", "Checkbox"}


def test_each_control_is_in_the_page_and_changes_the_view(explorer):
    placed = list(every_widget(explorer.box))
    for control in explorer.controls.values():
        assert control in placed
        assert control.description
        before, old = explorer.view.value, control.value
        if isinstance(control, ipywidgets.IntSlider):
            control.value = control.max if control.value < control.max else control.min
        elif isinstance(control, ipywidgets.Dropdown):
            control.value = control.options[-1]
        else:
            control.value = not old if isinstance(old, bool) else "lowly 2"
        assert explorer.view.value != before


def test_a_menu_with_nothing_chosen_says_so(explorer):
    for name, control in explorer.controls.items():
        if isinstance(control, ipywidgets.Dropdown):
            chosen, control.value = control.value, None
            assert repr(explorer) == f"ValueError: nothing is chosen in {name!r}: choose one of its values"
            control.value = chosen
            assert "This does not work" not in explorer.view.value


def test_an_unknown_control_is_named(explorer):
    with pytest.raises(ValueError, match="unknown control 'typo'"):
        explorer.set(typo=1)


@pytest.mark.parametrize("name", ["first_taste", "byte_inspector", "four_rulers", "byte_eraser"])
def test_no_text_hurts(name):
    explorer = getattr(widgets, name)()
    for s in NASTY:
        explorer.set(text=s)
        assert "<script" not in explorer.view.value
        assert "This does not work" not in explorer.view.value
        assert len(explorer.view.value) < 250_000
    explorer.set(text="a\ud83d")                            # what a keyboard should not be able to type
    assert "This does not work" in explorer.view.value
    assert "lone surrogate" in repr(explorer)
    explorer.set(text="fine again")
    assert "This does not work" not in explorer.view.value


@pytest.mark.parametrize("name", ["first_taste", "byte_inspector", "four_rulers", "byte_eraser"])
def test_the_first_text_must_be_text(name):
    with pytest.raises(TypeError, match="must be str"):
        getattr(widgets, name)(b"bytes")
    with pytest.raises(ValueError, match="lone surrogate"):
        getattr(widgets, name)("\ud83d")


def test_an_error_of_any_kind_is_shown_not_raised():
    control = ipywidgets.IntSlider(value=1, min=0, max=3, description="n")
    explorer = widgets.Explorer(lambda n: 1 / n, lambda x: views.card(str(x), ""), {"n": control})
    control.value = 0
    assert repr(explorer) == "ZeroDivisionError: division by zero"
    assert "division by zero" in explorer.view.value
    control.value = 2
    assert repr(explorer) == "0.5"
    with pytest.raises(ZeroDivisionError):                  # the first drawing fails the cell
        widgets.Explorer(lambda n: 1 / n, str, {"n": ipywidgets.IntSlider(value=0)})


# ---- lesson 00

def test_first_taste_has_four_tokenizers_and_a_token_to_describe():
    explorer = widgets.first_taste()
    assert repr(explorer) == ("34 characters: 11 tokens in gpt2, 13 tokens in cl100k_base, 13 tokens in o200k_base, "
                              "13 tokens in tekken")
    assert explorer.controls["token"].max == 13
    explorer.set(token=5)
    assert "id 17, bytes 32, character 13" in explorer.view.value
    explorer.set(text="Hi")
    assert explorer.state == {"text": "Hi", "token": 2}     # pulled back to the last token there can be
    press(explorer, "emoji")
    assert explorer.state["text"] == lesson0.TEXTS["emoji"]


# ---- lesson 1

def test_the_samples_of_the_inspector():
    explorer = widgets.byte_inspector()
    assert repr(explorer) == "é: 1 grapheme, 1 code point, 2 bytes"
    sizes = {}
    for name in lesson1.SAMPLES:
        press(explorer, name)
        sizes[name] = tuple(explorer.data(**explorer.state)["sizes"].values())
    assert sizes == {"A": (1, 1, 1), "é": (1, 1, 2), "e + accent": (1, 2, 3), "안": (1, 1, 3), "😉": (1, 1, 4),
                     "family": (1, 7, 25), "flag": (1, 2, 8)}


def test_the_rulers_begin_with_the_family():
    assert repr(widgets.four_rulers()) == f"{FAMILY}: 1 grapheme, 7 code points, 11 UTF-16 units, 25 bytes"
    assert repr(widgets.four_rulers("A")).startswith("A: 1 grapheme, 1 code point, 1 UTF-16 unit, 1 byte")


def test_the_eraser_follows_its_text():
    explorer = widgets.byte_eraser("안녕")
    assert explorer.state == {"text": "안녕", "n": 5}
    assert repr(explorer) == "5 of 6 bytes kept: they end inside a code point"
    explorer.set(n=3)
    assert repr(explorer) == "3 of 6 bytes kept: they end between code points"
    for text, size in (("é", 2), ("é" * 50, 100), ("abc", 3)):
        explorer.set(n=0)
        explorer.set(text=text)                             # a new text begins with all but one of its bytes
        assert (explorer.state["n"], explorer.controls["n"].max) == (size - 1, size)
        assert repr(explorer).startswith(f"{size - 1} of {size} bytes kept")
    explorer.set(text="a")
    assert repr(explorer) == "0 of 1 byte: nothing is kept"
    explorer.set(text="")
    assert repr(explorer) == "0 of 0 bytes: nothing is kept"


# ---- lesson 2: the stepper

def test_the_stepper_steps():
    explorer = widgets.merge_stepper()
    low = "low 5 lower 2 newest 6 widest 3"
    assert explorer.state == {"example": "low, newest", "corpus": low, "k": 0, "word": "lowest"}
    lengths, next_pairs = [], []
    while True:
        state = explorer.data(**explorer.state)
        lengths.append(state["tokens"])
        if state["next"] is None:
            break
        next_pairs.append(state["pairs"][0])
        press(explorer, "next")
    assert next_pairs[:5] == [("e + s", 9), ("es + t", 9), ("est + </w>", 9), ("l + o", 7), ("lo + w", 7)]
    assert (lengths[0], lengths[3], lengths[10], lengths[15]) == (95, 68, 28, 16)
    assert explorer.state["k"] == explorer.controls["k"].max == 15
    assert explorer.data(**explorer.state)["pieces"] == [b"low", b"est</w>"]
    press(explorer, "next")
    assert explorer.state["k"] == 15
    press(explorer, "back")
    assert explorer.state["k"] == 14


def test_play_goes_to_the_end_and_pauses(monkeypatch):
    explorer = widgets.merge_stepper("taxi")
    last = explorer.controls["k"].max
    real = asyncio.sleep
    monkeypatch.setattr(asyncio, "sleep", lambda seconds: real(0))

    async def played():
        press(explorer, "play")
        await real(0)
        await real(0)
        press(explorer, "pause")
        press(explorer, "play")                 # the first run has ended: one step at a time, not two
        press(explorer, "pause")
        paused = explorer.state["k"]
        await real(0.01)
        assert explorer.state["k"] == paused == 1
        for _ in range(2):                      # at the end it begins anew
            press(explorer, "play")
            seen = [explorer.state["k"]]
            while explorer.state["k"] < last:
                await real(0)
                seen.append(explorer.state["k"])
            await real(0.01)
        return seen

    with ThreadPoolExecutor() as pool:          # a loop of its own, whatever runs in this thread
        seen = pool.submit(asyncio.run, played()).result()
    assert sorted(set(seen)) == list(range(last + 1))
    press(explorer, "next")                     # the button says "play" again, and only a press moves the slider
    assert explorer.state["k"] == last
    assert [each.description for each in every_widget(explorer.box) if isinstance(each, ipywidgets.Button)] == ["back", "next", "play"]


@pytest.mark.parametrize(("name", "merges", "pieces"), [
    ("low, newest", 15, [b"low", b"est</w>"]), ("taxi", 6, [b"taxi", b"s"]), ("hug", 7, [b"b", b"ug", b"s"]),
    ("a sentence, as bytes", 29, [b"b", b"u", b"tter", b"f", b"l", b"y"])])
def test_an_example_brings_its_corpus_and_word(name, merges, pieces):
    explorer = widgets.merge_stepper("low, newest")
    explorer.set(k=9)
    explorer.set(example="taxi")
    explorer.set(example=name)
    assert explorer.state["k"] == 0
    assert explorer.state["corpus"] == lesson2.EXAMPLES[name].corpus
    assert explorer.controls["k"].max == merges
    explorer.set(k=merges)
    assert explorer.data(**explorer.state)["pieces"] == pieces


def test_an_edited_corpus_is_trained_again():
    explorer = widgets.merge_stepper("taxi")
    explorer.set(k=6)
    explorer.set(corpus="ab 3 b 2")
    assert explorer.controls["k"].max == 1
    assert explorer.state["k"] == 1
    assert "words with counts" in explorer.view.value
    assert explorer.data(**explorer.state)["words"] == [((b"ab",), 3, ()), ((b"b",), 2, ())]
    explorer.set(corpus="a cab, a taxi")
    assert "the blanks between them left out" in explorer.view.value
    assert sum(times for _, times, _ in explorer.data(**explorer.state)["words"]) == 4


def test_moving_k_does_not_train(monkeypatch):
    explorer = widgets.merge_stepper()
    monkeypatch.setattr(bpe, "train", lambda *args, **kwargs: pytest.fail("trained again"))
    for k in range(15):
        explorer.set(k=k)
    assert "This does not work" not in explorer.view.value


@pytest.mark.parametrize(("corpus", "says"), [
    ("x" * 2_001, "the corpus has 2,001 characters; this stepper takes at most 2,000"),
    ("low 0", "a whole number from 1 up"),
    ("a</w> 3", "leave it out, or choose another example"),
    ("a\ud83d", "lone surrogate")])
def test_a_corpus_that_cannot_be_trained_is_said(corpus, says):
    explorer = widgets.merge_stepper()
    explorer.set(corpus=corpus)
    assert says in repr(explorer)
    assert "This does not work" in explorer.view.value
    explorer.set(example="taxi")
    assert "This does not work" not in explorer.view.value


@pytest.mark.parametrize("example", lesson2.EXAMPLES)
def test_any_corpus_and_word_are_drawn(example):
    explorer = widgets.merge_stepper(example)
    for s in NASTY:
        if len(s) <= lesson2.LIMIT:
            explorer.set(corpus=s)
            assert "This does not work" not in explorer.view.value
        explorer.set(word=s)
        assert "This does not work" not in explorer.view.value
        assert "<script" not in explorer.view.value
        assert len(explorer.view.value) < 150_000


def test_what_to_do_with_a_word_that_cannot_be_written_is_a_control():
    explorer = widgets.merge_stepper()
    explorer.set(k=15)
    explorer.set(word="lowx")
    assert explorer.data(**explorer.state)["refused"] == (
        "'x' is not in the corpus, so the alphabet has no symbol for it: type another word, add it to the corpus, or "
        "choose the example 'a sentence, as bytes'")
    assert "add it to the corpus" in explorer.view.value
    explorer.set(corpus=explorer.state["corpus"] + " lowx 1")
    assert explorer.data(**explorer.state)["refused"] == ""
    explorer.set(example="a sentence, as bytes", word="lowx😉\n")
    assert b"".join(explorer.data(**explorer.state)["pieces"]) == "lowx😉\n".encode()
    explorer.set(word="a\ud83d")
    assert "lone surrogate" in explorer.view.value


def test_words_with_counts():
    assert lesson2.words_with_counts("a 1 b 2 a 3") == {"a": 4, "b": 2}
    for other in ("", "a", "a b", "1", "route 66 is long", "a -1", "a 1.5", "a ²"):
        assert lesson2.words_with_counts(other) is None


def test_an_unknown_example_is_named():
    with pytest.raises(ValueError, match="did you mean 'taxi'"):
        widgets.merge_stepper("taxis")


# ---- lesson 2: the curve and the switch

def test_the_curve_follows_its_controls(traces):
    explorer = widgets.merge_curve(traces)
    assert explorer.state == {"corpus": "Python source", "size": 256 + 75, "log": False}
    state = explorer.data(**explorer.state)
    assert state["tokens"] == traces["Python source"].lengths[75]
    assert repr(explorer).startswith(f"Python source: {state['tokens']:,} tokens")
    for size, log in itertools.product((256, 300, 556), (True, False)):
        explorer.set(size=size, log=log)
        tokens = traces["Python source"].lengths[size - 256]
        assert f"{tokens:,} tokens" in repr(explorer)
        assert repr(explorer).split(". ")[0] in explorer.view.value


def test_the_curve_takes_the_ends_of_each_corpus(traces):
    explorer = widgets.merge_curve(traces)
    explorer.set(size=556)
    size = explorer.controls["size"]
    for name in ("numbers", "taxi", "Python source", "taxi", "numbers"):
        explorer.set(corpus=name)
        low = len(traces[name].alphabet)
        assert (size.min, size.max) == (low, low + len(traces[name].merges))
        assert size.min <= size.value <= size.max
        assert name in repr(explorer)
        assert "This does not work" not in explorer.view.value


def test_the_slider_and_the_axes_say_the_same(traces):
    explorer = widgets.merge_curve(traces)
    for log in (False, True):
        explorer.set(log=log)
        labels = [ax.get_xlabel() for ax in explorer._shown.figure.axes]
        assert len(labels) == 2
        assert all(label.startswith(explorer.controls["size"].description) for label in labels)


def test_the_curve_never_trains(traces, monkeypatch):
    monkeypatch.setattr(bpe, "train", lambda *args, **kwargs: pytest.fail("trained"))
    explorer = widgets.merge_curve(traces)
    explorer.set(corpus="numbers", size=300, log=True)
    assert "44 = 300 tokens" in repr(explorer)


def test_the_curve_refuses_what_it_cannot_draw(traces):
    with pytest.raises(ValueError, match="got 0 traces"):
        widgets.merge_curve({})
    with pytest.raises(ValueError, match="the control 'corpus' does not take 'number'"):
        widgets.merge_curve(traces).set(corpus="number")


def test_the_switch_shows_every_rule():
    explorer, seen = widgets.tie_switch(), set()
    for rule in bpe.TIE_RULES:
        explorer.set(tie=rule)
        assert repr(explorer).startswith(f"{rule}: abcbcab becomes")
        seen.add(repr(explorer).split("; ")[1])
    assert len(seen) == 6
    with pytest.raises(ValueError, match="unknown tie rule"):
        widgets.tie_switch("first")


def test_a_long_unseen_word_is_cut_and_says_so():
    stepper = widgets.merge_stepper()
    stepper.set(word="low" * 60)
    assert "only the first 100 of 180 characters of the word" in stepper.view.value


def test_a_value_that_a_control_does_not_take_is_named():
    with pytest.raises(ValueError, match="the control 'n' does not take 'x'"):
        widgets.byte_eraser("abc").set(n="x")
