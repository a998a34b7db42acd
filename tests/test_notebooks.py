"""Every lesson has the shape that all lessons share, and says no number that nothing checks."""
import pathlib
import re
import statistics
import subprocess
import sys

import nbformat
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LESSONS = [path for path in NOTEBOOKS if not path.name.startswith("00")]
SECTIONS = ["Guess first", "By hand", "In code", "See it move", "A common mistake", "On real text", "Exercises", "Quiz",
            "What you can do now", "Further reading"]
by_name = {"argvalues": NOTEBOOKS, "ids": lambda path: path.stem}


def read(path):
    return nbformat.read(path, as_version=4)


def tags(cell):
    return cell.metadata.get("tags", [])


def headings(cells, level):
    return [line[level + 1:].strip() for cell in cells if cell.cell_type == "markdown"
            for line in without_code(cell.source).splitlines() if re.match(f"#{{{level}}} ", line)]


def without_code(source):
    return re.sub(r"```.*?```", "", source, flags=re.DOTALL)


def without_details(source):
    return re.sub(r"<details>.*?</details>", "", source, flags=re.DOTALL)


def core(cells):
    """The cells that every learner needs: those of `### Deeper` parts (up to the next heading of level 2) left out."""
    deeper, kept = False, []
    for cell in cells:
        if cell.cell_type == "markdown":
            for line in without_code(cell.source).splitlines():
                if re.match("##? ", line):
                    deeper = False
                elif line.startswith("### Deeper"):
                    deeper = True
        if not deeper:
            kept.append(cell)
    return kept


