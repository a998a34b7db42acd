"""UTF-8 bit by bit: layouts, the inspector, what each byte can be, and two ways to spoil a text (lesson 1)."""
from ..errors import need_text
from ..text import decode_utf8, impossible_bytes, utf8_layout, visible
from . import base
from .base import bar, block, card, mono, shows, small, span, table
from .characters import bit_row, by_character, clusters, glyph, name, underlined
from .writing import counted, first, notes, short

DRAWN, AROUND = 16, 24          # code points that the inspector draws, bytes drawn on a side of a cut
LEADS = ("a byte alone", "first of 2", "first of 3", "first of 4")
# What each byte value can be in UTF-8, from the first to the last value. Source: RFC 3629, section 4.
BYTE_ROLES = ((0x00, 0x7F, "ASCII, a byte alone"), (0x80, 0xBF, "continuation"), (0xC0, 0xC1, "never: would be a longer form of ASCII"),
              (0xC2, 0xDF, "first of 2"), (0xE0, 0xEF, "first of 3"), (0xF0, 0xF4, "first of 4"), (0xF5, 0xFF, "never: would be above U+10FFFF"))


def inspect(text):
    """Take a text apart, from graphemes down to bits.

    Returns dict: text; sizes (dict unit -> int, of the whole text; no graphemes without the package regex); clusters (the
    graphemes that are drawn); rest (a note that says how much that is).
    Raises TypeError or ValueError for what is not text.

    >>> inspect("é")["sizes"]
    {'grapheme': 1, 'code point': 1, 'byte': 2}
    """
    shown, rest = first(need_text(text), DRAWN, "code points")
    every, missing = clusters(text)
    sizes = {} if missing else {"grapheme": len(every)}
    return {"text": text, "sizes": sizes | {"code point": len(text), "byte": len(text.encode())},
            "clusters": clusters(shown)[0], "rest": notes(rest, missing)}


def byte_cells(character):
    """Each byte in binary with its marker shaded, below it the byte's number and what the marker says."""
    cells, layout = [], utf8_layout(ord(character))
    for n, (bits, byte) in enumerate(zip(layout, character.encode())):
        says = span("continuation" if n else LEADS[len(layout) - 1], f"font-size:11px;color:{base.MUTED}")
        cells.append(span(f"{bit_row([bits])}<br>{mono(f'{byte:02X} = {byte}', 12)}<br>{says}", "display:inline-block;margin-right:8px"))
    return span("".join(cells), "white-space:nowrap")


@shows(inspect, "clusters")
def bytes_card(data):
    """Graphemes, code points, bits and bytes of a text. For lesson 1.

    text: str, or what `inspect` returns. Raises TypeError or ValueError for what is not text.

    >>> bytes_card("é")
    é: 1 grapheme, 1 code point, 2 bytes
    """
    rows = []
    for cluster in data["clusters"]:
        for n, point in enumerate(map(ord, cluster)):
            bits = " ".join(payload for _, payload in utf8_layout(point))           # in the groups that the bytes take
            says = [mono(f"U+{point:04X} = {point:,}"), mono(bits, 12), small(name(point))]
            rows.append(["" if n else glyph(cluster, 26), "<br>".join(says), byte_cells(chr(point))])
    return card(f"{short(data['text'])}: {', '.join(counted(n, unit) for unit, n in data['sizes'].items())}",
                table(rows, ["what you see", "code point, its bits", "bytes in UTF-8"]),
                notes("shaded and underlined: marker bits, 0 = alone, 110, 1110, 11110 = first of 2, 3, 4, 10 = continuation", data["rest"]))


def utf8_layout_table():
    """The four bit layouts of UTF-8, the code points each holds, and an example. For lesson 1. Source: RFC 3629.

    >>> utf8_layout_table()
    UTF-8 writes a code point in 1 to 4 bytes
    """
    rows = []
    for low, high, example in ((0, 0x7F, "A"), (0x80, 0x7FF, "é"), (0x800, 0xFFFF, "안"), (0x10000, 0x10FFFF, "😉")):
        layout = utf8_layout(ord(example))
        free = [(marker, "x" * len(payload)) for marker, payload in layout]
        rows.append([f"{mono(f'U+{low:04X} to U+{high:04X}')}<br>{glyph(example, 16)} {mono(f'U+{ord(example):04X}')}",
                     mono(sum(len(payload) for _, payload in layout)), bit_row(free) + "<br>" + bit_row(layout)])
    return card("UTF-8 writes a code point in 1 to 4 bytes",
                table(rows, ["code points, and an example", "bits", "layout, and the example's bits"]),
                "shaded and underlined: marker bits; the x take the bits of the code point, zeros in front")


