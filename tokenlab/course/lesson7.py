"""Lesson 7: what its exercises try."""
import re
from itertools import pairwise

from .. import pretrained
from ..views.letters import occurs, with_commas
from .checks import Exercise, Value

ERRORS = ("replace", "strict")


def count_letter(ids, letter, texts=lambda ids: [pretrained.load("gpt2").decode(ids)], count=occurs):
    """How often a letter occurs in what ids say; what is passed besides makes the mistakes."""
    if len(letter) != 1:
        raise ValueError("letter must be one character")
    return sum(count(letter, text) for text in texts(ids))


def _alone(errors):
    """The mistake of decoding token by token: a letter in two tokens is lost."""
    return {"texts": lambda ids: [pretrained.load("gpt2").decode([i], errors) for i in ids]}


SEPARATORS = ("", " ", "-", ", ", ".", "\n")


def judge_separators(separators, name="o200k_base"):
    """The hint for separators that should give one token for each letter, and no others, "" if they do; and the values in it."""
    pieces = {s: pretrained.load(name).pieces(s.join("strawberry")) for s in SEPARATORS}
    right = {s for s in SEPARATORS if [sum(map(str.isalpha, piece)) for piece in pieces[s]] == [1] * 10}
    for odd in sorted(separators - right, key=repr):
        return "unknown" if odd not in SEPARATORS else "extra" if odd else "several", {"separator": repr(odd)}
    return "missing" if right - separators else "", {"n": len(right - separators)}


def cut_doubles(words, before=" ", cut=lambda left, right: left[-1] == right[0]):
    pieces = {word: pretrained.load("gpt2").pieces(before + word) for word in words}
    return {word for word in words if any(cut(*pair) for pair in pairwise(pieces[word]))}


def regroup(text, numbers="(?<![.0-9])[0-9]+", write=with_commas):
    return re.sub(numbers, lambda found: write(found[0]), text)


CLAIMS = {"a": "explains", "b": "helps", "c": "does not", "d": "explains", "e": "helps", "f": "does not"}


def judge_claims(verdicts):
    """The hint for the first claim that is sorted wrongly, "" if none is; the keys of CLAIMS are the hints'."""
    if set(verdicts) != set(CLAIMS) or not all(each in CLAIMS.values() for each in verdicts.values()):
        return "shape", {}
    return next((key for key in CLAIMS if verdicts[key] != CLAIMS[key]), ""), {}


# strawberry, the same after a blank and in capitals, "Taxi 🚕🚕", "Café é", bookkeeper, Mississippi, nothing: ids of GPT-2
_STRAW, _TAXI = [301, 1831, 8396], [27017, 72, 12520, 248, 243, 8582, 248, 243]
_COUNTED = [(_STRAW, "r"), ([41236], "r"), ([2257, 20530, 13246, 18276], "r"), (_STRAW, "R"), (_STRAW, "x"), (_TAXI, "🚕"), (_TAXI, "t"),
            ([34, 1878, 2634, 38251], "é"), ([2070, 13884], "e"), ([17140, 747, 12715], "s"), ([], "r"), (_STRAW, ""), (_STRAW, "rr")]
_WORDS = (["kneel"], ["carrot"], ["happy"], ["blubber"], ["boyhood"], ["cheerfully"], ["peeped", "quarrel"], ["grammatical", "hedgehogs"], ["hello", ""], [])
_TEXTS = ("", "123", "1234", "123456", "1234567", "from 98765 to 123456789", "3.1415", "3.14159", "0001234", "1,234,567", "x1000y", "in 2024.",
          "9" * 30, "1234567.89")
_INT = {"write": lambda digits: f"{int(digits):,}"}

EXERCISES = {
    "7.1": Exercise("count_letter", count_letter, _COUNTED, {
        "tokens": tuple(alone | {"count": lambda letter, text: min(1, occurs(letter, text))} for alone in map(_alone, ERRORS)),
        "alone": tuple(map(_alone, ERRORS)),
        "case": {"count": lambda letter, text: text.count(letter)},
        "ids": lambda ids, letter: ids.count(pretrained.load("gpt2").encode(letter)[0])}),
    "7.2": Value("separators", (set, "a set"), judge_separators, ("unknown", "extra", "several", "missing")),
    "7.3": Exercise("cut_doubles", cut_doubles, [(words,) for words in _WORDS], {
        "border": ({"cut": lambda *_: True}, lambda words: {word for word in cut_doubles(words, cut=lambda *_: True) if re.search(r"(.)\1", word)}),
        "inside": (lambda words: {word for word in words if re.search(r"(.)\1", "|".join(pretrained.load("gpt2").pieces(" " + word)))},
                   lambda words: {word for word in words if re.search(r"(.)\1", word)}),
        "blank": {"before": ""}}),
    "7.4": Exercise("regroup", regroup, [(text,) for text in _TEXTS], {
        "left": {"write": lambda digits: ",".join(re.findall("[0-9]{1,3}", digits))},
        "fraction": ({"numbers": "[0-9]+"}, {"numbers": "[0-9]+"} | _INT),
        "second": ({"numbers": r"(?<!\.)[0-9]+"}, {"numbers": r"(?<!\.)[0-9]+"} | _INT),
        "zeros": _INT}),
    "7.5": Value("verdicts", (dict, "a dict"), judge_claims, ("shape", *CLAIMS)),
}
