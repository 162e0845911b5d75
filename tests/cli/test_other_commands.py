"""`bleu-metric dialects`, `explain`, `find` and `report`, and pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import HYP, REF, CommandLine, write_lines
from html_of import sentences_of

from bleu_metric import DIALECTS, corpus_bleu, explain_difference, score_dialects
from bleu_metric.cli.main import cli, run

REPORT = "report hyp.txt -r ref.txt"


def page_of(line: str) -> str:
    """Return the page that a report writes."""
    assert run(f"{line} -o one.html".split()) == 0
    return Path("one.html").read_text(encoding="utf-8")


def test_dialects(bleu: CommandLine) -> None:
    found = {row["dialect"]: row["bleu"] for row in bleu.json("dialects hyp.txt ref.txt")["rows"]}
    assert found == {name: score.bleu for name, score in score_dialects(HYP, REF).items()}
    settings = {row["dialect"]: row["smoothing"] for row in bleu.json("dialects")["rows"]}
    assert settings == {name: config.smoothing for name, config in DIALECTS.items()}


LINES = {
    "score": ["hyp.txt ref.txt", "hyp.txt ref.txt -s"],
    "compare": ["hyp.txt ref2.txt -r ref.txt"],
    "dialects": ["hyp.txt ref.txt", ""],
    "explain": ["nltk sacrebleu hyp.txt ref.txt"],
    "find": ["60.0 hyp.txt ref.txt"],
    "mbr": ["hyp.txt -n 2"],
    "self-bleu": ["hyp.txt"],
}
FORMATS = {
    name: next(option.type.choices for option in command.params if option.name == "output_format")
    for name, command in cli.commands.items()
    if name != "report"
}


@pytest.mark.parametrize("command", FORMATS)
def test_every_format_of_every_command(command: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They differ, and text is the default."""
    for line in LINES[command]:
        shown = {}
        for form in FORMATS[command]:
            assert run([command, *line.split(), "-f", form]) == 0
            shown[capsys.readouterr().out] = form
        assert [*shown.values()] == [*FORMATS[command]]
        assert run([command, *line.split()]) == 0
        assert shown[capsys.readouterr().out] == "text"


def test_explain(bleu: CommandLine) -> None:
    assert bleu.json("explain nltk sacrebleu hyp.txt ref.txt") == (
        explain_difference(HYP, REF, "nltk", "sacrebleu").to_dict()
    )


def test_find(bleu: CommandLine) -> None:
    score = corpus_bleu(HYP, REF, "nltk", smoothing="method1", average="sentence").bleu
    line = f"find {100 * score:.2f} hyp.txt ref.txt"
    answer = bleu.json(line)
    settings = [row["settings"] for row in answer["rows"]]
    assert "--dialect nltk --smoothing method1 --average sentence" in settings
    assert bleu.json(f"score hyp.txt ref.txt {settings[0]}")["bleu"] == answer["rows"][0]["bleu"]
    found = [(row["dialect"], float(row["bleu"])) for row in bleu.rows(line)]
    assert found == [(row["dialect"], 100 * row["bleu"]) for row in answer["rows"]]


def test_text_json_picture_and_page_have_one_signature(bleu: CommandLine) -> None:
    for name in ("hyp.txt", "ref2.txt", "ref.txt"):
        write_lines(name, Path(name).read_text(encoding="utf-8").splitlines() * 8)
    line = "hyp.txt ref2.txt -r ref.txt --resamples 100 --seed 4 -t approximate-randomization --confidence 0.9"
    signature = bleu.json(f"compare {line} --all-pairs --plot two.svg --title Title")["signature"]
    assert "bs:100|seed:4|conf:0.9|p:two-sided|" in signature
    assert signature in bleu(f"compare {line} --all-pairs")
    picture = Path("two.svg").read_text(encoding="utf-8")
    for text in (signature, "<!-- Title -->", "BLEU, 90 % intervals", "ref2"):
        assert text in picture
    page = page_of(f"report {line}")
    assert signature in page
    assert str(corpus_bleu(HYP, REF).sacrebleu_signature) in page


def test_without_a_test(bleu: CommandLine) -> None:
    assert "No test was run" in page_of("report hyp.txt ref2.txt -r ref.txt -t none")
    bleu.capsys.readouterr()
    bleu("compare hyp.txt ref2.txt -r ref.txt -t none --plot two.svg")
    assert "<!-- not tested -->" in Path("two.svg").read_text(encoding="utf-8")
    assert bleu.json("score hyp.txt ref.txt --plot one.png") == bleu.json("score hyp.txt ref.txt")
    assert Path("one.png").read_bytes().startswith(b"\x89PNG")


def test_a_page_gives_advice_as_it_is_typed(files: Path) -> None:
    """No names of Python functions and options."""
    for name in ("hyp.txt", "ref2.txt", "ref.txt"):
        write_lines(name, Path(name).read_text(encoding="utf-8").splitlines() * 3)
    page = page_of("report hyp.txt ref2.txt -r ref.txt -d papineni")
    assert "run the report with --test approximate-randomization." in page
    assert "<bdi>hyp</bdi>, <bdi>ref2</bdi>: 3 of 12 predictions are empty; the first is prediction 2." in page


def test_options_of_a_report(files: Path) -> None:
    write_lines("src.csv", ["id,text", "1,eins", "2,zwei", "3,drei", "4,"])
    write_lines("labels", ["first-group", "second-group"] * 2)
    page = page_of(f"{REPORT} --source src.csv:text --groups labels")
    assert [sentence.source for sentence in sentences_of(page)] == ["eins", "zwei", "drei", ""]
    assert "src.csv:text" in page
    assert "second-group" in page
    page = page_of(f"{REPORT} ref2.txt --title <more> -d nltk --max-sentences 2")
    assert len(sentences_of(page)) == 2
    assert "&lt;more&gt;" in page
    assert corpus_bleu(HYP, REF, "nltk").signature.partition("|")[2] in page
