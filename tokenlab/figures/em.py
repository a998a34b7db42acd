"""How EM converges: the probability of each piece, and the log-likelihood, round by round (lesson 5)."""
from ..views.base import count
from ..views.lattice import signed
from .base import INK, MUTED, SERIES, Layered, axes, dressed

NAMED, GONE = 7, 1e-6           # pieces that get a line of their own, and a probability that is as good as none


class Convergence:
    """The picture of a history of EM: drawn once, then only a cursor moves. For lesson 5.

    history: list of unigram.Round, as `unigram.em` returns it, of at least two rounds. claimed: probabilities after rounds
    1, 2, … that someone states for the piece `of`; they are drawn as crosses.
    """

    def __init__(self, history, claimed=(), of=""):
        from matplotlib.lines import Line2D

        self.history, self.kept, rounds = history, {}, range(len(history))
        self.pieces = sorted(history[-1].p, key=history[-1].p.get, reverse=True)
        self.figure, ax = axes(7.2, 3.2, left=0.09, right=0.48, bottom=0.17)
        other = dressed(self.figure.add_axes((0.76, 0.17, 0.23, ax.get_position().height)))
        for piece, (color, style, marker) in zip(self.pieces[:NAMED], SERIES):
            ax.plot(rounds, [state.p[piece] for state in history], color=color, linestyle=style, marker=marker, markersize=4,
                    markevery=max(1, len(history) // 6), linewidth=1.6, label=piece)
        for piece in self.pieces[NAMED:]:
            ax.plot(rounds, [state.p[piece] for state in history], color=MUTED, linewidth=0.7)
        if claimed:
            ax.plot(range(1, len(claimed) + 1), claimed, "x", color=INK, markersize=7, label=f"claimed: {of}")
        ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9.5, frameon=False, handlelength=3.4, title_fontsize=9.5,
                  title=f"thin: {count(len(self.pieces) - NAMED, 'other')}" if len(self.pieces) > NAMED else None)
        other.plot(rounds, [state.log_likelihood for state in history], color=SERIES[0][0], linewidth=1.8)
        ax.set(xlabel="round", ylabel="probability", ylim=0)
        other.set(xlabel="round", ylabel="log-likelihood (nats)")
        self.axes = ax, other
        for each in self.axes:
            each.yaxis.set_major_formatter("{x:g}")
        self.cursors = [self.figure.add_artist(Line2D([], [], color=INK, marker="o", markevery=[1], transform=each.transData))
                        for each in self.axes]

    def at(self, k=None):
        """The Layered picture with its cursor at round `k`; None: without a cursor, and the title says what is left in the end."""
        now, last = self.history[-1 if k is None else k], self.history[-1]
        for cursor, ax, top in zip(self.cursors, self.axes, (max(now.probabilities), now.log_likelihood)):
            cursor.set_data([now.number] * 2, [ax.get_ylim()[0], top])
            cursor.set_visible(k is not None)
        left = ", ".join(piece for piece in self.pieces[:NAMED] if last.p[piece] > GONE)
        rise = f"log-likelihood {signed(self.history[0].log_likelihood)} → {signed(last.log_likelihood)}"
        values = ", ".join(f"{piece} {now.p[piece]:.3f}" for piece in self.pieces[:NAMED])
        title = f"Left of {len(self.pieces)} pieces: {left}; {rise}" if k is None else f"Round {k}: log-likelihood {signed(now.log_likelihood)}"
        alt = f"Left, a line for the probability of each piece; above zero stay {left}. Right, a curve that never falls: {rise}."
        return Layered(self.figure, title, f"Round {now.number}: {values}; {rise} in {last.number} rounds.", alt, self.kept, None)


def convergence(history, claimed=(), of=""):
    """Probabilities and log-likelihood over the rounds of EM, as a picture; arguments as in `Convergence`. For lesson 5."""
    return Convergence(history, claimed, of).at()
