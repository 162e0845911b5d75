"""Open an input file: decompressed, checked to be UTF-8, and read in blocks of whole lines."""

from __future__ import annotations

import os
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO
from weakref import finalize

from .._corpus import StoredRows
from .._display import printable
from .._threads import lock_of_module
from .compression import CODECS, codec_of, decompress

DASH = "-"  # the file name that means standard input
_LOCK = lock_of_module()  # held while bytes are read, because several threads read the same file
_BYTES_PER_BLOCK = 1 << 15  # with larger blocks, short slices of a file take longer to read
_BYTES_OF_START = 20  # enough for a byte order mark and the longest of the starts in `kinds.KINDS`
_UTF8_MARK = b"\xef\xbb\xbf"
# Byte order mark -> encoding. The mark of UTF-32 comes first, because it begins with the mark of UTF-16
_ENCODING_OF_MARK = {
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_STRICT_ENCODINGS = ("GB18030", "BIG5", "SHIFT_JIS", "EUC-JP", "EUC-KR")  # they reject most other texts
_LOOSE_ENCODINGS = "KOI8-R, CP1251 or CP1256"  # they accept nearly all bytes, so they cannot be recognized


@contextmanager
def naming_file(path: str) -> Iterator[None]:
    """Convert a ``TypeError`` or ``ValueError`` to a ``ValueError`` whose message begins with `path`."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise ValueError(f"{printable(path)}: {error}") from None


def content_suffix(path: str) -> str:
    """Return the suffix in lower case, without a compression suffix: "a.JSONL.gz" -> ".jsonl"."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    while suffixes and suffixes[-1] in CODECS:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def open_file(path: str, stack: ExitStack) -> IO[bytes]:
    """Open a file or standard input, decompressed and seekable. `stack` closes the returned file."""
    file: IO[bytes] = sys.stdin.buffer if path == DASH else stack.enter_context(Path(path).open("rb"))  # noqa: SIM115
    if path == DASH or not file.seekable():
        file = _copy(file, stack)
    codec = codec_of(start_of(file), Path(path).suffix.lower())
    return _copy(decompress(file, codec), stack) if codec else file


def start_of(file: IO[bytes]) -> bytes:
    """Return the first bytes of a file, and go back to its start."""
    start = file.read(_BYTES_OF_START)
    file.seek(0)
    return start


def _copy(blocks: Iterable[bytes], stack: ExitStack) -> IO[bytes]:
    """Copy blocks of bytes to a temporary file, which `stack` closes."""
    # Imported here so that commands which copy nothing start faster
    from tempfile import TemporaryFile

    copy = stack.enter_context(TemporaryFile())  # noqa: SIM115
    copy.writelines(blocks)
    copy.seek(0)
    return copy


# --- Texts ----------------------------------------------------------------------------------------------------------


def blocks_of_lines(file: IO[bytes]) -> Iterator[tuple[bytes, int, int]]:
    """Yield each block of whole lines, from the start of a file, with its offset and the number of its lines.

    Raise ``ValueError`` with the line and the byte if the file is not UTF-8. A byte order mark is skipped.
    """
    lines_before = 0
    file.seek(0)
    file.seek(len(_UTF8_MARK) if file.read(len(_UTF8_MARK)) == _UTF8_MARK else 0)
    while block := file.read(_BYTES_PER_BLOCK) + file.readline():
        _check_utf8(block, lines_before)
        n_lines = block.count(b"\n") + (not block.endswith(b"\n"))  # the last line may have no line feed
        yield block, file.tell() - len(block), n_lines
        lines_before += n_lines


def lines_of(block: bytes) -> list[str]:
    """Split a block at LF or CR LF. A line feed at the end does not begin another line."""
    if b"\r" in block:  # this test is ten times faster than the next line
        block = block.replace(b"\r\n", b"\n")
    return block.decode().removesuffix("\n").split("\n")


def text_lines(file: IO[bytes]) -> Iterator[str]:
    """Yield the lines of a file, from its start. Errors: as for `blocks_of_lines`."""
    return chain.from_iterable(lines_of(block) for block, _, _ in blocks_of_lines(file))


def with_line_feeds(file: IO[bytes], stack: ExitStack) -> IO[bytes]:
    """Return the file or, if it has CR but no LF, a copy with LF instead. `stack` closes the copy."""
    has_feeds = b"\r" not in file.readline(_BYTES_PER_BLOCK)  # the first line shows whether lines may end with CR
    file.seek(0)
    has_feeds = has_feeds or any(b"\n" in block for block in _blocks(file))
    file.seek(0)
    return file if has_feeds else _copy((block.replace(b"\r", b"\n") for block in _blocks(file)), stack)


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    return iter(partial(file.read, 1 << 20), b"")


def stored_lines(file: IO[bytes], path: str, stack: ExitStack) -> StoredRows:
    """Check that a file is UTF-8, and return its lines. Lines are read from the file only when they are used.

    Reading a line raises ``OSError`` if the file has changed. `stack`: what to close when the lines are no longer used.
    """
    time_of_change = _time_of_change(file)
    # One item per block of whole lines, and one for the end of the file
    offsets = [0]
    lines_before = [0]
    for block, offset, n_lines in blocks_of_lines(file):
        offsets[-1] = offset
        offsets.append(offset + len(block))
        lines_before.append(lines_before[-1] + n_lines)

    def read(first: int, last: int) -> list[str]:
        start = bisect_right(lines_before, first) - 1  # the block with the line `first`
        end = bisect_left(lines_before, last)
        n_bytes = offsets[end] - offsets[start]
        with _LOCK:
            file.seek(offsets[start])
            data = file.read(n_bytes)
        if len(data) < n_bytes or _time_of_change(file) != time_of_change:
            raise OSError(f"{printable(path)}: the file was changed while it was read; run the command again")

        if b"\r" in data:  # this test is ten times faster than the next line
            data = data.replace(b"\r\n", b"\n")
        lines = data.split(b"\n")[first - lines_before[start] : last - lines_before[start]]
        return list(map(bytes.decode, lines))  # faster than decoding before splitting

    lines = StoredRows(lines_before[-1], read)
    finalize(lines, stack.pop_all().close)
    return lines


def _time_of_change(file: IO[bytes]) -> int:
    """Return the time of the last change. Return 0 for a temporary copy: Windows may record its time with a delay."""
    return 0 if file.writable() else os.fstat(file.fileno()).st_mtime_ns


# --- Encodings ------------------------------------------------------------------------------------------------------


def _check_utf8(block: bytes, lines_before: int) -> None:
    """Raise ``ValueError`` with the line and the byte if a block of lines is not UTF-8."""
    if not lines_before:
        for mark, encoding in _ENCODING_OF_MARK.items():
            if block.startswith(mark):
                raise ValueError(f"the file is {encoding}; {_conversion_from(encoding)}")
    bad = block.find(b"\0")
    if bad < 0:
        try:
            block.decode()
            return
        except UnicodeDecodeError as error:
            bad = error.start

    line = lines_before + block.count(b"\n", 0, bad) + 1
    end_of_previous_line = block.rfind(b"\n", 0, bad)  # -1 on the first line
    where = f"line {line}: byte {bad - end_of_previous_line} (0x{block[bad]:02x})"
    if block[bad]:
        others = ", ".join([*(name for name in _STRICT_ENCODINGS if _decodes(block, name)), _LOOSE_ENCODINGS])
        raise ValueError(
            f"{where} is not UTF-8; if the file is Latin-1, {_conversion_from('LATIN1')}; it may also be {others}"
        )
    # Zero bytes: the letter a is 61 00 in UTF-16LE, and 00 61 in UTF-16BE. Nearly no text in UTF-16 is valid UTF-32
    order = "LE" if block[1::2].count(0) > block[::2].count(0) else "BE"
    width = 32 if _decodes(block[: len(block) // 4 * 4], f"utf-32-{order}") else 16
    encoding = f"UTF-{width}{order}"
    raise ValueError(
        f"{where} is zero, so the file is not UTF-8; if it is text in {encoding}, {_conversion_from(encoding)}"
    )


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        return bool(data.decode(encoding))
    except UnicodeDecodeError:
        return False


def _conversion_from(encoding: str) -> str:
    return f"convert it with: iconv -f {encoding} -t UTF-8 FILE > NEW_FILE"
