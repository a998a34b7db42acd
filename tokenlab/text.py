"""Text as numbers: code points, UTF-8 by hand, UTF-16 units, graphemes, and what cannot be seen (lesson 1)."""

import re
import unicodedata
from functools import lru_cache

from .errors import need_text, package, short, whole


def code_points(s):
    r"""Return the numbers of the characters of `s`, as list[int] (0 to 0x10FFFF).

    Raises TypeError for anything but str, ValueError for a lone surrogate.
    Source: the Unicode Standard, 2.4. Lesson 1.

    >>> code_points("é中😀")
    [233, 20013, 128512]
    >>> code_points("e\u0301")    # é again, as a letter and an accent
    [101, 769]
    """
    return [ord(char) for char in need_text(s)]


def encode_utf8(cp):
    r"""Return the UTF-8 bytes (1 to 4) of the code point `cp`, by shifts.

    Raises TypeError if cp is no int, ValueError beyond 0x10FFFF and for surrogates, which stand for no character.
    Source: RFC 3629, section 3. Lesson 1.

    >>> encode_utf8(0xE9)
    b'\xc3\xa9'
    >>> [len(encode_utf8(cp)) for cp in (0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000)]
    [1, 2, 2, 3, 3, 4]
    """
    _need_code_point(cp)
    if cp < 0x80:
        return bytes([cp])
    if cp < 0x800:
        return bytes([0b11000000 | cp >> 6, _continuation(cp)])
    if cp < 0x10000:
        return bytes([0b11100000 | cp >> 12, _continuation(cp >> 6), _continuation(cp)])
    return bytes([0b11110000 | cp >> 18, _continuation(cp >> 12), _continuation(cp >> 6), _continuation(cp)])


def utf8_layout(cp):
    """Return, for each UTF-8 byte of the code point `cp`, its bits as (marker, payload), both str of 0 and 1.

    The payloads in a row are the code point in binary.
    Raises as `encode_utf8` does. Source: RFC 3629, section 3. Lesson 1.

    >>> utf8_layout(0x41)
    [('0', '1000001')]
    >>> utf8_layout(0xE9)
    [('110', '00011'), ('10', '101001')]
    """
    size = len(encode_utf8(cp))
    markers = ["0"] if size == 1 else ["1" * size + "0"] + ["10"] * (size - 1)
    return [(marker, f"{byte:08b}"[len(marker) :]) for marker, byte in zip(markers, encode_utf8(cp))]


def decode_utf8(data):
    r"""Return the text that UTF-8 `data` (bytes) spells, by hand and as strict as bytes.decode.

    Raises ValueError at the first character that is cut off or is no UTF-8: overlong, a surrogate, beyond 0x10FFFF;
    the error gives the position of its first byte, that byte, and why. TypeError for anything but bytes.
    Source: RFC 3629, sections 3 and 4. Lesson 1.

    >>> decode_utf8(b"caf\xc3\xa9")
    'café'
    >>> decode_utf8(b"caf\xc3")    # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: byte 0xC3 at position 3 starts a character of 2 bytes, but the data end after 1: not UTF-8; ...
    """
    if not isinstance(data, (bytes, bytearray)):
        raise TypeError(f"data must be bytes, as in bytes([195, 169]), not {type(data).__name__} {short(data)}")
    chars, at = [], 0
    while at < len(data):
        size, cp = _read_character(data, at)
        chars.append(chr(cp))
        at += size
    return "".join(chars)


def impossible_bytes():
    """Return the byte values that no UTF-8 text holds, as list[int], found by encoding every character there can be.

    Source: RFC 3629, section 1. Lesson 1.

    >>> impossible_bytes()
    [192, 193, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255]
    """
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    return sorted(set(range(256)) - set(every.encode("utf-8")))


def utf16_units(s):
    """Return the UTF-16 units of `s`, as list[int] (0 to 0xFFFF): two, a surrogate pair, for code points from 0x10000.

    Raises TypeError for anything but str, ValueError for a lone surrogate.
    Source: RFC 2781, section 2.1. Lesson 1.

    >>> [hex(unit) for unit in utf16_units("é😀")]
    ['0xe9', '0xd83d', '0xde00']
    """
    units = []
    for cp in code_points(s):
        if cp < 0x10000:
            units.append(cp)
        else:
            units += [0xD800 | (cp - 0x10000) >> 10, 0xDC00 | (cp - 0x10000) & 0x3FF]
    return units


