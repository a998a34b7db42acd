"""Six published answers to a tie, on the same words, each in the setting it was made for (lesson 2)."""
from functools import cache

from .. import bpe
from ..errors import choose
from .base import INK, MONO, block, box, card, escape, label, notes, small, span, strip, table

WORDS = {"low": 5, "lower": 2, "widest": 3, "newest": 6}
MERGES = 6
PLAIN = "bytes, GPT-2's pattern"


def setting(tie):
    """How the library with this tie rule prepares the words: (arguments for bpe.train, told)."""
    if tie not in ("greatest-strings", "sentencepiece"):
        text = " ".join(word for word, times in WORDS.items() for _ in range(times))
        return {"source": text, "pattern": "gpt2"}, PLAIN
    start, end = ("▁", "") if tie == "sentencepiece" else ("", "</w>")
    words = {start + word: times for word, times in WORDS.items()}
    arguments = {"source": words, "pattern": "none", "alphabet": "characters", "end_of_word": end}
    told = "characters, </w> after a word" if end else "characters, ▁ before a word"
    return arguments, told


@cache
def outcome(tie):
    """What a tie rule makes of `abcbcab` in one merge, and of low, lower, widest, newest in six.

    Returns dict: tie, setting (in words), cut (tokens of abcbcab), merges (tokens), words (list of (tokens, count)),
    tied (how many of the six merges were ties).

    >>> outcome("greatest-bytes")["cut"]
    (b'a', b'bc', b'bc', b'a', b'b')
    """
    arguments, told = setting(tie)
    trace = bpe.train(**arguments, tie=tie)
    merges = trace.merges[:MERGES]
    one = bpe.train("abcbcab", pattern="none", alphabet=trace.symbols, tie=tie)
    return {"tie": tie, "setting": told, "cut": one.at(1)[0][0], "merges": [merge.token for merge in merges],
            "words": trace.at(MERGES), "tied": sum(merge.tied > 1 for merge in merges)}


def tie_state(tie="first-seen"):
    """The outcome of every rule, and which is chosen: dict chosen, rows (one outcome a rule, in bpe.TIE_RULES' order).

    Raises ValueError for an unknown rule.
    """
    return {"chosen": choose(tie, bpe.TIE_RULES, "tie rule"), "rows": [outcome(name) for name in bpe.TIE_RULES]}


def ties_card(tie="first-seen"):
    """Six merges under each tie rule, and what the chosen one makes of the words. For lesson 2.

    tie: one of bpe.TIE_RULES, or what `tie_state` returns. Raises ValueError for an unknown rule.

    >>> ties_card("greatest-bytes")
    greatest-bytes: abcbcab becomes a bc bc a b; the 6 merges are st est ow low west ne
    """
    state = tie if isinstance(tie, dict) else tie_state(tie)
    chosen = next(row for row in state["rows"] if row["tie"] == state["chosen"])
    lines = []
    for row in state["rows"]:
        here = row is chosen
        name = span(("▸ " if here else "") + escape(row["tie"]),
                    f"font:13px {MONO};font-weight:{700 if here else 400};color:{INK};white-space:nowrap")
        lines.append([name, "".join(box(token, hue=int(here)) for token in row["merges"]), small(row["setting"])])
    words = table([[small(f"{times} ×"), strip(tokens, hues=[int(token in chosen["merges"]) for token in tokens])]
                   for tokens, times in chosen["words"]])
    short = strip(chosen["cut"], hues=[int(len(token) > 1) for token in chosen["cut"]])
    body = (small(f"{chosen['tie']}: {bpe.TIE_RULES[chosen['tie']]}", INK) + block("abcbcab after 1 merge", short)
            + block(f"the words after {MERGES} merges", words)
            + block(f"the {MERGES} merges under every rule", table(lines)))
    return card(f"{chosen['tie']}: abcbcab becomes {' '.join(map(label, chosen['cut']))}; "
                f"the {MERGES} merges are {' '.join(map(label, chosen['merges']))}", body,
                notes("▸ and bold: the chosen rule", f"{chosen['tied']} of its {MERGES} merges were ties",
                      "the first low has no blank before it" if chosen["setting"] == PLAIN else ""))
