"""The visual language: cards, token boxes, tables and bars, as HTML with inline styles, which every front end keeps.

Each function takes plain text and escapes it here; a function whose argument is called `body` takes HTML made by these
functions.
"""
from functools import wraps
from html import escape as _escape
from inspect import signature

from .. import errors
from .writing import label, legend, notes, upright

# Okabe-Ito hues: light tints with a dark edge of the same hue; text stays readable, hue is never the only carrier.
TINTS = (("#d6ebf7", "#0072b2"), ("#fbe3c0", "#b36b00"), ("#d2efe4", "#007a58"),
         ("#f6dcea", "#a34c7f"), ("#fbf5c0", "#8a8000"), ("#f9d9cd", "#b34700"))
INK, PAPER, MUTED, LINE, ACCENT, GOOD, BAD = "#1b1f24", "#ffffff", "#57606a", "#d0d7de", "#d55e00", "#007a58", "#b34700"
MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace"
NO_MATH = 'class="mathjax_ignore tex2jax_ignore"'    # JupyterLab and older pages make no formula of dollar signs in it
CELL = f"padding:2px 12px 2px 0;text-align:left;vertical-align:middle;background:{PAPER};color:{INK};border:0"


class Html(str):
    """HTML that a notebook shows where it is the last line of a cell; `plain` is its text where HTML cannot be shown.

    >>> Html("<b>3</b> tokens", plain="3 tokens")
    3 tokens
    """

    def __new__(cls, value, plain=""):
        self = super().__new__(cls, value)
        self.plain = plain
        return self

    def __repr__(self):
        return self.plain

    def _repr_html_(self):
        return str(self)


def escape(value):
    """Return `value` as text that no browser takes for markup, and that cannot turn a line around.

    >>> escape("<script>alert(1)</script>"), escape("\\u202eabc")
    ('&lt;script&gt;alert(1)&lt;/script&gt;', '[U+202E]abc')
    """
    return _escape(upright(value), quote=True)


def span(body, style):
    """A stretch of HTML with an inline style."""
    return f'<span style="{style}">{body}</span>'


def card(title, body, note=""):
    """A white card that reads on any theme: the finding as title (text), then `body` (HTML), then a muted note (text).

    The note goes on with a legend of the stand-ins that occur.

    >>> card("13 tokens", mono("The ride"))
    13 tokens
    """
    said = legend(escape(title) + body)
    note = notes(note.removesuffix("." if said else ""), said)
    style = (f"background:{PAPER};color:{INK};border:1px solid {LINE};border-radius:8px;padding:12px 14px;margin:6px 0;"
             f"font:14px/1.5 system-ui,sans-serif;overflow-x:auto;direction:ltr;text-align:left")
    below = f'<div style="color:{MUTED};font-size:12px;margin-top:6px">{escape(note)}</div>' if note else ""
    top = f'<div style="font-weight:600;margin-bottom:6px">{escape(title)}</div>'
    return Html(f'<div {NO_MATH} style="{style}">{top}{body}{below}</div>', plain=title)


def shows(make, key):
    """Decorate a card so that it may be given what `make` takes, or the state that `make` returns: a dict that holds `key`.

    Raises TypeError for arguments that are neither.

    >>> @shows(lambda word, times: {"shown": word * times}, "shown")
    ... def echo_card(state):
    ...     return card(state["shown"], "")
    >>> echo_card("ab", 2), echo_card({"shown": "ba"})
    (abab, ba)
    >>> echo_card("ab")
    Traceback (most recent call last):
    TypeError: echo_card must be given (word, times), or what <lambda> returns, not ('ab'): missing a required argument: 'times'
    """
    wanted = signature(make)

    def decorate(draw):
        @wraps(draw)
        def drawn(*given, **named):
            if len(given) == 1 and not named and isinstance(given[0], dict) and key in given[0]:
                return draw(given[0])
            try:
                wanted.bind(*given, **named)
            except TypeError as error:
                got = ", ".join([*map(errors.short, given), *(f"{name}={errors.short(value)}" for name, value in named.items())])
                raise TypeError(f"{draw.__name__} must be given ({', '.join(wanted.parameters)}), or what {make.__name__} returns, "
                                f"not ({got}): {error}") from None
            return draw(make(*given, **named))

        drawn.__signature__ = wanted
        return drawn

    return decorate


