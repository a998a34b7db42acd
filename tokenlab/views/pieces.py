"""Unigram: the ways to cut a word as a lattice, what a round of EM counts (lesson 5), and what pruning costs (lesson 6)."""
from itertools import accumulate, pairwise
from typing import NamedTuple

from .. import unigram
from ..errors import need_text
from ..unigram.em import log
from ..unigram.lattice import lattices
from . import base
from .base import INK, bar, box, card, columns, escape, mono, shows, small, strip, table
from .writing import counted, first, label, notes, number, percent, short, signed

LETTERS, WAYS, ROWS = 9, 8, 7           # characters of a word, segmentations that are listed, rows of a column
BEND, WORDS = 40, 6                     # pixels that an arc rises for each letter after the first, words that are listed


def bounds(pieces):
    """Where each of the pieces of a word starts and ends: a list of (start, end)."""
    return [*pairwise(accumulate(map(len, pieces), initial=0))]


def lattice_state(word, p):
    """Every segmentation of a word with its share, and every arc with how much of the probability runs over it.

    p: dict piece -> probability. Of a long word the first LETTERS characters are taken.
    Returns dict: word, rest (a note), total (the word's probability), best (its likeliest segmentation), ways (list of
    (pieces, probability, share of the total), the best first), arcs (dict (start, end) -> share).
    Raises ValueError if nothing covers the word.
    """
    shown, rest = first(need_text(word, "word"), LETTERS, "characters")
    best, total, arcs = unigram.viterbi(shown, p)[0], unigram.marginal(shown, p), {}
    ways = [(pieces, q, q / total) for pieces, q in unigram.segmentations(shown, p)]
    for pieces, _, share in ways:
        for span in bounds(pieces):
            arcs[span] = arcs.get(span, 0) + share
    return {"word": shown, "rest": rest, "total": total, "best": best, "ways": sorted(ways, key=lambda way: way[0] != best), "arcs": arcs}


@shows(lattice_state, "arcs")
def lattice_card(state):
    """The segmentations of a word as a lattice, and the likeliest of them with their shares. For lesson 5.

    word: str, or what `lattice_state` returns. p: dict piece -> probability. Raises ValueError as `lattice_state` does.

    >>> lattice_card("hug", {"h": .5, "u": .25, "g": .5, "ug": .25})
    hug: 2 segmentations, the best is h + ug with 66.7 % of 0.188
    """
    ways, best = state["ways"], state["best"]
    rows = [[small("▸ best" if pieces == best else "", INK, wrap=False), strip(pieces, hues=[pieces == best] * len(pieces)),
             mono(f"{q:.3g}", 12), bar(180 * share, percent(share), pieces == best)] for pieces, q, share in ways[:WAYS]]
    return card(f"{short(state['word'])}: {counted(len(ways), 'segmentation')}, the best is {' + '.join(map(label, best)) or '(nothing)'} "
                f"with {percent(ways[0][2])} of {state['total']:.3g}",
                _drawn(state) + table(rows, ["", "segmentation", "probability", "share of the word's probability"]),
                notes("solid arcs: the best way; an arc is the wider, the more of the probability runs over it (%)",
                      first(ways, WAYS, "segmentations")[1], state["rest"]))