def graphemes(s):
    r"""Return what a reader calls the characters of `s`, as list[str]: extended grapheme clusters.

    Raises TypeError for anything but str, ValueError for a lone surrogate, ModuleNotFoundError without the package `regex`.
    Source: Unicode Standard Annex 29. Lesson 1.

    >>> [len(cluster) for cluster in graphemes("e\u0301!")]    # in code points
    [2, 1]
    """
    regex = package("regex", "telling graphemes")
    # In a long row of flags \X counts the flags before each one. Two halves before another half are always one flag.
    half = "[\U0001f1e6-\U0001f1ff]"
    return regex.findall(rf"{half}{half}(?={half})|\X", need_text(s))


def visible(s):
    r"""Return `s` with a stand-in for each character that cannot be seen, or that would act on the page.

    A blank is ·, a line feed ↵, a tab ⇥; the other ASCII controls are their pictures (␀, ␍); all else of that kind is
    its number, [U+200D]: other blanks and controls, joiners, direction marks, private characters, lone surrogates.
    A mark with nothing to sit on gets a dotted circle. A sign of the stand-ins is its number too where `s` itself
    holds it, so different texts look different: use it once, on the raw text.

    Raises TypeError for anything but str. Lesson 1.

    >>> visible("two  words\n")
    'two··words↵'
    >>> visible("a\u200db\x00 ·")
    'a[U+200D]b␀·[U+00B7]'
    """
    if not isinstance(s, str):
        need_text(s)
    shown, has_base = [], False  # has_base: a mark would sit on the character before it
    for i, char in enumerate(s):
        stand_in = "[U+005B]" if s.startswith("[U+", i) else _stand_in(char)
        if not stand_in and not has_base and unicodedata.category(char).startswith("M"):
            shown.append("◌")
        shown.append(stand_in or char)
        has_base = not stand_in
    return "".join(shown)


def _need_code_point(cp):
    if 0xD800 <= whole(cp, "a code point, as ord(char) gives it,", 0, 0x10FFFF, " (0x10FFFF)") <= 0xDFFF:
        raise ValueError(f"U+{cp:04X} ({cp!r}) is a surrogate, half of a pair in UTF-16 and no character: UTF-8 writes the code "
                         "point that the pair stands for")


def _continuation(bits):
    """A byte 10xxxxxx with the lowest six of `bits`."""
    return 0b10000000 | bits & 0b00111111


def _read_character(data, at):
    """The size in bytes and the code point of the character that starts at data[at]."""

    def refuse(why):
        raise ValueError(f'byte 0x{data[at]:02X} at position {at} {why}: not UTF-8; data.decode("utf-8", "replace") shows what can be read')

    first = data[at]
    if first < 0b10000000:
        return 1, first
    if first < 0b11000000:
        refuse("can only continue a character (10xxxxxx), but none has started")
    if first >= 0b11111000:
        refuse("starts no character (11111xxx)")
    size = 2 if first < 0b11100000 else 3 if first < 0b11110000 else 4
    cp = first & (0b01111111 >> size)
    for i in range(1, size):
        if at + i == len(data):
            refuse(f"starts a character of {size} bytes, but the data end after {i}")
        if data[at + i] >> 6 != 0b10:
            refuse(f"starts a character of {size} bytes, but byte 0x{data[at + i]:02X} at position {at + i} does not continue it (10xxxxxx)")
        cp = cp << 6 | data[at + i] & 0b00111111
    if cp > 0x10FFFF:
        refuse(f"starts U+{cp:X}, beyond the last code point U+10FFFF")
    if 0xD800 <= cp <= 0xDFFF:
        refuse(f"starts U+{cp:X}, a surrogate, which is no character")
    if size != len(encode_utf8(cp)):
        refuse(f"starts an overlong form: U+{cp:04X} in {size} bytes, where {len(encode_utf8(cp))} will do")
    return size, cp


_SIGNS = {chr(cp): chr(0x2400 + cp) for cp in range(32)} | {" ": "·", "\n": "↵", "\t": "⇥", "\x7f": "␡"}
_OWN_SIGNS = {*_SIGNS.values(), "◌"}
# What shows nothing although its category is letter, mark, symbol or unassigned: the joiner U+034F, fillers of Hangul,
# vowels of Khmer, selectors, the empty Braille pattern, noncharacters, and what Unicode keeps for more of that kind.
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufdd0-\ufdef\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]")


@lru_cache(maxsize=4096)
def _stand_in(char):
    """What stands for `char` on the page; "" if it can be seen as it is."""
    if char in _SIGNS:
        return _SIGNS[char]
    cp = ord(char)
    if _UNSEEN.match(char) or cp & 0xFFFE == 0xFFFE or char in _OWN_SIGNS or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zs", "Zl", "Zp"):
        return f"[U+{cp:04X}]"
    return ""
