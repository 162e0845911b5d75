"""`bleu-metric score`: what is typed reaches the score, in every format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import HYP, OTHER, REF, as_json, as_rows, printed
from inner_doors import OPTIONS

from bleu_metric import bootstrap, corpus_bleu, corpus_statistics, score_groups, sentence_bleu
from bleu_metric.cli.main import run


def test_score_as_json(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["score", "hyp.txt", "ref.txt", "ref2.txt", "-d", "sacrebleu", "--sentences", "-f", "json"]
    answer = json.loads(printed(capsys, *command))
    references = list(zip(REF, OTHER, strict=True))
    expected = corpus_bleu(HYP, references, "sacrebleu").to_dict()
    assert {key: answer[key] for key in expected} == expected
    assert answer["sentence_bleu"] == sentence_bleu(HYP, references, "sacrebleu").tolist()
    assert (answer["system"], answer["segments"], answer["meaning"]) == ("hyp.txt", 4, "too short for a rating")


def test_score_as_text(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    score = corpus_bleu(HYP, REF)
    lines = printed(capsys, "score", "hyp.txt", "ref.txt").splitlines()
    assert lines[0] == f"BLEU {100 * score.bleu:.1f}  too short for a rating"
    assert lines[1].split() == [
        "1-grams",
        f"{100 * score.precisions[0]:.1f}",
        "%",
        str(score.counts[0]),
        "of",
        str(score.totals[0]),
    ]
    assert lines[-2:] == [
        "  A score compares only with scores of the same test set and the same signature.",
        f"  {score.sacrebleu_signature}",
    ]
    assert "━" not in "".join(lines)  # bars are for terminals
    assert "\x1b" not in "".join(lines)
    sentences = printed(capsys, "score", "hyp.txt", "ref.txt", "-s").splitlines()
    assert sentences[:4] == ["1   53.7", "2    0.0", f"3  {100 * sentence_bleu(HYP, REF)[2]:5.1f}", "4  100.0"]


def test_score_as_tsv(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    score = corpus_bleu(HYP, REF)
    [answer] = as_rows(capsys, "score", "hyp.txt", "ref.txt")
    assert float(answer["bleu"]) == score.bleu
    assert [int(answer[f"count_{order}"]) for order in range(1, 5)] == score.counts
    sentences = enumerate(sentence_bleu(HYP, REF).tolist(), 1)
    expected = [{"line": str(line), "bleu": str(bleu)} for line, bleu in sentences]
    assert as_rows(capsys, "score", "hyp.txt", "ref.txt", "-s") == expected


def test_every_option_reaches_the_score(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed = {
        "tokenizer": "char",
        "lowercase": "ascii",
        "normalization": "NFKC",
        "strip": "no",
        "whitespace": "ascii",
        "weights": "0.5,0.25,0.25",
        "smoothing": "method1",
        "smoothing_value": "0.2",
        "reference_length": "longest",
        "effective_order": "yes",
        "auto_reweigh": "yes",
        "average": "sentence",
        "total_floor": "segment",
        "zero_score": "empty",
        "zero_precision": "skip",
        "weight_dtype": "float32",
    }
    options = {
        **typed,
        "strip": False,
        "weights": [0.5, 0.25, 0.25],
        "smoothing_value": 0.2,
        "effective_order": True,
        "auto_reweigh": True,
    }
    words = [word for name, value in typed.items() for word in (f"--{name.replace('_', '-')}", value)]
    answer = as_json(capsys, "score", "hyp.txt", "ref.txt", *words)
    assert answer["bleu"] == corpus_bleu(HYP, REF, **options).bleu  # type: ignore[arg-type]
    assert answer["signature"] == corpus_bleu(HYP, REF, **options).signature  # type: ignore[arg-type]
    assert {"max_order", *typed} == {*OPTIONS} - {"unit"}
    answer = as_json(capsys, "score", "hyp.txt", "ref.txt", "--max-order", "2")
    assert answer["bleu"] == corpus_bleu(HYP, REF, max_order=2).bleu
    several = ["--weights", "1", "--weights", "0.5,0.5"]
    answer = as_json(capsys, "score", "hyp.txt", "ref.txt", *several)
    assert answer["bleu"] == corpus_bleu(HYP, REF, weights=[[1.0], [0.5, 0.5]]).bleu
    assert "  " in printed(capsys, "score", "hyp.txt", "ref.txt", *several).splitlines()[0]


def test_two_digits(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    score = corpus_bleu(HYP, REF)
    shown = printed(capsys, "score", "hyp.txt", "ref.txt", "-s", "--digits", "2").splitlines()
    assert shown[0] == "1   53.73"
    assert f"BLEU {100 * score.bleu:.2f}  too short for a rating" in shown
    assert "is not in the range" in printed(capsys, "score", "hyp.txt", "ref.txt", "--digits", "3", status=2)
    assert f"{100 * score.bleu:.2f}" in printed(capsys, "dialects", "hyp.txt", "ref.txt", "--digits", "2")
    assert f"{100 * score.bleu:.2f}" in printed(
        capsys, "compare", "hyp.txt", "ref2.txt", "-r", "ref.txt", "--digits", "2"
    )


def test_intervals(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = bootstrap(corpus_statistics(HYP, REF), 200, 5, 0.9)
    command = ["score", "hyp.txt", "ref.txt", "--confidence", "0.9", "--resamples", "200", "--seed", "5"]
    answer = as_json(capsys, *command)
    assert answer["interval"] == expected.to_dict()
    assert answer["citation"] == corpus_bleu(HYP, REF).citation(expected).sentence
    text = printed(capsys, *command).splitlines()
    assert f"[{100 * expected.low:.1f}, {100 * expected.high:.1f}]" in text[0]
    assert text[-1] == f"  {expected.signature}"
    [row] = as_rows(capsys, *command)
    assert float(row["low"]) == expected.low
    several = as_json(capsys, *command, "--weights", "1", "--weights", "0.5,0.5")
    assert len(several["interval"]["low"]) == 2


def test_groups(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = ["news", "chat", "news", "chat"]
    Path("documents").write_text("".join(f"{label}\n" for label in labels))
    expected = corpus_bleu(HYP, REF, groups=labels)
    command = ["score", "hyp.txt", "ref.txt", "--groups", "documents"]
    answer = as_json(capsys, *command)
    assert answer["groups"] == [{"group": label, **score.to_dict()} for label, score in expected.items()]
    text = printed(capsys, *command).splitlines()
    assert text[-2].split()[:3] == ["news", "2", f"{100 * expected['news'].bleu:.1f}"]
    rows = as_rows(capsys, *command)
    assert list(rows[0])[:2] == ["group", "bleu"]
    assert [row["group"] for row in rows] == ["news", "chat"]
    with_intervals = score_groups(corpus_statistics(HYP, REF), labels, 0.9, 200)
    command += ["--confidence", "0.9", "--resamples", "200"]
    answer = as_json(capsys, *command)
    assert answer["groups"] == [{"group": label, **score.to_dict()} for label, score in with_intervals.items()]
    lows = [score.interval.low for score in with_intervals.values() if score.interval]
    assert [float(row["low"]) for row in as_rows(capsys, *command)] == lows
    assert printed(capsys, *command, "-f", "latex").startswith(with_intervals.to_latex())


def test_a_group_of_one_segment_has_no_interval(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its row has the columns of the others."""
    Path("labels").write_text("one\nmany\nmany\nmany\n")
    rows = as_rows(capsys, "score", "hyp.txt", "ref.txt", "-g", "labels", "--confidence", "0.9")
    lows = {row["group"]: row["low"] for row in rows}
    assert lows["one"] == ""
    assert lows["many"] != ""


