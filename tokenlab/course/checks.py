"""Exercises and their checks: which input fails first, what was expected, what came, and the hint that fits."""
import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from .lessons import find
from .limit import Endless, attempt
from .show import Shown, fill, inline, plain, row, verdict
from .words import common

# Strings on which text code breaks: each exercise takes those that fit its domain and cost.
NASTY = ("", " ", "  ", "\t", "\n", "\r\n", "\u00e9", "e\u0301", "안", "😉", "\U0001F468\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466",
         "🇬🇪", "שלום مرحبا", "a\x00b", "\ufeffa", "a\u200bb", "\u0085", "<script>alert(1)</script>", "<|endoftext|>", "a" * 1_000)
NASTY_BYTES = (b"\x80", b"\xbf\x80", b"\xff", b"a\xcc", b"\xed\xa0\x80")        # no UTF-8: lone continuations, a surrogate, ...


@dataclass(frozen=True)
class Exercise:
    """A function for the learner to write.

    name: what it is called in messages. reference: a right one. cases: argument tuples to try.
    mistakes: hint key -> a function that makes this mistake, or a tuple of variants; the key's hint is shown to who gets
    the same results in all cases. show: how an argument is written in messages.
    """
    name: str
    reference: Callable
    cases: Sequence[tuple]
    mistakes: Mapping[str, Callable | tuple] = field(default_factory=dict)
    show: Callable | None = None
    needs = "hint"              # what its words cannot be without

    def check(self, id, answer, words):
        """Return the Result for `answer`, which should be a function. words: the exercise's words.Task."""
        if answer is ...:
            return _not_started(id)
        misfit = _misfit(self, answer)
        if misfit:
            return _wrong(id, *misfit)
        tried = []
        for args in sorted(self.cases, key=lambda args: len(repr(args))):       # so the first failure is the smallest
            tried.append(_Try(args, _run(self.reference, args), _run(answer, args)))
            if tried[-1].got.value is ... and not any(one.fault for one in tried[:-1]):
                return _not_started(id)
            if tried[-1].fault == "endless":
                break
        # Inputs that must be refused count only when nothing else is wrong: who comes to them later still gets a hint.
        valid = [one for one in tried if one.expected.error is None]
        tried = valid if any(one.fault for one in valid) else tried
        failed = next((one for one in tried if one.fault), None)
        if failed is None:
            return Result(id, True, True, f"Right. It passes all {len(self.cases)} cases, nasty ones included.")
        case = f"{self.name}({', '.join(map(self.show or short, failed.args))})"
        return _wrong(id, case, failed.expected.shown(), failed.got.shown(), self._hint(tried, failed, words))

    def _hint(self, tried, failed, words):
        if failed.fault in ("none", "type"):            # bytearray for bytes is equal, and would look like a known mistake
            return fill(common()["hints"][failed.fault], failed.kinds())
        for key, variants in self.mistakes.items():
            for mistaken in variants if isinstance(variants, tuple) else (variants,):
                if all(_run(mistaken, one.args).like(one.got) for one in tried):
                    return words.hints[key]
        inside = failed.fault == "value" and _equal(failed.expected.value, failed.got.value, _melted)
        return fill(common()["hints"].get("inside" if inside else failed.fault, words.hint), failed.kinds())


@dataclass(frozen=True)
class Value:
    """A value for the learner to find, such as a number or a text.

    name: the variable in messages. kind: the type it must have, and how it is called. judge: called with the value; returns the key of a hint,
    one of `mistakes`, "" for a right value, and a dict of values for the places in that hint, or in what is said to a right value.
    """
    name: str
    kind: tuple[type, str]
    judge: Callable
    mistakes: Sequence[str]
    needs = "wanted"            # what its words cannot be without

    def check(self, id, answer, words):
        """Return the Result for `answer`. words: the exercise's words.Task."""
        if answer is ...:
            return _not_started(id)
        case = f"{self.name} = {short(answer)}"
        kind, called = self.kind
        if not isinstance(answer, kind) or isinstance(answer, bool):
            kinds = {"expected": called, "got": _a(type(answer))}
            return _wrong(id, case, words.wanted, "", fill(common()["hints"]["kind"], kinds))
        key, places = self.judge(answer)
        if key:
            return _wrong(id, case, words.wanted, "", fill(words.hints[key], places))
        return Result(id, True, True, f"Right. {fill(words.right, places)}".strip(), case=case)


@dataclass(frozen=True)
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

    @property
    def mark(self):
        return "✓" if self.passed else "✗" if self.started else "○"

    def html(self):
        """The result as a card."""
        body = "".join(row(name, text) for name, text in self._rows())
        body += f'<div style="margin-top:4px">{inline(self._next())}</div>' if self.hint else ""
        return verdict(self.mark, f"{self.exercise} {self.message}", body, self.passed if self.started else None)

    def __repr__(self):
        lines = [f"{self.mark} {self.exercise} {self.message}", *(f"    {name:9} {text}" for name, text in self._rows())]
        return "\n".join(lines + ([f"    {plain(self._next())}"] if self.hint else []))

    def _next(self):
        return f"Hint: {self.hint}" if self.started else self.hint

    def _rows(self):
        rows = (("tried", self.case), ("expected", self.expected), ("you gave", self.got))
        return [(name, text) for name, text in rows if text]


