"""Lesson 10: the explorer of your own text without a browser, its files, the figure, and a notebook without the other libraries."""
import asyncio
import base64
import datetime
import json
import pathlib
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import ipywidgets
import nbformat
import pytest

from tokenlab import bpe, corpora, data, figures, formats, measure, pretrained, views, widgets
from tokenlab.course import lesson10
from tokenlab.figures.rows import family
from tokenlab.views import own as own_views
from tokenlab.widgets import lesson10 as explorers

from .test_figures import check
from .test_widgets import every_widget, press

FACTS = {case["id"]: case for case in json.loads((pathlib.Path(__file__).parent / "data" / "facts.json").read_text(encoding="utf-8"))["cases"]}
CODE = corpora.load("python")
LINK = re.compile('download="([^"]+)" href="data:application/octet-stream;base64,([^"]*)"')


@pytest.fixture
def own():
    return widgets.your_own_text("to be or not to be, that is the question. " * 20, 300)


def links(explorer):
    """The files that can be downloaded now: dict name -> bytes."""
    html = "".join(each.value for each in every_widget(explorer.box) if isinstance(each, ipywidgets.HTML))
    return {name: base64.b64decode(content) for name, content in LINK.findall(html)}


def wait(explorer, word="train"):
    """Wait until the button can be pressed again."""
    button = next(each for each in every_widget(explorer.box) if getattr(each, "description", "") == word)
    for _ in range(1500):
        if not button.disabled:
            return
        time.sleep(0.02)
    raise AssertionError("the training does not end")


# ---- views

def test_a_trained_tokenizer_beside_real_ones():
    trace = bpe.train(CODE[:50_000], vocab_size=600)
    state = views.own_state(trace, CODE[50_000:60_000], 600)
    assert state["rows"]["yours"] == (600, len(trace.tokenizer().encode(CODE[50_000:60_000], disallowed_special="text"))) and state["why"] == ""
    assert state["rows"]["gpt2"] == (50_257, measure.count_tokens(pretrained.load("gpt2"), CODE[50_000:60_000]))
    assert "you stopped it after 344 of 744 merges" in views.own_state(trace, "x", 1000)["why"]
    assert "no pair was left" in views.own_state(bpe.train("ab", vocab_size=300), "x", 300)["why"]
    assert "<script>" not in views.own_card(views.own_state(trace, "<script>alert(1)</script>", 600))


def test_files_are_those_that_save_writes_and_load_reads(tmp_path):
    tok = bpe.train(CODE[:20_000], vocab_size=400).tokenizer()
    found = own_views.files(tok)
    for path, content in found.items():
        if content:
            folder = tmp_path / path if path == "mine" else tmp_path
            folder.mkdir(exist_ok=True)
            for name, written in content.items():
                (folder / name).write_bytes(written)
            assert formats.load(tmp_path / path).encode(CODE) == tok.encode(CODE)
    assert [path for path, content in found.items() if not content] == ["mine.model"]
    html = views.downloads(tok)
    assert {name: base64.b64decode(content) for name, content in LINK.findall(html)} == {n: c for files in found.values() for n, c in files.items()}
    assert "3 formats" in repr(html)


# ---- the explorer

def test_what_is_stored_has_no_files_in_it(own):
    bundle, _ = own._repr_mimebundle_()
    assert "base64" not in bundle["text/html"] and "that it has not seen" in bundle["text/html"]
    assert len(links(own)) == 7


def test_training_again_gives_the_files_of_what_is_in_the_box(own):
    own.set(text=CODE[:30_000], size=500)
    assert "30,001 bytes from the text box, 500 ids: press train" in repr(own) and links(own) == {}
    press(own, "train")
    wait(own)
    expected = bpe.train(CODE[:27_000], vocab_size=500).tokenizer()
    assert len(links(own)["mine.tiktoken"].splitlines()) == 500
    assert json.loads(links(own)["tokenizer.json"]) == json.loads(own_views.files(expected)["tokenizer.json"]["tokenizer.json"])
    own.set(size=400)
    assert links(own) == {}


