"""Exercises and their checks: which input fails first, what was expected, what came, and the hint that fits."""
import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from ..views import base
from .compare import equal, kinds, type_name
from .lessons import exercises, find
from .limit import Endless, attempt
from .show import Shown, fill, inline, plain
from .words import EMPTY, common

# Strings on which text code breaks: each exercise takes those that fit its domain and cost.
NASTY = ("", " ", "  ", "\t", "\n", "\r\n", "\u00e9", "e\u0301", "안", "😉", "\U0001F468\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466",
         "🇬🇪", "שלום مرحبا", "a\x00b", "\ufeffa", "a\u200bb", "\u0085", "<script>alert(1)</script>", "<|endoftext|>", "a" * 1_000)
NASTY_BYTES = (b"\x80", b"\xbf\x80", b"\xff", b"a\xcc", b"\xed\xa0\x80")        # no UTF-8: lone continuations, a surrogate, ...


class Exercise(NamedTuple):
    """A function for the learner to write.

    name: what it is called in messages. reference: a right one. cases: argument tuples to try.
    mistakes: hint key -> a function that makes this mistake, or keyword arguments with which the reference makes it, or a tuple of such
    variants; the key's hint is shown to who gets the same results in all cases. show: how an argument is written in messages.
    """
    name: str
    reference: Callable
    cases: Sequence[tuple]
    mistakes: Mapping[str, Callable | dict | tuple] = EMPTY
    show: Callable | None = None
    needs = "hint"              # what its words cannot be without

    def check(self, id, answer, words):
        """Return the Result for `answer`, which should be a function. words: the exercise's words.Task."""
        names = list(inspect.signature(self.reference).parameters)[:len(self.cases[0])]
        if not callable(answer):
            return _wrong(id, "", f"the function {self.name} itself", short(answer), fill(common().hints.call, {"name": self.name}))
        _, misfit = attempt(lambda: inspect.signature(answer).bind(*names))
        if isinstance(misfit, TypeError):               # ValueError: some built-in functions have no signature
            given = f"{self.name}{inspect.signature(answer)}"
            return _wrong(id, "", f"{self.name}({', '.join(names)})", given, common().hints.arguments)
        tried = []
        for args in sorted(self.cases, key=lambda args: len(repr(args))):       # so the first failure is the smallest
            expected, got = _run(self.reference, args), _run(answer, args)
            tried.append(_Try(args, expected, got, *_fault(expected, got)))
            if tried[-1].fault == "endless":
                break
        if tried[0].got.value is ...:
            return _not_started(id)
        # Inputs that must be refused count only when nothing else is wrong: who comes to them later still gets a hint.
        valid = [one for one in tried if one.expected.error is None]
        tried = valid if any(one.fault for one in valid) else tried
        failed = next((one for one in tried if one.fault), None)
        if failed is None:
            return Result(id, True, True, f"Right. It passes all {len(self.cases)} cases, nasty ones included.")
        case = f"{self.name}({', '.join(map(self.show or short, failed.args))})"
        return _wrong(id, case, failed.expected.shown(), failed.got.shown(), self._hint(tried, failed, words))

    def mistaken(self, key):
        """The functions that make the mistake `key`."""
        made = self.mistakes[key] if isinstance(self.mistakes[key], tuple) else (self.mistakes[key],)
        return [each if callable(each) else partial(self.reference, **each) for each in made]

    def _hint(self, tried, failed, words):
        for key in self.mistakes:
            for mistaken in self.mistaken(key):
                if all(_run(mistaken, one.args).like(one.got) for one in tried):
                    return words.hints[key]
        return fill(getattr(common().hints, failed.fault, words.hint), failed.places)


class Value(NamedTuple):
    """A value for the learner to find, such as a number or a text.

    name: the variable in messages. kind: the type it must have, and how it is called. judge: called with the value; returns the key of a hint,
    one of `mistakes`, "" for a right value, and a dict of values for the places in that hint, or in what is said to a right value.
    A ValueError that it raises is told in the hint "error".
    """
    name: str
    kind: tuple[type, str]
    judge: Callable
    mistakes: Sequence[str]
    needs = "wanted"            # what its words cannot be without

    def check(self, id, answer, words):
        """Return the Result for `answer`. words: the exercise's words.Task."""
        case = f"{self.name} = {short(answer)}"
        kind, called = self.kind
        if not isinstance(answer, kind) or isinstance(answer, bool):
            return _wrong(id, case, words.wanted, "", fill(common().hints.kind, {"expected": called, "got": type_name(answer)}))
        try:
            key, places = self.judge(answer)
        except Exception as error:      # noqa: BLE001 - a value of odd parts may raise anything where it is looked at
            if not (isinstance(error, ValueError) and "error" in self.mistakes):
                return _wrong(id, case, words.wanted, "", fill(common().hints.odd, {"error": _said(error)}))
            key, places = "error", {"error": error}
        if key:
            return _wrong(id, case, words.wanted, "", fill(words.hints[key], places))
        return Result(id, True, True, f"Right. {fill(words.right, places)}".strip(), case=case)


