"""The website in a browser: a phone's width, the keyboard, the dark theme, and print."""
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from .conftest import ROOT, SHOTS

PAGES = ["index", "02_byte_bpe", "06_pruning", "09_cost_of_a_vocabulary", "glossary", "api"]         # each kind of content is on one of them


@pytest.fixture(scope="module")
def site(tmp_path_factory, chromium):
    """Address of a site built here."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, ROOT / "tools" / "site.py", folder], check=True, stdout=subprocess.DEVNULL)
    return folder.as_uri()


@pytest.fixture
def visit(site, page):
    """Open a page of the site in a tab of its own: visit(name, width=, scheme=); what it asks for outside of the site is an error."""
    tabs = []

    def visited(name, width=1200, scheme="light"):
        tab = page.context.browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme).new_page()
        tabs.append(tab)
        tab.asked = []
        tab.on("request", lambda request: tab.asked.append(request.url))
        tab.goto(f"{site}/{name}.html")
        return tab

    yield visited
    for tab in tabs:
        assert all(url.startswith((site, "data:")) for url in tab.asked), tab.asked
        tab.context.close()


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_wider_than_a_phone(visit, name):
    """Only what scrolls by itself may be wider: code, cards, tables and formulas."""
    tab = visit(name, width=360)
    assert tab.evaluate("document.documentElement.scrollWidth") == 360
    assert tab.evaluate("""() => [...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > 361 &&
        !e.closest('pre, .html, .wide, math')).map(e => e.outerHTML.slice(0, 80))""") == []
    assert tab.evaluate("""() => [...document.querySelectorAll('main p, main li, main summary, main td, main code')]
        .filter(e => parseFloat(getComputedStyle(e).fontSize) < 11).length""") == 0
    if name == "02_byte_bpe":
        SHOTS.mkdir(exist_ok=True)
        tab.screenshot(path=SHOTS / "site-lesson2-phone.png", full_page=True)


def test_a_solution_opens_by_keyboard(visit):
    tab = visit("02_byte_bpe")
    summary = tab.locator("summary", has_text="Solution").first
    solution = tab.locator("details", has=tab.locator("summary", has_text="Solution")).first.locator("pre")
    expect(solution).to_be_hidden()
    tab.locator("summary", has_text="Hint").first.focus()
    tab.keyboard.press("Tab")
    expect(summary).to_be_focused()
    assert summary.evaluate("e => getComputedStyle(e).outlineStyle + getComputedStyle(e).outlineWidth") == "solid3px"
    tab.keyboard.press("Enter")
    expect(solution).to_be_visible()


def test_the_first_tab_skips_to_the_text(visit):
    tab = visit("03_pre_tokenization")
    tab.keyboard.press("Tab")
    expect(tab.locator(".skip")).to_be_focused()
    expect(tab.locator(".skip")).to_be_in_viewport()
    tab.keyboard.press("Enter")
    assert tab.url.endswith("#main")


def test_both_themes(visit):
    def light(colour):
        return sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(",")))

    for scheme, dark in (("light", False), ("dark", True)):
        tab = visit("05_unigram_em", scheme=scheme)
        paper, ink = tab.evaluate("() => { const s = getComputedStyle(document.body); return [s.backgroundColor, s.color] }")
        assert (light(paper) < light(ink)) == dark
        SHOTS.mkdir(exist_ok=True)
        tab.screenshot(path=SHOTS / f"site-lesson5-{scheme}.png")


def test_a_lesson_in_print_has_its_solutions_and_no_navigation(visit):
    tab = visit("02_byte_bpe")
    tab.emulate_media(media="print")
    expect(tab.locator("header")).to_be_hidden()
    expect(tab.locator(".contents")).to_be_hidden()
    shown = """() => [...document.querySelectorAll('main details:not(.live)')]
        .filter(e => !e.lastElementChild.checkVisibility({contentVisibilityAuto: true})).map(e => e.textContent.slice(0, 40))"""
    assert tab.evaluate(shown) == []
    (SHOTS / "site-lesson2.pdf").write_bytes(tab.pdf(format="A4"))         # to be looked at


def test_a_formula_is_drawn(visit):
    tab = visit("06_pruning")
    formula = tab.locator("math[display=block]").last
    box = formula.bounding_box()
    assert box["height"] > 30 and box["width"] > 300
