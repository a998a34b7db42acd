"""The glossary of the website: the words of tools/site/glossary.toml, each with the places where lessons print it in bold."""
import pathlib
import re
import tomllib
from dataclasses import dataclass, field

CHOICES = tomllib.loads((pathlib.Path(__file__).parent / "site" / "glossary.toml").read_text(encoding="utf-8"))
CHECKLIST = "What you can do now"


@dataclass
class Term:
    """A word and what it means. places: (notebook, cell id, section), first the one that explains it, then one for each other notebook."""

    name: str
    meaning: str
    places: list = field(default_factory=list)

    @property
    def anchor(self):
        return slug(self.name) or f"u-{ord(self.name):x}"        # ▁ is no letter


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


def lines(nb):
    """The prose of a notebook, as (cell id, section, line); code, formulas, tables and folded parts left out."""
    section = ""
    for cell in nb.cells:
        if cell.cell_type != "markdown" or "navigation" in cell.metadata.get("tags", []):
            continue
        source = re.sub(r"<details>.*?</details>|```.*?```|\$\$.*?\$\$", "", cell.source, flags=re.DOTALL)
        for line in source.splitlines():
            if line.startswith("#"):
                section = re.sub(r"^#+ (Lesson \d+ — )?", "", line)
            if not line.startswith("|"):
                yield cell.id, section, line


def glossary(notebooks):
    """dict of the stem of each word -> its Term, in alphabetical order. notebooks: dict name -> notebook, in the order of the lessons.

    Raises ValueError where a word of glossary.toml is explained nowhere.
    """
    terms = {stem(name): Term(name, meaning) for name, meaning in CHOICES["terms"].items()}
    sections = CHOICES["sections"]
    for name, nb in notebooks.items():
        prose = list(lines(nb))
        bold = [(stem(word), cell, section) for cell, section, line in prose for word in re.findall(r"\*\*(.+?)\*\*", line)]
        for word, cell, section in sorted(bold, key=lambda found: found[2] == CHECKLIST):       # the list at the end explains nothing
            if not (term := terms.get(word)) or name in [place[0] for place in term.places]:
                continue
            if section == CHECKLIST and not term.places:
                section = sections.get(term.name)
                if not (cell := next((cell for cell, heading, _ in prose if heading == section), None)):
                    raise ValueError(f"glossary.toml: {term.name!r} is explained in section {section!r} of {name}, which is not there; "
                                     "name the section under [sections], or print the word in bold where a lesson explains it")
            term.places.append((name, cell, section))
    if missing := [term.name for term in terms.values() if not term.places]:
        raise ValueError(f"glossary.toml: no lesson prints {missing} in bold; print the words where they are explained, or remove them")
    return {word: terms[word] for word in sorted(terms)}


def where(notebook):
    """What a link to a notebook says: "lesson 3"."""
    return f"lesson {int(notebook[:2])}" if int(notebook[:2]) else "start page"


def glossary_body(terms, page_of, markdown):
    """(contents, HTML) of the page; contents: an (address, letter) for each first letter. markdown: a function from Markdown to HTML."""
    out = ["<h1>Glossary</h1>", '<p class="note">The words that the lessons print in bold: what they mean, and where they are explained.</p>', '<dl class="text">']
    letters = {}
    for term in terms:
        letters.setdefault(term.name[0].upper(), f"#{term.anchor}")
        labels = [f"{where(name)}, {section}" if place == 0 else where(name) for place, (name, _, section) in enumerate(term.places)]
        links = " · ".join(f'<a href="{page_of(name)}#c-{cell}">{label}</a>' for (name, cell, _), label in zip(term.places, labels))
        out.append(f'<dt id="{term.anchor}">{term.name}</dt><dd>{markdown(term.meaning)}<p class="note">{links}</p></dd>')
    return [(address, letter) for letter, address in letters.items()], "\n".join([*out, "</dl>"])
