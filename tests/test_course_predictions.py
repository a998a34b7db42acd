"""The facts of the predictions, which stand in the lessons' TOML, computed anew."""
import math
from bisect import bisect_left
from collections import Counter

import pytest

from tokenlab import bpe, corpora, course, measure, pretokenize, pretrained, text, unigram
from tokenlab.course import lessons
from tokenlab.course.lesson1 import FAMILY
from tokenlab.course.lesson6 import exact_loss
from tokenlab.views import label
from tokenlab.views.fences import crosses, learned
from tokenlab.widgets.lesson5 import COUNTS, WORDS


def first_merge():
    """The first merge of GPT-2, as its vocabulary tells: token 256 is the first after the single bytes. And why not th."""
    tokens = pretrained.load("gpt2").vocabulary
    number = {token: id - 255 for id, token in tokens.items()}
    chunks = pretokenize.count_chunks(corpora.load("moby-dick"))
    blank_t, th = (sum(count * chunk.count(pair) for chunk, count in chunks.items()) for pair in (" t", "th"))
    return {"answer": label(tokens[256]), "second": label(tokens[257]), "third": label(tokens[258]), "the": number[b" the"],
            "blank_t": blank_t, "th": th}


def twice_the_merges():
    """What 500 and 1,000 merges leave of a novel."""
    lengths = bpe.train(corpora.load("botchan"), vocab_size=256 + 1000).lengths
    return {"answer": lengths[1000], "bytes": lengths[0], "half": lengths[500], "saved": lengths[500] - lengths[1000],
            "first": lengths[0] - lengths[500]}


def crossing_merges():
    """How many of the merges that BPE learns from a raw novel cross a border of GPT-2's, and which comes first."""
    tokens = [merge.token for merge in learned("Botchan", False).merges]
    return {"answer": sum(map(crosses, tokens)), "merges": len(tokens), "first": label(tokens[0]), "of": tokens.index(b"of the ") + 1}


def distinct_chunks():
    """How many different chunks a novel has."""
    counts = pretokenize.count_chunks(corpora.load("botchan"))
    return {"answer": len(counts), "chunks": sum(counts.values()), "the": counts[" the"]}


def without_blank():
    """GPT-2's tokens of a word that is one token where a blank stands before it."""
    pieces = pretrained.load("gpt2").pieces("unbelievable")
    return {"answer": len(pieces), "pieces": ", ".join(pieces), "whole": str(*pretrained.load("gpt2").encode(" unbelievable"))}


def shortcut():
    """How many tokens Moby-Dick takes by longest match, and by the merges."""
    tok, chunks = pretrained.load("gpt2"), pretokenize.count_chunks(corpora.load("moby-dick"))
    known = set(tok.vocabulary.values())
    longest, merged = (sum(len(cut(chunk)) * times for chunk, times in chunks.items())
                       for cut in (lambda chunk: bpe.longest_match(chunk.encode(), known), tok.tokens))
    return {"answer": "fewer" if longest < merged else "more", "longest": longest, "merged": merged}


def ways_of_t5():
    """In how many ways T5's pieces can write a word, and the two likeliest with their shares in percent."""
    p = {piece.text: math.exp(piece.score) for piece in pretrained.load("t5").model if piece.kind == "normal"}
    ways, total = unigram.segmentations("▁tokenization", p), unigram.marginal("▁tokenization", p)
    (best, one), (second, two) = ways[:2]
    return {"answer": len(ways), "best": " + ".join(best), "share": f"{100 * one / total:.1f}", "second": " + ".join(second),
            "other": f"{100 * two / total:.1f}"}


def survivors():
    """How many pieces EM leaves of those that five words, each once, begin with."""
    last = unigram.em(dict.fromkeys(WORDS, 1), {piece: n / 32 for piece, n in COUNTS.items()}, 100)[-1]
    left = [piece for piece, value in last.p.items() if value > 1e-6]
    return {"answer": len(left), "pieces": len(COUNTS), "left": ", ".join(left)}


