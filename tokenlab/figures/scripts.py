"""What a character costs in UTF-8: by language, and by script (lesson 1)."""
from collections import Counter
from functools import cache

from ..measure import bytes_per_character as ratio
from .base import Picture, axes

SCRIPTS = ("Latin", "Cyrillic", "Greek", "Armenian", "Georgian", "Hebrew", "Arabic", "Devanagari", "Bengali", "Gurmukhi",
           "Gujarati", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao", "Tibetan", "Myanmar", "Khmer",
           "Ethiopic", "Hangul", "Hiragana", "Katakana", "Han")
COMMON, OTHER = "blanks, digits, signs", "other scripts"


def script_counts(text):
    """How many characters and UTF-8 bytes of a text each script has: dict script -> (characters, bytes), most characters first.

    A character's script is its Unicode property `Script`; blanks, digits and punctuation belong to none.

    >>> script_counts("Hi Ж")
    {'Latin': (2, 2), 'blanks, digits, signs': (1, 1), 'Cyrillic': (1, 2)}
    """
    characters, size = Counter(), Counter()
    for character, times in Counter(text).items():
        script = script_of_character(character)
        characters[script] += times
        size[script] += times * len(character.encode("utf-8"))
    return {script: (n, size[script]) for script, n in characters.most_common()}


@cache
def script_of_character(character):
    import regex

    if regex.match(r"[\p{Script=Common}\p{Script=Inherited}]", character):
        return COMMON
    return next((script for script in SCRIPTS if regex.match(rf"\p{{Script={script}}}", character)), OTHER)


def script_of(text):
    """The script that most characters of a text belong to, blanks and signs apart.

    >>> script_of("Жуки 12 bugs!!!")
    'Cyrillic'
    """
    return next((script for script in script_counts(text) if script != COMMON), COMMON)


def plain_name(name):
    """A language's name without what stands behind a comma or in brackets: `German, Standard (1996)` is `German`."""
    return name.split(",")[0].split(" (")[0]


def bytes_by_language(documents):
    """Bytes per character of each document, least first: list of (language, script, bytes per character).

    documents: list of dicts with name and articles, as corpora.udhr returns them.
    """
    rows = [(plain_name(each["name"]), script_of(text), ratio(text)) for each in documents for text in ["\n".join(each["articles"])]]
    return sorted(rows, key=lambda row: (row[2], row[0]))


def bytes_per_character(documents):
    """Bytes per character in each language of a parallel text, with its script. For lesson 1.

    documents: list of dicts with name and articles, as corpora.udhr returns them.
    """
    rows = bytes_by_language(documents)
    figure, ax = axes(7.0, 0.6 + 0.162 * len(rows), left=0.29, right=0.95, top=1 - 0.42 / (0.6 + 0.162 * len(rows)), bottom=0.075)
    places, values = range(len(rows)), [value for *_, value in rows]
    ax.barh(places, values, height=0.72, color="#d6ebf7", edgecolor="#0072b2", linewidth=0.8)
    for place, value in zip(places, values):
        ax.text(value + 0.02, place, f"{value:.2f}", va="center", fontsize=8.5)
    ax.set_yticks(places, [f"{language} · {script}" for language, script, _ in rows], fontsize=8.5)
    ax.set(xlim=(0, 3.3), ylim=(-0.6, len(rows) - 0.4))
    ax.set_xlabel("UTF-8 bytes per character (code point)", fontsize=11)
    ax.set_xticks([0, 1, 2, 3])
    ax.grid(axis="x", color="#d0d7de", linewidth=0.6)
    ax.grid(axis="y", visible=False)
    ax.tick_params(axis="y", length=0)
    latin = [value for _, script, value in rows if script == "Latin"]
    groups = {n: sum(n - 0.5 <= value < n + 0.5 for value in values) for n in (1, 2, 3)}
    least, most = rows[0], rows[-1]
    caption = (f"Universal Declaration of Human Rights, 30 articles in {len(rows)} languages. Near 1 byte: {groups[1]} languages, near 2: {groups[2]}, "
               f"near 3: {groups[3]}. Least: {least[0]} with {least[2]:.2f}; most: {most[0]} with {most[2]:.2f}. "
               + (f"The {len(latin)} languages in Latin script take {min(latin):.2f} to {max(latin):.2f}. " if latin else "")
               + "Blanks, digits and punctuation take 1 byte in most scripts, so few averages are whole numbers.")
    alt = (f"Horizontal bars, one for each of {len(rows)} languages, from {least[2]:.2f} bytes per character ({least[0]}) to "
           f"{most[2]:.2f} ({most[0]}); they stand in three groups, near 1, 2 and 3 bytes.")
    return Picture(figure, f"The script decides: {values[0]:.2f} to {values[-1]:.2f} bytes for a character", caption, alt)


def script_shares(documents):
    """Each script's share of the characters and of the bytes of a parallel text. For lesson 1.

    documents: list of dicts with articles, as corpora.udhr returns them.
    """
    counts = script_counts("\n".join(article for each in documents for article in each["articles"]))
    characters, size = (sum(pair[n] for pair in counts.values()) for n in (0, 1))
    rows = [(script, 100 * n / characters, 100 * many / size, many / n) for script, (n, many) in reversed(counts.items())]
    figure, ax = axes(7.0, 1.0 + 0.19 * len(rows), left=0.24, right=0.93, top=1 - 0.75 / (1.0 + 0.19 * len(rows)), bottom=0.105)
    for place, (_, left, right, each) in enumerate(rows):
        ax.plot([left, right], [place, place], color="#57606a", linewidth=1.2, zorder=1)
        ax.text(max(left, right) + 0.8, place, f"{each:.2f} bytes each", va="center", fontsize=8.5)
    ax.plot([row[1] for row in rows], range(len(rows)), "o", color="#0072b2", markerfacecolor="white", markersize=6, label="of the characters")
    ax.plot([row[2] for row in rows], range(len(rows)), "s", color="#d55e00", markersize=5, label="of the bytes")
    ax.set_yticks(range(len(rows)), [row[0] for row in rows], fontsize=9)
    ax.set(xlim=(-0.6, 1.25 * max(max(row[1], row[2]) for row in rows)), ylim=(-0.7, len(rows) - 0.3))
    ax.set_xlabel("share (%)", fontsize=11)
    ax.grid(axis="x", color="#d0d7de", linewidth=0.6)
    ax.grid(axis="y", visible=False)
    ax.legend(loc="lower right", fontsize=10, frameon=True)
    top = rows[-1]
    caption = (f"All {len(documents)} texts together: {characters:,} characters in {size:,} bytes. " + "; ".join(
        f"{script} {left:.1f} % of the characters, {right:.1f} % of the bytes" for script, left, right, _ in rows[:-4:-1]) + ".")
    alt = (f"One line for each of {len(rows)} scripts from its share of the characters (circle) to its share of the bytes (square); for Latin and for "
           f"blanks the square is left of the circle, for most other scripts right of it.")
    return Picture(figure, f"{top[0]}: {top[1]:.0f} % of the characters, {top[2]:.0f} % of the bytes", caption, alt)
