"""Build the course as a website from the notebooks as they are stored: lessons, glossary, API reference; nothing is run.

    python tools/site.py [FOLDER] [--lite]

Pages ask for nothing outside the site. With --lite the pages link to JupyterLite, which tools/lite.py puts beside them.
"""
import argparse
import base64
import html
import pathlib
import re
import shutil
import string
import sys

import mistune
import nbformat
from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import MathBlockParser, MathInlineParser
from pygments.lexers import PythonLexer
from pygments.token import Comment, Keyword, Number, Operator, String

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from run_notebooks import REPOSITORY, titles
from site_api import api_body
from site_glossary import glossary, glossary_body, slug, stem

ROOT = pathlib.Path(__file__).resolve().parents[1]
FILES = ROOT / "tools" / "site"
START = "00_start_here.ipynb"
COLOURS = ((Comment, "c"), (String, "s"), (Number, "n"), (Keyword, "k"), (Operator.Word, "k"))
MENU = {"index.html": "How tokenization works", "glossary.html": "Glossary", "api.html": "The package"}


def page_of(name):
    """The page of a notebook: 01_x.ipynb -> 01_x.html, and the start page is the site's."""
    return "index.html" if name == START else name.replace(".ipynb", ".html")


def colour(source):
    """Python source as HTML; names and operators stay as they are."""
    out = []
    for kind, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(source):
        css = next((css for group, css in COLOURS if kind in group), None)
        out.append(f'<span class="{css}">{html.escape(value)}</span>' if css else html.escape(value))
    return "".join(out)


class Renderer(mistune.HTMLRenderer):
    """Markdown of one notebook: headings with anchors, links to pages, formulas as MathML, bold words linked to the glossary.

    words: dict stem of a word -> its glossary Term. headings: filled with (level, anchor, HTML).
    """

    def __init__(self, words, name):
        super().__init__(escape=False)
        self.words, self.name, self.headings = words, name, []

    def heading(self, text, level, **attrs):
        anchor, number = slug(re.sub("<[^>]+>", "", text)), 2
        taken = {found for _, found, _ in self.headings}
        while anchor in taken:
            anchor, number = f"{anchor.rsplit('--', 1)[0]}--{number}", number + 1
        self.headings.append((level, anchor, text))
        return f'<h{level} id="{anchor}">{text}</h{level}>\n'

    def link(self, text, url, title=None):
        name, hash_, anchor = url.partition("#")
        if name.endswith(".ipynb") and "://" not in name:
            url = page_of(name) + hash_ + anchor
        return f'<a href="{html.escape(url)}">{text}</a>'

    def strong(self, text):
        term = self.words.get(stem(html.unescape(text)))
        if not term:
            return f"<strong>{text}</strong>"
        return f'<strong><a href="glossary.html#{term.anchor}">{text}</a></strong>'

    def block_code(self, code, info=None):
        return f'<pre class="code"><code>{colour(code.rstrip()) if info == "python" else html.escape(code)}</code></pre>\n'

    def table(self, text):
        return f'<div class="wide"><table>{text}</table></div>\n'

    def inline_math(self, body):
        return convert(body)

    def block_math(self, body):
        return convert(body, display="block")


def markdown(renderer):
    """A function from Markdown to HTML."""
    parse = mistune.Markdown(renderer, block=MathBlockParser(), inline=MathInlineParser(renderer), plugins=[mistune.import_plugin("table")])
    return lambda source: parse(source)


def shown(output, picture, captioned):
    """One output as HTML. picture: called with the bytes of a PNG, returns the name of its file. captioned: the caption follows as text."""
    if output.output_type == "stream":
        return f'<pre class="out">{html.escape(output.text.rstrip())}</pre>'
    if output.output_type == "error":
        return f'<pre class="out error">{html.escape(f"{output.ename}: {output.evalue}")}</pre>'
    plain = html.escape(output.data.get("text/plain", ""))
    if "text/html" in output.data:
        return f'<div class="html wide">{output.data["text/html"]}</div>'
    if "image/png" in output.data:
        alt = html.escape(output.metadata["image/png"]["alt"])          # a picture without is an error
        file = picture(base64.b64decode(output.data["image/png"]))
        caption = "" if captioned else f"<figcaption>{plain}</figcaption>"
        return f'<figure><a href="{file}"><img src="{file}" alt="{alt}"></a>{caption}</figure>'
    return f'<pre class="out">{plain}</pre>'


