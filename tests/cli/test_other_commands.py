"""`bleu-metric dialects`, `explain`, `find` and `report`, and pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import HYP, REF, CommandLine, write_lines
from html_of import sentences_of

from bleu_metric import DIALECTS, corpus_bleu, explain_difference, find_settings, score_dialects
from bleu_metric.cli.main import run

NO_CHANGES = corpus_bleu(HYP, REF).signature.partition("|")[2]
REPORT = "report hyp.txt -r ref.txt -o one.html"
EXPLAIN = "explain nltk sacrebleu hyp.txt ref.txt"


def page() -> str:
    return Path("one.html").read_text(encoding="utf-8")


def write_report(options: str = "") -> None:
    assert run(f"{REPORT} {options}".split()) == 0


def write_report_of(line: str) -> None:
    assert run(f"report {line} -o one.html".split()) == 0


def test_dialects(bleu: CommandLine) -> None:
    found = {row["dialect"]: row["bleu"] for row in bleu.json("dialects hyp.txt ref.txt")["rows"]}
    assert found == {name: score.bleu for name, score in score_dialects(HYP, REF).items()}
    settings = {row["dialect"]: row["smoothing"] for row in bleu.json("dialects")["rows"]}
    assert settings == {name: config.smoothing for name, config in DIALECTS.items()}
    lines = [line.split(maxsplit=1) for line in bleu("dialects").splitlines()]
    assert ["papineni", "smoothing=none, effective_order=no"] in lines
    assert len(bleu.rows("dialects")) == len(DIALECTS)


def test_explain(bleu: CommandLine) -> None:
    expected = explain_difference(HYP, REF, "nltk", "sacrebleu")
    assert bleu(EXPLAIN) == f"{expected}\n  4 segments of hyp.txt against ref.txt\n"
    assert bleu.json(EXPLAIN) == expected.to_dict()


def test_find(bleu: CommandLine) -> None:
    score = corpus_bleu(HYP, REF, "nltk", smoothing="method1", average="sentence").bleu
    line = f"find {100 * score:.2f} hyp.txt ref.txt"
    expected = find_settings(HYP, REF, f"{100 * score:.2f}")
    settings = [each.settings for each in expected.settings]
    assert "--dialect nltk --smoothing method1 --average sentence" in settings
    lines = bleu(line).splitlines()
    assert lines[:3] == str(expected).splitlines()[:3]
    assert lines[-1] == "  4 segments of hyp.txt against ref.txt"
    assert bleu.json(line) == expected.to_dict()
    rows = bleu.rows(line)
    found = [(each.dialect, 100 * each.bleu) for each in expected.settings]
    assert [(row["dialect"], float(row["bleu"])) for row in rows] == found
    assert f"| {100 * score:.4f} | rounded | {settings[0]} " in bleu(f"{line} -f markdown")
    assert bleu.json(f"score hyp.txt ref.txt {settings[0]}")["bleu"] == pytest.approx(score)
    assert "the number must be a score from 0 to 100" in bleu("find x missing.txt ref.txt", status=2)


def test_pictures(bleu: CommandLine) -> None:
    assert bleu.json("score hyp.txt ref.txt --plot one.png") == bleu.json("score hyp.txt ref.txt")
    assert Path("one.png").read_bytes().startswith(b"\x89PNG")
    bleu("compare hyp.txt ref2.txt -r ref.txt --plot two.svg")
    assert "ref2" in Path("two.svg").read_text(encoding="utf-8")


COMPARED = "hyp.txt ref2.txt -r ref.txt --resamples 100 --seed 4"


@pytest.mark.parametrize("test", ["bootstrap", "approximate-randomization"])
def test_text_json_picture_and_page_have_one_signature(test: str, bleu: CommandLine) -> None:
    line = f"{COMPARED} -t {test} --confidence 0.9"
    signature = bleu.json(f"compare {line} --all-pairs --plot two.svg --title Title")["signature"]
    assert f"bs:100|seed:4|conf:0.9|p:two-sided|{NO_CHANGES}" in signature
    assert signature in bleu(f"compare {line} --all-pairs")
    picture = Path("two.svg").read_text(encoding="utf-8")
    assert signature in picture
    assert "<!-- Title -->" in picture
    assert "BLEU, 90 % intervals" in picture
    write_report_of(line)
    assert signature in page()
    assert str(corpus_bleu(HYP, REF).sacrebleu_signature) in page()


def test_a_report_without_a_test(bleu: CommandLine) -> None:
    write_report_of("hyp.txt ref2.txt -r ref.txt -t none")
    bleu.capsys.readouterr()
    assert "No test was run" in page()
    bleu("compare hyp.txt ref2.txt -r ref.txt -t none --plot two.svg")
    assert "<!-- not tested -->" in Path("two.svg").read_text(encoding="utf-8")
    for line, message in {
        "report hyp.txt -r ref.txt -o one.html -t none --seed 3": "--seed does nothing without a test",
        "report hyp.txt -r ref.txt -o one.html --resamples 3": "needs at least 40 resamples, got 3",
        "report hyp.txt -r ref.txt -o one.html -t bootstap": "did you mean 'bootstrap'",
        "score hyp.txt ref.txt --title T": "--title does nothing without --plot",
        "compare hyp.txt ref2.txt -r ref.txt --title T": "--title does nothing without --plot",
    }.items():
        assert message in bleu(line, status=2)
    line = "report hyp.txt -r ref.txt -o one.html -t approximate-randomization"
    assert "--test approximate-randomization compares systems; give two or more" in bleu(line, status=1)


def test_a_page_gives_advice_as_it_is_typed(bleu: CommandLine) -> None:
    """No names of Python functions and options."""
    for name in ("hyp.txt", "ref2.txt", "ref.txt"):
        write_lines(name, Path(name).read_text(encoding="utf-8").splitlines() * 3)
    write_report_of("hyp.txt ref2.txt -r ref.txt -d papineni")
    assert "Run the report with --test approximate-randomization." in page()
    assert "use an option such as --smoothing exp." in page()
    assert "<bdi>hyp and 1 more</bdi>: 3 of 12 predictions are empty; the first is prediction 2." in page()


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
