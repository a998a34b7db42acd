"""Exercises and their checks: which input fails first, what was expected, what came, and the hint that fits."""
import contextlib
import copy
import inspect
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .lessons import find
from .limit import Endless, limited
from .show import Shown, fill, inline, plain, row, verdict
from .words import common

# Strings on which text code breaks: each exercise takes those that fit its domain and cost.
NASTY = ("", " ", "  ", "\t", "\n", "\r\n", "\u00e9", "e\u0301", "안", "😉", "\U0001F468\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466",
         "🇬🇪", "שלום مرحبا", "a\x00b", "\ufeffa", "a\u200bb", "\u0085", "<script>alert(1)</script>", "<|endoftext|>", "a" * 10_000)
NASTY_BYTES = (b"\x80", b"\xbf\x80", b"\xff", b"a\xcc", b"\xed\xa0\x80")        # no UTF-8: lone continuations, a surrogate, ...


@dataclass(frozen=True)
class Exercise:
    """A function for the learner to write.

    name: what it is called in messages. reference: a right one. cases: argument tuples to try.
    mistakes: hint key -> the function that makes this mistake; the key's hint is shown to who gets the same results.
    show: how an argument is written in messages.
    """
    name: str
    reference: Callable
    cases: Sequence[tuple]
    mistakes: Mapping[str, Callable] = field(default_factory=dict)
    show: Callable | None = None

    def check(self, id, answer, words):
        """Return the Result for `answer`, which should be a function. words: the exercise's words.Task."""
        if answer is ...:
            return _not_started(id)
        misfit = _misfit(self, answer)
        if misfit:
            return _wrong(id, *misfit)
        failures = []
        for args in sorted(self.cases, key=lambda args: len(repr(args))):       # so the first failure is the smallest
            expected, got = _run(self.reference, args), _run(answer, args)
            if got.value is ... and not failures:
                return _not_started(id)
            fault = _fault(expected, got)
            if fault:
                failures.append((args, expected, got, fault))
            if fault == "endless":
                break
        if not failures:
            return Result(id, True, True, f"Right. {len(self.cases)} cases, nasty ones too.")
        args, expected, got, fault = failures[0]
        case = f"{self.name}({', '.join(map(self.show or short, args))})"
        return _wrong(id, case, expected.shown(), got.shown(), self._hint(failures, words))

    def _hint(self, failures, words):
        for key, mistaken in self.mistakes.items():
            if all(_run(mistaken, args).like(got) for args, _, got, _ in failures):
                return words.hints[key]
        _, expected, got, fault = failures[0]
        kinds = {"expected": type(expected.value).__name__, "got": type(got.value).__name__}
        return fill(common()["hints"][fault], kinds) if fault in common()["hints"] else words.hint


@dataclass(frozen=True)
class Value:
    """A value for the learner to find, such as a number or a text.

    name: the variable in messages. kinds: the types it may have. judge: called with the value; returns None for a right
    one, else the key of a hint, or the key and a dict of values for the places in that hint.
    """
    name: str
    kinds: tuple
    judge: Callable

    def check(self, id, answer, words):
        """Return the Result for `answer`. words: the exercise's words.Task."""
        if answer is ...:
            return _not_started(id)
        case = f"{self.name} = {short(answer)}"
        if not isinstance(answer, self.kinds) or isinstance(answer, bool) and bool not in self.kinds:
            kinds = {"expected": " or ".join(kind.__name__ for kind in self.kinds), "got": type(answer).__name__}
            return _wrong(id, case, words.wanted, "", fill(common()["hints"]["kind"], kinds))
        key = self.judge(answer)
        if key is None:
            return Result(id, True, True, "Right.", case=case)
        key, places = (key, {}) if isinstance(key, str) else key
        return _wrong(id, case, words.wanted, "", fill(words.hints[key], places))


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
    try:
        if isinstance(value, (str, bytes, bytearray, list, tuple)) and len(value) > 64:     # first, or repr takes long
            return f"{repr(value[:24])[:limit]} … ({len(value):,} in all, shortened)"
        text = repr(value)
        return _safe(text if len(text) <= limit else f"{text[:limit]} … ({len(text):,} characters in all, shortened)")
    except Exception as error:      # noqa: BLE001 - a learner's object may do anything
        return f"a {type(value).__name__} that cannot be shown (its repr raises {type(error).__name__})"


@dataclass(frozen=True)
class _Outcome:
    """What one call gave: a value or an error, and whether it changed its arguments."""
    value: object = None
    error: BaseException | None = None
    changed: str = ""

    def like(self, other):
        if self.error or other.error:
            return bool(self.error and other.error) and isinstance(self.error, Endless) == isinstance(other.error, Endless)
        return _equal(self.value, other.value) and self.changed == other.changed

    def shown(self):
        if self.error is None:
            return short(self.value) + self.changed
        if isinstance(self.error, Endless):
            return "no result: it was stopped, because it did not end"
        try:
            words = _safe(str(self.error))
        except Exception:           # noqa: BLE001 - a learner's error, too
            words = "(its message cannot be shown)"
        return f"{type(self.error).__name__}: {words[:200]}"


def _run(function, args):
    given = copy.deepcopy(args)
    try:
        with contextlib.redirect_stdout(io.StringIO()):         # dozens of cases would print far too much
            value = limited(function, given)
    except (Exception, Endless) as error:       # noqa: BLE001 - whatever it raises is what the check shows
        return _Outcome(error=error)
    changed = [short(after) for before, after in zip(args, given) if not _equal(before, after)]
    return _Outcome(value, changed=f", and changed its argument to {changed[0]}" if changed else "")


def _fault(expected, got):
    """None where `got` is right, else what is wrong with it: a key of the common hints, or another word."""
    if isinstance(got.error, Endless):
        return "endless"
    if expected.error or got.error:
        return None if expected.error and isinstance(got.error, type(expected.error)) else "error"
    if _equal(expected.value, got.value) and isinstance(got.value, type(expected.value)):
        return "changed" if got.changed else None
    if got.value is None:
        return "none"
    if not isinstance(got.value, type(expected.value)):
        return "type"
    return "inside" if _equal(_melted(expected.value), _melted(got.value)) else "value"


def _equal(a, b):
    with contextlib.suppress(Exception):        # such as that of arrays, which compare to arrays
        return bool(a == b)
    return False


def _melted(value):
    """The value with lists for tuples, at any depth: equal if only these differ."""
    if isinstance(value, dict):
        return [[_melted(key), _melted(item)] for key, item in value.items()]
    return [_melted(item) for item in value] if isinstance(value, (list, tuple)) else value


def _misfit(exercise, answer):
    """Why `answer` cannot be called as the exercise calls it: (case, expected, got, hint), or None."""
    parameters = [p.name for p in inspect.signature(exercise.reference).parameters.values() if p.default is p.empty]
    call = f"{exercise.name}({', '.join(parameters)})"
    if not callable(answer):
        return "", f"the function {exercise.name} itself", short(answer), fill(common()["hints"]["call"], {"name": exercise.name})
    try:
        signature = inspect.signature(answer)
    except (TypeError, ValueError):         # some built-in functions have none
        return None
    try:
        signature.bind(*parameters)
    except TypeError:
        return "", call, f"{getattr(answer, '__name__', exercise.name)}{signature}", common()["hints"]["arguments"]
    return None


def _safe(text):
    """Text that can be sent to a page: lone surrogates are spelled out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _not_started(id):
    return Result(id, False, False, "Not started yet.", common()["check"]["begin"])


def _wrong(id, case, expected, got, hint):
    return Result(id, False, True, "Not yet.", hint, case, expected, got)
