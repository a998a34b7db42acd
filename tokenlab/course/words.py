"""The words of the course: questions, choices, feedback and hints, from TOML files that a teacher can edit."""
import difflib
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources


@dataclass(frozen=True)
class Guess:
    """The words of one prediction; `choices` are empty where a number is asked. Places: {guess}, {answer} and more."""
    question: str
    because: str
    choices: tuple = ()
    said: dict = field(default_factory=dict)        # a guess as text -> a remark on just that guess
    right: str = ""                                 # these four replace the common first sentence of the reveal
    near: str = ""
    low: str = ""
    high: str = ""


@dataclass(frozen=True)
class Task:
    """The words of one exercise: `hints` by mistake, and the `hint` for all other wrong answers."""
    hint: str
    wanted: str = ""                                # what is expected, where the answer is a value
    hints: dict = field(default_factory=dict)


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
    choices: tuple
    proof: tuple = ()


@dataclass(frozen=True)
class Words:
    """All words of one lesson: predictions and exercises by their key, and the quiz in order."""
    prediction: dict
    exercise: dict
    quiz: tuple


def parse(text, name):
    """Return the Words that `text` (TOML) holds; `name` is the file's, for messages.

    Raises ValueError, with the place and what to do, for broken TOML, an unknown or missing key, a value of the wrong
    type, an empty text, a quiz question without exactly one right choice, and an id or a choice that occurs twice.

    >>> parse("[exercise.1]\\nhint = 'Count all.'", "lesson.toml").exercise["1"].hint
    'Count all.'
    >>> parse("[exercise.1]\\nhnt = 'Count all.'", "lesson.toml")
    Traceback (most recent call last):
    ValueError: lesson.toml, exercise.1: unknown key 'hnt', did you mean 'hint'? Allowed: hint, wanted, hints
    """
    raw = _fields(_toml(text, name), name, {}, {"prediction": dict, "exercise": dict, "quiz": list})
    guesses = {key: _guess(value, f"{name}, prediction.{key}") for key, value in raw.get("prediction", {}).items()}
    tasks = {key: _task(value, f"{name}, exercise.{key}") for key, value in raw.get("exercise", {}).items()}
    quiz = tuple(_question(value, f"{name}, quiz question {n}") for n, value in enumerate(raw.get("quiz", []), 1))
    _once([question.id for question in quiz], f"{name}, quiz", "id")
    return Words(guesses, tasks, quiz)


@cache
def lesson(number):
    """Return the Words of lesson `number`, read from the package's data."""
    name = f"lesson{number:02}.toml"
    return parse(_read(name), name)


@cache
def common():
    """Return the words that all lessons share: a dict of tables."""
    return _toml(_read("common.toml"), "common.toml")


def _read(name):
    return resources.files("tokenlab.data").joinpath("course", name).read_text(encoding="utf-8")


def _toml(text, name):
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{name} is no valid TOML: {error}") from None


def _guess(raw, where):
    sentences = dict.fromkeys(("right", "near", "low", "high"), str)
    _fields(raw, where, {"question": str, "because": str}, {"choices": list, "said": dict, **sentences})
    _fields(raw.get("said", {}), f"{where}.said", {}, dict.fromkeys(raw.get("said", {}), str))
    _once(_texts(raw.get("choices", []), where, "choices"), where, "choice")
    return Guess(**{**raw, "choices": tuple(raw.get("choices", ()))})


def _task(raw, where):
    _fields(raw, where, {"hint": str}, {"wanted": str, "hints": dict})
    _fields(raw.get("hints", {}), f"{where}.hints", {}, dict.fromkeys(raw.get("hints", {}), str))
    return Task(**raw)


def _question(raw, where):
    where += f" ({raw['id']})" if isinstance(raw, dict) and "id" in raw else ""
    _fields(raw, where, {"id": str, "question": str, "choices": list}, {"proof": list})
    for n, choice in enumerate(raw["choices"], 1):
        _fields(choice, f"{where}, choice {n}", {"text": str, "feedback": str}, {"right": bool})
    choices = tuple(Choice(**choice) for choice in raw["choices"])
    _once([choice.text for choice in choices], where, "choice")
    right = sum(choice.right for choice in choices)
    if right != 1:
        raise ValueError(f"{where}: {right} choices have right = true, but exactly one must")
    return Question(raw["id"], raw["question"], choices, tuple(_texts(raw.get("proof", []), where, "proof")))


def _fields(raw, where, need, may):
    """Return the table `raw` if it holds all keys of `need`, perhaps some of `may`, no others, each of its type."""
    problem = _problem(raw, need, {**need, **may})
    if problem:
        raise ValueError(f"{where}: {problem}")
    return raw


def _problem(raw, need, allowed):
    if not isinstance(raw, dict):
        return f"must be a table, not {raw!r}"
    for key, value in raw.items():
        if key not in allowed:
            near = difflib.get_close_matches(key, allowed, 1)
            guess = f", did you mean {near[0]!r}?" if near else "."
            return f"unknown key {key!r}{guess} Allowed: {', '.join(allowed)}"
        if not isinstance(value, allowed[key]):
            return f"{key} must be of type {allowed[key].__name__}, not {value!r}"
        if isinstance(value, str) and not value.strip():
            return f"{key} is empty, write something or leave it out"
    missing = [key for key in need if key not in raw]
    return f"{missing[0]!r} is missing" if missing else ""


def _texts(items, where, what):
    """Return the list `items` if it holds texts only."""
    other = [item for item in items if not (isinstance(item, str) and item.strip())]
    if other:
        raise ValueError(f"{where}: {what} must hold texts only, not {other[0]!r}")
    return items


def _once(names, where, what):
    twice = sorted({str(name) for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{where}: {what} {twice[0]!r} occurs twice, make each one different")
