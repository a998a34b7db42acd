"""Characters and their numbers: ASCII rows, code points, three encodings, and the four rulers of lesson 1."""
import unicodedata

from ..errors import need_text
from ..text import code_points, encode_utf8, graphemes, utf16_units, visible
from .base import INK, MONO, PAPER, TINTS, card, count, escape, first, mono, notes, short, small, table

SHOWN, ROOM = 24, 26      # characters that a card draws, columns that the rulers have; they say so when there are more


def hexadecimal(data):
    """Bytes as two hexadecimal digits each.

    >>> hexadecimal("é".encode("utf-8"))
    'C3 A9'
    """
    return " ".join(f"{byte:02X}" for byte in data)


def name(point):
    """The Unicode name of a code point, in small letters; control characters have none, so they are called by what they are.

    >>> name(0x4E2D), name(10)
    ('cjk unified ideograph-4e2d', 'control character')
    """
    character = chr(point)
    kinds = {"Cc": "control character", "Co": "private use", "Cs": "half of a surrogate pair", "Cn": "not assigned"}
    return unicodedata.name(character, kinds.get(unicodedata.category(character), "no name")).lower()


def glyph(text, size=20):
    """A grapheme as the reader sees it, large; blanks and control characters drawn visibly, a lone mark on a dotted circle."""
    shown = visible(text) if len(text) == 1 or all(visible(character) != character for character in text) else text
    face = "font-family:Apple Color Emoji,Segoe UI Emoji,Noto Color Emoji,sans-serif;" if ord(text[0]) > 0xFFFF else ""
    return (f'<span style="{face}font-size:{11 if "[U+" in shown else size}px;line-height:1.2;display:inline-block;'
            f'max-height:1.5em;overflow:hidden;vertical-align:top;unicode-bidi:isolate;color:{INK}">{escape(shown)}</span>')


def underlined(bits, hue=1):
    """Marker bits: shaded and underlined."""
    tint, edge = TINTS[hue]
    return f'<span style="background:{tint};border-bottom:2px solid {edge}">{escape(bits)}</span>' if bits else ""


def ascii_table(text="HELLO"):
    """One row a character: its ASCII number, the seven bits, and the byte with the leading zero. For lesson 1.

    Raises TypeError or ValueError for what is not text.

    >>> ascii_table("AB")
    2 of 2 characters have an ASCII number · shaded and underlined: the eighth bit, which ASCII leaves 0
    """
    need_text(text)
    inside = sum(ord(character) < 128 for character in text)
    shown, rest = first(text, SHOWN, "characters")
    rows = [[glyph(character), mono(ord(character)), mono(f"{ord(character):07b}"),
             mono_bits([("0", f"{ord(character):07b}")])] if ord(character) < 128 else
            [glyph(character), small(f"none: {ord(character):,} is above 127"), "", ""] for character in shown]
    return card(f"{inside:,} of {count(len(text), 'character')} {'has' if inside == 1 else 'have'} an ASCII number",
                table(rows, ["character", "ASCII number", "7 bits", "as a byte"]),
                notes("shaded and underlined: the eighth bit, which ASCII leaves 0", rest))


def mono_bits(layout):
    """Bytes in binary, marker bits shaded. layout: list of (marker bits, payload bits), as text.utf8_layout gives it."""
    return f'<span style="font:14px/1.6 {MONO};color:{INK};white-space:pre">' + "  ".join(
        underlined(marker, 0 if marker == "10" else 1) + escape(payload) for marker, payload in layout) + "</span>"




def code_point_table(text):
    """One row a code point: number, name and UTF-8 bytes. For lesson 1.

    Raises TypeError or ValueError for what is not text.

    >>> code_point_table("é")
    é: 1 code point, 2 bytes in UTF-8
    """
    need_text(text)
    shown, rest = first(text, SHOWN, "code points")
    rows = [[glyph(character), mono(f"U+{point:04X}"), mono(f"{point:,}"), small(name(point), INK), mono(hexadecimal(encode_utf8(point)))]
            for character, point in zip(shown, code_points(shown))]
    return card(f"{short(text)}: {count(len(text), 'code point')}, {count(len(text.encode('utf-8')), 'byte')} in UTF-8",
                table(rows, ["character", "code point", "decimal", "name", "UTF-8"]), rest)


