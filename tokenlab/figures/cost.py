"""What a greater vocabulary brings, and what the same text costs in each language (lesson 9)."""
from ..views.cost import english_names
from .base import INK, SERIES, Picture, axes
from .scripts import rows_of


def vocabulary_curve(own, real):
    """Bytes per token against the size of the vocabulary. For lesson 9.

    own: dict name of a text -> dict size -> bytes per token, the text to be judged by last; real: dict tokenizer -> (size, bytes per token).
    """
    figure, ax = axes(7.2, 3.8, left=0.09, right=0.97, bottom=0.14)
    for (name, curve), (color, style, marker) in zip(own.items(), SERIES):
        ax.plot([*curve], [*curve.values()], color=color, linestyle=style, marker=marker, markersize=5, label=name)
    color, _, marker = SERIES[2]
    ax.plot(*zip(*real.values()), marker, color=color, markersize=7, label=f"real tokenizers, {[*own][-1]}")
    for n, (name, point) in enumerate(real.items()):
        ax.annotate(name, point, (0, 8 if n % 2 else -15), textcoords="offset points", ha="center", fontsize=9, color=INK)
    ax.set_xscale("log", base=2)
    ax.set(xlabel="vocabulary size (ids, logarithmic)", ylabel="bytes per token", xticks=[256 * 4 ** n for n in range(6)], xlim=(220, 420_000), ylim=(0, None))
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.legend(loc="lower right", fontsize=9.5, frameon=False)
    name, curve = list(own.items())[-1]
    first, *_, last = [curve[2 * size] / curve[size] for size in curve if 2 * size in curve]
    said = ", ".join(f"{size:,}: {each:.2f}" for size, each in curve.items())
    dots = ", ".join(f"{tok} {each:.2f}" for tok, (_, each) in real.items())
    return Picture(figure, f"Each doubling brings less: the first {first:.2f} times, the last {last:.2f}",
                   f"Bytes per token of {name}, by vocabulary size: {said}. Real tokenizers: {dots}.",
                   f"Curves that rise steeply and then flatten, up to {max(curve.values()):.2f} bytes per token, and dots of real tokenizers near that height.")


def premiums(found):
    """Tokens for the same text relative to English, one row a language, one marker a tokenizer. For lesson 9.

    found: dict tokenizer -> dict code -> ratio; the rows are in the order of the first tokenizer.
    """
    names, first = english_names(), next(iter(found.values()))
    codes = sorted(first, key=first.get)
    figure, ax = rows_of([names[code] for code in codes], "tokens for the same text, English = 1 (logarithmic)", left=0.16)
    spread = [[each[code] for each in found.values()] for code in codes]
    ax.hlines(range(len(codes)), [*map(min, spread)], [*map(max, spread)], color="#8c959f", linewidth=1, zorder=1)
    for (name, each), (color, _, marker) in zip(found.items(), SERIES):
        ax.plot([each[code] for code in codes], range(len(codes)), marker, color=color, markersize=5, label=name)
    ax.set(xscale="log", xticks=[1, 2, 3, 5, 10, 20])
    ax.xaxis.set_major_formatter("{x:.0f}")
    ax.minorticks_off()
    ax.legend(loc="lower right", fontsize=10)
    worst = {name: max(each, key=each.get) for name, each in found.items()}
    said = "; ".join(f"{name} {names[code]} {found[name][code]:.2f}, median {sorted(found[name].values())[len(codes) // 2]:.2f}" for name, code in worst.items())
    (old, a), *_, (new, b) = worst.items()
    return Picture(figure, f"Dearest language: {found[old][a]:.2f} × in {old}, {found[new][b]:.2f} × in {new}",
                   f"{len(codes)} languages, the same 30 articles. Dearest: {said}.",
                   f"One row for each of {len(codes)} languages with a marker for each of {len(found)} tokenizers; newer tokenizers lie further left in most rows. Dearest: {said}.")
