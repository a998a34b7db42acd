"""Finds what the lessons define: one module a lesson (lesson1.py, ...), beside its words in data/course/lesson01.toml."""
import importlib
import pkgutil
import re
from functools import cache

from ..errors import choose
from . import words


@cache
def numbers():
    """The numbers of the lessons that there are, in order: a tuple of int."""
    names = [module.name for module in pkgutil.iter_modules(importlib.import_module(__package__).__path__)]
    return tuple(sorted(int(name.removeprefix("lesson")) for name in names if re.fullmatch(r"lesson\d+", name)))


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
    words.common()
    found = words.lesson(number)
    compare(found, number, words.file(number))
    return found


def compare(found, number, name):
    """Raise ValueError unless the words of lesson `number` (`found`, in the file `name`) are just those that it needs."""
    own = {}
    for kind, what in (("EXERCISES", "exercise"), ("PREDICTIONS", "prediction")):
        own[what] = {id.split(".", 1)[1]: entry for id, entry in everything(kind).items() if id.split(".")[0] == str(number)}
        words.need(getattr(found, what), dict.fromkeys(own[what], object), f"{name}, {what}")
    for key, task in found.exercise.items():
        exercise, where = own["exercise"][key], f"{name}, exercise.{key}"
        words.need(task.hints, dict.fromkeys(exercise.mistakes, str), f"{where}.hints")
        words.need({exercise.needs: getattr(task, exercise.needs)}, {exercise.needs: str}, where)
