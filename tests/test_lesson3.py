"""Lesson 3: its views, its figure, its widgets, and the facts that its words rest on."""
import re

import ipywidgets
import pytest

from tokenlab import bpe, corpora, course, figures, pretokenize, pretrained, views, widgets
from tokenlab.course import lesson3
from tokenlab.pretokenize import PARTS, PATTERNS, explain, split
from tokenlab.views import fences

ENDLESS = "a" * 60 + "b", "(a|aa)+$"
NASTY = ["", " ", "  ", "\n\t", "e\u0301", "👨‍👩‍👧‍👦", "🇰🇷", "שלום", "a\u202eb", "\x00\ufeff\u200b\x85", "<|endoftext|>", "<script>alert(1)</script>", "a" * 10_000, "नमस्ते"]


@pytest.fixture(scope="module")
def chooser():
    return widgets.fence_chooser()


class TestFencesCard:
    @pytest.mark.parametrize("pattern", PATTERNS)
    def test_pieces_and_parts_are_those_of_explain(self, pattern):
        text = "I'LL pay  $12345 in camelCase!\n"
        state = views.fences_state(text, pattern)
        assert [piece for piece, _ in state["pieces"]] == [piece for piece, _ in explain(text, pattern)]
        names = [*PARTS[pattern], pretokenize.NOT_COVERED]
        assert [names[number - 1] for _, number in state["pieces"]] == [part for _, part in explain(text, pattern)]

    def test_each_pattern_shows_all_its_parts_with_their_expressions(self):
        for name, parts in PARTS.items():
            card = views.fences_card("a", name)
            for part, expression in parts.items():
                assert views.escape(part) in card and views.escape(views.label(expression)) in card

    def test_what_is_lost_is_said_in_three_places(self):
        card = views.fences_card("one two\n", "words", piece=2)
        assert repr(card) == "words: 2 pieces; 2 characters are lost"
        assert card.count(">lost</span>") == 2
        assert "do not add up to the text" in card and "taken by no part: it is lost" in card
        whole = views.fences_card("one two\n", "gpt2")
        assert "lost" not in whole and "add up to the text" in whole

    def test_the_chosen_piece_is_outlined_and_its_part_marked(self):
        card = views.fences_card("it's 9", "gpt2", piece=2)
        assert "piece 2 of 3, outlined: taken by part 1" in card and "▸ 1" in card
        assert card.count("2px solid") == 1
        assert re.search(r"2px solid[^>]*>&#x27;s<br>", card)

    def test_a_piece_beyond_the_last_is_the_last(self):
        assert views.fences_state("one two", piece=99)["piece"] == 2
        with pytest.raises(ValueError, match="piece must be a whole number from 1 up, not 0"):
            views.fences_state("one two", piece=0)

    def test_blanks_are_visible_and_long_text_is_cut_with_a_note(self):
        card = views.fences_card("a  b\t" + "c" * 500)
        assert "·" in card and "⇥" in card
        assert "only the first 200 of 505 characters are drawn" in card

    def test_an_own_pattern_is_explained_by_its_alternatives(self):
        state = views.fences_state("a-1", "[a-z]|[0-9]")
        assert state["parts"] == {"[a-z]": "[a-z]", "[0-9]": "[0-9]"}
        assert state["pieces"] == [("a", 1), ("-", 0), ("1", 2)]
        state = views.fences_state("1 a", r"x|[a-z]|\d")             # in the order in which they are tried, used or not
        assert list(state["parts"]) == ["x", "[a-z]", r"\d"] and state["pieces"] == [("1", 3), (" ", 0), ("a", 2)]
        assert views.fences_state("aA", r"(?i)(a)\1|b")["pieces"] == [("aA", 1)]

    def test_text_stays_text(self):
        for text in NASTY:
            for pattern in PATTERNS:
                assert "<script>" not in views.fences_card(text, pattern, every=PATTERNS)
        assert "<script>" not in views.fences_card("a", "(?:<script>|a)")

    def test_every_pattern_stands_on_the_same_card(self):
        state = views.fences_state("I'LL go", "words", every=["gpt2", "words"])
        assert state["rows"] == {"gpt2": [("I", True), ("'", True), ("LL", True), (" go", True)],
                                 "words": [("I", True), ("'", True), ("LL", True), (" ", False), ("go", True)]}
        card = views.patterns_card("I'LL go")
        assert all(name in card for name in PATTERNS) and "5 by words" not in card and "4 by words" in card


