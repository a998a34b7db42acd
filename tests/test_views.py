"""Views: what they compute, and that no text breaks them or becomes markup."""
import inspect
import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlab import bpe, corpora, pretrained, text, views
from tokenlab.views import characters, merges, tokens, utf8

FAMILY = "👨‍👩‍👧‍👦"
NASTY = ["", " ", "  ", "\t", "\n", "\r\n", "é", "e\u0301", "\u0301", "안", "😉", FAMILY, "🇰🇷", "שלום עולם", "a\u202eb",
         "\x00", "\ufeff", "\u200b", "\x85", "\U000e0041", "\ufe0f", "a" * 10_000, "😉" * 5_000, "e" + "\u0301" * 3_000,
         "<script>alert(1)</script>", '"\'><img src=x onerror=alert(1)>', "<|endoftext|>", "[U+200D]"]
ALLOWED = {tag: {"style", "class", "colspan"} for tag in ("div", "span", "table", "tr", "td", "th", "br", "b")} | {
    "svg": {"viewbox", "width", "style", "role", "aria-label"}, "path": {"d", "fill", "stroke", "stroke-width", "stroke-dasharray"},
    "circle": {"cx", "cy", "r", "fill", "stroke"}, "text": {"x", "y", "font-size", "font-weight"},
    "g": {"text-anchor", "font-size", "font-family", "fill", "stroke", "stroke-width", "paint-order"}}


