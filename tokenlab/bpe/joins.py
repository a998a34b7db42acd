"""Join the symbols of a chunk into tokens: the lowest id first."""
import heapq
import sys
from itertools import pairwise
from operator import add
from typing import NamedTuple

from ..errors import short

LONG = 100                      # symbols from which a heap finds the next pair faster than a scan does
NO_TOKEN = sys.maxsize


class Step(NamedTuple):
    """One join on the way from single symbols to tokens."""
    chunk: str                  # the pre-token in which it happens
    position: int               # of the pair's left half among the chunk's tokens before the step, from 0
    pair: tuple[bytes, bytes]   # the two tokens that are joined
    number: int                 # of the merge, from 1: the order of learning
    tokens: tuple[bytes, ...]   # the whole chunk after the step


def join(tokens, ids, made=None):
    """Return `tokens` joined until no two neighbours spell a token of `ids`: a list of bytes.

    tokens: a list of bytes, used up (it is changed: pass a copy to keep it); ids: a mapping of bytes -> int. The pair whose joined bytes have the lowest id
    goes first, the leftmost of equals. made: a list that takes (position, new id) of each join;
    a long `tokens` is then scanned as a short one is, without the heap, which does not know positions.
    Source: openai/gpt-2, src/encoder.py (`bpe`), and tiktoken, which looks up the joined bytes as this does. Lesson 4.

    >>> join([b"a", b"b", b"c"], {b"ab": 3, b"bc": 4})
    [b'ab', b'c']
    """
    if len(tokens) >= LONG and made is None:
        return _join_with_heap(tokens, ids)
    get = ids.get
    joined = [get(left + right, NO_TOKEN) for left, right in pairwise(tokens)]
    while joined and (lowest := min(joined)) != NO_TOKEN:
        i = joined.index(lowest)
        if made is not None:
            made.append((i, lowest))
        del joined[i]
        new = tokens[i] = tokens[i] + tokens.pop(i + 1)
        if i:                                                   # only the pairs beside the join have changed
            joined[i - 1] = get(tokens[i - 1] + new, NO_TOKEN)
        if i < len(joined):
            joined[i] = get(new + tokens[i + 1], NO_TOKEN)
    return tokens


def steps_of(chunk, symbols, ids, number_of):
    """Return how the `symbols` of `chunk` are joined by `join`: a list of Step.

    symbols: a list of bytes, used up; ids: as for `join`. number_of: a function of the new id that gives the merge's number.

    >>> for step in steps_of("abc", [b"a", b"b", b"c"], {b"ab": 3, b"abc": 4}, lambda new: new - 2):
    ...     print(step.position, step.pair, step.number, step.tokens)
    0 (b'a', b'b') 1 (b'ab', b'c')
    0 (b'ab', b'c') 2 (b'abc',)
    """
    steps, tokens, made = [], tuple(symbols), []
    join(symbols, ids, made)
    for i, new in made:
        pair = tokens[i:i + 2]
        tokens = (*tokens[:i], b"".join(pair), *tokens[i + 2:])
        steps.append(Step(chunk, i, pair, number_of(new), tokens))
    return steps


def _join_with_heap(tokens, ids):
    """What `join` makes of `tokens`, in about n log n steps for n of them instead of n * n.

    A heap holds the pairs, lowest id first. Nothing moves: of two joined tokens the left place holds the result and
    the right one None, and each place knows the next and the previous that are in use.
    """
    end = len(tokens)
    before, after = list(range(-1, end)), list(range(1, end + 1))
    joined = [*map(ids.get, map(add, tokens, tokens[1:])), None]        # the id that each place and the next would make
    heap = [new * end + i for i, new in enumerate(joined) if new is not None]       # one number sorts as (id, place) does
    heapq.heapify(heap)
    while heap:
        new, left = divmod(heapq.heappop(heap), end)
        if joined[left] != new:
            continue                                            # one of the two has been joined to another since
        right = after[left]
        tokens[left] += tokens[right]
        tokens[right] = joined[right] = None
        after[left] = after[right]
        before[after[left]] = left
        for i, j in (before[left], left), (left, after[left]):
            joined[i] = ids.get(tokens[i] + tokens[j]) if i >= 0 and j < end else None
            if joined[i] is not None:
                heapq.heappush(heap, joined[i] * end + i)
    return [token for token in tokens if token is not None]


def recover_merges(spelled):
    """Return the pair that each token was made of: a list of (left, right), each bytes.

    spelled: the tokens that merging made, in the order of learning, each as a list of its symbols (bytes).
    The merges before a token's own leave two tokens of it: its halves.

    Raises ValueError for a token of which they leave more. Source: karpathy/minbpe, gpt4.py (`recover_merges`). Lesson 4.

    >>> recover_merges([[b"a", b"b"], [b"a", b"b", b"c"]])
    [(b'a', b'b'), (b'ab', b'c')]
    """
    earlier, merges = {}, []
    for symbols in spelled:
        token = b"".join(symbols)
        halves = tuple(join(symbols, earlier))
        if len(halves) != 2:
            raise ValueError(f"no merge makes the token {short(token)}: the merges before it leave {len(halves)} parts, "
                             f"{short(halves)}, and not two; it is no merge list, or needs the lookup of whole chunks")
        merges.append(halves)
        earlier[token] = len(earlier)
    return merges