def test_notebooks_are_in_normal_form():
    """Navigation and set-up cells fresh, no widget state, kernelspec python3: as tools/run_notebooks.py writes them."""
    command = [sys.executable, str(ROOT / "tools" / "run_notebooks.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("path", **by_name)
def test_every_cell_is_compared_and_has_run(path):
    nb = read(path)
    assert "widgets" not in nb.metadata and nb.metadata.kernelspec.name == "python3"
    assert path.stat().st_size < 400_000
    for cell in nb.cells:
        assert not [tag for tag in tags(cell) if tag.startswith("nbval")], "every cell is compared"
        assert "NBVAL" not in cell.source
        if cell.cell_type == "code":
            assert cell.execution_count, f"not run: {cell.source[:60]}"
            assert not cell.source.rstrip().endswith(";"), "nbval and Jupyter disagree on a trailing semicolon"
            assert [line for line in cell.source.splitlines() if len(line) > 90] == [], "too long for a screen"
            assert "stderr" not in [output.get("name") for output in cell.outputs], cell.source
            assert not re.search(r"\b0x[0-9a-f]{8,}\b", str(cell.outputs)), "an address differs at every run"


@pytest.mark.parametrize("path", **by_name)
def test_each_image_has_alt_text_and_a_caption_that_is_compared(path):
    for cell in read(path).cells:
        for n, output in enumerate(cell.get("outputs", [])):
            html = output.get("data", {}).get("text/html", "")
            said = re.findall(r'role="img" aria-label="([^"]*)"', html)
            assert len(said) == html.count("<svg") and all(len(alt) > 40 for alt in said), cell.source
            if "image/png" in output.get("data", {}):
                assert len(output.metadata["image/png"]["alt"]) > 40, cell.source
                static_twin = "Explorer" in cell.source or "widgets." in cell.source
                assert static_twin or "text/html" in cell.outputs[n + 1].data, f"no caption: {cell.source}"
                assert len(output.data["text/plain"]) > 30 and "Figure size" not in output.data["text/plain"]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lesson_has_every_section_in_order(path):
    cells = read(path).cells
    number = int(path.name[:2])
    assert tags(cells[0]) == ["navigation"]
    assert re.match(rf"# Lesson {number} — [A-Z]", cells[1].source)
    need = cells[2].source
    assert all(f"**You {verb}**" in need for verb in ("will do", "will learn", "need")) and re.search(r"[Aa]bout \d+ minutes", need)
    setup, = [cell for cell in cells if "setup" in tags(cell)]
    assert cells.index(setup) <= 4 and len(setup.source.splitlines()) <= 12
    assert headings(cells, 2) == SECTIONS


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lesson_keeps_its_budget(path):
    cells = [cell for cell in core(read(path).cells) if not {"navigation", "setup"} & set(tags(cell))]
    code = [len(cell.source.splitlines()) for cell in cells if cell.cell_type == "code"]
    words = sum(len(re.findall(r"\w[\w'’-]*", without_details(without_code(cell.source)))) for cell in cells if cell.cell_type == "markdown")
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    widgets = sum("widgets." in cell.source for cell in cells if cell.cell_type == "code")
    figures = sum("image/png" in output.get("data", {}) for output in outputs)
    assert 35 <= len(cells) <= 60
    assert 1200 <= words <= 2000
    assert max(code) <= 12 and statistics.median(code) <= 4
    assert 1 <= widgets <= 3 and figures <= 5


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_prediction_comes_before_its_folded_reveal(path):
    cells = read(path).cells
    predicted = [n for n, cell in enumerate(cells) if "course.predict(" in cell.source]
    reveals = [n for n, cell in enumerate(cells) if "reveal" in tags(cell)]
    assert predicted and reveals and predicted[0] < reveals[0]
    for n in reveals:
        assert cells[n].metadata["jupyter"]["outputs_hidden"]
        assert cells[n].outputs[0].get("text", "").startswith("The answer"), "JupyterLab shows the first line of a folded output"


def numbers(source):
    """The numbers that prose claims: two digits or more, or with a point. Years, names (UTF-16, lesson 2, exercise 1.4), headings,
    links and code are left out."""
    source = re.sub(r"\[[^]]*\]\(http[^)]*\)|\]\([^)]*\)|`[^`]*`|U\+[0-9A-F]+|(?m:^#.*$)|(?i:lesson|exercise)s? \d+(\.\d+)?|\d+\(\d+\)", " ", without_code(source))
    found = re.findall(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?(?![\w])", source)
    found = {text.rstrip(",").replace(",", "") for text in found}
    return {text for text in found if len(text) > 1 and not re.fullmatch(r"(19|20)\d\d", text)}


@pytest.mark.parametrize("path", **by_name)
def test_no_number_in_prose_that_nothing_checks(path):
    """Each number in a section's prose stands in the code or in a compared output of that section, or of one before it."""
    section, claimed, shown, loose = "", set(), "", []

    def close():
        loose.extend(f"{section}: {number}" for number in claimed if not re.search(rf"(?<![\d.]){re.escape(number)}(?![\d])", shown))

    for cell in read(path).cells[3:]:
        if cell.cell_type == "markdown":
            if re.search(r"(?m)^## ", cell.source):
                close()
                section, claimed = cell.source.splitlines()[0], set()
            claimed |= numbers(cell.source)
        else:
            texts = [cell.source]
            for output in cell.outputs:
                texts += [output.get("text", ""), *(value for mime, value in output.get("data", {}).items() if mime.startswith("text/"))]
            shown += re.sub(r"(?<=\d)[,_](?=\d{3})", "", " ".join(texts))
    close()
    assert not loose, loose


@pytest.mark.parametrize("path", **by_name)
def test_links_between_notebooks_lead_somewhere(path):
    for cell in read(path).cells:
        for target in re.findall(r"\]\(([^)#:]+\.ipynb)[^)]*\)", cell.source):
            assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_readme_and_start_page_list_each_lesson_with_its_title_and_its_minutes(path):
    cells, number = read(path).cells, int(path.name[:2])
    title = cells[1].source.splitlines()[0].split(" — ", 1)[1]
    minutes = re.search(r"[Aa]bout (\d+) minutes", cells[2].source)[1]
    assert f"| {number} | [{title}](notebooks/{path.name}) | {minutes} |" in (ROOT / "README.md").read_text(encoding="utf-8")
    start = next(cell.source for cell in read(NOTEBOOKS[0]).cells if "| lesson |" in cell.source)
    assert re.search(rf"\| \[{number} · {re.escape(title)}\]\({re.escape(path.name)}\) \| .* \| {minutes} \|", start)
