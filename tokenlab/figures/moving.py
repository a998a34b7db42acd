"""Pictures that sliders move: drawn once, then only a cursor goes: a merge curve (lesson 2), rounds of EM (5), pieces to prune (6)."""
import math
from functools import cache

from ..errors import choose, package
from ..views.writing import label, number, signed
from .base import INK, MUTED, SERIES, Layered, axes, dressed, lines
from .curves import BESIDE, checked, percent_left, sampled

NAMED, GONE = 7, 1e-6           # pieces that get a line of their own, and a probability that is as good as none


class MergeCurve:
    """The picture of the merge curve's explorer, a drawing for each corpus and scale. For lesson 2.

    What the slider says is what the axes show, the vocabulary size.
    traces: dict name -> bpe.Trace, at least one. Raises ValueError for none, or an empty corpus.
    """

    def __init__(self, traces):
        self.traces, self.drawn = checked(traces, most=1000), cache(self._drawn)

    def state(self, corpus, size, log):
        """What is shown at a vocabulary size; a size outside the trace is pulled into it.

        Returns dict: corpus, trace, k (merges), size, log, tokens (in the corpus), per_token (symbols of the alphabet
        in a token) and unit (what these are called). Raises ValueError for an unknown corpus.
        """
        trace = self.traces[choose(corpus, self.traces, "corpus")]
        k = min(max(0, size - len(trace.alphabet)), len(trace.merges))
        return {"corpus": corpus, "trace": trace, "k": k, "size": len(trace.alphabet) + k, "log": log,
                "tokens": trace.lengths[k], "per_token": 100 / percent_left(trace, k),
                "unit": "bytes" if trace.symbols == "bytes" else "symbols"}

    def draw(self, state):
        """The Layered picture of a state."""
        trace, k, size, unit = (state[name] for name in ("trace", "k", "size", "unit"))
        figure, low, each = self.drawn(state["corpus"], state["log"], unit), len(trace.alphabet), f"{state['per_token']:.2f} {unit} per token"
        caption = f"Vocabulary: {low:,} + {k:,} = {size:,} tokens. No merge is done, and the corpus is {trace.lengths[0]:,} tokens long."
        if k:
            saved, last = (merge.before - merge.after for merge in (trace.merges[0], trace.merges[k - 1]))
            caption = (f"Vocabulary: {low:,} + {k:,} = {size:,} tokens. Merge 1 saved {saved:,} tokens, merge {k:,} saved {last:,}; "
                       f"of {trace.lengths[0]:,} tokens {percent_left(trace, k):.1f} % are left.")
        alt = (f"While the vocabulary grows from {low:,} to {low + len(trace.merges):,} tokens, the tokens of the corpus fall from "
               f"{trace.lengths[0]:,} to {trace.lengths[-1]:,}, fast and then slowly, and a token comes to hold "
               f"{100 / percent_left(trace):.2f} {unit}; the cursor is at a vocabulary of {size:,}: {each}.")
        cursors = [(ax, size, state[what]) for ax, what in zip(figure.axes, ("tokens", "per_token"))]
        return Layered(figure, f"{state['corpus']}: {state['tokens']:,} tokens, {each}", caption, alt, cursors, linewidth=1)

    def _drawn(self, corpus, log, unit):
        trace = self.traces[corpus]
        low, ks = len(trace.alphabet), sampled(len(trace.merges))
        figure, tokens = axes(7.2, 3.2, left=0.15, right=0.52, bottom=0.17)
        ratio = dressed(figure.add_axes((0.63, 0.17, 0.34, tokens.get_position().height)))
        for ax, values, (color, style, _) in zip((tokens, ratio), ([trace.lengths[k] for k in ks], [100 / percent_left(trace, k) for k in ks]), SERIES):
            if log:
                ax.set_xscale("log", base=2)
            ax.xaxis.set_major_formatter("{x:,.0f}")
            ax.plot([low + k for k in ks], values, color=color, linestyle=style, linewidth=1.8)
            ax.set(xlabel="vocabulary size" + (" (logarithmic)" if log else " (tokens)"),
                   xlim=(low, low + max(1, len(trace.merges))), ylim=(0, 1.05 * max(values)))
        tokens.set_ylabel("tokens in the corpus")
        ratio.set_ylabel(f"{unit} per token")
        ratio.yaxis.set_major_formatter("{x:g}")
        return figure


