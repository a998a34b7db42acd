"""What the blanks before a line of code cost (lesson 7)."""
from ..measure import count_tokens
from .base import SERIES, Picture, axes


def indents(toks, most=40):
    """Tokens of a line of code by the number of blanks before it, one line for tokenizers that agree. For lesson 7.

    toks: list of tokenizers; most: of the blanks, at least 8.
    """
    costs = {}
    for tok in toks:
        costs.setdefault(tuple(count_tokens(tok, " " * n + "return") for n in range(most + 1)), []).append(tok.name)
    costs = sorted(costs.items(), key=lambda pair: -pair[0][-1])
    figure, ax = axes(7.2, 3.6, bottom=0.15)
    for n, ((tokens, names), (color, style, marker)) in enumerate(zip(costs, SERIES, strict=False)):
        ax.plot(tokens, color=color, linestyle=style, linewidth=1.8, label=", ".join(names), marker=marker, markersize=5, markevery=(n, 4))
    ax.set(xlabel="blanks before return", ylabel="tokens", xlim=(0, most), ylim=(0, None))
    ax.legend(fontsize=10, frameon=False, handlelength=3.4, loc="upper left")
    told = "; ".join(f"{', '.join(names)}: {tokens[4]}, {tokens[8]}, {tokens[most]}" for tokens, names in costs)
    (*_, high), (dearest, *_) = costs[0]
    return Picture(figure, f"{most} blanks, then return: {high} tokens in {dearest}, {costs[-1][0][-1]} in {costs[-1][1][0]}",
                   f"Tokens with 4, 8 and {most} blanks: {told}.",
                   f"Lines over the number of blanks; that of {dearest} climbs, the others stay low: {told}.")
