"""Explorers of lesson 4: the encode stepper, replay or longest, decoding drop by drop."""
import ipywidgets

from .. import pretrained
from ..errors import choose, need_text, short
from ..views import contest, contest_card, encode_card, encode_state, stream_card, stream_state
from .explorer import Explorer, menu, reach, samples, slider, text_box
from .lesson0 import NAMES

WORDS = {"unbelievable": "unbelievable", "hedgehogs": "hedgehogs", "two words": "two hedgehogs", "🚕": "🚕", "Korean": "안녕"}
MERGES = {"bc first": "b+c a+b", "ab first": "a+b b+c", "and abc": "b+c a+b a+bc", "five merges": "c+a b+ca b+c a+bc a+b"}
SENTENCES = {"Korean": "Café 안😉!", "flag": "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", "Hindi": "नमस्ते"}
LETTERS = 24                    # of a text for the contest


def encode_stepper(text="unbelievable", blank=True, tokenizer="gpt2", k=None):
    """Follow a real tokenizer as it joins the bytes of a text, merge by merge. For lesson 4, widget 9.

    text: str, what the text box holds at first; blank: whether a blank is put before it; tokenizer: one of
    pretrained.names() that works on bytes; k: joins done at first (all by default, as for each new text).
    Returns an Explorer with the controls text, blank, tokenizer and k. Raises ValueError for an unknown tokenizer.
    """
    box, before = text_box("text", need_text(text)), ipywidgets.Checkbox(value=blank, description="blank before it", indent=False)
    pick = menu("tokenizer", NAMES, choose(tokenizer, NAMES, "tokenizer"))

    def state(text, blank, tokenizer, k):
        return encode_state(pretrained.load(tokenizer), " " * blank + text, k)

    size = len(state(text, blank, tokenizer, 0)["steps"])
    done = slider("joins done", size if k is None else min(max(0, k), size), 0, size)

    def adjust(name):
        if name and name != "k":
            reach(done, len(state(box.value, before.value, pick.value, 0)["steps"]))
            done.value = done.max

    controls = {"text": box, "blank": before, "tokenizer": pick, "k": done}
    return Explorer(state, encode_card, controls, [[box, before], samples(box, WORDS), [pick], [done]], adjust)


def read_merges(written):
    """Return merges written as `b+c a+bc`, as a list of pairs of bytes; raises ValueError for what cannot be a merge.

    >>> read_merges("b+c a+bc")
    [(b'b', b'c'), (b'a', b'bc')]
    """
    merges, known = [], {"a", "b", "c"}
    for part in written.replace(",", " ").split():
        left, _, right = part.partition("+")
        if not {left, right} <= known:
            raise ValueError(f"{short(part)} is no merge here: write left+right, as in b+c. Each side is a, b, c, or what a "
                             f"merge before it has made")
        merges.append((left.encode(), right.encode()))
        known.add(left + right)
    return merges


def replay_or_longest(text="abc", merges="b+c a+b"):
    """One text by rank order, longest match and leftmost pair, with merges of your own. For lesson 4, widget 10.

    text: at most LETTERS letters a, b, c; merges: pairs in the order of their ranks, written as in "b+c a+b".
    Returns an Explorer with the controls text and merges. Raises ValueError for other letters, and for what is no merge.
    """
    box, order = text_box("text of a, b, c", need_text(text)), text_box("merges, the first learned first", need_text(merges))

    def state(text, merges):
        if set(text) - set("abc") or len(text) > LETTERS:
            raise ValueError(f"the text may hold up to {LETTERS} letters, each a, b or c, and is {short(text)}")
        return contest(text, read_merges(merges))

    return Explorer(state, contest_card, {"text": box, "merges": order}, [[box], [order], samples(order, MERGES)])


def drop_by_drop(text=SENTENCES["Korean"], tokenizer="gpt2", k=None):
    """Let the ids of a text arrive one by one: each decoded alone, beside a decoder that waits. For lesson 4, widget 11.

    text: str, what the text box holds at first; tokenizer: one of pretrained.names() that works on bytes; k: ids that
    have arrived at first (all but one by default, as for each new text).
    Returns an Explorer with the controls text, tokenizer and k. Raises ValueError for an unknown tokenizer.
    """
    box, pick = text_box("text", need_text(text)), menu("tokenizer", NAMES, choose(tokenizer, NAMES, "tokenizer"))

    def state(text, tokenizer, k):
        return stream_state(pretrained.load(tokenizer), text, k)

    size = state(text, tokenizer, 0)["size"]
    here = slider("ids arrived", max(0, size - 1) if k is None else min(max(0, k), size), 0, size)

    def adjust(name):
        if name and name != "k":
            reach(here, state(box.value, pick.value, 0)["size"])
            here.value = here.max - 1

    return Explorer(state, stream_card, {"text": box, "tokenizer": pick, "k": here}, [[box], samples(box, SENTENCES), [pick], [here]], adjust)
