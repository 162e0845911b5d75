"""`bleu-metric dialects`, `explain`, `find` and `report`, and pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import HYP, REF, CommandLine, write_lines
from html_of import sentences_of

from bleu_metric import DIALECTS, corpus_bleu, explain_difference, find_settings, score_dialects
from bleu_metric.cli.main import run

REPORT = "report hyp.txt -r ref.txt -o one.html"
EXPLAIN = "explain nltk sacrebleu hyp.txt ref.txt"


def page() -> str:
    return Path("one.html").read_text(encoding="utf-8")


def write_report(options: str = "") -> None:
    assert run(f"{REPORT} {options}".split()) == 0


def test_dialects(bleu: CommandLine) -> None:
    found = {row["dialect"]: row["bleu"] for row in bleu.json("dialects hyp.txt ref.txt")}
    assert found == {name: score.bleu for name, score in score_dialects(HYP, REF).items()}
    settings = {row["dialect"]: row["smoothing"] for row in bleu.json("dialects")}
    assert settings == {name: config.smoothing for name, config in DIALECTS.items()}
    lines = [line.split(maxsplit=1) for line in bleu("dialects").splitlines()]
    assert ["papineni", "smoothing=none, effective_order=no"] in lines
    assert len(bleu.rows("dialects")) == len(DIALECTS)


def test_explain(bleu: CommandLine) -> None:
    expected = explain_difference(HYP, REF, "nltk", "sacrebleu")
    assert bleu(EXPLAIN) == f"{expected}\n\n  4 segments of hyp.txt against ref.txt\n"
    assert bleu.json(EXPLAIN) == expected.to_dict()


def test_find(bleu: CommandLine) -> None:
    score = corpus_bleu(HYP, REF, "nltk", smoothing="method1", average="sentence").bleu
    line = f"find {100 * score:.2f} hyp.txt ref.txt"
    expected = find_settings(HYP, REF, f"{100 * score:.2f}")
    settings = [each.settings for each in expected.settings]
    assert "--dialect nltk --smoothing method1 --average sentence" in settings
    headline, *table = str(expected).split("\n  ")
    lines = bleu(line).splitlines()
    assert lines[0] == headline
    assert lines[1:3] == table[:2]
    assert lines[-1] == "  4 segments of hyp.txt against ref.txt"
    assert bleu.json(line) == expected.to_dict()
    rows = bleu.rows(line)
    assert [(row["dialect"], float(row["bleu"])) for row in rows] == [(e.dialect, e.bleu) for e in expected.settings]
    assert f"| {100 * score:.4f} | rounded | {settings[0]} " in bleu(f"{line} -f markdown")
    assert bleu.json(f"score hyp.txt ref.txt {settings[0]}")["bleu"] == pytest.approx(score)
    assert "the number must be a score from 0 to 100" in bleu("find x missing.txt ref.txt", status=2)


def test_pictures(bleu: CommandLine) -> None:
    assert bleu.json("score hyp.txt ref.txt --plot one.png") == bleu.json("score hyp.txt ref.txt")
    assert Path("one.png").read_bytes().startswith(b"\x89PNG")
    bleu("compare hyp.txt ref2.txt -r ref.txt --plot two.svg")
    assert "ref2" in Path("two.svg").read_text(encoding="utf-8")


def test_a_report(bleu: CommandLine) -> None:
    write_report()
    assert bleu.capsys.readouterr() == (
        "",
        "bleu-metric: 1 of 4 predictions is empty; the first is prediction 2\nbleu-metric: wrote one.html\n",
    )
    assert len(sentences_of(page())) == 4
    write_report("ref2.txt --title <more> -d nltk --max-sentences 2")
    assert len(sentences_of(page())) == 2
    assert "&lt;more&gt;" in page()
    assert corpus_bleu(HYP, REF, "nltk").signature.partition("|")[2] in page()
    bleu.capsys.readouterr()
    write_report("--max-sentences 1")
    assert len(sentences_of(page())) == 1
    bleu.capsys.readouterr()
    assert "'--max-sentences': 0 is not in the range x>=1" in bleu(f"{REPORT} --max-sentences 0", status=2)


def test_columns_beside_a_report(bleu: CommandLine) -> None:
    write_lines("src.csv", ["id,text", "1,eins", "2,zwei", "3,drei", "4,"])
    write_lines("labels", ["first-group", "second-group"] * 2)
    write_report("--source src.csv:text --groups labels")
    assert [sentence.source for sentence in sentences_of(page())] == ["eins", "zwei", "drei", ""]
    assert "src.csv:text" in page()
    assert "second-group" in page()
    bleu.capsys.readouterr()
    write_lines("short.txt", ["eins"])
    assert "hyp.txt has 4 segments, but short.txt has 1" in bleu(f"{REPORT} --source short.txt", status=1)
