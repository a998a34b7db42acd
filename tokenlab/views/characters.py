"""Characters and their numbers: ASCII rows, code points, three encodings, and the four rulers (lesson 1)."""
import unicodedata
from itertools import accumulate

from ..errors import need_text
from ..text import graphemes, utf16_units, visible
from .base import INK, MONO, PAPER, TINTS, card, escape, mono, shows, small, span, table
from .writing import counted, first, notes, short

SHOWN, ROOM = 24, 28.5          # characters that a card draws, byte cells that fit beside each other on the rulers


def name(point):
    """The Unicode name of a code point; what has no name is called by what it is.

    >>> name(0x4E2D), name(10)
    ('CJK UNIFIED IDEOGRAPH-4E2D', 'control character')
    """
    kinds = {"Cc": "control character", "Co": "private use", "Cn": "not assigned"}
    return unicodedata.name(chr(point), kinds.get(unicodedata.category(chr(point)), "no name"))


def glyph(text, size=20):
    """A grapheme as the reader sees it, large; what shows nothing is drawn as text.visible draws it."""
    hidden = len(text) == 1 or all(visible(character) != character for character in text)
    shown = visible(text) if hidden else text
    emoji = "font-family:Apple Color Emoji,Segoe UI Emoji,Noto Color Emoji,sans-serif;" if ord(text[0]) > 0xFFFF else ""
    return span(escape(shown), f"{emoji}font-size:{11 if '[U+' in shown else size}px;line-height:1.2;color:{INK};"
                               f"display:inline-block;max-height:1.5em;overflow:hidden;unicode-bidi:isolate")


def underlined(bits, hue=1):
    """Text that is shaded and underlined, such as marker bits."""
    tint, edge = TINTS[hue]
    return span(escape(bits), f"background:{tint};border-bottom:2px solid {edge}")


def bit_row(layout):
    """Bytes in binary, their markers shaded. layout: list of (marker bits, payload bits), as text.utf8_layout gives."""
    body = "  ".join(underlined(marker, 0 if marker == "10" else 1) + escape(payload) for marker, payload in layout)
    return span(body, f"font:14px/1.6 {MONO};color:{INK};white-space:pre")


def by_character(title, text, head, row, note=""):
    """A card with one row for each of the first SHOWN characters: the character, and the HTML cells that `row(character)` returns."""
    shown, rest = first(text, SHOWN, "characters")
    return card(title, table([[glyph(each), *row(each)] for each in shown], ["character", *head]), notes(note, rest))


def ascii_table(text="HELLO"):
    """One row a character: its ASCII number, its seven bits, and the byte with the leading zero. For lesson 1.

    Raises TypeError or ValueError for what is not text.

    >>> ascii_table("Aé")
    1 of 2 characters has an ASCII number
    """
    def row(character):
        point, bits = ord(character), f"{ord(character):07b}"
        if point > 127:
            return small(f"none: {point:,} is above 127"), "", ""
        return mono(point), mono(bits), bit_row([("0", bits)])

    inside = sum(map(str.isascii, need_text(text)))
    title = f"{inside:,} of {counted(len(text), 'character')} {'has' if inside == 1 else 'have'} an ASCII number"
    return by_character(title, text, ["ASCII number", "7 bits", "as a byte"], row,
                        "shaded and underlined: the eighth bit, which ASCII leaves 0")


def code_point_table(text):
    """One row a code point: its number, hexadecimal and decimal, and its name. For lesson 1.

    Raises TypeError or ValueError for what is not text.

    >>> code_point_table("é")
    é: 1 code point
    """
    return by_character(f"{short(need_text(text))}: {counted(len(text), 'code point')}", text, ["code point", "decimal", "name"],
                        lambda each: (mono(f"U+{ord(each):04X}"), mono(f"{ord(each):,}"), small(name(ord(each)), INK)))


