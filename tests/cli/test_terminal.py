"""What a terminal shows: nothing is wider than the terminal, and names keep both ends."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from command_line import printed

from bleu_metric import corpus_bleu
from bleu_metric.cli import terminal as terminal_module
from bleu_metric.cli.main import run
from bleu_metric.cli.output import scores_table
from bleu_metric.cli.terminal import Terminal, columns_of, progress_bar

BOLD_NUMBER = re.compile(r"\x1b\[1m *\d+\.\d+")
WIDTHS = [70, 80, 120]
LISTED = ["score", "compare", "report", "dialects", "explain", "self", "mbr"]
NAMES = ["a_very_long_name_of_an_experiment_" * 3 + f"beam{number}" for number in (5, 6)]
WIDE_NAMES = ["とても長いシステムの名前" * 4 + f"{number}" for number in (5, 6)]


@pytest.fixture
def outputs(files: Path) -> Path:
    """Files with long names, and one label for each segment."""
    for name in (*NAMES, *WIDE_NAMES):
        Path(f"{name}.txt").write_bytes(Path("hyp.txt").read_bytes())
    Path("labels").write_text("news\nchat\nnews\n" + "a long label " * 10 + "\n")
    return files


def on_terminal(monkeypatch: pytest.MonkeyPatch, width: int, is_unicode: bool = True) -> None:
    monkeypatch.setattr(Terminal, "current", classmethod(lambda cls: cls(True, width, is_unicode)))


COMMANDS = {
    "comparison": ["compare", *(f"{name}.txt" for name in NAMES), "-r", "ref.txt"],
    "comparison of wide names": ["compare", *(f"{name}.txt" for name in WIDE_NAMES), "-r", "ref.txt"],
    "scores": ["compare", *(f"{name}.txt" for name in NAMES), "-r", "ref.txt", "-t", "none"],
    "scores of wide names": ["compare", *(f"{name}.txt" for name in WIDE_NAMES), "-r", "ref.txt", "-t", "none"],
    "several scores": ["compare", "hyp.txt", "ref2.txt", "-r", "ref.txt", *["--weights", "1"] * 8],
    "groups": ["score", "hyp.txt", "ref.txt", "-g", "labels"],
    "many orders": ["score", "hyp.txt", "ref.txt", "-g", "labels", "--max-order", "12"],
    "an interval": ["score", "hyp.txt", "ref2.txt", "--confidence", "0.9"],
    "dialects": ["dialects", "hyp.txt", "ref.txt"],
    "choices": ["dialects"],
    "an explanation": ["explain", "nltk", "sacrebleu", "hyp.txt", "ref.txt"],
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_wider_than_the_terminal(
    command: str, width: int, outputs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_terminal(monkeypatch, width)
    for line in printed(capsys, *COMMANDS[command]).splitlines():
        assert columns_of(re.sub(r"\x1b\[[0-9;]*m", "", line)) <= width, line


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("command", ["", *LISTED])
def test_help_fits_the_terminal(
    command: str, width: int, files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for line in printed(capsys, *command.split(), "--help").splitlines():
        assert len(line) <= width, line


@pytest.mark.parametrize("command", LISTED)
def test_help_begins_with_examples_and_usual_options(
    command: str, files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = printed(capsys, command, "--help")
    headings = ["Examples:", "Options:", "Settings of a score, instead of the dialect's:", "Rarer options:"]
    places = [text.find(f"\n{heading}\n") for heading in headings if heading in text]
    assert places == sorted(places)
    assert min(places) > 0
    assert f"\n  bleu-metric {command}" in text
    if "Rarer options" in text:
        assert text.index("--tokenizer") < text.index("Rarer options") < text.index("--weight-precision")


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
        examples = re.findall(r"^  bleu-metric (.*)$", text, re.MULTILINE)
        assert examples
        for example in examples:
            assert run(example.split()) == 0, example
            capsys.readouterr()


@pytest.mark.parametrize(
    ("typed", "here"),
    [
        ("--lc", "--lowercase"),
        ("--smooth-method", "--smoothing"),
        ("--max-n", "--max-order"),
        ("--smooth", "--smoothing"),
        ("-lc", "--lowercase"),
        ("-tok", "--tokenizer"),
    ],
)
def test_options_of_other_libraries(typed: str, here: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "score", "hyp.txt", "ref.txt", typed, "x", status=2)
    assert f"no such option {typed} (did you mean {here}?)" in text


def test_misspelt_commands_and_options(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "'compare'" in printed(capsys, "compere", status=2)
    assert "--dialect" in printed(capsys, "score", "hyp.txt", "ref.txt", "--dialekt", "x", status=2)


@pytest.mark.parametrize(
    ("typed", "usage"),
    [
        (["score", "hyp.txt", "-r", "ref.txt"], "bleu-metric score hyp.txt ref.txt"),
        (["score", "hyp.txt", "--references=ref.txt"], "bleu-metric score hyp.txt ref.txt"),
        (["dialects", "-i", "hyp.txt", "ref.txt"], "bleu-metric dialects hyp.txt ref.txt"),
        (["compare", "-i", "hyp.txt", "-r", "ref.txt"], "bleu-metric compare base.txt new.txt -r ref.txt"),
        (["hyp.txt", "ref.txt"], "bleu-metric score hyp.txt ref.txt"),
        (["help"], "bleu-metric --help"),
    ],
)
def test_a_wrong_command_line_is_told_a_right_one(
    typed: list[str], usage: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert usage in printed(capsys, *typed, status=2)


def test_an_option_without_its_value_names_the_help_of_its_command(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "bleu-metric score --help" in printed(capsys, "score", "hyp.txt", "ref.txt", "--confidence", status=2)


def test_the_list_of_commands_is_not_cut_short(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "--help")
    commands = text.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in commands] == LISTED
    assert all(line.endswith(".") and not line.endswith("..") for line in commands)


@pytest.mark.parametrize(("what", "is_bold"), [("system", True), ("dialect", False), ("group", False)])
def test_only_the_best_system_is_bold(what: str, is_bold: bool) -> None:
    """Dialects and groups do not compete."""
    scores = {name: corpus_bleu([name], ["a b c d e"]) for name in ("a b c d e", "a b c d f")}
    table = scores_table(scores, what, "text", Terminal(True, 80))
    assert bool(BOLD_NUMBER.search(table)) == is_bold


def test_names_that_do_not_fit(
    outputs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal shows both ends, because names often differ at the end; what is pasted has the whole name."""
    on_terminal(monkeypatch, 80)
    text = printed(capsys, *COMMANDS["comparison"])
    assert "beam5" in text
    assert "beam6" in text
    for output_format in ("markdown", "latex"):
        pasted = printed(capsys, *COMMANDS["comparison"], "-f", output_format).replace("\\_", "_")
        assert f"{NAMES[0]} " in pasted, output_format


