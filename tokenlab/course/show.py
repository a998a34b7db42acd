"""How the course shows things: a card, and beside it the stored twin that reads without a running kernel."""
import re

from ..views import base

WIDGET = "application/vnd.jupyter.widget-view+json"
CODE = f"font:13px {base.MONO};background:#f1f3f5;color:{base.INK};border-radius:4px;padding:1px 4px;white-space:pre-wrap"


class Shown:
    """Something that a cell shows: live where it has a `box` of widgets, else as `html()`; `repr` stands for both.

    A stored notebook keeps the HTML and the text, so neither may depend on the machine.
    """
    box = None

    def _repr_mimebundle_(self, include=None, exclude=None):
        data = {"text/plain": repr(self), "text/html": str(self.html())}
        if self.box is not None:
            data[WIDGET] = {"version_major": 2, "version_minor": 0, "model_id": self.box.model_id}
        return data, {}


def widgets():
    """The module ipywidgets, or None where it is missing: then the stored twin is all there is."""
    try:
        import ipywidgets
    except ImportError:
        return None
    return ipywidgets


def inline(words):
    """Return words as HTML; what stands between backticks becomes code.

    >>> inline("1 < 2")
    '1 &lt; 2'
    >>> "<code" in inline("the pair `a`")
    True
    """
    return re.sub("`([^`]+)`", rf'<code style="{CODE}">\1</code>', base.escape(words))


def plain(words):
    """Return words without their backticks, for places that show text only."""
    return words.replace("`", "")


def fill(words, places):
    """Put values into the {places} of `words`; numbers get thousands separators, other braces stay as they are.

    >>> fill("You said {guess}; {(1, 2): 256} stays.", {"guess": 1234})
    'You said 1,234; {(1, 2): 256} stays.'
    """
    def value(match):
        found = places.get(match[1], match[0])
        return f"{found:,}" if isinstance(found, (int, float)) else str(found)
    return re.sub(r"\{(\w+)\}", value, words)


def verdict(mark, words, body="", good=None):
    """A card whose title begins with a mark and a word in the colour of the verdict; the mark says it without colour."""
    color = {True: base.GOOD, False: base.BAD, None: base.MUTED}[good]
    title = base.escape(f"{mark} {words}")
    return base.card(f"{mark} {words}", body).replace(title, f'<span style="color:{color}">{title}</span>', 1)


def row(name, value):
    """A muted name, and beside it a value in the fixed-width face, which wraps where it is long."""
    face = f"font:13px/1.6 {base.MONO};white-space:pre-wrap;overflow-wrap:anywhere;min-width:0;unicode-bidi:isolate"
    return (f'<div style="display:flex;gap:12px"><div style="flex:0 0 60px">{base.small(name)}</div> '
            f'<div style="{face}">{base.escape(value)}</div></div>')


def details(summary, body):
    """A folded part: `summary` (text) shows, `body` (HTML) only after a click."""
    return f'<details><summary style="cursor:pointer">{base.escape(summary)}</summary>{body}</details>'