def encodings_table(text):
    """The same characters in UTF-8, UTF-16 and UTF-32, with the bytes each needs. For lesson 1.

    Raises TypeError or ValueError for what is not text.

    >>> encodings_table("A😉")
    A😉: 5 bytes in UTF-8, 6 in UTF-16, 8 in UTF-32
    """
    def row(character):
        point, units = ord(character), [f"{unit:04X}" for unit in utf16_units(character)]
        pair = span(" ".join(map(underlined, units)), f"font:14px {MONO}") if len(units) == 2 else mono(units[0])
        return mono(f"U+{point:04X}"), mono(character.encode().hex(" ").upper()), pair, mono(f"{point:08X}")

    title = (f"{short(need_text(text))}: {len(text.encode('utf-8')):,} bytes in UTF-8, "
             f"{2 * len(utf16_units(text)):,} in UTF-16, {4 * len(text):,} in UTF-32")
    return by_character(title, text, ["code point", "UTF-8 bytes", "UTF-16 units", "UTF-32 unit"], row,
                        "shaded and underlined: surrogates, the two halves of one code point")


def clusters(text):
    """(the graphemes of a text, "") or, in a kernel without the package regex, (its code points, a note that says so)."""
    try:
        return graphemes(text), ""
    except ModuleNotFoundError as error:
        return list(text), f"here each code point stands alone: {error}"


def rulers(text):
    """Measure one text in four units, and cut it into these units, each with the bytes it covers.

    Returns dict: text; lengths (unit -> int, of the whole text); rows (unit -> list of (shown, bytes covered), of what
    is drawn); rest (a note that says how much is drawn).
    Raises TypeError or ValueError for what is not text.

    >>> rulers("é")["lengths"]
    {'graphemes': 1, 'code points': 1, 'UTF-16 units': 1, 'bytes': 2}
    """
    every, missing = clusters(text)
    widths = (sum(max(2.6, len(each.encode())) for each in cluster) for cluster in every)       # of its bytes, or of labels such as U+0041
    kept = max(1, sum(used <= ROOM for used in accumulate(widths)))                 # whole graphemes, while they fit
    shown, rest = first("".join(every[:kept]), SHOWN, "code points")                # one grapheme can be endless
    rows = {"characters" if missing else "graphemes": [(cluster, len(cluster.encode())) for cluster in clusters(shown)[0]],
            "code points": [(f"U+{ord(each):04X}", len(each.encode())) for each in shown],
            "UTF-16 units": [(f"{unit:04X}", len(each.encode()) // len(utf16_units(each))) for each in shown for unit in utf16_units(each)],
            "bytes": [(f"{byte:02X}", 1) for byte in shown.encode()]}
    lengths = dict(zip(rows, map(len, (every, text, utf16_units(text), text.encode()))))
    return {"text": text, "lengths": lengths, "rows": rows, "rest": notes(rest or first(every, kept, "graphemes")[1], missing)}


@shows(rulers, "lengths")
def rulers_card(data):
    """Four aligned rulers under one text: graphemes, code points, UTF-16 units, bytes. For lesson 1.

    text: str, or what `rulers` returns. Raises TypeError or ValueError for what is not text.

    >>> rulers_card("안")
    안: 1 grapheme, 1 code point, 1 UTF-16 unit, 3 bytes
    """
    side = f"background:{PAPER};color:{INK};border:0;padding:3px 8px 3px 0;text-align:left;white-space:nowrap;font-size:12px;width:1px"
    lines = []
    for (unit, cells), (tint, edge) in zip(data["rows"].items(), TINTS, strict=False):
        many = data["lengths"][unit]
        style = (f"background:{tint};color:{INK};border:1px solid {edge};padding:3px 1px;text-align:center;"
                 f"font:11px {MONO};white-space:nowrap")
        row = "".join(f'<td colspan="{width}" style="{style}">{glyph(shown) if unit in ("graphemes", "characters") else shown}</td>'
                      for shown, width in cells)
        lines.append(f'<tr><td style="{side}"><b>{many:,}</b> {unit if many != 1 else unit[:-1]}</td>{row}</tr>')
    title = ", ".join(counted(n, unit[:-1]) for unit, n in data["lengths"].items())
    return card(f"{short(data['text'])}: {title}", f'<div style="max-width:{120 + 36 * len(data["rows"]["bytes"])}px">'
                f'<table style="border-collapse:collapse;border:0;margin:0;width:100%;table-layout:auto">{"".join(lines)}</table></div>',
                notes("cells above one another cover the same bytes", data["rest"]))
