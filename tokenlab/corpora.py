"""The texts that come with the course, by name; tokenlab/data/PROVENANCE.md says where each is from."""
import csv
import json
from functools import cache

from . import data
from .errors import choose

_TEXTS = {
    "moby-dick": "moby_dick.txt",               # Melville's novel, 1.2 MB
    "botchan": "botchan.txt",                   # Natsume's novel in English, 255 kB
    "python": "python_stdlib_sample.py.txt",    # eight modules of Python's standard library, 136 kB
    "sotu": "sotu_sample.txt",                  # six State of the Union addresses, 1790 to 2010, 202 kB
    "numbers": "numbers.txt",                   # numbers, dates and sums, one a line, 5 kB
}


def names():
    """Return the names that `load` knows: a list of str.

    >>> names()
    ['moby-dick', 'botchan', 'python', 'sotu', 'numbers']
    """
    return list(_TEXTS)


def load(name):
    """Return the text called `name`: a str with "\\n" at the ends of lines.

    Raises ValueError for an unknown name, and says which is nearest. Lesson 1.

    >>> load("botchan")[:7]
    'BOTCHAN'
    >>> load("mobydick")
    Traceback (most recent call last):
    ValueError: unknown corpus 'mobydick': did you mean 'moby-dick'? Allowed: moby-dick, botchan, python, sotu, numbers
    """
    return _read(_TEXTS[choose(name, _TEXTS, "corpus")])


def udhr():
    """Return the Universal Declaration of Human Rights in 46 languages: a list of dicts.

    Each has "code" (the source's own), "bcp47", "name" (in English) and "articles" (a list of 30 str). The same
    content in each language: what it costs in tokens can be compared. Lessons 1 and 9.

    >>> english = udhr()[0]
    >>> english["code"], english["bcp47"], english["name"], len(english["articles"])
    ('eng', 'en', 'English', 30)
    """
    return [json.loads(line) for line in _read("udhr_full_46.jsonl").removesuffix("\n").split("\n")]


def udhr_article1():
    """Return Article 1 of the Declaration in 516 languages: a list of dicts of "code", "bcp47", "name", "text". Lesson 9.

    >>> rows = udhr_article1()
    >>> len(rows), rows[0]["name"]
    (516, 'Afar')
    """
    return _table("udhr_article1.tsv")


def languages(own=False):
    """Return the languages that `udhr` holds, in its order: a dict of code -> English name. Lessons 1 and 9.

    own: whether to give the name in the language itself and its script instead. Source: Unicode CLDR.

    >>> languages()["kat"], languages(own=True)["kat"], len(languages())
    ('Georgian', 'ქართული', 46)
    """
    if own:
        return {row["code"]: row["autonym"] for row in _table("autonyms.tsv")}
    return {row["code"]: row["name"] for row in udhr()}


def emoji():
    """Return the 3,664 emoji of Unicode 15.0: a list of dicts.

    Each has "emoji" (the str itself), "name", "subgroup", "version" (of Unicode's emoji data, a str),
    "status" ("fully-qualified" or "component") and "code_points" (a list of int). Lessons 1 and 4.

    >>> first = emoji()[0]
    >>> first["emoji"], first["name"], first["code_points"] == [0x1F600]
    ('😀', 'grinning face', True)
    """
    rows = []
    for row in _table("emoji.tsv"):
        points = [int(point, 16) for point in row["codepoints"].split()]
        rows.append({"emoji": "".join(map(chr, points)), "name": row["name"], "subgroup": row["subgroup"],
                     "version": row["emoji_version"], "status": row["status"], "code_points": points})
    return rows


@cache
def _read(file):
    return data.read(f"corpora/{file}").decode("utf-8")


def _table(file):
    """Return the rows of a file of tab-separated values as dicts, keyed by its first line."""
    # not splitlines: a text may hold U+2028
    return list(csv.DictReader(_read(file).split("\n"), delimiter="\t", quoting=csv.QUOTE_NONE))
