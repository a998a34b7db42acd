"""Text as numbers: Python's own codecs and the `regex` tables are the oracles."""
import itertools

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlab import errors, text

NASTY = ["", " ", "  ", "\t", "\n", "\r\n", "é", "e\u0301", "안", "😉", "👨\u200d👩\u200d👧\u200d👦", "🇨🇭", "שלום", "\x00", "\ufeff",
         "\u200b", "\x85", "a" * 10_000, "<script>alert(1)</script>", "<|endoftext|>"]
FAMILY = "👨\u200d👩\u200d👧\u200d👦"
SOME_CODE_POINTS = [cp for cp in [*range(0x10000), *range(0x10000, 0x110000, 97), 0x10FFFF] if not 0xD800 <= cp <= 0xDFFF]
# bytes at every border of the format
BORDERS = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
           0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF]


# --- UTF-8, there and back ---------------------------------------------------------------------------------------

def test_encoding_equals_pythons():
    assert [text.encode_utf8(cp) for cp in SOME_CODE_POINTS] == [chr(cp).encode() for cp in SOME_CODE_POINTS]


def test_the_layout_holds_the_bytes_and_the_code_point():
    for cp in SOME_CODE_POINTS[::7]:
        layout = text.utf8_layout(cp)
        assert bytes(int(marker + payload, 2) for marker, payload in layout) == chr(cp).encode()
        assert {len(marker + payload) for marker, payload in layout} == {8}
        assert int("".join(payload for _, payload in layout), 2) == cp
        markers = [marker for marker, _ in layout]
        assert markers == {1: ["0"], 2: ["110", "10"], 3: ["1110", "10", "10"], 4: ["11110", "10", "10", "10"]}[len(layout)]


def check_decoding(data):
    try:
        expected = data.decode("utf-8")
    except UnicodeDecodeError as error:
        with pytest.raises(ValueError, match=rf"^byte 0x{data[error.start]:02X} at position {error.start} \w") as refusal:
            text.decode_utf8(data)
        assert "not UTF-8" in str(refusal.value)
    else:
        assert text.decode_utf8(data) == expected


@settings(deadline=None)
@given(st.binary())
def test_decoding_equals_pythons_on_any_bytes(data):
    check_decoding(data)


@settings(deadline=None)
@given(st.text(), st.data())
def test_decoding_equals_pythons_on_damaged_text(s, draw):
    data = bytearray(s.encode())
    for _ in range(draw.draw(st.integers(0, 2))):
        at = draw.draw(st.integers(0, len(data)))
        data[at:at + draw.draw(st.integers(0, 1))] = draw.draw(st.binary(max_size=1))
    check_decoding(bytes(data))


def test_decoding_equals_pythons_on_all_short_byte_strings():
    accepted = {}
    for size in (0, 1, 2, 3):
        for data in map(bytes, itertools.product(BORDERS, repeat=size)):
            try:
                accepted[data] = text.decode_utf8(data)
            except ValueError:
                accepted[data] = None
    for lead in (0xF0, 0xF4, 0xF8):
        for data in (bytes([lead, *rest]) for rest in itertools.product(BORDERS, repeat=3)):
            try:
                accepted[data] = text.decode_utf8(data)
            except ValueError:
                accepted[data] = None
    assert len(accepted) > 50_000
    for data, ours in accepted.items():
        try:
            assert ours == data.decode("utf-8"), data
        except UnicodeDecodeError:
            assert ours is None, data


@pytest.mark.parametrize("data, why", [
    (b"ab\xff", "byte 0xFF at position 2 starts no character"),
    (b"\xa9", "byte 0xA9 at position 0 can only continue a character"),
    (b"\xe2\x82", "byte 0xE2 at position 0 starts a character of 3 bytes, but the data end after 2"),
    (b"a\xe2\x82A", "byte 0xE2 at position 1 starts a character of 3 bytes, but byte 0x41 at position 3 does not"),
    (b"\xc1\x81", "byte 0xC1 at position 0 starts an overlong form: U+0041 in 2 bytes, where 1 will do"),
    (b"\xed\xa0\x80", "byte 0xED at position 0 starts U+D800, a surrogate"),
    (b"\xf4\x90\x80\x80", "byte 0xF4 at position 0 starts U+110000, beyond"),
])
def test_a_refusal_says_where_what_and_why(data, why):
    with pytest.raises(ValueError) as error:
        text.decode_utf8(data)
    assert str(error.value).startswith(why)


