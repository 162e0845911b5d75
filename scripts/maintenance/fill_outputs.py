"""Run the Python blocks and the commands of documents, and write what they print below them.

    python scripts/maintenance/fill_outputs.py docs/start.md

A block of Python, or of a ``bleu-metric`` command, is filled where a block of text follows it. Read what changed before
you keep it: the tests compare the documents with what runs, and so do not notice an output that is wrong.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILLED = re.compile(r"(```(python|sh)\n((?:(?!```).)*)```\n\n```text\n)(.*?)(```\n)", re.DOTALL)


def output_of(language: str, code: str) -> str:
    """Run a block as the tests do: Python in an empty folder that has the package, a command in the project."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if language == "sh":
        command = ["bash", "-c", code.replace("bleu-metric", f"{sys.executable} -m bleu_metric")]
        return subprocess.check_output(command, cwd=ROOT, env=environment, text=True)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "bleu_metric").symlink_to(ROOT / "bleu_metric")
        return subprocess.check_output([sys.executable, "-c", code], cwd=folder, env=environment, text=True)


def fill(match: re.Match[str]) -> str:
    """Replace the text below a block by what the block prints."""
    begin, language, code, old, end = match.groups()
    if language == "sh" and not code.startswith("bleu-metric "):
        return match[0]
    new = output_of(language, code)
    return f"{begin}{new or old}{end}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="+", type=Path)
    for path in parser.parse_args().documents:
        path.write_text(FILLED.sub(fill, path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
