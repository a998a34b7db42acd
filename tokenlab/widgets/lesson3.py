"""Explorers of lesson 3: the fence chooser, fences off."""
import ipywidgets

from ..errors import choose, need_text
from ..pretokenize import PATTERNS
from ..views import fences_card, fences_state, merges_card, merges_state
from ..views.fences import MERGES, SAMPLES
from .explorer import Explorer, menu, reach, samples, slider, text_box

OWN = "own"
TEXTS = {"a bit of all": "I'LL pay  $12345 in camelCase!\n", "code": "if x==10:\n    getHTMLParser()", "curly ’": "don’t say “DON’T”",
         "e-mail": "to ann.lee@example.org, please", "Hindi": "नमस्ते दुनिया", "Chinese": "我在GitHub上写代码，很开心。", "Thai": "ภาษาไทยไม่มีช่องว่าง"}


def fence_chooser(text=TEXTS["a bit of all"], pattern="gpt2", own=r"\w+|[^\w\s]"):
    """Choose a pattern, or write one, and see which pieces it cuts, and what all the others do. For lesson 3, widget 7.

    text: str, what the text box holds at first. pattern: a name of pretokenize.PATTERNS, or "own". own: the pattern of
    one's own, a regular expression. Returns an Explorer with the controls pattern, own, text and piece.
    Raises ValueError for an unknown name; TypeError or ValueError for what is not text.
    """
    names = [*PATTERNS, OWN]
    pick, mine = menu("pattern", names, choose(pattern, names, "pattern")), text_box("own pattern", own)
    box, piece = text_box("text", need_text(text), lines=2), slider("describe piece", 1, 1, 2)

    def state(pattern, own, text, piece):
        return fences_state(text, own if pattern == OWN else pattern, piece, [name for name in PATTERNS if name != pattern])

    def adjust(name):
        if name == OWN:
            pick.value = OWN
        if name != "piece":
            reach(piece, len(state(pick.value, mine.value, box.value, 1)["pieces"]))

    return Explorer(state, fences_card, {"pattern": pick, OWN: mine, "text": box, "piece": piece},
                    [[pick, mine], [box], samples(box, TEXTS), [piece]], adjust)


def fences_off(corpus="dogs", fences=False, k=MERGES):
    """Take GPT-2's fences away and see which merges then cross a border. For lesson 3, widget 8.

    corpus: "dogs" or "Botchan". fences: whether they are up at first. k: merges done at first.
    Returns an Explorer with the controls corpus, fences and k. A corpus is trained on when it is chosen first; moving k
    reads the trace. Raises ValueError for an unknown corpus.
    """
    pick = menu("corpus", SAMPLES, choose(corpus, SAMPLES, "corpus"))
    up, done = ipywidgets.Checkbox(value=fences, description="fences on", indent=False), slider("merges", k, 0, MERGES)

    def adjust(name):
        if name in (None, "corpus"):
            reach(done, max(len(row["tokens"]) for row in merges_state(pick.value)["rows"].values()))
            done.value = min(k, done.max)

    return Explorer(merges_state, merges_card, {"corpus": pick, "fences": up, "k": done}, [[pick, up], [done]], adjust)
