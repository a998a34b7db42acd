"""What BPE training did: traces as tables, the corpus after k merges, a word row by row; six answers to a tie (lesson 2)."""
import re
from collections.abc import Mapping
from functools import cache

from .. import bpe
from ..errors import choose
from ..pretokenize import split
from . import base
from .base import INK, bars, block, box, card, columns, escape, mono, shows, small, span, strip, table
from .writing import counted, first, isolate, label, notes, short

WORDS, PAIRS, LEARNED, LONGEST = 10, 8, 40, 60      # words, pairs, learned tokens, tokens of a word on one card
TIED = {"low": 5, "lower": 2, "widest": 3, "newest": 6}
SIX = 6
# How the libraries behind two of the tie rules prepare words: what stands before each and after it, and told. The others take them as text.
PREPARED = {"greatest-strings": ("", "</w>", "characters, </w> after a word"), "sentencepiece": ("▁", "", "characters, ▁ before a word")}


def hue(number):
    """The hue of a token: one for the alphabet (number 0), then another for each merge in turn."""
    return 0 if number == 0 else 1 + (number - 1) % 5


def tokens_row(tokens, trace, marks=()):
    """Tokens as boxes whose hue says which merge made them; indexes in `marks` are outlined."""
    numbers = {token: max(0, i - len(trace.alphabet) + 1) for i, token in trace.vocabulary.items()}
    shown, left_out = tokens[:LONGEST], len(tokens) - LONGEST
    boxes = strip(shown, marks=marks, hues=[hue(numbers[token]) for token in shown])
    return boxes + (small(f" … {left_out:,} more") if left_out > 0 else "")


def pair_name(pair, trace):
    """A pair of ids as text, `es + t`; long tokens are cut with …"""
    names = [label(trace.vocabulary[number]) for number in pair]
    names = [name if len(name) <= 20 else re.sub("⟨[^⟩]*$", "", name[:19]) + "…" for name in names]
    return " + ".join(map(isolate, names))


def trace_table(trace, n=15):
    """The first `n` merges: pair, token, count, runner-up, ties, and the corpus in tokens after each. For lesson 2.

    trace: bpe.Trace. A count is of all places where the pair occurs, overlapping ones too.

    >>> from tokenlab import bpe
    >>> trace_table(bpe.train({"taxi": 4, "tax": 3, "max": 2}, vocab_size=8, pattern="none", alphabet="characters"))
    3 merges: 31 tokens become 11
    """
    rows, ties = [], any(merge.tied > 1 for merge in trace.merges[:n])
    for merge in trace.merges[:n]:
        second = merge.runner_up and f"{pair_name(merge.runner_up[0], trace)} ({merge.runner_up[1]:,})"
        rows.append([mono(merge.number), mono(pair_name(merge.pair, trace), 13), box(merge.token, hue=hue(merge.number)),
                     mono(merge.id), mono(f"{merge.count:,}"), mono(second or "none", 13),
                     *([mono(merge.tied) if merge.tied > 1 else ""] if ties else []), mono(f"{merge.after:,}")])
    head = ["merge", "pair", "token", "id", "count", "runner-up (count)", *(["pairs tied"] if ties else []), "tokens after"]
    before, after = trace.lengths[0], trace.lengths[len(rows)]
    return card(f"{counted(len(rows), 'merge')}: {counted(before, 'token')} become {after:,}", table(rows, head),
                notes(f"tie rule: {trace.tie}" if ties else "", first(trace.merges, n, "merges")[1]))


def places(ids, pair):
    """Indexes of the symbols that merging `pair` would join, from left to right without overlap.

    >>> places([1, 1, 1, 2], (1, 1))
    (0, 1)
    """
    word, joined = ("".join(map(chr, each)) for each in (ids, pair))
    return tuple(i for found in re.finditer(re.escape(joined), word) for i in range(*found.span()))


def corpus_state(trace, k=0, word=""):
    """The corpus of a trace after `k` merges, and a word encoded with them.

    Returns dict: trace; k; next (the merge that comes, or None); words (list of (tokens, count, indexes that the next
    merge joins)); pairs (list of (name, count), the next one first); learned (tokens); tokens (the corpus's length);
    word; pieces (the word's tokens) and refused (why there are none).
    Raises ValueError unless k is 0 to len(trace.merges).
    """
    coming = trace.merges[k] if k < len(trace.merges) else None
    words = [(tokens, times, places(ids, coming.pair) if coming else ())
             for (tokens, times), (ids, _) in zip(trace.at(k), trace.ids_at(k), strict=True)]
    tok, pieces, refused = trace.tokenizer(vocab_size=len(trace.alphabet) + k), [], ""
    try:
        pieces = tok.tokens(word)
    except ValueError as error:
        refused = str(error)
    return {"trace": trace, "k": k, "next": coming, "words": words, "tokens": trace.lengths[k],
            "pairs": [(pair_name(pair, trace), times) for pair, times in trace.pair_counts(k)],
            "learned": [merge.token for merge in trace.merges[:k]], "word": word, "pieces": pieces, "refused": refused}


