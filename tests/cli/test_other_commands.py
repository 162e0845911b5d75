"""`bleu-metric dialects`, `explain` and `report`, and pictures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import HYP, REF, as_json, printed
from html_of import sentences_of

from bleu_metric import DIALECTS, corpus_bleu, explain_difference, score_dialects
from bleu_metric.cli.main import run


def test_dialects(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = as_json(capsys, "dialects", "hyp.txt", "ref.txt")
    expected = score_dialects(HYP, REF)
    assert {row["dialect"]: row["bleu"] for row in rows} == {name: score.bleu for name, score in expected.items()}
    choices = as_json(capsys, "dialects")
    assert {row["dialect"]: row["smoothing"] for row in choices} == {n: c.smoothing for n, c in DIALECTS.items()}
    lines = [line.split(maxsplit=1) for line in printed(capsys, "dialects").splitlines()]
    assert ["papineni", "smoothing=none, effective_order=no"] in lines
    assert printed(capsys, "dialects", "-f", "tsv").count("\n") == len(DIALECTS) + 1


def test_explain(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = explain_difference(HYP, REF, "nltk", "sacrebleu")
    assert printed(capsys, "explain", "nltk", "sacrebleu", "hyp.txt", "ref.txt") == (
        f"{expected}\n\n  4 segments of hyp.txt against ref.txt\n"
    )
    walked = explain_difference(HYP, REF, "nltk", "sacrebleu", in_order=True)
    assert str(walked) in printed(capsys, "explain", "nltk", "sacrebleu", "hyp.txt", "ref.txt", "--in-order")
    as_json = printed(capsys, "explain", "nltk", "sacrebleu", "hyp.txt", "ref.txt", "-f", "json")
    assert json.loads(as_json) == expected.to_dict()
    lines = printed(capsys, "explain", "nltk", "sacrebleu", "hyp.txt", "ref.txt", "-f", "tsv").splitlines()
    assert len(lines) == 1 + len(expected.steps)


def test_two_dialects_that_are_equal_as_tsv(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = printed(capsys, "explain", "default", "sacrebleu", "hyp.txt", "ref.txt", "-f", "tsv")
    assert table == "option\told\tnew\tchange\tafter\n"
    differing = printed(capsys, "explain", "nltk", "sacrebleu", "hyp.txt", "ref.txt", "-f", "tsv")
    assert differing.splitlines()[0] == table.strip()


def test_pictures(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = printed(capsys, "score", "hyp.txt", "ref.txt", "-f", "json")
    assert printed(capsys, "score", "hyp.txt", "ref.txt", "-f", "json", "--plot", "one.png") == plain
    assert Path("one.png").read_bytes().startswith(b"\x89PNG")
    printed(capsys, "compare", "hyp.txt", "ref2.txt", "-r", "ref.txt", "--plot", "two.svg")
    assert "ref2" in Path("two.svg").read_text(encoding="utf-8")


def test_most_sentences_of_a_report(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["report", "hyp.txt", "-r", "ref.txt", "-o", "one.html"]
    for option, sentences in (([], 4), (["--max-sentences", "2"], 2)):
        assert run([*command, *option]) == 0
        assert len(sentences_of(Path("one.html").read_text(encoding="utf-8"))) == sentences
    capsys.readouterr()
    assert "max_sentences must be at least 2, got 1" in printed(capsys, *command, "--max-sentences", "1", status=2)


def test_a_report_with_the_source(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("src.csv").write_text("id,text\n1,eins\n2,zwei\n3,drei\n4,\n")
    command = ["report", "hyp.txt", "-r", "ref.txt", "-o", "one.html", "--source"]
    assert run([*command, "src.csv:text"]) == 0
    html = Path("one.html").read_text(encoding="utf-8")
    assert [sentence.source for sentence in sentences_of(html)] == ["eins", "zwei", "drei", ""]
    assert "src.csv:text" in html
    capsys.readouterr()
    Path("short.txt").write_text("eins\n")
    assert "hyp.txt has 4 segments, but short.txt has 1" in printed(capsys, *command, "short.txt", status=1)
    assert "ref.txt is given twice" in printed(capsys, *command, "ref.txt", status=2)


def test_a_report_of_groups(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("labels").write_text("first-group\nsecond-group\n" * 2)
    assert run(["report", "hyp.txt", "-r", "ref.txt", "-g", "labels", "-o", "one.html"]) == 0
    capsys.readouterr()
    assert "second-group" in Path("one.html").read_text(encoding="utf-8")
    assert printed(capsys, "report", "hyp.txt", "-r", "ref.txt", "-o", "-").startswith("<!doctype html>")
    assert not Path("-").exists()


def test_report(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "report",
        "hyp.txt",
        "ref2.txt",
        "-r",
        "ref.txt",
        "-o",
        "two.html",
        "--title",
        "Two & <more>",
        "-d",
        "nltk",
    ]
    assert run(command) == 0
    out, err = capsys.readouterr()
    zero, *_, last = err.splitlines()
    assert (out, last) == ("", "bleu-metric: wrote two.html")
    assert zero.startswith("bleu-metric: 'ref2': BLEU is 0.00: no 4-gram")
    html = Path("two.html").read_text(encoding="utf-8")
    assert "Two &amp; &lt;more&gt;" in html
    assert corpus_bleu(HYP, REF, "nltk").signature.partition("|")[2] in html