def test_a_double_click_trains_once(own, monkeypatch):
    calls, train = [], explorers.bpe.train
    monkeypatch.setattr(explorers.bpe, "train", lambda *args, **named: calls.append(named["vocab_size"]) or train(*args, **named))
    own.set(text=CODE[:50_000], size=900)
    press(own, "train")
    press(own, "train")
    wait(own)
    assert calls == [900] and len(links(own)["mine.tiktoken"].splitlines()) == 900


def test_a_stop_leaves_a_shorter_trace_and_says_so(own):
    own.set(text=corpora.load("moby-dick")[:600_000], size=20_000)
    press(own, "train")
    press(own, "stop")
    wait(own)
    assert re.search(r"you stopped it after [\d,]+ of 19,744 merges", own.view.value) and 256 < len(links(own)["mine.tiktoken"].splitlines()) < 20_000


@pytest.mark.parametrize("stop", [False, True])
def test_without_threads_it_trains_in_slices(own, stop, monkeypatch):
    class NoThread:             # as in a browser's own Python
        def __init__(self, **_):
            pass

        def start(self):
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr(explorers, "Thread", NoThread)
    own.set(text=CODE[:20_000], size=700)

    async def use():
        press(own, "train")
        await asyncio.sleep(0.01)
        if stop:
            press(own, "stop")
        while "that it has not seen" not in own.view.value:
            await asyncio.sleep(0.01)

    with ThreadPoolExecutor() as pool:              # a loop of its own, whatever runs in this thread
        pool.submit(asyncio.run, use()).result()
    expected = bpe.train(CODE[:18_000], vocab_size=256 + explorers.FIRST_SLICE if stop else 700)
    assert len(links(own)["mine.tiktoken"].splitlines()) == len(expected.vocabulary)
    assert ("you stopped it" in own.view.value) is stop


def test_an_error_in_training_is_said_and_the_controls_are_free_again(own, monkeypatch):
    def train(*args, **named):
        raise MemoryError("no room")

    monkeypatch.setattr(explorers.bpe, "train", train)
    controls = own.adjust.__self__
    controls.busy(True)
    list(controls.slices("abc", 300, 300))
    assert repr(own) == "MemoryError: no room" and not controls.train.disabled and controls.stop.disabled


@pytest.mark.parametrize("content, size, said", [
    ("", 300, "no text to learn from"), (b"", 300, "no text"), ("abc", 255, "from 256 to 100000"), ("abc", 10**9, "not 1000000000"), ("abc", -1, "from 256"),
    (b"caf\xe9 au lait", 300, "not UTF-8: byte 3 is E9"), ("é".encode("utf-16"), 300, "not UTF-8: byte 0 is FF"), (b"x" * 20_000_001, 300, "20.0 MB are too much"),
    ("a\ud800", 300, "lone surrogate")])
