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
    return entry, getattr(words.lesson(int(number)), what)[key]
