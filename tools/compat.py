"""Try the course with the packages that learners meet elsewhere: in Colab, in Binder, and the oldest that pyproject.toml allows.

    python tools/compat.py                 all
    python tools/compat.py colab oldest    some of: colab, oldest, binder, plan, site
    python tools/compat.py --quick         all, with fewer unit tests: in Colab's environment, of the lessons' only those that use a control

colab    Colab's packages (tools/colab.txt) and the course's wheel, outside the checkout: all rooms and data of it, all notebooks,
         the widgets' tests
oldest   the lowest release of everything that pyproject.toml names: some notebooks and tests
binder   the packages of environment.yml, newest, from PyPI; notebooks find the checkout themselves, nothing of it is installed
plan     what repo2docker, which Binder runs, would build; it needs no Docker to say so
site     make site and make lite-check; left out, with a note, where there is no npm

All but the site are environments in build/compat, named by a hash of their list, so that a second call installs nothing.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from concurrent.futures import ThreadPoolExecutor

import yaml
from packaging.requirements import Requirement

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "compat"
NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
PYPI = {"matplotlib-base": "matplotlib"}                    # conda's names where PyPI has another
CONTROLS = "shows_itself or show_themselves or control or follows or slider or every_choice or each_setting or each_method"
SETTINGS = {"PYTHONWARNINGS": "ignore::DeprecationWarning,ignore::FutureWarning", "PYTHONHASHSEED": "0", "COLUMNS": "100",
            "JUPYTER_PREFER_ENV_PATH": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def conda_list():
    """environment.yml's dependencies, as written."""
    return yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]


def oldest(requirement):
    """The requirement pinned to its lower bound: numpy>=1.26 -> numpy==1.26."""
    needed = Requirement(requirement)
    low, = [clause.version for clause in needed.specifier if clause.operator == ">="]
    return f"{needed.name}=={low}"


def lists():
    """dict: environment -> what pip installs into it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    lines = (ROOT / "tools" / "colab.txt").read_text(encoding="utf-8").splitlines()
    tools = [oldest(each) for each in extras["test"] if re.match("nbval|pytest>|hypothesis", each)]
    return {
        "colab": [line for line in lines if line and not line.startswith("#")] + ["hypothesis", "nbval", "pytest<9"],
        "oldest": [oldest(each) for each in project["dependencies"] + extras["lab"] + extras.get("compare", [])] + tools,
        "binder": [PYPI.get(Requirement(each).name, Requirement(each).name) + str(Requirement(each).specifier)
                   for each in conda_list() if not each.startswith("python=")],
        "plan": ["jupyter-repo2docker"],
    }


EVERYTHING = """
import importlib, pkgutil, tokenlab
names = {module.name for module in pkgutil.walk_packages(tokenlab.__path__, "tokenlab.")}
for name in names - {"tokenlab.__main__"}:
    importlib.import_module(name)
