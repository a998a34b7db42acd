"""Explorers of lesson 4: the encode stepper, replay or longest, decoding drop by drop."""
import ipywidgets

from .. import pretrained
from ..errors import choose, need_text, short
from ..views import contest, contest_card, encode_card, encode_state, stream_card, stream_state
from .explorer import Explorer, menu, reach, samples, slider, text_box
from .lesson0 import NAMES

WORDS = {"unbelievable": "unbelievable", "hedgehogs": "hedgehogs", "two words": "two hedgehogs", "🚕": "🚕", "Korean": "안녕"}
MERGES = {"b+c first": "b+c a+b", "a+b first": "a+b b+c", "with abc": "b+c a+b a+bc", "five merges": "c+a b+ca b+c a+bc a+b"}
SENTENCES = {"Korean": "Café 안😉!", "taxis": "Two 🚕🚕", "Hindi": "नमस्ते"}
LETTERS = 24                    # of a text for the contest


def encode_stepper(text="unbelievable", tokenizer="gpt2"):
    """Follow a real tokenizer as it joins the bytes of a text, merge by merge. For lesson 4, widget 9.

    text: str, what the text box holds at first, with a blank before it; tokenizer: one of NAMES. All joins are done at
    first, as for each new text. Returns an Explorer with the controls text, blank, tokenizer and k (joins done).
    Raises ValueError for an unknown tokenizer, TypeError or ValueError for what is not text.
    """
    box, before = text_box("text", need_text(text)), ipywidgets.Checkbox(value=True, description="blank before it", indent=False)
    pick, done = menu("tokenizer", NAMES, choose(tokenizer, NAMES, "tokenizer")), slider("joins done", 0, 0, 1)

    def state(text, blank, tokenizer, k):
        return encode_state(pretrained.load(tokenizer), " " * blank + text, k)

    def adjust(name):
        if name != "k":
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


def drop_by_drop(text=SENTENCES["Korean"], tokenizer="gpt2"):
    """Let the ids of a text arrive one by one: each decoded alone, beside a decoder that waits. For lesson 4, widget 11.

    text: str, what the text box holds at first; tokenizer: one of NAMES. At first, and for each new text, five ids have
    arrived, or all but one. Returns an Explorer with the controls text, tokenizer and k (ids arrived).
    Raises ValueError for an unknown tokenizer, TypeError or ValueError for what is not text.
    """
    box, arrived = text_box("text", need_text(text)), slider("ids arrived", 0, 0, 1)
    pick = menu("tokenizer", NAMES, choose(tokenizer, NAMES, "tokenizer"))

    def state(text, tokenizer, k):
        return stream_state(pretrained.load(tokenizer), text, k)

    def adjust(name):
        if name != "k":
            reach(arrived, state(box.value, pick.value, 0)["size"])
            arrived.value = min(5, arrived.max - 1)

    controls = {"text": box, "tokenizer": pick, "k": arrived}
    return Explorer(state, stream_card, controls, [[box], samples(box, SENTENCES), [pick], [arrived]], adjust)
