"""Lesson 4: what its exercises try."""
import codecs
from dataclasses import replace
from functools import cache

from .. import bpe, corpora, pretrained
from ..views import label
from .checks import NASTY, Exercise, Value
from .limit import attempt


class Telling(Exercise):
    """An exercise whose function must also say, in its error, which id it does not know."""

    def check(self, id, answer, words):
        result = super().check(id, answer, words)
        told = attempt(answer, [777], {})[1] if result.passed else "777"
        return result if "777" in str(told) else replace(
            result, passed=False, message="Not yet.", hint=words.hints["silent"], case=f"{self.name}([777], {{}})",
            expected="a ValueError that names 777", got=repr(told))


def decode(ids, vocabulary, errors="strict", catch=KeyError):
    """The text of ids; what is passed besides makes the mistakes."""
    try:
        return b"".join(vocabulary[i] for i in ids).decode("utf-8", errors)
    except catch as error:
        raise ValueError(f"unknown id {error}") from None


def arrived(pieces, final=True, wait=False):
    """The characters that each piece completes.

    Two mistakes: not `final`: half a character at the end is lost; `wait`: whole ones are kept back until all bytes are whole.
    """
    decoder, shown, held = codecs.getincrementaldecoder("utf-8")(), [], ""
    for piece in pieces:
        held += decoder.decode(piece)
        late = wait and decoder.getstate()[0]
        shown.append("" if late else held)
        held = held if late else ""
    if final and decoder.getstate()[0]:
        raise ValueError("half a character is left")
    return shown


def judge_ids(ids):
    """The hint for ids that `encode` must not give back, "" if it does not; and the values in it."""
    tok = pretrained.load("gpt2")
    spelled, error = attempt(tok.decode, ids)
    if error:
        return "text", {"error": str(error).partition(". ")[0]}
    back = tok.encode(spelled, disallowed_special="text")
    key = "lesson" if ids == [83, 258] else "special" if 50256 in ids else "same" if back == ids else ""
    return key, {"spelled": label(spelled), "back": back}


@cache
def never():
    """The learned tokens of Botchan's first 1,000 merges that the encoded novel does not hold; and all learned ones."""
    trace = bpe.train(corpora.load("botchan"), vocab_size=256 + 1000)
    learned = {merge.token for merge in trace.merges}
    return learned - set(trace.tokenizer().tokens(corpora.load("botchan"))), learned


def judge_never(tokens):
    """The hint for tokens that should be those of `never`, "" if they are; and the values in it."""
    right, learned = never()
    if odd := sorted(tokens - right, key=repr):
        key = "used" if odd[0] in learned else "unlearned" if isinstance(odd[0], bytes) else "bytes"
        return key, {"token": odd[0] if key == "bytes" else label(odd[0])}
    return "missing" if right - tokens else "", {"n": len(right - tokens)}


_TOY, _THREE = {(b"b", b"c"): 0, (b"a", b"b"): 1}, {(b"a", b"b"): 0, (b"ab", b"c"): 1, (b"c", b"d"): 2, (b"b", b"c"): 3}
_REAL = {pair: rank for rank, pair in enumerate([(b" ", b"t"), (b" ", b"a"), (b"h", b"e"), (b"i", b"n"), (b"r", b"e"),
                                                 (b"o", b"n"), (b" t", b"he"), (b"e", b"r")])}      # GPT-2's first
_CHUNKS = [*((data, _TOY) for data in (b"", b"a", b"abc", b"bcab", b"abcabc")), (b"abc", dict(reversed(_TOY.items()))),
           (b"abcd", _THREE), (b"bcd", _THREE), (b"abc", _TOY | {(b"a", b"bc"): 2}),
           *((s.encode()[:200], _REAL) for s in (" then here", " at her inner ear", *NASTY))]
_TABLE = {0: b"\xec", 1: b"\x95\x88", 2: b"a", 3: b"\xf0\x9f", 4: b"\x98\x89", 7: b"b"}
_IDS = ([], [2], [7], [0, 1], [2, 0, 1, 3, 4, 2], [9], [5], [2, 9], [0], [1], [3, 2])
_ARRIVE = [[s.encode()[i:i + step] for i in range(0, len(s.encode()), step)] for step in (1, 2, 3) for s in ("안😉", "a안", *NASTY[:14])]

EXERCISES = {
    "4.1": Exercise("encode_piece", bpe.encode_chunk, _CHUNKS, {
        "longest": lambda data, ranks: bpe.longest_match(data, {a + b for a, b in ranks}),
        "leftmost": bpe.leftmost_pair,
        "order": lambda data, ranks: bpe.encode_chunk(data, list(ranks)),
        "crash": lambda data, ranks: bpe.encode_chunk(data, ranks) if len(data) > 1 else min(())}),
    "4.2": Telling("decode", decode, [(ids, _TABLE) for ids in _IDS], {
        "alone": tuple(lambda ids, table, errors=errors: "".join(decode([i], table, errors) for i in ids) for errors in ("strict", "replace")),
        "skip": lambda ids, vocabulary: decode([i for i in ids if i in vocabulary], vocabulary),
        "range": lambda ids, vocabulary: decode(ids, {}) if max(ids, default=0) >= len(vocabulary) else decode(ids, vocabulary, catch=()),
        "key": {"catch": ()},
        "hide": ({"errors": "replace"}, {"errors": "ignore"}),
        "silent": ()}),
    "4.3": Exercise("arrived", arrived, [(pieces,) for pieces in (*_ARRIVE, [b"a\xec", b"\x95\x88b"], [], [b"\xec"], [b"a", b"\xf0\x9f"])], {
        "alone": tuple(lambda pieces, errors=errors: [piece.decode("utf-8", errors) for piece in pieces]
                       for errors in ("strict", "replace", "ignore")),
        "wait": {"wait": True}, "lost": {"final": False}}),
    "4.4": Value("ids", (list, "a list"), judge_ids, ("text", "lesson", "special", "same")),
    "4.5": Value("never", (set, "a set"), judge_never, ("bytes", "unlearned", "used", "missing")),
}
