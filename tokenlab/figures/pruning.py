"""How well a cheap measure finds the pieces that are cheap to lose, and what a smaller vocabulary costs (lesson 6)."""
import math

from ..errors import choose
from ..views.base import label
from .base import INK, MUTED, SERIES, Layered, Picture, axes, dressed


def agreement(cost, exact):
    """Spearman's rank correlation of two measures of the same pieces, how many pieces their lowest quarters share, and of how many.

    cost, exact: dict piece -> number. For lesson 6.

    >>> agreement({"a": 1, "b": 9, "c": 4, "d": 8}, {"a": 10, "b": 11, "c": 12, "d": 13})
    (0.4, 1, 1)
    """
    import pandas as pd

    table = pd.DataFrame({"cost": cost, "exact": exact}).dropna()
    low = [set(table[name].nsmallest(len(table) // 4).index) for name in table]
    return round(float(table.rank().corr().iloc[0, 1]), 10), len(low[0] & low[1]), len(low[0])


class PruneScatter:
    """The picture of a measure against the exact loss, one dot a piece; a kept drawing for each measure. For lesson 6.

    costs: dict measure -> dict piece -> number; one is "exact". Pieces whose exact loss is infinite are left out.
    """

    def __init__(self, costs):
        self.exact = {piece: cost for piece, cost in costs["exact"].items() if math.isfinite(cost)}
        self.pieces = sorted(self.exact, key=self.exact.get)
        self.costs = {name: {piece: cost[piece] for piece in self.pieces} for name, cost in costs.items()}
        self.kept, self.figures = {}, {}

    def at(self, measure, piece):
        """The Layered picture of one measure, with its cursor at one piece. Raises ValueError for an unknown measure."""
        cost = self.costs[choose(measure, self.costs, "measure")]
        rho, shared, quarter = agreement(cost, self.exact)
        wrong = set(sorted(self.pieces, key=cost.get)[:quarter]) - set(self.pieces[:quarter])
        if measure not in self.figures:
            self.figures[measure] = self._drawn(measure, cost, wrong)
        figure, ax, cursor = self.figures[measure]
        cursor.set_data([cost[piece]] * 2, [ax.get_ylim()[0], self.exact[piece]])
        says = f"Spearman {rho:.2f} with the exact loss; {shared} of the {quarter} cheapest are found"
        return Layered(figure, f"{measure}: rank correlation {rho:.2f} with the exact loss",
                       f"{label(piece)}: {cost[piece]:,.1f} by this measure, exactly {self.exact[piece]:,.1f} nats. {says}.",
                       f"A cloud of {len(self.pieces)} dots, the exact loss against the measure {measure}. {says}.", self.kept, measure)

    def _drawn(self, measure, cost, wrong):
        from matplotlib.lines import Line2D

        figure, ax = axes(7.2, 3.6, left=0.1, bottom=0.15)
        for pieces, (color, _, marker), name in ((set(self.pieces) - wrong, SERIES[0], "pieces"),
                                                 (wrong, SERIES[1], "among the lowest quarter here, not by the exact loss")):
            ax.plot([cost[piece] for piece in pieces], [self.exact[piece] for piece in pieces], marker, color=color, markersize=4,
                    alpha=0.7, label=f"{len(pieces)} {name}")
        ax.set_xscale("symlog", linthresh=1)
        ax.set_yscale("symlog", linthresh=1)
        ax.set(xlabel=f"{measure} (logarithmic)", ylabel="exact loss (nats, logarithmic)")
        ax.legend(fontsize=9.5, frameon=False, loc="upper left")
        return figure, ax, figure.add_artist(Line2D([], [], color=INK, marker="o", markevery=[1], transform=ax.transData))


def pruned(results):
    """Log-likelihood and pieces per word against the size of the vocabulary, one line a measure. For lesson 6.

    results: dict measure -> list of views.Step, the greatest vocabulary first.
    """
    figure, ax = axes(7.2, 3.3, left=0.12, right=0.45, bottom=0.17)
    other = dressed(figure.add_axes((0.54, 0.17, 0.25, ax.get_position().height)))
    for (name, steps), (color, style, marker) in zip(results.items(), SERIES, strict=False):
        for each, values in ((ax, [step.log_likelihood for step in steps]), (other, [step.per_word for step in steps])):
            each.plot([len(step.p) for step in steps], values, color=color, linestyle=style, marker=marker, markersize=4, linewidth=1.5, label=name)
    ax.set(xlabel="pieces", ylabel="log-likelihood (nats)")
    other.set(xlabel="pieces", ylabel="pieces per word")
    other.yaxis.set_major_formatter("{x:g}")
    other.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), fontsize=9.5, frameon=False, handlelength=3)
    for each in (ax, other):
        each.set_facecolor("white")
        each.tick_params(colors=MUTED)
    ends = {name: steps[-1] for name, steps in results.items()}
    best, worst = max(ends, key=lambda name: ends[name].log_likelihood), min(ends, key=lambda name: ends[name].log_likelihood)
    size = len(ends[best].p)
    numbers = "; ".join(f"{name} {end.log_likelihood:,.0f} and {end.per_word:.3f}".replace("-", "−") for name, end in ends.items())
    return Picture(figure, f"Cut to {size} pieces, {best} keeps most likelihood, {worst} least",
                   f"At {size} pieces, log-likelihood and pieces per word: {numbers}.",
                   f"Left, the log-likelihood falls as pieces go, least by {best}, most by {worst}. Right, a word takes more pieces, by "
                   f"all measures about as many.")