def box(token, hue=0):
    """One token as a box.

    token: str, shown with visible blanks, or bytes, shown as text where they are UTF-8, in hexadecimal where not.
    """
    return strip([token], hues=[hue])


def _bare_box(token, below, hue, mark):
    tint, edge = TINTS[hue % len(TINTS)]
    border, padding = (f"2px solid {ACCENT}", "1px 5px") if mark else (f"1px solid {edge}", "2px 6px")
    style = f"display:inline-block;margin:1px;padding:{padding};border:{border};border-radius:5px;background:{tint}"
    shown = label(token)
    if len(shown) <= 20:                        # a short token stays on one line, a long one may break anywhere
        style += ";white-space:nowrap"
    body = escape(shown)
    if below != "":
        body += f"<br>{span(escape(below), f'font-size:11px;color:{MUTED}')}"
        style += ";text-align:center;vertical-align:top"
    return span(body, style)


def strip(tokens, below=None, marks=(), hues=None):
    """A row of token boxes.

    tokens: list of str or bytes; below, hues: lists of the same length; marks: indexes of those to outline.
    """
    below = [""] * len(tokens) if below is None else below
    hues = range(len(tokens)) if hues is None else hues
    boxes = [_bare_box(*each, n in marks) for n, each in enumerate(zip(tokens, below, hues, strict=True))]
    return span("".join(boxes), f"font:15px/1.35 {MONO};color:{INK};overflow-wrap:anywhere")    # said once: a strip can be long


def mono(value, size=14, color=INK, wrap=False):
    """A stretch of text in the fixed-width face, on one line unless `wrap`."""
    space = "white-space:pre-wrap;overflow-wrap:anywhere" if wrap else "white-space:pre"
    return span(escape(value), f"font:{size}px {MONO};color:{color};{space};unicode-bidi:isolate")


def small(value, color=MUTED, wrap=True):
    """A small stretch of text, muted unless another colour is given; on one line unless `wrap`."""
    return span(escape(value), f"font-size:12px;color:{color}" + ("" if wrap else ";white-space:nowrap"))


def block(title, body):
    """A part of a card under a small title (text)."""
    return f'<div style="margin-top:10px">{small(title)}<br>{body}</div>'


def table(rows, head=()):
    """A plain table. rows: list of rows of HTML cells made by this module; head: column titles (text)."""
    titles = "".join(f'<th style="{CELL};color:{MUTED};font-weight:400;font-size:12px">{escape(name)}</th>' for name in head)
    lines = "".join("<tr>" + "".join(f'<td style="{CELL}">{cell}</td>' for cell in row) + "</tr>" for row in rows)
    return (f'<table style="border-collapse:collapse;border:0;margin:0;background:{PAPER}">'
            + (f"<tr>{titles}</tr>" if head else "") + lines + "</table>")


def columns(*bodies):
    """HTML blocks beside each other, wrapping on narrow pages."""
    inner = "".join(f"<div>{body}</div>" for body in bodies)
    return f'<div style="display:flex;flex-wrap:wrap;gap:8px 28px">{inner}</div>'


def bar(length, shown, mark=False):
    """One horizontal bar of `length` pixels with its number as text; `mark` draws it in the accent colour."""
    fill, edge = ("#fbe3c0", ACCENT) if mark else TINTS[0]
    return span("", f"display:inline-block;width:{round(length)}px;height:13px;background:{fill};"
                    f"border:1px solid {edge};vertical-align:middle") + " " + mono(shown, 12)


def bars(rows, marks=(), width=220):
    """Horizontal bars with their numbers.

    rows: list of (name, int); marks: indexes to draw in the accent colour; width: of the longest, in pixels.
    """
    top = max((value for _, value in rows), default=0) or 1
    return table([[f'<div style="text-align:right">{mono(name, 13)}</div>', bar(width * value / top, f"{value:,}", n in marks)]
                  for n, (name, value) in enumerate(rows)])


def problem(error):
    """An error as a card: what a view shows when it cannot draw, so that nobody meets a traceback."""
    kind = type(error).__name__
    return Html(card("This does not work", mono(error, 13, BAD, wrap=True), kind), plain=f"{kind}: {error}")