@dataclass
class Result(Shown):
    """What a check found. `case`, `expected` and `got` are texts about the smallest input that failed; `hint` says what next."""
    exercise: str
    passed: bool
    started: bool
    message: str
    hint: str = ""
    case: str = ""
    expected: str = ""
    got: str = ""

    def __post_init__(self):
        mark = "✓" if self.passed else "✗" if self.started else "○"
        rows = (("tried", self.case), ("expected", self.expected), ("you gave", self.got))
        self.title, self.rows = f"{mark} {self.exercise} {self.message}", [row for row in rows if row[1]]
        self.advice = self.hint and "Hint: " * self.started + self.hint

    def html(self):
        """The result as a card; the mark says without colour what the colour says."""
        table = base.table([[base.small(name, wrap=False), base.mono(text, 13, wrap=True)] for name, text in self.rows])
        color = base.GOOD if self.passed else base.BAD if self.started else base.MUTED
        title = base.span(inline(self.title), f"color:{color}")
        return base.card(self.title, table + inline(self.advice)).replace(base.escape(self.title), title, 1)

    def __repr__(self):
        rows = [f"{name:9} {text}" for name, text in self.rows] + [plain(self.advice)] * bool(self.advice)
        return "\n    ".join([plain(self.title), *rows])


def check(id, answer):
    """Try the answer to an exercise on fixed and on nasty inputs, and return a Result that shows itself.

    id: the exercise's number, such as "2.1". answer: the function that the learner wrote, or the value that is asked.
    A result has `passed`, `started` (False while the answer is `...`), `message`, `hint` and `case`, the smallest input
    that fails. A function that does not end is stopped (see `limit.attempt`). Every lesson.

    Raises ValueError for an unknown id, and says which is nearest.

    >>> from tokenlab import bpe
    >>> check("2.1", bpe.count_pairs).passed
    True
    >>> check("2.1", lambda ids: ...)
    ○ 2.1 Not started yet.
        Replace the ... with your answer, run that cell, then run this one again.
    """
    words = find(id, "exercise")
    return _not_started(id) if answer is ... else exercises(id.split(".")[0])[id].check(id, answer, words)


def short(value, limit=160):
    """Return the repr of any value, cut where it is long; it never fails.

    >>> short("a" * 10_000, 8)
    "'aaaaaaa … (10,002 characters in all, shortened)"
    """
    text, error = attempt(repr, value)
    if error is not None:
        return f"{type_name(value)} that cannot be shown (its repr raises {type(error).__name__})"
    return text if len(text) <= limit else f"{text[:limit]} … ({len(text):,} characters in all, shortened)"


class _Outcome(NamedTuple):
    """What one call gave: a value or an error, and whether it changed its arguments."""
    value: object
    error: BaseException | None
    changed: str

    def like(self, other):
        """Whether two outcomes are the same: errors of one kind, or values of one type, equal but for rounding."""
        if self.error is not None or other.error is not None:
            return isinstance(self.error, type(other.error)) or isinstance(other.error, type(self.error))
        return self.changed == other.changed and equal(self.value, other.value) and not kinds(self.value, other.value)

    def shown(self):
        if self.error is None:
            return short(self.value) + self.changed
        if isinstance(self.error, Endless):
            return f"no result: stopped after {self.error}: endless, or very slow"
        return _said(self.error)


class _Try(NamedTuple):
    """One case, what it should give and what it gave; fault, places: see `_fault`."""
    args: tuple
    expected: _Outcome
    got: _Outcome
    fault: str
    places: dict


def _fault(expected, got):
    """What is wrong with an outcome: "", or a key of the common hints or another word; and the values for this hint."""
    if isinstance(got.error, Endless):
        return "endless", {}
    if expected.error is not None:
        return "" if isinstance(got.error, type(expected.error)) else "refuse", {"expected": type_name(expected.error)}
    if got.error is not None:
        return "error", {}
    if got.value is None is not expected.value:
        return "none", {}
    if differ := kinds(expected.value, got.value):
        return "type", dict(zip(("expected", "got"), differ))
    return "value" if not equal(expected.value, got.value) else "changed" if got.changed else "", {}


def _run(function, args):
    given = [copy.deepcopy(each) if isinstance(each, (dict, list, set)) else each for each in args]     # no other kind can be changed
    value, error = attempt(function, *given)
    changed = [short(after) for before, after in zip(args, given) if not equal(before, after)]
    return _Outcome(value, error, f", and changed its argument to {changed[0]}" if changed else "")


def _said(error):
    """An error's type and the beginning of its text, whatever it is."""
    said = f"{type(error).__name__}: {attempt(str, error)[0] or ''}"[:200]
    return said.encode("utf-8", "backslashreplace").decode("utf-8")             # a lone surrogate cannot be sent to a page


def _not_started(id):
    return Result(id, False, False, "Not started yet.", common().check.begin)


def _wrong(id, case, expected, got, hint):
    return Result(id, False, True, "Not yet.", hint, case, expected, got)
