"""A wheel, installed in a fresh environment, holds every room and all data."""
import ast
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
CODE = """
import importlib, pkgutil, tokenlab
names = [m.name for m in pkgutil.walk_packages(tokenlab.__path__, "tokenlab.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
from tokenlab import corpora, course, pretrained
for name in pretrained.names():
    assert pretrained.load(name).encode("a")
for name in corpora.names():
    assert corpora.load(name)
assert corpora.udhr() and corpora.udhr_article1() and corpora.emoji()
course.quiz(1), course.quiz(2), course.environment()
print(tokenlab.__file__)
print(sorted(names))
"""


def test_wheel(tmp_path):
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    source = shutil.copytree(ROOT, tmp_path / "source", ignore=shutil.ignore_patterns(".*", "build", "*.egg-info", "tests", "notebooks"))
    subprocess.run([*pip, "wheel", "--no-deps", "-w", str(tmp_path), str(source)], check=True)
    wheel, = tmp_path.glob("*.whl")
    assert wheel.name.startswith("tokenlab_course-")
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    python = next(path for path in (venv / "bin" / "python", venv / "Scripts" / "python.exe") if path.exists())
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel),
                    "-c", str(ROOT / "constraints.txt")], check=True)
    result = subprocess.run([str(python), "-c", CODE], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert result.returncode == 0, result.stderr
    where, names = result.stdout.splitlines()
    assert str(tmp_path) in where
    files = [path.relative_to(ROOT).with_suffix("") for path in (ROOT / "tokenlab").rglob("*.py")]
    assert {".".join(file.parts).removesuffix(".__init__") for file in files} == {"tokenlab", *ast.literal_eval(names)}
