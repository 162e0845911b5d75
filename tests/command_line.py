"""A small corpus for the command line, and a way to run a command."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from bleu_metric.cli.main import run

HYP = ["the cat sat on the mat", "", 'it is "3.5" km &quot;away&quot;', "猫 坐 在 垫子 上 。"]
REF = ["the cat sat on a mat", "nothing", 'it is 3.5 km "away"', "猫 坐 在 垫子 上 。"]
OTHER = ["a cat sat on the mat", "", "it's 3.5 km off", "一 只 猫 坐 着 。"]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    """Run a command and give what it printed: to standard output if it succeeded, else to standard error.

    That one order makes a score 0, or that predictions are empty, may be said beside it.
    """
    assert run(list(arguments)) == status
    out, err = capsys.readouterr()
    expected = ("BLEU is 0.00: no ", " empty; the first is prediction ")
    others = [line for line in err.splitlines() if not any(words in line for words in expected)]
    assert bool(others) == bool(status), err
    return out if status == 0 else err


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """Run a command and give what it printed as JSON."""
    return json.loads(printed(capsys, *arguments, "-f", "json"))


def as_rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, str]]:
    """Run a command and give the rows that it printed as TSV, by the heads of their columns."""
    shown = io.StringIO(printed(capsys, *arguments, "-f", "tsv"))
    return list(csv.DictReader(shown, delimiter="\t", quoting=csv.QUOTE_NONE))
