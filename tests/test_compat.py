"""What Binder and Colab are told, the set-up cell from any folder, the repository's address in one command, and a Windows-like checkout."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import yaml
from packaging.requirements import Requirement

from tools import compat, run_notebooks

ROOT = pathlib.Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
PROJECT = compat.tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEEDED = [Requirement(each) for each in PROJECT["dependencies"] + PROJECT["optional-dependencies"]["compare"]]
OLD_LOCALE = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}       # stricter than cp1252: ASCII only


@pytest.fixture
def checkout(tmp_path):
    """A copy without tests, in a folder with blanks, its texts with Windows' line ends."""
    folder = tmp_path / "my course (copy)"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", "build", "tests", "*.egg-info", "__pycache__"))
    for path in folder.rglob("*"):
        if path.suffix in (".py", ".toml", ".ipynb", ".md", ".yml", ".txt", ".json"):
            path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    return folder


# ---- Binder and Colab

def test_environment_yml_is_what_binder_can_use():
    plan = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert set(plan) == {"name", "channels", "dependencies"} and plan["channels"] == ["conda-forge"]
    assert not any((ROOT / name).exists() for name in ("binder", ".binder", "postBuild", "runtime.txt", "apt.txt", "Dockerfile"))
    assert plan["dependencies"][0] == "python=3.12", "repo2docker reads one sign only, and takes 3.10 for anything else"
    for each in plan["dependencies"]:                       # a dict would be a pip section; conda reads a blank as the begin of a build's name
        assert isinstance(each, str) and " " not in each
    have = {compat.PYPI.get(each.name, each.name): each.specifier for each in map(Requirement, plan["dependencies"][1:])}
    for each in [*NEEDED, *map(Requirement, PROJECT["optional-dependencies"]["lab"])]:
        assert each.name in have
        low = [clause.version for clause in have[each.name] if clause.operator == ">="]
        assert len(low) == 1 and each.specifier.contains(low[0]), f"{each.name}: {have[each.name]} allows what pyproject.toml does not"


def test_colab_has_all_that_the_course_needs():
    pins = {each.name: str(each.specifier).removeprefix("==") for each in map(Requirement, compat.lists()["colab"]) if "==" in str(each.specifier)}
    missing = [each.name for each in NEEDED if each.name in pins and not each.specifier.contains(pins[each.name])]
    assert missing == [] and {each.name for each in NEEDED} - set(pins) == {"packaging"}        # which comes with matplotlib


def test_the_oldest_is_the_lower_bound():
    assert compat.oldest("ipywidgets>=7.7.1,<9,!=8.1.9") == "ipywidgets==7.7.1"
    assert all("==" in each for each in compat.lists()["oldest"])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_open_this_notebook(path):
    first = json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"]
    first = "".join(first)
    assert re.search(r"mybinder\.org/v2/gh/[^/]+/[^/]+/main\?urlpath=lab/tree/([^)]+)\)", first)[1] == f"notebooks/{path.name}"
    assert re.search(r"colab\.research\.google\.com/github/[^/]+/[^/]+/blob/main/([^)]+)\)", first)[1] == f"notebooks/{path.name}"


# ---- the set-up cell

def set_up(folder):
    """What the set-up cell does in that folder, where no package is installed: the checkout that it finds, or what it would fetch."""
    cell = re.sub(r"(?m)^( *)%pip (.*)$", r"\1sys.exit('''\2''')", run_notebooks.SETUP.split("from tokenlab")[0])
    done = subprocess.run([sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, '')\n{cell}import tokenlab; print(tokenlab.__file__)"], cwd=folder,
                          capture_output=True, encoding="utf-8", check=False)
    return done.stdout.strip() or done.stderr.strip()


def test_the_set_up_cell_finds_the_checkout_from_any_folder_inside_it(checkout):
    for folder in (checkout, checkout / "notebooks", checkout / "tokenlab" / "data" / "course"):
        assert pathlib.Path(set_up(folder)) == checkout / "tokenlab" / "__init__.py"


def test_elsewhere_it_fetches_the_course_by_its_address_and_nothing_by_name(tmp_path):
    (tmp_path / "tokenlab" / "notebooks").mkdir(parents=True)       # a folder of that name is no package
    for folder in tmp_path, tmp_path / "tokenlab":
        assert set_up(folder) == f'install -q "tokenlab-course @ {run_notebooks.SOURCE}/archive/main.zip"'


# ---- the address, and a checkout as on Windows

def tool(checkout, *arguments):
    return subprocess.run([sys.executable, str(checkout / "tools" / "run_notebooks.py"), *arguments], env=OLD_LOCALE,
                          capture_output=True, encoding="utf-8", check=False)


def test_one_command_writes_the_address_everywhere(checkout):
    texts = {path: path.read_text(encoding="utf-8") for path in [*checkout.glob("*.*"), *checkout.glob("notebooks/*.ipynb")]}
    assert tool(checkout, "--check").returncode == 0        # line ends and locale do not matter
    done = tool(checkout, "--address", "https://github.com/some-one/a.course")
    assert done.returncode == 0, done.stderr
    for path, text in texts.items():                        # so they are in normal form again
        assert path.read_text(encoding="utf-8") == text.replace(run_notebooks.REPOSITORY, "some-one/a.course"), path.name
    assert 'Source = "https://github.com/some-one/a.course"' in (checkout / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("address", ["me/course", "https://github.com/me/course/tree/main"])
def test_what_is_no_repository_is_refused(address, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["run_notebooks.py", "--address", address])
    with pytest.raises(SystemExit):
        run_notebooks.main()
    assert f"must look like https://github.com/OWNER/REPO and is {address!r}" in capsys.readouterr().err


def test_the_package_reads_its_data_whatever_the_locale_and_the_line_ends(checkout):
    code = ("from tokenlab import corpora, course, pretrained, views\n"
            "print([pretrained.load(n).encode('Caf\\xe9 \\uc548') for n in pretrained.names()], [len(corpora.load(n)) for n in corpora.names()],"
            " len(corpora.udhr()), len(corpora.emoji()), len(str(course.quiz(1).html())), len(str(course.environment().html())))")

    def said(**how):
        return subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, **how).stdout
    assert said(cwd=checkout, env={**OLD_LOCALE, "PYTHONPATH": str(checkout)}) == said(cwd=ROOT)