def test_a_terminal_without_unicode(
    outputs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_terminal(monkeypatch, 80, is_unicode=False)
    assert printed(capsys, *COMMANDS["comparison"]).isascii()
    assert printed(capsys, *COMMANDS["groups"]).isascii()


def test_names_are_not_markup(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("[red]a[/red].txt".replace("/", "\\"), ":smile:.txt"):
        Path(name).write_bytes(Path("hyp.txt").read_bytes())
        text = printed(capsys, "compare", name, "ref2.txt", "-r", "ref.txt")
        assert name.removesuffix(".txt").replace("\\", "\\") in text


def test_the_best_score_is_bold(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bold shows on a terminal that has styles: a name of one is in TERM."""
    monkeypatch.setenv("TERM", "xterm-256color")
    on_terminal(monkeypatch, 80)
    drawn = terminal_module.Terminal(True, 80)
    from bleu_metric.cli.table import Table

    table = Table(["system", "BLEU"], [["a", "1.00"], ["b", "2.00"]], emphasized=frozenset({(1, 1)}))
    *_, first, second = table.write("text", drawn).splitlines()
    assert "\x1b[1m2.00" in second
    assert "\x1b" not in first


def test_commands_in_the_order_of_use(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = printed(capsys, "--help").partition("Commands:")[2]
    assert re.findall(r"^  (\w+)", listed, re.MULTILINE) == [
        "score",
        "compare",
        "report",
        "dialects",
        "explain",
        "self",
        "mbr",
    ]


def test_a_bar_shows_when_work_takes_long(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    with progress_bar("segments") as report_progress:
        report_progress(1, 10)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(terminal_module, "_SECONDS_UNTIL_PROGRESS", 0.0)
    with progress_bar("segments") as report_progress:
        report_progress(5, 10)
    assert "5/10" in capsys.readouterr().err


def test_no_bar_in_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(terminal_module, "_SECONDS_UNTIL_PROGRESS", 0.0)
    with progress_bar("segments") as report_progress:
        report_progress(5, 10)
    assert capsys.readouterr().err == ""
