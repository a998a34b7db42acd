"""Explorers of lesson 8: spaces and ▁, the sampler."""
import math
from functools import cache

import ipywidgets

from .. import bpe, pretrained
from ..errors import choose, need_text, short, whole
from ..views import draws_card, draws_state, stages_card, stages_state
from .explorer import INITIAL, WIDE, Explorer, menu, samples, slider, text_box

TEXTS = {"two blanks": "two  hedgehogs ", "tab and newline": "if x:\n\treturn ½", "ﬁne": "ﬁne ２０２４ cafés", "taxi": "A 🚕 for me",
         "Japanese": "東京は日本の首都です。", "▁": "snake▁case"}
METHODS = {"Unigram, T5": None, "BPE-dropout, the paper's": "paper", "BPE-dropout, SentencePiece's": "sentencepiece"}
WORDS, DRAWS, LONGEST = ("hedgehogs", "tokens", "abab"), (10, 100, 1_000), 11          # LONGEST: symbols of a word, its blank among them


def spaces(text=TEXTS["two blanks"]):
    """Switch the settings of a SentencePiece model, and see a text after each stage and what comes back. For lesson 8, widget 19.

    text: str, what the text box holds at first. Returns an Explorer with the controls text, nfkc, collapse, prefix and fallback.
    Raises TypeError or ValueError for what is not text.
    """
    box = text_box("text", need_text(text), lines=2)
    names = {"nfkc": "character map", "collapse": "no extra blanks", "prefix": "dummy prefix", "fallback": "bytes instead of <unk>"}
    boxes = {name: ipywidgets.Checkbox(value=name != "fallback", description=says, indent=False,
                                       layout=ipywidgets.Layout(width="max-content", margin="2px 14px 2px 2px")) for name, says in names.items()}
    return Explorer(stages_state, stages_card, {"text": box, **boxes}, [[box], samples(box, TEXTS), [*boxes.values()]])


@cache
def ways_of(word):
    """All segmentations of a word by T5, each with the logarithm of its probability; and the merges of GPT-2 that can be used in it."""
    t5, data = pretrained.load("t5"), b" " + need_text(word, "word").encode()
    if max(len(t5.normalizer(word)), len(data)) > LONGEST:
        raise ValueError(f"{short(word)} is too long, for all its segmentations are listed: take at most {LONGEST - 1} letters, fewer if they are not ASCII")
    return t5.nbest(word, 2 ** LONGEST), data, [pair for pair in pretrained.load("gpt2").merges if b"".join(pair) in data]


def sampled(method, word, alpha, p, draws, seed):
    """What views.draws_state says of random segmentations of `word` by one of METHODS: by Unigram with `alpha`, by dropout with `p`."""
    ways, data, merges = ways_of(word)
    draws = whole(draws, "draws", 1, max(DRAWS))
    if rule := METHODS[choose(method, METHODS, "method")]:
        return draws_state(bpe.dropout_distribution(data, merges, p, rule), bpe.dropout(data, merges, p, rule, draws, seed))
    drawn = pretrained.load("t5").sample(word, alpha, draws, seed)          # first of all, for it checks alpha
    weights = [math.exp(alpha * (log - ways[0][1])) for _, log in ways]
    return draws_state([(pieces, weight / sum(weights)) for (pieces, _), weight in zip(ways, weights)], drawn)


def sampler(word=WORDS[0], method="Unigram, T5"):
    """Draw segmentations of a word at random, beside their exact chances. For lesson 8, widget 20.

    word: at most 10 letters; method: one of METHODS. Returns an Explorer with the controls method, word, alpha (for Unigram),
    p (for dropout), draws and seed. Raises ValueError for an unknown method and a word that is too long.
    """
    pick, box = menu("method", METHODS, choose(method, METHODS, "method")), text_box("word", word)
    alpha, p = (ipywidgets.FloatSlider(value=value, min=0, max=top, step=step, description=name, style=INITIAL, layout=WIDE)
                for name, value, top, step in (("α (Unigram)", 0.3, 2.0, 0.1), ("p (dropout)", 0.1, 1.0, 0.05)))
    controls = {"method": pick, "word": box, "alpha": alpha, "p": p, "draws": menu("draws", DRAWS, 100), "seed": slider("random seed", 0, 0, 20)}
    rows = [[pick, controls["draws"]], [box, *samples(box, {name: name for name in WORDS})], [alpha], [p], [controls["seed"]]]
    return Explorer(sampled, draws_card, controls, rows)
