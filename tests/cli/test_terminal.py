"""What a terminal shows: nothing is wider than the terminal, and names keep both ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import printed
from rich.cells import cell_len

from bleu_metric.cli import terminal
from bleu_metric.cli.main import run

STYLES = re.compile(r"\x1b\[[0-9;]*m")
LISTED = ["score", "compare", "report", "dialects", "explain", "self-bleu", "mbr"]
NAMES = ["a_very_long_name_of_an_experiment_" * 3 + f"beam{number}" for number in (5, 6)]
WIDE_NAMES = ["とても長いシステムの名前" * 4 + f"{number}" for number in (5, 6)]
LONG = ["compare", *(f"{name}.txt" for name in NAMES), "-r", "ref.txt"]
WIDE = ["compare", *(f"{name}.txt" for name in WIDE_NAMES), "-r", "ref.txt"]
GROUPS = ["score", "hyp.txt", "ref.txt", "-g", "labels"]
COMMANDS = [
    LONG,
    WIDE,
    [*LONG, "-t", "none"],
    [*WIDE, "-t", "none"],
    ["compare", "hyp.txt", "ref2.txt", "-r", "ref.txt", *["--weights", "1"] * 8],
    GROUPS,
    [*GROUPS, "--max-order", "12"],
    ["score", "hyp.txt", "ref2.txt", "--confidence", "0.9"],
    ["dialects", "hyp.txt", "ref.txt"],
    ["dialects"],
    ["explain", "nltk", "sacrebleu", "hyp.txt", "ref.txt"],
    ["--help"],
    *([command, "--help"] for command in LISTED),
]


@pytest.fixture
def outputs(files: Path) -> Path:
    """Files with long names, and one label for each segment."""
    for name in (*NAMES, *WIDE_NAMES):
        Path(f"{name}.txt").write_bytes(Path("hyp.txt").read_bytes())
    Path("labels").write_text("news\nchat\nnews\n" + "a long label " * 10 + "\n")
    return files


def on_terminal(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in {"TTY_COMPATIBLE": "1", "COLUMNS": str(width), "TERM": "xterm-256color"}.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize(("width", "left_out"), [(120, []), (80, ["p"]), (74, ["p", "its interval"])])
def test_spare_columns_go_before_names_are_cut(
    width: int,
    left_out: list[str],
    files: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("checkpoint-12000.txt").write_bytes(Path("hyp.txt").read_bytes())
    on_terminal(monkeypatch, width)
    command = ["compare", "checkpoint-12000.txt", "ref2.txt", "-r", "ref.txt", "-t", "approximate-randomization"]
    heads, _, first, *_ = STYLES.sub("", printed(capsys, *command)).splitlines()
    wanted = ["system", "BLEU", "95 % interval", "difference", "its interval", "p", "p (Holm)"]
    assert re.split("  +", heads.rstrip()) == [head for head in wanted if head not in left_out]
    assert first.startswith("checkpoint-12000  ")


@pytest.mark.parametrize("width", [70, 80])
def test_groups_of_a_comparison_do_not_wrap(
    width: int, outputs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = ["news-commentary", "conversation"]
    Path("labels").write_text("\n".join(labels * 2))
    on_terminal(monkeypatch, width)
    shown = STYLES.sub("", printed(capsys, *LONG, "-g", "labels"))
    table = shown.split("\n\n")[1].splitlines()
    assert len(table) == 2 + len(labels) * 2, "a row is one line"


@pytest.mark.parametrize("width", [70, 80, 120])
def test_nothing_is_wider_than_the_terminal(
    width: int, outputs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_terminal(monkeypatch, width)
    for command in COMMANDS:
        for line in printed(capsys, *command).splitlines():
            assert cell_len(STYLES.sub("", line)) <= width, (command, line)


def test_a_signature_breaks_between_its_settings(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_a_pipe = printed(capsys, "score", "hyp.txt", "ref.txt").splitlines()[-1]
    on_terminal(monkeypatch, 50)
    lines = STYLES.sub("", printed(capsys, "score", "hyp.txt", "ref.txt")).splitlines()
    first = next(number for number, line in enumerate(lines) if "nrefs:" in line)
    *others, _last = lines[first:]
    assert others
    assert all(line.endswith("|") for line in others)
    assert "".join(line.strip() for line in lines[first:]) == in_a_pipe.strip()


def test_bars_and_bold_are_for_terminals(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["compare", "hyp.txt", "ref2.txt", "-r", "ref.txt", "-t", "none"]
    for width, has_bars in ((80, True), (40, False)):
        on_terminal(monkeypatch, width)
        assert ("━" in printed(capsys, "score", "hyp.txt", "ref.txt")) == has_bars
    *_, best, other = (line for line in printed(capsys, *command).splitlines() if "1.0" in line)
    assert "\x1b[1m" in best
    assert "\x1b[1m" not in other
    assert "\x1b[1m" not in printed(capsys, "dialects", "hyp.txt", "ref.txt"), "dialects do not compete"
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[36m" not in printed(capsys, "score", "hyp.txt", "ref.txt")
    monkeypatch.delenv("TTY_COMPATIBLE")
    assert not {"━", "\x1b"} & {*printed(capsys, "score", "hyp.txt", "ref.txt")}


def test_names_that_do_not_fit(
    outputs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal shows both ends, because names often differ at the end; what is pasted has the whole name."""
    assert NAMES[0] in printed(capsys, *LONG)
    on_terminal(monkeypatch, 80)
    text = printed(capsys, *LONG)
    assert "beam5" in text
    assert "beam6" in text
    for output_format in ("markdown", "latex"):
        pasted = printed(capsys, *LONG, "-f", output_format).replace("\\_", "_")
        assert f"{NAMES[0]} " in pasted, output_format


