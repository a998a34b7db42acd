"""What BPE training did: the trace as a table, the corpus after k merges, a word row by row, the top merges of several texts."""
from ..pretokenize import split
from .base import BAD, INK, bars, box, card, columns, count, first, label, mono, notes, short, small, strip, table

WORDS, PAIRS, LEARNED, LONGEST = 10, 8, 40, 60      # what one card draws at most: words, pairs, tokens, tokens of a word


def hue(number):
    """The hue of a token: one for the alphabet (number 0), then another for each merge in turn."""
    return 0 if number == 0 else 1 + (number - 1) % 5


def tokens_row(tokens, trace, marks=()):
    """Tokens as boxes whose hue says which merge made them; indexes in `marks` are outlined."""
    ids, symbols = {token: number for number, token in trace.vocabulary.items()}, len(trace.alphabet)
    shown = tokens[:LONGEST]
    more = small(f" … {len(tokens) - LONGEST:,} more") if len(tokens) > LONGEST else ""
    return strip(shown, marks=marks, hues=[hue(max(0, ids[token] - symbols + 1)) for token in shown]) + more


def pair_name(pair, trace):
    """A pair of ids as text: `es + t`."""
    return " + ".join(label(trace.vocabulary[number]) for number in pair)


def trace_table(trace, n=15):
    """The first `n` merges of a trace: pair, token, count, the runner-up, ties, and the corpus in tokens after it. For lesson 2.

    trace: bpe.Trace. Counts are of places where the pair stands, overlapping ones too.
    """
    rows = []
    for merge in trace.merges[:n]:
        second = f"{pair_name(merge.runner_up[0], trace)} ({merge.runner_up[1]:,})" if merge.runner_up else "none"
        rows.append([mono(merge.number), mono(pair_name(merge.pair, trace)), box(merge.token, hue=hue(merge.number)),
                     mono(merge.id), mono(f"{merge.count:,}"), mono(second, 13),
                     small(f"{merge.tied} pairs tied") if merge.tied > 1 else "", mono(f"{merge.after:,}")])
    head = ["merge", "pair", "token", "id", "count", "runner-up (count)", "", "tokens after"]
    done = count(len(rows), "merge")
    return card(f"{done}: {count(trace.lengths[0], 'token')} become {trace.lengths[len(rows)]:,}", table(rows, head),
                notes(f"tie rule: {trace.tie}", first(trace.merges, n, "merges")[1]))


def corpus_state(trace, k=0, word=""):
    """The corpus of a trace after `k` merges, and a word encoded with these merges.

    Returns dict: trace, k, next (the merge that comes, or None), words (list of (tokens, count, indexes of the pair that
    is merged next)), pairs (list of (name, count), the next one first), learned (tokens), tokens (the corpus's length),
    word, pieces (the word's tokens) and refused (why there are none).
    Raises ValueError unless k is 0 to len(trace.merges).
    """
    coming = trace.merges[k] if k < len(trace.merges) else None
    words = [(tokens, times, places(ids, coming.pair) if coming else ())
             for (tokens, times), (ids, _) in zip(trace.at(k), trace.ids_at(k))]
    pieces, refused = [], ""
    try:
        pieces = trace.tokenizer(vocab_size=len(trace.alphabet) + k).tokens(word, disallowed_special="text") if word else []
    except ValueError as error:
        refused = str(error)
    return {"trace": trace, "k": k, "next": coming, "words": words, "tokens": trace.lengths[k],
            "pairs": [(pair_name(pair, trace), times) for pair, times in trace.pair_counts(k)],
            "learned": [merge.token for merge in trace.merges[:k]], "word": word, "pieces": pieces, "refused": refused}


def places(ids, pair):
    """Indexes of the symbols that merging `pair` would join, from left to right without overlap.

    >>> places([1, 1, 1, 2], (1, 1))
    (0, 1)
    """
    found, i = (), 0
    while i + 1 < len(ids):
        hit = (ids[i], ids[i + 1]) == tuple(pair)
        found += (i, i + 1) if hit else ()
        i += 2 if hit else 1
    return found