def code_cell(cell, picture, live):
    """A code cell and its outputs; the set-up cell and what a reveal shows are folded."""
    source = f'<pre class="code"><code>{colour(cell.source)}</code></pre>'
    captioned = any("text/html" in output.get("data", {}) for output in cell.outputs)
    outputs = "".join(shown(output, picture, captioned) for output in cell.outputs)
    tags = cell.metadata.get("tags", [])
    if "setup" in tags:
        return f'<details class="fold live"><summary>Set-up</summary>{source}</details>'
    if "reveal" in tags:
        outputs = f'<details class="fold"><summary>Show the answer</summary>{outputs}</details>'
    if live and cell.outputs and re.match(r"widgets\.|course\.(predict|check|quiz)", cell.source):
        outputs += f'<p class="note live">A picture of it as it starts. It answers in <a href="{live}">the live lesson</a>.</p>'
    return source + outputs


def items(links):
    """Links as a list: pairs of address and HTML."""
    return "<ul>" + "".join(f'<li><a href="{url}">{text}</a></li>' for url, text in links) + "</ul>"


def write(folder, name, title, body, contents=(), neighbours=()):
    template = string.Template((FILES / "page.html").read_text(encoding="utf-8"))
    page = template.substitute(title=html.escape(title), body=body, menu=items(MENU.items()), contents=items(contents), neighbours=items(neighbours))
    (folder / name).write_text(page, encoding="utf-8", newline="\n")


def lesson(folder, nb, name, headings, words, lite):
    """Write the page of one notebook, and its pictures as files."""
    renderer = Renderer(words, name)
    text, names, body, pictures = markdown(renderer), list(headings), [], []
    live = f"lite/lab/index.html?path=notebooks/{name}" if lite else ""

    def picture(data):
        pictures.append(f"images/{name[:2]}-{len(pictures) + 1}.png")
        (folder / pictures[-1]).write_bytes(data)
        return pictures[-1]

    for cell in nb.cells:
        if "navigation" in cell.metadata.get("tags", []):
            continue
        inner = text(cell.source) if cell.cell_type == "markdown" else code_cell(cell, picture, live)
        body.append(f'<div class="{"text" if cell.cell_type == "markdown" else "cell"}" id="c-{cell.id}">{inner}</div>')
    places = [(live, "in this browser (JupyterLite)")] if lite else []
    places += [(f"https://mybinder.org/v2/gh/{REPOSITORY}/main?urlpath=lab/tree/notebooks/{name}", "on Binder"),
               (f"https://colab.research.google.com/github/{REPOSITORY}/blob/main/notebooks/{name}", "in Colab")]
    opens = " · ".join(f'<a href="{html.escape(url)}">{where}</a>' for url, where in places)
    body.insert(1, f'<p class="note live">Open this lesson live: {opens}</p>')
    here = names.index(name)
    neighbours = [(page_of(names[here - 1]), f"← {headings[names[here - 1]]}")] if here else []
    neighbours += [(page_of(names[here + 1]), f"{headings[names[here + 1]]} →")] if here + 1 < len(names) else []
    contents = [(f"#{anchor}", heading) for level, anchor, heading in renderer.headings if level == 2]
    write(folder, page_of(name), headings[name], "\n".join(body), contents, neighbours)


def build(folder, lite=False):
    """Write the whole site into `folder`. lite: whether JupyterLite will stand in lite/ beside the pages."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    shutil.copy(FILES / "style.css", folder)
    headings = titles()
    notebooks = {name: nbformat.read(ROOT / "notebooks" / name, as_version=4) for name in headings}
    words = glossary(notebooks)
    for name, nb in notebooks.items():
        lesson(folder, nb, name, headings, words, lite)
    back = [("index.html", "← How tokenization works")]
    contents, body = glossary_body(words.values(), page_of, markdown(Renderer({}, "glossary")))
    write(folder, "glossary.html", "Glossary", body, contents, back)
    pages = {int(name[:2]): page_of(name) for name in headings}
    contents, body = api_body(colour, pages)
    write(folder, "api.html", "The package", body, contents, back)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "build" / "site")
    parser.add_argument("--lite", action="store_true", help="link to JupyterLite in FOLDER/lite")
    args = parser.parse_args()
    build(args.folder, args.lite)
    print(f"written: {args.folder}")


if __name__ == "__main__":
    main()