class TestTimeLimit:
    def test_a_pattern_without_end_is_given_up_sooner_where_asked(self):
        with pytest.raises(ValueError, match=r"did not come to an end within 0\.1 s"):
            explain(*ENDLESS, seconds=0.1)

    def test_the_widget_shows_an_error_card_and_goes_on(self, chooser):
        chooser.set(text=ENDLESS[0], own=ENDLESS[1])
        assert chooser.state["pattern"] == "own"
        assert "did not come to an end within 0.2 s" in chooser.view.value and "Traceback" not in chooser.view.value
        chooser.set(own="(?:a|b)+")
        assert repr(chooser).startswith("(?:a|b)+: 1 piece, which adds up")
        chooser.set(pattern="gpt2", text="back again")
        assert repr(chooser).startswith("gpt2: 2 pieces")


class TestFenceChooser:
    def test_every_choice_draws_the_chosen_pattern_and_all_the_others(self):
        explorer = widgets.fence_chooser("don’t  stop 2024\n")
        for name in explorer.controls["pattern"].options:
            explorer.set(pattern=name)
            shown = explorer._shown
            assert repr(shown).startswith(r"\w+|[^\w\s]: " if name == "own" else f"{name}: ")
            others = re.search("the same text by every other pattern(.*)", shown, re.DOTALL)[1]
            assert all((other in others) == (other != name) for other in PATTERNS)

    def test_the_slider_goes_over_all_pieces_whatever_the_text(self, chooser):
        chooser.set(pattern="gpt2")
        for text in NASTY:
            chooser.set(text=text)
            pieces = split(text[:200])
            assert chooser.controls["piece"].max == max(2, len(pieces))
            assert "This does not work" not in chooser.view.value
        chooser.set(text="one two three", piece=3)
        assert "piece 3 of 3" in chooser.view.value

    @pytest.mark.parametrize("own, said", [("(", "is no regular expression"), ("gtp2", "did you mean &#x27;gpt2&#x27;"), (r"\p{Nonsense}", "is no regular expression")])
    def test_a_broken_pattern_is_told_on_a_card(self, chooser, own, said):
        chooser.set(text="some text", own=own)
        assert said in chooser.view.value and "Traceback" not in chooser.view.value

    def test_an_empty_pattern_loses_everything(self, chooser):
        chooser.set(text="some text", own="")
        assert ": 0 pieces; 9 characters are lost" in repr(chooser)

    def test_a_name_typed_as_own_is_that_pattern(self, chooser):
        chooser.set(text="some text", own="qwen2")
        assert repr(chooser) == "qwen2: 2 pieces, which add up to the text"

    def test_wrong_arguments(self):
        with pytest.raises(ValueError, match="did you mean 'gpt2'"):
            widgets.fence_chooser(pattern="gtp2")
        with pytest.raises(TypeError, match="text must be str"):
            widgets.fence_chooser(b"bytes")


class TestFencesOff:
    def test_with_fences_nothing_crosses(self):
        for corpus in fences.SAMPLES:
            state = views.merges_state(corpus, True)
            assert state["rows"][True]["crossing"] == 0 < state["rows"][False]["crossing"]

    def test_the_dogs_of_the_paper(self):
        rows = views.merges_state("dogs")["rows"]
        assert rows[True]["tokens"] == [b"do", b"dog"]
        assert rows[False]["tokens"] == [b"do", b"dog", b"dog.", b"dog!", b"dog?"]
        assert (rows[True]["left"], rows[False]["left"]) == (18, 9)
        assert rows[False]["cut"] == [b"dog.", b" ", b"dog!", b" ", b"dog?"]

    def test_the_novel(self):
        rows = views.merges_state("Botchan", False, 300)["rows"]
        assert rows[False]["tokens"][120] == b"of the " and rows[False]["crossing"] == 120
        raw = bpe.train(corpora.load("botchan"), vocab_size=556, pattern="none")
        assert rows[False]["tokens"] == [merge.token for merge in raw.merges]
        assert rows[False]["left"] == raw.lengths[300] and rows[True]["left"] == 116_246
        early = views.merges_state("Botchan", False, 121)["rows"]
        assert early[False]["tokens"][-1] == b"of the " and early[True]["left"] < early[False]["left"]

    def test_what_crosses_is_outlined(self):
        card = views.merges_card("dogs", fences=False)
        assert card.count("2px solid") == 3 + 3                 # learned, and in the sentence
        assert "2px solid" in views.merges_card("dogs", fences=True)        # of the line without fences
        assert "nothing learned yet" in views.merges_card("dogs", k=0)

    def test_controls(self):
        explorer = widgets.fences_off()
        assert repr(explorer) == "dogs, fences off: 3 of 5 merges cross a border"
        explorer.set(fences=True)
        assert repr(explorer) == "dogs, fences on: 0 of 2 merges cross a border"
        explorer.set(corpus="Botchan", fences=False)
        assert repr(explorer) == "Botchan, fences off: 120 of 300 merges cross a border"
        assert "the last 40 are drawn" in explorer.view.value
        explorer.set(k=1)
        assert repr(explorer) == "Botchan, fences off: 1 of 1 merge cross a border"
        explorer.set(corpus="dogs")
        assert explorer.state["k"] == explorer.controls["k"].max == 5
        with pytest.raises(ValueError, match="unknown corpus 'cats'"):
            widgets.fences_off("cats")

    def test_half_characters_are_no_error(self):
        assert not fences.crosses("я".encode()[:1]) and fences.crosses("а я".encode()[:-1])


