"""UTF-8 seen bit by bit: the layouts, the inspector, what bytes may stand where, and two ways to spoil a text (lesson 1)."""
from ..errors import need_text
from ..text import decode_utf8, encode_utf8, graphemes, utf8_layout, visible
from . import base
from .base import bar, card, count, escape, first, mono, notes, short, small, table
from .characters import SHOWN, glyph, hexadecimal, mono_bits, name, underlined

DRAWN, AROUND = 16, 24      # code points that the inspector draws, bytes on each side of a cut
ORDINALS = ("ASCII", "first of 2", "first of 3", "first of 4")
MARKERS = "shaded and underlined: marker bits (0 = a byte alone, 110, 1110, 11110 = first of 2, 3, 4, 10 = continuation)"


def inspect(text):
    """What a text is made of, from graphemes down to bits.

    Returns dict: text, graphemes, code_points, bytes (int, of the whole text), rest (a note), clusters: list of
    (grapheme, [code point: dict point, name, bits, layout, data]).

    >>> cluster, points = inspect("é")["clusters"][0]
    >>> cluster, points[0]["bits"], points[0]["layout"]
    ('é', '11101001', [('110', '00011'), ('10', '101001')])
    """
    need_text(text)
    shown, rest = first(text, DRAWN, "code points")
    clusters = [(cluster, [{"point": ord(character), "name": name(ord(character)), "bits": f"{ord(character):b}",
                            "layout": utf8_layout(ord(character)), "data": encode_utf8(ord(character))} for character in cluster])
                for cluster in graphemes(shown)]
    return {"text": text, "graphemes": len(graphemes(text)), "code_points": len(text), "bytes": len(text.encode("utf-8")),
            "clusters": clusters, "rest": rest}


def byte_cells(layout, data):
    """Each byte in binary, its marker shaded, and below it the byte's number and what the marker says."""
    cells = []
    for n, ((marker, payload), byte) in enumerate(zip(layout, data)):
        says = ORDINALS[len(layout) - 1] if n == 0 else "continuation"
        cells.append(f'<span style="display:inline-block;margin-right:12px">{mono_bits([(marker, payload)])}<br>{mono(f"{byte:02X} = {byte}", 12)}'
                     f'<br><span style="font-size:11px;color:{base.MUTED}">{says}</span></span>')
    return f'<span style="white-space:nowrap">{"".join(cells)}</span>'


def grouped(point):
    """The bits of a code point in the groups in which UTF-8 spreads them over bytes.

    >>> grouped({"layout": [("110", "00011"), ("10", "101001")]})
    '00011 101001'
    """
    return " ".join(payload for _, payload in point["layout"])


def bytes_card(text):
    """Grapheme, code points, bits and bytes of a text. For lesson 1.

    text: str, or the dict that `inspect` returns. Raises TypeError or ValueError for what is not text.

    >>> bytes_card("é").plain[:39]
    'é: 1 grapheme, 1 code point, 2 bytes · '
    """
    data = text if isinstance(text, dict) else inspect(text)
    rows = []
    for cluster, points in data["clusters"]:
        for n, point in enumerate(points):
            rows.append([glyph(cluster, 26) if n == 0 else "", mono(f"U+{point['point']:04X} = {point['point']:,}") + "<br>" + mono(grouped(point), 12)
                         + "<br>" + small(point["name"]), byte_cells(point["layout"], point["data"])])
    title = f"{count(data['graphemes'], 'grapheme')}, {count(data['code_points'], 'code point')}, {count(data['bytes'], 'byte')}"
    return card(f"{short(data['text'])}: {title}", table(rows, ["what you see", "code point, its bits", "bytes in UTF-8"]),
                notes(MARKERS, data["rest"]))


def utf8_layout_table():
    """The four bit layouts of UTF-8 with the code points each can hold, and an example. For lesson 1. Source: RFC 3629.

    >>> utf8_layout_table().plain[:41]
    'UTF-8 writes a code point in 1 to 4 bytes'
    """
    rows = []
    for low, high, example in ((0, 0x7F, "A"), (0x80, 0x7FF, "é"), (0x800, 0xFFFF, "안"), (0x10000, 0x10FFFF, "😉")):
        layout = utf8_layout(ord(example))
        pattern = [(marker, "x" * len(payload)) for marker, payload in layout]
        rows.append([mono(f"U+{low:04X} to U+{high:04X}"), mono(sum(len(payload) for _, payload in layout)),
                     mono_bits(pattern) + "<br>" + mono_bits(layout), glyph(example), mono(f"U+{ord(example):04X}")])
    return card("UTF-8 writes a code point in 1 to 4 bytes",
                table(rows, ["code points", "bits for x", "layout, and an example", "", ""]),
                "shaded and underlined: marker bits · the x are filled with the bits of the code point, zeros in front")


