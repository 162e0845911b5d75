"""What cannot be read or scored is one line on standard error, and an exit status."""

from __future__ import annotations

import gzip
import lzma
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import HYP, printed

BAD = {
    "no such file": (["score", "none.txt", "ref.txt"], 1, "none.txt: No such file or directory"),
    "a folder": (["score", ".", "ref.txt"], 1, ".: Is a directory"),
    "an empty file": (["score", "empty.txt", "ref.txt"], 1, "empty.txt: the file is empty; it must have one segment"),
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
        "latin.txt: line 2: byte 4 (0xe9) is not UTF-8; if the file is",
    ),
    "UTF-16": (["score", "wide.txt", "ref.txt"], 1, "wide.txt: the file is UTF-16; convert it with: iconv"),
    "damaged gzip": (["score", "bad.gz", "ref.txt"], 1, "bad.gz: the compressed file is damaged"),
    "cut xz": (["score", "cut.xz", "ref.txt"], 1, "cut.xz: the compressed file is damaged"),
    "more than the limit": (
        ["score", "big.gz", "ref.txt"],
        1,
        "bytes when decompressed; if you trust it, type: export BLEU_METRIC_MAX_DECOMPRESSED_BYTES=",
    ),
    "not JSON": (["score", "bad.jsonl:a", "ref.txt"], 1, "bad.jsonl: line 2: not JSON: Expecting"),
    "no JSON object": (["score", "list.jsonl:a", "ref.txt"], 1, "line 1: each row must be a JSON object, got [1]"),
    "no such column": (["score", "rows.jsonl:hip", "ref.txt"], 1, "rows.jsonl: line 1: unknown column 'hip' (did you"),
    "no such Parquet column": (["score", "two.parquet:hip", "ref.txt"], 1, "two.parquet: unknown column 'hip'"),
    "which column": (["score", "two.parquet", "ref.txt"], 1, "say which column to read, e.g. two.parquet:hyp; the"),
    "which JSON column": (["score", "rows.jsonl", "ref.txt"], 1, "say which column to read, e.g. rows.jsonl:hyp"),
    "null": (["score", "rows.jsonl:hyp", "ref.txt"], 1, "predictions[1] holds None"),
    "no Parquet": (
        ["score", "fake.parquet:a", "ref.txt"],
        1,
        "fake.parquet: the Parquet file cannot be read: Parquet magic",
    ),
    "a table as text": (
        ["score", "x.xlsx", "ref.txt"],
        1,
        "x.xlsx: texts are not read from .xlsx files; save the table as CSV",
    ),
    "numbers": (["score", "hyp.txt", "two.parquet:ref"], 1, "references is an Arrow column of int64"),
    "standard input twice": (["score", "-", "-"], 2, "standard input (-) can be read once"),
    "a system twice": (["compare", "hyp.txt", "hyp.txt", "-r", "ref.txt"], 2, "hyp.txt is given twice"),
    "an output that is an input": (
        ["report", "hyp.txt", "-r", "ref.txt", "-o", "ref.txt"],
        2,
        "ref.txt would replace the input file ref.txt; write to another file",
    ),
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
    "weights": (["score", "hyp.txt", "ref.txt", "--weights", "a"], 2, "'a' is not a list of numbers; type e.g. 0.25"),
    "not together": (["score", "hyp.txt", "ref.txt", "--smoothing-value", "1"], 2, "takes no smoothing_value, got 1.0"),
    "files without a command": (
        ["hyp.txt", "ref.txt"],
        2,
        "type a command before the files: bleu-metric score hyp.txt ref.txt",
    ),
    "no command": (["scor"], 2, "unknown command 'scor' (did you mean 'score'?)"),
    "dialects alone": (["dialects", "hyp.txt"], 2, "the references are missing"),
    "an object without fields": (["score", "none.jsonl", "ref.txt"], 1, "none.jsonl: the table has no columns"),
    "deep JSON": (["score", "deep.jsonl:a", "ref.txt"], 1, "deep.jsonl: line 1: not JSON"),
    "no bzip2": (["score", "bad.bz2", "ref.txt"], 1, "bad.bz2: the compressed file is damaged: Invalid data stream"),
    "a folder as a table": (["score", "folder.parquet:a", "ref.txt"], 1, "folder.parquet: Is a directory"),
    "a column of a text": (
        ["score", "hyp.txt:a", "ref.txt"],
        1,
        "hyp.txt: only tables (.jsonl, .ndjson, .json, .csv, .tsv, .parquet, .pq)",
    ),
    "a column of a table as text": (["score", "x.xlsx:a", "ref.txt"], 1, "x.xlsx: texts are not read from .xlsx"),
    "a name that steers": (["score", "x\x1b[31m.xlsx", "ref.txt"], 1, "x\\x1b[31m.xlsx: texts are not read from"),
    "which CSV column": (["score", "x.csv", "ref.txt"], 1, "to read, e.g. x.csv:a; the columns are a, b"),
    "no such CSV column": (["score", "x.csv:c", "ref.txt"], 1, "x.csv: line 1: unknown column 'c'"),
    "a CSV file without rows": (["score", "x.csv:a", "ref.txt"], 1, "is empty; it must have one segment per row"),
    "semicolons": (["score", "x;.csv", "ref.txt"], 1, "no commas between columns; save the table with commas"),
    "a row too short": (["score", "short.csv:a", "ref.txt"], 1, "the row that ends on line 3 has 1 cells, but"),
    "an open quote": (["score", "open.csv:a", "ref.txt"], 1, "open.csv: line 2: not CSV: unexpected end of data"),
    "two columns of a name": (["score", "twice.csv:a", "ref.txt"], 1, "twice.csv: line 1: 2 columns are called 'a'"),
    "a quoted tab": (["score", "x.tsv:a", "ref.txt"], 1, "if cells have tabs or line breaks, save the table as CSV"),
    "no JSON array": (["score", "bad.json", "ref.txt"], 1, "bad.json: not JSON: "),
    "a column of texts in JSON": (["score", "texts.json:a", "ref.txt"], 1, "texts.json: the JSON array has no objects"),
    "texts among objects": (["score", "mixed.json:a", "ref.txt"], 1, "mixed.json: entry 2: each row must be a JSON"),
    "a pretty JSON object": (["score", "pretty.json", "ref.txt"], 1, "pretty.json: line 1: not JSON"),
    "two systems of a name": (["compare", "A=hyp.txt", "A=ref.txt", "-r", "ref.txt"], 2, "two systems are called A"),
    "only references": (["compare", "-r", "ref.txt", "hyp.txt"], 2, "so none is left for the systems; give the"),
    "only references of a report": (["report", "-o", "x", "-r", "ref.txt", "hyp.txt"], 2, "none is left for the sys"),
    "standard input for labels, too": (["score", "-", "ref.txt", "-g", "-"], 2, "standard input (-) can be read once"),
    "references of another kind far below": (["score", "long.jsonl:a", "long.jsonl:b"], 1, "references[49999]"),
    "a list among several references": (
        ["score", "hyp.txt", "ref.txt", "two.parquet:ref"],
        1,
        "one text per row, not int64",
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
        "tests and pictures use one score",
    ),
    "too many orders": (
        ["score", "hyp.txt", "ref.txt", "--max-order", "100000000"],
        2,
        "is not in the range 1<=x<=1000",
    ),
    "not in every dialect": (
        ["dialects", "--smoothing-value", "1"],
        2,
        "these options cannot be used in every dialect: smoothing='none' takes no",
    ),
    "a picture of another kind": (
        ["score", "hyp.txt", "ref.txt", "--plot", "x.jpg"],
        2,
        "got 'x.jpg': try x.png",
    ),
    "no folder for the report": (
        ["report", "hyp.txt", "-r", "ref.txt", "-o", "no/x.html"],
        1,
        "no/x.html: No such file or directory",
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
    "an interval of one segment": (
        ["score", "line.txt", "other-line.txt", "--confidence", ".9"],
        1,
        "there is only one segment",
    ),
    "an order that is too high": (["score", "hyp.txt", "ref.txt", "--max-order", "10001"], 2, "range 1<=x<=10000"),
    "a picture of several scores": (
        ["score", "hyp.txt", "ref.txt", "--weights", "1", "--weights", ".5,.5", "--plot", "x.png"],
        2,
        "a picture shows one score: give --weights once",
    ),
    "a report of several scores": (
        ["report", "hyp.txt", "-r", "ref.txt", "-o", "x.html", "--weights", "1", "--weights", ".5,.5"],
        2,
        "a report shows one score: give --weights once",
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
    "confidence": (
        ["score", "hyp.txt", "ref.txt", "--confidence", "95"],
        2,
        "confidence must be above 0 and below 1, got 95.0; for 95 %, pass --confidence 0.95",
    ),
    "labels": (
        ["score", "hyp.txt", "ref.txt", "-g", "short.txt"],
        1,
        "hyp.txt has 4 segments, but short.txt has 3",
    ),
    "compare alone": (["compare", "hyp.txt"], 2, "Missing option '--references'"),
    "a confidence that is no number": (
        ["score", "hyp.txt", "ref.txt", "--confidence", "nan"],
        2,
        "confidence must be above 0 and below 1, got nan",
    ),
    "too few resamples": (
        ["score", "hyp.txt", "ref.txt", "--confidence", "0.95", "--resamples", "39"],
        2,
        "Invalid value for '--resamples': an interval of 95 % needs at least 40 resamples, got 39",
    ),
    "too few resamples of a test": (
        ["compare", "hyp.txt", "more.txt", "-r", "ref.txt", "--confidence", "0.99", "--resamples", "199"],
        2,
        "Invalid value for '--resamples': an interval of 99 % needs at least 200 resamples, got 199",
    ),
    "too many resamples": (
        ["score", "hyp.txt", "ref.txt", "--confidence", "0.9", "--resamples", "9999999999"],
        2,
        "resamples must be at most 1000000000",
    ),
    "too many trials": (
        ["compare", "hyp.txt", "ref2.txt", "-r", "ref.txt", "-t", "randomization", "--trials", "9999999999"],
        2,
        "trials must be at most 1000000000",
    ),
    "a huge seed": (
        ["score", "hyp.txt", "ref.txt", "--confidence", "0.9", "--seed", "9" * 100],
        2,
        "seed must be at most",
    ),
    "a folder for the report": (
        ["report", "hyp.txt", "-r", "ref.txt", "-o", "newname/"],
        2,
        "'newname/' is a folder; give the name of a file",
    ),
    "a folder above for the report": (
        ["report", "hyp.txt", "-r", "ref.txt", "-o", ".."],
        2,
        "'..' is a folder; give the name of a file",
    ),
    "a folder for a picture": (
        ["score", "hyp.txt", "ref.txt", "--plot", "x.png/"],
        2,
        "'x.png/' is a folder; give the name of a file",
    ),
    "explain": (["explain", "nltk", "x", "hyp.txt", "ref.txt"], 2, "unknown dialect 'x'"),
    "files before dialects": (
        ["explain", "hyp.txt", "ref.txt", "nltk", "sacrebleu"],
        2,
        "'hyp.txt' is a file; type the name of a dialect in its place, as in: bleu-metric explain nltk sacrebleu hyp",
    ),
    "standard input in a pipe": (["score", "hyp.txt"], 2, "type - for HYP if the predictions come from standard input"),
    "gzip in a text": (
        ["score", "gzip.txt", "ref.txt"],
        1,
        "gzip.txt: the content is not plain text but .gz; decompress it first",
    ),
    "no headings": (
        ["score", "texts.tsv", "ref.txt"],
        1,
        "line 1 must name the column, but it is 'the cat sat'; if it",
    ),
    "a long name": (["score", "x" * 5000, "ref.txt"], 1, "File name too long"),
    "a write-protected report": (
        ["report", "hyp.txt", "-r", "ref.txt", "-o", "protected.html"],
        1,
        "protected.html: This file is write-protected",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case: str, files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEU_METRIC_MAX_DECOMPRESSED_BYTES", "100000")
    Path("big.gz").write_bytes(gzip.compress(b"a b c\n" * 20_000))
    Path("empty.txt").touch()
    Path("short.txt").write_text("one\ntwo\nthree\n")
    Path("more.txt").write_text("one\ntwo\nthree\nfour\n\n")
    Path("latin.txt").write_bytes(
        "un\nété\ntrois\n".encode().replace(b"\xc3\xa9", b"\xe9", 1).replace(b"\xe9t", b"abc\xe9t")
    )
    Path("gzip.txt").write_bytes(gzip.compress(b"a b c\n"))
    Path("texts.tsv").write_text("the cat sat\na dog\n")
    Path("protected.html").touch(0o444)
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
    Path("x;.csv").write_text("a;b\n1;2\n")
    Path("x.xlsx").write_text("PK")
    Path("short.csv").write_text("a,b\n1,2\n1\n")
    Path("open.csv").write_text('a,b\n"1,2\n')
    Path("twice.csv").write_text("a,b,a\n1,2,3\n")
    Path("x.tsv").write_text('a\tb\n"1\t1"\t2\n')
    Path("bad.json").write_text('["a",\n"b"')
    Path("texts.json").write_text('["a", "b"]')
    Path("mixed.json").write_text('[{"a": "b"}, "b"]')
    Path("pretty.json").write_text('{\n"a": ["b"]\n}')
    pq.write_table(pa.table({"hyp": HYP, "ref": [1, 2, 3, 4]}), "two.parquet")
    arguments, status, message = BAD[case]
    error = printed(capsys, *arguments, status=status)
    assert message in error
    assert error.startswith("bleu-metric: ")
    assert error.count("\n") == 1
    assert len(error) < 320


def test_documented_bad_inputs() -> None:
    """What the manual says of bad files is what was tried above."""
    manual = (Path(__file__).parents[2] / "docs" / "command_line.md").read_text()
    messages = re.findall(r"^\| .* \| [12] \| `(.*)` \|$", manual, re.MULTILINE)
    assert len(messages) >= 10
    for message in messages:
        assert any(message in expected or expected in message for _, _, expected in BAD.values()), message


def test_a_command_alone(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, status=2).startswith("Usage: bleu-metric [OPTIONS] COMMAND")
