"""Join the symbols of a chunk into tokens: the lowest id first."""
import heapq
import sys
from itertools import pairwise

LONG = 100                      # symbols from which a heap finds the next pair faster than a scan does
NO_TOKEN = sys.maxsize


def join(tokens, ids):
    """Return `tokens` joined until no two neighbours spell a token of `ids`: a list of bytes.

    tokens: a list of bytes, used up; ids: a mapping of bytes -> int. The pair whose joined bytes have the lowest id
    goes first, the leftmost of equals. Source: openai/gpt-2, src/encoder.py (`bpe`), and tiktoken, which looks up the
    joined bytes as this does. Lesson 4. See also `joins`.

    >>> join([b"a", b"b", b"c"], {b"ab": 3, b"bc": 4})
    [b'ab', b'c']
    """
    if len(tokens) >= LONG:
        return _join_with_heap(tokens, ids)
    for _ in joins(tokens, ids):
        pass
    return tokens


def joins(tokens, ids):
    """Join as `join` does, in the list `tokens` itself; yield the (position, new id) of each join after it is made.

    >>> tokens = [b"a", b"b", b"c", b"a", b"b"]
    >>> for position, new in joins(tokens, {b"ab": 3, b"abc": 4}):
    ...     print(position, new, tokens)
    0 3 [b'ab', b'c', b'a', b'b']
    2 3 [b'ab', b'c', b'ab']
    0 4 [b'abc', b'ab']
    """
    joined = [ids.get(left + right, NO_TOKEN) for left, right in pairwise(tokens)]
    while joined and (lowest := min(joined)) != NO_TOKEN:
        i = joined.index(lowest)
        tokens[i:i + 2] = [tokens[i] + tokens[i + 1]]
        del joined[i]
        for j in (i - 1, i):                                    # only the pairs beside the join have changed
            if 0 <= j < len(joined):
                joined[j] = ids.get(tokens[j] + tokens[j + 1], NO_TOKEN)
        yield i, lowest


def _join_with_heap(tokens, ids):
    """What `joins` makes of `tokens`, in about n log n steps for n of them instead of n * n.

    A heap holds the pairs, lowest id first. Nothing moves: of two joined tokens the left place holds the result and
    the right one None, and each place knows the next and the previous that are in use.
    """
    end = len(tokens)
    before, after = list(range(-1, end - 1)), list(range(1, end + 1))
    heap = [(ids[pair], i) for i, pair in enumerate(map(b"".join, pairwise(tokens))) if pair in ids]
    heapq.heapify(heap)
    while heap:
        new, left = heapq.heappop(heap)
        right = after[left]
        if tokens[left] is None or right == end or ids.get(tokens[left] + tokens[right]) != new:
            continue                                            # one of the two has been joined to another since
        tokens[left], tokens[right] = tokens[left] + tokens[right], None
        after[left] = after[right]
        if after[left] < end:
            before[after[left]] = left
        for i in (before[left], left):
            if i >= 0 and after[i] < end and (pair := tokens[i] + tokens[after[i]]) in ids:
                heapq.heappush(heap, (ids[pair], i))
    return [token for token in tokens if token is not None]
