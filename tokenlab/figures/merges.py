"""What merges bring: the corpus gets shorter, each merge helps less than the one before (lesson 2)."""
from ..errors import choose
from ..views.base import count
from ..views.merges import need_traces
from .base import INK, SERIES, Layered, Picture, axes, dressed

POINTS = 120            # points of a curve: more cannot be seen


def sampled(n, points=POINTS):
    """Indexes from 0 to `n`, dense at the start, where curves bend: a list with both ends.

    >>> sampled(5)
    [0, 1, 2, 3, 4, 5]
    >>> len(sampled(10_000)) <= 121, sampled(10_000)[-1]
    (True, 10000)
    """
    if n < points:
        return list(range(n + 1))
    return sorted({round((n + 1) ** (i / (points - 1))) - 1 for i in range(points)} | {n})


def left(trace, k=-1):
    """What is left of a corpus after `k` merges (all by default), in % of its length before the first."""
    return 100 * trace.lengths[k] / trace.lengths[0]


def merges_to(trace, share):
    """How many merges leave at most `share` % of the tokens; None if all of them leave more."""
    return next((k for k in range(len(trace.lengths)) if left(trace, k) <= share), None)


def checked(traces, most=8):
    """Return `traces` if they are 1 to `most` by name, none of them of an empty corpus; raise TypeError or ValueError if not."""
    need_traces(traces)
    if not 1 <= len(traces) <= most:
        raise ValueError(f"got {len(traces)} traces: give 1 to {most}, so that the lines can be told apart")
    for name, trace in traces.items():
        if not trace.lengths[0]:
            raise ValueError(f"the corpus of trace {name!r} is empty, which gives no curve: train on some text")
    return traces


