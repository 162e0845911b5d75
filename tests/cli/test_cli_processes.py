"""The program as the shell starts it: streams, status, what is imported and what is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import HYP, REF, write_lines

from bleu_metric import corpus_bleu


def command(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell, in which ``bleu-metric`` is the program."""
    program = f"{sys.executable} -m bleu_metric"
    return subprocess.run(
        ["bash", "-c", line.replace("bleu-metric", program)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_as_a_process(files: Path) -> None:
    ran = command("bleu-metric score hyp.txt ref.txt -f json")
    note = "bleu-metric: 1 of 4 predictions is empty; the first is prediction 2\n"
    assert (ran.returncode, ran.stderr) == (0, note)
    assert json.loads(ran.stdout)["bleu"] == corpus_bleu(HYP, REF).bleu
    failed = command("bleu-metric score hyp.txt none.txt")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr.count("\n") == 1
    assert command("bleu-metric score -h").stdout.startswith("Usage: bleu-metric")


@pytest.mark.parametrize(("closed", "status"), [("2>&- <&-", 0), ("--nothing 2>&-", 2), ("<&- - ", 1), (">&-", 1)])
def test_closed_streams(closed: str, status: int, files: Path) -> None:
    """As for a program that a daemon starts."""
    ran = command(f"bleu-metric score hyp.txt ref.txt {closed}")
    assert ran.returncode == status, ran
    assert ran.stdout.startswith("BLEU ") == (status == 0)
    assert "Traceback" not in ran.stderr


def test_output_that_nobody_reads(files: Path) -> None:
    write_lines("long.txt", ["a b c d"] * 20_000)
    write_lines("same.txt", ["a b c d"] * 20_000)
    ran = command("bleu-metric score long.txt same.txt -s | head -n 2; exit ${PIPESTATUS[0]}")
    assert (ran.stderr, ran.stdout) == (
        "",
        " line   BLEU\n    1  100.0\n",
    )  # whether the pipe breaks depends on its size


def test_a_name_cannot_steer_the_terminal(files: Path) -> None:
    write_lines("猫\x1b[31m.txt", HYP)
    ran = command("bleu-metric compare 猫*.txt hyp.txt -r ref.txt", PYTHONIOENCODING="ascii")
    assert ran.returncode == 0, ran.stderr
    assert "\\x1b[31m" in ran.stdout
    assert "\x1b" not in ran.stdout


def test_it_starts_fast(files: Path) -> None:
    """No library that takes long to import, even where it is installed. Text files need neither NumPy nor PyArrow."""
    code = (
        "import sys; from bleu_metric.cli.main import run; run(['score', 'hyp.txt', 'ref.txt', 'ref2.txt']);"
        "print([name for name in ('numpy', 'pyarrow', 'pandas', 'datasets', 'evaluate', 'matplotlib', 'sacrebleu',"
        " 'tqdm') if name in sys.modules])"
    )
    environment = {**os.environ, "BLEU_METRIC_ENGINE": "native"}
    assert subprocess.check_output([sys.executable, "-c", code], env=environment, text=True).splitlines()[-1] == "[]"


def test_bash_gets_a_script_that_completes() -> None:
    command = [sys.executable, "-m", "bleu_metric"]
    environment = {**os.environ, "_BLEU_METRIC_COMPLETE": "bash_source"}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "complete " in ran.stdout
    environment |= {"_BLEU_METRIC_COMPLETE": "bash_complete", "COMP_WORDS": "bleu-metric sc", "COMP_CWORD": "1"}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "score" in ran.stdout


@pytest.mark.parametrize(
    ("line", "status"),
    [
        *(("score - -", 2), ("score /dev/stdin ref.txt -g /dev/stdin", 2), ("score /dev/fd/0 /dev/fd/0", 2)),
        *(("compare - hyp.txt -r - -t none", 0), ("score /dev/stdin hyp.txt", 0), ("score /dev/fd/0 hyp.txt", 0)),
    ],
)
def test_standard_input_is_read_once(line: str, status: int, files: Path) -> None:
    ran = command(f"bleu-metric {line} < ref2.txt")
    assert (ran.returncode, " is given twice" in ran.stderr) == (status, bool(status))
