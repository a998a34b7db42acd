"""All segmentations of a word as a lattice, and what a round of EM counts (lesson 5)."""
from .. import unigram
from ..errors import need_text
from .base import ACCENT, INK, LINE, MONO, MUTED, bar, block, box, card, columns, count, escape, first, label, mono, notes, short, small, strip, table

LETTERS, WAYS, ROWS = 14, 8, 7          # characters of a word, segmentations that are listed, rows of a column


def lattice_state(word, p):
    """Every segmentation of a word with its share, and every arc with how much of the probability runs over it.

    p: dict piece -> probability. Of a long word the first LETTERS characters are taken.
    Returns dict: word, rest (a note), total (the word's probability), best (its likeliest segmentation), ways (list of
    (pieces, probability, share of the total), the likeliest first), arcs (dict (start, end) -> share).
    Raises ValueError if nothing covers the word.
    """
    shown, rest = first(need_text(word, "word"), LETTERS, "characters")
    ways, total = unigram.segmentations(shown, p), unigram.marginal(shown, p)
    arcs = {}
    for pieces, probability in ways:
        end = 0
        for piece in pieces:
            start, end = end, end + len(piece)
            arcs[start, end] = arcs.get((start, end), 0) + probability / total
    return {"word": shown, "rest": rest, "total": total, "best": unigram.viterbi(shown, p)[0], "arcs": arcs,
            "ways": [(pieces, probability, probability / total) for pieces, probability in ways]}


def lattice_card(word, p=None):
    """The segmentations of a word as a lattice, and the likeliest of them with their shares. For lesson 5.

    word: str, or what `lattice_state` returns. p: dict piece -> probability. Raises ValueError as `lattice_state` does.

    >>> lattice_card("hug", {"h": .5, "u": .25, "g": .5, "ug": .25})
    hug: 2 segmentations, the best is h·ug with 66.7 % of 0.188
    """
    state = word if p is None else lattice_state(word, p)
    best, rows = state["best"], []
    for pieces, probability, share in sorted(state["ways"], key=lambda way: way[0] != best)[:WAYS]:
        own = pieces == best
        rows.append([small("▸ best" if own else "", INK, wrap=False), strip(pieces, hues=[own] * len(pieces)),
                     mono(f"{probability:.3g}", 12), bar(180 * share, percent(share), own)])
    body = _drawn(state) + block("segmentations, the product of their probabilities, and their share of the total", table(rows))
    top = next(share for pieces, _, share in state["ways"] if pieces == best)
    return card(f"{short(state['word'])}: {count(len(state['ways']), 'segmentation')}, the best is {'·'.join(map(label, best))} "
                f"with {percent(top)} of {state['total']:.3g}", body,
                notes("solid: the best way; dashed: the others, the wider the likelier; % is the share of the ways that use a piece",
                      first(state["ways"], WAYS, "segmentations")[1], state["rest"]))


def percent(share):
    return f"{100 * share:.1f} %"


def _drawn(state):
    """The lattice as SVG: a circle between each two letters, an arc for each piece."""
    word, step = state["word"], min(130, 620 // max(1, len(state["word"])))
    base, end, best = 26 + 34 * max([1, *(b - a for a, b in state["arcs"])]), 0, set()
    for piece in state["best"]:
        best.add((end, end + len(piece)))
        end += len(piece)
    lines, words = "", ""
    for (a, b), share in sorted(state["arcs"].items(), key=lambda arc: (arc[0] in best, arc[0])):
        style, high, middle = (f'stroke="{ACCENT}"', 34 * (b - a - 1), 20 + step * (a + b) / 2) if (a, b) in best else (
            f'stroke="{MUTED}" stroke-dasharray="5 4"', 34 * (b - a - 1), 20 + step * (a + b) / 2)
        lines += (f'<path d="M{20 + step * a} {base}Q{middle} {base - 2 * high} {20 + step * b} {base}" fill="none" {style} '
                  f'stroke-width="{1 + 4 * share:.1f}"/>')
        name = escape(label(word[a:b])) + " " if b - a > 1 else ""
        words += (f'<text x="{middle}" y="{base - high - 6}" font-weight="{700 if (a, b) in best else 400}">{name}'
                  f'{percent(share)}</text>')
    for n in range(len(word) + 1):
        lines += f'<circle cx="{20 + step * n}" cy="{base}" r="5" fill="{LINE}" stroke="{INK}"/>'
        words += f'<text x="{20 + step * (n + .5)}" y="{base + 22}" font-size="16">{escape(label(word[n:n + 1]))}</text>'
    return (f'<svg width="{step * len(word) + 40}" height="{base + 34}" style="max-width:100%;height:auto" role="img" '
            f'viewBox="0 0 {step * len(word) + 40} {base + 34}" aria-label="{escape(word)} as a lattice of its pieces">{lines}'
            f'<g text-anchor="middle" font-size="12" font-family="{MONO}" fill="{INK}" stroke="#fff" stroke-width="4" '
            f'paint-order="stroke">{words}</g></svg>')


def counts_card(state, words):
    """What a round of EM counts in a corpus: each piece's expected count, beside how often it occurs as a substring. For lesson 5.

    state: unigram.Round. words: dict word -> count, the corpus.

    >>> counts_card(unigram.em({"ab": 3}, {"a": .5, "b": .25, "ab": .25}, 0)[0], {"ab": 3})
    Round 0: the log-likelihood is −2.94
    """
    most, rows = max(state.expected), []
    for piece, expected, probability in zip(state.pieces, state.expected, state.probabilities):
        found = sum(times * word.startswith(piece, i) for word, times in words.items() for i in range(len(word)))
        rows.append([box(piece), mono(f"{found:,}", 12), bar(90 * expected / most, f"{expected:.2f}"), mono(f"{probability:.3f}", 12)])
    parts = [table(rows[i:i + ROWS], ["piece", "substring", "expected count", "P"]) for i in range(0, len(rows), ROWS)]
    letters = sum(expected * len(piece) for piece, expected in zip(state.pieces, state.expected))
    return card(f"Round {state.number}: the log-likelihood is {signed(state.log_likelihood)}", columns(*parts),
                f"substring: how often the piece stands in the words, whoever else uses the letters; P: its probability in this round; "
                f"the expected counts times their lengths make {letters:.2f} characters, as many as the corpus has")


def signed(number):
    """A number with two decimals, and a minus sign that is one."""
    return f"{number:,.2f}".replace("-", "−")
