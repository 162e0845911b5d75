"""What a terminal shows: nothing is wider than the terminal. How it looks is in `transcripts/terminal.txt`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import HYP, CommandLine, write_lines
from inner_doors import terminal_width

from bleu_metric.cli import terminal
from bleu_metric.cli.main import run

STYLES = re.compile(r"\x1b\[[0-9;]*m")
LISTED = ["score", "compare", "report", "dialects", "explain", "find", "self-bleu", "mbr"]
NAMES = ["a_very_long_name_of_an_experiment_" * 3 + f"beam{number}" for number in (5, 6)]
WIDE_NAMES = ["とても長いシステムの名前" * 4 + f"{number}" for number in (5, 6)]
LONG, WIDE = (f"compare {first}.txt {second}.txt -r ref.txt" for first, second in (NAMES, WIDE_NAMES))
SCORE = "score hyp.txt ref.txt"
COMMANDS = [
    LONG,
    WIDE,
    f"{LONG} -t none",
    f"{WIDE} -t none",
    f"{SCORE} -g labels",
    f"{SCORE} -g labels --max-order 12",
    "score hyp.txt ref2.txt --confidence 0.9",
    "dialects hyp.txt ref.txt",
    "dialects",
    "explain nltk sacrebleu hyp.txt ref.txt",
    "--help",
    *(f"{command} --help" for command in LISTED),
]
Terminal = Callable[[int], None]


@pytest.fixture(autouse=True)
def outputs(files: Path) -> None:
    """Files with long names, and one label for each segment."""
    for name in (*NAMES, *WIDE_NAMES):
        write_lines(f"{name}.txt", HYP)
    write_lines("labels", ["news", "chat", "news", "a long label " * 10])


@pytest.fixture
def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A function that makes standard output a terminal of so many columns."""

    def start(width: int) -> None:
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)

    return start


@pytest.mark.parametrize("width", [70, 120])
def test_nothing_is_wider_than_the_terminal(width: int, bleu: CommandLine, on_terminal: Terminal) -> None:
    on_terminal(width)
    for command in COMMANDS:
        for line in bleu(command).splitlines():
            assert terminal_width(STYLES.sub("", line)) <= width, (command, line)


def test_no_color(bleu: CommandLine, on_terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(80)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[36m" not in bleu(SCORE)


def test_a_terminal_without_unicode() -> None:
    code = "import sys; sys.stdout.isatty = lambda: True; from bleu_metric.cli.main import run; run()"
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1", "COLUMNS": "80"}
    for line in (LONG, SCORE):
        shown = subprocess.check_output([sys.executable, "-c", code, *line.split()], env=environment)
        assert b"\\u" not in shown, shown


# --- Help and wrong command lines -----------------------------------------------------------------------------------


@pytest.mark.heavy
def test_examples_of_the_help_run(bleu: CommandLine) -> None:
    Path("out").mkdir()
    for name in ("base", "new", "a", "b", "c", "ref1", "out/17", "out/18", "texts"):
        write_lines(f"{name}.txt", [f"{line} {name}" for line in HYP])
    write_lines("candidates.txt", ["a b"] * 32)
    write_lines("data.csv", ["mt,ref", *["a b c d e,a b c d f"] * 4])
    write_lines("data.jsonl", ['{"text": "a b c", "prompt": "x", "candidates": ["a b", "a c"]}'] * 4)
    for command in LISTED:
        examples = re.findall("^ +bleu-metric (.*)$", bleu(f"{command} --help"), re.MULTILINE)
        assert examples
        assert "\n  REF" not in bleu(f"{command} --help"), "the first line has the arguments"
        for example in examples:
            assert example.startswith(command)
            assert run(example.split()) == 0, example
            bleu.capsys.readouterr()


@pytest.mark.parametrize("is_terminal", [True, False])
def test_messages_wrap_on_a_terminal_only(
    is_terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal, raising=False)
    terminal.say("word " * 20)
    lines = capsys.readouterr().err.splitlines()
    assert " ".join(map(str.strip, lines)) == "bleu-metric: " + " ".join(["word"] * 20)
    assert max(map(len, lines)) <= 40 if is_terminal else len(lines) == 1


@pytest.mark.parametrize(("seconds", "is_terminal", "is_shown"), [(0, True, True), (9, True, False), (0, False, False)])
def test_a_bar_shows_on_a_terminal_when_work_takes_long(
    seconds: float,
    is_terminal: bool,
    is_shown: bool,
    on_terminal: Terminal,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    on_terminal(80)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal, raising=False)
    monkeypatch.setattr(terminal, "_SECONDS_UNTIL_PROGRESS", seconds)
    with terminal.progress_bar("segments") as report_progress:
        report_progress(5, 10)
    assert ("50%" in capsys.readouterr().err) == is_shown


def test_long_work_prints_one_line_if_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "_SECONDS_UNTIL_NOTE", 0)
    with terminal.progress_bar("segments") as report_progress:
        for done in (5, 6):
            report_progress(done, 10)
    assert capsys.readouterr().err.splitlines() == ["bleu-metric: 5 of 10 segments (50%) after 0 s"]