def _drawn(state):
    """The lattice as SVG: a circle at each place where a piece may begin or end, an arc for each piece, those of the best way solid."""
    word, best, lines, words = state["word"], bounds(state["best"]), "", ""
    step = min(130, 620 // max(1, len(word)))
    width, floor = step * len(word) + 40, 24 + BEND * max((b - a for a, b in state["arcs"]), default=1)
    for (a, b), share in sorted(state["arcs"].items(), key=lambda arc: (arc[0] in best, arc[0])):
        solid, high, middle = (a, b) in best, BEND * (b - a - 1), 20 + step * (a + b) / 2
        lines += (f'<path d="M{20 + step * a} {floor}Q{middle} {floor - 2 * high} {20 + step * b} {floor}" fill="none" '
                  f'stroke-width="{1 + 4 * share:.1f}" stroke="{base.ACCENT if solid else base.MUTED}" stroke-dasharray="{"none" if solid else "5 4"}"/>')
        words += (f'<text x="{middle}" y="{floor - high - 7}" font-weight="{700 if solid else 400}">'
                  f'{escape(label(word[a:b])) if b - a > 1 else ""} {percent(share)}</text>')
    for n in range(len(word) + 1):
        lines += f'<circle cx="{20 + step * n}" cy="{floor}" r="5" fill="{base.LINE}" stroke="{INK}"/>'
        words += f'<text x="{20 + step * (n + .5)}" y="{floor + 22}" font-size="16">{escape(label(word[n:n + 1]))}</text>'
    arcs = ", ".join(f"{label(word[a:b])} {percent(share)}" for (a, b), share in sorted(state["arcs"].items()))
    return (f'<svg viewBox="0 0 {width} {floor + 34}" width="{width}" style="max-width:100%;height:auto" role="img" '
            f'aria-label="Pieces of {escape(label(word))} as arcs, with their shares: {escape(arcs)}">{lines}<g text-anchor="middle" '
            f'font-size="12" font-family="{base.MONO}" fill="{INK}" stroke="#fff" stroke-width="4" paint-order="stroke">{words}</g></svg>')


def counts_card(state, words):
    """What a round of EM counts in a corpus: each piece's expected count, beside how often it occurs as a substring. For lesson 5.

    state: unigram.Round. words: dict word -> count, the corpus.

    >>> counts_card(unigram.em({"ab": 3}, {"a": .5, "b": .25, "ab": .25}, 0)[0], {"ab": 3})
    Round 0: the log-likelihood is −2.94
    """
    rows, letters, most = [], 0, max(state.expected)
    for piece, expected, probability in zip(state.pieces, state.expected, state.probabilities):
        found = sum(times * word.startswith(piece, i) for word, times in words.items() for i in range(len(word)))
        letters += expected * len(piece)
        rows.append([box(piece), mono(f"{found:,}", 12), bar(90 * expected / most, f"{expected:.2f}"), mono(f"{probability:.3f}", 12)])
    parts = [table(rows[i:i + ROWS], ["piece", "substring", "expected count", "p"]) for i in range(0, len(rows), ROWS)]
    return card(f"Round {state.number}: the log-likelihood is {signed(state.log_likelihood)}", columns(*parts),
                f"substring: how often the piece stands in the words, whoever else takes its letters; p: its probability in this round; "
                f"expected counts times lengths add up to {letters:.2f} characters")


class Refit(NamedTuple):
    """A vocabulary after some EM: its probabilities, the log-likelihood in nats, and the pieces that a word takes."""
    p: dict[str, float]
    log_likelihood: float
    per_word: float


def refit(words, p, rounds=2):
    """The Refit after `rounds` of plain EM. words: dict word -> count; p: dict piece -> probability. For lesson 6.

    >>> refit({"ab": 3}, {"a": .25, "b": .25, "ab": .5}, 9).per_word
    1.0
    """
    last = unigram.em(words, p, rounds)[-1]
    _, used = lattices(words, last.p).count(log(last.probabilities), best=True)
    return Refit(last.p, last.log_likelihood, float(used.sum()) / sum(words.values()))


def prune_steps(words, p, keep, sizes):
    """Prune in rounds that keep a share of the pieces, down to each of `sizes`: a dict size -> list of Refits. For lesson 6.

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

    steps, once: lists of Refits, as `prune_steps` gives them for one size.

    >>> steps = prune_steps({"ab": 4, "ba": 1}, {"a": .25, "b": .25, "ab": .375, "ba": .125}, 0, [3])[3]
    >>> rounds_card(steps, steps)
    3 pieces: log-likelihood −5.01 after 1 cut, −5.01 at once
    """
    rows = [(f"cut {n}" if n else "start", step) for n, step in enumerate(steps)] + [("at once", once[-1])]
    most = len(steps[0].p)
    return card(f"{counted(len(steps[-1].p), 'piece')}: log-likelihood {signed(steps[-1].log_likelihood)} after {counted(len(steps) - 1, 'cut')}, "
                f"{signed(once[-1].log_likelihood)} at once",
                table([[small(name, INK, wrap=False), bar(150 * len(step.p) / most, f"{len(step.p):,}", name == "at once"),
                        mono(signed(step.log_likelihood), 12), mono(f"{step.per_word:.3f}", 12)] for name, step in rows],
                      ["", "pieces", "log-likelihood", "pieces per word"]), "two rounds of EM after each cut")


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
    return card(f"Without {label(piece)}, {counted(len(found), 'word')} {'is' if len(found) == 1 else 'are'} written otherwise",
                columns(table(rows, ["count", "with it", "without"]), numbers), note)
