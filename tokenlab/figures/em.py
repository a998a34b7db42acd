"""How EM converges: the probability of each piece, and the log-likelihood, round by round (lesson 5)."""
from ..views.base import count
from ..views.lattice import signed
from .base import INK, MUTED, SERIES, Layered, dressed, axes

NAMED, GONE = 7, 1e-6           # pieces that get a line of their own, and a probability that is as good as none


class Convergence:
    """The picture of a history of EM: drawn once, then only a cursor moves. For lesson 5.

    history: list of unigram.Round, as `unigram.em` returns it, of at least two rounds. claimed: probabilities after rounds
    1, 2, … that someone states for the piece `of`; they are drawn as crosses.
    """

    def __init__(self, history, claimed=(), of=""):
        from matplotlib.lines import Line2D

        self.history, self.kept = history, {}
        self.end = sorted(history[-1].p.items(), key=lambda item: -item[1])
        self.left = [piece for piece, value in self.end if value > GONE]
        self.figure, ax = axes(7.2, 3.2, left=0.09, right=0.48, bottom=0.17)
        other = dressed(self.figure.add_axes((0.75, 0.17, 0.24, ax.get_position().height)))
        self.axes, rounds = (ax, other), range(len(history))
        for piece, _ in self.end[NAMED:]:
            ax.plot(rounds, [state.p[piece] for state in history], color=MUTED, linewidth=0.7)
        for (piece, _), (color, style, marker) in zip(self.end[:NAMED], SERIES):
            ax.plot(rounds, [state.p[piece] for state in history], color=color, linestyle=style, marker=marker, markersize=4,
                    markevery=max(1, len(history) // 6), linewidth=1.6, label=piece)
        if claimed:
            ax.plot(range(1, len(claimed) + 1), claimed, "x", color=INK, markersize=7, label=f"claimed for {of}")
        ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9.5, frameon=False, handlelength=3.4,
                  title=f"thin: {count(len(self.end) - NAMED, 'other')}" if len(self.end) > NAMED else None, title_fontsize=9)
        other.plot(rounds, [state.log_likelihood for state in history], color=SERIES[0][0], linewidth=1.8)
        ax.set(xlabel="round", ylabel="probability", ylim=0)
        other.set(xlabel="round", ylabel="log-likelihood (nats)")
        ax.yaxis.set_major_formatter("{x:g}")
        other.yaxis.set_major_formatter("{x:,g}")
        self.cursors = [self.figure.add_artist(Line2D([], [], color=INK, linewidth=1, marker="o", markevery=[1], transform=each.transData))
                        for each in self.axes]

    def at(self, k=None, title=""):
        """The Layered picture with its cursor at round `k`; None: no cursor, and the title says what is left in the end."""
        first, last = self.history[0], self.history[-1]
        rise = f"log-likelihood {signed(first.log_likelihood)} → {signed(last.log_likelihood)}"
        now = last if k is None else self.history[k]
        tops = max(now.p.values()), now.log_likelihood
        for cursor, ax, top in zip(self.cursors, self.axes, tops):
            cursor.set_data([now.number] * 2, [ax.get_ylim()[0], top])
            cursor.set_visible(k is not None)
        values = ", ".join(f"{piece} {now.p[piece]:.3f}" for piece, _ in self.end[:NAMED])
        title = title or (f"{len(self.left)} of {len(self.end)} pieces are left; {rise}" if k is None else
                          f"Round {k}: log-likelihood {signed(now.log_likelihood)}")
        alt = (f"Left, {len(self.end)} lines of probability over {count(len(self.history) - 1, 'round')}, of which {len(self.left)} stay above "
               f"zero: {', '.join(self.left[:NAMED])}; right, a curve that never falls: {rise}.")
        return Layered(self.figure, title, f"Round {now.number}: {values}; {rise} in {count(len(self.history) - 1, 'round')}.", alt,
                       self.kept, None)


def convergence(history, claimed=(), of=""):
    """Probabilities and log-likelihood over the rounds of EM, as a picture; arguments as in `Convergence`. For lesson 5."""
    return Convergence(history, claimed, of).at()
