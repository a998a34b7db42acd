"""Explorers of lesson 5: the lattice, the EM scrubber, the saddle."""
from functools import lru_cache

import ipywidgets

from .. import unigram
from ..figures import Convergence
from ..views import Html, counts_card, lattice_card, lattice_state
from .explorer import Explorer, button, menu, slider, text_box

WORDS = "hug hugs pug pun bun".split()
PIECES = "h u g p b n s hu ug pu un bu hug hugs pug pun bun".split()
COUNTS = {piece: sum(piece == word[i:i + len(piece)] for word in WORDS for i in range(len(word))) for piece in PIECES}
MOVED, MOST = ("hug", "ug", "s"), 10        # pieces with a slider, and where it ends, in 32nds
STARTS = {"the middle": 0, "+0.000001": 1e-6, "−0.000001": -1e-6, "+0.001": 1e-3, "−0.001": -1e-3}
ROUNDS = 30


def rescaled(moved, counts=COUNTS):
    """Return probabilities that sum to 1: those in `moved` as they are, the others in proportion to their counts."""
    rest = sum(counts.values()) - sum(counts[piece] for piece in moved)
    return {piece: moved[piece] if piece in moved else n / rest * (1 - sum(moved.values())) for piece, n in counts.items()}


def lattice():
    """Change the probabilities of three pieces, and see the shares of all segmentations of a word. For lesson 5, widget 12.

    Returns an Explorer with the controls word, hug, ug and s (probabilities in 32nds). The other pieces share the rest.
    """
    word = text_box("word", "hugs")
    sliders = {piece: slider(f"P({piece}) in 32nds", COUNTS[piece], 0, MOST) for piece in MOVED}

    def state(word, **moved):
        return lattice_state(word, rescaled({piece: n / 32 for piece, n in moved.items()}))

    return Explorer(state, lattice_card, {"word": word, **sliders},
                    [[word, *(button(each, lambda each=each: setattr(word, "value", each)) for each in WORDS)], *([each] for each in sliders.values())])


def em_scrubber(words, history):
    """Scrub through the rounds of EM: expected counts beside substring counts, probabilities, log-likelihood. For lesson 5, widget 13.

    words: dict word -> count, the corpus. history: what `unigram.em` returned for it, of at least two rounds.
    Returns an Explorer with the control k, the round. Nothing is computed anew here.
    """
    drawn, last = Convergence(history), len(history) - 1
    done, play = slider("round", 0, 0, last), ipywidgets.Play(min=0, max=last, interval=700)

    def show(k):
        counts = counts_card(history[k], words)
        return Html(drawn.at(k).html() + counts, plain=counts.plain)

    explorer = Explorer(lambda k: k, show, {"k": done}, [[play, done]])
    ipywidgets.link((done, "value"), (play, "value"))       # here, after the drawing: in the page it would come before
    return explorer


@lru_cache
def fallen(start):
    """EM for the word abc, from `start` more for ab and less for bc: the picture of its history, and its last best segmentation."""
    history = unigram.em({"abc": 1}, {"a": .25, "c": .25, "ab": .25 + STARTS[start], "bc": .25 - STARTS[start]}, ROUNDS)
    left = history[-1].p["ab"], history[-1].p["bc"]
    climbed = next((state.number for state in history if state.log_likelihood > history[0].log_likelihood + .01), None)
    ends = "it never moves" if climbed is None else f"flat for {climbed - 1} rounds, then up to {'ab·c' if left[0] > left[1] else 'a·bc'}"
    return Convergence(history).at(title=f"P(ab) starts at 1/4 {start if climbed else ''}: {ends}")


def saddle():
    """Start EM beside a place where it stands still, and see it fall to one side or the other. For lesson 5, widget 14.

    Returns an Explorer with the control start: what is added to P(ab) and taken from P(bc).
    """
    return Explorer(fallen, lambda picture: picture, {"start": menu("added to P(ab)", STARTS, "+0.000001")})
