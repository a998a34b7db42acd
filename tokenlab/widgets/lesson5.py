"""Explorers of lesson 5: the lattice, the EM scrubber, the saddle."""
from .. import unigram
from ..figures import Convergence, convergence
from ..views import Html, counts_card, lattice_card, lattice_state
from .explorer import Explorer, menu, player, samples, slider, text_box

WORDS = ["hug", "hugs", "pug", "pun", "bun"]
COUNTS = {piece: sum(word.count(piece) for word in WORDS) for piece in [*"hugpbns", "hu", "ug", "pu", "un", "bu", *WORDS]}
SUM, MOST = sum(COUNTS.values()), 10        # 32, and where a slider ends: three of them leave something for the others
STARTS = {"nothing": 0, "+0.000001": 1e-6, "−0.000001": -1e-6, "+0.001": 1e-3, "−0.001": -1e-3}


def lattice():
    """Change the probabilities of three pieces, and see the shares of all segmentations of a word. For lesson 5, widget 12.

    Returns an Explorer with the controls word, and hug, ug, s: their probabilities in 32nds. The other pieces share the
    rest, in proportion to their counts.
    """
    word = text_box("word", "hugs")
    sliders = {piece: slider(f"p({piece}) in 32nds", COUNTS[piece], 0, MOST) for piece in ("hug", "ug", "s")}

    def state(word, **moved):
        scale = (SUM - sum(moved.values())) / (SUM - sum(COUNTS[piece] for piece in moved))
        return lattice_state(word, {piece: moved.get(piece, n * scale) / SUM for piece, n in COUNTS.items()})

    rows = [[word, *samples(word, dict(zip(WORDS, WORDS)))], *([each] for each in sliders.values())]
    return Explorer(state, lattice_card, {"word": word, **sliders}, rows)


def em_scrubber(words, history):
    """Scrub through the rounds of EM: expected counts beside substring counts, probabilities, log-likelihood. For lesson 5, widget 13.

    words: dict word -> count, the corpus. history: what `unigram.em` returned for it, of at least two rounds.
    Returns an Explorer with the control k, the round. Nothing is computed anew here.
    """
    drawn, last = Convergence(history), len(history) - 1
    done = slider("round", 0, 0, last)

    def show(k):
        counts = counts_card(history[k], words)
        return Html(drawn.at(k).html() + counts, plain=counts.plain)

    return Explorer(lambda k: k, show, {"k": done}, [[player(done), done]])


def fallen(start):
    """The history of EM on the word abc, from probabilities of which `start` moved something from bc to ab."""
    return unigram.em({"abc": 1}, {"a": .25, "c": .25, "ab": .25 + STARTS[start], "bc": .25 - STARTS[start]}, 30)


def saddle():
    """Start EM beside a place where it stands still, and see it fall to one side or the other. For lesson 5, widget 14.

    Returns an Explorer with the control start: what is added to p(ab) and taken from p(bc).
    """
    return Explorer(fallen, convergence, {"start": menu("move from p(bc) to p(ab)", STARTS, "+0.000001")})
