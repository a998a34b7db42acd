"""Five published rules for the order of the joins, and two wrong ones that look right."""
from collections.abc import Mapping
from itertools import pairwise
from operator import itemgetter

from ..errors import choose, short
from .joins import join
from .pairs import merge

ENCODING_RULES = {
    "lowest-rank": "join the pair with the lowest rank, the leftmost of equals, one at a time (Hugging Face tokenizers)",
    "merge-all": "join every occurrence of the pair with the lowest rank, then look again (GPT-2, minbpe)",
    "creation-order": "go through the merges once, first to last learned, and join every occurrence (Stanford's course CS336)",
    "lowest-bytes": "join the neighbours whose joined bytes have the lowest rank, whatever pair that was learned from (tiktoken)",
    "whole-chunk-first": "take a chunk that is a token at once, else go by lowest-rank (Llama 3) or by lowest-bytes (tiktoken)",
}


def encode_chunk(data, merges, rule="lowest-rank"):
    """Return the tokens of one chunk by one of the `ENCODING_RULES`: a list of bytes.

    data: the bytes of the chunk. merges: pairs of bytes in the order of their ranks, or a mapping of pair -> rank.
    On merges that came from training all rules agree; on other lists they may not.

    Raises ValueError for an unknown rule, TypeError for what is no bytes. Source: see the names in `ENCODING_RULES`;
    the rules are compared in openai/tiktoken, src/lib.rs, and karpathy/minbpe issue 11. Lesson 4.

    >>> merges = [(b"a", b"b"), (b"abc", b"d"), (b"ab", b"c")]
    >>> encode_chunk(b"abcd", merges), encode_chunk(b"abcd", merges, "creation-order")
    ([b'abcd'], [b'abc', b'd'])
    """
    choose(rule, ENCODING_RULES, "encoding rule")
    ranks = merges if isinstance(merges, Mapping) else rank_pairs(merges, bytes)
    tokens, lowest = _single_bytes(data), 0
    if rule == "lowest-bytes":
        return join(tokens, rank_joined(ranks))
    if rule == "whole-chunk-first" and data in rank_joined(ranks):
        return [data]
    while found := [(rank, i) for i, pair in enumerate(pairwise(tokens)) if (rank := ranks.get(pair, -1)) >= lowest]:
        rank, i = min(found)
        pair = tokens[i:i + 2]
        everywhere = rule in ("merge-all", "creation-order")
        tokens = merge(tokens, pair, b"".join(pair)) if everywhere else [*tokens[:i], b"".join(pair), *tokens[i + 2:]]
        lowest = rank + 1 if rule == "creation-order" else 0    # this rule does not come back to what it has passed
    return tokens


def leftmost_pair(data, merges):
    """Return what comes of always joining the leftmost learned pair, which is WRONG: a list of bytes.

    data: bytes; merges: pairs of bytes (a set or a mapping is quickest). The order of learning plays no role here, and
    that is the mistake. Lesson 4. See also `encode_chunk`.

    >>> merges = [(b"b", b"c"), (b"a", b"b")]
    >>> leftmost_pair(b"abc", merges), encode_chunk(b"abc", merges)
    ([b'ab', b'c'], [b'a', b'bc'])
    """
    tokens, i = _single_bytes(data), 0
    while i + 1 < len(tokens):
        if (tokens[i], tokens[i + 1]) in merges:
            tokens[i:i + 2] = [tokens[i] + tokens[i + 1]]
            i = max(i - 1, 0)                                       # the pair on its left is a new one
        else:
            i += 1
    return tokens


def longest_match(data, tokens):
    """Return what comes of cutting off the longest token again and again, which is WRONG for byte pairs: a list of bytes.

    data: bytes; tokens: a set or mapping of bytes; a byte that starts none of them stands for itself. Lesson 4.

    >>> longest_match(b"abcd", {b"abc", b"bcd", b"bc"})
    [b'abc', b'd']
    """
    found, start, size = [], 0, len(_single_bytes(data))
    while start < size:
        end = next((end for end in range(size, start + 1, -1) if data[start:end] in tokens), start + 1)
        found.append(data[start:end])
        start = end
    return found


def _single_bytes(data):
    if not isinstance(data, bytes):
        raise TypeError(f"data must be the bytes of a chunk, not {type(data).__name__} {short(data)}: write text.encode()")
    return [data[i:i + 1] for i in range(len(data))]


def rank_pairs(merges, kind):
    """Return pair -> rank; of a pair that is there twice, the first. TypeError for what is no pair of `kind`, str or bytes.

    >>> rank_pairs([("a", "b"), ("ab", "c"), ("a", "b")], str)
    {('a', 'b'): 0, ('ab', 'c'): 1}
    """
    ranks = {}
    for rank, pair in enumerate(merges):
        if not isinstance(pair, tuple) or list(map(type, pair)) != [kind, kind]:
            example = ("a", "b") if kind is str else (b"a", b"b")
            raise TypeError(f"each merge must be a tuple of two {kind.__name__}, as in {example}, not {short(pair)}")
        ranks.setdefault(pair, rank)
    return ranks


def rank_joined(ranks):
    """Return what each pair spells -> the lowest rank of a pair that spells it.

    >>> rank_joined({("a", "bc"): 5, ("ab", "c"): 3})
    {'abc': 3}
    """
    return {left + right: rank for (left, right), rank in sorted(ranks.items(), key=itemgetter(1), reverse=True)}
