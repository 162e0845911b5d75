"""Run the Python blocks and the commands of documents, write below each what it prints, and update tables.

    python scripts/maintenance/fill_outputs.py docs/start.md docs/reference/*.md

A text block below a Python block, or below a ``bleu-metric`` command, is replaced by the printed output. Read the
changes before you keep them: the tests check only that the program prints the documented output, not that it is right.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

from tables import with_tables  # noqa: E402 - it is found only now

FILLED = re.compile(r"```(python|sh)\n((?:(?!```).)*)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)
FILES = {"hyp.txt": "the cat sat on the mat\n", "ref.txt": "the cat sat on a mat\n"}  # the files that the commands read


def output_of(language: str, code: str, folder: str) -> str:
    """Return what a block prints. The block runs in `folder`, and finds the package as if it were installed there."""
    if language == "sh":
        command = ["bash", "-c", code.replace("bleu-metric ", f"{sys.executable} -m bleu_metric ")]
    else:
        command = [sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.check_output(command, cwd=folder, env=environment, text=True)


def filled(text: str) -> str:
    """Return a document with the current outputs of its blocks. The blocks run in order, in one new folder."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "tests/project/hub", folder, dirs_exist_ok=True)  # datasets and outputs of a model
        for file, content in FILES.items():
            (Path(folder) / file).write_text(content)

        def fill(match: re.Match[str]) -> str:
            language, code, old = match.groups()
            is_command = language == "sh" and code.startswith(("bleu-metric ", "printf "))
            if not is_command and (language == "sh" or old is None):
                return match[0]
            new = output_of(language, code, folder)
            return match[0] if old is None else f"```{language}\n{code}```\n\n```text\n{new or old}```\n"

        return FILLED.sub(fill, with_tables(text))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="+", type=Path)
    for path in parser.parse_args().documents:
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
