"""One row for each language (lessons 1 and 9), script (1) or kind of task (10)."""
from ..views.cost import english_names
from ..views.writing import counted
from .base import INK, MUTED, SERIES, SMALL, Picture, lines, rows_of
from .scripts import bytes_by_language, script_counts


def bytes_per_character(documents):
    """Bytes per character in each language of a parallel text, with its script. For lesson 1.

    documents: list of dicts with name and articles, as corpora.udhr returns them.
    """
    rows = bytes_by_language(documents)
    values = [value for *_, value in rows]
    figure, ax = rows_of([f"{language} · {main}" for language, main, *_ in rows], "UTF-8 bytes per character (code point)", left=0.29)
    bars = ax.barh(range(len(rows)), values, height=0.72, color="#d6ebf7", edgecolor="#0072b2", linewidth=0.8)
    ax.bar_label(bars, fmt="%.2f", padding=2, fontsize=SMALL)
    ax.set(xlim=(0, 3.3), xticks=[0, 1, 2, 3])
    least, most = (f"{language} ({value:.2f})" for language, *_, value in (rows[0], rows[-1]))
    groups = {}
    for _, main, size, value in rows:
        letters = "Latin letters" if main == "Latin" else f"letters of {size} bytes"
        groups.setdefault(letters, []).append(value)
    said = "; ".join(f"{letters}: {counted(len(group), 'language')} with {group[0]:.2f} to {group[-1]:.2f}"
                     for letters, group in groups.items())
    return Picture(figure, f"The script decides: {values[0]:.2f} to {values[-1]:.2f} bytes per character",
                   f"The same {len(documents[0]['articles'])} articles in {len(rows)} languages. Bytes per character: {said}. "
                   f"Least: {least}; most: {most}. Blanks and ASCII punctuation take 1 byte in every script, so few averages are whole numbers.",
                   f"Horizontal bars, one a language, from {least} to {most} bytes per character; they follow the script. {said}.")


def script_shares(documents):
    """Each script's share of the characters and of the bytes of a parallel text. For lesson 1.

    documents: list of dicts with articles, as corpora.udhr returns them.
    """
    counts = script_counts("\n".join(article for document in documents for article in document["articles"]))
    characters, size = (sum(pair[n] for pair in counts.values()) for n in (0, 1))
    names = [*reversed(counts)]
    lefts = [100 * counts[name][0] / characters for name in names]
    rights = [100 * counts[name][1] / size for name in names]
    places = range(len(names))
    figure, ax = rows_of(names, "share (%)", left=0.24)
    for place, name, left, right in zip(places, names, lefts, rights):
        own, taken = counts[name]
        ax.plot([left, right], [place, place], color=MUTED, linewidth=1.2, zorder=1)
        ax.text(max(left, right) + 0.8, place, f"{taken / own:.2f} bytes each", va="center", fontsize=SMALL)
    circles, _ = lines(ax, {"of the characters": (lefts, places), "of the bytes": (rights, places)}, linestyle="", markersize=5.5)
    circles.set_markerfacecolor("white")
    ax.set_xlim(-0.6, 1.25 * max(lefts + rights))
    ax.legend(loc="lower right", fontsize=10)
    told = [f"{name} {left:.1f} % of the characters, {right:.1f} % of the bytes" for name, left, right in zip(names, lefts, rights)]
    return Picture(figure, f"{names[-1]}: {lefts[-1]:.0f} % of the characters, {rights[-1]:.0f} % of the bytes",
                   f"All {len(documents)} texts: {characters:,} characters in {size:,} bytes. {'; '.join(told[:-4:-1])}.",
                   f"One row for each of {len(names)} scripts, from its share of the characters (circle) to its share of the bytes (square). {told[-1]}.")


def premiums(found):
    """Tokens for the same text relative to English, one row a language, one marker a tokenizer. For lesson 9.

    found: dict tokenizer -> dict code -> ratio; the rows are in the order of the first tokenizer.
    """
    names, first = english_names(), next(iter(found.values()))
    codes = sorted(first, key=first.get)
    figure, ax = rows_of([names[code] for code in codes], "tokens for the same text, English = 1 (logarithmic)", left=0.16)
    spread = [[each[code] for each in found.values()] for code in codes]
    ax.hlines(range(len(codes)), [*map(min, spread)], [*map(max, spread)], color="#8c959f", linewidth=1, zorder=1)
    lines(ax, {name: ([each[code] for code in codes], range(len(codes))) for name, each in found.items()}, linestyle="", markersize=5)
    ax.set(xscale="log", xticks=[1, 2, 3, 5, 10, 20])
    ax.xaxis.set_major_formatter("{x:.0f}")
    ax.minorticks_off()
    ax.legend(loc="lower right", fontsize=10)
    worst = {name: max(each, key=each.get) for name, each in found.items()}
    medians = {name: sorted(each.values())[len(codes) // 2] for name, each in found.items()}
    said = "; ".join(f"{name} {names[code]} {found[name][code]:.2f}, median {medians[name]:.2f}" for name, code in worst.items())
    (old, a), *_, (new, b) = worst.items()
    return Picture(figure, f"Dearest language: {found[old][a]:.2f} × in {old}, {found[new][b]:.2f} × in {new}",
                   f"{len(codes)} languages, the same 30 articles. Dearest: {said}.",
                   f"One row for each of {len(codes)} languages with a marker for each of {len(found)} tokenizers; "
                   f"newer tokenizers lie further left in most rows. Dearest: {said}.")


def family(row):
    """The kind of task that a row of `data.benchmarks` belongs to, a str.

    >>> family({"task": "encode Moby-Dick, gpt2, first call", "peer": "tiktoken"})
    'encode, first call · tiktoken'
    """
    what, *_, last = [part.strip() for part in row["task"].replace(" Moby-Dick", "").split(",")] * 2
    return f"{what}{', ' + last if 'call' in last else ''} · {row['peer']}"


def speed(rows):
    """The time of tokenlab as a ratio to that of each library, one line a kind of task, one marker a text or tokenizer. For lesson 10.

    rows: list of dicts with task, peer and ratio, as `data.benchmarks` gives them.
    """
    kinds = {}
    for row in rows:
        kinds.setdefault(family(row), []).append(row["ratio"])
    order = sorted(kinds, key=lambda kind: -sorted(kinds[kind])[len(kinds[kind]) // 2])
    figure, ax = rows_of(order, "time, tokenlab / library (below 1: tokenlab is faster)", left=0.36)
    ax.axvline(1, color=INK, linewidth=1)
    for place, kind in enumerate(order):
        for ratio in kinds[kind]:
            color, _, marker = SERIES[ratio >= 1]
            ax.plot(ratio, place, marker, color=color, markersize=6)
    ratios = [row["ratio"] for row in rows]
    ax.set(xscale="log", xlim=(min(0.04, *ratios) / 1.3, max(12, *ratios) * 1.3), xticks=[0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10])
    ax.xaxis.set_major_formatter("{x:g}")
    ax.minorticks_off()
    told = []
    for kind in order[::-1]:
        ends = dict.fromkeys(f"{end(kinds[kind]):.2f}" for end in (min, max))         # one number where both are the same
        told.append(f"{kind} {'–'.join(ends)}")
    return Picture(figure, f"tokenlab is faster than the other library in {sum(ratio < 1 for ratio in ratios)} of {len(rows)} tasks",
                   "Ratios of medians: one marker for each text or tokenizer, an orange square where the other library is faster.",
                   f"One row for each of {len(order)} kinds of task, with a marker for each measurement, on both sides of the line at 1. {'; '.join(told)}.")
