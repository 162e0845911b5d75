"""What a terminal shows: nothing is wider than the terminal, and names keep both ends."""

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
    "find 53.7 hyp.txt ref.txt",
    "--help",
    *(f"{command} --help" for command in LISTED),
]
Terminal = Callable[[int], None]


@pytest.fixture(autouse=True)
def outputs(files: Path) -> None:
    """Files with long names, and one label for each segment."""
    for name in (*NAMES, *WIDE_NAMES, "checkpoint-12000", "c"):
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


@pytest.mark.parametrize(("width", "left_out"), [(120, []), (80, ["p"]), (74, ["p", "its interval"])])
def test_spare_columns_go_before_names_are_cut(
    width: int, left_out: list[str], bleu: CommandLine, on_terminal: Terminal
) -> None:
    for name in ("checkpoint-12000.txt", "ref2.txt", "ref.txt"):
        write_lines(name, Path(name).read_text(encoding="utf-8").splitlines() * 3)
    on_terminal(width)
    line = "compare checkpoint-12000.txt ref2.txt -r ref.txt -t approximate-randomization"
    lines = STYLES.sub("", bleu(line)).splitlines()
    [row] = [row for row, text in enumerate(lines) if text.startswith("system")]
    heads, first = lines[row : row + 2]
    wanted = ["system", "BLEU", "95 % interval", "difference", "its interval", "p", "p (Holm)"]
    assert re.split("  +", heads.rstrip()) == [head for head in wanted if head not in left_out]
    assert first.startswith("checkpoint-12000  ")


@pytest.mark.parametrize("line", [LONG, WIDE])
@pytest.mark.parametrize("width", [70, 80])
def test_groups_of_a_comparison_do_not_wrap(width: int, line: str, bleu: CommandLine, on_terminal: Terminal) -> None:
    labels = ["news-commentary", "conversation"]
    write_lines("labels", labels * 2)
    on_terminal(width)
    shown = STYLES.sub("", bleu(f"{line} -g labels"))
    table = shown.split("\n\n")[1]
    assert len(re.findall(r"(?m)^.* \d+\.\d.*$", table)) == len(labels) * 2, "a row is one line"


@pytest.mark.parametrize("width", [70, 80, 120])
def test_nothing_is_wider_than_the_terminal(width: int, bleu: CommandLine, on_terminal: Terminal) -> None:
    on_terminal(width)
    for command in COMMANDS:
        for line in bleu(command).splitlines():
            assert terminal_width(STYLES.sub("", line)) <= width, (command, line)


def test_numbers_wrap_but_are_not_cut(bleu: CommandLine, on_terminal: Terminal) -> None:
    line = f"{SCORE} -g labels --max-order 12"
    numbers = re.findall(r"\d+\.\d+", bleu(line))
    on_terminal(70)
    assert sorted(re.findall(r"\d+\.\d+", bleu(line))) == sorted(numbers)


def test_a_signature_breaks_between_its_settings(bleu: CommandLine, on_terminal: Terminal) -> None:
    in_a_pipe = bleu(f"{SCORE} --lowercase after").splitlines()[-1]
    on_terminal(50)
    shown = STYLES.sub("", bleu(f"{SCORE} --lowercase after")).splitlines()
    first = next(number for number, line in enumerate(shown) if "nrefs:" in line)
    *others, last = shown[first:]
    assert others
    assert all(line.endswith("|") for line in others)
    assert "".join(line.strip() for line in (*others, last)) == in_a_pipe.strip()


def test_bars_and_bold_are_for_terminals(
    bleu: CommandLine, on_terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for width, has_bars in ((80, True), (40, False)):
        on_terminal(width)
        assert ("━" in bleu(SCORE)) == has_bars
    lines = bleu("compare hyp.txt ref2.txt -r ref.txt -t none").splitlines()
    best, other = (next(line for line in lines if line.startswith(name)) for name in ("hyp", "ref2"))
    assert "\x1b[1m" in best
    assert "\x1b[1m" not in other
    assert "\x1b[1m" not in bleu("dialects hyp.txt ref.txt"), "dialects do not compete"
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[36m" not in bleu(SCORE)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False, raising=False)
    assert not {"━", "\x1b"} & {*bleu(SCORE)}


def test_names_that_do_not_fit(bleu: CommandLine, on_terminal: Terminal) -> None:
    """A terminal shows both ends, because names often differ at the end; what is pasted has the whole name."""
    on_terminal(80)
    for line, ends in ((LONG, ("_beam5  ", "_beam6  ")), (WIDE, ("前5  ", "前6  "))):
        table = STYLES.sub("", bleu(line)).split("\n\n")[0]
        for end in ends:
            assert end in table
    for output_format in ("markdown", "latex"):
        pasted = bleu(f"{LONG} -f {output_format}").replace("\\_", "_")
        assert f"{NAMES[0]} " in pasted, output_format


def test_a_terminal_without_unicode() -> None:
    code = "import sys; sys.stdout.isatty = lambda: True; from bleu_metric.cli.main import run; run()"
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1", "COLUMNS": "80"}
    for line in (LONG, SCORE):
        shown = subprocess.check_output([sys.executable, "-c", code, *line.split()], env=environment)
        assert b"\\u" not in shown, shown


# --- Help and wrong command lines -----------------------------------------------------------------------------------


def test_examples_of_the_help_run(bleu: CommandLine) -> None:
    Path("out").mkdir()
    for name in ("base", "new", "a", "b", "ref1", "out/17", "out/18", "texts"):
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
    with terminal.ProgressBar("segments") as report_progress:
        report_progress(5, 10)
    assert ("50%" in capsys.readouterr().err) == is_shown
