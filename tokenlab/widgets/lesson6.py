"""Explorers of lesson 6: a measure against the exact loss, and pruning in rounds."""
from functools import cache, partial

from ..figures import PruneScatter
from ..views import Html, loss_card, prune_steps, rounds_card
from .explorer import Explorer, menu, slider

KEEP = {"50 %": 0.5, "75 %": 0.75, "90 %": 0.9}
SIZES = range(100, 401, 50)


def prune_scatter(words, p, costs):
    """Go through the pieces of a vocabulary: what a measure says, the exact loss, and how words change. For lesson 6, widget 15.

    words, p: as in `unigram.losses`. costs: dict measure -> dict piece -> number, computed before; one is "exact".
    Returns an Explorer with the controls measure and n, the place of a piece by its exact loss, from the least.
    """
    drawn, names = PruneScatter(costs), [name for name in costs if name != "exact"]

    @cache
    def card(n):
        return loss_card(words, p, drawn.pieces[n - 1], drawn.costs)

    def show(state):
        picture, changed = drawn.at(state["measure"], drawn.pieces[state["n"] - 1]), card(state["n"])
        return Html(picture.html() + changed, plain=f"{picture!r} {changed!r}")

    return Explorer(dict, show, {"measure": menu("measure", names, names[0]), "n": slider("piece, by exact loss", 1, 1, len(drawn.pieces))})


def prune_rounds(words, p):
    """Prune a vocabulary in rounds to a size, beside one cut to the same size. For lesson 6, widget 16.

    words, p: as in `unigram.losses`, with more than 400 pieces. Returns an Explorer with the controls keep, the share that a
    round keeps, and size. All sizes are computed when a share is chosen for the first time.
    """
    steps = cache(partial(prune_steps, words, p, sizes=SIZES))
    size = slider("pieces in the end", 200, SIZES[0], SIZES[-1])
    size.step = SIZES.step
    return Explorer(lambda keep, size: [steps(share)[size // SIZES.step * SIZES.step] for share in (KEEP[keep], 0)], lambda state: rounds_card(*state),
                    {"keep": menu("keep in each round", KEEP, "75 %"), "size": size})
