"""How the course shows things: a card, and beside it the stored twin that reads without a running kernel."""
import re

import ipywidgets

from ..views import base
from ..widgets.explorer import live

# A choice that is too long for its line goes on below: the widget's own style gives each just one line.
WRAP = ("<style>.tokenlab-choices label {position: relative; height: auto !important; line-height: 20px !important; padding: 2px 0 2px 22px;"
        " white-space: normal} .tokenlab-choices input {position: absolute; top: 2px; left: 0; height: 20px !important}</style>")
CODE = f"font:13px {base.MONO};background:#f1f3f5;color:{base.INK};border-radius:4px;padding:1px 4px;white-space:pre-wrap"


class Shown:
    """Something that a cell shows: live where it has a `box` of widgets, else as `html()`; `repr` stands for both.

    A stored notebook keeps the HTML and the text, so neither may depend on the machine.
    """
    box = None

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": repr(self), "text/html": str(self.html()), **live(self.box)}, {}


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


def asked(title, words, note=""):
    """A question above its answer, as a widget; title, words, note: text."""
    return ipywidgets.HTML(WRAP + base.card(title, inline(words), note))


def radio(choices):
    """Radio buttons below what is `asked`, none of them chosen. choices: list of (words, value)."""
    made = ipywidgets.RadioButtons(options=[(plain(words), value) for words, value in choices], index=None,
                                   layout={"width": "max-content", "max_width": "100%"})
    return made.add_class("tokenlab-choices")


def listed(choices):
    """Choices as a list, for the stored twin."""
    return f'<ul style="margin:4px 0">{"".join(f"<li>{inline(choice)}</li>" for choice in choices)}</ul>' if choices else ""


def details(summary, body):
    """A folded part: `summary` (text) shows, `body` (HTML) only after a click."""
    return f'<details><summary style="cursor:pointer">{base.escape(summary)}</summary>{body}</details>'