def corpus_card(trace, k=0, word=""):
    """The corpus after `k` merges: its words as tokens, its pairs ranked, the vocabulary, and a word encoded. For lesson 2.

    trace: bpe.Trace, or what `corpus_state` returns. The outlined pair is merge k + 1.
    """
    state = trace if isinstance(trace, dict) else corpus_state(trace, k, word)
    trace, coming = state["trace"], state["next"]
    shown, rest = first(state["words"], WORDS, "distinct words")
    corpus = table([[small(f"{times:,} ×"), tokens_row(tokens, trace, marks)] for tokens, times, marks in shown])
    pairs = bars(state["pairs"][:PAIRS], marks=(0,) if coming else (), width=150) if state["pairs"] else ""
    body = columns(small("the corpus now") + corpus, small(f"pairs in the corpus now: {len(state['pairs']):,}") + pairs)
    body += block(f"vocabulary: {alphabet_words(trace)} + {count(state['k'], 'merge')} = "
                  f"{len(trace.alphabet) + state['k']:,} tokens", vocabulary_row(trace, state))
    if state["refused"]:
        body += block(f"{short(state['word'])} cannot be written with this alphabet", mono(state["refused"], 13, BAD, wrap=True))
    elif state["word"]:
        body += block(f"{short(state['word'])} with these merges: {count(len(state['pieces']), 'token')}", tokens_row(state["pieces"], trace))
    return card(state_title(state), body, notes("orange outline: the pair that is merged next", f"tie rule: {trace.tie}", state.get("read", ""), rest))


def block(title, body):
    return f'<div style="margin-top:10px">{small(title)}<br>{body}</div>'


def alphabet_words(trace):
    return "256 bytes" if trace.symbols == "bytes" else count(len(trace.alphabet), "symbol")


def vocabulary_row(trace, state):
    """The tokens of the vocabulary as boxes: the symbols, unless they are the 256 bytes, then what was learned last."""
    learned = state["learned"]
    symbols = [] if trace.symbols == "bytes" else list(trace.alphabet)[:LEARNED]
    left_out = len(learned[:-LEARNED]) + (len(trace.alphabet) - len(symbols) if symbols else 0)
    more = small(f" … {left_out:,} more are not drawn") if left_out else ""
    return (tokens_row(symbols + learned[-LEARNED:], trace) if symbols or learned else small("nothing learned yet")) + more


def state_title(state):
    """The one line that says where a state stands: `2 of 15 merges done; next: est + </w> (9 times)`."""
    coming, trace = state["next"], state["trace"]
    done = f"{state['k']} of {count(len(trace.merges), 'merge')} done, {count(state['tokens'], 'token')}"
    if coming:
        return f"{done}; next: {pair_name(coming.pair, trace)} ({count(coming.count, 'time')})"
    return f"{done}; {'no pair is left' if not state['pairs'] else 'here training was told to stop'}"


def joining(trace, word, k=None):
    """A word before its first merge and after each one that changes it.

    word: a text that the trace's pattern keeps as one chunk. k: how many merges are known (all by default).
    Returns list of (merge number, tokens, indexes that the next row joins); number 0 is the word as symbols.
    Raises ValueError if the word is several chunks, or holds what the alphabet cannot write.
    """
    if len(chunks := split(word, trace.pattern)) > 1:
        raise ValueError(f"{word!r} is {len(chunks)} chunks {chunks!r} for pattern {trace.pattern!r}: give one of them")
    size = len(trace.alphabet)
    k = len(trace.merges) if k is None else k
    steps = trace.tokenizer(vocab_size=size + k).steps(word) if word else []
    rows = [(0, trace.tokenizer(vocab_size=size).tokens(word)), *((step.number, list(step.tokens)) for step in steps)]
    marks = [(step.position, step.position + 1) for step in steps] + [()]
    return [(number, tokens, mark) for (number, tokens), mark in zip(rows, marks)]


def merge_steps(trace, word, k=None):
    """How a word is joined, row by row: the pair with the lowest merge number first. For lesson 2.

    trace: bpe.Trace. k: how many merges are known (all by default). Raises ValueError as `joining` does.
    """
    rows = joining(trace, word, k)
    lines = [[small("symbols" if number == 0 else f"merge {number}"), tokens_row(tokens, trace, marks), small(count(len(tokens), "token"))]
             for number, tokens, marks in rows]
    return card(f"{short(word)} in {count(len(rows) - 1, 'step')}: {' '.join(map(label, rows[-1][1]))}", table(lines),
                "orange outline: the pair that the next row joins")


def top_merges(traces, n=12):
    """The first `n` merges of several traces beside each other. For lesson 2.

    traces: dict name -> bpe.Trace.
    """
    lists = [small(name, INK) + table([[small(merge.number), box(merge.token, hue=0), mono(f"{merge.count:,}", 12)]
                                       for merge in trace.merges[:n]], ["", "token", "count"]) for name, trace in traces.items()]
    names = ", ".join(f"{name} {short(trace.merges[0].token)}" for name, trace in traces.items() if trace.merges)
    return card(f"The first merge of each: {names}", columns(*lists), notes("· is a blank", f"the first {n} merges and their counts"))
