"""Lines over a number that grows: merges (lesson 2), ranks of chunks (3), pruned pieces (6), blanks (7), a vocabulary (9)."""
from ..measure import count_tokens
from ..views.merges import need_traces
from ..views.writing import counted, signed
from .base import INK, SERIES, Picture, axes, dressed, lines

POINTS = 120            # points of a curve: more cannot be seen
BLANKS = 40             # most blanks before a line
BESIDE = {"loc": "center left", "bbox_to_anchor": (1.01, 0.5), "fontsize": 9.5, "frameon": False, "handlelength": 3.4}     # a legend


def sampled(n):
    """Indexes from 0 to `n`, dense at the start, where curves bend: a list with both ends.

    >>> sampled(5)
    [0, 1, 2, 3, 4, 5]
    >>> len(sampled(10_000)) <= 121, sampled(10_000)[-1]
    (True, 10000)
    """
    if n < POINTS:
        return list(range(n + 1))
    return sorted({round((n + 1) ** (i / (POINTS - 1))) - 1 for i in range(POINTS)} | {n})


def percent_left(trace, k=-1):
    """What is left of a corpus after `k` merges (all by default), in % of its length before the first."""
    return 100 * trace.lengths[k] / trace.lengths[0]


def merges_to(trace, share):
    """How many merges leave at most `share` % of the tokens; None if all of them leave more."""
    return next((k for k in range(len(trace.lengths)) if percent_left(trace, k) <= share), None)


def checked(traces, most=8):
    """Return `traces` if they are 1 to `most` by name, none of them of an empty corpus; raise TypeError or ValueError if not."""
    need_traces(traces)
    if not 1 <= len(traces) <= most:
        raise ValueError(f"got {len(traces)} traces: give 1 to {most}, so that the lines can be told apart")
    for name, trace in traces.items():
        if not trace.lengths[0]:
            raise ValueError(f"the corpus of trace {name!r} is empty, which gives no curve: train on some text")
    return traces


