"""Files that the command line reads: text, tables, compressed or not."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import HYP, OTHER, REF, as_json, printed

from bleu_metric import corpus_bleu


def test_forms_of_files(files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    raw = Path("hyp.txt").read_bytes()
    Path("hyp.txt.gz").write_bytes(gzip.compress(raw))
    Path("hyp.txt.xz").write_bytes(lzma.compress(raw))
    Path("hyp.txt.bz2").write_bytes(bz2.compress(raw))
    Path("hyp.txt.zst").write_bytes(pa.compress(raw, "zstd", asbytes=True))
    Path("windows.txt").write_bytes(b"\xef\xbb\xbf" + raw.replace(b"\n", b"\r\n"))
    Path("no-end.txt").write_bytes(raw.rstrip(b"\n"))
    rows = [{"hyp": one, "ref": {"en": [two, three]}} for one, two, three in zip(HYP, REF, OTHER, strict=True)]
    Path("all.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    Path("all.jsonl.gz").write_bytes(gzip.compress(Path("all.jsonl").read_bytes()))
    pq.write_table(pa.Table.from_pylist(rows), "all.parquet", row_group_size=2)
    pq.write_table(pa.table({"one": HYP}), "one.parquet")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    score = corpus_bleu(HYP, list(zip(REF, OTHER, strict=True)))
    texts = [
        "hyp.txt",
        "hyp.txt.gz",
        "hyp.txt.xz",
        "hyp.txt.bz2",
        "hyp.txt.zst",
        "windows.txt",
        "no-end.txt",
        "-",
        "one.parquet",
    ]
    forms = [(hyp, "ref.txt", "ref2.txt") for hyp in texts]
    forms += [(f"{name}:hyp", f"{name}:ref.en") for name in ("all.jsonl", "all.jsonl.gz", "all.parquet")]
    for form in forms:
        answer = as_json(capsys, "score", *form)
        assert (answer["bleu"], answer["counts"], answer["signature"]) == (score.bleu, score.counts, score.signature)


def test_columns_with_colons(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"a:b": hyp, "r": ref} for hyp, ref in zip(HYP, REF, strict=True)]
    Path("t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    pq.write_table(pa.Table.from_pylist(rows), "t.parquet")
    for name in ("t.jsonl", "t.parquet"):
        answer = as_json(capsys, "score", f"{name}:a:b", f"{name}:r")
        assert answer["bleu"] == corpus_bleu(HYP, REF).bleu


CELLS = [
    "the cat sat on the mat",
    "",
    'it is "3.5", she said',
    '"quoted"',
    "two\nlines",
    "猫 坐\u2028在 垫子 上 。",
    " x ",
]


def write_csv(path: str, rows: list[dict[str, str]], dialect: str = "excel") -> None:
    with Path(path).open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), dialect=dialect)
        writer.writeheader()
        writer.writerows(rows)


@pytest.mark.parametrize("dialect", ["excel", "unix"])
def test_csv_files(files: Path, capsys: pytest.CaptureFixture[str], dialect: str) -> None:
    references = CELLS[::-1]
    rows = [{"id": "7", "hyp": hyp, "ref": ref} for hyp, ref in zip(CELLS, references, strict=True)]
    write_csv("t.csv", rows, dialect)
    Path("t.csv.gz").write_bytes(gzip.compress(Path("t.csv").read_bytes() + b"\n"))
    write_csv("one.csv", [{"hyp": hyp} for hyp in CELLS], "unix")
    expected = corpus_bleu(CELLS, references, smoothing="exp")
    for hyp, ref in (("t.csv:hyp", "t.csv:ref"), ("t.csv.gz:hyp", "t.csv.gz:ref"), ("one.csv", "t.csv:ref")):
        answer = as_json(capsys, "score", hyp, ref, "--smoothing", "exp")
        assert (answer["bleu"], answer["counts"], answer["segments"]) == (expected.bleu, expected.counts, len(CELLS))


def test_a_cell_of_a_million_characters(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_csv("t.csv", [{"hyp": "word " * 200_000, "ref": "word"}])
    assert as_json(capsys, "score", "t.csv:hyp", "t.csv:ref")["translation_length"] == 200_000


def test_tsv_files_have_no_quotes(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cells = [cell for cell in CELLS if "\n" not in cell]
    Path("t.tsv").write_text("id\thyp\n" + "".join(f"1\t{cell}\n" for cell in cells), encoding="utf-8")
    answer = as_json(capsys, "score", "t.tsv:hyp", "t.tsv:id")
    assert answer["translation_length"] == corpus_bleu(cells, cells).translation_length


def test_json_arrays(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    references = [list(pair) for pair in zip(REF, OTHER, strict=True)]
    rows = [{"hyp": hyp, "ref": {"en": pair}} for hyp, pair in zip(HYP, references, strict=True)]
    Path("rows.json").write_text(json.dumps(rows, indent=2))
    Path("hyp.json").write_text("\n" + json.dumps(HYP))
    Path("ref.json").write_text(json.dumps(references))
    Path("lines.json").write_text("".join(json.dumps(row) + "\n" for row in rows))  # as `Dataset.to_json` writes it
    expected = corpus_bleu(HYP, references).bleu
    forms = [("rows.json:hyp", "rows.json:ref.en"), ("hyp.json", "ref.json"), ("lines.json:hyp", "lines.json:ref.en")]
    for form in forms:
        assert as_json(capsys, "score", *form)["bleu"] == expected


def test_names_of_systems(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("lr=0.1.txt").write_text(Path("hyp.txt").read_text())
    command = ["compare", "base=hyp.txt", "ref2.txt", "lr=0.1.txt", "-r", "ref.txt", "-t", "none", "-f", "json"]
    answer = json.loads(printed(capsys, *command))
    assert [system["system"] for system in answer["systems"]] == ["base", "ref2", "lr=0.1"]
    assert as_json(capsys, "score", "A=hyp.txt", "ref.txt")["system"] == "A"


def test_references_before_the_systems(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "compare", "-r", "ref.txt", "--", "hyp.txt", "ref2.txt", "-t", "none", status=1)
    assert "-t" in text  # all that stands after -- is a file
    text = printed(capsys, "compare", "-t", "none", "-r", "ref.txt", "--", "hyp.txt", "ref2.txt")
    assert [line.split()[0] for line in text.splitlines()[2:4]] == ["hyp", "ref2"]
    assert " segments of hyp.txt, ref2.txt against ref.txt\n" in text
    text = printed(capsys, "compare", "hyp.txt", "-r", "ref.txt", "ref2.txt")
    assert "\n  4 segments of hyp.txt against 2 files of references: ref.txt, ref2.txt\n" in text


def test_endings_in_capitals(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"hyp": hyp, "ref": ref} for hyp, ref in zip(HYP, REF, strict=True)]
    Path("T.JSONL.GZ").write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    Path("T.XLSX.GZ").write_bytes(gzip.compress(b"a,b\n" * 4))
    answer = as_json(capsys, "score", "T.JSONL.GZ:hyp", "T.JSONL.GZ:ref")
    assert answer["bleu"] == corpus_bleu(HYP, REF).bleu
    assert "say which column" in printed(capsys, "score", "T.JSONL.GZ", "ref.txt", status=1)
    assert "texts are not read from .xlsx files" in printed(capsys, "score", "T.XLSX.GZ", "ref.txt", status=1)


def test_columns_of_other_types(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    columns = {
        "a": pa.array(REF).dictionary_encode(),
        "b": pa.array(OTHER).cast(pa.large_string()),
        "c": [[r] for r in REF],
    }
    pq.write_table(pa.table(columns), "types.parquet")
    for name, references in {"c": REF, "a": REF}.items():
        answer = as_json(capsys, "score", "hyp.txt", f"types.parquet:{name}")
        assert answer["bleu"] == corpus_bleu(HYP, references).bleu
    answer = as_json(capsys, "score", "hyp.txt", "types.parquet:a", "types.parquet:b")
    assert answer["bleu"] == corpus_bleu(HYP, list(zip(REF, OTHER, strict=True))).bleu
