"""Copy the notebooks for a class, without their solutions and the links to those that have them, to build/handout.

    python tools/handout.py [FOLDER]
"""
import argparse
import pathlib
import re
import shutil

import nbformat

ROOT = pathlib.Path(__file__).resolve().parents[1]
LEFT_OUT = re.compile(r"\n*<details><summary>Solution</summary>.*?</details>|(?: · )?\[open in (?:Binder|Colab)\]\([^)]*\)", re.DOTALL)


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        nb = nbformat.read(path, as_version=4)
        for cell in nb.cells:
            if cell.cell_type == "markdown":
                cell.source = LEFT_OUT.sub("", cell.source)
        (folder / path.name).write_text(nbformat.writes(nb) + "\n", encoding="utf-8", newline="\n")
    shutil.copy(ROOT / "LICENSE-CONTENT", folder)
    print(f"written: {folder}")


if __name__ == "__main__":
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ask.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "build" / "handout")
    main(ask.parse_args().folder)