def test_both_show_themselves_live_and_stored_and_use_only_what_old_front_ends_have():
    def every(widget):
        yield widget
        for child in getattr(widget, "children", ()):
            yield from every(child)
    for explorer in (widgets.fence_chooser(), widgets.fences_off()):
        bundle, _ = explorer._repr_mimebundle_()
        assert bundle["text/html"] in explorer.view.value and bundle["text/plain"] == repr(explorer)
        kinds = {type(each) for each in every(explorer.box)}
        assert kinds <= {getattr(ipywidgets, name) for name in ("VBox", "HBox", "HTML", "Text", "Textarea", "IntSlider", "Dropdown", "Button", "Checkbox")}


class TestZipf:
    def test_the_lines_are_the_counts(self):
        counts = {"gpt2": pretokenize.count_chunks(corpora.load("botchan")), "tiny": pretokenize.count_chunks("no no no yes")}
        picture = figures.zipf(counts, "Botchan", top=2)
        lines = picture.figure.axes[0].lines
        assert [line.get_label() for line in lines] == ["gpt2", "tiny"]
        sizes = sorted(counts["gpt2"].values(), reverse=True)
        assert {int(rank): int(size) for rank, size in zip(*lines[0].get_data())}.items() <= dict(enumerate(sizes, 1)).items()
        assert lines[0].get_xdata()[0] == 1 and lines[0].get_xdata()[-1] == len(sizes) == 6860
        assert [*map(list, lines[1].get_data())] == [[1, 2, 3], [2, 1, 1]]
        assert picture.figure.axes[0].get_xscale() == picture.figure.axes[0].get_yscale() == "log"

    def test_title_and_caption_say_the_numbers(self):
        picture = figures.zipf({"words": {"a": 6, "b": 3, "c": 1}}, "the sample", top=2)
        assert picture.title == "2 distinct chunks make up 90 % of the sample"
        assert picture.caption == "words: 10 chunks, 3 distinct (1 of them only once), the first 2 make up 90 %."
        assert "words: 10 chunks" in picture.alt and picture.png()

    @pytest.mark.parametrize("counts", [{}, {"none": {}}, {str(n): {"a": 1} for n in range(9)}])
    def test_nothing_to_draw(self, counts):
        with pytest.raises(ValueError, match="give 1 to 8 counters, each with some chunks"):
            figures.zipf(counts)