def test_bad_input_is_refused_in_words(content, size, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        explorers.readable(content, size)


@pytest.mark.parametrize("given", ["a", "aa", "é", "👨‍👩‍👧‍👦", " ", "<|endoftext|>", "\x00"])
def test_tiny_texts_train(given):
    assert "that it has not seen" in repr(widgets.your_own_text(given, 256))


def test_a_bad_value_is_a_card_and_the_next_good_one_works(own):
    for size, said in ((100, "from 256 to 100000"), (10**7, "not 10000000")):
        own.set(size=size)
        assert said in own.view.value
        press(own, "train")
        assert said in own.view.value and links(own) == {}
    own.set(size=300)
    assert "that it has not seen" in own.view.value and len(links(own)) == 7


def test_an_upload_in_both_shapes_and_the_box_again(own):
    new = {"name": "mine.txt", "type": "text/plain", "size": 5, "content": memoryview(b"hello")}
    old = {"mine.txt": {"metadata": {"name": "mine.txt", "type": "text/plain", "size": 5}, "content": b"hello"}}
    assert explorers.uploaded((new,)) == explorers.uploaded(old) == ("mine.txt", b"hello") and explorers.uploaded(()) is explorers.uploaded({}) is None
    new["last_modified"] = datetime.datetime.now(datetime.UTC)
    own.controls["upload"].set_trait("value", (new,))
    assert "5 bytes from mine.txt, 300 ids" in repr(own)
    own.controls["upload"].set_trait("value", ({**new, "name": "<b>\x1b\u202e" + "x" * 1000, "content": memoryview(b"h")},))
    assert r"1 byte from <b>\x1b\u202exxx" in repr(own) and len(repr(own)) < 200 and "<b>" not in own.view.value
    own.set(text="something else")
    assert "14 bytes from the text box" in repr(own)


def test_race():
    calls = []
    race = widgets.race({"one": lambda: calls.append(1), "<b>": lambda: calls.append(2)}, runs=2)
    assert calls == [] and "press the button" in repr(race)
    press(race, "race")
    assert calls == [1, 2, 1, 2] and "was fastest" in repr(race) and "<b>" not in race.view.value


# ---- the figure, the exercises, the facts

def test_speed_shows_each_measurement_once(monkeypatch):
    rows = data.benchmarks()
    picture = figures.speed(rows)
    check(picture, monkeypatch)
    ax = picture.figure.axes[0]
    drawn = sorted(line.get_xdata()[0] for line in ax.lines if line.get_marker() in ("o", "s"))
    assert drawn == sorted(row["ratio"] for row in rows)
    assert all((line.get_marker() == "o") == (line.get_xdata()[0] < 1) for line in ax.lines if line.get_marker() in ("o", "s"))
    assert len({family(row) for row in rows}) <= 12 and f"{sum(row['ratio'] < 1 for row in rows)} of {len(rows)}" in picture.title


def test_the_pair_of_each_token_of_gpt2():
    tok = pretrained.load("gpt2")
    ranks = {token: i for i, token in tok.vocabulary.items()}
    assert all(lesson10.pair_of(left + right, ranks) == (left, right) for left, right in tok.merges[::23])


def test_answers_to_the_last_exercise_are_judged():
    def judge(*own):
        return lesson10.judge_own(own)[0]

    assert judge(CODE[:100_000], CODE[110_000:]) == "" and judge(CODE, CODE[-20_000:]) == "seen" == judge(CODE, CODE[-20_000:] + "x")
    assert judge(CODE, "x") == "short" and judge("a" * 2_000_001, CODE) == "long" and judge(CODE) == "shape" == judge(1, 2) == judge(CODE, "\ud800" * 1000)


def test_no_size_beats_gpt2_on_the_first_pages_of_the_novel():
    pages = corpora.load("botchan")[:20_000]
    trace, held = bpe.train(pages[:18_000], vocab_size=5000), pages[18_000:]
    assert trace.stopped == "no pair left" and measure.count_tokens(trace.tokenizer(), held) > measure.count_tokens(pretrained.load("gpt2"), held)


def test_the_notebook_says_what_is_missing_and_goes_on(monkeypatch, capsys):
    for name in ("tiktoken", "tokenizers", "sentencepiece"):
        monkeypatch.setitem(sys.modules, name, None)
    names = {}
    for cell in nbformat.read(pathlib.Path(__file__).parents[1] / "notebooks" / "10_take_it_with_you.ipynb", as_version=4).cells:
        if cell.cell_type == "code":
            exec(cell.source.replace("%pip install -q", "pass #"), names)        # noqa: S102
    said = capsys.readouterr().out
    assert [said.count(f"{name} is missing: run  %pip install {name}") for name in ("tiktoken", "tokenizers", "sentencepiece")] == [3, 2, 2]
