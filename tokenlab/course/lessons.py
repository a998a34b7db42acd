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


@cache
def everything(kind):
    """All EXERCISES or PREDICTIONS of all lessons: a dict of id ("2.1") -> what the lesson's module defines."""
    found = {}
    for number in numbers():
        found |= getattr(importlib.import_module(f".lesson{number}", __package__), kind)
    return found


def find(id, kind, what):
    """Return what a lesson defines under `id`, and its words. Raises ValueError, with the nearest id, for an unknown one."""
    entry = everything(kind)[choose(id, everything(kind), what)]
    number, key = id.split(".", 1)
    return entry, getattr(words_of(int(number)), what)[key]


@cache
def words_of(number):
    """Return the words.Words of a lesson that there is; raises ValueError where they do not fit what the lesson defines."""
    compare(words.lesson(number), number, f"lesson{number:02}.toml")
    return words.lesson(number)


def compare(found, number, name):
    """Raise ValueError unless the words of lesson `number` (`found`, in the file `name`) are just those that it needs."""
    for kind, what in (("EXERCISES", "exercise"), ("PREDICTIONS", "prediction")):
        own = [id.split(".", 1)[1] for id in everything(kind) if id.split(".")[0] == str(number)]
        words.need_keys(getattr(found, what), own, f"{name}, {what}")
    for key, task in found.exercise.items():
        exercise = everything("EXERCISES")[f"{number}.{key}"]
        words.need_keys(task.hints, exercise.mistakes, f"{name}, exercise.{key}.hints")
        if not getattr(task, exercise.needs):
            raise ValueError(f"{name}, exercise.{key}: {exercise.needs!r} is missing")