def byte_roles_table():
    """What each of the 256 byte values can be in UTF-8, and which never occur. For lesson 1.

    >>> byte_roles_table()
    13 of the 256 byte values never occur in UTF-8
    """
    rows = []
    for low, high, role in BYTE_ROLES:
        never = role.startswith("never")
        rows.append([mono(f"{low:02X} to {high:02X}"), small(role, base.BAD if never else base.INK),
                     bar(1.6 * (high - low + 1), str(high - low + 1), never)])
    return card(f"{len(impossible_bytes())} of the 256 byte values never occur in UTF-8",
                table(rows, ["bytes", "role in UTF-8", "how many values"]))


def cut(text, n=None):
    """Keep only the first `n` bytes of a text (None: all), and decode what is left.

    Returns dict: text; kept and lost (bytes); decoded (str, U+FFFD for what is broken); error ("" if nothing is).
    Raises TypeError or ValueError for what is not text.

    >>> cut("é", 1)["decoded"], cut("é", 2)["error"]
    ('�', '')
    """
    data = need_text(text).encode()
    kept, error = data if n is None else data[:max(0, n)], ""
    try:
        decode_utf8(kept)
    except ValueError as refusal:
        error = str(refusal)
    return {"text": text, "kept": kept, "lost": data[len(kept):], "decoded": kept.decode("utf-8", "replace"), "error": error}


def byte_boxes(data, gone=False):
    """Bytes as small boxes; those that are gone are pale, dashed and struck through."""
    tint, edge = base.TINTS[0]
    look = (f"color:{base.MUTED};text-decoration:line-through;border:1px dashed {base.LINE}" if gone else
            f"color:{base.INK};background:{tint};border:1px solid {edge}")
    style = f"display:inline-block;margin:1px;padding:1px 4px;font:13px {base.MONO};{look}"
    return "".join(span(f"{byte:02X}", style) for byte in data)


@shows(cut, "kept")
def cut_card(data):
    """A text cut after `n` bytes: the bytes, what two decoders make of them, and the error's own words. For lesson 1.

    text: str, or what `cut` returns; of a long text the part around the cut is drawn.
    Raises TypeError or ValueError for what is not text.

    >>> cut_card("é", 1)
    1 of 2 bytes kept: they end inside a code point
    """
    kept, lost, decoded = data["kept"], data["lost"], data["decoded"]
    size = len(kept) + len(lost)
    start = max(0, min(len(kept), size - AROUND) - AROUND)      # a window of the same size wherever the cut is
    after = max(0, size - start - 2 * AROUND)
    row = ((small(f"{counted(start, 'byte')} … ") if start else "") + byte_boxes(kept[start:])
           + byte_boxes(lost[:len(lost) - after], gone=True) + (small(f" … {counted(after, 'byte')}") if after else ""))
    end = "… " * (len(decoded) > 2 * AROUND) + visible(decoded[-2 * AROUND:])
    strict = mono(data["error"], 13, base.BAD, wrap=True) if data["error"] else small("no error", base.GOOD)
    body = (row + block('bytes.decode(errors="replace")', mono(end, 18, wrap=True) if decoded else small("(nothing)"))
            + f'<div style="min-height:5em">{block("text.decode_utf8", strict)}</div>')     # so that little moves
    found = "kept: they end " + ("inside a code point" if data["error"] else "between code points")
    return card(f"{len(kept):,} of {counted(size, 'byte')}{' ' + found if kept else ': nothing is kept'}", body,
                notes("� (U+FFFD) replaces bytes that are no character" if "�" in decoded else "",
                      "only the bytes around the cut are drawn" if start or after else ""))


def misread_card(text, encoding="latin-1"):
    """UTF-8 bytes read with the wrong table, character by character. For lesson 1.

    encoding: the name of the wrong table, one byte a character, such as latin-1 or cp1252.
    Raises TypeError or ValueError for what is not text, ValueError for an unknown encoding.

    >>> misread_card("Café")
    Café read as latin-1 is CafÃ©
    """
    try:
        wrong = need_text(text).encode().decode(encoding, "replace")
    except LookupError:
        raise ValueError(f"unknown encoding {encoding!r}: give one byte a character, such as latin-1 or cp1252") from None

    def row(character):
        data = character.encode()
        read = [visible(each) for each in data.decode(encoding, "replace")]
        wide = span(" ".join(map(underlined, read)), f"font:16px {base.MONO}") if len(read) > 1 else mono("".join(read), 16)
        return mono(data.hex(" ").upper()), wide

    return by_character(f"{short(text)} read as {encoding} is {short(wrong)}", text, ["its UTF-8 bytes", "read"], row,
                        "underlined: bytes of one character that became several")