def encodings_table(text):
    """The same characters in UTF-8, UTF-16 and UTF-32, with the bytes each needs. For lesson 1.

    Raises TypeError or ValueError for what is not text.

    >>> encodings_table("A😉")
    A😉: 5 bytes in UTF-8, 6 in UTF-16, 8 in UTF-32 · shaded and underlined: surrogates, the two halves of one code point
    """
    need_text(text)
    shown, rest = first(text, SHOWN, "code points")
    rows = []
    for character, point in zip(shown, code_points(shown)):
        units = [f"{unit:04X}" for unit in utf16_units(character)]
        two = f'<span style="font:14px {MONO}">' + " ".join(map(underlined, units)) + "</span>"
        rows.append([glyph(character), mono(f"U+{point:04X}"), mono(hexadecimal(encode_utf8(point))),
                     two if len(units) == 2 else mono(units[0]), mono(f"{point:08X}")])
    sizes = [len(text.encode("utf-8")), 2 * len(utf16_units(text)), 4 * len(text)]
    rows.append([small("bytes in all"), "", *(mono(f"{size:,}") for size in sizes)])
    return card(f"{short(text)}: {sizes[0]:,} bytes in UTF-8, {sizes[1]:,} in UTF-16, {sizes[2]:,} in UTF-32",
                table(rows, ["character", "code point", "UTF-8 bytes", "UTF-16 units", "UTF-32 unit"]),
                notes("shaded and underlined: surrogates, the two halves of one code point", rest))


def room(text):
    """How many columns of the rulers a text takes: its bytes, and two for an ASCII character, whose labels are wider."""
    return sum(max(2, len(encode_utf8(ord(character)))) for character in text)


def rulers(text):
    """The lengths of one text in four units, and the units themselves, each with the bytes it covers.

    Returns dict: text, lengths (name -> int, for the whole text), rows (name -> list of (shown, bytes covered)), rest (a note).

    >>> rulers("é")["lengths"]
    {'graphemes': 1, 'code points': 1, 'UTF-16 units': 1, 'bytes': 2}
    """
    need_text(text)
    every, units = graphemes(text), utf16_units(text)
    kept, used = 0, 0
    while kept < len(every) and (not kept or used + room(every[kept]) <= ROOM):    # whole graphemes, as many as fit
        kept, used = kept + 1, used + room(every[kept])
    shown, rest = first("".join(every[:kept]), SHOWN, "code points")               # one grapheme can be endless
    rest = rest or first(every, kept, "graphemes")[1]
    rows = {"graphemes": [], "code points": [], "UTF-16 units": [], "bytes": []}
    for cluster in graphemes(shown):
        rows["graphemes"].append((cluster, len(cluster.encode("utf-8"))))
    for character in shown:
        data, parts = encode_utf8(ord(character)), utf16_units(character)
        rows["code points"].append((f"U+{ord(character):04X}", len(data)))
        rows["UTF-16 units"] += [(f"{unit:04X}", len(data) // len(parts)) for unit in parts]
        rows["bytes"] += [(f"{byte:02X}", 1) for byte in data]
    lengths = {"graphemes": len(every), "code points": len(text), "UTF-16 units": len(units), "bytes": len(text.encode("utf-8"))}
    return {"text": text, "lengths": lengths, "rows": rows, "rest": rest}


def rulers_card(text):
    """Four aligned rulers under one text: graphemes, code points, UTF-16 units, bytes. For lesson 1.

    text: str, or the dict that `rulers` returns. Raises TypeError or ValueError for what is not text.

    >>> rulers_card("안")
    안: 1 grapheme, 1 code point, 1 UTF-16 unit, 3 bytes · a cell is as wide as the bytes it covers
    """
    data = text if isinstance(text, dict) else rulers(text)
    lines = []
    for hue, (unit, cells) in enumerate(data["rows"].items()):
        tint, edge = TINTS[hue]
        side = f"background:{PAPER};color:{INK};border:0;padding:3px 12px 3px 0;text-align:left;white-space:nowrap;font-size:13px"
        cell = f"background:{tint};color:{INK};border:1px solid {edge};padding:3px 1px;min-width:22px;text-align:center;font:11px {MONO}"
        lines.append(f'<tr><td style="{side}"><b>{data["lengths"][unit]:,}</b> {escape(unit if data["lengths"][unit] != 1 else unit[:-1])}</td>' + "".join(
            f'<td colspan="{width}" style="{cell}">{glyph(shown) if unit == "graphemes" else escape(shown)}</td>'
            for shown, width in cells) + "</tr>")
    title = ", ".join(count(n, unit[:-1]) for unit, n in data["lengths"].items())
    return card(f"{short(data['text'])}: {title}", '<table style="border-collapse:collapse;border:0;margin:0">' + "".join(lines) + "</table>",
                notes("a cell is as wide as the bytes it covers", data["rest"]))
