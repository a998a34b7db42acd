"""Explorers of lesson 2: the merge stepper, the merge curve, the tie switch."""
from collections import Counter, namedtuple
from functools import lru_cache

import ipywidgets

from .. import bpe
from ..errors import choose, need_text
from ..figures import MergeCurve
from ..views import corpus_card, corpus_state, tie_state, ties_card
from ..views.writing import first, notes
from .explorer import Explorer, button, menu, player, reach, slider, text_box

LIMIT, MERGES = 2_000, 200          # characters of a corpus that the stepper trains on, and merges that it learns
SENTENCE = "a sentence, as bytes"


# A corpus (words with counts, or a text), how it is trained on, and a word that it does not hold.
Example = namedtuple("Example", "corpus alphabet end_of_word word")
EXAMPLES = {
    "low, newest": Example("low 5 lower 2 newest 6 widest 3", "characters", "</w>", "lowest"),
    "taxi": Example("taxi 4 tax 3 taxes 2 max 2", "characters", "", "taxis"),
    "hug": Example("hug 10 pug 5 pun 12 bun 4 hugs 5", "characters", "", "bugs"),
    SENTENCE: Example("Betty bought a bit of better butter, but the butter was bitter.", "bytes", "", "butterfly"),
}


def words_with_counts(corpus):
    """A corpus that is written as words with counts, as dict word -> count; None if it is another text.

    >>> words_with_counts("low 5 lower 2"), words_with_counts("a text")
    ({'low': 5, 'lower': 2}, None)
    """
    fields = corpus.split()
    if not fields or len(fields) % 2 or not all(field.isdecimal() for field in fields[1::2]):
        return None
    counts = {}
    for word, times in zip(fields[::2], fields[1::2]):
        counts[word] = counts.get(word, 0) + int(times)
    return counts


@lru_cache(maxsize=32)
def learn(example, corpus):
    """Train on a corpus as an example says: (trace, how the corpus was read).

    Raises ValueError for a corpus of more than LIMIT characters, and for what bpe.train refuses.
    """
    if len(corpus) > LIMIT:
        raise ValueError(f"the corpus has {len(corpus):,} characters; this stepper takes at most {LIMIT:,}, so that "
                         f"each step stays quick: shorten it")
    kind, source, read = EXAMPLES[example], words_with_counts(need_text(corpus)), "as words with counts"
    if kind.end_of_word and kind.end_of_word in corpus:
        raise ValueError(f"the corpus holds {kind.end_of_word!r}, the mark that this example puts after each word: "
                         f"leave it out, or choose another example")
    if source is None and kind.alphabet == "characters":
        source, read = Counter(corpus.split()), "as words, the blanks between them left out"
    elif source is None:
        source, read = corpus, "as text, cut by GPT-2's pattern"
    start = 256 if kind.alphabet == "bytes" else len(set("".join(source))) + bool(kind.end_of_word)
    trace = bpe.train(source, vocab_size=start + MERGES, pattern="gpt2" if source is corpus else "none",
                      alphabet=kind.alphabet, end_of_word=kind.end_of_word)
    return trace, f"the corpus is read {read}"


def stepper_state(example, corpus, k, word):
    """What views.corpus_state says after `k` merges (at most those there are), and read: how the corpus was read.

    What is said of a word that cannot be written names the controls that help.
    """
    trace, read = learn(example, corpus)
    shown, rest = first(word, 100, "characters of the word")
    state = {**corpus_state(trace, min(k, len(trace.merges)), shown), "read": notes(read, rest)}
    missing = [character for character in state["word"] if character not in "".join(trace.words)]
    if missing and trace.symbols == "characters":
        state["refused"] = (f"{missing[0]!r} is not in the corpus, so the alphabet has no symbol for it: type another "
                            f"word, add it to the corpus, or choose the example {SENTENCE!r}")
    return state


def merge_stepper(example="low, newest"):
    """Do one merge after the other; see corpus, pairs, vocabulary and an unseen word change. For lesson 2, widget 4.

    example: "low, newest", "taxi", "hug" or "a sentence, as bytes".
    Returns an Explorer with the controls example, corpus, k and word. Training happens when the corpus changes; moving
    k replays the trace. Raises ValueError for an unknown example.
    """
    kind = EXAMPLES[choose(example, EXAMPLES, "example")]
    pick, corpus = menu("example", EXAMPLES, example), text_box("corpus", kind.corpus, lines=2)
    done, word = slider("merges done", 0, 0, 1), text_box("unseen word", kind.word)

    def adjust(name):
        if name == "example":
            corpus.value, word.value, done.value = EXAMPLES[pick.value].corpus, EXAMPLES[pick.value].word, 0
        if name in (None, "example", "corpus"):
            reach(done, len(learn(pick.value, corpus.value)[0].merges))

    def move(by):
        done.value = min(max(0, done.value + by), done.max)

    controls = {"example": pick, "corpus": corpus, "k": done, "word": word}
    steps = [button("back", lambda: move(-1)), button("next", lambda: move(1)), player(done), done]
    return Explorer(stepper_state, corpus_card, controls, [[pick], [corpus], steps, [word]], adjust)


def merge_curve(traces):
    """Move along the vocabulary sizes of a stored trace: corpus length and bytes per token. For lesson 2, widget 5.

    traces: dict name -> bpe.Trace, at least one, each of a corpus that is not empty. Returns an Explorer with the
    controls corpus, size and log. Nothing is trained here. Raises ValueError for no trace, and for an empty one.
    """
    curves = MergeCurve(traces)
    name, trace = next(iter(traces.items()))
    low, last = len(trace.alphabet), len(trace.merges)
    pick, log = menu("corpus", traces, name), ipywidgets.Checkbox(description="logarithmic scale", indent=False)
    size = slider("vocabulary size", low + last // 4, low, low + last)

    def adjust(changed):
        if changed == "corpus":
            low, last = len(traces[pick.value].alphabet), len(traces[pick.value].merges)
            size.min = 0
            reach(size, low + last)
            size.min = low

    return Explorer(curves.state, curves.draw, {"corpus": pick, "size": size, "log": log}, [[pick, log], [size]], adjust)


def tie_switch(tie="first-seen"):
    """Choose which of equally frequent pairs goes first, and see other merges come out. For lesson 2, widget 6.

    tie: one of bpe.TIE_RULES. Returns an Explorer with the control tie. Raises ValueError for an unknown rule.
    """
    pick = menu("tie rule", bpe.TIE_RULES, choose(tie, bpe.TIE_RULES, "tie rule"))
    return Explorer(tie_state, ties_card, {"tie": pick})
