"""What merges bring: the corpus gets shorter, each merge helps less than the one before (lesson 2)."""
from ..errors import choose
from .base import SERIES, Layered, Picture, axes, dressed, logarithmic

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
    """Return `traces` if there are 1 to `most`, none of them of an empty corpus; raise ValueError if not."""
    if not 1 <= len(traces) <= most:
        raise ValueError(f"got {len(traces)} traces: give 1 to {most}, so that the lines can be told apart")
    for name, trace in traces.items():
        if not trace.lengths[0]:
            raise ValueError(f"the corpus of trace {name!r} is empty, so it has no curve: train on at least one character")
    return traces


def lines(traces, value, ylabel, log):
    """One line a trace, `value(trace, k)` against k merges, and a legend in the order in which the lines end."""
    figure, ax = axes(7.2, 4.0, left=0.1, right=0.74, bottom=0.14)
    for (name, trace), (color, style, marker) in zip(traces.items(), SERIES):
        ks = [k for k in sampled(len(trace.merges)) if k or not log]
        ax.plot(ks, [value(trace, k) for k in ks], color=color, linestyle=style, linewidth=1.8, label=name,
                marker=marker, markersize=5, markevery=max(1, len(ks) // 6))
    if log:
        logarithmic(ax)
    ax.set_xlabel("merges, logarithmic scale" if log else "merges", fontsize=11)
    ax.set_ylabel(ylabel, fontsize=11)
    drawn = sorted(ax.lines, key=lambda line: -line.get_ydata()[-1] if len(line.get_ydata()) else 0)
    ax.legend(drawn, [line.get_label() for line in drawn], loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9.5,
              frameon=False, handlelength=3.4)
    return figure, ax


def merge_curves(traces, log=False):
    """Tokens left against merges, for several texts. For lesson 2.

    traces: dict name -> bpe.Trace, 1 to 8. log: merges on a logarithmic scale. Raises ValueError for more, none, or an empty corpus.
    """
    figure, ax = lines(checked(traces), left, "tokens left (% of the start)", log)
    ax.set_ylim(0, 103)
    ends = sorted(traces, key=lambda name: left(traces[name]))
    halves = {name: merges_to(traces[name], 50) for name in ends}
    shares = "; ".join(f"{name}: {len(traces[name].merges):,} merges leave {left(traces[name]):.1f} % of {traces[name].lengths[0]:,}, "
                       + (f"half after {halves[name]:,}" if halves[name] is not None else "never half") for name in ends)
    title = "The first merges shorten a text most"
    if None not in halves.values():
        title = f"{max(halves.values()):,} merges halve {'every' if len(ends) > 1 else 'the'} text; those after bring less and less"
    alt = (f"Falling curves, steep at first and then flat, one for each of {len(traces)} texts; at the end {ends[0]} is lowest with "
           f"{left(traces[ends[0]]):.0f} % and {ends[-1]} highest with {left(traces[ends[-1]]):.0f} %.")
    return Picture(figure, title, f"Tokens left. {shares}.", alt)


def bytes_per_token(traces):
    """Bytes per token against merges on a logarithmic scale: what each doubling of the merges brings. For lesson 2.

    traces: dict name -> bpe.Trace over the bytes, 1 to 8. Raises ValueError for more, none, or an empty corpus.
    """
    def value(trace, k):
        return 100 / left(trace, k)

    figure, ax = lines(checked(traces), value, "bytes per token", log=True)
    ax.set_ylim(0)
    gains = {name: (len(trace.merges) // 2, value(trace, len(trace.merges) // 2), value(trace, -1)) for name, trace in traces.items()}
    least, most = (choice(full / half for _, half, full in gains.values()) - 1 for choice in (min, max))
    caption = "Bytes per token with half and with all of the merges: " + "; ".join(
        f"{name} {half:.2f} with {k:,}, {full:.2f} with {len(traces[name].merges):,}" for name, (k, half, full) in gains.items()) + "."
    alt = f"Rising lines, one for each of {len(traces)} texts, over merges on a logarithmic scale; the last doubling of the merges lifts the steepest by {100 * most:.0f} %."
    more = f"{100 * least:.0f} to {100 * most:.0f} %" if len(traces) > 1 else f"{100 * most:.0f} %"
    return Picture(figure, f"The last doubling of the merges brings {more} more bytes in a token", caption, alt)


class MergeCurve:
    """The picture of the merge curve's explorer: drawn once, then only its lines and cursor move. For lesson 2.

    traces: dict name -> bpe.Trace, at least one. Raises ValueError for none, or an empty corpus.
    """

    def __init__(self, traces):
        self.traces, self.drawn, self.kept = checked(traces, most=1000), None, {}
        self.figure, left_ax = axes(7.2, 3.2, left=0.15, right=0.48, bottom=0.17, top=0.86)
        right_ax = dressed(self.figure.add_axes((0.665, 0.17, 0.3, 0.69)))
        other = dressed(left_ax.twinx())
        other.grid(visible=False)
        other.spines["right"].set_visible(True)
        right_ax.yaxis.set_major_formatter("{x:g}")
        blue, orange, green = (color for color, *_ in SERIES[:3])
        self.axes = left_ax, other, right_ax
        self.curves = [left_ax.plot([], [], color=blue, linewidth=1.8)[0], other.plot([], [], color=orange, linestyle="--", linewidth=1.8)[0],
                       right_ax.plot([], [], color=green, linestyle="-.", linewidth=1.8)[0]]
        self.cursors = [ax.plot([], [], color="#1b1f24", linewidth=1, marker=marker, markersize=6, markevery=[1], clip_on=False)[0]
                        for ax, marker in zip(self.axes, "os^")]
        for ax, name, color in zip(self.axes, ("tokens in the corpus (solid)", "vocabulary size (dashed)", "bytes per token"), (blue, orange, green)):
            ax.set_ylabel(name, fontsize=10, color=color)
        for ax in (left_ax, right_ax):
            ax.set_xlabel("merges", fontsize=11)

    def state(self, corpus, size, log):
        """What is shown: dict corpus, trace, k (merges), size, log, tokens, bytes_per_token. A size outside the trace is pulled into it.

        Raises ValueError for an unknown corpus.
        """
        trace = self.traces[choose(corpus, self.traces, "corpus")]
        k = min(max(0, size - len(trace.alphabet)), len(trace.merges))
        unit = "bytes" if trace.symbols == "bytes" else "symbols"
        return {"corpus": corpus, "trace": trace, "k": k, "size": len(trace.alphabet) + k, "log": log, "tokens": trace.lengths[k],
                "unit": unit, "per_token": 100 / left(trace, k)}

    def draw(self, state):
        """A Picture of a state; the figure is the same one each time."""
        trace, k, low = state["trace"], state["k"], int(state["log"])
        values = [lambda n: trace.lengths[n], lambda n: len(trace.alphabet) + n, lambda n: 100 / left(trace, n)]
        if self.drawn != (state["corpus"], low):                # scales and curves take most of the time, and seldom change
            self.drawn = state["corpus"], low
            self.axes[2].set_ylabel(f"{state['unit']} per token", fontsize=10, color=SERIES[2][0])
            ks = [n for n in sampled(len(trace.merges)) if n >= low]
            for ax, curve, value in zip(self.axes, self.curves, values):
                if low:
                    logarithmic(ax)
                else:
                    ax.set_xscale("linear")
                    ax.xaxis.set_major_formatter("{x:,.0f}")
                ax.set_xlim(low, max(low + 1, len(trace.merges)))
                ax.set_ylim(0, 1.05 * max(map(value, (0, len(trace.merges)))))
                curve.set_data(ks, [value(n) for n in ks])
        for cursor, value in zip(self.cursors, values):
            cursor.set_data([max(k, low)] * 2, [0, value(k)])
        title = f"{state['corpus']}: {state['tokens']:,} tokens, {state['per_token']:.2f} {state['unit']} per token"
        alt = (f"Two panels over {len(trace.merges):,} merges, a cursor at {k:,}: tokens fall from {trace.lengths[0]:,} to {trace.lengths[-1]:,}, fast "
               f"and then slowly, while the vocabulary grows by one a merge; {state['unit']} per token rise to {100 / left(trace):.2f}.")
        return Layered(self.figure, title, self.caption(trace, k), alt, self.cursors, self.kept, self.drawn)

    def caption(self, trace, k):
        """What merge k saved, against the first one."""
        start = f"Vocabulary: {len(trace.alphabet):,} + {k:,} = {len(trace.alphabet) + k:,} tokens. "
        if not k:
            return start + f"The text has {trace.lengths[0]:,}, and no merge is done: move the slider."
        first, last = trace.merges[0], trace.merges[k - 1]
        return (start + f"Merge 1 saved {first.before - first.after:,} tokens, merge {k:,} saved {last.before - last.after:,}; "
                f"of {trace.lengths[0]:,} tokens {left(trace, k):.1f} % are left.")
