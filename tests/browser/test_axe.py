"""axe-core finds nothing serious on any page of the website; conftest.py has it look at the notebooks, and here it is seen to see.

Needs no learner's hands: contrast, names of controls and pictures, roles, tables, landmarks, headings.
"""
import subprocess
import sys

import pytest

from . import lab
from .conftest import ROOT

PAGES = ["index", *sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))[1:], "glossary", "api"]
PLANT = """() => { const out = document.querySelector('.jp-OutputArea-output, main'), planted = document.createElement('div')
    planted.innerHTML = '<p style="color:#999;background:#fff">pale words</p><button></button><img src="data:,">'
    out.prepend(planted) }"""


@pytest.fixture(scope="module")
def site(tmp_path_factory, page):
    """A tab, and the address of a site built here."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, ROOT / "tools" / "site.py", folder], check=True, stdout=subprocess.DEVNULL)
    context = page.context.browser.new_context(viewport={"width": 1200, "height": 800})
    yield context.new_page(), folder.as_uri()
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_no_page_of_the_site_keeps_people_out(site, name):
    tab, address = site
    tab.goto(f"{address}/{name}.html")
    tab.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true })")
    for scheme in ("light", "dark"):
        tab.emulate_media(color_scheme=scheme)
        assert lab.barriers(tab) == [], scheme


def test_a_planted_fault_is_found_on_the_site(site):
    tab, address = site
    tab.goto(f"{address}/index.html")
    tab.evaluate(PLANT)
    assert {line.split(":")[0] for line in lab.barriers(tab)} == {"button-name", "color-contrast", "image-alt"}


def test_a_planted_fault_is_found_in_a_notebook(server, page):
    notebook = lab.Notebook(page, server, "notebooks/00_start_here.ipynb")
    page.evaluate(PLANT)
    for theme, lines in notebook.barriers().items():
        assert {line.split(":")[0] for line in lines} == {"button-name", "color-contrast", "image-alt"}, theme
