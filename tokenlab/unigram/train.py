"""Train a Unigram vocabulary: many seeds, then EM and pruning in turns, as SentencePiece and Hugging Face tokenizers do."""
import math
from dataclasses import dataclass
from numbers import Real

from ..bpe.learn import goes_on
from ..errors import choose, short, whole
from ..sentencepiece import Normalizer
from . import np
from .em import Round
from .pruning import LOSSES, Model
from .seeds import SEEDS, cover, find_seeds, read_chunks
from .tokenizer import Tokenizer

SPECIALS = {"substrings": 0, "branching": 3, "branching-bytes": 3, "unique-words": 1}     # what each library counts into its own vocab_size
FEWEST = 0.5            # the expected count below which a piece goes
KEPT = 0.75             # of the pieces, in each pruning
STEPS = 2               # of EM before each pruning


@dataclass(frozen=True, repr=False)
class UnigramTrace:
    """A whole training run. Lesson 5."""
    history: tuple[Round, ...]          # each round of EM: what it began with, counted, and what was dropped after it
    scores: dict[str, float]            # the pieces, with the logarithms of their probabilities, greatest first

    def __repr__(self):
        return f"UnigramTrace({len(self.history)} rounds, {len(self.history[0].pieces)} seeds -> {len(self.scores)} pieces)"

    def tokenizer(self):
        """Return the tokenizer of these pieces; <unk>, <s> and </s> come before them. It puts ▁ before a text if a piece has one."""
        return Tokenizer(self.scores, normalizer=Normalizer(add_dummy_prefix=any("▁" in piece for piece in self.scores)))


def train(source, *, vocab_size=1000, seeds="branching", loss="sentencepiece", coverage=1.0, progress=None):
    """Learn the pieces of a Unigram vocabulary from `source`, and return the whole run as a UnigramTrace.

    Many seeds; then in turns two rounds of EM, and a pruning that keeps 75 %, until 1.1 times the size is left; at last
    the most probable pieces. As SentencePiece 0.2.3 does it, the M-step takes digamma of the expected counts and drops
    what is below 0.5, and dropped characters come back at the end.

    source: a str (lines are cut at blanks into ▁words), an iterable of str, or a mapping word -> count, taken as it stands.
    vocab_size: pieces, specials apart: SentencePiece's own number counts 3 of them, that of tokenizers 1.
    seeds: a name of `SEEDS`; "unique-words" also follows tokenizers in when to stop. loss: a name of `LOSSES`, by which
    is pruned ("viterbi", "marginal" and "exact" take time in proportion to the pieces: for small corpora).
    coverage: the share of the text whose characters become pieces, the most frequent first.
    progress: called after every second round with (rounds done, rounds expected). If it returns False (or anything else that
        counts as false, other than None) training ends there, and cuts what it has to the size.

    Raises ValueError for an unknown name, an empty corpus, a vocab_size below the number of characters, a coverage
    that is not above 0 and at most 1. Source: Kudo 2018; SentencePiece 0.2.3; tokenizers 0.23. Lesson 5; pruning, lesson 6.

    >>> trace = train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, vocab_size=9)
    >>> trace, list(trace.scores)[:3]
    (UnigramTrace(2 rounds, 10 seeds -> 9 pieces), ['n', 'pu', 'hug'])
    """
    choose(loss, LOSSES, "loss")
    chunks = read_chunks(source, choose(seeds, SEEDS, "seeds"))
    if not isinstance(coverage, Real) or not 0 < coverage <= 1:
        raise ValueError(f"coverage must be above 0 and at most 1 (all characters), not {short(coverage)}")
    required = cover(chunks, coverage)
    whole(vocab_size, "vocab_size", len(required), advice=f" (there are {len(required)} characters, and each is a piece)")
    like_huggingface, history = seeds == "unique-words", []
    pieces, scores, words = find_seeds(chunks, seeds, required)
    order = np.lexsort(([-len(piece.encode()) for piece in pieces], -scores, [len(piece) > 1 for piece in pieces]))
    wanted = order[[len(pieces[i]) > 1 or pieces[i] in required for i in order]]
    model = Model(pieces, np.log(scores / scores.sum()), words).keep(wanted)
    desired, extra = (vocab_size + SPECIALS[seeds]) * 11 // 10, int(like_huggingface)        # tokenizers counts <unk> too
    expected_rounds = STEPS * (2 + math.ceil(math.log(max(1, len(pieces) / desired)) / math.log(1 / KEPT)))
    while True:
        for _ in range(STEPS):
            model = em_round(model, history, like_huggingface)
        if not goes_on(progress, len(history), expected_rounds) or like_huggingface and len(model.pieces) <= desired:
            break
        losses = LOSSES[loss](model)
        order = np.argsort(-losses, kind="stable")
        order = order[losses[order] != 0][:max(desired, int(KEPT * (len(losses) + extra))) - extra]
        if not len(order):                      # nothing can be compared: a corpus of one piece
            break
        model = drop(model, history, order, "smallest loss")
        if not like_huggingface and len(model.pieces) - 1 <= desired:
            break
    if not like_huggingface:
        likelier = model.second_best()[0] > model.scores
        model = drop(model, history, np.flatnonzero(~likelier)[:-1], "its parts are likelier")
    return UnigramTrace(tuple(history), finish(model, history, required, vocab_size, by_score=not like_huggingface))


