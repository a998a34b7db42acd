"""Lesson 9: what its exercises try."""
from collections import Counter

from .. import bpe, corpora, unigram
from .checks import NASTY, Exercise


def premium(tok, texts, weigh=lambda tokens, text: tokens, swap=False, base=lambda texts: "English"):
    """How many times as many tokens each text takes as the English one; what is passed besides makes the mistakes."""
    costs = {name: weigh(len(tok.encode(text)), text) for name, text in texts.items()}
    return {name: round(costs[base(texts)] / each if swap else each / costs[base(texts)], 2) for name, each in costs.items()}


def lost_share(tok, text, share=lambda tok, text: len(tok.lost(text)) / len(text)):
    """The share of the characters of a text that are lost, 0.0 of an empty one; another share makes a mistake."""
    return round(share(tok, text), 4) if text else 0.0


def request_price(prompt, answer, window, price_in, price_out, million=10**6, fits=lambda prompt, answer, window: prompt + answer <= window):
    """The price of a request that fits into the window; what is passed besides makes the mistakes."""
    if not fits(prompt, answer, window):
        raise ValueError(f"{prompt} + {answer} tokens do not fit into a window of {window}")
    return round((prompt * price_in + answer * price_out) / million, 6)


def parity_train(texts, k, pick=max, length=lambda ids, text: len(ids), everyone=False, shared=True, once=False):
    """Merges of which each helps the text that has most tokens; what is passed besides makes the mistakes."""
    ids, merges, worst = {name: list(text.encode()) for name, text in texts.items()}, [], None
    while len(merges) < k:
        worst = worst if once and worst else pick(ids, key=lambda name: length(ids[name], texts[name]))
        counts = Counter()
        for name in ids if everyone else [worst]:
            counts.update(bpe.count_pairs(ids[name]))
        if not counts:
            break
        pair = max(counts, key=counts.get)
        merges.append((worst, pair))
        ids = {name: bpe.merge(row, pair, 255 + len(merges)) if shared or name == worst else row for name, row in ids.items()}
    return merges


_BYTES, _SMALL = (bpe.train(corpora.load("botchan")[:5_000], vocab_size=size).tokenizer() for size in (256, 300))
_WORDS = unigram.Tokenizer({"▁a": -2.0, **dict.fromkeys("▁acdegilmnorstvxy", -3.0)})
_PAIRS = [("két kutya", "two dogs", "강아지 두 마리"), ("ä", "a", "안"), ("cat", "the cat and the dog", "<script>"), ("\t\n", "x", "👍🏽")]
_TEXTS = [dict(zip(("Hungarian", "English", "Korean"), texts)) for texts in _PAIRS]
_TOY = {"one": "ab ab ab cd", "two": "xyxyxyxyxyxyxyxy", "three": "öhö öhö"}
_REAL = {row["code"]: row["articles"][0][:60] for row in corpora.udhr() if row["code"] in ("eng", "hun", "kat")}
_CASES = [(_TOY, 0), (_TOY, 1), (_TOY, 4), (_TOY, 9), (_REAL, 30), ({"a": "aaaaaaa", "b": "bc"}, 9), ({"a": "", "b": ""}, 2), ({"a": "abab", "b": "cdcd"}, 2)]

EXERCISES = {
    "9.1": Exercise("premium", premium, [(tok, texts) for texts in _TEXTS for tok in (_BYTES, _SMALL)], {
        "turned": {"swap": True}, "first": {"base": lambda texts: next(iter(texts))}, "characters": {"weigh": lambda tokens, text: tokens / len(text)},
        "bytes": {"weigh": lambda tokens, text: tokens / len(text.encode())}, "text": {"weigh": lambda tokens, text: len(text)}}),
    "9.2": Exercise("embedding_parameters", lambda v, d, tied, once=1, twice=2: v * d * (once if tied else twice), [
        (v, d, tied) for v, d in ((10, 3), (50_257, 768), (128_256, 4_096)) for tied in (True, False)], {
        "turned": {"once": 2, "twice": 1}, "always": {"twice": 1}, "never": {"once": 2}}),
    "9.3": Exercise("lost_share", lost_share, [(_WORDS, text) for text in ("東京 taxi", "안녕", "a cat", "a  dog", "a ćat", "cat 😉", *NASTY)], {
        "ids": {"share": lambda tok, text: (pieces := tok.pieces(text)).count("<unk>") / max(1, len(pieces))},
        "bytes": {"share": lambda tok, text: len(tok.lost(text).encode()) / len(text.encode())},
        "kept": {"share": lambda tok, text: 1 - len(tok.lost(text)) / len(text)}, "whether": {"share": lambda tok, text: float(tok.lost(text) != "")}}),
    "9.4": Exercise("request_price", request_price, [
        (1_000, 500, 8_000, 2.5, 10.0), (8_000, 1_000, 9_000, 3.0, 15.0), (0, 0, 10, 1.0, 1.0), (9, 4, 10, 1.0, 2.0), (11, 0, 10, 1.0, 2.0)], {
        "thousand": {"million": 1000}, "one_price": lambda p, a, w, i, o: request_price(p, a, w, i, i),
        "edge": {"fits": lambda p, a, w: p + a < w}, "silent": {"fits": lambda p, a, w: True}, "answer": {"fits": lambda p, a, w: p <= w}}),
    "9.5": Exercise("parity_train", parity_train, _CASES, {
        "all": {"everyone": True}, "best": {"pick": min}, "only": {"shared": False},
        "start": {"once": True}, "rate": {"length": lambda ids, text: len(ids) / (len(text) or 1)}}),
}
