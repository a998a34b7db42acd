"""The visual language: cards, token boxes, tables and bars as HTML with inline styles, the only ones that every front end keeps.

Each function takes plain text and escapes it here; a function whose argument is called `body` takes HTML made by these functions.
"""
from html import escape as _escape

from ..text import visible

# Okabe-Ito hues: light tints with a dark edge of the same hue, so that text stays readable and hue is never the only carrier.
TINTS = (("#d6ebf7", "#0072b2"), ("#fbe3c0", "#b36b00"), ("#d2efe4", "#007a58"),
         ("#f6dcea", "#a34c7f"), ("#fbf5c0", "#8a8000"), ("#f9d9cd", "#b34700"))
INK, PAPER, MUTED, LINE, ACCENT, GOOD, BAD = "#1b1f24", "#ffffff", "#57606a", "#d0d7de", "#d55e00", "#007a58", "#b34700"
MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace"
CELL = f"padding:3px 12px 3px 0;text-align:left;vertical-align:top;background:{PAPER};color:{INK};border:0"


def escape(value):
    """Return `value` as text that no browser takes for markup.

    >>> escape("<script>alert(1)</script>")
    '&lt;script&gt;alert(1)&lt;/script&gt;'
    """
    return _escape(str(value), quote=True)


def card(title, body, note=""):
    """A white card that reads on any theme: the finding as title (text), then `body` (HTML), then a muted note (text)."""
    below = f'<div style="color:{MUTED};font-size:12px;margin-top:6px">{escape(note)}</div>' if note else ""
    return (f'<div style="background:{PAPER};color:{INK};border:1px solid {LINE};border-radius:8px;padding:12px 14px;margin:6px 0;'
            f'font:14px/1.5 system-ui,sans-serif;overflow-x:auto"><div style="font-weight:600;margin-bottom:6px">{escape(title)}</div>{body}{below}</div>')


def box(token, below="", hue=0, mark=False, hint=""):
    """One token as a box; `below` is a small line under it (such as its id), `mark` outlines it, `hint` shows on hover.

    token: str, shown with visible blanks, or bytes, shown as text where they are UTF-8 and in hexadecimal where they are not.
    """
    tint, edge = TINTS[hue % len(TINTS)]
    border = f"2px solid {ACCENT}" if mark else f"1px solid {edge}"
    under = f'<br><span style="font-size:11px;color:{MUTED}">{escape(below)}</span>' if below != "" else ""
    return (f'<kbd title="{escape(hint)}" style="display:inline-block;margin:2px 1px;padding:2px 6px;border:{border};border-radius:5px;'
            f'background:{tint};color:{INK};font:15px {MONO};text-align:center;box-shadow:none;white-space:pre-wrap;unicode-bidi:isolate">'
            f'{escape(label(token))}{under}</kbd>')


def label(token):
    """A token as text that shows everything: blanks as ·, newlines as ↵, bytes that are no UTF-8 as <E2><80>.

    >>> label(b" the"), label(b"\\xf0\\x9f"), label("a\\n")
    ('·the', '<F0><9F>', 'a↵')
    """
    if isinstance(token, str):
        return visible(token)
    try:
        return visible(token.decode("utf-8"))
    except UnicodeDecodeError:
        return "".join(chr(byte) if 33 <= byte < 127 else f"<{byte:02X}>" for byte in token)


def strip(tokens, below=None, marks=(), hints=None):
    """A row of token boxes. tokens: list of str or bytes; below, hints: lists of the same length; marks: indexes to outline."""
    below, hints = below or [""] * len(tokens), hints or [""] * len(tokens)
    return "".join(box(token, under, n, n in marks, hint) for n, (token, under, hint) in enumerate(zip(tokens, below, hints)))


def mono(value, size=14, color=INK):
    """A stretch of text in the fixed-width face."""
    return f'<span style="font:{size}px {MONO};color:{color};white-space:pre-wrap">{escape(value)}</span>'


def table(rows, head=()):
    """A plain table. rows: list of rows of HTML cells made by this module; head: column titles (text)."""
    top = "".join(f'<th style="{CELL};color:{MUTED};font-weight:400;font-size:12px">{escape(name)}</th>' for name in head)
    body = "".join("<tr>" + "".join(f'<td style="{CELL}">{cell}</td>' for cell in row) + "</tr>" for row in rows)
    return f'<table style="border-collapse:collapse;border:0;margin:0;background:{PAPER}">' + (f"<tr>{top}</tr>" if top else "") + body + "</table>"


def columns(*bodies):
    """HTML blocks beside each other, wrapping on narrow pages."""
    return '<div style="display:flex;flex-wrap:wrap;gap:8px 28px">' + "".join(f"<div>{body}</div>" for body in bodies) + "</div>"


def bars(rows, marks=(), width=220, unit=""):
    """Horizontal bars with their numbers. rows: list of (label, value); marks: indexes to draw in the accent colour."""
    top = max((value for _, value in rows), default=0) or 1
    lines = []
    for n, (name, value) in enumerate(rows):
        fill, edge = ("#fbe3c0", ACCENT) if n in marks else TINTS[0]
        shown = f"{value:,}" if isinstance(value, int) else f"{value:.3g}"
        lines.append([f'<div style="text-align:right">{mono(label(name), 13)}</div>',
                      f'<span style="display:inline-block;width:{round(width * value / top)}px;height:13px;background:{fill};border:1px solid {edge};'
                      f'vertical-align:middle"></span> {mono(shown + unit, 12)}'])
    return table(lines)


def problem(error):
    """An error as a card: what a view shows when it cannot draw, so that nobody meets a traceback."""
    return card("This does not work", mono(error, 13, BAD), type(error).__name__)
