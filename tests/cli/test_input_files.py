"""Files that the command line reads: text, tables, compressed or not."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import HYP, OTHER, REF, CommandLine, write_lines

from bleu_metric import corpus_bleu

BOTH = list(zip(REF, OTHER, strict=True))
PAIRS: list[dict[str, Any]] = [
    {"hyp": text, "ref": {"en": list(pair)}, "a:b": text, "all": [{"ref.en": ref} for ref in pair]}
    for text, pair in zip(HYP, BOTH, strict=True)
]


def write_json_lines(path: str, rows: Iterable[Any]) -> None:
    write_lines(path, map(json.dumps, rows))


def test_forms_of_texts(bleu: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = Path("hyp.txt").read_bytes()
    contents = {
        "hyp.txt.gz": gzip.compress(raw),
        "hyp.txt.bz2": bz2.compress(raw),
        "hyp.txt.zst": pa.compress(raw, "zstd", asbytes=True),
        "gzip.txt": gzip.compress(raw),
        "bz2.txt": bz2.compress(raw),
        "zstd.txt": pa.compress(raw, "zstd", asbytes=True),
        "windows.txt": b"\xef\xbb\xbf" + raw.replace(b"\n", b"\r\n"),
        "mac.txt": raw.replace(b"\n", b"\r"),
        "no-end.txt": raw.rstrip(b"\n"),
    }
    for name, content in contents.items():
        Path(name).write_bytes(content)
    pq.write_table(pa.table({"one": HYP}), "one.parquet")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    expected = corpus_bleu(HYP, BOTH)
    for name in ("hyp.txt", *contents, "one.parquet", "-"):
        answer = bleu.json(f"score {name} ref.txt ref2.txt")
        assert (answer["bleu"], answer["signature"]) == (expected.bleu, expected.signature)


def test_forms_of_tables(bleu: CommandLine) -> None:
    """A path leads to a field, to an entry of a list or to all entries, and the name of a column may have colons."""
    write_lines("all.jsonl", ["", *(f"{json.dumps(pair)}\n  " for pair in PAIRS)])
    write_json_lines("lines.json", PAIRS)  # as `Dataset.to_json` writes it
    Path("ALL.JSONL.GZ").write_bytes(gzip.compress(Path("all.jsonl").read_bytes()))
    Path("all.json").write_text(json.dumps(PAIRS, indent=2))
    pq.write_table(pa.Table.from_pylist(PAIRS), "all.parquet", row_group_size=2)
    columns = {name: [pair[name] for pair in PAIRS] for name in PAIRS[0]}
    Path("lists.json").write_text(json.dumps(columns))
    write_json_lines("lines.log", PAIRS)
    Path("pretty.txt").write_text(json.dumps(PAIRS, indent=2))
    datasets.Dataset.from_list(PAIRS).save_to_disk("saved")
    bleu.capsys.readouterr()  # a progress bar
    Path("hyp.json").write_text("\n" + json.dumps(HYP))
    Path("ref.json").write_text(json.dumps(BOTH))
    expected = corpus_bleu(HYP, BOTH).bleu
    tables = ("all.jsonl", "lines.json", "ALL.JSONL.GZ", "all.json", "all.parquet", "lists.json", "lines.log")
    tables += ("pretty.txt", "saved")
    references = ("{0}:ref.en", "{0}:ref.en.0 {0}:ref.en.1", "{0}:all.*.ref.en")
    lines = [
        f"{name}:{column} {refs.format(name)}" for name in tables for column in ("hyp", "a:b") for refs in references
    ]
    for line in ("hyp.json ref.json", *lines):
        assert bleu.json(f"score {line}")["bleu"] == expected, line


CELLS = [
    "the cat sat on the mat",
    "",
    'it is "3.5", she said',
    '"quoted"',
    "two\nlines",
    "猫 坐\u2028在 垫子 上 。",
    " x ",
]


def write_csv(path: str, rows: list[dict[str, str]], **options: Any) -> None:
    with Path(path).open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), **options)
        writer.writeheader()
        writer.writerows(rows)


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_tables_with_quotes(delimiter: str, quoting: Any, bleu: CommandLine) -> None:
    table = "t.csv"
    cells = [*CELLS, "two\ttabs; one"]
    references = [f"{cell} {place}" for place, cell in enumerate(cells)]
    rows = [{"id": "7", "hyp": hyp, "ref": ref} for hyp, ref in zip(cells, references, strict=True)]
    write_csv(table, rows, delimiter=delimiter, quoting=quoting)
    Path(f"{table}.gz").write_bytes(gzip.compress(Path(table).read_bytes() + b"\n"))
    write_csv("one.csv", [{"hyp": hyp} for hyp in cells], quoting=quoting)
    expected = corpus_bleu(cells, references, smoothing="exp")
    for files in (f"{table}:hyp {table}:ref", f"{table}.gz:hyp {table}.gz:ref", f"one.csv {table}:ref"):
        answer = bleu.json(f"score {files} --smoothing exp")
        assert (answer["bleu"], answer["segments"]) == (expected.bleu, len(cells))


def test_a_cell_of_a_million_characters(bleu: CommandLine) -> None:
    write_csv("t.csv", [{"hyp": "word " * 200_000, "ref": "word"}])
    assert bleu.json("score t.csv:hyp t.csv:ref")["translation_length"] == 200_000


PLAIN = ['"Go home."', '"tis 5" long, he said', "''quoted'', too", '""', 'he said "no', '"', "a, b; c"]


@pytest.mark.parametrize("cells", [PLAIN, PLAIN[:1], PLAIN[1:2], PLAIN[2:]])
def test_only_tabs_separate_cells_of_tsv(cells: list[str], bleu: CommandLine) -> None:
    write_lines("t.tsv", ["id\thyp", *(f"1\t{cell}" for cell in cells)])
    write_lines("one.tsv", cells)
    for column in ("t.tsv:hyp", "one.tsv:1"):
        answer = bleu.json(f"score {column} t.tsv:id")
        assert answer["translation_length"] == corpus_bleu(cells, cells).translation_length


def test_columns_of_other_types(bleu: CommandLine) -> None:
    columns = {
        "a": pa.array(REF).dictionary_encode(),
        "b": pa.array(OTHER).cast(pa.large_string()),
        "c": [[text] for text in REF],
    }
    pq.write_table(pa.table(columns), "types.parquet")
    one, both = corpus_bleu(HYP, REF).bleu, corpus_bleu(HYP, BOTH).bleu
    scores = {"types.parquet:a": one, "types.parquet:c": one, "types.parquet:a types.parquet:b": both}
    for references, expected in scores.items():
        assert bleu.json(f"score hyp.txt {references}")["bleu"] == expected


def test_json_from_standard_input(bleu: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"mt": "a"}\n')))
    assert "-: this is JSON, not plain text; name a column, as in /dev/stdin:mt" in bleu("score - ref.txt", status=1)
