"""The command line: what is typed, what is printed where, and the exit status."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bleu_metric import (
    DIALECTS,
    bootstrap,
    corpus_bleu,
    corpus_statistics,
    explain_difference,
    paired_bootstrap,
    paired_randomization,
    score_dialects,
    sentence_bleu,
)
from bleu_metric._config import OPTIONS
from bleu_metric.cli.main import run
from bleu_metric.cli.options import _HELP
from bleu_metric.cli.output import Terminal

HYP = ["the cat sat on the mat", "", 'it is "3.5" km &quot;away&quot;', "猫 坐 在 垫子 上 。"]
REF = ["the cat sat on a mat", "nothing", 'it is 3.5 km "away"', "猫 坐 在 垫子 上 。"]
OTHER = ["a cat sat on the mat", "", "it's 3.5 km off", "一 只 猫 坐 着 。"]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, lines in {"hyp": HYP, "ref": REF, "ref2": OTHER}.items():
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert run(list(arguments)) == status
    out, err = capsys.readouterr()
    assert bool(err) == bool(status), err
    return out if status == 0 else err


def test_score_as_json(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["score", "hyp.txt", "ref.txt", "ref2.txt", "-d", "sacrebleu", "--sentences", "-f", "json"]
    answer = json.loads(printed(capsys, *command))
    references = list(zip(REF, OTHER, strict=True))
    expected = corpus_bleu(HYP, references, "sacrebleu").to_dict()
    assert {key: answer[key] for key in expected} == expected
    assert answer["sentence_bleu"] == sentence_bleu(HYP, references, "sacrebleu").tolist()
    assert (answer["system"], answer["segments"], answer["meaning"]) == ("hyp.txt", 4, "often better than human")


def test_score_as_text(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    score = corpus_bleu(HYP, REF)
    lines = printed(capsys, "score", "hyp.txt", "ref.txt").splitlines()
    assert lines[0] == f"BLEU {100 * score.bleu:.2f}  very high quality, adequate and fluent"
    assert lines[1].split() == [
        "1-grams",
        f"{100 * score.precisions[0]:.2f}",
        "%",
        str(score.counts[0]),
        "of",
        str(score.totals[0]),
    ]
    assert lines[-2:] == [
        "  A score compares only with scores of the same test set and the same signature.",
        f"  {score.signature}",
    ]
    assert "█" not in "".join(lines)  # bars are for terminals
    assert "\x1b" not in "".join(lines)
    sentences = printed(capsys, "score", "hyp.txt", "ref.txt", "-s").splitlines()
    assert sentences[:4] == ["1   53.73", "2    0.00", f"3  {100 * sentence_bleu(HYP, REF)[2]:6.2f}", "4  100.00"]


def test_score_as_tsv(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head, row = (line.split("\t") for line in printed(capsys, "score", "hyp.txt", "ref.txt", "-f", "tsv").splitlines())
    score = corpus_bleu(HYP, REF)
    answer = dict(zip(head, row, strict=True))
    assert float(answer["bleu"]) == score.bleu
    assert [int(answer[f"count_{order}"]) for order in range(1, 5)] == score.counts
    lines = printed(capsys, "score", "hyp.txt", "ref.txt", "-f", "tsv", "-s").splitlines()
    assert lines[0] == "line\tbleu"
    assert [float(line.split("\t")[1]) for line in lines[1:]] == sentence_bleu(HYP, REF).tolist()


def test_every_option_reaches_the_score(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert set(_HELP) == set(OPTIONS)
    typed = {
        "tokenizer": "char",
        "lowercase": "ascii",
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
        "weight_precision": "float32",
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
    answer = json.loads(printed(capsys, "score", "hyp.txt", "ref.txt", "-f", "json", *words))
    assert answer["bleu"] == corpus_bleu(HYP, REF, **options).bleu  # type: ignore[arg-type]
    assert answer["signature"] == corpus_bleu(HYP, REF, **options).signature  # type: ignore[arg-type]
    assert {"max_order", *typed} == set(OPTIONS)
    answer = json.loads(printed(capsys, "score", "hyp.txt", "ref.txt", "-f", "json", "--max-order", "2"))
    assert answer["bleu"] == corpus_bleu(HYP, REF, max_order=2).bleu
    several = ["--weights", "1", "--weights", "0.5,0.5"]
    answer = json.loads(printed(capsys, "score", "hyp.txt", "ref.txt", "-f", "json", *several))
    assert answer["bleu"] == corpus_bleu(HYP, REF, weights=[[1.0], [0.5, 0.5]]).bleu
    assert "  " in printed(capsys, "score", "hyp.txt", "ref.txt", *several).splitlines()[0]


def test_compare(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores = {name: corpus_bleu(lines, REF) for name, lines in {"hyp": HYP, "ref2": OTHER}.items()}
    command = ["compare", "hyp.txt", "ref2.txt", "-t", "none"]
    rows = json.loads(printed(capsys, *command, "--references", "ref.txt", "-f", "json"))
    assert rows == {"systems": [{"system": name, **score.to_dict()} for name, score in scores.items()]}
    text = printed(capsys, *command, "-r", "ref.txt", "hyp.txt").splitlines()
    assert [line.split()[0] for line in text[2:4]] == ["hyp", "ref2"]
    assert text[-2] == "  4 segments"
    assert text[-1].startswith("  nrefs:2|")
    head, *lines = printed(capsys, *command, "-r", "ref.txt", "-f", "tsv").splitlines()
    assert [float(line.split("\t")[head.split("\t").index("bleu")]) for line in lines] == [
        score.bleu for score in scores.values()
    ]
    several = printed(
        capsys, "compare", "hyp.txt", "ref2.txt", "-r", "ref.txt", "--weights", "1", "--weights", "0.5,0.5"
    )
    assert "/" in several.splitlines()[2].split()[1]  # two scores, and no test of one


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_paired_tests(test: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compare, number = (paired_bootstrap, "n_resamples") if test == "bootstrap" else (paired_randomization, "n_trials")
    statistics = {
        name: corpus_statistics(lines, REF) for name, lines in {"hyp": HYP, "ref": REF, "ref2": OTHER}.items()
    }
    baseline = statistics.pop("hyp")
    expected = compare(baseline, statistics, baseline_name="hyp", seed=7, **{number: 500})  # type: ignore[operator]
    command = ["compare", "hyp.txt", "ref.txt", "ref2.txt", "-t", test, "--seed", "7"]
    command += ["--resamples" if test == "bootstrap" else "--trials", "500", "-r", "ref.txt"]
    answer = json.loads(printed(capsys, *command, "-f", "json"))
    about = expected.to_dict()
    rows = about.pop("rows")
    assert {key: answer[key] for key in about} == about
    for found, row in zip(answer["systems"], rows, strict=True):
        assert {key: found[key] for key in row if key not in ("name", "score")} == {
            key: value for key, value in row.items() if key not in ("name", "score")
        }
        assert (found["system"], found["bleu"]) == (row["name"], row["score"])
    head, *lines = (line.split("\t") for line in printed(capsys, *command, "-f", "tsv").splitlines())
    assert [dict(zip(head, line, strict=True))["p_value"] for line in lines] == [
        "" if row["p_value"] is None else str(row["p_value"]) for row in rows
    ]
    text = printed(capsys, *command).splitlines()
    assert text[0].split() == ["system", "BLEU", "95", "%", "interval", "difference", "p", "p", "(Holm)"]
    assert text[3].split()[-3:] == [
        f"{100 * rows[1]['delta']:+.2f}",
        f"{rows[1]['p_value']:.4f}",
        f"{rows[1]['p_adjusted']:.4f}",
    ]
    assert text[-2] == f"  paired {test} against hyp: 500 {'resamples' if test == 'bootstrap' else 'trials'}, seed 7"
    assert expected.signature in text[-1]
    markdown = printed(capsys, *command, "-f", "markdown").splitlines()
    assert markdown[0].startswith("| system")
    assert markdown[-1] == f"`{expected.signature}`"
    latex = printed(capsys, *command, "-f", "latex")
    assert latex.startswith("\\begin{tabular}")
    assert "95 \\% interval" in latex
    assert f"% {expected.signature}" in latex


def test_intervals(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = bootstrap(corpus_statistics(HYP, REF), 200, 5, 0.9)
    command = ["score", "hyp.txt", "ref.txt", "--confidence", "0.9", "--resamples", "200", "--seed", "5"]
    answer = json.loads(printed(capsys, *command, "-f", "json"))
    assert answer["interval"] == expected.to_dict()
    assert answer["citation"] == corpus_bleu(HYP, REF).citation(expected).sentence
    text = printed(capsys, *command).splitlines()
    assert f"[{100 * expected.low:.2f}, {100 * expected.high:.2f}]" in text[0]
    assert text[-1] == f"  {expected.signature}"
    head, row = (line.split("\t") for line in printed(capsys, *command, "-f", "tsv").splitlines())
    assert float(dict(zip(head, row, strict=True))["low"]) == expected.low
    several = json.loads(printed(capsys, *command, "-f", "json", "--weights", "1", "--weights", "0.5,0.5"))
    assert len(several["interval"]["low"]) == 2


def test_groups(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = ["news", "chat", "news", "chat"]
    Path("documents").write_text("".join(f"{label}\n" for label in labels))
    expected = corpus_bleu(HYP, REF, groups=labels)
    command = ["score", "hyp.txt", "ref.txt", "--groups", "documents"]
    answer = json.loads(printed(capsys, *command, "-f", "json"))
    assert answer["groups"] == [{"group": label, **score.to_dict()} for label, score in expected.items()]
    text = printed(capsys, *command).splitlines()
    assert text[-2].split()[:3] == ["news", "2", f"{100 * expected['news'].bleu:.2f}"]
    head, *rows = printed(capsys, *command, "-f", "tsv").splitlines()
    assert head.startswith("group\tbleu\t")
    assert [row.split("\t")[0] for row in rows] == ["news", "chat"]


def test_dialects(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(printed(capsys, "dialects", "hyp.txt", "ref.txt", "-f", "json"))
    expected = score_dialects(HYP, REF)
    assert {row["dialect"]: row["bleu"] for row in rows} == {name: score.bleu for name, score in expected.items()}
    choices = json.loads(printed(capsys, "dialects", "-f", "json"))
    assert {row["dialect"]: row["smoothing"] for row in choices} == {n: c.smoothing for n, c in DIALECTS.items()}
    assert "sacrebleu     smoothing=exp, effective_order=sentence" in printed(capsys, "dialects")
    assert printed(capsys, "dialects", "-f", "tsv").count("\n") == len(DIALECTS) + 1


def test_explain(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = explain_difference(HYP, REF, "nltk", "sacrebleu")
    assert printed(capsys, "explain", "nltk", "sacrebleu", "hyp.txt", "ref.txt") == f"{expected}\n"
    as_json = printed(capsys, "explain", "nltk", "sacrebleu", "hyp.txt", "ref.txt", "-f", "json")
    assert json.loads(as_json) == expected.to_dict()
    lines = printed(capsys, "explain", "nltk", "sacrebleu", "hyp.txt", "ref.txt", "-f", "tsv").splitlines()
    assert len(lines) == 1 + len(expected.steps)


def test_forms_of_files(files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    raw = Path("hyp.txt").read_bytes()
    Path("hyp.txt.gz").write_bytes(gzip.compress(raw))
    Path("hyp.txt.xz").write_bytes(lzma.compress(raw))
    Path("hyp.txt.bz2").write_bytes(bz2.compress(raw))
    Path("windows.txt").write_bytes(b"\xef\xbb\xbf" + raw.replace(b"\n", b"\r\n"))
    Path("no-end.txt").write_bytes(raw.rstrip(b"\n"))
    rows = [{"hyp": one, "ref": {"en": [two, three]}} for one, two, three in zip(HYP, REF, OTHER, strict=True)]
    Path("all.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    Path("all.jsonl.gz").write_bytes(gzip.compress(Path("all.jsonl").read_bytes()))
    pq.write_table(pa.Table.from_pylist(rows), "all.parquet", row_group_size=2)
    pq.write_table(pa.table({"one": HYP}), "one.parquet")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    score = corpus_bleu(HYP, list(zip(REF, OTHER, strict=True)))
    texts = ["hyp.txt", "hyp.txt.gz", "hyp.txt.xz", "hyp.txt.bz2", "windows.txt", "no-end.txt", "-", "one.parquet"]
    forms = [(hyp, "ref.txt", "ref2.txt") for hyp in texts]
    forms += [(f"{name}:hyp", f"{name}:ref.en") for name in ("all.jsonl", "all.jsonl.gz", "all.parquet")]
    for form in forms:
        answer = json.loads(printed(capsys, "score", *form, "-f", "json"))
        assert (answer["bleu"], answer["counts"], answer["signature"]) == (score.bleu, score.counts, score.signature)


BAD = {
    "no such file": (["score", "none.txt", "ref.txt"], 1, "none.txt: No such file or directory"),
    "a folder": (["score", ".", "ref.txt"], 1, ".: Is a directory"),
    "an empty file": (["score", "empty.txt", "ref.txt"], 1, "empty.txt: the file is empty; one segment a line"),
    "shorter": (["score", "short.txt", "ref.txt"], 1, "short.txt has 3 segments, but ref.txt has 4"),
    "second reference shorter": (
        ["score", "hyp.txt", "ref.txt", "short.txt"],
        1,
        "hyp.txt has 4 segments, but short.txt",
    ),
    "an empty last line": (["score", "more.txt", "ref.txt"], 1, "has 4; line 5 of more.txt is empty: line n of each"),
    "not UTF-8": (
        ["score", "latin.txt", "ref.txt"],
        1,
        "latin.txt, line 2: byte 4 (0xe9) is not UTF-8; if the file is",
    ),
    "UTF-16": (["score", "wide.txt", "ref.txt"], 1, "wide.txt: the file is UTF-16; convert it with: iconv"),
    "damaged gzip": (["score", "bad.gz", "ref.txt"], 1, "bad.gz: the compressed file is damaged"),
    "cut xz": (["score", "cut.xz", "ref.txt"], 1, "cut.xz: the compressed file is damaged"),
    "not JSON": (["score", "bad.jsonl:a", "ref.txt"], 1, "bad.jsonl, line 2: not JSON: Expecting"),
    "no JSON object": (["score", "list.jsonl:a", "ref.txt"], 1, "list.jsonl, line 1: a JSON object is needed, got [1]"),
    "no such column": (["score", "rows.jsonl:hip", "ref.txt"], 1, "rows.jsonl, line 1: unknown column 'hip' (did you"),
    "no such Parquet column": (["score", "two.parquet:hip", "ref.txt"], 1, "two.parquet: unknown column 'hip'"),
    "which column": (["score", "two.parquet", "ref.txt"], 1, "say which column, e.g. two.parquet:hyp; it has hyp, ref"),
    "which JSON column": (["score", "rows.jsonl", "ref.txt"], 1, "rows.jsonl: say which column, e.g. rows.jsonl:hyp"),
    "null": (["score", "rows.jsonl:hyp", "ref.txt"], 1, "predictions[1] holds None"),
    "no Parquet": (
        ["score", "fake.parquet:a", "ref.txt"],
        1,
        "fake.parquet: the Parquet file cannot be read: Parquet magic",
    ),
    "a table as text": (
        ["score", "x.csv", "ref.txt"],
        1,
        "x.csv: texts are not read from .csv files; cut out the column",
    ),
    "numbers": (["score", "hyp.txt", "two.parquet:ref"], 1, "references is an Arrow column of int64"),
    "standard input twice": (["score", "-", "-"], 1, "standard input (-) can be read once"),
    "a system twice": (["compare", "hyp.txt", "hyp.txt", "-r", "ref.txt"], 1, "hyp.txt is given twice"),
    "no reference": (["score", "hyp.txt"], 2, "Missing argument 'REF [REF...]'"),
    "unknown dialect": (
        ["score", "hyp.txt", "ref.txt", "-d", "nlkt"],
        2,
        "unknown dialect 'nlkt' (did you mean 'nltk'?)",
    ),
    "unknown option": (["score", "hyp.txt", "ref.txt", "--dialekt", "nltk"], 2, "No such option"),
    "unknown value": (
        ["score", "hyp.txt", "ref.txt", "--smoothing", "x"],
        2,
        "unknown smoothing 'x'; accepted: 'none'",
    ),
    "weights": (["score", "hyp.txt", "ref.txt", "--weights", "a"], 2, "'a' is no list of numbers, such as 0.25,0.25"),
    "not together": (["score", "hyp.txt", "ref.txt", "--smoothing-value", "1"], 2, "takes no smoothing_value, got 1.0"),
    "no command": (["scor"], 2, "No such command 'scor'"),
    "dialects alone": (["dialects", "hyp.txt"], 2, "give references, too"),
    "an object without fields": (["score", "none.jsonl", "ref.txt"], 1, "none.jsonl: there is no column of texts"),
    "deep JSON": (["score", "deep.jsonl:a", "ref.txt"], 1, "deep.jsonl, line 1: not JSON"),
    "no bzip2": (["score", "bad.bz2", "ref.txt"], 1, "bad.bz2: the compressed file is damaged: Invalid data stream"),
    "a folder as a table": (["score", "folder.parquet:a", "ref.txt"], 1, "folder.parquet: Is a directory"),
    "a column of a text": (
        ["score", "hyp.txt:a", "ref.txt"],
        1,
        "hyp.txt: only tables (.jsonl, .ndjson, .parquet, .pq)",
    ),
    "a column of a table as text": (["score", "x.csv:a", "ref.txt"], 1, "x.csv: texts are not read from .csv files"),
    "a name that steers": (["score", "x\x1b[31m.csv", "ref.txt"], 1, "x\\x1b[31m.csv: texts are not read from .csv"),
    "standard input for labels, too": (["score", "-", "ref.txt", "-g", "-"], 1, "standard input (-) can be read once"),
    "references of another kind far below": (["score", "long.jsonl:a", "long.jsonl:b"], 1, "references[49999]"),
    "a list among several references": (
        ["score", "hyp.txt", "ref.txt", "two.parquet:ref"],
        1,
        "one text a row, not int64",
    ),
    "intervals in a table of groups": (
        ["score", "hyp.txt", "ref.txt", "-f", "tsv", "-s", "--confidence", "0.9"],
        2,
        "one table",
    ),
    "a test of several scores": (
        [
            "compare",
            "hyp.txt",
            "ref2.txt",
            "-r",
            "ref.txt",
            "-t",
            "bootstrap",
            "--weights",
            "1",
            "--weights",
            "0.5,0.5",
        ],
        2,
        "tests and pictures are of one score",
    ),
    "too many orders": (
        ["score", "hyp.txt", "ref.txt", "--max-order", "100000000"],
        2,
        "is not in the range 1<=x<=1000",
    ),
    "not in every dialect": (
        ["dialects", "--smoothing-value", "1"],
        2,
        "not in every dialect: smoothing='none' takes no",
    ),
    "a picture of another kind": (
        ["score", "hyp.txt", "ref.txt", "--plot", "x.jpg"],
        2,
        "'x.jpg' must end in .png, .svg",
    ),
    "no folder for the report": (
        ["report", "hyp.txt", "-r", "ref.txt", "-o", "no/x.html"],
        1,
        "no: No such folder",
    ),
    "no report": (["report", "hyp.txt", "-r", "ref.txt"], 2, "Missing option '--output'"),
    "two tables in one file": (
        ["score", "hyp.txt", "ref.txt", "-s", "-g", "ref.txt", "-f", "tsv"],
        2,
        "holds one table",
    ),
    "resamples of no interval": (
        ["score", "hyp.txt", "ref.txt", "--resamples", "9"],
        2,
        "--resamples does nothing without --confidence",
    ),
    "confidence of one system": (
        ["compare", "hyp.txt", "-r", "ref.txt", "--confidence", ".9"],
        2,
        "--confidence does nothing without a test",
    ),
    "resamples of several scores": (
        ["compare", "hyp.txt", "more.txt", "-r", "ref.txt", "--weights", "1", "--weights", ".5,.5", "--resamples", "9"],
        2,
        "--resamples does nothing without a test",
    ),
    "p-values of one segment": (
        ["compare", "line.txt", "other-line.txt", "-r", "line.txt", "--p-values", "sacrebleu"],
        2,
        "--p-values does nothing without a test, which needs several segments",
    ),
    "an interval of one segment": (["score", "line.txt", "line.txt", "--confidence", ".9"], 1, "there is one segment"),
    "an order that is too high": (["score", "hyp.txt", "ref.txt", "--max-order", "10001"], 2, "range 1<=x<=10000"),
    "a picture of several scores": (
        ["score", "hyp.txt", "ref.txt", "--weights", "1", "--weights", ".5,.5", "--plot", "x.png"],
        2,
        "pictures are of one score: give --weights once",
    ),
    "a report of several scores": (
        ["report", "hyp.txt", "-r", "ref.txt", "-o", "x.html", "--weights", "1", "--weights", ".5,.5"],
        2,
        "a report is of one score: give --weights once",
    ),
    "a difference of several scores": (
        ["explain", "nltk", "sacrebleu", "hyp.txt", "ref.txt", "--weights", "1", "--weights", ".5,.5"],
        2,
        "a difference is explained for one score: give --weights once",
    ),
    "a seed of no interval": (["score", "hyp.txt", "ref.txt", "--seed", "9"], 2, "--seed does nothing without"),
    "trials of a bootstrap": (
        ["compare", "hyp.txt", "hyp.txt", "-r", "ref.txt", "--trials", "9"],
        2,
        "--trials does nothing without --test randomization",
    ),
    "p-values of no test": (
        ["compare", "hyp.txt", "hyp.txt", "-r", "ref.txt", "-t", "none", "--p-values", "sacrebleu"],
        2,
        "--p-values does nothing without a test",
    ),
    "a test of one system": (["compare", "hyp.txt", "-r", "ref.txt", "-t", "bootstrap"], 2, "a test compares systems"),
    "confidence": (["score", "hyp.txt", "ref.txt", "--confidence", "95"], 2, "95.0 is not in the range 0<x<1"),
    "labels": (
        ["score", "hyp.txt", "ref.txt", "-g", "short.txt"],
        1,
        "hyp.txt has 4 segments, but short.txt has 3",
    ),
    "compare alone": (["compare", "hyp.txt"], 2, "Missing option '--references'"),
    "explain": (["explain", "nltk", "x", "hyp.txt", "ref.txt"], 2, "unknown dialect 'x'"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty.txt").touch()
    Path("short.txt").write_text("one\ntwo\nthree\n")
    Path("more.txt").write_text("one\ntwo\nthree\nfour\n\n")
    Path("latin.txt").write_bytes(
        "un\nété\ntrois\n".encode().replace(b"\xc3\xa9", b"\xe9", 1).replace(b"\xe9t", b"abc\xe9t")
    )
    Path("line.txt").write_text("one\n")
    Path("other-line.txt").write_text("two\n")
    Path("wide.txt").write_text("one\ntwo\n", encoding="utf-16")
    Path("bad.gz").write_bytes(b"no gzip")
    Path("cut.xz").write_bytes(lzma.compress(b"one\n" * 1000)[:-20])
    Path("bad.jsonl").write_text('{"a": "b"}\n{"a": \n')
    Path("list.jsonl").write_text("[1]\n")
    Path("none.jsonl").write_text("{}\n")
    Path("deep.jsonl").write_text("[" * 100_000 + "\n")
    Path("bad.bz2").write_bytes(b"no bzip2")
    Path("folder.parquet").mkdir()
    Path("long.jsonl").write_text('{"a": "x", "b": "x"}\n' * 49_999 + '{"a": "x", "b": ["x"]}\n')
    Path("rows.jsonl").write_text('{"hyp": "a", "ref": "b"}\n' + '{"hyp": null, "ref": "b"}\n' * 3)
    Path("fake.parquet").write_text("no parquet")
    Path("x.csv").write_text("a,b\n")
    pq.write_table(pa.table({"hyp": HYP, "ref": [1, 2, 3, 4]}), "two.parquet")
    arguments, status, message = BAD[case]
    error = printed(capsys, *arguments, status=status)
    assert message in error
    assert error.startswith("bleu-metric: ")
    assert error.count("\n") == 1


def test_a_command_alone(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, status=2).startswith("Usage: bleu-metric [OPTIONS] COMMAND")


@pytest.mark.parametrize(
    "way", [["--references", "ref.txt", "ref2.txt"], ["--references=ref.txt", "ref2.txt"], ["-rref.txt", "ref2.txt"]]
)
def test_ways_to_give_references(way: list[str], files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = json.loads(printed(capsys, "compare", "hyp.txt", *way, "-f", "json", "-t", "none"))["systems"]
    assert found["bleu"] == corpus_bleu(HYP, list(zip(REF, OTHER, strict=True))).bleu


def test_tables_to_paste(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a|b_1.txt").write_bytes(Path("hyp.txt").read_bytes())
    command = ["compare", "a|b_1.txt", "ref2.txt", "-r", "ref.txt", "-f"]
    assert "| a\\|b_1" in printed(capsys, *command, "markdown")
    assert "a|b\\_1" in printed(capsys, *command, "latex")
    assert "rows" not in json.loads(printed(capsys, *command, "json"))


def test_names_that_do_not_fit(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal shows both ends, as names often differ at the end; what is pasted elsewhere has them whole."""
    monkeypatch.setattr(Terminal, "found", classmethod(lambda cls: cls(True, 80, "#")))
    names = [f"my_very_long_experiment_name_beam{number}.txt" for number in (5, 6)]
    for name in names:
        Path(name).write_bytes(Path("hyp.txt").read_bytes())
    command = ["compare", *names, "-r", "ref.txt", "-f"]
    text = printed(capsys, *command, "text")
    assert "beam5" in text
    assert "beam6" in text
    for form in ("markdown", "latex"):
        pasted = printed(capsys, *command, form).replace("\\_", "_")
        assert "my_very_long_experiment_name_beam5 " in pasted, form


