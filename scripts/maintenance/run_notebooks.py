"""Run the notebooks of the site, and write their outputs or compare them with the stored ones.

    python scripts/maintenance/run_notebooks.py [--check] [NOTEBOOK ...]

Without ``--check``, the outputs are written into the notebooks. With ``--check``, the script names each notebook that
prints other texts than the stored ones, and the exit status is then 1. Pictures are not compared, because they depend
on the fonts of the machine. The script needs nbclient and ipykernel.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"


def run(path: Path) -> nbformat.NotebookNode:
    """Return a notebook with its new outputs. It runs in an empty folder: readers may have only the notebook."""
    notebook = nbformat.read(path, as_version=4)
    os.environ["PYTHONPATH"] = str(FOLDER.parents[1])  # finds the package as if it were installed
    with tempfile.TemporaryDirectory() as folder:
        place = {"metadata": {"path": folder}}
        NotebookClient(notebook, timeout=1800, kernel_name="python3", record_timing=False, resources=place).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":  # stderr has warnings, which depend on the machine
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    notebook.metadata["language_info"] = {"name": "python"}  # leaves out the Python version
    return notebook


def texts(notebook: nbformat.NotebookNode) -> Iterator[str]:
    """Yield the texts that each cell printed or showed, except texts that describe pictures."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" not in data:
                yield output.get("text") or data.get("text/plain", "")


def is_as_kept(path: Path) -> bool:
    """Return whether a notebook prints its stored texts. All texts are joined, because a busy machine may split one."""
    return "".join(texts(run(path))) == "".join(texts(nbformat.read(path, as_version=4)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="*", type=Path, default=sorted(FOLDER.glob("*.ipynb")))
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    arguments = parser.parse_args()
    status = 0
    for path in arguments.notebooks:
        start = time.perf_counter()
        if not arguments.check:
            nbformat.write(run(path), path)
        elif not is_as_kept(path):
            print(f"{path.name} prints other outputs than the stored ones", file=sys.stderr)
            status = 1
        print(f"{path.name}: {time.perf_counter() - start:.0f} s")
    return status


if __name__ == "__main__":
    sys.exit(main())