def byte_roles():
    """Every byte value with the part it can play in UTF-8, as ranges: list of (first, last, role), in order.

    >>> byte_roles()[2]
    (192, 193, 'never: would be a longer form of ASCII')
    """
    return [(0x00, 0x7F, "ASCII, a byte alone"), (0x80, 0xBF, "continuation"), (0xC0, 0xC1, "never: would be a longer form of ASCII"),
            (0xC2, 0xDF, "first of 2"), (0xE0, 0xEF, "first of 3"), (0xF0, 0xF4, "first of 4"),
            (0xF5, 0xFF, "never: would be above U+10FFFF")]


def byte_roles_table():
    """What each of the 256 byte values can be in UTF-8, and which never occur. For lesson 1.

    >>> byte_roles_table()
    13 of the 256 byte values never occur in UTF-8
    """
    rows = [[mono(f"{low:02X} to {high:02X}"), small(role, base.BAD if role.startswith("never") else base.INK), bar(1.6 * (high - low + 1), str(high - low + 1),
             role.startswith("never"))] for low, high, role in byte_roles()]
    never = sum(high - low + 1 for low, high, role in byte_roles() if role.startswith("never"))
    return card(f"{never} of the 256 byte values never occur in UTF-8", table(rows, ["bytes", "role in UTF-8", "how many values"]))


def cut(text, n):
    """What is left when only the first `n` bytes of a text are kept.

    Returns dict: text, kept and lost (bytes), decoded (with U+FFFD for what is broken), error ("" if the bytes are whole characters).
    Raises TypeError or ValueError for what is not text.

    >>> cut("é", 1)["decoded"], cut("é", 2)["error"]
    ('�', '')
    """
    data = need_text(text).encode("utf-8")
    kept = data[:max(0, n)]
    try:
        decode_utf8(kept)
        error = ""
    except ValueError as problem:
        error = str(problem)
    return {"text": text, "kept": kept, "lost": data[len(kept):], "decoded": kept.decode("utf-8", "replace"), "error": error}


def byte_boxes(data, gone=False):
    """Bytes as small boxes; those that are gone are pale, dashed and struck through."""
    tint, edge, style = (base.PAPER, base.LINE, "dashed") if gone else (*base.TINTS[0], "solid")
    ink = f"color:{base.MUTED};text-decoration:line-through" if gone else f"color:{base.INK}"
    cell = f"display:inline-block;margin:1px;padding:1px 4px;border:1px {style} {edge};background:{tint};{ink};font:13px {base.MONO}"
    return "".join(f'<span style="{cell}">{byte:02X}</span>' for byte in data)


def cut_card(text, n=None):
    """A text cut after `n` bytes: the bytes, what a decoder makes of them, and the error's own words. For lesson 1.

    text: str, or the dict that `cut` returns. Of a long text the part around the cut is drawn.
    Raises TypeError or ValueError for what is not text.

    >>> cut_card("é", 2)
    2 of 2 bytes kept: they are whole characters
    """
    data = text if isinstance(text, dict) else cut(text, n)
    kept, lost, decoded = data["kept"], data["lost"], data["decoded"]
    before, after = len(kept[:-AROUND]), len(lost[AROUND:])
    row = ((small(f"{count(before, 'byte')} … ") if before else "") + byte_boxes(kept[-AROUND:]) + byte_boxes(lost[:AROUND], True)
           + (small(f" … {count(after, 'byte')}") if after else ""))
    end = ("… " if len(decoded) > 2 * AROUND else "") + visible(decoded[-2 * AROUND:])
    says = mono(data["error"], 13, base.BAD, wrap=True) if data["error"] else small("no error", base.GOOD)
    rows = [[small("bytes"), row], [small('errors="replace"'), mono(end, 18, wrap=True) if decoded else small("(nothing)")],
            [small('errors="strict"'), says]]
    title = f"{len(kept):,} of {count(len(kept) + len(lost), 'byte')} kept: they {'end inside a character' if data['error'] else 'are whole characters'}"
    return card(title, table(rows), notes("� (U+FFFD) stands for bytes that are no character",
                                          "only the bytes around the cut are drawn" if before or after else ""))


def misread_card(text, encoding="latin-1"):
    """UTF-8 bytes read with the wrong table, character by character. For lesson 1.

    encoding: the name of the wrong table, one byte a character. Raises TypeError or ValueError for what is not text.

    >>> misread_card("Café")
    Café read as latin-1 is CafÃ© · underlined: bytes of one character that became several
    """
    data = need_text(text).encode("utf-8")
    shown, rest = first(text, SHOWN, "characters")
    rows = []
    for character in shown:
        wrong = encode_utf8(ord(character)).decode(encoding, "replace")
        rows.append([glyph(character), mono(hexadecimal(encode_utf8(ord(character)))),
                     f'<span style="font:16px {base.MONO}">{" ".join(underlined(visible(part)) if len(wrong) > 1 else escape(visible(part)) for part in wrong)}</span>'])
    return card(f"{short(text)} read as {encoding} is {short(data.decode(encoding, 'replace'))}", table(rows, ["written", "its UTF-8 bytes", "read"]),
                notes("underlined: bytes of one character that became several", rest))
