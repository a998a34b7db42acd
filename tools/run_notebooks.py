"""Run every notebook in a fresh kernel and store it in one normal form, navigation and set-up cells included.

    python tools/run_notebooks.py                 run all in place
    python tools/run_notebooks.py notebooks/01*   run some
    python tools/run_notebooks.py --check         run nothing; fail if a stored notebook is not in normal form
    python tools/run_notebooks.py --address https://github.com/me/course
                                                  run nothing; write the repository's address into every link and set-up cell

Needs only nbformat and nbclient, which JupyterLab brings along.
"""
import argparse
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tomllib
import urllib.parse

os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")     # this environment's kernel, not one of the user's
os.environ.setdefault("PYTHONHASHSEED", "0")              # the order of sets in printed text
os.environ.setdefault("COLUMNS", "100")

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / "notebooks"
SOURCE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Source"]
REPOSITORY = urllib.parse.urlparse(SOURCE).path.strip("/")
WITH_LINKS = ("pyproject.toml", "README.md", "TEACHING.md", "CONTRIBUTING.md", "CITATION.cff", "environment.yml")
WIDGET = "application/vnd.jupyter.widget-view+json"
METADATA = {"kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
            "language_info": {"name": "python"}}
SETUP = f'''# Finds the course's package. Where it is missing, as in Colab, it is fetched first.
import importlib.util, pathlib, sys
if not getattr(importlib.util.find_spec("tokenlab"), "origin", None):
    here = pathlib.Path.cwd()
    found = [folder for folder in (here, *here.parents)
             if (folder / "tokenlab/__init__.py").exists()]
    if found:
        sys.path.insert(0, str(found[0]))
    else:
        %pip install -q "tokenlab-course @ {SOURCE}/archive/main.zip"
from tokenlab import bpe, corpora, measure, pretokenize, pretrained, text
from tokenlab import course, figures, views, widgets'''
KEEP = ("tags", "jupyter")
QUIET = Config({"KernelManager": {"transport_encryption": "auto"}})     # newer ipykernels warn about plain TCP otherwise


class Client(NotebookClient):
    """Let the output of Output widgets land in the cell, as nbval sees it, and ignore clear_output."""

    def handle_comm_msg(self, outs, msg, cell_index):
        pass

    def clear_output(self, outs, msg, cell_index):
        pass


def move(address):
    """Write a new address wherever the old one stands outside the notebooks. Raises ValueError for what is no repository on GitHub."""
    if not re.fullmatch(r"https://github\.com/[\w.-]+/[\w.-]+", address):
        raise ValueError(f"the address must look like https://github.com/OWNER/REPO and is {address!r}")
    old = re.compile(rf"((?:github\.com|colab\.research\.google\.com/github|mybinder\.org/v2/gh)/){re.escape(REPOSITORY)}(?![\w.-])")
    for path in (ROOT / name for name in WITH_LINKS if (ROOT / name).exists()):
        text = old.sub(rf"\g<1>{urllib.parse.urlparse(address).path.strip('/')}", path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8", newline="\n")


def titles():
    """dict: file name -> the notebook's first heading, in order of file name."""
    found = {}
    for path in sorted(FOLDER.glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        found[path.name] = next(line[2:] for cell in cells for line in cell.source.splitlines() if line.startswith("# "))
    return found


def navigation(name, titles):
    """The first cell's text: previous, contents, next, and where else the notebook opens, all as text links."""
    names = list(titles)
    here = names.index(name)
    links = [f"← [{titles[names[here - 1]]}]({names[here - 1]})"] if here > 0 else []
    links += ["[Contents](00_start_here.ipynb)"] if here > 1 else []
    links += [f"[{titles[names[here + 1]]}]({names[here + 1]}) →"] if here + 1 < len(names) else []
    binder = f"https://mybinder.org/v2/gh/{REPOSITORY}/main?urlpath=lab/tree/notebooks/{name}"
    colab = f"https://colab.research.google.com/github/{REPOSITORY}/blob/main/notebooks/{name}"
    return " · ".join([*links, f"[open in Binder]({binder})", f"[open in Colab]({colab})"])


def merged(outputs):
    """Join neighbouring pieces of one stream, however the kernel happened to cut them."""
    result = []
    for output in outputs:
        last = result[-1] if result else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            result.append(output)
    return result


def normalise(nb, name, titles):
    """Bring `nb` into normal form in place: generated cells fresh, nothing kept that differs between runs or machines."""
    nb.nbformat, nb.nbformat_minor = 4, 5
    nb.metadata = nbformat.from_dict(METADATA)
    seen, number = set(), 0
    for index, cell in enumerate(nb.cells):
        tags = cell.metadata.get("tags", [])
        if "navigation" in tags:
            cell.source = navigation(name, titles)
        if not cell.get("id") or cell.id in seen:
            cell.id = hashlib.sha1(f"{name}/{index}/{cell.source}".encode()).hexdigest()[:8]
        seen.add(cell.id)
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k in KEEP and v not in ([], {})})
        if "reveal" in tags:                                            # stored folded, so that nobody reads the answer first
            cell.metadata["jupyter"] = {"outputs_hidden": True}
        if cell.cell_type != "code":
            continue
        if cell.execution_count is not None:
            number += 1
            cell.execution_count = number
        cell.outputs = merged(cell.outputs)
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = cell.execution_count
            if output.output_type == "error":                           # tracebacks hold paths and IPython's layout
                output.traceback = [f"{output.ename}: {output.evalue}"]
            if "data" in output:
                output.data.pop(WIDGET, None)
                output.metadata = nbformat.from_dict(
                    {k: {"alt": v["alt"]} for k, v in output.metadata.items() if isinstance(v, dict) and "alt" in v})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help="run nothing, only look")
    parser.add_argument("--address", metavar="URL", help="run nothing, write this address of the repository everywhere")
    parser.add_argument("--stamp", action="store_true", help="run nothing, write navigation and set-up cells")
    parser.add_argument("--timeout", type=int, default=120, help="seconds for one cell")
    args = parser.parse_args()
    if args.address:
        try:
            move(args.address)
        except ValueError as error:
            parser.error(str(error))
        return subprocess.call([sys.executable, __file__, "--stamp"])       # a fresh start reads the new address
    bad, headings = 0, titles()
    for path in args.paths or sorted(FOLDER.glob("*.ipynb")):
        before = path.read_text(encoding="utf-8")
        nb = nbformat.reads(before, as_version=4)
        for cell in nb.cells:
            if "setup" in cell.metadata.get("tags", []):
                cell.source = SETUP
        if not (args.check or args.stamp):
            Client(nb, timeout=args.timeout, kernel_name="python3", record_timing=False, store_widget_state=False,
                   resources={"metadata": {"path": str(path.parent)}}, config=QUIET).execute()
        normalise(nb, path.name, headings)
        after = nbformat.writes(nb, version=nbformat.NO_CONVERT) + "\n"
        nbformat.validate(nbformat.reads(after, as_version=4))
        if after == before:
            print("same   ", path.name)
        elif args.check:
            bad += 1
            print("differs", path.name, "- JupyterLab saved it: run make notebooks, or git checkout notebooks to start over")
        else:
            path.write_text(after, encoding="utf-8", newline="\n")
            print("written", path.name)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
