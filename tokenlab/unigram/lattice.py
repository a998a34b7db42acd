"""The segmentations of all words at once, in arrays of numpy: the same sums as `forward_backward`, in logarithms.

A node is a place between two characters of one word; an arc leads from node to node over one piece. All arcs that end
after t characters, in whatever word, are computed together, t = 1, 2, … So there are only as many steps as the longest
word has characters, and numpy does the work of each.
"""
from itertools import pairwise
from typing import Any, NamedTuple

from . import np
from .words import arcs

NOWHERE = -1e300        # the logarithm of no chance at all; finite, so that differences stay numbers


class Lattices(NamedTuple):
    """The arcs of many words, longest first. Node t of word k has the number first[t] + k: nodes of one t are neighbours."""
    counts: Any         # how often each word occurs
    first: Any          # the number of the first node of each t, and last how many nodes there are
    final: Any          # the last node of each word
    word: Any           # of each arc, sorted by end, then longest first: in which word it is,
    start: Any          # the node where it starts,
    end: Any            # the node where it ends,
    piece: Any          # and the number of its piece

    @classmethod
    def of(cls, counts, lengths, word, start, end, piece):
        """Lay out the arcs of words of these lengths, longest first; word, start, end, piece: arrays, one entry an arc."""
        first = np.append(0, np.bincount(lengths)[::-1].cumsum()[::-1].cumsum())       # so many words have a node t
        order = np.lexsort((start, first[end] + word))
        word, start, end, piece = word[order], start[order], end[order], piece[order]
        return cls(np.array(counts, float), first, first[lengths] + np.arange(len(lengths)),
                   word, first[start] + word, first[end] + word, piece)

    def keep(self, kept, piece):
        """Return the Lattices of those arcs for which `kept` is true; piece: the numbers of the pieces of all."""
        return self._replace(word=self.word[kept], start=self.start[kept], end=self.end[kept], piece=piece[kept])

    def run(self, scores, best=False):
        """Return the logarithm of each word's probability, and how often each arc is used, words times their counts.

        scores: the logarithm of each piece's probability. best: only the likeliest segmentation of each word counts,
        ties as in `viterbi`; otherwise all do, each by its share. Going back needs no second table of logarithms: what
        reaches a node is shared out among the arcs that end there, each as much as it brought.
        """
        log, gain, share = np.full(self.first[-1], NOWHERE), scores[self.piece], np.zeros(len(self.piece))
        log[:len(self.final)] = 0
        heads = np.flatnonzero(np.diff(self.end, prepend=-1))           # the first arc of each node
        sizes, borders = np.diff(heads, append=len(self.end)), np.append(heads, len(self.end))
        cuts = np.searchsorted(self.end[heads], self.first)
        steps = [(slice(a, b), slice(borders[a], borders[b])) for a, b in pairwise(cuts) if a < b]
        for nodes, step in steps:
            x, local = log[self.start[step]] + gain[step], heads[nodes] - step.start
            top = np.maximum.reduceat(x, local)
            x -= np.repeat(top, sizes[nodes])
            if best:
                equal = np.flatnonzero(x == 0) + step.start
                share[equal[np.diff(self.end[equal], prepend=-1) > 0]] = 1      # the first of equals
            else:
                np.exp(x, out=x)
                total = np.add.reduceat(x, local)
                share[step] = x / np.repeat(total, sizes[nodes])
                top += np.log(total)
            log[self.end[heads[nodes]]] = top
        reach = np.zeros(len(log))
        reach[self.final] = self.counts
        for _, step in reversed(steps):
            share[step] *= reach[self.end[step]]
            np.add.at(reach, self.start[step], share[step])
        return log[self.final], share

    def count(self, scores, best=False):
        """Return what `run` returns, with the use of each piece in place of that of each arc."""
        logs, used = self.run(scores, best)
        return logs, np.bincount(self.piece, used, len(scores))


def lattices(words, p):
    """Return the Lattices of a dict word -> count over a dict piece -> probability; a piece's number is its place in `p`."""
    number, names, longest = {piece: i for i, piece in enumerate(p)}, sorted(words, key=len, reverse=True), max(map(len, p), default=0)
    found = [(k, start, end, number[piece]) for k, word in enumerate(names) for start, end, piece in arcs(word, p, longest)]
    return Lattices.of([words[name] for name in names], np.array([*map(len, names)], int), *np.array(found, int).reshape(-1, 4).T)
