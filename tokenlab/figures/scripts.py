"""Scripts: which one a character has, and what characters cost in UTF-8 by script and by language (lesson 1)."""
from collections import Counter
from functools import cache

from ..errors import package
from ..measure import bytes_per_character
from ..views.cost import language

SCRIPTS = ("Latin", "Cyrillic", "Greek", "Armenian", "Georgian", "Hebrew", "Arabic", "Devanagari", "Bengali",
           "Gurmukhi", "Gujarati", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao", "Tibetan",
           "Myanmar", "Khmer", "Ethiopic", "Hangul", "Hiragana", "Katakana", "Han")
COMMON, OTHER = "blanks, digits, punctuation", "other scripts"


@cache
def script(character):
    """The script of a character by its Unicode property; blanks, digits, punctuation and common marks have none.

    >>> script("Ж"), script("!")
    ('Cyrillic', 'blanks, digits, punctuation')
    """
    regex = package("regex", "telling scripts")

    if regex.match(r"[\p{Script=Common}\p{Script=Inherited}]", character):
        return COMMON
    return next((name for name in SCRIPTS if regex.match(rf"\p{{Script={name}}}", character)), OTHER)


def script_counts(text):
    """How many characters and UTF-8 bytes of a text each script has.

    Returns dict script -> (characters, bytes), most characters first.

    >>> script_counts("Hi Ж")
    {'Latin': (2, 2), 'blanks, digits, punctuation': (1, 1), 'Cyrillic': (1, 2)}
    """
    characters, size = Counter(), Counter()
    for character, times in Counter(text).items():
        characters[script(character)] += times
        size[script(character)] += times * len(character.encode("utf-8"))
    return {name: (n, size[name]) for name, n in characters.most_common()}


def bytes_by_language(documents):
    """What characters cost in each document, least first: list of (language, its main script, bytes of that script's
    characters, rounded, bytes per character).

    documents: list of dicts with name and articles, as corpora.udhr returns them.
    """
    rows = []
    if not documents or not all(any(document["articles"]) for document in documents):
        raise ValueError("give at least one document, each with some text in its articles, as corpora.udhr() does")
    for document in documents:
        text = "\n".join(document["articles"])
        counts = script_counts(text)
        main = next((name for name in counts if name != COMMON), COMMON)
        characters, size = counts[main]
        rows.append((language(document["name"]), main, round(size / characters), bytes_per_character(text)))
    return sorted(rows, key=lambda row: (row[3], row[0]))
