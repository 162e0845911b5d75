"""Files that are flipped, cut, joined or filled with other bytes: rejected in one line that names them, or scored right.

What is right is read independently of the package: text by Python's own decoder, JSON by its own parser, tables by Arrow's
other reader. A table with checksums must give what was written. For compressed files, see `test_compression`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from command_line import write_lines

from bleu_metric import corpus_bleu
from bleu_metric.cli import compression
from bleu_metric.cli.main import run

FIRST = ["the cat sat on the mat .", "naïve café in Zürich", "x", "", "你好 世界 , ok 1,000.5", "a b c d e f g"]
SECOND = ["the dog lay on the rug", "two plain words", "y z", "🙂 a-b", "", "one two three four five"]
REFERENCE = ["the cat sat on a mat .", "a naïve café in Zürich", "x y", "z", "你好 世界 ok", "a b c d e x g"]
Lines = list[str]


class Format(NamedTuple):
    """A kind of file: its name and the column of its texts, a writer, and an independent reader, which may raise."""

    name: str
    write: Callable[[Lines], bytes]
    read: Callable[[bytes], Any]


def write_text(lines: Lines) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def read_text(data: bytes) -> Lines:
    lines = data.decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def write_csv(lines: Lines) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([["id", "hyp"], *enumerate(lines)])
    return text.getvalue().encode()


def read_csv(data: bytes) -> Lines:
    text = io.StringIO(data.decode("utf-8-sig").replace("\r\n", "\n"), newline="\n")
    return column_of([row for row in csv.reader(text, strict=True) if row])


def column_of(rows: list[list[str]]) -> Lines:
    return [row[rows[0].index("hyp")] for row in rows[1:]]


def write_parquet(lines: Lines, **options: Any) -> bytes:
    stream = pa.BufferOutputStream()
    parquet.write_table(pa.table({"hyp": lines}), stream, **options)
    return stream.getvalue().to_pybytes()


def read_parquet(data: bytes) -> Any:
    return parquet.read_table(pa.BufferReader(data), columns=["hyp"]).column("hyp").to_pylist()


def read_checked_parquet(data: bytes) -> Any:
    if read_parquet(data) != FIRST:
        raise ValueError("this is not what was written")
    return FIRST


FORMATS = {
    "text": Format("x.txt", write_text, read_text),
    "json lines": Format(
        "x.jsonl:hyp",
        lambda lines: write_text([json.dumps({"hyp": line}, ensure_ascii=False) for line in lines]),
        lambda data: [json.loads(line)["hyp"] for line in read_text(data)],
    ),
    "json": Format(
        "x.json:hyp",
        lambda lines: json.dumps([{"hyp": line} for line in lines], indent=1).encode(),
        lambda data: [row["hyp"] for row in json.loads(data.decode("utf-8-sig"))],
    ),
    "csv": Format("x.csv:hyp", write_csv, read_csv),
    "tsv": Format(
        "x.tsv:hyp",
        lambda lines: write_text(["id\thyp", *(f"{number}\t{line}" for number, line in enumerate(lines))]),
        lambda data: column_of([line.split("\t") for line in read_text(data)]),
    ),
    "table": Format("x.parquet:hyp", write_parquet, read_parquet),
    "checked table": Format(
        "x.parquet:hyp", partial(write_parquet, compression="none", write_page_checksum=True), read_checked_parquet
    ),
}


def flip(data: bytes, other: bytes, rng: np.random.Generator) -> bytes:
    """Flip one to three bits."""
    damaged = bytearray(data)
    for bit in rng.integers(8 * len(data), size=rng.integers(1, 4)):
        damaged[bit // 8] ^= 1 << (bit % 8)
    return bytes(damaged)


def cut(data: bytes, other: bytes, rng: np.random.Generator) -> bytes:
    """Lose the end, the start, or a part between them."""
    start, end = sorted(rng.integers(len(data) + 1, size=2))
    return [data[:start], data[end:], data[:start] + data[end:]][rng.integers(3)]


def join(data: bytes, other: bytes, rng: np.random.Generator) -> bytes:
    """Append another file, whole or a part of it, or garbage."""
    start, end = sorted(rng.integers(len(other) + 1, size=2))
    garbage = rng.bytes(rng.integers(1, 9))
    return data + [other, other[:end], other[start:], garbage, bytes(rng.integers(1, 9))][rng.integers(5)]


def fill(data: bytes, other: bytes, rng: np.random.Generator) -> bytes:
    """Write random bytes, zeros, or bytes of another file over a part."""
    start = rng.integers(len(data))
    length = int(rng.integers(1, 17))
    filling = [rng.bytes(length), bytes(length), b"\xff" * length, other[start : start + length]][rng.integers(4)]
    return data[:start] + filling + data[start + length :]


DAMAGES = [flip, cut, join, fill]
UNREADABLE = (pa.ArrowException, OSError, ValueError, TypeError, KeyError, MemoryError, RecursionError)


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_texts_are_refused_or_right(
    name: str,
    cases: Callable[[int], int],
    files: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compression, "MAX_BYTES", 64 << 20)
    write_lines("reference.txt", REFERENCE)
    form = FORMATS[name]
    path = form.name.partition(":")[0]
    whole = [form.write(FIRST), form.write(SECOND)]
    rng = np.random.default_rng(list(FORMATS).index(name))
    for number in range(cases(60)):
        damage = DAMAGES[number % len(DAMAGES)]
        data = damage(*whole, rng)
        Path(path).write_bytes(data)
        case = (damage.__name__, number, data.hex())
        status = run(["score", form.name, "reference.txt", "--format", "json", "--tokenizer", "13a"])
        out, err = capsys.readouterr()
        if status == 0:
            answer = json.loads(out)
            assert (answer["bleu"], answer["counts"]) == expected_of(form, data), case
        else:
            assert status == 1, case
            assert err.count("\n") == 1, case
            assert err.startswith("bleu-metric: "), case
            assert path in err, case


def expected_of(form: Format, data: bytes) -> Any:
    """Return the score of a damaged file and its counts; None if it cannot be read, or holds no texts."""
    try:
        lines = form.read(data)
        expected = corpus_bleu(lines, REFERENCE)
    except UNREADABLE:
        return None
    return expected.bleu, expected.counts
