"""Letters, digits and blanks as a model gets them: ids, and only on request what they spell (lesson 7)."""
import re

from ..errors import need_text, short
from ..text import graphemes
from .base import INK, block, card, shows, small, strip, table
from .tokens import encoding
from .writing import counted, first, label, notes

CASES = {"as typed": str, "lower": str.lower, "UPPER": str.upper, "Title": str.capitalize}
WORD, DIGITS = 60, 15           # characters of a word, digits of a number


def form(word, blank=False, case="as typed", spaced=False):
    """Return one form of a word: in one of the CASES, its letters spaced out, with a blank before it. For lesson 7.

    >>> form("taxi", blank=True, case="UPPER", spaced=True)
    ' T A X I'
    """
    word = CASES[case](word)
    return " " * blank + (" ".join(graphemes(word)) if spaced else word)


def occurs(letter, text):
    """How often a letter stands in a text, small or capital."""
    return sum(each.lower() == letter.lower() for each in text)


def letters_state(tok, word, letter="r", shown=True, **how):
    """What a model sees of a form of a word, and how often a letter is in it, counted in what the ids decode to.

    tok: a tokenizer as for `tokens.encoding`. shown: whether the letters are shown. how: arguments of `form`; of a long word the first WORD characters
    are taken. Returns what `encoding` does, and text, rest, letter, shown, alone (the letter's count in each token by itself),
    total, plain (the ids of the word as typed).
    Raises ValueError for an empty word and for a letter that is not one character; TypeError for what is not text.
    """
    if not need_text(word).strip():
        raise ValueError("there is no word: type at least one letter")
    if len(need_text(letter, "letter")) != 1:
        raise ValueError(f"letter must be one character (code point), and {short(letter)} has {len(letter)}")
    word, rest = first(word, WORD, "characters")
    text = form(word, **how)
    row = encoding(tok, text)
    return {**row, "text": text, "rest": rest, "letter": letter, "shown": shown, "plain": encoding(tok, word)["ids"],
            "alone": [occurs(letter, token.decode("utf-8", "replace")) for token in row["tokens"]],
            "total": occurs(letter, tok.decode(row["ids"]))}


@shows(letters_state, "alone")
def letters_card(state):
    """The ids of a word, and, if asked, what they spell and how often a letter is in it. For lesson 7.

    tok: a tokenizer as for `tokens.encoding`, or what `letters_state` returns; the rest as there.

    >>> from tokenlab import pretrained
    >>> letters_card(pretrained.load("o200k_base"), "strawberry", "r")
    o200k_base: st raw berry has 3 × r
    >>> letters_card(pretrained.load("o200k_base"), "strawberry", "r", shown=False)
    o200k_base: the model gets 3 ids, and no letters
    """
    name, ids, plain, alone, letter = (state[each] for each in ("name", "ids", "plain", "alone", "letter"))
    same = {*ids} & {*plain} if ids != plain else set()
    body = block("all that the model gets", _ids(ids, same))
    if ids != plain:
        body += block(f"the word as typed: {counted(len(same), 'id')} in common{', outlined' * bool(same)}", _ids(plain, same))
    if not state["shown"]:
        return card(f"{name}: the model gets {counted(len(ids), 'id')}, and no letters", body, state["rest"])
    one, cut = f" × {label(letter)}", state["total"] - sum(alone)
    body += block("decoded and counted", strip(state["tokens"], [f"{n}{one}" for n in alone], hues=[n > 0 for n in alone]))
    return card(f"{name}: {' '.join(map(label, state['tokens']))} has {state['total']}{one}", body,
                notes(f"{cut}{one} is cut by a border" * (cut > 0), state["rest"]))


def _ids(ids, same):
    return strip([str(i) for i in ids], marks=[n for n, i in enumerate(ids) if i in same], hues=[3] * len(ids))


def with_commas(digits):
    """Return digits in threes from the right, as one writes a number.

    >>> with_commas("0012345")
    '0,012,345'
    """
    return re.sub("(?<=[0-9])(?=(?:[0-9]{3})+$)", ",", digits)


def digits_state(toks, number, commas=False, digits=None, tokenizer=None):
    """The groups in which tokenizers take the digits of a number, each with its place value.

    toks: list of tokenizers as for `tokens.encoding`. number: str of 1 to DIGITS digits, commas in it do not count; commas: whether it is written with them;
    digits: how many of the digits are taken (None: all); tokenizer: the name of the one to tell about (None: the first).
    Returns dict: written, name (that tokenizer's), right (the groups of three), rows (dict name -> groups). Groups are a list of
    (digits, power of ten of the last one). Raises ValueError for what is no such number.
    """
    every = need_text(number, "number").replace(",", "")
    if not re.fullmatch(f"[0-9]{{1,{DIGITS}}}", every):
        raise ValueError(f"number must be 1 to {DIGITS} digits, 0 to 9, with or without commas, and is {short(number)}")
    written = with_commas(every[:digits]) if commas else every[:digits]
    return {"written": written, "name": tokenizer or toks[0].name, "right": _placed(with_commas(every[:digits]).split(",")),
            "rows": {tok.name: _placed([re.sub("[^0-9]", "", token.decode()) for token in encoding(tok, written)["tokens"]]) for tok in toks}}


def _placed(groups):
    """Groups of digits with the power of ten of the last digit of each; empty ones are left out."""
    groups = [group for group in groups if group]
    return [(group, sum(map(len, groups[n + 1:]))) for n, group in enumerate(groups)]


@shows(digits_state, "written")
def digits_card(state):
    """A number as groups of digits with what each stands for, outlined where a comma belongs inside one. For lesson 7.

    toks: list of tokenizers, or what `digits_state` returns; the rest as there.

    >>> from tokenlab import pretrained
    >>> digits_card([pretrained.load("cl100k_base")], "1234567")
    cl100k_base reads 1234567 as 123 456 7; by place value it is 1 234 567
    >>> digits_card([pretrained.load("cl100k_base")], "1234567", commas=True)
    cl100k_base reads 1,234,567 as 1 234 567, as place value does
    """
    name, groups, right = state["name"], state["rows"][state["name"]], state["right"]
    read, wanted = (" ".join(group for group, _ in each) for each in (groups, right))
    verdict = ", as place value does" if groups == right else f"; by place value it is {wanted}"
    rows = {"place value": right, name: groups} | state["rows"]             # the one that is told about comes first
    body = table([[small(each, INK), _ruler(row)] for each, row in rows.items()])
    return card(f"{name} reads {state['written']} as {read}{verdict}", body, "outlined: a thousands comma belongs inside this group")


def _ruler(groups):
    """Groups of digits as boxes, with what each is multiplied by."""
    both = [power // 3 < (power + len(group) - 1) // 3 for group, power in groups]
    marks = [n for n, two in enumerate(both) if two]
    return strip([group for group, _ in groups], [f"×{10 ** power:,}" for _, power in groups], marks, both)