def em_round(model, history, like_huggingface):
    """Return the model after a round of EM, as both libraries do it, and add what it began with to the history."""
    logs, expected = model.words.count(model.scores)
    if not like_huggingface:                    # in SentencePiece's trainer unknown characters pay into the first piece
        expected[0] += expected[-1]
    history.append(Round(len(history), tuple(model.pieces[:-1]), np.exp(model.scores[:-1]), float(model.words.counts @ logs),
                         expected[:-1], {}))
    kept = np.flatnonzero(expected[:-1] >= min(FEWEST, expected[:-1].max()))         # at least one
    model = drop(model, history, kept, f"expected count below {FEWEST}")
    return Model(model.pieces[:-1], digamma(expected[kept]) - digamma(expected[kept].sum()), model.words)


def drop(model, history, order, why):
    """Return the model of the pieces numbered `order`, and note in the history why the others went."""
    rest = model.keep(order)
    history[-1].dropped.update(dict.fromkeys(set(model.pieces) - set(rest.pieces), why))
    return rest


def finish(model, history, required, vocab_size, by_score):
    """Return the final pieces with their scores: the required characters, then the best of the others."""
    scores = dict(zip(model.pieces[:-1], model.scores.tolist()))
    order = sorted(scores, key=lambda piece: (-round(scores[piece], 6), piece)) if by_score else [*scores]
    low, missing = min(scores.values()), [character for character in required if character not in scores]
    scores |= {character: min(0.0, low + 0.0001 * i) for i, character in enumerate(missing)}
    final = [*dict.fromkeys([*required, *order])][:vocab_size]
    history[-1].dropped.update(dict.fromkeys(scores.keys() - set(final), "final cut"))
    return {piece: scores[piece] for piece in sorted(final, key=lambda piece: (-scores[piece], piece))}


def digamma(x):
    """Return the derivative of log Γ at each x: by recurrence up to 7, then by its asymptotic series, as SentencePiece has it.

    >>> digamma([1.0])          # minus Euler's constant
    array([-0.57721566])
    """
    x, result = np.array(x, float), 0.0
    while (small := x < 7).any():
        result = result - np.where(small, 1 / x, 0)
        x = x + small
    x = x - 0.5
    return result + np.log(x) + 1 / (24 * x**2) - 7 / (960 * x**4) + 31 / (8064 * x**6) - 127 / (30720 * x**8)
