"""Lesson 10: what its exercises try."""
from base64 import b64encode
from collections import Counter

from .. import bpe, measure, pretrained
from .checks import NASTY_BYTES, Exercise, Value


def tiktoken_lines(ids, line=lambda token, i: b"%s %d\n" % (b64encode(token), i), order=lambda ids: sorted(ids.items(), key=lambda item: item[1])):
    """The content of a .tiktoken file; another line or order makes a mistake."""
    return b"".join(line(token, i) for token, i in order(ids))


def add_counts(parts, order=lambda totals: [*totals.items()], add=lambda totals, part: totals.update(part)):
    """Partial counts added up, in order of first occurrence; another order or sum makes a mistake."""
    totals = Counter()
    for part in parts:
        add(totals, part)
    return order(totals)


def pair_of(token, ranks, best=None):
    """The pair that made a token, by encoding it until two parts are left; the best split into two known ones is a mistake, whatever `best` compares."""
    if best:
        splits = [(token[:i], token[i:]) for i in range(1, len(token)) if token[:i] in ranks and token[i:] in ranks]
        return min(splits, key=lambda split: best(ranks[split[0]], ranks[split[1]], len(split[0])))
    parts = [token[i:i + 1] for i in range(len(token))]
    while len(parts) > 2:
        i = min(range(len(parts) - 1), key=lambda i: ranks.get(parts[i] + parts[i + 1], len(ranks) ** 9))
        parts[i:i + 2] = [parts[i] + parts[i + 1]]
    return tuple(parts)


def judge_own(own, size=5000):
    """Whether ids learned from the first text beat GPT-2 on the second, and what is unfair about the two."""
    if len(own) != 2 or not all(isinstance(s, str) and s == s.encode(errors="ignore").decode() for s in own):    # lone surrogates
        return "shape", {}
    first, last = own
    if len(last) < 1000 or len(first) > 2_000_000:
        return ("short" if len(last) < 1000 else "long"), {"n": f"{len(last):,}", "m": f"{len(first):,}"}
    lines = [line for line in last.splitlines() if len(line) > 20]
    known = sum(line in first for line in lines[:300]) / (len(lines[:300]) or 1)
    if last in first or known > 0.5:
        return "seen", {"share": f"{max(known, last in first):.0%}"}
    tok = bpe.train(first, vocab_size=size).tokenizer()
    mine, theirs = (measure.bytes_per_token(each, last) for each in (tok, pretrained.load("gpt2")))
    return ("" if mine > theirs else "worse"), {"mine": f"{mine:.2f}", "theirs": f"{theirs:.2f}", "ids": f"{len(tok):,}"}


_IDS = [{b"a": 0, b"b": 1, b"ab": 2}, {b"ab": 258, b" ": 256, b"\n": 257}, {b"b": 1, b"a": 0}, {"é".encode(): 7, b"\xc3": 3, "안".encode(): 5}, {},
        *({data: 9} for data in NASTY_BYTES)]
_PARTS = [[{"a": 1, "b": 2}, {"c": 1, "a": 1}], [{"x": 1}, {"x": 1}], [{" b": 1}, {" a": 5}], [{}, {"z": 1, "y": 1}, {"z": 3}], [],
          [{"안": 2, "é": 1}, {"é": 2, "": 1}]]
_TOKENS = ["ab", "ress", " her", " when", "000", " own", " end", " hedge", "ing", " unbelievable"]


def _tokens():
    """Tokens of GPT-2, each with the ranks of all that it holds."""
    ranks = {token: i for i, token in pretrained.load("gpt2").vocabulary.items()}
    for token in map(str.encode, _TOKENS):
        parts = {token[i:j] for i in range(len(token)) for j in range(i + 1, len(token) + 1)}
        yield token, {part: ranks[part] for part in sorted(parts) if part in ranks}


EXERCISES = {
    "10.1": Exercise("tiktoken_lines", tiktoken_lines, [(ids,) for ids in _IDS], {
        "order": ({"order": dict.items}, {"order": lambda ids: sorted(ids.items())}),
        "text": {"line": lambda token, i: token + b" %d\n" % i}, "hex": {"line": lambda token, i: b"%s %d\n" % (token.hex().encode(), i)},
        "end": lambda ids: tiktoken_lines(ids)[:-1], "swapped": {"line": lambda token, i: b"%d %s\n" % (i, b64encode(token))}}),
    "10.2": Exercise("add_counts", add_counts, [(parts,) for parts in _PARTS], {
        "sorted": {"order": lambda totals: sorted(totals.items())}, "common": {"order": Counter.most_common},
        "backwards": lambda parts: add_counts(parts[::-1]), "last": {"add": dict.update}}),
    "10.3": Exercise("pair_of", pair_of, [*_tokens()], {
        "larger": {"best": lambda left, right, n: max(left, right)}, "first": {"best": lambda left, right, n: n},
        "longest": {"best": lambda left, right, n: -n}}),
    "10.4": Value("own", (tuple, "a tuple"), judge_own, ("shape", "short", "long", "seen", "worse")),
}
