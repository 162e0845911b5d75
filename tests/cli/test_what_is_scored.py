"""Which files are scored, which are rejected, and that none of them is written over."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import CommandLine

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def links(files: Path) -> None:
    """Other names of hyp.txt, and a table."""
    Path("soft.txt").symlink_to("hyp.txt")
    Path("hard.txt").hardlink_to("hyp.txt")
    Path("rows.jsonl").write_text('{"a": "a b", "b": "a c"}\n' * 4)


def test_the_output_names_what_was_scored(bleu: CommandLine) -> None:
    for system, reference in (("hyp.txt", "ref.txt"), ("ref.txt", "hyp.txt")):
        text = bleu(f"score {system} {reference}")
        assert f"\n  4 segments of {system} against {reference}\n" in text


def test_several_files_of_references_show_on_the_first_line(bleu: CommandLine) -> None:
    """`score SYSTEM SYSTEM REF` takes the second system for a reference."""
    first, *others = bleu("score hyp.txt ref2.txt ref.txt").splitlines()
    assert re.fullmatch(r"BLEU \d+\.\d  2 files of references", first)
    note = "  4 segments of hyp.txt against 2 files of references: ref2.txt, ref.txt"
    assert note in others
    for command in ("dialects", "explain nltk sacrebleu"):
        assert bleu(f"{command} hyp.txt ref2.txt ref.txt").endswith(f"\n{note}\n")


@pytest.mark.parametrize(
    "line",
    [
        "score hyp.txt hyp.txt",
        "score hyp.txt ./hyp.txt",
        "score hyp.txt soft.txt",
        "score hyp.txt hard.txt",
        "score rows.jsonl:a rows.jsonl:a",
        "compare hyp.txt hard.txt -r ref.txt",
        "compare hyp.txt ref2.txt -r ref.txt ref.txt",
        "self-bleu hyp.txt -g hyp.txt",
        "mbr hyp.txt -r soft.txt -n 2",
        "report hyp.txt -r ref.txt -o one.html --source ref.txt",
    ],
)
def test_a_file_is_given_once(line: str, bleu: CommandLine) -> None:
    assert " is given twice" in bleu(line, status=2)


def test_a_reference_may_be_one_of_several_systems(bleu: CommandLine) -> None:
    assert "100.0" in bleu("compare hyp.txt ref.txt -r ref.txt -t none")


@pytest.mark.parametrize("name", ["/dev/stdin", "/dev/fd/0", "-"])
def test_standard_input_is_read_once(name: str) -> None:
    for line in (f"score {name} {name}", f"score {name} ref.txt -g {name}"):
        ran = bleu_metric(line.split())
        assert ran.returncode == 2
        assert " is given twice" in ran.stderr
    for line in (f"score {name} hyp.txt", f"compare {name} hyp.txt -r {name} -t none"):
        assert bleu_metric(line.split()).returncode == 0


def bleu_metric(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bleu_metric", *arguments]
    text = Path("ref.txt").read_text()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, input=text, env=environment, capture_output=True, text=True, check=False)


REPORT = "report A=hyp.txt rows.jsonl:a -r ref.txt -o"


@pytest.mark.parametrize(
    ("line", "output"),
    [
        *((REPORT, output) for output in ("hyp.txt", "./ref.txt", "soft.txt", "hard.txt", "rows.jsonl")),
        ("score hyp.txt ref.txt --plot", "picture.png"),
        ("score ref2.txt ref.txt -g hyp.txt --plot", "picture.png"),
        ("compare ref2.txt A=hyp.txt -r ref.txt --plot", "picture.png"),
    ],
)
def test_no_input_is_replaced(line: str, output: str, bleu: CommandLine) -> None:
    Path("picture.png").symlink_to("hyp.txt")
    before = Path(output).read_bytes()
    error = bleu(f"{line} {output}", status=2)
    assert f"{output} would replace the input file " in error
    assert "; write to another file" in error
    assert Path(output).read_bytes() == before
