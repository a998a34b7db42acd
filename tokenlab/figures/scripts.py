"""What a character costs in UTF-8: by language, and by script (lesson 1)."""
from collections import Counter
from functools import cache

from ..errors import package
from ..measure import bytes_per_character as ratio
from ..views.base import count
from .base import SMALL, Picture, axes, dressed

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


def letter_size(text):
    """How many UTF-8 bytes most letters of a text take: 1 to 4.

    >>> letter_size("1948: Всеобщая"), letter_size("안녕, OK")
    (2, 3)
    """
    letters = list(filter(str.isalpha, text)) or text
    return Counter(len(letter.encode("utf-8")) for letter in letters).most_common(1)[0][0]


def bytes_by_language(documents):
    """What characters cost in each document, least first: list of (language, its main script, bytes of most letters,
    bytes per character).

    documents: list of dicts with name and articles, as corpora.udhr returns them.
    """
    rows = []
    if not documents or not all(any(document["articles"]) for document in documents):
        raise ValueError("give at least one document, each with some text in its articles, as corpora.udhr() does")
    for document in documents:
        text = "\n".join(document["articles"])
        main = next((name for name in script_counts(text) if name != COMMON), COMMON)
        rows.append((document["name"].split(",")[0].split(" (")[0], main, letter_size(text), ratio(text)))
    return sorted(rows, key=lambda row: (row[3], row[0]))


def rows_of(labels, xlabel, left):
    """A new (Figure, Axes) with one row for each label, the first at the bottom."""
    height = 0.95 + 0.165 * len(labels)
    figure, ax = axes(7.0, height, left=left, right=0.95, bottom=0.55 / height)
    dressed(ax, grid="x").grid(axis="y", visible=False)
    ax.set_yticks(range(len(labels)), labels, fontsize=SMALL, parse_math=False)
    ax.tick_params(axis="y", length=0)
    ax.set(ylim=(-0.7, len(labels) - 0.3), xlabel=xlabel)
    return figure, ax


def bytes_per_character(documents):
    """Bytes per character in each language of a parallel text, with its script. For lesson 1.

    documents: list of dicts with name and articles, as corpora.udhr returns them.
    """
    rows = bytes_by_language(documents)
    values = [value for *_, value in rows]
    figure, ax = rows_of([f"{language} · {main}" for language, main, *_ in rows], "UTF-8 bytes per character (code point)", left=0.29)
    bars = ax.barh(range(len(rows)), values, height=0.72, color="#d6ebf7", edgecolor="#0072b2", linewidth=0.8)
    ax.bar_label(bars, fmt="%.2f", padding=2, fontsize=SMALL)
    ax.set(xlim=(0, 3.3), xticks=[0, 1, 2, 3])
    least, most = (f"{language} ({value:.2f})" for language, *_, value in (rows[0], rows[-1]))
    groups = {}
    for _, main, size, value in rows:
        letters = "Latin letters" if main == "Latin" else f"letters of {size} bytes"
        groups.setdefault(letters, []).append(value)
    said = "; ".join(f"{letters}: {count(len(group), 'language')} with {group[0]:.2f} to {group[-1]:.2f}"
                     for letters, group in groups.items())
    caption = (f"The same {len(documents[0]['articles'])} articles in {len(rows)} languages. Bytes per character: {said}. "
               f"Least: {least}; most: {most}. Blanks and ASCII punctuation take 1 byte in every script, "
               f"so few averages are whole numbers.")
    alt = f"Horizontal bars, one a language, from {least} to {most} bytes per character; they follow the script. {said}."
    return Picture(figure, f"The script decides: {values[0]:.2f} to {values[-1]:.2f} bytes per character", caption, alt)


def script_shares(documents):
    """Each script's share of the characters and of the bytes of a parallel text. For lesson 1.

    documents: list of dicts with articles, as corpora.udhr returns them.
    """
    counts = script_counts("\n".join(article for document in documents for article in document["articles"]))
    characters, size = (sum(pair[n] for pair in counts.values()) for n in (0, 1))
    rows = [(name, 100 * n / characters, 100 * many / size, many / n) for name, (n, many) in reversed(counts.items())]
    figure, ax = rows_of([row[0] for row in rows], "share (%)", left=0.24)
    for place, (_, left, right, each) in enumerate(rows):
        ax.plot([left, right], [place, place], color="#57606a", linewidth=1.2, zorder=1)
        ax.text(max(left, right) + 0.8, place, f"{each:.2f} bytes each", va="center", fontsize=SMALL)
    for n, color, marker, label in ((1, "#0072b2", "o", "of the characters"), (2, "#d55e00", "s", "of the bytes")):
        ax.plot([row[n] for row in rows], range(len(rows)), marker, color=color, markersize=5.5, label=label,
                markerfacecolor="white" if n == 1 else color)
    ax.set_xlim(-0.6, 1.25 * max(max(row[1:3]) for row in rows))
    ax.legend(loc="lower right", fontsize=10)
    lines = [f"{name} {left:.1f} % of the characters, {right:.1f} % of the bytes" for name, left, right, _ in rows]
    caption = f"All {len(documents)} texts: {characters:,} characters in {size:,} bytes. {'; '.join(lines[:-4:-1])}."
    alt = (f"One row for each of {len(rows)} scripts, from its share of the characters (circle) to its share of the "
           f"bytes (square). {lines[-1]}.")
    top = rows[-1]
    return Picture(figure, f"{top[0]}: {top[1]:.0f} % of the characters, {top[2]:.0f} % of the bytes", caption, alt)