def merge_curves(traces):
    """Tokens left against merges, for several texts. For lesson 2.

    traces: dict name -> bpe.Trace, 1 to 8. Raises ValueError for more, none, or an empty corpus.
    """
    ends = sorted(checked(traces), key=lambda name: percent_left(traces[name]))
    figure, ax = axes(7.2, 4.0, left=0.1, right=max(0.5, 0.88 - 0.011 * max(map(len, traces))), bottom=0.14)
    curves = {name: (ks, [percent_left(trace, k) for k in ks]) for name, trace in traces.items() for ks in [sampled(len(trace.merges))]}
    drawn = lines(ax, curves, linewidth=1.8, markersize=5)
    for line in drawn:
        line.set_markevery(max(1, len(line.get_xdata()) // 6))
    ax.set(ylim=(0, 103), xlabel="merges", ylabel="tokens left (% of the start)")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.legend(handles=sorted(drawn, key=lambda line: -line.get_ydata()[-1]), **BESIDE)       # in the order in which they end
    halves = [merges_to(traces[name], 50) for name in ends]
    shares = [f"{name}, {percent_left(traces[name]):.1f} % of {traces[name].lengths[0]:,} after {counted(len(traces[name].merges), 'merge')}"
              + (f" (half after {half:,})" if half is not None else "") for name, half in zip(ends, halves, strict=True)]
    title = "The first merges shorten a text most"
    if None not in halves:
        which = f"each of the {len(ends)} texts" if len(ends) > 1 else "the text"
        title = f"{max(halves):,} merges halve {which}; later ones bring less"
    low, high = (f"{name} with {percent_left(traces[name]):.0f} %" for name in (ends[0], ends[-1]))
    return Picture(figure, title, f"Tokens left: {'; '.join(shares)}.",
                   f"Falling curves, steep at first and then flat, one for each of {len(traces)} texts; at the end the lowest "
                   f"is {low}, the highest {high}.")


def zipf(counts, name="the text", top=100):
    """Distinct chunks by rank and count, one line a text or pattern, both axes logarithmic. For lesson 3.

    counts: dict label -> Counter of chunks, 1 to 8, none of them empty. name: what the title calls the text. top: how many of
    the most frequent chunks the caption adds up. Raises ValueError for more, none, or an empty one. Source: Zipf 1949.
    """
    if not 1 <= len(counts) <= 8 or not all(counts.values()):
        raise ValueError(f"give 1 to 8 counters, each with some chunks, not {len(counts)} of sizes {[*map(len, counts.values())]}")
    figure, ax = axes(7.2, 4.0, left=0.14, bottom=0.14)
    curves, told, shares = {}, [], []
    for label, chunks in counts.items():
        sizes = sorted(chunks.values(), reverse=True)
        ranks = sampled(len(sizes) - 1)
        curves[label] = [rank + 1 for rank in ranks], [sizes[rank] for rank in ranks]
        shares.append(100 * sum(sizes[:top]) / sum(sizes))
        told.append(f"{label}: {sum(sizes):,} chunks, {len(sizes):,} distinct ({sizes.count(1):,} of them only once), "
                    f"the first {min(top, len(sizes))} make up {shares[-1]:.0f} %")
    for place, line in enumerate(lines(ax, curves, linewidth=1.6, markersize=5)):
        line.set_markevery((2 * place, max(1, len(line.get_xdata()) // 8)))
    ax.set(xscale="log", yscale="log", xlabel="rank of the distinct chunk (logarithmic)", ylabel="occurrences (logarithmic)")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:,.0f}")
        axis.label.set_size(11)
    ax.legend(fontsize=10, frameon=False, handlelength=3.4)
    part = " to ".join(dict.fromkeys(f"{share:.0f}" for share in (min(shares), max(shares))))
    return Picture(figure, f"{top} distinct chunks make up {part} % of {name}", f"{'; '.join(told)}.",
                   f"Falling lines on logarithmic axes, almost straight: {told[0]}.")


def pruned(results):
    """Log-likelihood and pieces per word against the size of the vocabulary, one line a measure. For lesson 6.

    results: dict measure -> list of views.Refit, the greatest vocabulary first.
    """
    figure, ax = axes(7.2, 3.3, left=0.14, right=0.44, bottom=0.17)
    other = dressed(figure.add_axes((0.54, 0.17, 0.23, ax.get_position().height)))
    for each, what, unit in ((ax, "log_likelihood", "log-likelihood (nats)"), (other, "per_word", "pieces per word")):
        each.set(xlabel="pieces", ylabel=unit)
        lines(each, {name: ([len(step.p) for step in steps], [getattr(step, what) for step in steps]) for name, steps in results.items()}, markersize=4)
    other.yaxis.set_major_formatter("{x:g}")
    other.legend(**BESIDE | {"bbox_to_anchor": (1, 0.5), "handlelength": 3})
    ends = sorted(((steps[-1], name) for name, steps in results.items()), key=lambda end: -end[0].log_likelihood)
    best, last = ends[0][0], ends[-1][1]
    numbers = "; ".join(f"{name} {signed(end.log_likelihood)} and {end.per_word:.3f}" for end, name in ends)
    return Picture(figure, f"Cut to {len(best.p)} pieces, {last} keeps least likelihood",
                   f"At {len(best.p)} pieces, log-likelihood and pieces per word: {numbers}.",
                   f"Left, the log-likelihood falls as pieces go, most by {last}; the other lines lie close together. "
                   "Right, a word takes more pieces, by all measures about as many.")


def indents(toks):
    """Tokens of a line of code by the number of blanks before it, one line for tokenizers that agree. For lesson 7.

    toks: list of tokenizers.
    """
    costs = {}
    for tok in toks:
        costs.setdefault(tuple(count_tokens(tok, " " * n + "return") for n in range(BLANKS + 1)), []).append(tok.name)
    costs = {", ".join(names): tokens for tokens, names in sorted(costs.items(), key=lambda pair: -pair[0][-1])}
    figure, ax = axes(7.2, 3.6, bottom=0.15)
    for n, line in enumerate(lines(ax, {names: (range(BLANKS + 1), tokens) for names, tokens in costs.items()}, linewidth=1.8, markersize=5)):
        line.set_markevery((n, 4))
    ax.set(xlabel="blanks before return", ylabel="tokens", xlim=(0, BLANKS), ylim=(0, None))
    ax.legend(fontsize=10, frameon=False, handlelength=3.4, loc="upper left")
    told = "; ".join(f"{names}: {tokens[4]}, {tokens[8]}, {tokens[BLANKS]}" for names, tokens in costs.items())
    (dearest, high), *_, (cheapest, low) = [(names.split(", ")[0], tokens[-1]) for names, tokens in costs.items()] * 2
    return Picture(figure, f"{BLANKS} blanks, then return: {high} tokens in {dearest}, {low} in {cheapest}",
                   f"Tokens with 4, 8 and {BLANKS} blanks: {told}.",
                   f"Lines over the number of blanks; that of {dearest} climbs, the others stay low: {told}.")


def vocabulary_curve(own, real):
    """Bytes per token against the size of the vocabulary. For lesson 9.

    own: dict name of a text -> dict size -> bytes per token, the text to be judged by last; real: dict tokenizer -> (size, bytes per token).
    """
    figure, ax = axes(7.2, 3.8, left=0.09, right=0.97, bottom=0.14)
    lines(ax, {name: ([*curve], [*curve.values()]) for name, curve in own.items()}, markersize=5)
    name, curve = [*own.items()][-1]
    color, _, marker = SERIES[2]
    ax.plot(*zip(*real.values()), marker, color=color, markersize=7, label=f"real tokenizers, {name}")
    for n, (tok, point) in enumerate(real.items()):
        ax.annotate(tok, point, (0, 8 if n % 2 else -15), textcoords="offset points", ha="center", fontsize=9, color=INK)
    ax.set_xscale("log", base=2)
    ax.set(xlabel="vocabulary size (ids, logarithmic)", ylabel="bytes per token", xticks=[256 * 4 ** n for n in range(6)], xlim=(220, 420_000), ylim=(0, None))
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.legend(loc="lower right", fontsize=9.5, frameon=False)
    first, *_, last = [curve[2 * size] / curve[size] for size in curve if 2 * size in curve]
    said = ", ".join(f"{size:,}: {each:.2f}" for size, each in curve.items())
    dots = ", ".join(f"{tok} {each:.2f}" for tok, (_, each) in real.items())
    return Picture(figure, f"Each doubling brings less: the first {first:.2f} times, the last {last:.2f}",
                   f"Bytes per token of {name}, by vocabulary size: {said}. Real tokenizers: {dots}.",
                   f"Curves that rise steeply and then flatten, up to {max(curve.values()):.2f} bytes per token, and dots of real tokenizers near that height.")
