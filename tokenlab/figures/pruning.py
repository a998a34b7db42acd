"""How well a cheap measure finds the pieces that are cheap to lose, and what a smaller vocabulary costs (lesson 6)."""
import math
from functools import cache

from ..errors import choose
from ..views.base import label
from ..views.lattice import signed
from ..views.pruning import number
from .base import INK, SERIES, Layered, Picture, axes, dressed


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
        self.costs = {name: {piece: cost[piece] for piece in self.exact} for name, cost in costs.items()}
        self.kept, self.drawn = {}, cache(self._drawn)

    def at(self, measure, piece):
        """The Layered picture of one measure, with its cursor at one piece. Raises ValueError for an unknown measure."""
        cost, exact = self.costs[choose(measure, self.costs, "measure")], self.exact[piece]
        figure, (rho, shared, quarter) = self.drawn(measure)
        cursor, ax = figure.artists[0], figure.axes[0]
        cursor.set_data([cost[piece]] * 2, [ax.get_ylim()[0], exact])
        says = f"Rank correlation {rho:.2f}; {shared} of the {quarter} pieces that cost least are among the {quarter} lowest of this measure"
        return Layered(figure, f"{label(piece)}: {number(cost[piece])} by {measure}, exact loss {exact:,.1f} nats", f"{says}.",
                       f"A cloud of {len(self.pieces)} dots, the exact loss against the measure {measure}. {says}.", self.kept, measure)

    def _drawn(self, measure):
        from matplotlib import lines, ticker

        cost, (figure, ax) = self.costs[measure], axes(7.2, 3.6, left=0.1, bottom=0.15)
        found = agreement(cost, self.exact)
        low, right = (set(sorted(self.exact, key=measure.get)[:found[2]]) for measure in (cost, self.exact))
        groups = (self.exact.keys() - low, SERIES[0], "others"), (low - right, SERIES[1], "that it would wrongly drop first"), (low & right, SERIES[2], "in both lowest quarters")
        for pieces, (color, _, marker), name in groups:
            ax.plot([*map(cost.get, pieces)], [*map(self.exact.get, pieces)], marker, color=color, markersize=4, alpha=0.7, label=f"{len(pieces)} {name}")
        ax.set(xscale="symlog", yscale="symlog", xlabel=f"{measure} (logarithmic)", ylabel="exact loss (nats, logarithmic)")
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(ticker.FixedLocator([0, 1, 3, 10, 30, 100, 300, 1000]))
            axis.set_major_formatter("{x:,.0f}")
        ax.legend(fontsize=9.5, frameon=False, loc="upper left")
        figure.add_artist(lines.Line2D([], [], color=INK, marker="o", markevery=[1], transform=ax.transData))
        return figure, found


def pruned(results):
    """Log-likelihood and pieces per word against the size of the vocabulary, one line a measure. For lesson 6.

    results: dict measure -> list of views.Step, the greatest vocabulary first.
    """
    figure, ax = axes(7.2, 3.3, left=0.14, right=0.44, bottom=0.17)
    other = dressed(figure.add_axes((0.54, 0.17, 0.23, ax.get_position().height)))
    for each, what, unit in ((ax, "log_likelihood", "log-likelihood (nats)"), (other, "per_word", "pieces per word")):
        each.set(xlabel="pieces", ylabel=unit)
        for (name, steps), (color, style, marker) in zip(results.items(), SERIES):
            each.plot([len(step.p) for step in steps], [getattr(step, what) for step in steps], color=color, linestyle=style,
                      marker=marker, markersize=4, linewidth=1.5, label=name)
    other.yaxis.set_major_formatter("{x:g}")
    other.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize=9.5, frameon=False, handlelength=3)
    ends = sorted(((steps[-1], name) for name, steps in results.items()), key=lambda end: -end[0].log_likelihood)
    best, last = ends[0][0], ends[-1][1]
    numbers = "; ".join(f"{name} {signed(end.log_likelihood)} and {end.per_word:.3f}" for end, name in ends)
    return Picture(figure, f"Cut to {len(best.p)} pieces, {last} keeps least likelihood",
                   f"At {len(best.p)} pieces, log-likelihood and pieces per word: {numbers}.",
                   f"Left, the log-likelihood falls as pieces go, most by {last}; the other lines lie close together. Right, a word takes more pieces, by all measures about as many.")
