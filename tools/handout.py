"""Copy the notebooks for a class, without their solutions, to build/handout.

    python tools/handout.py [FOLDER]
"""
import pathlib
import re
import sys

import nbformat

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOLUTION = re.compile(r"\n*<details><summary>Solution</summary>.*?</details>", re.DOTALL)


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        nb = nbformat.read(path, as_version=4)
        for cell in nb.cells:
            if cell.cell_type == "markdown":
                cell.source = SOLUTION.sub("", cell.source)
        (folder / path.name).write_text(nbformat.writes(nb) + "\n", encoding="utf-8", newline="\n")
    print(f"written: {folder}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "handout")