@pytest.mark.parametrize("s", NASTY)
def test_nasty_strings_come_back(s):
    data = b"".join(map(text.encode_utf8, text.code_points(s)))
    assert data == s.encode()
    assert text.decode_utf8(data) == text.decode_utf8(bytearray(data)) == s
    assert "".join(map(chr, text.code_points(s))) == s
    assert "".join(text.graphemes(s)) == s


def test_impossible_bytes_occur_in_no_character():
    everything = "".join(chr(cp) for cp in range(0x110000) if not 0xD800 <= cp <= 0xDFFF).encode()
    assert text.impossible_bytes() == sorted(set(range(256)) - set(everything))
    assert len(text.impossible_bytes()) == 13


# --- other rulers ------------------------------------------------------------------------------------------------

@settings(deadline=None)
@given(st.text())
def test_utf16_units_equal_pythons(s):
    data = s.encode("utf-16-le")
    assert text.utf16_units(s) == [data[i] | data[i + 1] << 8 for i in range(0, len(data), 2)]


@pytest.mark.parametrize("s, rulers", [
    ("", (0, 0, 0, 0)), ("A", (1, 1, 1, 1)), ("é", (1, 1, 1, 2)), ("e\u0301", (1, 2, 2, 3)), ("안", (1, 1, 1, 3)),
    ("😉", (1, 1, 2, 4)), (FAMILY, (1, 7, 11, 25)), ("🇨🇭", (1, 2, 4, 8)), ("\r\n", (1, 2, 2, 2)),
])
def test_four_rulers(s, rulers):
    assert (len(text.graphemes(s)), len(text.code_points(s)), len(text.utf16_units(s)), len(s.encode())) == rulers


# --- visible -----------------------------------------------------------------------------------------------------

def hidden_again(shown):
    """The text that `visible` showed: each stand-in taken back, by its own small rules."""
    pictures = {"·": " ", "↵": "\n", "⇥": "\t", "␡": "\x7f"} | {chr(0x2400 + c): chr(c) for c in range(32) if c not in (9, 10)}

    def back(match):
        return chr(int(match[1], 16)) if match[1] else pictures[match[0]]

    return regex.sub(r"\[U\+([0-9A-F]{4,6})\]|[·↵⇥␀-␟␡]", back, shown.replace("◌", ""))


@pytest.mark.parametrize("s, shown", [
    ("two  words\n", "two··words↵"), ("\tx\r\n", "⇥x␍↵"), ("\x00\x1b\x7f", "␀␛␡"), ("\x85\xa0", "[U+0085][U+00A0]"),
    ("a\u200db\u200b\ufeff", "a[U+200D]b[U+200B][U+FEFF]"), ("\u202eabc\u2066", "[U+202E]abc[U+2066]"),
    ("\u2028\u3000\u3164\u2800", "[U+2028][U+3000][U+3164][U+2800]"), ("❤\ufe0f", "❤[U+FE0F]"), ("\U000e0041", "[U+E0041]"),
    ("\u0301", "◌\u0301"), (" \u0301\u0302", "·◌\u0301\u0302"), ("e\u0301", "e\u0301"), ("\u200d\u0941", "[U+200D]◌\u0941"),
    ("\ud83d", "[U+D83D]"), ("\ue000\uffff", "[U+E000][U+FFFF]"), ("a·b◌↵", "a[U+00B7]b[U+25CC][U+21B5]"),
    ("[U+200D] [u", "[U+005B]U+200D]·[u"), ("🇨🇭 안 שלום", "🇨🇭·안·שלום"), ("", ""),
])
def test_visible(s, shown):
    assert text.visible(s) == shown


@settings(deadline=None)
@given(st.text(st.one_of(st.characters(), st.sampled_from(" \n\t\r\x00·↵⇥␀␍◌[U+0]\u0301\u200d\u202e\ufe0f\ud83dae"))))
def test_visible_tells_every_text_apart(s):
    assert hidden_again(text.visible(s)) == s


def test_nothing_unseen_and_nothing_that_acts_is_left():
    planes = [*range(0x20000), *range(0xE0000, 0xE1000), *range(0xF0000, 0xF0100), *range(0x10FF00, 0x110000)]
    shown = text.visible("".join(map(chr, planes)))
    left = regex.findall(r"[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\s\u2800]", shown)
    # a Python older than `regex` does not know the newest format characters yet: they are unassigned to it
    assert [hex(ord(char)) for char in left if text.unicodedata.category(char) != "Cn"] == []
    assert all(0x13439 <= ord(char) <= 0x1343F for char in left)


