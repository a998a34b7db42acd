"""Every exercise of every lesson: its stub runs, its solution passes, its planted wrong answers are refused with their own hints."""
import dis
import pathlib
import re
import tomllib

import nbformat
import pytest
from jupyter_client.manager import KernelManager
from traitlets.config import Config

from tokenlab.course import lessons, words
from tokenlab.course.show import plain

ROOT = pathlib.Path(__file__).resolve().parents[1]
NOTEBOOKS = [path for path in sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb")) if not path.name.startswith("00")]
DETAILS = r"<details>\s*<summary>{}</summary>(.*?)</details>"


def exercises(cells):
    """dict: exercise id -> the cells below its heading, as far as the next heading (a section's may stand above the first)."""
    found, current = {}, None
    for cell in cells:
        if cell.cell_type == "markdown" and (headings := re.findall(r"(?m)^#{1,3} .*", cell.source)):
            match = re.fullmatch(r"### Exercise (\d+\.\d+) — \S.*", headings[-1].strip())
            current = match and match[1]
        if current:
            found.setdefault(current, []).append(cell)
    return found


def only(found, what):
    assert len(found) == 1, f"{what}: found {len(found)}, but there must be exactly one"
    return found[0]


def details(id, cells, summary):
    """What an exercise's cells fold under "Hint" or "Solution"."""
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return only(re.findall(DETAILS.format(summary), text, re.DOTALL), f"exercise {id}, <details> with <summary>{summary}</summary>")


def solution(id, cells):
    """The code of the solution in an exercise's cells."""
    return only(re.findall(r"```python\n(.*?)```", details(id, cells, "Solution"), re.DOTALL), f"exercise {id}, ```python fence in the solution")


def check_cell(id, cells):
    """The only code cell of an exercise that calls its check; the stub stands in another one."""
    call = f'course.check("{id}"'
    found = only([cell.source for cell in cells if cell.cell_type == "code" and call in cell.source], f"exercise {id}, cell with {call}")
    assert "def " not in found and "= ..." not in found, f"the check of {id} needs a cell of its own, below the stub"
    return found


def names(code):
    """Two sets: the names that code binds, and those that it takes from before."""
    bound, taken, parts = set(), set(), [compile(code, "cell", "exec")]
    for part in parts:
        for step in dis.get_instructions(part):
            if step.opname == "STORE_NAME":
                bound.add(step.argval)
            elif step.opname in ("LOAD_NAME", "LOAD_GLOBAL") and step.argval not in bound:
                taken.add(step.argval)
        parts += [constant for constant in part.co_consts if hasattr(constant, "co_code")]      # functions, comprehensions
    return bound, taken


class Kernel:
    """One kernel, in the folder of the notebooks."""

    def __init__(self, path):
        self.manager = KernelManager(kernel_name="python3", config=Config({"KernelManager": {"transport_encryption": "auto"}}))
        self.manager.start_kernel(cwd=str(path.parent))
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def run(self, code):
        """Run code and return the text that it shows, as a notebook stores it."""
        shown = []

        def keep(message):
            if "data" in message["content"]:
                shown.append(message["content"]["data"].get("text/plain", ""))
        reply = self.client.execute_interactive(code, allow_stdin=False, timeout=60, output_hook=keep)["content"]
        assert reply["status"] == "ok", f"{reply.get('ename')}: {reply.get('evalue')}\n{code}"
        return "\n".join(shown)

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


class Lesson:
    """A lesson's exercises, in one kernel, with what they need of the lesson."""

    def __init__(self, path):
        self.number, self.cells = int(path.name[:2]), nbformat.read(path, as_version=4).cells
        self.exercises = exercises(self.cells)
        self.planted = tomllib.loads((ROOT / "tests" / "planted" / f"lesson{self.number}.toml").read_text(encoding="utf-8"))
        self.kernel = Kernel(path)
        self.stubs = {}
        for cell in self.needed():
            shown = self.kernel.run(cell.source)
            if match := re.search(r'course\.check\("([\d.]+)"', cell.source):
                self.stubs[match[1]] = shown

    def needed(self):
        """The code cells of the exercises, and those whose names these or the answers take: nbval runs all the others."""
        own = [cell.id for cells in self.exercises.values() for cell in cells]
        answers = [*(solution(*each) for each in self.exercises.items()), *(code for planted in self.planted.values() for code in planted.values())]
        wanted, kept = set().union(*(names(code)[1] for code in answers)), []
        for cell in reversed([cell for cell in self.cells if cell.cell_type == "code"]):
            if "setup" in cell.metadata.get("tags", []):                # it holds a magic, which is no Python
                kept.insert(0, cell)
                continue
            binds, takes = names(cell.source)
            if cell.id in own or binds & wanted:
                kept.insert(0, cell)
                wanted = wanted - binds | takes
        return kept


@pytest.fixture(scope="module", params=NOTEBOOKS, ids=lambda path: path.stem)
def lesson(request):
    lesson = Lesson(request.param)
    yield lesson
    lesson.kernel.close()


def test_no_exercise_lacks_anything(lesson):
    defined = list(lessons.exercises(lesson.number))
    assert 3 <= len(defined) <= 5
    assert list(lesson.exercises) == defined == list(lesson.planted)
    for id, cells in lesson.exercises.items():
        assert len(details(id, cells, "Hint").split()) >= 4, id
        assert solution(id, cells).strip() and check_cell(id, cells)
        assert len(lesson.planted[id]) >= 2, id


def test_stubs_run_and_say_that_nothing_is_there_yet(lesson):
    assert list(lesson.stubs) == list(lesson.exercises)
    for id, shown in lesson.stubs.items():
        assert shown.startswith(f"○ {id} Not started yet."), shown


def test_solutions_pass_and_planted_wrong_answers_get_their_own_hint(lesson):
    wrong = []
    for id, cells in lesson.exercises.items():
        right, check = solution(id, cells), check_cell(id, cells)
        hints = words.lesson(lesson.number).exercise[id.split(".")[1]].hints
        for key, code in lesson.planted[id].items():
            lesson.kernel.run(code)
            shown = lesson.kernel.run(check)
            wanted = re.sub(r"\\\{\w+\\\}", ".+", re.escape(plain(hints[key])))        # {places} are filled in
            if not (shown.startswith(f"✗ {id} Not yet.") and re.search(f"Hint: {wanted}$", shown)):
                wrong.append(f"planted {id} {key}: {shown}")
        lesson.kernel.run(right)
        shown = lesson.kernel.run(check)
        if not shown.startswith(f"✓ {id} Right."):
            wrong.append(f"solution of {id}: {shown}")
    assert not wrong, "\n\n".join(wrong)
