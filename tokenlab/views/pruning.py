"""What pruning costs: the words that must be written otherwise without a piece, and a vocabulary round by round (lesson 6)."""
from typing import NamedTuple

from .. import unigram
from ..unigram.em import log
from ..unigram.lattice import lattices
from .base import INK, bar, card, columns, count, first, label, mono, small, strip, table
from .lattice import signed

WORDS = 6               # words that are listed


class Step(NamedTuple):
    """A vocabulary after some EM: its probabilities, the log-likelihood in nats, and the pieces that a word takes."""
    p: dict[str, float]
    log_likelihood: float
    per_word: float


def refit(words, p, rounds=2):
    """The Step after `rounds` of plain EM. words: dict word -> count; p: dict piece -> probability. For lesson 6.

    >>> refit({"ab": 3}, {"a": .25, "b": .25, "ab": .5}, 9).per_word
    1.0
    """
    last = unigram.em(words, p, rounds)[-1]
    _, used = lattices(words, last.p).count(log(last.probabilities), best=True)
    return Step(last.p, last.log_likelihood, float(used.sum()) / sum(words.values()))


def prune_steps(words, p, keep, sizes):
    """Prune in rounds that keep a share of the pieces, down to each of `sizes`: a dict size -> list of Steps. For lesson 6.

    keep: the share, below 1; 0 cuts at once. Two rounds of EM come before each cut and after the last.
    Raises ValueError as `unigram.prune` does.
    """
    steps, found = [refit(words, p)], {}
    for size in sorted(sizes, reverse=True):
        while (smaller := int(keep * len(steps[-1].p))) > size:
            steps.append(refit(words, unigram.prune(words, steps[-1].p, smaller)))
        found[size] = [*steps, refit(words, unigram.prune(words, steps[-1].p, size))]
    return found


def rounds_card(steps, once):
    """A vocabulary after each round of pruning, and the one that is cut to the same size at once. For lesson 6.

    steps, once: lists of Steps, as `prune_steps` gives them for one size.

    >>> steps = prune_steps({"ab": 4, "ba": 1}, {"a": .25, "b": .25, "ab": .375, "ba": .125}, 0, [3])[3]
    >>> rounds_card(steps, steps)
    3 pieces: log-likelihood −5.01 after 1 cut, −5.01 at once
    """
    rows = [(f"cut {n}" if n else "start", step) for n, step in enumerate(steps)] + [("at once", once[-1])]
    most = len(steps[0].p)
    return card(f"{count(len(steps[-1].p), 'piece')}: log-likelihood {signed(steps[-1].log_likelihood)} after {count(len(steps) - 1, 'cut')}, "
                f"{signed(once[-1].log_likelihood)} at once",
                table([[small(name, INK, wrap=False), bar(150 * len(step.p) / most, f"{len(step.p):,}", name == "at once"),
                        mono(signed(step.log_likelihood), 12), mono(f"{step.per_word:.3f}", 12)] for name, step in rows],
                      ["", "pieces", "log-likelihood", "pieces per word"]), "two rounds of EM after each cut")


def number(value):
    """A loss with one decimal, a count with none.

    >>> number(12), number(3.14)
    ('12', '3.1')
    """
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def loss_card(words, p, piece, costs):
    """How words are written with a piece and without it, and what each measure says that it is worth. For lesson 6.

    words, p: as in `unigram.losses`. costs: dict measure -> dict piece -> number.
    Raises ValueError if a word cannot be written without the piece.

    >>> loss_card({"hug": 3}, {"h": .25, "ug": .25, "hug": .5}, "hug", {"viterbi": {"hug": 6.24}})
    Without hug, 1 word is written otherwise
    """
    rest = {other: value for other, value in p.items() if other != piece}
    found = [(n, unigram.viterbi(word, p)[0], word) for word, n in words.items() if piece in word]
    found = sorted((one for one in found if piece in one[1]), key=lambda one: -one[0])
    shown, note = first(found, WORDS, "words")
    rows = [[mono(f"{n:,} ×", 12), strip(cut, hues=[part == piece for part in cut]), strip(without, hues=[2 * (part not in cut) for part in without])]
            for n, cut, word in shown for without in [unigram.viterbi(word, rest)[0]]]
    numbers = table([[small(name, INK, wrap=False), mono(number(cost[piece]), 12)] for name, cost in costs.items()], ["measure", ""])
    return card(f"Without {label(piece)}, {count(len(found), 'word')} {'is' if len(found) == 1 else 'are'} written otherwise",
                columns(table(rows, ["count", "with it", "without"]), numbers), note)
