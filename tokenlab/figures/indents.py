"""What the blanks before a line of code cost (lesson 7)."""
from ..measure import count_tokens
from .base import SERIES, Picture, axes


def indents(toks, most=40, line="return"):
    """Tokens of a line of code by the number of blanks before it, one line for tokenizers that agree. For lesson 7.

    toks: list of tokenizers; most: of the blanks, at least 1; line: the code.
    """
    costs = {}
    for tok in toks:
        costs.setdefault(tuple(count_tokens(tok, " " * n + line) for n in range(most + 1)), []).append(tok.name)
    costs = {", ".join(names): tokens for tokens, names in sorted(costs.items(), key=lambda pair: -pair[0][-1])}
    figure, ax = axes(7.2, 3.6, bottom=0.15)
    for place, ((name, tokens), (color, style, marker)) in enumerate(zip(costs.items(), SERIES, strict=False)):
        ax.plot(tokens, color=color, linestyle=style, linewidth=1.8, label=name, marker=marker, markersize=5, markevery=(place, 4))
    ax.set(xlabel=f"blanks before {line}", ylabel="tokens", xlim=(0, most), ylim=(0, None))
    ax.legend(fontsize=10, frameon=False, handlelength=3.4, loc="upper left")
    told = "; ".join(f"{name}: {tokens[4]}, {tokens[8]}, {tokens[most]}" for name, tokens in costs.items())
    (high, dearest), *_, (low, cheapest) = ((tokens[most], name.split(", ")[0]) for name, tokens in costs.items())
    return Picture(figure, f"{most} blanks, then {line}: {high} tokens in {dearest}, {low} in {cheapest}",
                   f"Tokens with 4, 8 and {most} blanks: {told}.",
                   f"Lines over the number of blanks; that of {dearest} climbs, the others stay low: {told}.")
