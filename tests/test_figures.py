"""Figures: the data that is drawn, the words around it, and that no text is cut off or covered."""
import base64
import io
import itertools
import math
import re
from contextlib import nullcontext

import pytest

from tokenlab import bpe, corpora, figures, measure, unigram
from tokenlab.figures import base, curves, scripts

SIX = ("eng", "fin", "rus", "ell_monotonic", "hin", "cmn_hans")


@pytest.fixture(scope="module")
def udhr():
    return corpora.udhr()


@pytest.fixture(scope="module")
def traces(udhr):
    texts = {each["name"].split(",")[0]: "\n".join(each["articles"])[:3_000] for each in udhr if each["code"] in SIX}
    texts |= {"Moby-Dick": corpora.load("moby-dick")[:50_000], "Python source": corpora.load("python")[:50_000]}
    return {name: bpe.train(text, vocab_size=456) for name, text in texts.items()}


def texts_of(picture, monkeypatch):
    """Every text that is drawn, with its box in pixels."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    drawn, draw = [], Text.draw
    with monkeypatch.context() as patch, getattr(picture, "whole", nullcontext)():
        patch.setattr(Text, "draw", lambda self, *args, **kwargs: (drawn.append(self), draw(self, *args, **kwargs)))
        renderer = FigureCanvasAgg(picture.figure).get_renderer()
        picture.figure.draw(renderer)
        return [(text.get_text(), text.get_fontsize(), text.get_window_extent(renderer)) for text in drawn
                if text.get_text().strip() and text.get_visible()]


def check(picture, monkeypatch):
    """The picture says its facts in words; its texts lie inside it, cover no other, and are at least 11 px high."""
    for words in (picture.title + picture.caption, picture.alt):
        assert re.search(r"\d", words)
    assert repr(picture) == f"{picture.title}. {picture.caption}"
    found = texts_of(picture, monkeypatch)
    assert picture.title in [text for text, _, _ in found]
    assert len(found) > 10
    width, height = picture.figure.bbox.width, picture.figure.bbox.height
    for text, size, box in found:
        assert size * 96 / 72 >= 11, text
        assert min(box.x0, box.y0, width - box.x1, height - box.y1) >= 0, f"{text!r} is cut off"
    for (one, _, a), (other, _, b) in itertools.combinations(found, 2):
        apart = a.x1 <= b.x0 + 1 or b.x1 <= a.x0 + 1 or a.y1 <= b.y0 + 2 or b.y1 <= a.y0 + 2
        assert apart, f"{one!r} covers {other!r}"


def test_a_picture_needs_its_words():
    figure, _ = base.axes()
    for words in (("", "caption", "alt"), ("title", "", "alt"), ("title", "caption", "")):
        with pytest.raises(ValueError, match="a picture needs a"):
            figures.Picture(figure, *words)


def test_a_drawing_is_an_image_and_the_same_each_time(udhr):
    from PIL import Image

    picture = figures.bytes_per_character(udhr[:12])
    image = Image.open(io.BytesIO(base64.b64decode(picture.png()))).convert("RGB")
    assert len(image.getcolors(1 << 20)) > 50               # a blank one has a single colour
    assert image.size == (700, round(100 * picture.figure.get_figheight()))
    longer = Image.open(io.BytesIO(base64.b64decode(picture.png(captioned=True)))).convert("RGB")
    assert longer.width == image.width
    band = longer.crop((0, image.height, *longer.size))
    assert band.height > 30
    assert len(band.getcolors(1 << 20)) > 20                # the caption is in it
    assert all(band.getpixel((x, y)) == (255, 255, 255) for x in (0, band.width - 1) for y in range(band.height))
    assert picture.png(captioned=True) == picture.png(captioned=True)
    assert picture.svg() == picture.svg()
    assert picture.svg().count("</svg>") == 1
    assert f'aria-label="{picture.alt}"' in picture.html()
    assert "<p " in picture.html()


def test_a_picture_shows_image_with_alt_text_and_caption(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw, metadata=None: shown.append((data, metadata)))
    figure, ax = base.axes()
    ax.plot([1, 2])
    figures.Picture(figure, "A title", "A caption < 3", "What is seen")._ipython_display_()
    (image, metadata), (caption, _) = shown
    assert base64.b64decode(image["image/png"]).startswith(b"\x89PNG")
    assert metadata == {"image/png": {"alt": "What is seen"}}
    assert "A caption &lt; 3" in caption["text/html"]
    assert caption["text/plain"] == "A caption < 3"


# ---- lesson 1

def test_bytes_per_character_draws_46_languages(udhr, monkeypatch):
    picture = figures.bytes_per_character(udhr)
    check(picture, monkeypatch)
    bars = picture.figure.axes[0].patches
    assert len(bars) == 46
    expected = sorted(measure.bytes_per_character("\n".join(each["articles"])) for each in udhr)
    assert [bar.get_width() for bar in bars] == pytest.approx(expected)
    labels = [label.get_text() for label in picture.figure.axes[0].get_yticklabels()]
    assert labels[-1] == "Amharic · Ethiopic"
    assert {"Chinese · Han", "Japanese · Hiragana", "Korean · Hangul", "Russian · Cyrillic"} <= set(labels)
    assert all(label.isprintable() and max(label) < "\u0400" for label in labels)       # no glyph that a font may lack
    assert picture.title == "The script decides: 1.00 to 2.98 bytes per character"
    assert ("Bytes per character: Latin letters: 19 languages with 1.00 to 1.49; letters of 2 bytes: 8 languages with "
            "1.78 to 1.86; letters of 3 bytes: 19 languages with 2.45 to 2.98. ") in picture.caption


def test_the_letters_follow_the_script(udhr):
    sizes = {}
    for _, script, size, value in scripts.bytes_by_language(udhr):
        sizes.setdefault(script, set()).add(size)
        assert size - 0.6 < value < size + 0.5
    assert {script for script, size in sizes.items() if 1 in size} == {"Latin"}          # its letters with marks take 2
    assert {script for script, size in sizes.items() if size == {2}} == {"Cyrillic", "Greek", "Armenian", "Hebrew", "Arabic"}
    assert all(size == {3} for size in list(sizes.values()) if not size & {1, 2})


def test_blanks_take_one_byte(udhr):
    blanks = [character for each in udhr for article in each["articles"] for character in article if character.isspace()]
    assert sum(map(str.isascii, blanks)) > 0.99 * len(blanks)


def test_every_character_of_the_corpus_has_a_script(udhr):
    whole = "\n".join(article for each in udhr for article in each["articles"])
    counts = scripts.script_counts(whole)
    assert sum(n for n, _ in counts.values()) == len(whole)
    assert sum(size for _, size in counts.values()) == len(whole.encode("utf-8"))
    assert scripts.OTHER not in counts
    assert scripts.script_counts("") == {}
    assert scripts.script("\u0b85") == "Tamil"
    assert scripts.script("\U00010330") == scripts.OTHER    # Gothic, not in the corpus


def test_script_shares_add_up(udhr, monkeypatch):
    picture = figures.script_shares(udhr)
    check(picture, monkeypatch)
    characters, size = (line for line in picture.figure.axes[0].lines if line.get_label().startswith("of the"))
    assert len(characters.get_xdata()) == len(picture.figure.axes[0].get_yticks()) > 25
    assert sum(characters.get_xdata()) == pytest.approx(100)
    assert sum(size.get_xdata()) == pytest.approx(100)
    assert "Latin 36.7 % of the characters, 21.3 % of the bytes" in picture.caption


# ---- lesson 2

def test_merge_curves_draw_the_lengths(traces, monkeypatch):
    picture = figures.merge_curves(traces)
    check(picture, monkeypatch)
    ax = picture.figure.axes[0]
    assert len(ax.lines) == len(traces) == 8
    for line, (name, trace) in zip(ax.lines, traces.items(), strict=True):
        assert line.get_label() == name
        for k, share in zip(line.get_xdata(), line.get_ydata(), strict=True):
            assert share == pytest.approx(100 * trace.lengths[k] / trace.lengths[0])
        assert line.get_xdata()[0] == 0
        assert line.get_xdata()[-1] == len(trace.merges)
        share = 100 * trace.lengths[-1] / trace.lengths[0]
        assert f"{name}, {share:.1f} % of {trace.lengths[0]:,} after {len(trace.merges):,} merges" in picture.caption
    assert len({(line.get_color(), str(line.get_linestyle()), line.get_marker()) for line in ax.lines}) == 8
    ends = [line.get_ydata()[-1] for line in ax.lines]
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == [name for _, name in sorted(zip(ends, traces, strict=True), reverse=True)]


def test_the_title_says_how_many_texts_were_halved(traces, monkeypatch):
    halved = {name: trace for name, trace in traces.items() if curves.merges_to(trace, 50) is not None}
    assert len(halved) > 2
    most = max(curves.merges_to(trace, 50) for trace in halved.values())
    picture = figures.merge_curves(halved)
    check(picture, monkeypatch)
    assert picture.title == f"{most} merges halve each of the {len(halved)} texts; later ones bring less"
    name, trace = next(iter(halved.items()))
    assert figures.merge_curves({name: trace}).title.startswith(f"{curves.merges_to(trace, 50)} merges halve the text;")


def test_merges_to_half(traces):
    for trace in traces.values():
        k = curves.merges_to(trace, 50)
        assert trace.lengths[k] <= trace.lengths[0] / 2 < trace.lengths[k - 1]
        assert curves.merges_to(trace, 0) is None


def test_curves_of_nothing_are_refused(traces):
    trace = next(iter(traces.values()))
    for draw in (figures.merge_curves, figures.MergeCurve):
        with pytest.raises(ValueError, match="got 0 traces"):
            draw({})
        with pytest.raises(ValueError, match="corpus of trace 'empty' is empty"):
            draw({"empty": bpe.train("", vocab_size=300)})
    with pytest.raises(ValueError, match="got 9 traces: give 1 to 8"):
        figures.merge_curves({str(n): trace for n in range(9)})


@pytest.mark.parametrize("text", ["a", "ab", "aaaa", "ab" * 50])
def test_tiny_corpora_have_curves(text):
    traces = {"tiny": bpe.train(text, vocab_size=300)}
    assert figures.merge_curves(traces).svg()
    curve = figures.MergeCurve(traces)
    for log in (False, True):
        assert curve.draw(curve.state("tiny", 256, log)).svg()


def test_sampling_keeps_both_ends():
    for n in (0, 1, 5, 119, 120, 121, 5_000, 100_000):
        ks = curves.sampled(n)
        assert ks[0] == 0
        assert ks[-1] == n
        assert ks == sorted(set(ks))
        assert len(ks) <= curves.POINTS + 1
        assert n > 119 or len(ks) == n + 1


@pytest.mark.parametrize(("k", "log"), [(0, False), (0, True), (77, False), (200, True)])
def test_the_merge_curve_has_its_cursor_at_k(traces, k, log, monkeypatch):
    curve = figures.MergeCurve(traces)
    trace = traces["Moby-Dick"]
    state = curve.state("Moby-Dick", 256 + k, log)
    picture = curve.draw(state)
    check(picture, monkeypatch)
    assert state["tokens"] == trace.lengths[k]
    with picture.whole() as figure:
        (x, y), (ratio_x, ratio_y) = (cursor.get_data() for cursor in figure.artists)
    assert x == ratio_x == [256 + k] * 2 and y == [0, trace.lengths[k]]
    assert ratio_y == pytest.approx([0, trace.lengths[0] / trace.lengths[k]])
    for size, length in zip(*picture.figure.axes[0].lines[0].get_data(), strict=True):
        assert length == trace.lengths[size - 256]
    assert all(ax.get_xlabel().startswith("vocabulary size") for ax in picture.figure.axes)
    assert all(ax.get_xscale() == ("log" if log else "linear") for ax in picture.figure.axes)
    assert picture.title == f"Moby-Dick: {trace.lengths[k]:,} tokens, {state['per_token']:.2f} bytes per token"
    assert f"256 + {k:,} = {256 + k:,} tokens" in picture.caption
    if k:
        saved = trace.merges[k - 1].before - trace.merges[k - 1].after
        assert f"merge {k:,} saved {saved:,};" in picture.caption


def test_the_layers_make_the_whole_picture(traces):
    curve = figures.MergeCurve(traces)
    words = re.compile(r"<text[^>]*>([^<]+)</text>")
    layered, places = curve.draw(curve.state("Moby-Dick", 300, False)).svg(), set()
    for size, log in ((300, False), (400, False), (300, True), (400, True), (300, False)):
        picture = curve.draw(curve.state("Moby-Dick", size, log))
        with picture.whole():
            over, plain = picture.svg(), figures.Picture.svg(picture)
        assert sorted(words.findall(over)) == sorted(words.findall(plain))
        points = [tuple(map(float, point)) for point in re.findall(r'<circle cx="(\S+)" cy="(\S+)"', over)]
        last = [tuple(map(float, point)) for point in re.findall(r'<use [^>]*x="(\S+)" y="(\S+)"', plain)][-2:]
        assert points == [pytest.approx(point, abs=0.01) for point in last]
        places.add(tuple(points))
    assert len(places) == 4
    assert over == layered
    assert re.match('<svg style="max-width:100%;height:auto" [^>]*viewBox="0 0 [0-9.]+ [0-9.]+"', layered)
    other = curve.draw(curve.state("Python source", 300, True))
    with other.whole():
        assert sorted(words.findall(other.svg())) == sorted(words.findall(figures.Picture.svg(other)))


def test_pictures_of_one_drawing_stay_as_they_are():
    rounds = unigram.em({"hug": 10, "pug": 5}, dict.fromkeys(["h", "u", "g", "p", "ug"], 0.2), 3)
    drawn = figures.Convergence(rounds)
    one = drawn.at(1)
    before = one.svg(), one.png(), one.html()
    two = drawn.at(2)
    assert before[0] != two.svg() and before[1] != two.png()
    assert before == (one.svg(), one.png(), one.html())
    assert "Round 1" in one.svg() and "Round 2" in two.svg()
    assert not drawn.figure.artists and drawn.figure.get_suptitle() == ""


def test_a_size_outside_the_trace_is_pulled_into_it(traces):
    curve = figures.MergeCurve(traces)
    assert curve.state("Moby-Dick", 0, False)["k"] == 0
    assert curve.state("Moby-Dick", 10**9, False)["k"] == len(traces["Moby-Dick"].merges)
    with pytest.raises(ValueError, match="did you mean 'Moby-Dick'"):
        curve.state("Moby Dick", 300, False)


def test_character_traces_count_symbols_not_bytes():
    trace = bpe.train({"taxi": 4, "tax": 3}, vocab_size=6, pattern="none", alphabet="characters")
    curve = figures.MergeCurve({"taxi": trace})
    picture = curve.draw(curve.state("taxi", 6, False))
    assert "symbols per token" in picture.title
    assert math.isclose(curve.state("taxi", 6, False)["per_token"], trace.lengths[0] / trace.lengths[-1])


def test_a_dollar_in_a_name_is_no_formula():
    trace = bpe.train("low lower lowest low", vocab_size=260)
    picture = figures.merge_curves({"$\\foo$ to $10": trace, "$5": trace})
    assert picture.png() and "$5" in [text.get_text() for text in picture.figure.axes[0].get_legend().get_texts()]


def test_a_short_trace_has_whole_numbers_below_it():
    ticks = figures.merge_curves({"low": bpe.train("low lower lowest low", vocab_size=260)}).figure.axes[0].get_xticks()
    assert all(tick == round(tick) for tick in ticks)


def test_wrong_arguments_of_figures_are_named():
    with pytest.raises(TypeError, match="map names to traces"):
        figures.merge_curves(bpe.train("ab", vocab_size=257))
    with pytest.raises(ValueError, match="at least one document"):
        figures.bytes_per_character([])
