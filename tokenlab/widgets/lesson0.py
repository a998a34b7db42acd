"""The first taste of the start page: one sentence, four real tokenizers."""
from .. import pretrained
from ..errors import need_text
from ..views import compare, compare_card
from .explorer import Explorer, reach, samples, slider, text_box

NAMES = ("gpt2", "cl100k_base", "o200k_base", "tekken")
TEXTS = {"a ride": "The ride of 2.5 km cost 8 dollars.", "hedgehogs": "Two unbelievable hedgehogs",
         "code": "for i in range(10):\n    print(i)", "Korean": "안녕하세요, 세계!", "emoji": "😉 🚕 👨‍👩‍👧‍👦"}


def first_taste(text=TEXTS["a ride"]):
    """The same sentence by four real tokenizers, with ids, and one token of each described. For lesson 00.

    text: str, what the text box holds at first. Returns an Explorer with the controls text and token.
    Raises TypeError or ValueError for what is not text.
    """
    need_text(text)
    toks = [pretrained.load(name) for name in NAMES]
    box, token = text_box("text", text, lines=2), slider("describe token", 1, 1, 2)

    def data(text, token):
        return compare(toks, text, token)

    def adjust(name):
        if name != "token":
            reach(token, max(len(row["ids"]) for row in data(box.value, 1)["rows"]))

    return Explorer(data, compare_card, {"text": box, "token": token}, [[box], samples(box, TEXTS), [token]], adjust)