def test_a_terminal_without_unicode(outputs: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "TTY_COMPATIBLE": "1", "COLUMNS": "80"}
    for command in (LONG, GROUPS):
        shown = subprocess.check_output([sys.executable, "-m", "bleu_metric", *command], env=environment)
        assert shown.isascii()
        assert b"\\u" not in shown


def test_names_are_not_markup(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("[red]a[bold].txt", ":smile:.txt"):
        Path(name).write_bytes(Path("hyp.txt").read_bytes())
        text = printed(capsys, "compare", name, "ref2.txt", "-r", "ref.txt")
        assert name.removesuffix(".txt") in text


# --- Help and wrong command lines -----------------------------------------------------------------------------------


@pytest.mark.parametrize("command", LISTED)
def test_help_begins_with_examples_and_usual_options(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, command, "--help")
    headings = ["  Examples:", "Options:", "Settings of a score, instead of the dialect's:", "Rarer options:"]
    places = [text.find(f"\n{heading}\n") for heading in headings if heading in text]
    assert places == sorted(places)
    assert min(places) > 0
    assert f"\n      bleu-metric {command}" in text
    if "Rarer options" in text:
        assert text.index("--tokenizer") < text.index("Rarer options") < text.index("--weight-dtype")


def test_examples_of_the_help_run(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = Path("hyp.txt").read_text().splitlines()
    for name in ("base", "new", "a", "b", "ref1", "ref2", "texts"):
        Path(f"{name}.txt").write_text("".join(f"{line} {name}\n" for line in lines))
    Path("out").mkdir()
    for name in ("17", "18"):
        Path(f"out/{name}.txt").write_text(f"{name}\n" * len(lines))
    Path("candidates.txt").write_text("a b\n" * 32)
    Path("data.csv").write_text("mt,ref\n" + "a b c d e,a b c d f\n" * 4)
    Path("data.jsonl").write_text('{"text": "a b c", "prompt": "x", "candidates": ["a b", "a c"]}\n' * 4)
    for command in LISTED:
        text = printed(capsys, command, "--help")
        examples = re.findall(r"^ +bleu-metric (.*)$", text, re.MULTILINE)
        assert examples
        for example in examples:
            assert run(example.split()) == 0, example
            capsys.readouterr()


def test_commands_are_listed_in_the_order_of_use(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "--help")
    commands = text.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in commands] == LISTED
    assert all(line.endswith(".") and not line.endswith("..") for line in commands)


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


# --- Progress -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seconds", "is_terminal", "is_shown"), [(0, True, True), (9, True, False), (0, False, False)])
def test_a_bar_shows_on_a_terminal_when_work_takes_long(
    seconds: float,
    is_terminal: bool,
    is_shown: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    on_terminal(monkeypatch, 80)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal, raising=False)
    monkeypatch.setattr(terminal, "_SECONDS_UNTIL_PROGRESS", seconds)
    with terminal.progress_bar("segments") as report_progress:
        report_progress(5, 10)
    assert ("50%" in capsys.readouterr().err) == is_shown