def check(id, answer):
    """Try the answer to an exercise on fixed and on nasty inputs, and return a Result that shows itself.

    id: the exercise's number, such as "2.1". answer: the function that the learner wrote, or the value that is asked.
    A result has `passed`, `started` (False while the answer is `...`), `message`, `hint` and `case`, the smallest input
    that fails. A function that does not end is stopped (see `limit.limited`). Every lesson.

    Raises ValueError for an unknown id, and says which is nearest.

    >>> from tokenlab import bpe
    >>> check("2.1", bpe.count_pairs).passed
    True
    >>> check("2.1", lambda ids: ...)
    ○ 2.1 Not started yet.
        Replace the ... with your answer, run that cell, then run this one again.
    """
    exercise, words = find(id, "EXERCISES", "exercise")
    return exercise.check(id, answer, words)


def short(value, limit=160):
    """Return the repr of any value, cut where it is long; it never fails.

    >>> short("a" * 10_000)
    "'aaaaaaaaaaaaaaaaaaaaaaaa' … (10,000 in all, shortened)"
    """
    long = isinstance(value, (str, bytes, bytearray, list, tuple)) and len(value) > 64      # repr would take long
    text, error = attempt(repr, value[:24] if long else value)
    if error is not None:
        return f"{_a(type(value))} that cannot be shown (its repr raises {type(error).__name__})"
    size = f"{len(value):,}" if long else f"{len(text):,} characters" if len(text) > limit else ""
    return _safe(text[:limit]) + (f" … ({size} in all, shortened)" if size else "")


@dataclass(frozen=True)
class _Outcome:
    """What one call gave: a value or an error, and whether it changed its arguments."""
    value: object = None
    error: BaseException | None = None
    changed: str = ""

    def like(self, other):
        if self.error is not None or other.error is not None:
            return isinstance(self.error, type(other.error)) or isinstance(other.error, type(self.error))
        return self.changed == other.changed and _equal(self.value, other.value)

    def shown(self):
        if self.error is None:
            return short(self.value) + self.changed
        if isinstance(self.error, Endless):
            return f"no result: stopped after {self.error.spent}: endless, or very slow"
        words, fault = attempt(str, self.error)
        return f"{type(self.error).__name__}: {_safe(words)[:200] if fault is None else '(its message cannot be shown)'}"


@dataclass(frozen=True)
class _Try:
    args: tuple
    expected: _Outcome
    got: _Outcome

    @cached_property
    def fault(self):
        """None where `got` is right, else what is wrong with it: a key of the common hints, or another word."""
        expected, got = self.expected.value, self.got.value
        if isinstance(self.got.error, Endless):
            return "endless"
        if self.expected.error is not None:
            return None if isinstance(self.got.error, type(self.expected.error)) else "refuse"
        if self.got.error is not None:
            return "error"
        if got is None:
            return None if expected is None else "none"
        if not isinstance(got, type(expected)):
            return "type"
        if not _equal(expected, got):
            return "value"
        return "type" if self.misfit else "changed" if self.got.changed else None

    @cached_property
    def misfit(self):
        """Where the types differ first, see _misfit_inside."""
        return attempt(_misfit_inside, self.expected.value, self.got.value)[0]

    def kinds(self):
        """What was expected and what came, as the places of a hint name them."""
        expected, got = (_a(type(one.value if one.error is None else one.error)) for one in (self.expected, self.got))
        if self.fault == "type" and self.misfit:
            expected, got = self.misfit
        return {"expected": expected, "got": got}


def _run(function, args):
    given = copy.deepcopy(args)
    value, error = attempt(function, *given)
    changed = [short(after) for before, after in zip(args, given) if not _equal(before, after)]
    return _Outcome(value, error, f", and changed its argument to {changed[0]}" if changed else "")


def _equal(a, b, view=lambda value: value):
    """Whether view(a) == view(b); not where they cannot be compared, as arrays cannot."""
    return attempt(lambda: bool(view(a) == view(b)))[0] is True


def _melted(value):
    """The value with lists for tuples, at any depth: equal if only these differ."""
    if isinstance(value, dict):
        return [[_melted(key), _melted(item)] for key, item in value.items()]
    return [_melted(item) for item in value] if isinstance(value, (list, tuple)) else value


def _misfit_inside(expected, got):
    """Where the types of two values differ first, equal as they may be: ("a list with an int", "a list with a float"), or None."""
    if not isinstance(got, type(expected)):
        return _a(type(expected)), _a(type(got))
    pairs = ()
    if isinstance(expected, dict):
        pairs = [(value, got[key]) for key, value in expected.items()]
    elif isinstance(expected, (list, tuple)):
        pairs = zip(expected, got, strict=True)
    inside = next(filter(None, (_misfit_inside(*pair) for pair in pairs)), None)
    return inside and tuple(f"{_a(type(one))} with {name}" for one, name in zip((expected, got), inside, strict=True))


def _misfit(exercise, answer):
    """Why `answer` cannot be called as the exercise calls it: (case, expected, got, hint), or None."""
    if not callable(answer):
        hint = fill(common()["hints"]["call"], {"name": exercise.name})
        return "", f"the function {exercise.name} itself", short(answer), hint
    names = [p.name for p in inspect.signature(exercise.reference).parameters.values() if p.default is p.empty]
    signature, error = attempt(inspect.signature, answer)
    if error is not None or attempt(signature.bind, *names)[1] is None:         # some built-in functions have no signature
        return None
    given = f"{getattr(answer, '__name__', exercise.name)}({', '.join(signature.parameters)})"
    return "", f"{exercise.name}({', '.join(names)})", given, common()["hints"]["arguments"]


def _a(kind):
    """A type's name with its article."""
    return f"{'an' if kind.__name__[0] in 'aeiouAEIO' else 'a'} {kind.__name__}"


def _safe(text):
    """Text that can be sent to a page: lone surrogates are spelled out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _not_started(id):
    return Result(id, False, False, "Not started yet.", common()["check"]["begin"])


def _wrong(id, case, expected, got, hint):
    return Result(id, False, True, "Not yet.", hint, case, expected, got)
