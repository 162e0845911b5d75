"""Files that the command line reads: text, tables, compressed or not."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import HYP, OTHER, REF, printed

from bleu_metric import corpus_bleu


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