def to_go():
    """Which of two pieces of a vocabulary of 400 costs less to lose, their uses on best paths, and both exact losses."""
    words = Counter("▁" + word for word in corpora.load("botchan")[:20_000].split())
    start = {piece: math.exp(score) for piece, score in unigram.train(words, vocab_size=400).scores.items()}
    p = unigram.em(words, start, 4)[-1].p
    pieces = "▁difficult", "▁at"
    uses = [sum(n * unigram.viterbi(word, p)[0].count(piece) for word, n in words.items() if piece in word) for piece in pieces]
    rare, often = (exact_loss(words, p, piece) for piece in pieces)
    return {"answer": pieces[rare > often], "rare": uses[0], "often": uses[1], "loss": f"{rare:.1f}", "other": f"{often:.1f}"}


def one_token():
    """GPT-4o's tokens of strawberry in a sentence, beside those of the word alone and those of Mistral's tekken."""
    o200k, tekken = pretrained.load("o200k_base"), pretrained.load("tekken")
    return {"answer": len(o200k.encode(" strawberry")), "alone": ", ".join(o200k.pieces("strawberry")),
            "tekken": ", ".join(map(str.strip, tekken.pieces(" strawberry")))}


def python_costs():
    """How many times as many tokens GPT-2 needs for Python as GPT-4."""
    gpt2, gpt4 = (measure.count_tokens(pretrained.load(name), corpora.load("python")) for name in ("gpt2", "cl100k_base"))
    return {"answer": round(gpt2 / gpt4, 2), "gpt2": gpt2, "gpt4": gpt4}


def lines_back():
    """How many of 100 lines of Python that are not empty T5 gives back as they were."""
    t5, lines = pretrained.load("t5"), [line for line in corpora.load("python").split("\n") if line]
    back = [line for line in lines if t5.decode(t5.encode(line, disallowed_special="text")) == line]
    return {"answer": round(100 * len(back) / len(lines)), "back": len(back), "lines": len(lines)}


def burmese():
    """How many times as many tokens the Declaration takes in Burmese as in English, with the tokenizer of GPT-4."""
    texts = {row["code"]: "\n".join(row["articles"]) for row in corpora.udhr() if row["code"] in ("eng", "mya")}
    eng, mya = (measure.count_tokens(pretrained.load("cl100k_base"), text) for text in texts.values())
    return {"answer": round(mya / eng, 2), "eng": eng, "mya": mya, "characters": len(texts["mya"]), "english": len(texts["eng"])}


def smallest():
    """How many ids beat GPT-2 on the last tenth of the Python corpus, if they are learned from the rest."""
    code = corpora.load("python")
    cut = len(code) * 9 // 10
    trace, most = bpe.train(code[:cut], vocab_size=1000), measure.count_tokens(pretrained.load("gpt2"), code[cut:])
    ids = bisect_left(range(1000), True, 256, key=lambda size: measure.count_tokens(trace.tokenizer(vocab_size=size), code[cut:]) < most)
    return {"answer": ids, "merges": ids - 256, "gpt2": most, "learned": cut // 1000}


COMPUTED = {
    "1.hook": lambda: {"answer": len(FAMILY.encode()), "points": len(FAMILY)},
    "1.never": lambda: {"answer": len(text.impossible_bytes())},
    "2.hook": first_merge, "2.twice": twice_the_merges, "3.hook": crossing_merges, "3.distinct": distinct_chunks, "4.hook": without_blank,
    "4.shortcut": shortcut, "5.hook": ways_of_t5, "5.survivors": survivors, "6.hook": to_go, "7.hook": one_token, "7.python": python_costs,
    "8.hook": lines_back, "9.hook": burmese, "10.hook": smallest}


@pytest.mark.parametrize("id", COMPUTED)
def test_the_answer_and_the_facts_are_computed_anew(id):
    assert course.predict(id).places == COMPUTED[id]()


def test_every_prediction_is_computed_here():
    assert list(COMPUTED) == [f"{number}.{key}" for number in lessons.numbers() for key in lessons.words_of(number).prediction]
