"""How a view writes text: numbers with their nouns, tokens that show everything, lines that nothing turns around, notes."""
import re
import unicodedata

from ..text import visible

# What changes the direction of what follows it; a pair around a piece that reads from right to left, as `isolate` makes it, is none.
TURNING = re.compile("\u2068((?:[^\u2068\u2069]|\u2068[^\u2068\u2069]*\u2069)*)\u2069|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
BLANKS = {"·": "a blank", "↵": "a new line", "⇥": "a tab"}


def upright(value):
    """Return `value` as text in which numbers stand for the signs that turn a line around.

    >>> upright("\\u202eabc")
    '[U+202E]abc'
    """
    return TURNING.sub(lambda found: f"[U+{ord(found[0]):04X}]" if found[1] is None else f"\u2068{upright(found[1])}\u2069", str(value))


def isolate(shown):
    """Return a piece of a line so that what follows it keeps its place, if the piece reads from right to left.

    >>> isolate("abc"), isolate("\\u05e9\\u05dc") == "\\u2068\\u05e9\\u05dc\\u2069"
    ('abc', True)
    >>> isolate("\\u05e9\\u2069") == "\\u2068\\u05e9[U+2069]\\u2069"
    True
    """
    return f"\u2068{upright(shown)}\u2069" if any(unicodedata.bidirectional(each) in ("R", "AL", "AN") for each in shown) else shown


def first(items, limit, what):
    """Return the first `limit` of `items`, and a note that says so if that is not all.

    >>> first("abcdef", 4, "characters")
    ('abcd', 'only the first 4 of 6 characters are drawn')
    >>> first("abc", 4, "characters")
    ('abc', '')
    """
    if len(items) <= limit:
        return items, ""
    return items[:limit], f"only the first {limit:,} of {len(items):,} {what} are drawn"


def notes(*parts):
    """One line out of the parts that are not empty."""
    return "; ".join(part for part in parts if part)


def counted(n, name):
    """A number with its noun.

    >>> counted(1, "byte"), counted(1234, "byte")
    ('1 byte', '1,234 bytes')
    """
    return f"{n:,} {name}{'' if n == 1 else 's'}"


def percent(share):
    """A share of 1 with one decimal.

    >>> percent(0.6667)
    '66.7 %'
    """
    return f"{100 * share:.1f} %"


def signed(number):
    """A number with two decimals, and a minus sign that is one.

    >>> signed(-1234.5)
    '−1,234.50'
    """
    return f"{number:,.2f}".replace("-", "−")


def number(value):
    """A loss with one decimal, a count with none.

    >>> number(12), number(3.14)
    ('12', '3.1')
    """
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def legend(html):
    """What the stand-ins of `text.visible` and `label` mean, each where it occurs.

    >>> legend("·the ⟨EC⟩⟨95⟩")
    '· is a blank; ⟨EC⟩ is a byte, in hexadecimal, that is no character by itself'
    >>> legend("man[U+200D]woman")
    '[U+200D] is a character that cannot be seen'
    """
    says = [f"{sign} is {meaning}" for sign, meaning in BLANKS.items() if sign in html]
    if byte := re.search("⟨[0-9A-F]{2}⟩", html):
        says.append(f"{byte[0]} is a byte, in hexadecimal, that is no character by itself")
    numbers = {one[0]: unicodedata.category(chr(int(one[1], 16)))[0] for one in re.finditer(r"\[U\+(10[0-9A-F]{4}|[0-9A-F]{4,5})\]", html)}
    for unseen, meaning in ((True, "that cannot be seen"), (False, "given as its code point")):
        found = [number for number, kind in numbers.items() if (kind not in "PS") == unseen]
        says += [f"{found[0]} is a character {meaning}"] if found else []
    return notes(*says)


def label(token):
    """A token as text that shows everything: blanks as ·, newlines as ↵, bytes that are no UTF-8 as ⟨E2⟩⟨80⟩.

    >>> label(b" the"), label(b"\\xf0\\x9f"), label("a\\n")
    ('·the', '⟨F0⟩⟨9F⟩', 'a↵')
    """
    if isinstance(token, str):
        return visible(token).replace("⟨", "[U+27E8]").replace("⟩", "[U+27E9]")
    try:
        return label(token.decode("utf-8"))
    except UnicodeDecodeError:
        return "".join(chr(byte) if 33 <= byte < 127 else "·" if byte == 32 else f"⟨{byte:02X}⟩" for byte in token)


def short(value, limit=24):
    """Text or bytes as one visible piece for a title, cut with … where it is long.

    >>> short("a b"), short(b"\\xc3\\xa9"), short("x" * 99, 4), short("")
    ('a·b', 'é', 'xxxx…', '(nothing)')
    """
    shown = label(value[:limit])
    if isinstance(value, str):              # what joins an emoji is part of what is seen
        shown = re.sub("[^\u200d\ufe0f]+", lambda found: visible(found[0]), value[:limit])
    return isolate(shown + "…" * (len(value) > limit)) or "(nothing)"