def lines(traces):
    """One line a trace, what is left after each merge, and a legend in the order in which the lines end."""
    figure, ax = axes(7.2, 4.0, left=0.1, right=max(0.5, 0.88 - 0.011 * max(map(len, traces))), bottom=0.14)
    for (name, trace), (color, style, marker) in zip(traces.items(), SERIES, strict=False):
        ks = sampled(len(trace.merges))
        ax.plot(ks, [left(trace, k) for k in ks], color=color, linestyle=style, linewidth=1.8, label=name,
                marker=marker, markersize=5, markevery=max(1, len(ks) // 6))
    ax.set(ylim=(0, 103), xlabel="merges", ylabel="tokens left (% of the start)")
    ax.xaxis.get_major_locator().set_params(integer=True)
    drawn = sorted(ax.lines, key=lambda line: left(traces[line.get_label()]), reverse=True)
    ax.legend(drawn, [line.get_label() for line in drawn], loc="center left", bbox_to_anchor=(1.01, 0.5),
              fontsize=9.5, frameon=False, handlelength=3.4)
    return figure


def merge_curves(traces):
    """Tokens left against merges, for several texts. For lesson 2.

    traces: dict name -> bpe.Trace, 1 to 8. Raises ValueError for more, none, or an empty corpus.
    """
    figure = lines(checked(traces))
    ends = sorted(traces, key=lambda name: left(traces[name]))
    halves = [merges_to(traces[name], 50) for name in ends]
    shares = [f"{name}, {left(traces[name]):.1f} % of {traces[name].lengths[0]:,} after {count(len(traces[name].merges), 'merge')}"
              + (f" (half after {half:,})" if half is not None else "") for name, half in zip(ends, halves, strict=True)]
    title = "The first merges shorten a text most"
    if None not in halves:
        which = f"each of the {len(ends)} texts" if len(ends) > 1 else "the text"
        title = f"{max(halves):,} merges halve {which}; later ones bring less"
    low, high = (f"{name} with {left(traces[name]):.0f} %" for name in (ends[0], ends[-1]))
    alt = (f"Falling curves, steep at first and then flat, one for each of {len(traces)} texts; at the end the lowest "
           f"is {low}, the highest {high}.")
    return Picture(figure, title, f"Tokens left: {'; '.join(shares)}.", alt)


class MergeCurve:
    """The picture of the merge curve's explorer: its axes are drawn once, then only the cursor moves. For lesson 2.

    What the slider says is what the axes show, the vocabulary size.
    traces: dict name -> bpe.Trace, at least one. Raises ValueError for none, or an empty corpus.
    """

    def __init__(self, traces):
        from matplotlib.lines import Line2D

        self.traces, self.drawn, self.kept = checked(traces, most=1000), None, {}
        self.figure, tokens = axes(7.2, 3.2, left=0.15, right=0.52, bottom=0.17)
        ratio = dressed(self.figure.add_axes((0.63, 0.17, 0.34, tokens.get_position().height)))
        ratio.yaxis.set_major_formatter("{x:g}")
        self.axes, self.curves, self.cursors = (tokens, ratio), [], []
        tokens.set_ylabel("tokens in the corpus")
        for ax, (color, style, _) in zip(self.axes, SERIES, strict=False):
            self.curves += ax.plot([], [], color=color, linestyle=style, linewidth=1.8)
            cursor = Line2D([], [], color=INK, linewidth=1, marker="o", markevery=[1], transform=ax.transData)
            self.cursors.append(self.figure.add_artist(cursor))

    def state(self, corpus, size, log):
        """What is shown at a vocabulary size; a size outside the trace is pulled into it.

        Returns dict: corpus, trace, k (merges), size, log, tokens (in the corpus), per_token (symbols of the alphabet
        in a token) and unit (what these are called). Raises ValueError for an unknown corpus.
        """
        trace = self.traces[choose(corpus, self.traces, "corpus")]
        k = min(max(0, size - len(trace.alphabet)), len(trace.merges))
        return {"corpus": corpus, "trace": trace, "k": k, "size": len(trace.alphabet) + k, "log": log,
                "tokens": trace.lengths[k], "per_token": 100 / left(trace, k),
                "unit": "bytes" if trace.symbols == "bytes" else "symbols"}

    def draw(self, state):
        """A Picture of a state; its figure is the same one each time."""
        trace, k, unit, low = state["trace"], state["k"], state["unit"], len(state["trace"].alphabet)
        last, values = len(trace.merges), [lambda n: trace.lengths[n], lambda n: 100 / left(trace, n)]
        if self.drawn != (state["corpus"], state["log"]):
            self.drawn = state["corpus"], state["log"]
            for ax, curve, value in zip(self.axes, self.curves, values, strict=True):
                ax.set_xscale("log", base=2) if state["log"] else ax.set_xscale("linear")
                ax.xaxis.set_major_formatter("{x:,.0f}")
                ax.set(xlabel="vocabulary size" + (" (logarithmic)" if state["log"] else " (tokens)"),
                       xlim=(low, low + max(1, last)), ylim=(0, 1.05 * max(value(0), value(last))))
                curve.set_data([low + n for n in sampled(last)], [value(n) for n in sampled(last)])
            self.axes[1].set_ylabel(f"{unit} per token")
        for cursor, value in zip(self.cursors, values, strict=True):
            cursor.set_data([low + k] * 2, [0, value(k)])
        each = f"{state['per_token']:.2f} {unit} per token"
        alt = (f"While the vocabulary grows from {low:,} to {low + last:,} tokens, the tokens of the corpus fall from "
               f"{trace.lengths[0]:,} to {trace.lengths[-1]:,}, fast and then slowly, and a token comes to hold "
               f"{100 / left(trace):.2f} {unit}; the cursor is at a vocabulary of {low + k:,}: {each}.")
        return Layered(self.figure, f"{state['corpus']}: {state['tokens']:,} tokens, {each}", saving(trace, k), alt, self.kept, self.drawn)


def saving(trace, k):
    """What merge `k` saved, against the first one, in a sentence."""
    size = f"Vocabulary: {len(trace.alphabet):,} + {k:,} = {len(trace.alphabet) + k:,} tokens. "
    if not k:
        return f"{size}No merge is done, and the corpus is {trace.lengths[0]:,} tokens long."
    first, last = trace.merges[0], trace.merges[k - 1]
    return (f"{size}Merge 1 saved {first.before - first.after:,} tokens, merge {k:,} saved "
            f"{last.before - last.after:,}; of {trace.lengths[0]:,} tokens {left(trace, k):.1f} % are left.")
