"""What it costs to do without a piece: exactly, and by the approximations that trainers use. Lesson 6."""
from functools import partial

from ..errors import choose, whole
from . import np
from .em import log
from .lattice import NOWHERE, lattices
from .seeds import read_words
from .tokenizer import UNKNOWN_PENALTY
from .words import check_probabilities

SPARE = 1e-12           # the least probability that `prune` leaves to a character: EM can have made it 0
UNKNOWN = "▅"           # a character that is no piece; the last of a model's pieces, as in SentencePiece's trainer


class Model:
    """Pieces with scores (logarithms) and their arcs over all words; the last piece, UNKNOWN, is added here.

    An unknown character has a score UNKNOWN_PENALTY below the lowest, as in both libraries.
    """

    def __init__(self, pieces, scores, words):
        self.pieces, self.scores, self.words = [*pieces, UNKNOWN], np.append(scores, np.min(scores) - UNKNOWN_PENALTY), words

    def keep(self, order):
        """Return the Model of the pieces numbered `order`, in that order; a character that goes is unknown from then on."""
        number = np.array([len(order) if len(piece) == 1 else -1 for piece in self.pieces])
        number[order] = np.arange(len(order))
        piece = number[self.words.piece]
        return Model([self.pieces[i] for i in order.tolist()], self.scores[order], self.words.keep(piece >= 0, piece))

    def second_best(self):
        """Segment each piece without itself. Returns the scores of the pieces' segmentations, and two arrays: part a[i] of x[i]."""
        long = {piece: i for i, piece in enumerate(self.pieces) if len(piece) > 1}
        parts = lattices(dict.fromkeys(long, 1), dict.fromkeys([*self.pieces[:-1], *"".join(self.pieces)], 1))
        x = np.array(sorted(long.values(), key=lambda i: -len(self.pieces[i])), int)        # as the words of `parts`
        piece = np.minimum(parts.piece, len(self.pieces) - 1)                               # unknown characters
        parts, scores = parts.keep(piece != x[parts.word], piece), np.full(len(self.pieces), -np.inf)
        scores[x], used = parts.run(self.scores, best=True)
        return scores, x[parts.word[used > 0]], parts.piece[used > 0]


def reassigned(model, like_huggingface=False):
    """Return the loss of each piece as SentencePiece estimates it, in nats; infinity if nothing else spells the piece.

    c(x) · (log c(x)/S − Σ log (c(a) + c(x))/(S + c(x)·(|A| − 1))) for a piece x. c: counts on the words' best paths;
    S: their sum; A: the pieces a of x's second-best segmentation.
    like_huggingface: with the size of the whole vocabulary for |A|, as Hugging Face's trainer has it by mistake.
    """
    _, count = model.words.count(model.scores, best=True)
    total, (_, x, a) = count.sum(), model.second_best()
    if not like_huggingface:                    # in SentencePiece's trainer unknown characters pay into the first piece
        count[0] = count[-1] = count[0] + count[-1]
    number = np.bincount(x, minlength=len(count))
    more = count * ((len(count) if like_huggingface else number) - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.bincount(x, np.log(count[x] + count[a]), len(count)) - number * np.log(total + more)
        loss = np.where(number == 0, np.inf, count * (np.log(count / total) - apart))
    return np.where((count == 0) & ((number > 0) | (not like_huggingface)), 0, loss)[:-1]


def without(model, best=False, rounds=0):
    """Return the loss of each piece, in nats, when the words that can have it are scored again without it.

    best: by their likeliest segmentation alone. rounds: of plain EM on all words before that, with the piece and without.
    """
    def refit(words):
        scores = model.scores
        for _ in range(rounds):
            _, expected = words.count(scores)
            scores = log(expected / expected.sum())
        return words.run(scores, best)[0]

    def lost(i):
        touched = np.full(len(logs), rounds > 0)
        touched[words.word[words.piece == i]] = True
        again = refit(words.keep((words.piece != i) & touched[words.word], words.piece))
        loss = words.counts[touched] @ (logs - again)[touched]
        return loss if loss < -NOWHERE / 2 else np.inf          # a word that is not covered any more

    words, logs = model.words, refit(model.words)
    return np.array([lost(i) if len(piece) > 1 else np.inf for i, piece in enumerate(model.pieces[:-1])])


LOSSES = {
    "sentencepiece": reassigned,                                # its count goes to its second-best segmentation
    "huggingface": partial(reassigned, like_huggingface=True),  # the same, with a number mixed up
    "viterbi": partial(without, best=True),                     # the best paths that have it are sought again
    "marginal": without,                                        # the words that can have it are summed again
    "exact": partial(without, rounds=2),                        # EM again
}


def losses(words, p, loss="sentencepiece"):
    """Return by how much the log-likelihood of `words` falls without each piece, as a dict of piece -> loss in nats.

    words: a dict of word -> count. p: a dict of piece -> probability.
    loss: "exact" compares EM (2 rounds) with and without the piece; "marginal" sums the words again that can have it, at
    the same probabilities; "viterbi" does so for their best segmentations; "sentencepiece" and "huggingface" move its
    count to its second-best segmentation. A single character costs infinity, and so does what nothing else can spell
    (but the last two spell it with unknown characters, as in training).
    Raises ValueError as `em` does, and for an unknown loss. Source: Kudo 2018, section 3.2. Lesson 6.

    >>> p = {"a": .25, "b": .25, "ab": .375, "ba": .125}
    >>> {name: round(losses({"ab": 4, "ba": 1, "aba": 1}, p, name)["ab"], 2) for name in LOSSES}
    {'sentencepiece': 6.16, 'huggingface': 14.27, 'viterbi': 8.27, 'marginal': 8.88, 'exact': 3.51}
    """
    choose(loss, LOSSES, "loss")
    model = Model(check_probabilities(p), log([*p.values()]), lattices(read_words(words), p))
    return dict(zip(p, LOSSES[loss](model).tolist()))


def prune(words, p, size, loss="sentencepiece"):
    """Return the `size` pieces of `p` whose loss is greatest, with probabilities that sum to 1; all characters stay, with some chance.

    words, p, loss: as in `losses`. size: pieces to keep, from the number of single characters in `p`.
    Raises ValueError as `losses` does, and for a smaller size. Lesson 6.

    >>> prune({"ab": 4, "ba": 1, "aba": 1}, {"a": .25, "b": .25, "ab": .375, "ba": .125}, 3)
    {'a': 0.2857142857142857, 'b': 0.2857142857142857, 'ab': 0.42857142857142855}
    """
    whole(size, "size", sum(len(piece) == 1 for piece in check_probabilities(p)), advice=" (every character stays)")
    cost = losses(words, p, loss)
    order = set(sorted(p, key=lambda piece: (len(piece) > 1, -cost[piece]))[:size])
    kept = {piece: max(value, SPARE * (len(piece) == 1)) for piece, value in p.items() if piece in order}
    total = sum(kept.values())
    return {piece: value / total for piece, value in kept.items()}
