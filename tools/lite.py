"""Build JupyterLite, with the notebooks and the package, into the website: JupyterLab and Python in the browser alone.

    python tools/lite.py [FOLDER]

Needs the packages of tools/site/lite-build.txt and npm: see `make site`. Pyodide and pure Python wheels go into the site, so that it works without a network;
numpy, pandas, matplotlib and regex are named by their addresses in Pyodide's distribution, and are missing without one.
"""
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile

import nbformat
from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION
from run_notebooks import SETUP

ROOT = pathlib.Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "lite"                    # what is fetched is kept here
CDN = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE_VERSION}/full/"
FETCHED = ("numpy", "pandas", "matplotlib", "regex")
BUNDLED = ("micropip", "packaging")
IMPORTS = SETUP[SETUP.index("from tokenlab"):]
LITE_SETUP = f'''# Python in the browser: widgets come with this site, what is compiled comes from Pyodide's distribution.
import importlib.util, piplite, pyodide_js
await piplite.install(["ipywidgets", "packaging"])
await piplite.install("tokenlab-course", deps=False)
try:
    await pyodide_js.loadPackage({json.dumps(FETCHED)})
except Exception:
    pass
if missing := [name for name in {FETCHED!r} if not importlib.util.find_spec(name)]:
    print("Not here, because they need a network:", *missing)
{IMPORTS}'''


def fetch():
    """Bring Pyodide from npm and the wheels from PyPI into WORK."""
    WORK.mkdir(parents=True, exist_ok=True)
    if not (WORK / "node_modules" / "pyodide" / f"{PYODIDE_VERSION}.done").exists():
        if not (npm := shutil.which("npm")):
            raise SystemExit("JupyterLite needs npm, to fetch Pyodide: install Node.js, or build the pages alone: python tools/site.py")
        (WORK / "package.json").write_text("{}", encoding="utf-8")
        subprocess.run([npm, "install", "--no-audit", "--no-fund", "--no-package-lock", f"pyodide@{PYODIDE_VERSION}"], cwd=WORK, check=True)
        (WORK / "node_modules" / "pyodide" / f"{PYODIDE_VERSION}.done").touch()
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:",
                    "--platform=any", "--python-version=3.14", "--implementation=py", "--abi=none", "--dest", WORK / "wheels",
                    "-r", ROOT / "tools" / "site" / "lite.txt"], check=True)


def lock(packages):
    """The part of Pyodide's list that the site uses: what lies beside it, and what is fetched from afar, with what that needs."""
    wanted, kept = [*BUNDLED, *FETCHED], {}
    while wanted:
        name = wanted.pop()
        if name not in kept:
            kept[name] = dict(packages[name])
            wanted += packages[name]["depends"]
    for name, entry in kept.items():
        if name in BUNDLED:
            entry["sha256"] = hashlib.sha256((WORK / "wheels" / entry["file_name"]).read_bytes()).hexdigest()
        else:
            entry["file_name"] = CDN + entry["file_name"]
    return kept


def pack():
    """Pack Pyodide as JupyterLite expects it; returns the archive's path."""
    source, archive = WORK / "node_modules" / "pyodide", WORK / "pyodide.tar.bz2"
    listed = json.loads((source / "pyodide-lock.json").read_text(encoding="utf-8"))
    listed["packages"] = lock(listed["packages"])
    (WORK / "pyodide-lock.json").write_text(json.dumps(listed), encoding="utf-8")
    with tarfile.open(archive, "w:bz2") as tar:
        tar.add(WORK / "pyodide-lock.json", "pyodide/pyodide-lock.json")
        for path in sorted(source.glob("pyodide.*")) + [source / "python_stdlib.zip", source / "package.json"]:
            tar.add(path, f"pyodide/{path.name}") if path.suffix != ".map" else None
        for name in BUNDLED:
            wheel = listed["packages"][name]["file_name"]
            tar.add(WORK / "wheels" / wheel, f"pyodide/{wheel}")
    return archive


def package():
    """Build the package's wheel from a copy, so that nothing is left beside the sources."""
    source = WORK / "source"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "tokenlab", source / "tokenlab", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "LICENSE-CONTENT", "NOTICE"):
        shutil.copy(ROOT / name, source)
    subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--wheel-dir", WORK / "wheels", source],
                   check=True)


def contents(folder):
    """Lay out what learners see: the notebooks, with a set-up cell for the browser."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "notebooks").mkdir(parents=True)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        nb = nbformat.read(path, as_version=4)
        for cell in nb.cells:
            if "setup" in cell.metadata.get("tags", []):
                cell.source = LITE_SETUP
        nbformat.write(nb, folder / "notebooks" / path.name)
    return folder


def main(folder):
    folder = folder.resolve()
    fetch()
    package()
    wheels = [f"--piplite-wheels={path}" for path in sorted((WORK / "wheels").glob("*.whl")) if not path.name.startswith(BUNDLED[0])]
    settings = WORK / "jupyter-lite.json"
    shutil.rmtree(folder, ignore_errors=True)
    for path in WORK.glob(".jupyterlite.doit.db*"):         # else what is gone counts as built
        path.unlink()
    settings.write_text(json.dumps({"jupyter-lite-schema-version": 0, "jupyter-config-data": {
        "appName": "How tokenization works", "exposeAppInBrowser": True, "litePluginSettings": {
            "@jupyterlite/pyodide-kernel-extension:kernel": {"disablePyPIFallback": True}}}}), encoding="utf-8")
    subprocess.run([pathlib.Path(sys.executable).with_name("jupyter-lite"), "build", f"--lite-dir={WORK}", f"--output-dir={folder}",
                    f"--contents={contents(WORK / 'contents')}", f"--pyodide={pack()}", *wheels], cwd=WORK, check=True)
    for path in folder.rglob("*.map"):              # half of the size, for nobody who learns here
        path.unlink()
    print(f"written: {folder}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "site" / "lite")
