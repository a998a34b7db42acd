"""How often the chunks of a text occur: a few very often, most of them rarely (lesson 3)."""
from .base import SERIES, Picture, axes
from .merges import sampled


def zipf(counts, name="the text", top=100):
    """Distinct chunks by rank and count, one line a text or pattern, both axes logarithmic. For lesson 3.

    counts: dict label -> Counter of chunks, 1 to 8, none of them empty. name: what the title calls the text. top: how many of
    the most frequent chunks the caption adds up. Raises ValueError for more, none, or an empty one. Source: Zipf 1949.
    """
    if not 1 <= len(counts) <= 8 or not all(counts.values()):
        raise ValueError(f"give 1 to 8 counters, each with some chunks, not {len(counts)} of sizes {[*map(len, counts.values())]}")
    figure, ax = axes(7.2, 4.0, left=0.14, bottom=0.14)
    told, shares = [], []
    for place, ((label, chunks), (color, style, marker)) in enumerate(zip(counts.items(), SERIES, strict=False)):
        sizes = sorted(chunks.values(), reverse=True)
        ranks = sampled(len(sizes) - 1)
        ax.plot([rank + 1 for rank in ranks], [sizes[rank] for rank in ranks], color=color, linestyle=style, linewidth=1.6,
                label=label, marker=marker, markersize=5, markevery=(2 * place, max(1, len(ranks) // 8)))
        shares.append(100 * sum(sizes[:top]) / sum(sizes))
        told.append(f"{label}: {sum(sizes):,} chunks, {len(sizes):,} distinct ({sizes.count(1):,} of them only once), "
                    f"the first {min(top, len(sizes))} make up {shares[-1]:.0f} %")
    ax.set(xscale="log", yscale="log", xlabel="rank of the distinct chunk (logarithmic)", ylabel="occurrences (logarithmic)")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:,.0f}")
        axis.label.set_size(11)
    ax.legend(fontsize=10, frameon=False, handlelength=3.4)
    part = f"{min(shares):.0f}" if round(min(shares)) == round(max(shares)) else f"{min(shares):.0f} to {max(shares):.0f}"
    alt = f"Falling lines on logarithmic axes, almost straight: {told[0]}."
    return Picture(figure, f"{top} distinct chunks make up {part} % of {name}", f"{'; '.join(told)}.", alt)