from tokenlab import corpora, course, pretrained
from tokenlab.course import lessons
assert all(pretrained.load(name).encode("a") for name in pretrained.names())
assert all(corpora.load(name) for name in corpora.names()) and corpora.udhr() and corpora.udhr_article1() and corpora.emoji()
assert all(course.quiz(number) for number in lessons.numbers()) and course.environment()
print(tokenlab.__file__, *sorted(names), sep="\\n")
"""


def run(command, **how):
    """What the command prints. Raises RuntimeError with all of it when the command fails."""
    settings = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")} | SETTINGS
    done = subprocess.run([str(each) for each in command], env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="replace", check=False, **how)
    if done.returncode:
        raise RuntimeError(done.stdout)
    return done.stdout


def pip(python, *arguments):
    return run([sys.executable, "-m", "pip", "--python", python, *arguments])


def environment(name, wanted):
    """The Python of the environment that holds what is wanted; made if there is none yet."""
    key = hashlib.sha1("\n".join([sys.version, *wanted]).encode()).hexdigest()[:10]
    folder = BUILD / f"{name}-{key}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not (folder / "complete").exists():
        for stale in BUILD.glob(f"{name}-*"):
            shutil.rmtree(stale)
        venv.create(folder, symlinks=os.name != "nt")
        pip(python, "install", "--quiet", "--no-compile", *wanted)
        (folder / "complete").touch()
    return python


def install_wheel(python, outside):
    """Install the course as Colab's set-up cell does, and put notebooks and tests, without the package, into `outside`.

    Raises RuntimeError where anything but the course is installed: Colab would replace a package that is in use.
    """
    hidden = shutil.ignore_patterns(".*", "build", "*.egg-info", "__pycache__", "shots")
    shutil.copytree(ROOT, outside / "source", ignore=hidden)
    run([sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", outside, outside / "source"])
    wheel, = outside.glob("*.whl")
    pip(python, "uninstall", "--yes", "tokenlab-course")
    pip(python, "install", "--no-compile", "--report", outside / "report.json", wheel)
    report = json.loads((outside / "report.json").read_text(encoding="utf-8"))
    names = [each["metadata"]["name"] for each in report["install"]]
    if names != ["tokenlab-course"]:
        raise RuntimeError(f"beside the course this was installed: {names}")
    (outside / "source").rename(outside / "course")
    shutil.rmtree(outside / "course" / "tokenlab")


def everything(python, outside):
    """Import every room of the wheel, and load all its data. Raises RuntimeError where a file of the checkout is not in it."""
    where, *names = run([python, "-c", EVERYTHING], cwd=outside).splitlines()
    files = [path.relative_to(ROOT).with_suffix("") for path in (ROOT / "tokenlab").rglob("*.py")]
    missing = {".".join(file.parts).removesuffix(".__init__") for file in files} - {"tokenlab", *names}
    if missing or not pathlib.Path(where).is_relative_to(BUILD):
        raise RuntimeError(f"{where} lacks {sorted(missing)}")
    return f"{len(names)} rooms"


def pytest(python, folder, *arguments):
    """Run tests or notebooks. The summary line comes back."""
    said = run([python, "-m", "pytest", "-p", "no:cacheprovider", "-q", "--color=no", "-W", "ignore", *arguments], cwd=folder)
    return said.strip().splitlines()[-1]


def notebooks(python, folder, names):
    """Run notebooks, comparing what is stored. No conftest.py is read, so nbval is all that is needed."""
    return pytest(python, folder, "--noconftest", *(f"notebooks/{name}" for name in names))


def units(python, folder, patterns, only=""):
    """Run tests. patterns: names of files, * for any part; only: which of their tests, as in pytest -k."""
    files = sorted(path for each in patterns for path in (folder / "tests").glob(each))
    return pytest(python, folder, "--override-ini=addopts=", "-k", only, *files)


def plan(python):
    """Ask repo2docker. Raises RuntimeError where it would not do what environment.yml is written for."""
    said = run([python, "-m", "repo2docker", "--no-build", "--debug", ROOT])
    install, copy = said.find("env update"), said.find(" src/ ${REPO_DIR}/")
    for holds, what in (("conda environment for python=3.12" in said, "builds from environment.yml, on Python 3.12"),
                        (0 <= install < copy, "installs before it copies the repository, so that the layer is kept")):
        if not holds:
            raise RuntimeError(f"{said}\nIn repo2docker's plan above this is not so: it {what}")
    return "environment.yml on Python 3.12, kept while only lessons change"


def site():
    """Build the website, and run two lessons in its JupyterLite."""
    if not shutil.which("npm"):
        return "not tried: there is no npm"
    run(["make", "site", "lite-check"], cwd=ROOT)
    return "lessons 1 and 2 in JupyterLite"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("places", nargs="*", metavar="place", help="colab, oldest, binder, plan, site; all if none is named")
    wanted = lists() | {"site": None}
    parser.add_argument("--quick", action="store_true", help="fewer unit tests")
    args = parser.parse_args()
    places = args.places or list(wanted)
    if unknown := set(places) - set(wanted):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(wanted)}")
    failed, begin = [], time.monotonic()

    def tell(label, job, *arguments):
        start = time.monotonic()
        try:
            result, word = job(*arguments), "ok    "
        except RuntimeError as error:
            print(error)
            result, word = None, "FAILED"
            failed.append(label)
        print(f"{word} {label}: {'' if job is environment else result or ''} ({time.monotonic() - start:.0f} s)", flush=True)
        return result

    with tempfile.TemporaryDirectory() as folder:
        outside = pathlib.Path(folder).resolve()
        with ThreadPoolExecutor(len(places)) as pool:       # installing waits for the network most of the time
            installed = [name for name in places if wanted[name]]
            made = pool.map(lambda name: tell(f"{name}, install", environment, name, wanted[name]), installed)
            pythons = {name: python for name, python in zip(installed, made) if python}
        if "colab" in pythons:
            tell("colab, wheel", install_wheel, pythons["colab"], outside)
        course = outside / "course"
        jobs = {
            "colab": [("all of the wheel", everything, outside), ("even notebooks", notebooks, course, NOTEBOOKS[::2]), ("odd notebooks", notebooks, course, NOTEBOOKS[1::2]),
                      ("widgets' tests", units, course, ["test_widgets.py"]),
                      ("lessons' tests", units, course, ["test_lesson*.py", "test_course.py"], CONTROLS if args.quick else "")],
            "oldest": [("tests", units, ROOT, ["test_figures.py", "test_widgets.py", *([] if args.quick else ["test_text.py", "test_views.py"])]),
                       ("notebooks", notebooks, ROOT, [name for name in NOTEBOOKS if name[:2] in ("01", "05", "10")])],
            "binder": [("notebooks", notebooks, ROOT, [name for name in NOTEBOOKS if name[:2] in ("00", "02", "10")])],
            "plan": [("repo2docker", plan)],
        }
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            running = [pool.submit(tell, "site, build and check", site)] if "site" in places else []
            running += [pool.submit(tell, f"{name}, {label}", job, python, *arguments)
                        for name, python in pythons.items() for label, job, *arguments in jobs[name]]
        for each in running:
            each.result()                                   # what nobody foresaw is raised here
    print(f"{len(failed)} failed, {time.monotonic() - begin:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