class TestFacts:
    def test_no_token_of_gpt2_crosses_a_fence_of_gpt2(self):
        for token in pretrained.load("gpt2").vocabulary.values():
            try:
                assert len(split(token.decode("utf-8"))) <= 1
            except UnicodeDecodeError:
                pass

    @pytest.mark.parametrize("text, pieces", [
        ("I'LL", [["I", "'", "LL"], ["I", "'LL"], ["I'LL"]]), ("don’t", [["don", "’", "t"], ["don", "’t"], ["don", "’t"]]),
        ("camelCase", [["camelCase"], ["camelCase"], ["camel", "Case"]]), ("日A", [["日A"], ["日A"], ["日", "A"]]),
        ("HTMLParser", [["HTMLParser"]] * 3), ("नमस्ते", [["नमस", "्", "त", "े"], ["नमस", "्त", "े"], ["नमस्ते"]]),
        ("a 12345", [["a", " 12345"], ["a", " ", "123", "45"], ["a", " ", "123", "45"]]), ("ok!\n", [["ok", "!", "\n"], ["ok", "!\n"], ["ok", "!\n"]]),
        (' "yes', [[' "', "yes"]] * 3), ("os.path", [["os", ".", "path"], ["os", ".path"], ["os", ".path"]]), ("日Ab", [["日Ab"]] * 3),
        ("我在GitHub", [["我在GitHub"], ["我在GitHub"], ["我在Git", "Hub"]])])
    def test_what_the_lesson_says_of_the_patterns(self, text, pieces):
        assert [split(text, name) for name in ("gpt2", "cl100k_base", "o200k_base")] == pieces

    def test_llama3_differs_from_cl100k_only_in_trailing_white_space(self):
        assert split("x\n\t", "llama3") != split("x\n\t", "cl100k_base")
        for name in corpora.names():
            text = corpora.load(name).rstrip()
            assert split(text, "llama3") == split(text, "cl100k_base")

    def test_the_predictions(self):
        assert course.predict("3.hook").places == {"answer": 120, "merges": 300, "first": "e·", "of": 121}
        assert course.predict("3.distinct").places == {"answer": 6860, "chunks": 60428, "the": 2198}


class TestExercises:
    @pytest.mark.parametrize("pattern", [r"\w+|\s+|[^\w\s]", r"\w+|\W+", r"\w+|(?s:.)", r" ?\w+| ?[^\w\s]+|\s+", PATTERNS["gpt2"], PATTERNS["o200k_base"]])
    def test_many_patterns_lose_nothing(self, pattern):
        assert lesson3.judge_lossless(pattern)[0] == ""

    @pytest.mark.parametrize("pattern, key", [(r"\w+|[^\w\s]", "blank"), (r"(?s:.+)", "uncut"), (r"(?s:.)", "uncut"), ("", "lost"), (r"\w+|[^\w]", ""), (r"\w+|\s|[!-~]", "lost")])
    def test_others_do(self, pattern, key):
        assert lesson3.judge_lossless(pattern)[0] == key

    @pytest.mark.parametrize("part", [r"['|’](?i:s|t|re|ve|m|ll|d)", "('|’)(s|t|re|ve|m|ll|d|S|T|RE|VE|M|LL|D)", r"['’](?i:s|t|re|ve|m|ll|d)\b",
                                      r"(?<=\p{L})['’](?i:s|t|re|ve|m|ll|d)"])
    def test_contractions_that_are_almost_right(self, part):
        assert lesson3.judge_contraction(part)[0] == "other"

    @pytest.mark.parametrize("part", ["['’]s|t|re|ve|m|ll|d", "(?i)['’]s|t|re|ve|m|ll|d", "(?i:'s|’s|t|re|ve|m|ll|d)"])
    def test_endings_without_their_parentheses(self, part):
        key, places = lesson3.judge_contraction(part)
        assert key == "bare" and places["text"] == "don't" and places["pieces"].startswith("d on")

    def test_an_error_speaks_of_the_part_that_the_learner_wrote(self):
        hint = course.check("3.2", "['’](?i:s|t").hint
        assert "missing ) at position 11." in hint and "p{L}" not in hint

    def test_a_pattern_without_end_gets_an_answer(self):
        assert "did not come to an end within 0.2 s" in course.check("3.1", r"(a|aa)+!|\w+|(?s:.)").hint

    @pytest.mark.parametrize("part", ["(?i:['’](?:s|t|re|ve|m|ll|d))", r"(?i)['’](s|t|re|ve|m|ll|d)", "'(?i:[stmd]|re|ve|ll)|’(?i:[stmd]|re|ve|ll)"])
    def test_ways_to_write_contractions(self, part):
        assert lesson3.judge_contraction(part) == ("", {})

    def test_the_right_pieces_are_those_of_the_pattern(self):
        assert lesson3.judge_pieces([split(s) for s in ("DON'T", "end  ", "  hi")]) == ("", {})
        assert lesson3.judge_pieces([["DON", "'", "T"], ["end  "], [" ", " hi"]])[0] == "end"
        assert lesson3.judge_pieces([("DON", "'", "T"), ["end  "], []])[0] == "shape"


def test_a_part_that_acts_otherwise_alone_is_no_lost_text():
    card = views.fences_card("abc1234567", r"(?r)\d{1,3}|\D+")
    assert "4 pieces, which add up to the text" in repr(card) and "lost" not in str(card)
