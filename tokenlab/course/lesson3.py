"""Lesson 3: what its exercises try."""
from ..pretokenize import NOT_COVERED, PARTS, explain, split
from ..views.writing import label
from .checks import NASTY, Exercise, Value

SOON = 0.2              # seconds, after which a pattern is given up


def judge_lossless(pattern, dogs="The dog. A dog! What dog?"):
    """The hint for a pattern that should lose nothing and still cut words from punctuation, "" if it does."""
    if pattern in PARTS:
        return "name", {}
    for s in (dogs, "two  words\n", *NASTY):
        lost = [piece for piece, part in explain(s, pattern, SOON) if part == NOT_COVERED]
        if lost:
            kind = "line_end" if not "".join(lost).strip("\r\n") else "blank" if lost[0].isspace() else "lost"
            return kind, {"lost": label(lost[0]), "text": label(s[:40])}
    found = [piece.strip() for piece, _ in explain(dogs, pattern, SOON)]
    return "" if found.count("dog") == 3 else "uncut", {"pieces": " ".join(found)}


_ENDINGS, _OTHERS = "(?:s|t|re|ve|m|ll|d)", list(PARTS["gpt2"].values())[1:]
_TEXTS = ("don't", "don’t", "DON'T", "I’Ll", "we've we’re I'm", "o'clock", "‘quoted’", "a’b", "he'D", "a|s", "'tis")
_CONTRACTIONS = {"same": "'" + _ENDINGS, "case": "['’]" + _ENDINGS, "curly": "'(?i:" + _ENDINGS + ")", "greedy": r"['’]\p{L}+"}


def _contracted(part):
    return [[piece for piece, _ in explain(s, "|".join([part, *_OTHERS]), SOON)] for s in _TEXTS]


def judge_contraction(part):
    """The hint for a part that should take English endings after ' and ’ in any case, "" if it does."""
    explain("", part, SOON)             # by itself first, so that an error speaks of what the learner wrote
    got, right = _contracted(part), _contracted("['’](?i:" + _ENDINGS + ")")
    key = "bare" if got[0][0] == "d" else next((key for key, wrong in _CONTRACTIONS.items() if got == _contracted(wrong)), "other")
    failed = [{"text": s, "pieces": " ".join(map(label, one))} for s, one, good in zip(_TEXTS, got, right) if one != good]
    return (key, failed[0]) if failed else ("", {})


def threes(digits, side, first=lambda n, side: n % 3 if side == "right" else 0):
    """Groups of three digits; `first`, the size of the first group, makes the mistakes."""
    at = first(len(digits), side)
    return ([digits[:at]] if at else []) + [digits[i:i + 3] for i in range(at, len(digits), 3)]


_PUZZLES = {"DON'T": "contraction", "end  ": "end", "  hi": "lead"}


def judge_pieces(pieces):
    """The hint for the pieces that GPT-2's pattern makes of three texts, "" if they are right."""
    if len(pieces) != 3 or not all(isinstance(each, list) and all(isinstance(one, str) for one in each) for each in pieces):
        return "shape", {}
    for (s, key), given in zip(_PUZZLES.items(), pieces):
        if "".join(given) != s:
            return "sum", {"text": label(s), "joined": label("".join(given))}
        if given != split(s):
            return key, {}
    return "", {}


_NUMBERS = ("", "1", "12", "123", "1234", "12345", "123456", "1234567", "1000000", "0001", "9" * 100)
_TOKENS = (" ", "  ", "dog", " dog", "dog.", "dog ", "e ", " the ", " the the", "ing and ", "of the ", " 12", "a1", "...", " ...", "'s", "don't", "\n",
           " \n", "e\n", "  hi", "é", "日本", "<script>", "नम")

EXERCISES = {
    "3.1": Value("pattern", (str, "a str"), judge_lossless, ("name", "error", "blank", "line_end", "lost", "uncut")),
    "3.2": Value("contraction", (str, "a str"), judge_contraction, ("error", "bare", *_CONTRACTIONS, "other")),
    "3.3": Exercise("threes", threes, [(digits, side) for digits in _NUMBERS for side in ("left", "right")], {
        "side": ({"first": lambda n, side: 0}, {"first": lambda n, side: n % 3}),
        "backwards": lambda digits, side: threes(digits[::-1], "left") if side == "right" else threes(digits, side),
        "order": lambda digits, side: threes(digits, side)[::-1] if side == "right" else threes(digits, side),
        "empty": lambda digits, side: threes(digits, side) if len(digits) % 3 or side == "left" else ["", *threes(digits, side)]}),
    "3.4": Exercise("crosses_fence", lambda token: len(split(token)) > 1, [(token,) for token in _TOKENS], {
        "blank": lambda token: " " in token,
        "inside": (lambda token: " " in token.strip(), lambda token: " " in token[1:]),
        "letters": (lambda token: not token.strip().isalpha(), lambda token: not token.removeprefix(" ").isalpha())}),
    "3.5": Value("pieces", (list, "a list"), judge_pieces, ("shape", "sum", *_PUZZLES.values())),
}
