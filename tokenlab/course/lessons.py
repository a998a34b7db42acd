"""Finds what the lessons define: one module a lesson (lesson1.py, ...), beside its words in data/course/lesson01.toml."""
import importlib
from functools import cache
from pathlib import Path

from ..errors import choose
from . import words


@cache
def numbers():
    """The numbers of the lessons that there are, in order: a list of int."""
    return sorted(int(path.stem.removeprefix("lesson")) for path in Path(__file__).parent.glob("lesson[0-9]*.py"))


def exercises(number):
    """The exercises of lesson `number`: a dict of id ("2.1") -> checks.Exercise or checks.Value."""
    return importlib.import_module(f".lesson{number}", __package__).EXERCISES


def find(id, kind):
    """Return the words of a "prediction" or an "exercise". Raises ValueError, with the nearest id, for an unknown one."""
    number, _, key = id.partition(".") if isinstance(id, str) else ("", "", "")
    if number not in map(str, numbers()) or key not in getattr(words_of(int(number)), kind):        # the files of other lessons are none of its business
        choose(id, [f"{number}.{key}" for number in numbers() for key in getattr(words_of(number), kind)], kind)
    return getattr(words_of(int(number)), kind)[key]


@cache
def words_of(number):
    """Return the words.Words of a lesson that there is; raises ValueError where they do not fit what the lesson defines."""
    compare(words.lesson(number), number, f"lesson{number:02}.toml")
    return words.lesson(number)


def compare(found, number, name):
    """Raise ValueError unless the words of the exercises of lesson `number` (`found`, in the file `name`) are just those that it needs."""
    own = {id.split(".")[1]: exercise for id, exercise in exercises(number).items()}
    words.need_keys(found.exercise, own, f"{name}, exercise")
    for key, task in found.exercise.items():
        words.need_keys(task.hints, own[key].mistakes, f"{name}, exercise.{key}.hints")
        if not getattr(task, own[key].needs):
            raise ValueError(f"{name}, exercise.{key}: {own[key].needs!r} is missing")
