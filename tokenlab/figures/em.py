"""How EM converges: the probability of each piece, and the log-likelihood, round by round (lesson 5)."""
from ..views.lattice import signed
from .base import INK, MUTED, SERIES, Layered, Picture, axes, dressed

NAMED, GONE = 7, 1e-6           # pieces that get a line of their own, and a probability that is as good as none


class Convergence:
    """The picture of a history of EM: drawn once, then only a cursor moves. For lesson 5.

    history: list of unigram.Round, as `unigram.em` returns it, of at least two rounds. claimed: what someone says that one of the
    probabilities is after rounds 1, 2, …; drawn as crosses.
    """

    def __init__(self, history, claimed=()):
        self.history, self.kept, rounds = history, {}, range(len(history))
        end = sorted(history[-1].p.items(), key=lambda item: -item[1])
        self.left = [piece for piece, value in end if value > GONE]
        self.figure, ax = axes(7.2, 3.2, left=0.09, right=0.49, bottom=0.17)
        other = dressed(self.figure.add_axes((0.78, 0.17, 0.21, ax.get_position().height)))
        for piece, _ in end[len(self.left[:NAMED]):]:
            ax.plot(rounds, [state.p[piece] for state in history], color=MUTED, linewidth=0.7)
        for piece, (color, style, marker) in zip(self.left[:NAMED], SERIES):
            ax.plot(rounds, [state.p[piece] for state in history], color=color, linestyle=style, marker=marker, markersize=4,
                    markevery=max(1, len(history) // 6), linewidth=1.6, label=piece)
        if claimed:
            ax.plot(range(1, len(claimed) + 1), claimed, "x", color=INK, markersize=7, label="claimed")
        ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9.5, frameon=False, handlelength=3.4)
        other.plot(rounds, [state.log_likelihood for state in history], color=SERIES[0][0], linewidth=1.8)
        ax.set(xlabel="round", ylabel="probability", ylim=0)
        other.set(xlabel="round", ylabel="log-likelihood (nats)")
        self.axes = ax, other
        for each in self.axes:
            each.yaxis.set_major_formatter("{x:g}")

    def at(self, k=None):
        """The picture with a cursor at round `k`; None: without, and the title says what is left in the end."""
        from matplotlib.lines import Line2D

        now, last = self.history[-1 if k is None else k], self.history[-1]
        left = ", ".join(self.left[:NAMED]) + ", …" * (len(self.left) > NAMED)
        rise = f"log-likelihood {signed(self.history[0].log_likelihood)} → {signed(last.log_likelihood)}"
        caption = f"Round {now.number}: {', '.join(f'{piece} {now.p[piece]:.3f}' for piece in self.left[:NAMED])}; "
        caption += f"{rise} in {last.number} rounds." + " Thin lines: the other pieces." * (len(now.pieces) > len(self.left[:NAMED]))
        alt = f"Left, a line for the probability of each piece; above zero stay {left}. Right, a curve that never falls: {rise}."
        if k is None:
            return Picture(self.figure, f"{len(self.left)} of {len(now.pieces)} pieces are left: {left}", caption, alt)
        for cursor in [*self.figure.artists]:
            cursor.remove()
        for ax, top in zip(self.axes, (max(now.probabilities), now.log_likelihood)):
            self.figure.add_artist(Line2D([k, k], [ax.get_ylim()[0], top], color=INK, marker="o", markevery=[1], transform=ax.transData))
        return Layered(self.figure, f"Round {k}: log-likelihood {signed(now.log_likelihood)}", caption, alt, self.kept, None)


def convergence(history, claimed=()):
    """Probabilities and log-likelihood over the rounds of EM, as a picture; arguments as in `Convergence`. For lesson 5."""
    return Convergence(history, claimed).at()