class Convergence:
    """The picture of a history of EM. For lesson 5.

    history: list of unigram.Round, as `unigram.em` returns it, of at least two rounds. claimed: what someone says that one of the
    probabilities is after rounds 1, 2, …; drawn as crosses.
    """

    def __init__(self, history, claimed=()):
        self.history, rounds = history, range(len(history))
        end = sorted(history[-1].p.items(), key=lambda item: -item[1])
        self.left = [piece for piece, value in end if value > GONE]
        self.figure, ax = axes(7.2, 3.2, left=0.09, right=0.49, bottom=0.17)
        other = dressed(self.figure.add_axes((0.78, 0.17, 0.21, ax.get_position().height)))
        curves = {piece: (rounds, [state.p[piece] for state in history]) for piece, _ in end}
        for piece in [*curves][len(self.left[:NAMED]):]:
            ax.plot(*curves.pop(piece), color=MUTED, linewidth=0.7)
        lines(ax, curves, markersize=4, markevery=max(1, len(history) // 6), linewidth=1.6)
        if claimed:
            ax.plot(range(1, len(claimed) + 1), claimed, "x", color=INK, markersize=7, label="claimed")
        ax.legend(**BESIDE)
        other.plot(rounds, [state.log_likelihood for state in history], color=SERIES[0][0], linewidth=1.8)
        ax.set(xlabel="round", ylabel="probability", ylim=0)
        other.set(xlabel="round", ylabel="log-likelihood (nats)")
        self.axes = ax, other
        for each in self.axes:
            each.yaxis.set_major_formatter("{x:g}")

    def at(self, k=None):
        """The picture with a cursor at round `k`; None: without, and the title says what is left in the end."""
        now, last = self.history[-1 if k is None else k], self.history[-1]
        left = ", ".join(self.left[:NAMED]) + ", …" * (len(self.left) > NAMED)
        rise = f"log-likelihood {signed(self.history[0].log_likelihood)} → {signed(last.log_likelihood)}"
        caption = f"Round {now.number}: {', '.join(f'{piece} {now.p[piece]:.3f}' for piece in self.left[:NAMED])}; "
        caption += f"{rise} in {last.number} rounds." + " Thin lines: the other pieces." * (len(now.pieces) > len(self.left[:NAMED]))
        alt = f"Left, a line for the probability of each piece; above zero stay {left}. Right, a curve that never falls: {rise}."
        if k is None:
            return Layered(self.figure, f"{len(self.left)} of {len(now.pieces)} pieces are left: {left}", caption, alt, [])
        cursors = [(ax, k, top) for ax, top in zip(self.axes, (max(now.probabilities), now.log_likelihood))]
        return Layered(self.figure, f"Round {k}: log-likelihood {signed(now.log_likelihood)}", caption, alt, cursors)


def convergence(history, claimed=()):
    """Probabilities and log-likelihood over the rounds of EM, as a picture; arguments as in `Convergence`. For lesson 5."""
    return Convergence(history, claimed).at()


def agreement(cost, exact):
    """Spearman's rank correlation of two measures of the same pieces, how many pieces their lowest quarters share, and of how many.

    cost, exact: dict piece -> number. For lesson 6.

    >>> agreement({"a": 1, "b": 9, "c": 4, "d": 8}, {"a": 10, "b": 11, "c": 12, "d": 13})
    (0.4, 1, 1)
    """
    table = package("pandas", "comparing measures").DataFrame({"cost": cost, "exact": exact}).dropna()
    low = [set(table[name].nsmallest(len(table) // 4).index) for name in table]
    return round(float(table.rank().corr().iloc[0, 1]), 10), len(low[0] & low[1]), len(low[0])


class PruneScatter:
    """The picture of a measure against the exact loss, one dot a piece; a drawing for each measure. For lesson 6.

    costs: dict measure -> dict piece -> number; one is "exact". Pieces whose exact loss is infinite are left out.
    """

    def __init__(self, costs):
        self.exact = {piece: cost for piece, cost in costs["exact"].items() if math.isfinite(cost)}
        self.pieces = sorted(self.exact, key=self.exact.get)
        self.costs = {name: {piece: cost[piece] for piece in self.exact} for name, cost in costs.items()}
        self.drawn = cache(self._drawn)

    def at(self, measure, piece):
        """The Layered picture of one measure, with its cursor at one piece. Raises ValueError for an unknown measure."""
        cost, exact = self.costs[choose(measure, self.costs, "measure")], self.exact[piece]
        figure, (rho, shared, quarter) = self.drawn(measure)
        says = f"Rank correlation {rho:.2f}; {shared} of the {quarter} pieces that cost least are among the {quarter} lowest of this measure"
        return Layered(figure, f"{label(piece)}: {number(cost[piece])} by {measure}, exact loss {exact:,.1f} nats", f"{says}.",
                       f"A cloud of {len(self.pieces)} dots, the exact loss against the measure {measure}. {says}.", [(figure.axes[0], cost[piece], exact)])

    def _drawn(self, measure):
        from matplotlib import ticker

        cost, (figure, ax) = self.costs[measure], axes(7.2, 3.6, left=0.1, bottom=0.15)
        found = agreement(cost, self.exact)
        low, right = (set(sorted(self.exact, key=each.get)[:found[2]]) for each in (cost, self.exact))
        groups = {"others": self.exact.keys() - low, "that it would wrongly drop first": low - right, "in both lowest quarters": low & right}
        lines(ax, {f"{len(pieces)} {name}": ([*map(cost.get, pieces)], [*map(self.exact.get, pieces)]) for name, pieces in groups.items()},
              linestyle="", markersize=4, alpha=0.7)
        ax.set(xscale="symlog", yscale="symlog", xlabel=f"{measure} (logarithmic)", ylabel="exact loss (nats, logarithmic)")
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(ticker.FixedLocator([0, 1, 3, 10, 30, 100, 300, 1000]))
            axis.set_major_formatter("{x:,.0f}")
        ax.legend(fontsize=9.5, frameon=False, loc="upper left")
        return figure, found
