"""A small corpus for the command line, and a way to run a command."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from bleu_metric.cli.main import run

HYP = ["the cat sat on the mat", "", 'it is "3.5" km "away"', "猫 坐 在 垫子 上 。"]
REF = ["the cat sat on a mat", "nothing", 'it is 3.5 km "away"', "猫 坐 在 垫子 上 。"]
OTHER = ["a cat sat on the mat", "", "it's 3.5 km off", "一 只 猫 坐 着 。"]


class CommandLine:
    """Runs command lines such as ``score hyp.txt ref.txt``, whose words are separated by spaces."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, line: str, status: int = 0) -> str:
        """Run a command, and return what it printed, as `printed` does."""
        return printed(self.capsys, *line.split(), status=status)

    def json(self, line: str) -> Any:
        """Run a command, and return what it printed as JSON."""
        return json.loads(self(f"{line} -f json"))

    def rows(self, line: str) -> list[dict[str, str]]:
        """Run a command, and return the rows that it printed as TSV, by the heads of their columns."""
        shown = io.StringIO(self(f"{line} -f tsv"))
        return list(csv.DictReader(shown, delimiter="\t", quoting=csv.QUOTE_NONE))


def write_lines(path: str, lines: Iterable[str]) -> None:
    """Write a text file with one line per text."""
    Path(path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    """Run a command and give what it printed: to standard output if it succeeded, else to standard error.

    That one order makes a score 0, that texts are empty, or what was written, may be said beside it.
    """
    assert run(list(arguments)) == status
    out, err = capsys.readouterr()
    expected = ("BLEU is 0.00: no ", " empty; the first is ", "bleu-metric: wrote ")
    others = [line for line in err.splitlines() if not any(words in line for words in expected)]
    assert bool(others) == bool(status), err
    return out if status == 0 else err
