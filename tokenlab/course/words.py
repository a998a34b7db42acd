"""The words of the course: questions, choices, feedback and hints, from TOML files that a teacher can edit."""
import tomllib
from functools import cache
from importlib import resources
from math import isfinite
from types import MappingProxyType
from typing import NamedTuple, get_args, get_origin

from ..errors import choose, short

EMPTY = MappingProxyType({})         # for tables that are left out
Fact = int | float | str
KINDS = {str: "a text, not empty", bool: "true or false", list: "a list", dict: "a table", Fact: "a number or a text"}


class Guess(NamedTuple):
    """One prediction; `choices` are empty where a number is asked. Places: {guess}, {answer} and those of `facts`, all of which a test computes."""
    question: str
    because: str
    answer: Fact
    facts: dict[str, Fact] = EMPTY
    choices: list[str] = ()
    said: dict[str, str] = EMPTY                          # remarks: on just this guess, or on one that is "low" or "high"


class Task(NamedTuple):
    """The words of one exercise."""
    hint: str = ""                                          # for wrong answers that none of `hints` explains
    hints: dict[str, str] = EMPTY                         # by mistake
    wanted: str = ""                                        # where the answer is a value: what is expected,
    right: str = ""                                         # and what is said when it is right


class Choice(NamedTuple):
    text: str
    feedback: str
    right: bool = False


class Question(NamedTuple):
    """One quiz question. `proof`: Python expressions that a test finds true; the course itself never evaluates them."""
    id: str
    question: str
    choices: list[Choice]
    proof: list[str] = ()


class Words(NamedTuple):
    """All words of one lesson: predictions and exercises by their key, and the quiz in order."""
    prediction: dict[str, Guess] = EMPTY
    exercise: dict[str, Task] = EMPTY
    quiz: list[Question] = ()


class Package(NamedTuple):
    """One package that the lessons need, what it is for, and what to do where it is missing or has another version."""
    name: str
    wanted: str                                             # versions, as pip writes them
    purpose: str
    optional: str = ""                                      # what is said where it is missing and that is no problem
    advice: str = '`%pip install "{name}{wanted}"`, then restart the kernel.'


class Packages(NamedTuple):
    """All of packages.toml."""
    package: list[Package]


# The words that all lessons share: the tables of common.toml, and the keys that each must have.
Common = NamedTuple("Common", [(table, NamedTuple(table, [(key, str) for key in keys.split()])) for table, keys in {
    "check": "begin", "hints": "call arguments none type changed refuse endless kind odd", "quiz": "run keys",
    "prediction": "right near wrong answer run keys", "environment": "run"}.items()])


def parse(data, name):
    """Return the Words that `data` (TOML, bytes) hold; `name` is the file's, for messages.

    Raises ValueError, with the place, for broken TOML, an unknown or missing key, a value of the wrong type, an empty
    text, an answer that is no number or none of the choices, and a quiz question without exactly one right choice.

    >>> parse(b"[exercise.1]\\nhint = 'Count all.'", "lesson.toml").exercise["1"].hint
    'Count all.'
    >>> parse(b"[exercise.1]\\nhnt = 'Count all.'", "lesson.toml")
    Traceback (most recent call last):
    ValueError: unknown key in lesson.toml, exercise.1: 'hnt': did you mean 'hint'? Allowed: hint, hints, wanted, right
    """
    found = made(Words, data, name)
    for key, guess in found.prediction.items():
        is_number = type(guess.answer) in (int, float) and isfinite(guess.answer)
        if not (guess.answer in guess.choices if guess.choices else is_number):
            raise ValueError(f"{name}, prediction.{key}: answer must be {'one of the choices' if guess.choices else 'a number'}, and is {short(guess.answer)}")
    for question in found.quiz:
        right = sum(choice.right for choice in question.choices)
        if right != 1:
            raise ValueError(f"{name}, quiz question {question.id!r}: {right} choices have right = true, but exactly one must")
    return found


def made(kind, data, name):
    """Return what `data` (TOML, bytes) hold as `kind`, see `_made`. Raises ValueError as `parse` does."""
    try:
        raw = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name} is no valid TOML in UTF-8: {error}") from None
    return _made(kind, raw, name)


def read(name):
    """Return the bytes of the package's file `name`."""
    return resources.files("tokenlab.data").joinpath("course", name).read_bytes()


@cache
def lesson(number):
    """Return the Words of lesson `number`; see `lessons.words_of`, which compares them with the lesson."""
    name = f"lesson{number:02}.toml"
    return parse(read(name), name)


@cache
def common():
    """Return the words that all lessons share, as Common."""
    return made(Common, read("common.toml"), "common.toml")


def need_keys(table, keys, where, optional=()):
    """Raise ValueError, with the place, unless `table` has all `keys` but the optional ones, and no others."""
    for key in table:
        choose(key, keys, f"key in {where}:")
    missing = [key for key in keys if key not in table and key not in optional]
    if missing:
        raise ValueError(f"{where}: {missing[0]!r} is missing")


def _made(kind, raw, where):
    """Return what TOML holds as `kind`: one of the tuples here, list[kind], dict[str, kind], str or bool."""
    plain = dict if hasattr(kind, "_fields") else kind if kind in KINDS else get_origin(kind)
    if not isinstance(raw, plain) or plain is str and not raw.strip():
        raise ValueError(f"{where} must be {KINDS[plain]}, and is {short(raw)}")
    if hasattr(kind, "_fields"):
        need_keys(raw, kind._fields, where, kind._field_defaults)
        return kind(**{key: _made(kind.__annotations__[key], value, f"{where}, {key}") for key, value in raw.items()})
    if plain is list:
        return [_made(*get_args(kind), item, f"{where} {n}") for n, item in enumerate(raw, 1)]
    return {key: _made(get_args(kind)[1], item, f"{where}.{key:.60}") for key, item in raw.items()} if plain is dict else raw
