"""Explorers of lesson 1: the byte inspector, the four rulers, the byte eraser."""
from ..errors import need_text
from ..views import bytes_card, cut, cut_card, inspect, rulers, rulers_card
from .explorer import Explorer, reach, samples, slider, text_box

FAMILY = "👨‍👩‍👧‍👦"
SAMPLES = {"A": "A", "é": "é", "e + accent": "e\u0301", "안": "안", "😉": "😉", "family": FAMILY, "flag": "🇰🇷"}
SENTENCES = {"Café": "Café, 안녕 😉", "Greek": "Καλημέρα", "ASCII": "plain ASCII", "family": FAMILY}


def byte_inspector(text="é"):
    """Type or pick a text and see its graphemes, code points and bytes in binary. For lesson 1, widget 1.

    text: str, what the text box holds at first. Returns an Explorer with the control text.
    Raises TypeError or ValueError for what is not text.
    """
    box = text_box("text", need_text(text))
    return Explorer(inspect, bytes_card, {"text": box}, [[box], samples(box, SAMPLES)])


def four_rulers(text=FAMILY):
    """Type or pick a text and see its length in graphemes, code points, UTF-16 units and bytes. For lesson 1, widget 2.

    text: str, what the text box holds at first. Returns an Explorer with the control text.
    Raises TypeError or ValueError for what is not text.
    """
    box = text_box("text", need_text(text))
    return Explorer(rulers, rulers_card, {"text": box}, [[box], samples(box, SAMPLES)])


def byte_eraser(text=SENTENCES["Café"]):
    """Cut the bytes of a text at any place and see what a decoder makes of the rest. For lesson 1, widget 3.

    text: str, what the text box holds at first. All but one of its bytes are kept at first, as for each new text.
    Returns an Explorer with the controls text and n. Raises TypeError or ValueError for what is not text.
    """
    box, keep = text_box("text", need_text(text)), slider("bytes kept", 0, 0, 1)

    def adjust(name):
        if name != "n":
            size = len(box.value.encode("utf-8", "surrogatepass"))
            reach(keep, size)
            keep.value = max(0, size - 1)

    return Explorer(cut, cut_card, {"text": box, "n": keep}, [[box], samples(box, SENTENCES), [keep]], adjust)