def test_names_that_latex_takes_for_something_else(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    r"""Behind the \\ of the row before, [ opens a length and * is part of the command."""
    for name in ("[a].txt", "*b.txt"):
        Path(name).write_bytes(Path("hyp.txt").read_bytes())
    table = printed(capsys, "compare", "[a].txt", "*b.txt", "-r", "ref.txt", "-f", "latex")
    assert not re.search(r"(?m)^\s*[\[*]", table)
    assert re.search(r"(?m)^ \{\}\[a\]", table)


def test_columns_with_colons(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"a:b": hyp, "r": ref} for hyp, ref in zip(HYP, REF, strict=True)]
    Path("t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    pq.write_table(pa.Table.from_pylist(rows), "t.parquet")
    for name in ("t.jsonl", "t.parquet"):
        answer = json.loads(printed(capsys, "score", f"{name}:a:b", f"{name}:r", "-f", "json"))
        assert answer["bleu"] == corpus_bleu(HYP, REF).bleu


def test_endings_in_capitals(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"hyp": hyp, "ref": ref} for hyp, ref in zip(HYP, REF, strict=True)]
    Path("T.JSONL.GZ").write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    Path("T.CSV.GZ").write_bytes(gzip.compress(b"a,b\n" * 4))
    answer = json.loads(printed(capsys, "score", "T.JSONL.GZ:hyp", "T.JSONL.GZ:ref", "-f", "json"))
    assert answer["bleu"] == corpus_bleu(HYP, REF).bleu
    assert "say which column" in printed(capsys, "score", "T.JSONL.GZ", "ref.txt", status=1)
    assert "texts are not read from .csv files" in printed(capsys, "score", "T.CSV.GZ", "ref.txt", status=1)


