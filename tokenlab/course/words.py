"""The words of the course: questions, choices, feedback and hints, from TOML files that a teacher can edit."""
import difflib
import tomllib
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from importlib import resources
from typing import get_args, get_origin

KINDS = {str: "a text, not empty", bool: "true or false", list: "a list", dict: "a table", list[str]: "a list of texts", dict[str, str]: "a table of texts"}


@dataclass(frozen=True)
class Guess:
    """The words of one prediction; `choices` are empty where a number is asked. Places: {guess}, {answer} and more."""
    question: str
    because: str
    choices: list[str] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)      # remarks: on just this guess, or on one that is "low" or "high"


@dataclass(frozen=True)
class Task:
    """The words of one exercise."""
    hint: str = ""                                          # for wrong answers that none of `hints` explains
    hints: dict[str, str] = field(default_factory=dict)     # by mistake
    wanted: str = ""                                        # where the answer is a value: what is expected,
    right: str = ""                                         # and what is said when it is right


@dataclass(frozen=True)
class Choice:
    text: str
    feedback: str
    right: bool = False


@dataclass(frozen=True)
class Question:
    """One quiz question. `proof`: Python expressions that a test finds true; the course itself never evaluates them."""
    id: str
    question: str
    choices: list
    proof: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Words:
    """All words of one lesson: predictions and exercises by their key, and the quiz in order."""
    prediction: dict = field(default_factory=dict)
    exercise: dict = field(default_factory=dict)
    quiz: list = field(default_factory=list)


# The tables of common.toml, and what each must have.
COMMON = {
    "check": dict.fromkeys(("begin",), str),
    "hints": dict.fromkeys(("call", "arguments", "none", "type", "changed", "refuse", "endless", "kind"), str),
    "prediction": dict.fromkeys(("right", "near", "wrong", "answer", "run", "keys"), str),
    "quiz": dict.fromkeys(("run", "keys"), str),
    "environment": dict.fromkeys(("run", "python", "unknown"), str) | dict.fromkeys(("purpose", "remark"), dict[str, str]),
}


def parse(text, name):
    """Return the Words that `text` (TOML) holds; `name` is the file's, for messages.

    Raises ValueError, with the place and what to do, for broken TOML, an unknown or missing key, a value of the wrong
    type, an empty text, a quiz question without exactly one right choice, and an id or a choice that occurs twice.

    >>> parse("[exercise.1]\\nhint = 'Count all.'", "lesson.toml").exercise["1"].hint
    'Count all.'
    >>> parse("[exercise.1]\\nhnt = 'Count all.'", "lesson.toml")
    Traceback (most recent call last):
    ValueError: lesson.toml, exercise.1: unknown key 'hnt', did you mean 'hint'? Allowed: hint, hints, wanted, right
    """
    raw = _make(Words, _toml(text, name), name)
    guesses = {key: _make(Guess, value, f"{name}, prediction.{key}") for key, value in raw.prediction.items()}
    tasks = {key: _make(Task, value, f"{name}, exercise.{key}") for key, value in raw.exercise.items()}
    quiz = [_question(value, f"{name}, quiz question {n}") for n, value in enumerate(raw.quiz, 1)]
    for key, guess in guesses.items():
        _once(guess.choices, f"{name}, prediction.{key}", "choice")
    _once([question.id for question in quiz], f"{name}, quiz", "id")
    return Words(guesses, tasks, quiz)


@cache
def lesson(number):
    """Return the Words of lesson `number`, read from the package's data; see `lessons.words_of`, which compares them with the lesson."""
    return parse(_read(file(number)), file(number))


def file(number):
    """The name of the file that holds the words of a lesson."""
    return f"lesson{number:02}.toml"


@cache
def common():
    """Return the words that all lessons share: a dict of tables, those of COMMON with their texts."""
    return parse_common(_read("common.toml"), "common.toml")


def parse_common(text, name):
    """Return the tables of common.toml, from its `text`. Raises ValueError for whatever COMMON does not ask for."""
    raw = _toml(text, name)
    need(raw, dict.fromkeys(COMMON, dict), name)
    for table, kinds in COMMON.items():
        need(raw[table], kinds, f"{name}, {table}")
    return raw


def need(raw, kinds, where, optional=()):
    """Raise ValueError, with the place and what to do, unless the table `raw` has what `kinds` asks for: key -> one of KINDS."""
    problem = _problem(raw, kinds, optional)
    if problem:
        raise ValueError(f"{where}: {problem}")


def decode(data, name):
    """Return bytes as text. Raises ValueError for what is no UTF-8; a byte order mark, as some editors write it, may be there.

    >>> decode("a = 1".encode("utf-8-sig"), "lesson.toml")
    'a = 1'
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} is not UTF-8 (byte {error.start}): save it as UTF-8") from None


def _read(name):
    return decode(resources.files("tokenlab.data").joinpath("course", name).read_bytes(), name)


def _toml(text, name):
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{name} is no valid TOML: {error}") from None


def _question(raw, where):
    where += f" ({raw['id']})" if isinstance(raw, dict) and "id" in raw else ""
    question = _make(Question, raw, where)
    choices = [_make(Choice, choice, f"{where}, choice {n}") for n, choice in enumerate(question.choices, 1)]
    _once([choice.text for choice in choices], where, "choice")
    right = sum(choice.right for choice in choices)
    if right != 1:
        raise ValueError(f"{where}: {right} choices have right = true, but exactly one must")
    return replace(question, choices=choices)


def _make(kind, raw, where):
    """Return kind(**raw) if the table `raw` holds what the fields of this dataclass ask for."""
    optional = [one.name for one in fields(kind) if (one.default, one.default_factory) != (MISSING, MISSING)]
    need(raw, {one.name: one.type for one in fields(kind)}, where, optional)
    return kind(**raw)


def _problem(raw, known, optional):
    if not isinstance(raw, dict):
        return f"must be a table, not {raw!r}"
    for key, value in raw.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            guess = f", did you mean {near[0]!r}?" if near else "."
            return f"unknown key {key!r}{guess} Allowed: {', '.join(known)}"
        if not _fits(value, known[key]):
            return f"{key} must be {KINDS[known[key]]}, and is {value!r}"
    missing = [name for name in known if name not in raw and name not in optional]
    return f"{missing[0]!r} is missing" if missing else ""


def _fits(value, kind):
    """Whether a value from TOML is of this kind, one of KINDS."""
    if get_args(kind):
        items = value.values() if isinstance(value, dict) else value
        return isinstance(value, get_origin(kind)) and all(_fits(item, str) for item in items)
    return isinstance(value, kind) and not (kind is str and not value.strip())


def _once(names, where, what):
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ValueError(f"{where}: {what} {twice[0]!r} occurs twice, make each one different")
