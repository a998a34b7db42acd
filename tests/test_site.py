"""The website holds together: links and anchors, alt texts, folded solutions, formulas, contrast, and nothing from outside."""
import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[1]
STYLE = (ROOT / "tools" / "site" / "style.css").read_text(encoding="utf-8")
LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
PAGES = ["index", *LESSONS[1:], "glossary", "api"]
VOID = {"br", "hr", "img", "input", "link", "meta"}


class Page(HTMLParser):
    """What a page holds: tags as (name, attributes), ids, and text with the tags around it."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.ids, self.pieces, self.open = [], [], [], []
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs))
        self.ids += [attrs["id"]] if "id" in attrs else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        self.pieces.append((data, tuple(self.open)))

    def addresses(self):
        return [attrs[name] for _, attrs in self.tags for name in ("href", "src", "srcset", "action", "poster") if name in attrs]

    def text(self, *, without=None, within=None):
        return "".join(data for data, tags in self.pieces if without not in tags and (within is None or within in tags))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """dict: name of a page -> Page, of a site built here; "" is its folder."""
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import importlib.util
        spec = importlib.util.spec_from_file_location("course_site", ROOT / "tools" / "site.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(ROOT / "tools"))
    folder = tmp_path_factory.mktemp("site")
    module.build(folder)
    return {"": folder, **{path.stem: Page(path.read_text(encoding="utf-8")) for path in folder.glob("*.html")}}


@cache
def notebook(name):
    return nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)


def test_there_is_a_page_for_each_lesson_and_no_other(site):
    assert sorted(site) == sorted(["", *PAGES])


@pytest.mark.parametrize("name", PAGES)
def test_every_link_within_the_site_leads_somewhere(site, name):
    page = site[name]
    assert len(page.ids) == len(set(page.ids)), "an anchor is there twice"
    for address in page.addresses():
        assert ".ipynb" not in address or "://" in address
        if "://" in address or address.startswith("data:"):
            continue
        path, _, anchor = address.partition("#")
        assert not path or (site[""] / path).is_file(), address
        if anchor:
            target = site[path.removesuffix(".html")] if path else page
            assert anchor in target.ids, address


@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_for_nothing_outside_the_site(site, name):
    source = (site[""] / f"{name}.html").read_text(encoding="utf-8")
    loads = [attrs.get("src") or attrs.get("href") for tag, attrs in site[name].tags if tag in ("link", "img", "script", "iframe", "source", "video", "audio")]
    assert all("//" not in address for address in loads), loads
    assert not re.search(r"url\((?!#)|@import|<script|<iframe", source + STYLE)


@pytest.mark.parametrize("name", PAGES)
def test_language_title_and_landmarks(site, name):
    tags = site[name].tags
    assert ("html", {"lang": "en"}) in tags
    assert [tag for tag, _ in tags].count("h1") == [tag for tag, _ in tags].count("main") == 1
    assert all(attrs.get("aria-label") for tag, attrs in tags if tag == "nav")
    assert "width=device-width" in str(tags)


@pytest.mark.parametrize("name", LESSONS)
def test_a_page_has_all_of_its_notebook(site, name):
    """Every picture with its alt text, every formula as MathML, and the words of every cell."""
    page, nb = site["index" if name == LESSONS[0] else name], notebook(name)
    alts = [output.metadata["image/png"]["alt"] for cell in nb.cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    assert [attrs["alt"] for tag, attrs in page.tags if tag == "img"] == alts and all(alts)
    prose = "\n".join(re.sub(r"```.*?```|`[^`]*`", "", cell.source, flags=re.DOTALL) for cell in nb.cells if cell.cell_type == "markdown")
    assert [tag for tag, _ in page.tags].count("math") == len(re.findall(r"\$\$.+?\$\$|\$[^$]+\$", prose, re.DOTALL))
    said = " ".join(page.text().split())
    for cell in nb.cells:
        if cell.cell_type == "code":
            assert " ".join(cell.source.split()) in said
        for output in cell.get("outputs", []):
            assert " ".join(output.get("text", "").split()) in said


def test_the_formulas_of_lessons_5_6_and_8_are_mathml(site):
    assert [[tag for tag, _ in site[name].tags].count("math") > 0 for name in LESSONS if name[:2] in ("05", "06", "08")] == [True] * 3


@pytest.mark.parametrize("name", LESSONS[1:])
def test_hints_solutions_and_answers_are_folded(site, name):
    page, nb = site[name], notebook(name)
    assert all("open" not in attrs for tag, attrs in page.tags if tag == "details")
    solutions = [re.search(r"<summary>Solution</summary>\s*```python\n(.*?)```", cell.source, re.DOTALL) for cell in nb.cells if cell.cell_type == "markdown"]
    solutions = [found[1].strip() for found in solutions if found]
    assert len(solutions) >= 4
    unfolded = " ".join(page.text(without="details").split())
    folded = " ".join(page.text(within="details").split())
    for solution in solutions:
        assert " ".join(solution.split()) in folded and " ".join(solution.split()) not in unfolded
    assert folded.count("Show the answerThe answer") == sum("reveal" in cell.metadata.get("tags", []) for cell in nb.cells)


def test_the_glossary_and_the_lessons_link_to_each_other(site):
    glossary = site["glossary"]
    terms = [attrs["id"] for tag, attrs in glossary.tags if tag == "dt"]
    assert len(terms) > 40 and {"token", "grapheme", "merge", "fence", "lattice", "premium"} <= set(terms)
    lessons = PAGES[:-2]
    linked = {address.split("#")[1] for name in lessons for address in site[name].addresses() if address.startswith("glossary.html#")}
    assert linked == set(terms)
    assert {address.split(".")[0] for address in glossary.addresses() if "#c-" in address} == set(lessons)


def test_the_glossary_defines_each_term_in_a_sentence_or_two_and_can_be_jumped_in(site):
    meanings = tomllib.loads((ROOT / "tools" / "site" / "glossary.toml").read_text(encoding="utf-8"))["terms"]
    assert all(re.fullmatch(r"[A-Z].+?[^.]\.( [A-Z].+?[^.]\.)?", meaning) for meaning in meanings.values())
    assert list(meanings) == sorted(meanings, key=str.lower), "glossary.toml is in alphabetical order"
    terms = [attrs["id"] for tag, attrs in site["glossary"].tags if tag == "dt"]
    assert len(terms) == len(meanings) and "" not in terms
    first = {term[0]: f"#{term}" for term in reversed(terms) if term != "u-2581"}
    assert {*first.values(), "#u-2581"} <= set(site["glossary"].addresses())


def test_the_reference_shows_what_the_package_offers(site):
    import tokenlab.bpe
    import tokenlab.unigram

    ids = set(site["api"].ids)
    assert {f"bpe.{name}" for name in ("train", "Trace", "Trace.tokenizer", "Tokenizer.encode", "count_pairs")} <= ids
    assert {f"unigram.{name}" for name in tokenlab.unigram.__all__ if callable(getattr(tokenlab.unigram, name))} <= ids
    assert {"#bpe.train", "#unigram.em", "#course.quiz"} <= set(site["api"].addresses()), "each room lists its names"
    assert ">>> trace = train(" in site["api"].text(within="pre")
    assert ">>>" not in site["api"].text(without="pre"), "a doctest is shown as prose"


def luminance(colour):
    parts = [int(colour[n:n + 2], 16) / 255 for n in (1, 3, 5)]
    return sum(weight * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for weight, c in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


@pytest.mark.parametrize("theme", range(3), ids=["light", "dark", "print"])
def test_text_stands_out_from_its_ground(theme):
    """WCAG's contrast: 4.5 for text, 3 for the mark of the keyboard's focus."""
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)[theme]))
    for name in ("ink", "muted", "link", "comment", "keyword", "string", "number", "focus"):
        if name in colours:
            for ground in ("paper", "shade"):
                light, dark = sorted((luminance(colours[name]), luminance(colours[ground])), reverse=True)
                assert (light + 0.05) / (dark + 0.05) >= 4.5, (name, ground)


BARE = """
import json, sys, ipywidgets, IPython.core.formatters
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("regex", "numpy", "pandas", "matplotlib", "PIL"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
for name in [name for name in sys.modules if name.split(".")[0] in ("regex", "numpy")]:
    del sys.modules[name]
sys.meta_path.insert(0, Missing())
from tokenlab import bpe, course, figures, pretrained, text, views, widgets
said = [repr(show) for show in (course.predict("1.hook"), course.quiz(2), views.bytes_card("e\u0301"), widgets.byte_inspector("안"),
        widgets.four_rulers("a\u0308"), widgets.byte_eraser("안"), widgets.merge_stepper(), widgets.tie_switch(),
        bpe.train("low lower", vocab_size=258).merges[0].token, pretrained.load("gpt2").encode("Call me"))]
for needs in (lambda: text.graphemes("a"), lambda: bpe.train("Höhe", vocab_size=258), figures.base.axes):
    try:
        needs()
    except ModuleNotFoundError as error:
        said.append(str(error))
print(json.dumps(said))
"""


def test_a_browser_kernel_without_compiled_packages_shows_lessons_1_and_2_and_says_what_is_missing():
    result = subprocess.run([sys.executable, "-c", BARE], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True)
    said = json.loads(result.stdout)
    assert said[2:5] == ["e\u0301: 2 code points, 3 bytes", "안: 1 code point, 3 bytes", "a\u0308: 2 characters, 2 code points, 2 UTF-16 units, 3 bytes"]
    assert said[8:10] == ["b'lo'", "[14134, 502]"]
    assert said[10:] == ["telling graphemes needs the package regex: pip install regex", "a pattern on this text needs the package regex: pip install regex",
                         "drawing a figure needs the package matplotlib: pip install matplotlib"]