@shows(corpus_state, "trace")
def corpus_card(state):
    """The corpus after `k` merges: words as tokens, pairs ranked, the vocabulary, and a word encoded. For lesson 2.

    trace: bpe.Trace, or what `corpus_state` returns. The outlined pair is merge k + 1.
    Raises ValueError unless k is 0 to len(trace.merges).

    >>> from tokenlab import bpe
    >>> corpus_card(bpe.train({"taxi": 4, "max": 2}, vocab_size=9, pattern="none", alphabet="characters"), k=1)
    1 of 4 merges done, 16 tokens; next: t + ax (4 times)
    """
    trace, word = state["trace"], short(state["word"])
    shown, rest = first(state["words"], WORDS, "distinct words")
    corpus = table([[small(f"{times:,} ×", wrap=False), tokens_row(tokens, trace, marks)] for tokens, times, marks in shown])
    pairs = bars(state["pairs"][:PAIRS], marks=(0,) if state["next"] else (), width=150)
    ranked = small(f"pairs in the corpus now: {len(state['pairs']):,}") + pairs
    parts = columns(small("the corpus now") + corpus, ranked)
    body = f'<div style="min-height:{18 + 25 * PAIRS}px">{parts}</div>'      # so that little moves while k does
    alphabet, k = len(trace.alphabet), state["k"]
    symbols = counted(alphabet, "byte" if trace.symbols == "bytes" else "symbol")
    body += block(f"vocabulary: {symbols} + {counted(k, 'merge')} = {counted(alphabet + k, 'token')}", vocabulary_row(state))
    if state["refused"]:
        body += block(f"{word} cannot be written", mono(state["refused"], 13, base.BAD, wrap=True))
    elif state["word"]:
        body += block(f"{word} with these merges: {counted(len(state['pieces']), 'token')}", tokens_row(state["pieces"], trace))
    coming, then = state["next"], "training stops here" if state["pairs"] else "no pair is left"
    if coming:
        then = f"next: {pair_name(coming.pair, trace)} ({counted(coming.count, 'time')})"
    return card(f"{k} of {counted(len(trace.merges), 'merge')} done, {counted(state['tokens'], 'token')}; {then}", body, notes(
        "orange outline: the pair that is merged next" if coming else "",
        f"{coming.tied} pairs are tied; tie rule: {trace.tie}" if coming and coming.tied > 1 else "",
        state.get("read", ""), rest))


def vocabulary_row(state):
    """The vocabulary as boxes: the symbols, unless they are the 256 bytes, then the last LEARNED tokens."""
    trace, learned = state["trace"], state["learned"]
    symbols = [] if trace.symbols == "bytes" else list(trace.alphabet)
    left_out = len(symbols[LEARNED:]) + len(learned[:-LEARNED])
    boxes = tokens_row(symbols[:LEARNED], trace) + tokens_row(learned[-LEARNED:], trace)
    return boxes + (small(f" {left_out:,} more are not drawn") if left_out else "")


def merge_steps(trace, word):
    """How a word is joined, row by row, the pair with the lowest merge number first. For lesson 2.

    trace: bpe.Trace. word: a text that the trace's pattern keeps as one chunk.
    Raises ValueError if the word is several chunks, or holds what the alphabet cannot write.

    >>> from tokenlab import bpe
    >>> trace = bpe.train({"taxi": 4, "taxes": 2}, vocab_size=9, pattern="none", alphabet="characters")
    >>> merge_steps(trace, "taxis")
    taxis in 3 steps: taxi s
    """
    chunks = split(word, trace.pattern)
    if len(chunks) > 1:
        raise ValueError(f"{word!r} is {len(chunks)} chunks for this trace's pattern, {chunks!r}: give one of them")
    rows = [("symbols", trace.tokenizer(vocab_size=len(trace.alphabet)).tokens(word))]
    steps = trace.tokenizer().steps(word)
    rows += [(f"merge {step.number}", step.tokens) for step in steps]
    marks = [*((step.position, step.position + 1) for step in steps), ()]
    lines = [[small(name), tokens_row(tokens, trace, pair), small(counted(len(tokens), "token"), wrap=False)] for (name, tokens), pair in zip(rows, marks)]
    return card(f"{short(word)} in {counted(len(steps), 'step')}: {' '.join(map(label, rows[-1][1]))}", table(lines),
                "orange outline: the pair that the next row joins")


