"""Six published answers to a tie, each on the same words in the setting it was made for (lesson 2)."""
from functools import cache

from .. import bpe
from ..errors import choose
from .base import INK, MONO, box, card, escape, label, notes, small, strip, table

WORDS = {"low": 5, "lower": 2, "widest": 3, "newest": 6}
MERGES = 6


def setting(tie):
    """How the library with this tie rule prepares a text: (arguments for bpe.train, size of the alphabet, in words)."""
    if tie == "greatest-strings":
        words, told = WORDS, "characters, </w> at the end of a word"
    elif tie == "sentencepiece":
        words, told = {"▁" + word: times for word, times in WORDS.items()}, "characters, ▁ before a word"
    else:
        text = " ".join(word for word, times in WORDS.items() for _ in range(times))
        return {"source": text, "pattern": "gpt2", "alphabet": "bytes"}, 256, "bytes, GPT-2's pattern"
    end = "</w>" if tie == "greatest-strings" else ""
    size = len(set("".join(words))) + bool(end)
    return {"source": words, "pattern": "none", "alphabet": "characters", "end_of_word": end}, size, told


@cache
def outcome(tie):
    """What six merges on low, lower, widest, newest and one merge on `abcbcab` give under a tie rule.

    Returns dict: tie, setting (words), merges (tokens), words (list of (tokens, count)), tied (merges that were ties), cut (tokens of abcbcab).

    >>> outcome("greatest-bytes")["cut"]
    (b'a', b'bc', b'bc', b'a', b'b')
    """
    arguments, size, told = setting(tie)
    trace = bpe.train(**arguments, vocab_size=size + MERGES, tie=tie)
    alphabet = arguments["alphabet"]
    one = bpe.train("abcbcab", vocab_size=(256 if alphabet == "bytes" else 3) + 1, pattern="none", alphabet=alphabet, tie=tie)
    return {"tie": tie, "setting": told, "merges": [merge.token for merge in trace.merges], "words": trace.at(len(trace.merges)),
            "tied": sum(merge.tied > 1 for merge in trace.merges), "cut": one.at(1)[0][0]}


def tie_state(tie):
    """The outcome of every rule, and which is chosen: dict chosen, rows (one outcome a rule, in the order of bpe.TIE_RULES).

    Raises ValueError for an unknown rule.
    """
    return {"chosen": choose(tie, bpe.TIE_RULES, "tie rule"), "rows": [outcome(name) for name in bpe.TIE_RULES]}


def ties_card(tie="first-seen"):
    """Six merges under each tie rule, and what the chosen one makes of the words. For lesson 2.

    tie: one of bpe.TIE_RULES, or what `tie_state` returns. Raises ValueError for an unknown rule.
    """
    state = tie if isinstance(tie, dict) else tie_state(tie)
    chosen = next(row for row in state["rows"] if row["tie"] == state["chosen"])
    words = table([[small(f"{times} ×"), strip(tokens, hues=[1 if token in chosen["merges"] else 0 for token in tokens])] for tokens, times in chosen["words"]])
    lines = []
    for row in state["rows"]:
        here = row is chosen
        mark = f'<span style="font:13px {MONO};font-weight:{700 if here else 400};color:{INK};white-space:nowrap">{"▸ " if here else ""}{escape(row["tie"])}</span>'
        lines.append([mark, "".join(box(token, hue=1 if here else 0) for token in row["merges"]), small(row["setting"])])
    first = strip(chosen["cut"], hues=[1 if len(token) > 1 else 0 for token in chosen["cut"]])
    body = (f'<div>{small(chosen["tie"] + ": " + bpe.TIE_RULES[chosen["tie"]], INK)}</div>'
            + table([[small("abcbcab after 1 merge"), first], [small(f"the words after {MERGES} merges"), words]])
            + f'<div style="margin-top:8px">{small(f"the {MERGES} merges under every rule")}</div>' + table(lines))
    return card(f"{chosen['tie']}: abcbcab becomes {' '.join(map(label, chosen['cut']))}; merges {' '.join(map(label, chosen['merges']))}", body,
                notes("▸ and bold: the chosen rule", f"{chosen['tied']} of its {MERGES} merges were ties"))
