"""The glossary of the website: the words that lessons print in bold, each with where it is explained."""
import pathlib
import re
import tomllib
from dataclasses import dataclass, field

CHOICES = tomllib.loads((pathlib.Path(__file__).parent / "site" / "glossary.toml").read_text(encoding="utf-8"))
CHECKLIST = "## What you can do now"
BOLD = re.compile(r"\*\*(.+?)\*\*")


@dataclass
class Term:
    """A word, all spellings of it in lower case, and the passage that explains it; `also`: later places, (notebook, cell id)."""

    name: str
    notebook: str
    cell: str
    section: str
    passage: str
    words: set = field(default_factory=set)
    also: list = field(default_factory=list)

    @property
    def anchor(self):
        return slug(self.name)


def slug(words):
    """Text as an anchor.

    >>> slug("Exercise 2.1 — Count the pairs")
    'exercise-2-1-count-the-pairs'
    """
    return re.sub(r"\W+", "-", words.lower()).strip("-")


def stem(word):
    """A word without its case and its plural."""
    word = word.lower()
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def passages(nb):
    """What a notebook says in prose, as (cell id, section, sentence, the same with its neighbours); code and folded parts left out.

    The neighbours are the sentence after it, and the one before it if it points back.
    """
    section = ""
    for cell in nb.cells:
        if cell.cell_type != "markdown" or "navigation" in cell.metadata.get("tags", []):
            continue
        source = re.sub(r"<details>.*?</details>|```.*?```|\$\$.*?\$\$", "", cell.source, flags=re.DOTALL)
        for line in source.splitlines():
            if line.startswith("#"):
                section = line
            elif line.strip() and not line.startswith("|"):
                line = re.sub(r"^(- |> |\d+\. )|Commit your guess.*", "", line)
                sentences = re.split(r"(?<=[.!?]) +(?=[A-Z*`\"])", line.strip())
                for n, sentence in enumerate(sentences):
                    begin = n - 1 if n and re.match(r"(That|This|It|Its|These|Such|Neither|If it|The sums|In a layer)\b", sentence) else n
                    yield cell.id, section, sentence, " ".join(sentences[begin:n + 2])


def is_word(found, sentence, section):
    """Whether bold stands for a term, rather than for the head of a paragraph or of a list's item."""
    head = sentence.startswith(f"**{found}**") and section != CHECKLIST
    return len(found.split()) <= 4 and found[-1] not in ".:" and not head and found not in CHOICES["leave_out"]


def explained(found, places, otherwise):
    """(notebook, cell id, section, passage) of the sentence that explains a term. places: all those of the course.

    Raises ValueError where glossary.toml names a sentence that is not there.
    """
    if begins := CHOICES["begins"].get(found.lower()):
        if not (chosen := next((place[:3] + place[4:] for place in places if place[3].startswith(begins)), None)):
            raise ValueError(f"glossary.toml: no sentence of a lesson begins with {begins!r}, where {found!r} should be explained")
        return chosen
    pattern = re.compile(rf"\b{re.escape(stem(found))}", re.IGNORECASE)
    first = next((place for place in places if place[0] == otherwise[0] and pattern.search(place[3])), otherwise)
    return first[:3] + first[4:]


def glossary(notebooks):
    """list[Term] in alphabetical order. notebooks: dict name -> notebook, in the order of the lessons."""
    terms = {}
    prose = [(name, *passage) for name, nb in notebooks.items() for passage in passages(nb)]
    lessons = [place for place in prose if place[2] != CHECKLIST and not place[2].startswith("# ")]
    for place in prose:
        name, cell, section, sentence, passage = place
        for found in BOLD.findall(sentence):
            if not is_word(found, sentence, section) or sentence.startswith("**You "):
                continue
            if known := terms.get(stem(found)):
                known.words.add(found.lower())
                known.also += [(name, cell)] if name != known.notebook and name not in dict(known.also) else []
                continue
            if section == CHECKLIST or found.lower() in CHOICES["begins"]:           # bold here only
                name, cell, section, passage = explained(found, lessons, place)
            terms[stem(found)] = Term(found, name, cell, section.lstrip("# "), passage, {found.lower(), stem(found)})
            name = place[0]
    return sorted(terms.values(), key=lambda term: stem(term.name))


def where(notebook):
    """What a link to a notebook says: "lesson 3"."""
    return f"lesson {int(notebook[:2])}" if int(notebook[:2]) else "start page"


def glossary_body(terms, page_of, markdown):
    """The page's HTML. markdown: notebook -> a function from Markdown to HTML."""
    out = ["<h1>Glossary</h1>", '<p class="note">The words that the lessons print in bold, as they explain them.</p>', '<dl class="text">']
    for term in terms:
        places = [(term.notebook, term.cell, f"{where(term.notebook)}, {term.section}")]
        places += [(name, cell, where(name)) for name, cell in term.also]
        links = " · ".join(f'<a href="{page_of(name)}#c-{cell}">{label}</a>' for name, cell, label in places)
        out.append(f'<dt id="{term.anchor}">{term.name}</dt><dd>{markdown(term.notebook)(term.passage)}<p class="note">{links}</p></dd>')
    return "\n".join([*out, "</dl>"])
