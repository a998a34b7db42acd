"""How fast tokenlab is beside other libraries (lesson 10)."""
from .base import INK, SERIES, Picture
from .scripts import rows_of


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
    ax.set(xscale="log", xlim=(min(0.04, *map(min, kinds.values())) / 1.3, max(12, *map(max, kinds.values())) * 1.3), xticks=[0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10])
    ax.xaxis.set_major_formatter("{x:g}")
    ax.minorticks_off()
    said = "; ".join(f"{kind} {'–'.join(dict.fromkeys(f'{each:.2f}' for each in (min(kinds[kind]), max(kinds[kind]))))}" for kind in order[::-1])
    return Picture(figure, f"tokenlab is faster than the other library in {sum(row['ratio'] < 1 for row in rows)} of {len(rows)} tasks",
                   "Ratios of medians: one marker for each text or tokenizer, an orange square where the other library is faster.",
                   f"One row for each of {len(order)} kinds of task, with a marker for each measurement, on both sides of the line at 1. {said}.")