def need_traces(traces):
    """Raise TypeError unless `traces` is a mapping of name -> bpe.Trace."""
    if not isinstance(traces, Mapping) or not all(isinstance(n, str) and isinstance(t, bpe.Trace) for n, t in traces.items()):
        raise TypeError(f'traces must map names to traces, as in {{"taxis": trace}}, not {type(traces).__name__}')


def top_merges(traces, n=12):
    """The first `n` merges of several traces beside each other, with their counts. For lesson 2.

    traces: dict name -> bpe.Trace.

    >>> from tokenlab import bpe
    >>> top_merges({"taxis": bpe.train("taxi taxi", vocab_size=258), "dogs": bpe.train("dog dogs", vocab_size=258)})
    The first merge of each: taxis ta, dogs do
    """
    need_traces(traces)
    lists = [small(name, INK) + table([[small(merge.number), box(merge.token), mono(f"{merge.count:,}", 12)]
                                       for merge in trace.merges[:n]], ["", "token", "count"])
             for name, trace in traces.items()]
    names = ", ".join(f"{isolate(name)} {isolate(label(trace.merges[0].token))}" for name, trace in traces.items() if trace.merges)
    return card(f"The first merge of each: {names}", columns(*lists), f"the first {n} merges")


@cache
def outcome(tie):
    """What a tie rule makes of `abcbcab` in one merge, and of low, lower, widest, newest in six.

    Returns dict: tie, setting (in words), cut (tokens of abcbcab), merges (tokens), words (list of (tokens, count)),
    tied (how many of the six merges were ties).

    >>> outcome("greatest-bytes")["cut"]
    (b'a', b'bc', b'bc', b'a', b'b')
    """
    if tie in PREPARED:
        start, end, told = PREPARED[tie]
        trace = bpe.train({start + word: n for word, n in TIED.items()}, pattern="none", alphabet="characters", end_of_word=end, tie=tie)
    else:
        told = "bytes, GPT-2's pattern"
        trace = bpe.train(" ".join(word for word, n in TIED.items() for _ in range(n)), tie=tie)
    merges = trace.merges[:SIX]
    one = bpe.train("abcbcab", pattern="none", alphabet=trace.symbols, tie=tie)
    return {"tie": tie, "setting": told, "cut": one.at(1)[0][0], "merges": [merge.token for merge in merges],
            "words": trace.at(SIX), "tied": sum(merge.tied > 1 for merge in merges)}


def tie_state(tie="first-seen"):
    """The outcome of the chosen rule and of every rule: dict chosen, rows (in bpe.TIE_RULES' order).

    Raises ValueError for an unknown rule.
    """
    return {"chosen": outcome(choose(tie, bpe.TIE_RULES, "tie rule")), "rows": [outcome(name) for name in bpe.TIE_RULES]}


@shows(tie_state, "chosen")
def ties_card(state):
    """Six merges under each tie rule, and what the chosen one makes of the words. For lesson 2.

    tie: one of bpe.TIE_RULES, or what `tie_state` returns. Raises ValueError for an unknown rule.

    >>> ties_card("greatest-bytes")
    greatest-bytes: abcbcab becomes a bc bc a b; the 6 merges are st est ow low west ne
    """
    chosen, lines = state["chosen"], []
    tie, cut, merges = chosen["tie"], chosen["cut"], chosen["merges"]
    for row in state["rows"]:
        here = row is chosen
        style = f"font:13px {base.MONO};font-weight:{700 if here else 400};color:{INK};white-space:nowrap"
        lines.append([span("▸ " * here + escape(row["tie"]), style), "".join(box(token, hue=here) for token in row["merges"]), small(row["setting"])])
    words = [[small(f"{times} ×"), strip(tokens, hues=[token in merges for token in tokens])] for tokens, times in chosen["words"]]
    body = small(f"{tie}: {bpe.TIE_RULES[tie]}", INK) + block("abcbcab after 1 merge", strip(cut, hues=[len(token) > 1 for token in cut]))
    body += block(f"the words after {SIX} merges", table(words)) + block(f"the {SIX} merges under every rule", table(lines))
    return card(f"{tie}: abcbcab becomes {' '.join(map(label, cut))}; the {SIX} merges are {' '.join(map(label, merges))}", body,
                notes("▸ and bold: the chosen rule", f"{chosen['tied']} of its {SIX} merges were ties",
                      "the first low has no blank before it" if tie not in PREPARED else ""))
