"""Lesson 1: what its exercises try."""
from itertools import product

from .. import text
from .checks import NASTY, NASTY_BYTES, Exercise

FAMILY = "\U0001F468\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466"
LAST = (0x7F, 0x7FF, 0xFFFF)            # the last code points of one, two and three bytes


def encode_utf8(cp, refuse=text.encode_utf8, last=LAST, first=lambda cp, n, mark: mark | cp >> n, tail=lambda cp, n: 0x80 | cp >> n & 0x3F, step=1):
    """The bytes of a code point; what is passed besides makes the mistakes. n: how many bits belong to the bytes after this one."""
    refuse(cp)
    more = sum(cp > limit for limit in last)
    tails = [tail(cp, 6 * n) for n in reversed(range(more))]
    return bytes([first(cp, 6 * more, (0, 0xC0, 0xE0, 0xF0)[more]), *tails[::step]])


def _off(by):
    """One or more of the three limits are wrong by this much."""
    return tuple({"last": last} for last in product(*((limit, limit + by) for limit in LAST)) if last != LAST)


def _middle(tail):
    """The mistake in all continuation bytes but the last."""
    return lambda cp, n: tail(cp, n) if n else 0x80 | cp & 0x3F


def cut_safely(data, n, step=-1, inside=lambda data, n: 0 < n < len(data)):
    """The cut; what is passed besides makes the mistakes."""
    while inside(data, n) and data[n] >> 6 == 0b10:
        n += step
    return data[:n]


def _lead_left(data, n):
    head = data[:n]
    while head and head[-1] >> 6 == 0b10:
        head = head[:-1]
    return head


def repair(s, encoding="latin-1", errors="strict", catch=UnicodeError):
    """The repair; what is passed besides makes the mistakes."""
    try:
        return s.encode(encoding, errors).decode("utf-8", errors)
    except catch:
        return s


_UNMASKED = (lambda cp, n: 0x80 | cp >> n, lambda cp, n: 0x80 + (cp >> n))
_FIRST, _TAIL = {"first": lambda cp, n, mark: mark + cp >> n}, {"tail": lambda cp, n: 0x80 + cp >> n & 0x3F}       # + for |, without parentheses
_BYTES = [(s.encode(),) for s in ("A", "Aé안😉", *NASTY)] + [(data,) for data in NASTY_BYTES]
_CUTS = [(s.encode(), n) for s in ("", "A", "é", "안", "😉", "Aé안😉", "e\u0301", FAMILY) for n in range(len(s.encode()) + 2)]
_CODE_POINTS = (0, 0x41, 0x7F, 0x80, 0xE9, 0x7FF, 0x800, 0xC548, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x1F609, 0x10FFFF,
                -1, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x110000)
_BROKEN = [s.encode().decode("latin-1") for s in ("é", "Café", "안", "😉", "it’s")]

EXERCISES = {
    "1.1": Exercise("byte_lengths", lambda s: [len(character.encode()) for character in s], [(s,) for s in ("A", "Aé안😉", *NASTY)], {
        "ones": lambda s: [1 for _ in s],
        "total": lambda s: [len(s.encode())],
        "values": lambda s: list(s.encode()),
        "utf16": lambda s: [len(character.encode("utf-16-le")) for character in s]}),
    "1.2": Exercise("count_code_points", lambda data: sum(byte >> 6 != 0b10 for byte in data), _BYTES, {
        "high": lambda data: sum(byte >= 0x80 for byte in data),
        "every": len,
        "decode": lambda data: len(data.decode()),
        "replace": tuple(lambda data, errors=errors: len(data.decode(errors=errors)) for errors in ("replace", "ignore")),
        "ascii": lambda data: sum(byte < 0x80 for byte in data),
        "leads": lambda data: sum(byte >= 0xC0 for byte in data)}),
    "1.3": Exercise("encode_utf8", encode_utf8, [(cp,) for cp in _CODE_POINTS], {
        "surrogates": {"refuse": lambda cp: None},
        "late": _off(1),
        "early": _off(-1),
        "order": {"step": -1},
        "unmarked": {"tail": lambda cp, n: cp >> n & 0x3F},
        "mask": tuple({"tail": tail} for tail in (*_UNMASKED, *map(_middle, _UNMASKED))),
        "precedence": (_FIRST | _TAIL, _FIRST, _TAIL)}, show=lambda cp: f"{cp:#x}"),
    "1.4": Exercise("cut_safely", cut_safely, [*_CUTS, (b"a" * 10_000, 9_999)], {
        "plain": lambda data, n: data[:n],
        "forward": {"step": 1},
        "lead": _lead_left,
        "always": lambda data, n: _lead_left(data, n)[:-1] if n < len(data) else data,
        "index": ({"inside": lambda data, n: True}, {"inside": lambda data, n: n > 0})}),
    "1.5": Exercise("repair", repair, [(s,) for s in ("CafÃ©", "Café", "Ã", "é Ã©", "\ud800", *_BROKEN, *NASTY)], {
        "crash": ({"catch": ()}, {"catch": UnicodeEncodeError}, {"catch": UnicodeDecodeError}),
        "reversed": lambda s: s.encode("utf-8").decode("latin-1"),
        "ignore": ({"errors": "ignore"}, {"errors": "replace"}),
        "one": lambda s: s.replace("Ã©", "é"),
        "cp1252": ({"encoding": "cp1252"}, {"encoding": "cp1252", "catch": ()})}),
}
