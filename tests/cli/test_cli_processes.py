"""The program as the shell starts it: streams, status, what is imported and what is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import HYP, REF

from bleu_metric import corpus_bleu


def command(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    whole = [sys.executable, "-m", "bleu_metric", *arguments]
    return subprocess.run(whole, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload,no-any-return]


def test_as_a_process(files: Path) -> None:
    ran = command("score", "hyp.txt", "ref.txt", "-f", "json")
    note = "bleu-metric: 1 of 4 predictions is empty; the first is prediction 2\n"
    assert (ran.returncode, ran.stderr) == (0, note)
    assert json.loads(ran.stdout)["bleu"] == corpus_bleu(HYP, REF).bleu
    failed = command("score", "hyp.txt", "none.txt")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "Traceback" not in failed.stderr
    for help_ in (["--help"], ["score", "-h"]):
        assert command(*help_).stdout.startswith("Usage: bleu-metric")


@pytest.mark.parametrize(
    ("closed", "status"), [("2>&-", 0), ("<&-", 0), ("2>&- <&-", 0), ("--nothing 2>&-", 2), ("<&- - ", 1), (">&-", 1)]
)
def test_closed_streams(closed: str, status: int, files: Path) -> None:
    """As for a program that a daemon starts."""
    command = f"{sys.executable} -m bleu_metric score hyp.txt ref.txt {closed}"
    ran = subprocess.run(
        ["sh", "-c", command],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == status, ran
    assert ran.stdout.startswith("BLEU ") == (status == 0)
    assert "Traceback" not in ran.stderr


def test_output_that_nobody_reads(files: Path) -> None:
    for name in ("long.txt", "same.txt"):
        Path(name).write_text("a b c d\n" * 200_000)
    shell = f"{sys.executable} -m bleu_metric score long.txt same.txt -s | head -n 1; exit ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert (ran.stderr, ran.stdout) == ("", "     1  100.0\n")  # whether the pipe breaks depends on its size


def test_a_name_cannot_steer_the_terminal(files: Path) -> None:
    Path("猫\x1b[31m.txt").write_bytes(Path("hyp.txt").read_bytes())
    for encoding in ("utf-8", "latin-1", "ascii"):
        environment = {**os.environ, "PYTHONIOENCODING": encoding}
        ran = command("compare", "猫\x1b[31m.txt", "hyp.txt", "-r", "ref.txt", env=environment)
        assert ran.returncode == 0, ran.stderr
        assert "\\x1b[31m" in ran.stdout
        assert "\x1b" not in ran.stdout


def test_it_starts_fast(files: Path) -> None:
    """No library that takes long to import, even where it is installed."""
    code = (
        "import sys; from bleu_metric.cli.main import run; run(['score', 'hyp.txt', 'ref.txt', 'ref2.txt']);"
        "print([name for name in ('pandas', 'datasets', 'evaluate', 'matplotlib', 'sacrebleu', 'tqdm')"
        " if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).splitlines()[-1] == "[]"
