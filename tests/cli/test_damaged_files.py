"""Files that are flipped, cut, joined or filled with other bytes: rejected in one line that names them, or scored right.

What is right is read independently of the package: text by Python's own decoder, JSON by its own parser, tables by Arrow's
other reader. A table with checksums must give what was written. For compressed files, see `test_compression`.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from bleu_metric import corpus_bleu
from bleu_metric.cli.main import run

FIRST = ["the cat sat on the mat .", "naïve café in Zürich", "x", "", "你好 世界 , ok 1,000.5", "a b c d e f g"]
SECOND = ["the dog lay on the rug", "two plain words", "y z", "🙂 a-b", "", "one two three four five"]
REFERENCE = ["the cat sat on a mat .", "a naïve café in Zürich", "x y", "z", "你好 世界 ok", "a b c d e x g"]
Lines = list[str]


@dataclass(frozen=True)
class Format:
    """A kind of file."""

    suffix: str
    write: Callable[[Lines], bytes]
    read: Callable[[bytes], Lines]  # raises if the bytes hold no texts; independent of the package


def write_text(lines: Lines) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def read_text(data: bytes) -> Lines:
    lines = data.decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def write_json(lines: Lines) -> bytes:
    return "".join(json.dumps({"hyp": line}, ensure_ascii=False) + "\n" for line in lines).encode()


def read_json(data: bytes) -> Lines:
    texts = [json.loads(line)["hyp"] for line in read_text(data)]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("these are not texts")
    return texts


def write_json_array(lines: Lines) -> bytes:
    return json.dumps([{"hyp": line} for line in lines], indent=1).encode()


def read_json_array(data: bytes) -> Lines:
    rows = json.loads(data.decode("utf-8-sig"))
    texts = [row["hyp"] for row in rows]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("these are not texts")
    return texts


def _separated(suffix: str, separator: str) -> Format:
    def write(lines: Lines) -> bytes:
        return write_text(
            ["id,hyp".replace(",", separator), *(f"{i}{separator}{cell(x)}" for i, x in enumerate(lines))]
        )

    def cell(line: str) -> str:
        return f'"{line}"' if separator in line else line

    def read(data: bytes) -> Lines:
        if separator == ",":
            text = data.decode("utf-8-sig").replace("\r\n", "\n")
            rows = [row for row in csv.reader(io.StringIO(text, newline="\n"), strict=True) if row]
        else:
            rows = [line.split(separator) for line in read_text(data)]
        place = rows[0].index("hyp")
        return [row[place] for row in rows[1:]]

    return Format(suffix, write, read)


def write_table(lines: Lines, **options: Any) -> bytes:
    stream = pa.BufferOutputStream()
    parquet.write_table(pa.table({"hyp": lines}), stream, **options)
    return stream.getvalue().to_pybytes()


def read_table(data: bytes) -> Lines:
    return parquet.read_table(pa.BufferReader(data), columns=["hyp"]).column("hyp").to_pylist()


def _table(compression: str, *, page_checksums: bool) -> Format:
    def write(lines: Lines) -> bytes:
        return write_table(lines, compression=compression, write_page_checksum=page_checksums)

    def read(data: bytes) -> Lines:
        lines = read_table(data)
        if page_checksums and lines != FIRST:
            raise ValueError("this is not what was written")
        return lines

    return Format(".parquet", write, read)


FORMATS = {
    "text": Format(".txt", write_text, read_text),
    "json": Format(".jsonl", write_json, read_json),
    "json array": Format(".json", write_json_array, read_json_array),
    "csv": _separated(".csv", ","),
    "tsv": _separated(".tsv", "\t"),
    "table": _table("none", page_checksums=False),
    "snappy table": _table("snappy", page_checksums=False),
    "zstd table": _table("zstd", page_checksums=False),
    "checked table": _table("none", page_checksums=True),
    "checked gzip table": _table("gzip", page_checksums=True),
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


def command_line(*arguments: str) -> tuple[int, str, str]:
    """Run a command line: exit status, standard output, standard error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(list(arguments))
    return status, out.getvalue(), err.getvalue()


def expected_lines(form: Format, data: bytes) -> Lines | None:
    """What the damaged file holds; None if that cannot be said."""
    try:
        return form.read(data)
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, MemoryError, RecursionError):
        return None


def fault_of(form: Format, path: Path, data: bytes, reference: Path) -> str:
    """Say what is wrong with the answer to a damaged file: empty if nothing is, or how it was right."""
    path.write_bytes(data)
    column = ":hyp" if form.suffix in (".parquet", ".jsonl", ".json", ".csv", ".tsv") else ""
    status, out, err = command_line(
        "score", f"{path}{column}", str(reference), "--format", "json", "--tokenizer", "13a"
    )
    if status == 1:
        is_one_line = err.startswith("bleu-metric: ") and err.endswith("\n") and err.count("\n") == 1
        return "" if is_one_line and path.name in err else f"the error is {err!r}"
    if status != 0:
        return f"exit status {status}: {err!r}"
    lines = expected_lines(form, data)
    if lines is None:
        return f"scored, but there is nothing to score: {out}"
    expected = corpus_bleu(lines, REFERENCE)
    found = json.loads(out)
    if (found["bleu"], found["counts"], found["totals"]) != (expected.bleu, expected.counts, expected.totals):
        return f"{found['bleu']} is not {expected.bleu} of {lines}"
    return ""


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_texts_are_refused_or_right(
    name: str, cases: Callable[[int], int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLEU_METRIC_MAX_DECOMPRESSED_BYTES", str(64 << 20))
    form = FORMATS[name]
    path = tmp_path / f"damaged{form.suffix}"
    reference = tmp_path / "reference.txt"
    reference.write_bytes(write_text(REFERENCE))
    whole = [form.write(FIRST), form.write(SECOND)]
    rng = np.random.default_rng(list(FORMATS).index(name))
    for number in range(cases(60)):
        damage = DAMAGES[number % len(DAMAGES)]
        data = damage(*whole, rng)
        fault = fault_of(form, path, data, reference)
        assert not fault, (name, damage.__name__, number, data.hex())


def test_names_in_a_damaged_table(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    parquet.write_table(pa.table({"p": [["a b"]]}), path)
    path.write_bytes(path.read_bytes().replace(b"list", b"\x80ist"))
    references = tmp_path / "references.txt"
    references.write_text("a b\n")
    status, _, error = command_line("score", f"{path}:p", str(references))
    assert status == 1
    assert "rows.parquet: the Parquet file cannot be read: 'utf-8' codec" in error
