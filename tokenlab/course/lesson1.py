"""Lesson 1: what its predictions ask, and what its exercises try."""
from .. import text
from .checks import NASTY, NASTY_BYTES, Exercise

FAMILY = "\U0001F468\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466"

PREDICTIONS = {
    "1.hook": lambda: {"answer": len(FAMILY.encode()), "points": len(FAMILY), "units": len(text.utf16_units(FAMILY))},
    "1.never": lambda: len(text.impossible_bytes()),
}


def byte_lengths(s):
    return [len(character.encode()) for character in s]


def count_code_points(data):
    return sum(byte >> 6 != 0b10 for byte in data)


def encode_utf8(cp):
    if not 0 <= cp <= 0x10FFFF or 0xD800 <= cp <= 0xDFFF:
        raise ValueError(f"{cp:#x} is no character")
    return _by_shifts(cp)


def _by_shifts(cp, last=(0x7F, 0x7FF, 0xFFFF), mark=0x80, step=1):
    more = sum(cp > limit for limit in last)
    tail = [mark | cp >> 6 * n & 0x3F for n in reversed(range(more))]
    return bytes([(0, 0xC0, 0xE0, 0xF0)[more] | cp >> 6 * more, *tail[::step]])


def cut_safely(data, n):
    while 0 < n < len(data) and data[n] >> 6 == 0b10:
        n -= 1
    return data[:n]


def _to_the_end(data, n):
    while n < len(data) and data[n] >> 6 == 0b10:
        n += 1
    return data[:n]


def _lead_left(data, n):
    head = data[:n]
    while head and head[-1] >> 6 == 0b10:
        head = head[:-1]
    return head


def repair(s):
    try:
        return s.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return s


_BYTES = [(s.encode(),) for s in ("A", "Aé안😉", *NASTY)] + [(data,) for data in NASTY_BYTES]
_CUTS = [(s.encode(), n) for s in ("", "A", "é", "안", "😉", "Aé안😉", "e\u0301", FAMILY) for n in range(len(s.encode()) + 2)]
_CODE_POINTS = (0, 0x41, 0x7F, 0x80, 0xE9, 0x7FF, 0x800, 0xC548, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x1F609, 0x10FFFF,
                -1, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x110000)
_BROKEN = [s.encode().decode("latin-1") for s in ("é", "Café", "안", "😉", "it’s")]

EXERCISES = {
    "1.1": Exercise("byte_lengths", byte_lengths, [(s,) for s in ("A", "Aé안😉", *NASTY)], {
        "ones": lambda s: [1 for _ in s],
        "total": lambda s: [len(s.encode())],
        "values": lambda s: list(s.encode()),
        "utf16": lambda s: [len(character.encode("utf-16-le")) for character in s]}),
    "1.2": Exercise("count_code_points", count_code_points, _BYTES, {
        "high": lambda data: sum(byte >= 128 for byte in data),
        "every": len,
        "decode": lambda data: len(data.decode()),
        "ascii": lambda data: sum(byte < 128 for byte in data)}),
    "1.3": Exercise("encode_utf8", encode_utf8, [(cp,) for cp in _CODE_POINTS], {
        "surrogates": _by_shifts,
        "boundary": lambda cp: encode_utf8(cp) and _by_shifts(cp, last=(0x80, 0x800, 0x10000)),
        "order": lambda cp: encode_utf8(cp) and _by_shifts(cp, step=-1),
        "unmarked": lambda cp: encode_utf8(cp) and _by_shifts(cp, mark=0)}, show=lambda cp: f"{cp:#x}"),
    "1.4": Exercise("cut_safely", cut_safely, [*_CUTS, (b"a" * 10_000, 9_999)], {
        "plain": lambda data, n: data[:n],
        "forward": _to_the_end,
        "lead": _lead_left,
        "always": lambda data, n: _lead_left(data, n)[:-1] if n < len(data) else data}),
    "1.5": Exercise("repair", repair, [(s,) for s in ("CafÃ©", "Café", "Ã", "é Ã©", "\ud800", *_BROKEN, *NASTY)], {
        "crash": lambda s: s.encode("latin-1").decode("utf-8"),
        "reversed": lambda s: s.encode("utf-8").decode("latin-1"),
        "ignore": lambda s: s.encode("latin-1", "ignore").decode("utf-8", "ignore"),
        "one": lambda s: s.replace("Ã©", "é")}),
}
