"""Compressed files: every byte is decoded and checked, or the file is rejected."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from inner_doors import read_column

from bleu_metric.cli import compression

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": partial(pa.compress, codec="zstd", asbytes=True),
}
FIRST = [f"the cat {number} sat on the mat" for number in range(50)]
SECOND = [f"a dog {number} lay on the rug" for number in range(50)]


def compressed(suffix: str, lines: list[str]) -> bytes:
    text = "".join(f"{line}\n" for line in lines)
    return COMPRESS[suffix](text.encode())


def lines_of(folder: Path, suffix: str, data: bytes) -> list[str]:
    path = folder / f"text{suffix}"
    path.write_bytes(data)
    return list(read_column(str(path)))


@pytest.mark.parametrize("suffix", COMPRESS)
def test_streams_one_after_another(suffix: str, tmp_path: Path) -> None:
    """As pbzip2 writes them; streams begin anywhere in the blocks that are read."""
    lines = FIRST * 20
    streams = [compressed(suffix, [line]) for line in lines]
    assert lines_of(tmp_path, suffix, b"".join([*streams, compressed(suffix, [])])) == lines


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_damaged_second_stream(suffix: str, tmp_path: Path) -> None:
    """Python's own reader of bzip2 returns the first stream alone, without an error."""
    first, second = compressed(suffix, FIRST), compressed(suffix, SECOND)
    garbage = [b"x", b"garbage", b"\n", b"\0\0\0\0x", b"BZh", b"\x1f\x8b"]
    cuts = [second[:end] for end in range(1, len(second), 7)]
    for damaged in (*garbage, *cuts):
        with pytest.raises(ValueError, match="the compressed file is damaged: "):
            lines_of(tmp_path, suffix, first + damaged)


@pytest.mark.parametrize("suffix", [".gz", ".bz2"])  # Arrow writes zstd without a checksum
def test_flipped_bits(suffix: str, tmp_path: Path) -> None:
    first, second = compressed(suffix, FIRST), compressed(suffix, SECOND)
    accepted = 0
    for bit in range(0, 8 * len(second), 7):
        damaged = bytearray(second)
        damaged[bit // 8] ^= 1 << bit % 8
        try:
            lines = lines_of(tmp_path, suffix, first + damaged)
        except ValueError:
            continue
        assert lines == FIRST + SECOND  # a bit without a meaning, such as one of the date in a gzip stream
        accepted += 1
    assert accepted < 8 * len(second) / 35


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_file_that_holds_too_much(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = COMPRESS[suffix](b"a b c\n" * 100_000)
    monkeypatch.setattr(compression, "MAX_BYTES", 599_999)
    with pytest.raises(ValueError, match="more than 599,999 bytes when decompressed; if you trust it, decompress"):
        lines_of(tmp_path, suffix, data)
    monkeypatch.setattr(compression, "MAX_BYTES", 600_000)
    assert len(lines_of(tmp_path, suffix, data)) == 100_000


def test_a_table_that_holds_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A column of one text repeated: a few hundred bytes of Parquet."""
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"p": ["a b c d" * 100] * 20_000}), path)
    assert len(read_column(f"{path}:p")) == 20_000
    monkeypatch.setattr(compression, "MAX_BYTES", 1_000_000)
    with pytest.raises(ValueError, match=r"rows\.parquet: .* column holds more than 1,000,000 bytes .* as a text file"):
        read_column(f"{path}:p")
