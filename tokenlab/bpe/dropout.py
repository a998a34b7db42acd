"""BPE-dropout: leave out joins at random, so that one word is cut in many ways; and the chance of each way, exactly."""
import random
from collections import Counter, defaultdict
from functools import lru_cache
from itertools import pairwise
from numbers import Real

from ..errors import choose, short, whole
from .rules import rank_joined, rank_pairs

DROPOUT_RULES = {
    "paper": "after each join all pairs are candidates again, those dropped before it too (Provilkov et al. 2020)",
    "sentencepiece": "a pair that is dropped stays so until a join beside it; what is joined need only spell a token (SentencePiece)",
}
MOST_STATES = 50_000            # that `dropout_distribution` goes through


def dropout(word, merges, p, rule="paper", n=1, random_seed=0):
    """Return `n` random ways to join the symbols of `word`, each of its joins left out with chance `p`: a list of tuples.

    word: a str, whose symbols are its characters, or bytes. merges: pairs of str (or of bytes), first learned first.
    p: from 0, which is ordinary BPE, to 1, which joins nothing. rule: one of `DROPOUT_RULES`.
    The candidates come by rank, the leftmost of equals first; each is dropped with chance p, and the first that is not is
    joined; when all are dropped, the word is done.

    Raises ValueError for a p outside 0 to 1 and an unknown rule, TypeError for merges of another type than `word`.
    Source: Provilkov, Emelianenko, Voita 2020, BPE-dropout, algorithm 1; SentencePiece, bpe_model.cc (`SampleEncode`).
    Other libraries have yet other distributions: subword-nmt joins all copies of a pair that are not dropped in one step;
    tokenizers follows the paper, but where candidates overlap it offers the dropped ones again too early. Lesson 8.

    >>> dropout("abab", [("a", "b"), ("ab", "ab")], 0.5, n=3)
    [('ab', 'ab'), ('a', 'b', 'ab'), ('ab', 'a', 'b')]
    """
    (turn, state), draws, rng = _turns(word, merges, p, rule), [], random.Random(whole(random_seed, "random_seed", 0))
    for _ in range(whole(n, "n", 0)):
        now = state
        while nexts := turn(now):
            now = nexts[rng.random() >= p]
        draws.append(now[0])
    return draws


def dropout_distribution(word, merges, p, rule="paper"):
    """Return every way that `dropout` may cut `word`, with its probability, likeliest first: a list of (tuple, number).

    The arguments are those of `dropout`; with a Fraction as `p` the probabilities are Fractions. No way is drawn: the
    chances of all states are added up, those with more tokens first.

    Raises as `dropout` does, and ValueError for a word with too many states. Lesson 8.

    >>> from fractions import Fraction
    >>> for tokens, chance in dropout_distribution("abab", [("a", "b"), ("ab", "ab")], Fraction(1, 2)):
    ...     print(*tokens, chance)
    a b a b 1/4
    ab a b 1/4
    ab ab 3/16
    abab 3/16
    a b ab 1/8
    """
    (turn, state), ends = _turns(word, merges, p, rule), Counter()
    levels = defaultdict(Counter, {(len(word), 0): Counter({state: 1})})        # (tokens, pairs dropped) -> state -> chance
    # A turn leaves fewer tokens, or as many with one more pair dropped. So with most tokens first, and of these fewest dropped first,
    # all that leads to a state has been added to its chance when its level comes.
    for level in ((size, gone) for size in range(len(word), -1, -1) for gone in range(max(size, 1))):
        for now, chance in levels.pop(level, {}).items():
            if turn.cache_info().misses == MOST_STATES:
                raise ValueError(f"{short(word)} has more than {MOST_STATES:,} states: take a shorter word, or draw with `dropout`")
            nexts = turn(now)
            if not nexts:
                ends[now[0]] += chance
            for then, share in zip(nexts or (), (p, 1 - p)):
                if share:
                    levels[len(then[0]), sum(then[1])][then] += chance * share
    return sorted(ends.items(), key=lambda end: (-end[1], end[0]))


def _turns(word, merges, p, rule):
    """Return a function of a state, and the state at the beginning: the symbols, and of each pair whether it is dropped.

    The function returns the states after the candidate whose turn it is was dropped, and joined; None without a candidate.
    """
    by_text = choose(rule, DROPOUT_RULES, "dropout rule") == "sentencepiece"
    if not isinstance(p, Real) or not 0 <= p <= 1:
        raise ValueError(f"p must be a number from 0 (no join is left out) to 1 (all are), not {short(p)}")
    kind = type(word)
    if kind not in (str, bytes):
        raise TypeError(f"word must be str or bytes, not {kind.__name__} {short(word)}")
    ranks = rank_pairs(merges, kind)
    if by_text:
        ranks = rank_joined(ranks)

    @lru_cache(MOST_STATES)
    def turn(state):
        tokens, dropped = state
        found = [(rank, i) for i, (pair, gone) in enumerate(zip(pairwise(tokens), dropped))
                 if not gone and (rank := ranks.get(pair[0] + pair[1] if by_text else pair)) is not None]
        if not found:
            return None
        i = min(found)[1]
        joined = *tokens[:i], tokens[i] + tokens[i + 1], *tokens[i + 2:]
        left = dropped[:max(i - 1, 0)] + (False,) * (i > 0) + (False,) * (i + 2 < len(tokens)) + dropped[i + 2:]
        return (tokens, dropped[:i] + (True,) + dropped[i + 1:]), (joined, left if by_text else (False,) * (len(joined) - 1))
    return turn, (tuple(word[i:i + 1] for i in range(len(word))), (False,) * (len(word) - 1))
