"""The plan of the house holds: floors, sizes, imports, one address."""
import ast
import pathlib
import re
import subprocess
import sys
import tokenize

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "tokenlab"
FLOORS = {"errors": 0, "data": 0, "text": 1, "pretokenize": 1, "bpe": 1, "unigram": 1, "sentencepiece": 1, "formats": 2,
          "pretrained": 2, "corpora": 2, "measure": 2, "views": 3, "figures": 3, "widgets": 4, "course": 4, "__main__": 4}
FILES = sorted(PACKAGE.rglob("*.py"))
HEAVY = ["numpy", "regex", "pandas", "matplotlib", "ipywidgets"]


def room(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path):
    """The rooms that a file imports, at any depth of the code."""
    package = ["tokenlab", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[:len(package) - node.level + 1] if node.level else []
            base = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{base}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "tokenlab" and len(parts) > 1 and parts[1] in FLOORS:
                yield parts[1]


@pytest.mark.parametrize("path", [f for f in FILES if room(f) != "__init__"], ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_room_imports_only_lower_floors_or_its_own(path):
    for other in imported_rooms(path):
        assert FLOORS[other] <= FLOORS[room(path)], f"{room(path)} (floor {FLOORS[room(path)]}) imports {other} (floor {FLOORS[other]})"


def test_rooms_import_each_other_without_cycles():
    needs = {}
    for path in FILES:
        needs.setdefault(room(path), set()).update(other for other in imported_rooms(path) if other != room(path))
    done = set()
    while needs:
        free = [name for name, others in needs.items() if others <= done]
        assert free, f"a cycle among {sorted(needs)}"
        for name in free:
            done.add(name)
            del needs[name]


def code_lines(path):
    """Lines that hold code: no blank lines, comments or docstrings."""
    docstrings = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node, clean=False) is not None:
            docstrings.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    lines = set()
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
                                  tokenize.ENCODING, tokenize.ENDMARKER):
                lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstrings)


def test_the_package_stays_small():
    """Whoever needs more lines than this first looks for what is there twice."""
    size = {path: code_lines(path) for path in FILES}
    assert sum(size.values()) <= 5854
    assert sum(n for path, n in size.items() if FLOORS.get(room(path)) in (0, 1)) <= 2037
    assert {str(path): n for path, n in size.items() if n > 200} == {}
    wide = [f"{path}:{n}" for path in FILES for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if len(line) > 160]
    assert wide == [], "no line is so long that two ideas fit into it"


def test_importing_tokenlab_brings_no_other_package():
    code = f"import sys, tokenlab; print([m for m in {HEAVY} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout.strip() == "[]"


def test_floor_one_to_three_import_without_other_packages():
    code = (f"import sys\nfor name in {HEAVY}: sys.modules[name] = None\n"
            "from tokenlab import text, pretokenize, bpe, pretrained, corpora, measure, views, figures\n"
            "print(bpe.train('low lower', vocab_size=258, pattern='whitespace').tokenizer().encode('low'))")
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert result.returncode == 0, result.stderr


def tracked():
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [ROOT / name for name in names if name and not name.endswith((".xz", ".png")) and (ROOT / name).exists()]


def test_every_link_to_the_repository_holds_the_one_address():
    source = re.search(r'Source = "https://github.com/([^"]+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))[1]
    pattern = re.compile(r"(?:mybinder\.org/v2/gh|colab\.research\.google\.com/github)/([\w.-]+/[\w.-]+)|github\.com/([\w.-]+/[\w.-]+?)/(?:archive|blob)/main")
    for path in [ROOT / "README.md", ROOT / "environment.yml", *(ROOT / "notebooks").glob("*.ipynb")]:
        for match in pattern.finditer(path.read_text(encoding="utf-8")):
            assert (match[1] or match[2]) == source, f"{path.name}: {match[0]} (run make notebooks)"


def test_nobody_is_told_to_install_the_other_tokenlab():
    for path in tracked():
        assert not re.search(r"pip3? install (?:-\S+ )*tokenlab(?![-\w])", path.read_text(encoding="utf-8")), path


def test_no_text_or_file_is_run():
    """A check calls the functions that the learner has defined in the kernel; nothing turns text or data into code or commands."""
    calls = re.compile(r"(builtins\.)?(eval|exec|compile|__import__)|os\.(system|popen|exec\w*|spawn\w*)|.*\.(read_pickle|full_load|unsafe_load)|yaml\.load")
    modules = re.compile(r"\b(c?pickle|marshal|shelve|dill|joblib|subprocess|pty|code|ctypes|yaml|runpy)\b")
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                assert not calls.fullmatch(ast.unparse(node.func)), f"{path}:{node.lineno}"
                assert not {word.arg for word in node.keywords} & {"shell", "allow_pickle"}, f"{path}:{node.lineno}"
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                assert not modules.search(ast.unparse(node)), f"{path}:{node.lineno}"


def test_every_file_is_opened_with_its_encoding():
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and re.fullmatch(r"open|.*\.(read_text|write_text)", ast.unparse(node.func)):
                call = ast.unparse(node)
                assert "encoding=" in call or re.search("'[rwa]b'", call), f"{path}:{node.lineno}: {call}"
