"""Open lessons 1 and 2 in the site's JupyterLite, in a Chromium without any network, and run them up to their widgets.

    python tools/check_lite.py [FOLDER]         FOLDER: the site, build/site if not given

Prints what each cell that fails says, and fails itself if a cell fails that needs nothing from the network, or if a widget does not move.
"""
import functools
import http.server
import json
import pathlib
import re
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from playwright.sync_api import sync_playwright

from tests.browser.lab import CURRENT, FLAGS, chromium

NO_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
NEEDS = ("regex", "numpy", "pandas", "matplotlib")              # what is not there without a network
MOVE = {"01_ascii_to_utf8": ("widgets.byte_inspector", "widgets.four_rulers", "widgets.byte_eraser"), "02_byte_bpe": ("widgets.merge_stepper", "widgets.tie_switch")}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


def cells(page):
    """list of (source, error or "") of the code cells, in order."""
    return json.loads(page.evaluate(f"""() => JSON.stringify({CURRENT}.content.widgets.filter(c => c.model.type === 'code').map(c =>
        [c.model.sharedModel.getSource(), c.model.outputs.toJSON().filter(o => o.output_type === 'error').map(o => o.ename + ': ' + o.evalue).join()]))"""))


def run(page, url, name):
    """Open a lesson, run all its cells, go on after those that fail; returns what `cells` does."""
    start = time.time()
    page.goto(f"{url}/lite/lab/index.html?path=notebooks/{name}.ipynb")
    page.wait_for_function(f"() => window.jupyterapp && {CURRENT}?.content?.widgets", timeout=120_000)
    page.wait_for_function(f"() => {CURRENT}.sessionContext.session?.kernel?.status === 'idle'", timeout=180_000)
    page.evaluate(f"() => {{ const cells = {CURRENT}.content; cells.notebookConfig = {{...cells.notebookConfig, windowingMode: 'none'}} }}")
    print(f"{name}: kernel ready after {time.time() - start:.0f} s", flush=True)
    for n, kind in enumerate(page.evaluate(f"() => {CURRENT}.content.widgets.map(c => c.model.type)")):
        if kind == "code":
            page.evaluate(f"n => {{ {CURRENT}.content.activeCellIndex = n; return window.jupyterapp.commands.execute('notebook:run-cell').then(() => 1) }}", n)
    print(f"{name}: run after {time.time() - start:.0f} s", flush=True)
    return cells(page)


def moves(page, piece):
    """Whether the widget of a cell shows something else after a key press on its slider, or after another choice."""
    n = page.evaluate(f"piece => {CURRENT}.content.widgets.findIndex(c => c.model.sharedModel.getSource().startsWith(piece))", piece)
    explorer = page.locator(".jp-Notebook .jp-Cell").nth(n).locator(".tokenlab-explorer").first
    if not explorer.count():
        return False
    explorer.scroll_into_view_if_needed()
    before = explorer.inner_text()
    if explorer.locator(".noUi-handle").count():
        explorer.locator(".noUi-handle").first.press("ArrowRight")
    elif explorer.locator("input[type=text]").count():
        explorer.locator("input[type=text]").first.fill("dog")
        explorer.locator("input[type=text]").first.press("Enter")
    else:
        explorer.locator("select").first.select_option(index=3)
    for _ in range(100):
        page.wait_for_timeout(100)
        if explorer.inner_text() != before:
            return True
    return False


def main(folder):
    if not (folder / "lite" / "lab" / "index.html").exists():
        return f"there is no JupyterLite in {folder}: run make site"
    if not chromium():
        return "no Chromium or Chrome was found: install one, or name it, as in CHROMIUM=/path/to/chrome make lite-check"
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    bad = []
    (ROOT / "tests" / "shots").mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=[*FLAGS, NO_NETWORK], headless=True)
        for name, widgets in MOVE.items():
            page = browser.new_context(viewport={"width": 1200, "height": 1400}).new_page()
            without = ""                        # the cells that failed for want of a package: then others miss their names
            for source, error in run(page, f"http://127.0.0.1:{server.server_port}", name):
                if error:
                    expected = any(f"'{need}'" in error or need in error.split(":")[-1] for need in NEEDS)
                    name = re.search(r"name '(\w+)' is not defined", error)
                    expected |= bool(name and re.search(rf"\b{name[1]}\b", without))
                    without += source if expected else ""
                    bad += [] if expected else [f"{name}: {source[:60]!r}: {error}"]
                    print("  needs the network:" if expected else "  FAILS:", repr(source.splitlines()[0][:60]), "->", error.splitlines()[0][:160])
            for piece in widgets:
                moved = moves(page, piece)
                bad += [] if moved else [f"{name}: {piece} does not move"]
                print(f"  {piece} moves:", moved, flush=True)
            page.screenshot(path=ROOT / "tests" / "shots" / f"lite-{name}.png")
            page.context.close()
        browser.close()
    server.shutdown()
    return "\n".join(bad) or None


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "site"))
