"""One JupyterLab and one browser for all browser tests; with SHOTS=1 a screenshot of each notebook in each theme stays in tests/shots."""
import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOTS = ROOT / "tests" / "shots"


@pytest.fixture(scope="session")
def chromium():
    from . import lab

    if not lab.chromium():
        message = ("no Chromium or Chrome was found: install one (Debian and Ubuntu: apt install chromium) "
                   "or name it, as in CHROMIUM=/path/to/chrome make test")
        (pytest.fail if os.environ.get("BROWSER_TESTS") == "required" else pytest.skip)(message)


@pytest.fixture(scope="session")
def server(chromium):
    from . import lab

    with lab.lab_server(ROOT) as url:
        yield url


@pytest.fixture(scope="session")
def page(chromium):
    from . import lab

    with lab.browser_page() as page:
        yield page


@pytest.fixture(scope="module")
def open_notebook(server, page):
    """Open a notebook, run all its cells; nothing may be too wide, and in the end nothing may keep people out, and the page have had no errors."""
    from . import lab

    used = []

    def leave():
        if used:                                # what another file's test left in the page is none of this one's
            assert used.pop().barriers() == {"dark": [], "light": []}
            assert not page.problems, page.problems

    def opened(name):
        leave()
        notebook = lab.Notebook(page, server, f"notebooks/{name}.ipynb")
        notebook.run_all()
        if os.environ.get("SHOTS"):
            notebook.photograph(SHOTS, name)
        assert not notebook.too_wide()
        used.append(notebook)
        return notebook

    yield opened
    leave()


@pytest.fixture
def latency(record_property):
    """Report times from key press to changed view: latency("lesson 2: merge curve", [ms, ...])."""
    return record_property