@pytest.mark.parametrize(
    ("closed", "status"), [("2>&-", 0), ("<&-", 0), ("2>&- <&-", 0), ("--nothing 2>&-", 2), ("<&- - ", 1)]
)
def test_closed_streams(closed: str, status: int, files: Path) -> None:
    """As for a program that a daemon starts."""
    command = f"{sys.executable} -m bleu_metric score hyp.txt ref.txt {closed}"
    ran = subprocess.run(
        ["sh", "-c", command],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == status, ran
    assert ran.stdout.startswith("BLEU ") == (status == 0)
    assert "Traceback" not in ran.stderr


def test_without_tabulate(files: Path) -> None:
    """As in an install without the extra, where evaluate brings click."""
    Path("tabulate.py").write_text("raise ModuleNotFoundError(\"No module named 'tabulate'\", name='tabulate')")
    paths = os.pathsep.join([str(files), str(Path(__file__).resolve().parents[2])])
    command = [sys.executable, "-m", "bleu_metric", "compare", "hyp.txt", "ref2.txt", "-r", "ref.txt"]
    ran = subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == 'bleu-metric: tabulate is not installed; type: pip install "bleu_metric[cli]"\n'


def test_two_dialects_that_are_equal_as_tsv(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = printed(capsys, "explain", "default", "default", "hyp.txt", "ref.txt", "-f", "tsv")
    assert table == "option\told\tnew\tbefore\tafter\tchange\n"
    differing = printed(capsys, "explain", "nltk", "sacrebleu", "hyp.txt", "ref.txt", "-f", "tsv")
    assert differing.splitlines()[0] == table.strip()


def test_average_lengths_are_rounded(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["score", "hyp.txt", "ref.txt", "ref2.txt", "ref.txt", "--reference-length", "average"]
    length = corpus_bleu(HYP, list(zip(REF, OTHER, REF, strict=True)), reference_length="average").reference_length
    assert f"reference {round(length, 4)}," in printed(capsys, *command)


def test_columns_of_other_types(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    columns = {
        "a": pa.array(REF).dictionary_encode(),
        "b": pa.array(OTHER).cast(pa.large_string()),
        "c": [[r] for r in REF],
    }
    pq.write_table(pa.table(columns), "types.parquet")
    for name, references in {"c": REF, "a": REF}.items():
        answer = json.loads(printed(capsys, "score", "hyp.txt", f"types.parquet:{name}", "-f", "json"))
        assert answer["bleu"] == corpus_bleu(HYP, references).bleu
    answer = json.loads(printed(capsys, "score", "hyp.txt", "types.parquet:a", "types.parquet:b", "-f", "json"))
    assert answer["bleu"] == corpus_bleu(HYP, list(zip(REF, OTHER, strict=True))).bleu


def test_documented_bad_inputs() -> None:
    """What the manual says of bad files is what was tried above."""
    manual = (Path(__file__).parents[2] / "docs" / "command_line.md").read_text()
    messages = re.findall(r"^\| .* \| [12] \| `(.*)` \|$", manual, re.MULTILINE)
    assert len(messages) >= 10
    for message in messages:
        assert any(message in expected or expected in message for _, _, expected in BAD.values()), message


def command(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    whole = [sys.executable, "-m", "bleu_metric", *arguments]
    return subprocess.run(whole, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload,no-any-return]


def test_as_a_process(files: Path) -> None:
    ran = command("score", "hyp.txt", "ref.txt", "-f", "json")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["bleu"] == corpus_bleu(HYP, REF).bleu
    failed = command("score", "hyp.txt", "none.txt")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "Traceback" not in failed.stderr
    for help_ in (["--help"], ["score", "-h"]):
        assert command(*help_).stdout.startswith("Usage: bleu-metric")


def test_output_that_nobody_reads(files: Path) -> None:
    Path("long.txt").write_text("a b c d\n" * 200_000)
    shell = f"{sys.executable} -m bleu_metric score long.txt long.txt -s | head -n 1; exit ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert (ran.stderr, ran.stdout) == ("", "     1  100.00\n")  # whether the pipe breaks depends on its size


def test_a_name_cannot_steer_the_terminal(files: Path) -> None:
    Path("猫\x1b[31m.txt").write_bytes(Path("hyp.txt").read_bytes())
    for encoding in ("utf-8", "latin-1", "ascii"):
        environment = {**os.environ, "PYTHONIOENCODING": encoding}
        ran = command("compare", "猫\x1b[31m.txt", "hyp.txt", "-r", "ref.txt", env=environment)
        assert ran.returncode == 0, ran.stderr
        assert "\\x1b[31m" in ran.stdout
        assert "\x1b" not in ran.stdout


def test_without_click(files: Path) -> None:
    code = "import sys; sys.modules['click'] = None; from bleu_metric.__main__ import main; main()"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr == 'bleu-metric: click is not installed; type: pip install "bleu_metric[cli]"\n'


def test_long_files_are_counted_in_stretches(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("long.txt").write_text("".join(f"a b c d {i % 7}\n" for i in range(120_001)))
    Path("long-ref.txt").write_text("".join(f"a b c d {i % 5}\n" for i in range(120_001)))
    answer = json.loads(printed(capsys, "score", "long.txt", "long-ref.txt", "-f", "json"))
    lines = [Path(name).read_text().splitlines() for name in ("long.txt", "long-ref.txt")]
    assert answer["bleu"] == corpus_bleu(*lines).bleu


def test_it_starts_fast(files: Path) -> None:
    """No library that takes long to import, even where it is installed."""
    code = (
        "import sys; from bleu_metric.cli.main import run; run(['score', 'hyp.txt', 'ref.txt', 'ref2.txt']);"
        "print([name for name in ('pandas', 'datasets', 'evaluate', 'tabulate', 'matplotlib', 'sacrebleu', 'tqdm')"
        " if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).splitlines()[-1] == "[]"


def test_pictures(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = printed(capsys, "score", "hyp.txt", "ref.txt", "-f", "json")
    assert printed(capsys, "score", "hyp.txt", "ref.txt", "-f", "json", "--plot", "one.png") == plain
    assert Path("one.png").read_bytes().startswith(b"\x89PNG")
    printed(capsys, "compare", "hyp.txt", "ref2.txt", "-r", "ref.txt", "--plot", "two.svg")
    assert "ref2" in Path("two.svg").read_text(encoding="utf-8")


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
    assert capsys.readouterr() == ("", "bleu-metric: wrote two.html\n")
    html = Path("two.html").read_text(encoding="utf-8")
    assert "Two &amp; &lt;more&gt;" in html
    assert corpus_bleu(HYP, REF, "nltk").signature.partition("|")[2] in html