# --- bad input ---------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("function", [text.code_points, text.utf16_units, text.graphemes, text.visible])
def test_bytes_are_no_text(function):
    with pytest.raises(TypeError, match="text must be str, not bytes: decode it first"):
        function(b"abc")
    with pytest.raises(TypeError, match="text must be str, not NoneType None"):
        function(None)


@pytest.mark.parametrize("function", [text.code_points, text.utf16_units, text.graphemes])
def test_a_lone_surrogate_is_refused(function):
    with pytest.raises(ValueError, match=r"lone surrogate '\\ud83d' at index 1"):
        function("a\ud83d")


@pytest.mark.parametrize("function", [text.encode_utf8, text.utf8_layout])
def test_what_is_no_code_point_is_refused(function):
    for cp in (0xD800, 0xDFFF):
        with pytest.raises(ValueError, match=f"U\\+{cp:04X} .* is a surrogate"):
            function(cp)
    for cp in (-1, 0x110000):
        with pytest.raises(ValueError, match=rf"from 0 to 1114111 \(0x10FFFF\), not {cp}"):
            function(cp)
    with pytest.raises(ValueError, match="not <int without a repr>"):
        function(10**5000)
    for cp in ("é", 65.0, True, None):
        with pytest.raises(TypeError, match=rf"as ord\(char\) gives it, must be a whole number \(int\), not {type(cp).__name__} {cp!r}"):
            function(cp)


@pytest.mark.parametrize("data", ["é", [195, 169], None])
def test_only_bytes_are_decoded(data):
    with pytest.raises(TypeError, match=rf"data must be bytes, as in bytes\(\[195, 169\]\), not {type(data).__name__} "):
        text.decode_utf8(data)


def test_an_error_shows_the_start_of_a_long_value():
    with pytest.raises(TypeError) as error:
        text.decode_utf8(list(range(200_000)))
    assert str(error.value).startswith("data must be bytes, as in bytes([195, 169]), not list [0, 1, 2, 3, 4, 5, ...]")


# --- how errors show values, and suggest names -------------------------------------------------------------------

class Mute:
    def __repr__(self):
        raise RuntimeError("no words")


class Number(int):
    __repr__ = Mute.__repr__


@pytest.mark.parametrize("value", ["a" * 10**6, b"a" * 10**6, ["a" * 999] * 999, {"k" * 999: [[[["v"]]]] * 99}, 10**5000, -10**5000, Mute(),
                                   [Mute()], Number(5), {Mute(): [Mute()]}, "\n" * 99, float, range(10**9), {10**5000}], ids=lambda v: type(v).__name__)
def test_short_is_short_whatever_the_value(value):
    assert 0 < len(errors.short(value)) <= 80 and "\n" not in errors.short(value)
    assert len(errors.short(value, 30)) <= 30
    with pytest.raises(TypeError) as error:
        errors.choose(value if not isinstance(value, str) else value.encode(), ["gpt2"], "pattern")
    assert len(str(error.value)) < 150 and "Allowed: gpt2" in str(error.value)


@given(st.one_of(st.integers(), st.text(max_size=15), st.binary(max_size=10), st.lists(st.integers(0, 99), max_size=5), st.none(), st.floats()))
def test_short_is_the_repr_where_there_is_room(value):
    assert errors.short(value) == repr(value)


def test_choose_lists_what_is_allowed_without_end():
    with pytest.raises(ValueError, match=r"unknown digit 'a': Allowed: 1, None, x$"):
        errors.choose("a", [1, None, "x"], "digit")
    with pytest.raises(ValueError, match=r"did you mean 'name7'\? Allowed: name0, .*, name49, … \(1000 in all\)$"):
        errors.choose("nam7", [f"name{i}" for i in range(1000)], "name")
    with pytest.raises(ValueError) as error:
        errors.choose("a" * 10**6, ["gpt2"], "name")
    assert len(str(error.value)) < 150


# --- long rows of flags ------------------------------------------------------------------------------------------

@given(st.text("🇨🇭a \u0301\u200d\u0600\r\n😉", max_size=30))
def test_graphemes_are_those_of_the_package_regex(s):
    assert text.graphemes(s) == regex.findall(r"\X", s)


def test_a_long_row_of_flags():
    assert text.graphemes("🇨🇭" * 100_000 + "🇨") == ["🇨🇭"] * 100_000 + ["🇨"]