class Strict(HTMLParser):
    """Fails on a tag or an attribute that is not ours, or tags that do not close."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.open, self.text = [], []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        assert {name for name, _ in attrs} <= ALLOWED[tag]
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def shown(html):
    """The text of a view, checked to be well-formed and free of foreign markup."""
    return "".join(Strict(html).text)


@pytest.fixture(scope="module")
def real():
    return [pretrained.load(name) for name in ("gpt2", "cl100k_base", "o200k_base", "tekken")]


@pytest.fixture(scope="module")
def low():
    words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    return bpe.train(words, vocab_size=100, pattern="none", alphabet="characters", end_of_word="</w>")


@pytest.fixture(scope="module")
def taxi():
    return bpe.train({"taxi": 4, "tax": 3, "taxes": 2, "max": 2}, vocab_size=10, pattern="none", alphabet="characters")


ON_TEXT = [views.ascii_table, views.code_point_table, views.encodings_table, views.rulers_card, views.bytes_card,
           views.misread_card,
           lambda s: views.cut_card(s, len(s) // 2), lambda s: views.cuts_card("cuts", [(s, list(s))], s)]


@pytest.mark.parametrize("view", ON_TEXT)
@pytest.mark.parametrize("s", NASTY)
def test_no_text_breaks_a_view_or_becomes_markup(view, s):
    html = view(s)
    assert isinstance(html, views.Html)
    assert html.plain
    assert shown(html)
    assert len(html) < 60_000


@pytest.mark.parametrize("s", NASTY)
def test_no_text_breaks_token_cards(real, s):
    assert views.tokens_card(real[0], s[:100]).plain in shown(views.tokens_card(real[0], s[:100]))
    card = views.compare_card(real, s, 1)
    assert shown(card)
    assert len(card) < 250_000


@given(st.text(max_size=30))
def test_any_text_makes_well_formed_cards(s):
    for view in ON_TEXT:
        shown(view(s))


@pytest.mark.parametrize("view", ON_TEXT[:-1])
def test_what_is_not_text_is_refused(view):
    with pytest.raises(ValueError, match="lone surrogate"):
        view("a\ud83d")


def test_bytes_are_refused():
    with pytest.raises(TypeError, match="must be str, not bytes"):
        views.bytes_card(b"a")


@pytest.mark.parametrize("s", NASTY)
def test_drawing_less_than_all_is_said(s):
    others = (views.ascii_table, views.code_point_table, views.encodings_table, views.misread_card)
    for view, limit in ((views.bytes_card, utf8.DRAWN), *((other, characters.SHOWN) for other in others)):
        assert ("only the first" in shown(view(s))) == (len(s) > limit)


def test_html_shows_itself_and_has_plain_text():
    card = views.card("A <b> title", views.mono("x"), "note")
    assert repr(card) == "A <b> title"
    assert card._repr_html_() == str(card)
    assert "A <b> title" in shown(card)
    assert "<b>" not in card


def test_a_token_shows_blanks_and_broken_bytes():
    assert views.label(b" the") == "·the"
    assert views.label(b"\xf0\x9f") == "⟨F0⟩⟨9F⟩"
    assert views.label(b" a\xff") == "·a⟨FF⟩"
    assert shown(views.box("\u202e")) == "[U+202E]"


BYTE, HIDDEN = "is a byte, in hexadecimal, that is no character by itself", "is a character that cannot be seen"


def test_stand_ins_are_explained_where_they_occur(real):
    said = shown(views.tokens_card(real[0], "안 \u200d"))
    assert f"· is a blank; ⟨EC⟩ {BYTE}" in said
    assert "is a character" not in said                     # GPT-2 has no token for a joiner
    assert f"[U+200D] {HIDDEN}" in shown(views.tokens_card(real[2], FAMILY))
    assert shown(views.card("x", "a·b", "Press a key.")).endswith("Press a key; · is a blank")
    assert shown(views.card("x", "ab", "Press a key.")).endswith("Press a key.")
    plain = shown(views.tokens_card(real[0], "cat"))
    assert not any(words in plain for words in ("blank", "byte", "cannot be seen"))
    assert "↵ is a new line; ⇥ is a tab" in shown(views.cuts_card("x", [("lines", ["a\n", "\tb"])]))
    assert f"⟨FF⟩ {BYTE}" in shown(views.card("the title holds ⟨FF⟩", ""))
    assert f"[U+200D] {HIDDEN}" in shown(views.cut_card(FAMILY, 18))
    assert HIDDEN not in shown(views.cut_card(FAMILY, 4))
    said = shown(views.cuts_card("x", [("characters", list("a·b"))]))       # what looks like a blank, and is none
    assert "[U+00B7] is a character given as its code point" in said
    assert HIDDEN not in said
    assert shown(views.card("x", "[U+110000] &lt;g0&gt;")) == "x[U+110000] <g0>"


def test_a_short_token_stays_on_one_line():
    assert "nowrap" in views.box("newest</w>")
    assert "nowrap" not in views.box(" " * 64)
    assert 'white-space:nowrap">7 pieces' in views.cuts_card("x", [("letters", list("letters"))])


def test_bars_are_proportional_and_the_top_is_full():
    html = views.bars([("a", 4), ("b", 1), ("c", 0)], width=200)
    assert [part.split("px")[0] for part in html.split("width:")[1:]] == ["200", "50", "0"]
    assert shown(views.bars([])) == ""


def test_strip_wants_as_many_labels_as_tokens():
    with pytest.raises(ValueError, match="zip"):
        views.strip([b"a", b"b"], below=["1"])


# ---- lesson 1

def test_the_family_has_four_lengths():
    data = views.rulers(FAMILY)
    assert list(data["lengths"].values()) == [1, 7, 11, 25]
    assert {unit: len(cells) for unit, cells in data["rows"].items()} == data["lengths"]
    assert repr(views.rulers_card(FAMILY)) == f"{FAMILY}: 1 grapheme, 7 code points, 11 UTF-16 units, 25 bytes"


@given(st.text(min_size=1, max_size=12))
def test_all_rulers_are_equally_long(s):
    rows = views.rulers(s)["rows"]
    assert len({sum(width for _, width in cells) for cells in rows.values()}) == 1
    assert s.startswith("".join(cluster for cluster, _ in rows["graphemes"]))


def test_a_long_text_is_cut_between_graphemes_and_measured_whole():
    data = views.rulers(FAMILY * 400)
    assert data["lengths"]["bytes"] == 10_000
    assert data["rows"]["graphemes"] == [(FAMILY, 25)]
    assert data["rest"] == "only the first 1 of 400 graphemes are drawn"


def test_what_is_drawn_on_the_rulers_fits_the_page():
    """A digit is 6.7 px wide, a byte cell at least 16.5, the names 110; the output of a cell can be 590 px wide."""
    for s in (FAMILY, "Café, 안녕 😉", "plain ASCII, long", "é" * 40, "안" * 40, "ab안" * 9):
        data = views.rulers(s)
        cells = data["rows"]["code points"]
        assert 110 + sum(max(16.5 * width, 3 + 6.7 * len(name)) for name, width in cells) <= 590
        assert bool(data["rest"]) == (len(cells) < len(s))
    assert views.rulers(FAMILY)["rest"] == views.rulers("Café, 안녕 😉")["rest"] == ""


@given(st.text(max_size=16))
def test_the_inspector_shows_every_bit(s):
    assert "".join(views.inspect(s)["clusters"]) == s
    for character in s:
        said, data = shown(utf8.byte_cells(character)), character.encode("utf-8")
        assert re.findall("([01]{8})([0-9A-F]{2}) = ", said) == [(f"{byte:08b}", f"{byte:02X}") for byte in data]
        layout = text.utf8_layout(ord(character))
        assert int("".join(payload for _, payload in layout), 2) == ord(character)


def test_markers_are_labelled_not_only_coloured():
    said = shown(views.bytes_card("😉é"))
    assert said.count("continuation") == 3 + 1 + 1          # three in 😉, one in é, one in the note
    assert said.count("first of 4") == 1
    assert said.count("first of 2") >= 1


def test_ascii_rows():
    said = shown(views.ascii_table("HELLO"))
    assert all(number in said for number in ("72", "69", "76", "79"))
    assert "1001000" in said
    assert "01001000" in said
    assert "none: 233 is above 127" in shown(views.ascii_table("é"))


def test_code_points_and_encodings():
    said = shown(views.code_point_table("A中😀"))
    assert all(point in said for point in ("U+0041", "U+4E2D", "U+1F600", "20,013"))
    assert "LATIN CAPITAL LETTER A" in said
    assert "E4" not in said.replace("U+4E2D", "").replace("-4E2D", "")      # no bytes before UTF-8 is introduced
    assert repr(views.code_point_table("A中😀")) == "A中😀: 3 code points"
    assert "LATIN SMALL LETTER E WITH ACUTE" in shown(views.bytes_card("é"))
    said = shown(views.encodings_table("A😉"))
    assert "D83D DE09" in said
    assert repr(views.encodings_table("A😉")) == "A😉: 5 bytes in UTF-8, 6 in UTF-16, 8 in UTF-32"


def test_every_byte_value_has_one_role():
    roles = utf8.BYTE_ROLES
    values = [value for low, high, _ in roles for value in range(low, high + 1)]
    assert values == list(range(256))
    never = [value for low, high, role in roles if role.startswith("never") for value in range(low, high + 1)]
    assert never == text.impossible_bytes()
    assert repr(views.byte_roles_table()).startswith(f"{len(never)} of the 256")
    for low, high, role in roles:
        if role.startswith("first of"):
            assert {len(chr(point).encode()) for point in range(0x110000)[::97] if not 0xD800 <= point < 0xE000
                    and low <= chr(point).encode()[0] <= high} == {int(role[-1])}


def test_layouts_hold_their_code_points():
    said = shown(views.utf8_layout_table())
    for low, high, bits, example in ((0, 0x7F, 7, "A"), (0x80, 0x7FF, 11, "é"), (0x800, 0xFFFF, 16, "안"),
                                     (0x10000, 0x10FFFF, 21, "😉")):
        assert f"U+{low:04X} to U+{high:04X}{example} U+{ord(example):04X}{bits}" in said
        assert {len(chr(point).encode()) for point in (low, high)} == {len(text.utf8_layout(low))}


@pytest.mark.parametrize("n", range(19))
def test_cutting_agrees_with_python(n):
    s = "Café, 안녕 😉"
    data, cut = s.encode(), views.cut(s, n)
    assert cut["kept"] + cut["lost"] == data
    assert len(cut["kept"]) == min(n, len(data))
    assert cut["decoded"] == data[:n].decode("utf-8", "replace")
    try:
        data[:n].decode()
    except UnicodeDecodeError as error:
        assert f"position {error.start}" in cut["error"]
        assert cut["error"] in shown(views.cut_card(s, n))
    else:
        assert cut["error"] == ""
        assert "no error" in shown(views.cut_card(s, n))


@pytest.mark.parametrize(("n", "found"), [(0, "0 of 25 bytes: nothing is kept"),
                                          (4, "4 of 25 bytes kept: they end between code points"),
                                          (18, "18 of 25 bytes kept: they end between code points"),
                                          (24, "24 of 25 bytes kept: they end inside a code point"),
                                          (25, "25 of 25 bytes kept: they end between code points")])
def test_a_cut_says_where_it_ends(n, found):
    card = views.cut_card(FAMILY, n)
    assert repr(card) == found
    assert shown(card).count("E2") == 3                     # every byte is drawn, wherever the cut is
    assert "…" not in shown(card)
    assert ("U+FFFD" in shown(card)) == ("inside" in found)
    assert "text.decode_utf8" in shown(card)


@pytest.mark.parametrize(("n", "before", "after"), [(0, 0, 12), (24, 0, 12), (30, 6, 6), (36, 12, 0), (60, 12, 0)])
def test_the_window_around_a_cut_keeps_its_size(n, before, after):
    said = shown(views.cut_card("a" * 60, n))
    assert said.count("61") == 2 * utf8.AROUND
    assert (f"{before} bytes …" in said) == bool(before)
    assert (f"… {after} bytes" in said) == bool(after)


def test_a_long_cut_draws_what_is_around_it():
    said = shown(views.cut_card("ab" * 5_000, 5_001))
    assert "4,977 bytes …" in said
    assert "… 4,975 bytes" in said
    assert "only the bytes around the cut are drawn" in said


def test_misreading():
    assert repr(views.misread_card("Café")) == "Café read as latin-1 is CafÃ©"
    assert "â € “" in shown(views.misread_card("–", "cp1252"))


# ---- tokens

def test_the_ride_in_o200k(real):
    s = "The ride of 2.5 km cost 8 dollars."
    card = views.tokens_card(real[2], s)
    assert repr(card) == "o200k_base: 13 tokens for 34 characters"
    for number in real[2].encode(s):
        assert str(number) in shown(card)


def test_compare_describes_the_chosen_token(real):
    data = views.compare(real, "The ride of 2.5 km", 4)
    assert [tokens.detail(row, 4) for row in data["rows"]][:2] == ["·2  id 362, bytes 20 32, characters 12 to 13",
                                                                   "·  id 220, bytes 20, character 12"]
    assert all(tokens.detail(row, 4) in shown(views.compare_card(data)) for row in data["rows"])
    assert "bytes are in hexadecimal" in shown(views.compare_card(data))
    assert "hexadecimal" not in shown(views.compare_card(real, "The ride"))
    assert tokens.detail(data["rows"][0], 99) == f"has only {len(data['rows'][0]['ids'])} tokens"
    assert "describe" not in shown(views.compare_card(real, "a"))


def test_compare_takes_names_and_says_what_it_leaves_out(real):
    data = views.compare({"mine": real[0], "yours": real[2]}, "word " * 2_000)
    assert [row["name"] for row in data["rows"]] == ["mine", "yours"]
    assert data["rest"] == "only the first 300 of 10,000 characters are drawn"
    assert data["rest"] in shown(views.compare_card(data))


def test_a_strip_says_when_it_is_cut(real):
    said = shown(views.tokens_card(real[0], "7 " * 400))
    assert f"only the first {tokens.DRAWN} of" in said


def test_special_text_is_ordinary(real):
    assert repr(views.tokens_card(real[0], "<|endoftext|>")) == "gpt2: 7 tokens for 13 characters"
    assert views.compare(real, "<|endoftext|>")["rows"][0]["tokens"] == [b"<", b"|", b"end", b"of", b"text", b"|", b">"]


def test_gpt2_numbers_its_bytes_in_its_own_order(real):
    assert repr(views.byte_ids_table(real[0])) == "gpt2: id 0 is byte 21 (hexadecimal), !"
    said = shown(views.byte_ids_table(real[0]))
    assert "188 to 22000 to 20" in said
    plain = bpe.train("", vocab_size=256).tokenizer()
    assert "0 to 25500 to FF" in shown(views.byte_ids_table(plain))


# ---- merges

def test_the_trace_as_a_table(low, taxi):
    assert repr(views.trace_table(low, 15)) == "15 merges: 95 tokens become 16"
    assert repr(views.trace_table(taxi)) == "3 merges: 41 tokens become 17"
    said = shown(views.trace_table(low, 3))
    assert "e + ses11" in said
    assert "s + t (9)" in said
    assert "1e + ses119s + t (9)386" in said                # three pairs had 9
    assert "tie rule: first-seen" in said
    assert "tie" not in shown(views.trace_table(taxi))      # none occurred
    assert "only the first 3 of 15 merges are drawn" in said


@pytest.mark.parametrize(("k", "tokens_left"), [(0, 95), (3, 68), (10, 28), (15, 16)])
def test_the_corpus_after_k_merges(low, k, tokens_left):
    state = views.corpus_state(low, k, "lowest")
    assert state["tokens"] == tokens_left == sum(len(pieces) * times for pieces, times, _ in state["words"])
    assert len(state["learned"]) == k
    assert (state["next"] is None) == (k == 15)
    if state["next"]:
        assert state["pairs"][0] == (merges.pair_name(state["next"].pair, low), state["next"].count)
        assert [n for _, n in state["pairs"]] == sorted((n for _, n in state["pairs"]), reverse=True)
    assert repr(views.corpus_card(state)) == repr(views.corpus_card(low, k))


def test_a_tie_is_told_when_it_comes(low, taxi):
    for trace in (low, taxi):
        for k in range(len(trace.merges) + 1):
            tied = trace.merges[k].tied if k < len(trace.merges) else 1
            assert (f"{tied} pairs are tied; tie rule: first-seen" in shown(views.corpus_card(trace, k))) == (tied > 1)
    assert "orange outline" not in shown(views.corpus_card(low, 15))


def test_a_long_token_is_cut_in_the_name_of_a_pair():
    trace = bpe.train("deforestationing " * 3 + "x" * 60, vocab_size=300, pattern="none")
    names = [merges.pair_name(merge.pair, trace) for merge in trace.merges]
    assert max(map(len, names)) <= 43
    assert any("…" in name for name in names)
    trace = bpe.train("안녕하세요" * 3, vocab_size=300)
    assert "⟨EC⟩⟨95⟩⟨88⟩⟨EB⟩…" in " ".join(merges.pair_name(merge.pair, trace) for merge in trace.merges)


def test_the_outlined_pair_is_the_next_merge(low):
    for k in range(15):
        coming = low.merges[k]
        now, after = views.corpus_state(low, k), views.corpus_state(low, k + 1)
        for (pieces, _, marks), (joined, _, _) in zip(now["words"], after["words"], strict=True):
            assert [pieces[i] + pieces[i + 1] for i in marks[::2]] == [coming.token] * (len(marks) // 2)
            assert len(joined) == len(pieces) - len(marks) // 2


def test_overlapping_pairs_are_outlined_once():
    trace = bpe.train("aaaa", vocab_size=257, pattern="none")
    assert views.corpus_state(trace)["words"] == [((b"a",) * 4, 1, (0, 1, 2, 3))]
    assert merges.places([1, 1, 1], (1, 1)) == (0, 1)


def test_the_unseen_word_follows_the_merges(low, taxi):
    assert views.corpus_state(low, 5, "lowest")["pieces"] == [b"low", b"est</w>"]
    assert views.corpus_state(low, 0, "lowest")["pieces"] == [b"l", b"o", b"w", b"e", b"s", b"t", b"</w>"]
    assert views.corpus_state(taxi, 3, "taxis")["pieces"] == [b"taxi", b"s"]


def test_a_word_that_cannot_be_written_is_said(low):
    state = views.corpus_state(low, 2, "xyz")
    assert state["pieces"] == []
    assert "'x' is not in the alphabet" in state["refused"]
    assert "xyz cannot be written" in shown(views.corpus_card(state))


@pytest.mark.parametrize("source", ["", "a", "ab", "<script>alert(1)</script> \u202e\x00 안😉", "x" * 500])
def test_any_corpus_is_drawn(source):
    trace = bpe.train(source, vocab_size=300)
    for k in (0, len(trace.merges)):
        assert shown(views.corpus_card(trace, k, source[:50]))
    assert shown(views.trace_table(trace))
    assert shown(views.top_merges({source: trace}))


def test_many_words_are_cut_and_said():
    trace = bpe.train(" ".join(map(str, range(100))), vocab_size=400)
    said = shown(views.corpus_card(trace, 5))
    assert f"only the first {merges.WORDS} of 100 distinct words are drawn" in said


def test_a_word_row_by_row(low, taxi):
    card = views.merge_steps(low, "lowest")
    assert shown(card).endswith("symbolslowest</w>7 tokensmerge 1lowest</w>6 tokensmerge 2lowest</w>5 tokensmerge 3lowest</w>4 tokens"
                                "merge 4lowest</w>3 tokensmerge 5lowest</w>2 tokensorange outline: the pair that the next row joins")
    rows = [re.findall("border:([12])px[^>]*>([^<]*)<", row) for row in card.split("<tr>")[1:]]
    for before, after in pairwise(rows):
        i = next(i for i, (width, _) in enumerate(before) if width == "2")
        assert [width for width, _ in before] == ["1"] * i + ["2", "2"] + ["1"] * (len(before) - i - 2)
        assert [token for _, token in after] == [*(token for _, token in before[:i]), before[i][1] + before[i + 1][1], *(token for _, token in before[i + 2:])]
    assert repr(views.merge_steps(taxi, "taxis")) == "taxis in 3 steps: taxi s"
    assert repr(views.merge_steps(low, "")) == "(nothing) in 0 steps: "


def test_two_words_at_once_are_refused():
    trace = bpe.train("a text of words", vocab_size=260)
    with pytest.raises(ValueError, match="2 chunks"):
        views.merge_steps(trace, "two words")


def test_top_merges_beside_each_other():
    code = corpora.load("python")[:20_000]
    traces = {"python": bpe.train(code, vocab_size=260), "numbers": bpe.train("11 11", vocab_size=258)}
    card = views.top_merges(traces, 3)
    assert repr(card) == "The first merge of each: python ··, numbers 11"
    assert all(views.label(merge.token) in shown(card) for merge in traces["python"].merges[:3])


def test_all_six_tie_rules_differ():
    rows = views.tie_state()["rows"]
    assert [row["tie"] for row in rows] == list(bpe.TIE_RULES)
    assert len({(tuple(row["merges"]), tuple(row["words"])) for row in rows}) == 6
    assert len({tuple(row["merges"]) for row in rows}) == 6
    assert {row["cut"] for row in rows} == {(b"ab", b"c", b"b", b"c", b"ab"), (b"a", b"bc", b"bc", b"a", b"b")}
    assert all(len(row["merges"]) == 6 for row in rows)
    assert all(row["tied"] for row in rows)
    published = {"first-seen": "es est lo low  low  n", "lowest-ids": "es est lo low  n  low",
                 "gpt2-order": "es est lo low ew new", "greatest-bytes": "st est ow low west ne",
                 "sentencepiece": "es est lo low ▁low ew"}
    for row in rows:
        if row["tie"] in published:
            assert b" ".join(row["merges"]).decode() == published[row["tie"]]


def test_the_chosen_rule_is_marked():
    said = shown(views.ties_card("greatest-bytes"))
    assert "▸ greatest-bytes" in said
    assert "▸ first-seen" not in said
    assert "the first low has no blank before it" in said
    assert "the first low" not in shown(views.ties_card("sentencepiece"))      # one row for all five
    with pytest.raises(ValueError, match="did you mean 'first-seen'"):
        views.tie_state("first-sen")


def test_right_to_left_text_keeps_its_place_in_a_line():
    assert repr(views.bytes_card("שלום")).startswith("\u2068שלום\u2069: 4 graphemes")
    trace = bpe.train({"שלום": 3}, vocab_size=6, pattern="none", alphabet="characters")
    assert "\u2068ש\u2069 + \u2068ל\u2069" in views.trace_table(trace)
    assert "\u202e" not in views.cuts_card("name \u202eevil", [("\u202ex", ["a"])])


def test_typed_text_is_never_taken_for_a_byte():
    label = views.label
    assert label("<F0>") == "<F0>" and label("⟨F0⟩") == "[U+27E8]F0[U+27E9]" and label(b"\xf0") == "⟨F0⟩"
    assert "is a byte" not in views.code_point_table("<AB>") and "is a byte" not in views.rulers_card("<EC>")


@pytest.mark.parametrize("call", [
    lambda: views.top_merges([bpe.train("ab", vocab_size=257)]), lambda: views.top_merges({1: bpe.train("ab", vocab_size=257)})])
def test_traces_come_by_name(call):
    with pytest.raises(TypeError, match="map names to traces"):
        call()


def test_odd_arguments_of_the_cards_of_bytes():
    assert repr(views.cut_card("é")) == "2 of 2 bytes kept: they end between code points"
    assert repr(views.misread_card("+a", "utf-7")).startswith("+a read as utf-7")
    with pytest.raises(ValueError, match="unknown encoding 'latin-99'"):
        views.misread_card("a", "latin-99")
    with pytest.raises(ValueError, match="no single bytes"):
        views.byte_ids_table(bpe.train("안", vocab_size=9, alphabet="characters").tokenizer())


@pytest.mark.parametrize(("call", "said"), [
    (lambda tok: views.encode_card(tok), r"encode_card must be given \(tok, text, k\), or what encode_state returns, not \(.*gpt2.*\): .*'text'"),
    (lambda tok: views.stream_card(tok), r"or what stream_state returns, not \(.*gpt2.*'text'"),
    (lambda tok: views.stream_card({"text": "a"}), r"or what stream_state returns, not \(\{'text': 'a'\}\)"),
    (lambda tok: views.lattice_card("hug"), r"given \(word, p\), or what lattice_state returns, not \('hug'\)"),
    (lambda tok: views.contest_card("abc"), r"given \(text, merges\), or what contest returns, not \('abc'\)"),
    (lambda tok: views.compare_card([tok]), r"given \(toks, text, token, limit\), or what compare returns, not \(\["),
    (lambda tok: views.compare_card({"mine": tok}), r"or what compare returns, not \(\{'mine'"),
    (lambda tok: views.draws_card([(("a",), 1.0)]), r"given \(ways, drawn\), or what draws_state returns, not \("),
    (lambda tok: views.letters_card(tok), r"or what letters_state returns, not \(.*'word'"),
    (lambda tok: views.digits_card([tok]), r"or what digits_state returns, not \(.*'number'"),
    (lambda tok: views.bytes_card("a", "b"), r"given \(text\), or what inspect returns, not \('a', 'b'\): too many"),
    (lambda tok: views.ties_card(rule="first-seen"), r"given \(tie\), or what tie_state returns, not \(rule='first-seen'\)"),
    (lambda tok: views.rulers_card(7), "text must be str, not int 7"),
    (lambda tok: views.stages_card(b"a"), "text must be str, not bytes"),
    (lambda tok: views.merges_card({"low": 5}), "corpus must be a name, not dict"),
    (lambda tok: views.compare_card(tok, "a"), "toks must be a list of tokenizers, or a dict name -> tokenizer, not Tokenizer"),
    (lambda tok: views.compare_card("gpt2", "a"), "toks must be a list of tokenizers, or a dict name -> tokenizer, not str 'gpt2'"),
    (lambda tok: views.compare_card(["gpt2"], "a"), "tok must be a tokenizer.*, not str 'gpt2'"),
])
def test_wrong_calls_of_the_cards_end_in_words(real, call, said):
    with pytest.raises(TypeError, match=said):
        call(real[0])


@pytest.mark.parametrize("call", [
    lambda tok: views.tokens_card(tok, "a"), lambda tok: views.compare_card({"mine": tok}, "a"), lambda tok: views.letters_card(tok, "a", "a"),
    lambda tok: views.stream_card(tok, "a"), lambda tok: views.encode_card(tok, "a"), lambda tok: views.digits_card([tok], "12")])
def test_a_tokenizer_that_lacks_what_a_card_needs_is_told(call):
    pieces = bpe.train_wordpiece("a ab abc 12", vocab_size=20).tokenizer()
    with pytest.raises(TypeError, match="tok must be a tokenizer that has .*, as bpe.Tokenizer does, not WordPiece"):
        call(pieces)


def test_a_card_shows_what_it_may_be_given():
    assert str(inspect.signature(views.encode_card)) == "(tok, text, k=None)"
    assert views.encode_card.__name__ == "encode_card" and "what `encode_state` returns" in views.encode_card.__doc__