def test_empty_predictions_are_counted(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("blank.txt").write_text("a\n \n\nb\n")
    assert run(["score", "blank.txt", "ref.txt"]) == 0
    *_, last = capsys.readouterr().err.splitlines()
    assert last == "bleu-metric: 2 of 4 predictions are empty; the first is prediction 2"


def test_tables_to_paste(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    score = corpus_bleu(HYP, REF)
    for arguments, shown in (
        (["score", "hyp.txt", "ref.txt"], "hyp.txt"),
        (["dialects", "hyp.txt", "ref.txt"], "sacrebleu"),
    ):
        rows = [line.split(" | ") for line in printed(capsys, *arguments, "-f", "markdown").splitlines()]
        row = next(row for row in rows if row[0].startswith(f"| {shown}"))
        assert row[1].strip() == f"{100 * score.bleu:.1f}"
        assert "\\begin{tabular}" in printed(capsys, *arguments, "-f", "latex")
    assert f"\n`{score.sacrebleu_signature}`\n" in printed(capsys, "score", "hyp.txt", "ref.txt", "-f", "markdown")
    assert "| whitespace" in printed(capsys, "dialects", "-f", "markdown").replace("tokenizer=", "| ")


def test_average_lengths_are_rounded(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("ref3.txt").write_bytes(Path("ref.txt").read_bytes())
    command = ["score", "hyp.txt", "ref.txt", "ref2.txt", "ref3.txt", "--reference-length", "average"]
    length = corpus_bleu(HYP, list(zip(REF, OTHER, REF, strict=True)), reference_length="average").reference_length
    assert f"reference {round(length, 4)}," in printed(capsys, *command)


def test_a_file_of_many_megabytes(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Arrow reads it. The lines are those of a small file."""
    lines = ["a \u00e4 b c d\r", "", "a b c\r", "x", " y z z z z z z z z z z z z z z z z z z z z z z z z z z z z"]
    text = "\r\n".join(lines * 170_000)
    others = "\n".join(line.removesuffix("\r") for line in lines * 170_000)
    Path("long.txt").write_bytes(b"\xef\xbb\xbf" + text.encode())
    Path("long-ref.txt").write_text(others + "\n")
    assert min(Path(name).stat().st_size for name in ("long.txt", "long-ref.txt")) > 8 << 20
    answer = as_json(capsys, "score", "long.txt", "long-ref.txt")
    assert answer["segments"] == 850_000
    assert answer["bleu"] == corpus_bleu(lines * 2, [line.removesuffix("\r") for line in lines] * 2).bleu
    Path("long.txt").write_bytes(text.encode() + b"\n\xff")
    wanted = "long.txt: line 850001: byte 1 (0xff) is not UTF-8; if the file is Latin-1, convert it with"
    assert wanted in printed(capsys, "score", "long.txt", "long-ref.txt", status=1)


def test_long_files_are_counted_in_stretches(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("long.txt").write_text("".join(f"a b c d {i % 7}\n" for i in range(120_001)))
    Path("long-ref.txt").write_text("".join(f"a b c d {i % 5}\n" for i in range(120_001)))
    answer = as_json(capsys, "score", "long.txt", "long-ref.txt")
    lines = [Path(name).read_text().splitlines() for name in ("long.txt", "long-ref.txt")]
    assert answer["bleu"] == corpus_bleu(*lines).bleu
