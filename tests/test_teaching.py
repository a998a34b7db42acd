"""The teachers' page says what the lessons say, and a handout is the course without its solutions."""
import importlib.util
import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "TEACHING.md").read_text(encoding="utf-8")
LESSONS = sorted((ROOT / "notebooks").glob("[01][0-9]_*.ipynb"))[1:]


def section(path):
    """The page's section on a lesson."""
    return re.search(rf"^### Lesson {int(path.name[:2])} — .*?(?=^### |\Z)", PAGE, re.MULTILINE | re.DOTALL)[0]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_title_time_and_numbers_are_those_of_the_lesson(path):
    told = section(path)
    cells = nbformat.read(path, as_version=4).cells
    lesson = "\n".join(cell.source + "".join(str(output) for output in cell.get("outputs", [])) for cell in cells)
    heading, minutes = told.splitlines()[0], re.search(r"^(\d+) minutes\. It ends the belief", told, re.MULTILINE)[1]
    assert f"\n# {heading.removeprefix('### ')}\n" in f"\n{lesson}" and f"About {minutes} minutes" in lesson
    for number in re.findall(r"\d[\d.,]*\d", told):
        assert number in lesson, f"{number} stands on the teachers' page and not in {path.name}"
    assert told.count("**Ask.**") >= 2 and "**On the board.**" in told


def test_a_handout_has_everything_but_the_solutions(tmp_path):
    spec = importlib.util.spec_from_file_location("handout", ROOT / "tools" / "handout.py")
    handout = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(handout)
    handout.main(tmp_path / "class")
    for path in LESSONS:
        before, after = (nbformat.read(folder / path.name, as_version=4).cells for folder in (path.parent, tmp_path / "class"))
        assert 3 <= sum("<summary>Solution" in cell.source for cell in before) <= 5
        for old, new in zip(before, after, strict=True):
            assert "Solution" not in new.source
            kept = re.split(r"\n+<details><summary>Solution", old.source)[0]
            assert new.source == kept.split(" · [open in Binder]")[0] and "[open in" not in new.source     # there the solutions are
            assert new.get("outputs") == old.get("outputs")
            assert new.source.count("<details>") == new.source.count("</details>")
