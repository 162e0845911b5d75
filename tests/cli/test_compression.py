"""Compressed files: every byte is decoded and checked, or the file is rejected."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import printed
from hypothesis import given
from hypothesis import strategies as st

from bleu_metric.cli.compression import decompress_file
from bleu_metric.cli.files import read_column

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": partial(pa.compress, codec="zstd", asbytes=True),
}
SUFFIXES = sorted(COMPRESS)
CHECKED = [".bz2", ".gz", ".xz"]  # Arrow writes zstd without a checksum
FIRST = "".join(f"the cat {number} sat on the mat\n" for number in range(50)).encode()
SECOND = "".join(f"a dog {number} lay on the rug\n" for number in range(50)).encode()


def written(folder: Path, suffix: str, data: bytes) -> str:
    path = folder / f"text{suffix}"
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_streams_one_after_another(suffix: str, tmp_path: Path) -> None:
    compress = COMPRESS[suffix]
    data = compress(FIRST) + compress(b"") + compress(SECOND)
    assert decompress_file(written(tmp_path, suffix, data)) == FIRST + SECOND


def test_many_streams(tmp_path: Path) -> None:
    """As pbzip2 writes them; streams begin anywhere in the blocks that are read."""
    lines = FIRST.splitlines(keepends=True) * 20
    for suffix, compress in COMPRESS.items():
        data = b"".join(map(compress, lines))
        assert decompress_file(written(tmp_path, suffix, data)) == b"".join(lines), suffix


@pytest.mark.parametrize("suffix", CHECKED)
def test_flipped_bits_of_a_second_stream(suffix: str, tmp_path: Path) -> None:
    """Python's own readers of bzip2 and xz give the first stream alone, without an error."""
    compress = COMPRESS[suffix]
    first, second = compress(FIRST), compress(SECOND)
    accepted = 0
    for bit in range(8 * len(second)):
        damaged = bytearray(second)
        damaged[bit // 8] ^= 1 << bit % 8
        path = written(tmp_path, suffix, first + damaged)
        try:
            content = decompress_file(path)
        except ValueError as error:
            assert str(error).startswith("the compressed file is damaged: ")  # noqa: PT017
        else:  # a bit without a meaning: the date of a gzip stream, the last bits of bzip2
            assert content == FIRST + SECOND
            accepted += 1
    assert accepted < 8 * len(second) / 5


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("garbage", [b"x", b"garbage", b"\n", b"\0\0\0\0x", b"BZh", b"\xfd7zXZ\0", b"\x1f\x8b"])
def test_garbage_behind_a_stream(suffix: str, garbage: bytes, tmp_path: Path) -> None:
    path = written(tmp_path, suffix, COMPRESS[suffix](FIRST) + garbage)
    with pytest.raises(ValueError, match="the compressed file is damaged"):
        decompress_file(path)


@pytest.mark.parametrize("zeros", [0, 4, 8, 4096, 20_000])
def test_zero_padding_of_xz(zeros: int, tmp_path: Path) -> None:
    """Behind a stream and between streams, where Python's own reader drops what follows."""
    padding = b"\0" * zeros
    data = lzma.compress(FIRST) + padding + lzma.compress(SECOND) + padding
    assert decompress_file(written(tmp_path, ".xz", data)) == FIRST + SECOND


@pytest.mark.parametrize("zeros", [1, 2, 3, 5, 16_383])
def test_padding_of_xz_that_is_not_whole(zeros: int, tmp_path: Path) -> None:
    path = written(tmp_path, ".xz", lzma.compress(FIRST) + b"\0" * zeros)
    with pytest.raises(ValueError, match="the compressed file is damaged"):
        decompress_file(path)


def test_zero_bytes_behind_other_formats(tmp_path: Path) -> None:
    """Part of gzip, as tapes have them; not of bzip2."""
    assert decompress_file(written(tmp_path, ".gz", gzip.compress(FIRST) + b"\0" * 7 + gzip.compress(SECOND))) == (
        FIRST + SECOND
    )
    with pytest.raises(ValueError, match="damaged"):
        decompress_file(written(tmp_path, ".bz2", bz2.compress(FIRST) + b"\0" * 4))


def test_xz_without_a_check_of_its_content(tmp_path: Path) -> None:
    path = written(tmp_path, ".xz", lzma.compress(FIRST, check=lzma.CHECK_NONE))
    with pytest.raises(ValueError, match="a stream has no integrity check; compress the text again without --check"):
        decompress_file(path)


@pytest.mark.parametrize("suffix", CHECKED)
@given(data=st.data())
def test_damaged_files_are_refused_or_right(
    suffix: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Flips, cuts, insertions and exchanges of streams: the right bytes, whole streams of them, or a refusal."""
    compress = COMPRESS[suffix]
    streams = [compress(FIRST), compress(SECOND)]
    whole = b"".join(data.draw(st.lists(st.sampled_from(streams), min_size=1, max_size=3)))
    start = data.draw(st.integers(0, len(whole)))
    removed = data.draw(st.sampled_from([0, 0, 1, 2, 100]))
    damaged = whole[:start] + data.draw(st.binary(max_size=3)) + whole[start + removed :]
    path = written(tmp_path_factory.mktemp("damaged"), suffix, damaged)
    try:
        content = decompress_file(path)
    except ValueError as error:
        assert str(error).startswith("the compressed file is damaged: ")  # noqa: PT017
    else:
        assert content.replace(FIRST, b"").replace(SECOND, b"") == b""


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_that_holds_too_much(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, suffix, COMPRESS[suffix](b"a b c\n" * 10_000))
    monkeypatch.setenv("BLEU_METRIC_MAX_DECOMPRESSED_BYTES", "59999")
    with pytest.raises(ValueError, match="more than 59,999 bytes when decompressed") as caught:
        read_column(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert str(caught.value).endswith("type: export BLEU_METRIC_MAX_DECOMPRESSED_BYTES=119998")
    monkeypatch.setenv("BLEU_METRIC_MAX_DECOMPRESSED_BYTES", "60000")
    assert len(decompress_file(path)) == 60_000


def test_a_table_that_holds_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A column of one text repeated: a few hundred bytes of Parquet."""
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"p": ["a b c d" * 100] * 20_000}), path)
    monkeypatch.setenv("BLEU_METRIC_MAX_DECOMPRESSED_BYTES", "1000000")
    with pytest.raises(ValueError, match=r"rows\.parquet: the file holds more than 1,000,000 bytes"):
        read_column(f"{path}:p")
    monkeypatch.delenv("BLEU_METRIC_MAX_DECOMPRESSED_BYTES")
    assert len(read_column(f"{path}:p")) == 20_000


@pytest.mark.parametrize("limit", ["0", "-1", "4GB", "1.5", "9" * 5000, "\u0664"])
def test_a_limit_that_is_not_a_number(
    limit: str, files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("hyp.gz").write_bytes(gzip.compress(Path("hyp.txt").read_bytes()))
    monkeypatch.setenv("BLEU_METRIC_MAX_DECOMPRESSED_BYTES", limit)
    message = printed(capsys, "score", "hyp.gz", "ref.txt", status=1)
    assert "the environment variable BLEU_METRIC_MAX_DECOMPRESSED_BYTES must be an integer >= 1" in message
    assert len(message) < 200
