"""Read one input file: the lines of a text, or a column of a table."""

from __future__ import annotations

import os
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any
from weakref import finalize

from .._corpus import StoredRows
from .._display import printable
from .._threads import lock_of_module
from .compression import CODECS, codec_of, decompress
from .read_tables import TABLES, UTF8_MARK, decode_utf8, lines_of, read_table

DASH = "-"  # the file name that means standard input
_PACKED_SUFFIXES = (".xz", ".zip", ".tar", ".tgz", ".7z", ".rar")
# Advice in the error message -> suffixes of rejected files
_SUFFIXES_OF_ADVICE = {
    "save the table as CSV": (".xlsx", ".xls", ".ods"),
    "extract the segments first, one per line": (".sgm", ".sgml", ".html", ".htm", ".xhtml", ".tmx", ".xlf", ".xliff"),
    "extract the segments first, one per line; for WMT's files, use wmt-unwrap from "
    "https://github.com/wmt-conference/wmt-format-tools": (".xml",),
    "save the document as plain text, one segment per line": (".docx", ".doc", ".odt", ".rtf", ".pdf"),
    f"unpack it first, e.g. with xz -d or unzip; {', '.join(CODECS)} are read as they are": _PACKED_SUFFIXES,
    "save as JSON Lines or Parquet, or one text per line": (".npy", ".npz", ".pkl", ".pickle", ".arrow", ".feather"),
}
_ADVICE_ON_SUFFIX = {suffix: advice for advice, suffixes in _SUFFIXES_OF_ADVICE.items() for suffix in suffixes}
# First bytes of a rejected file, in lower case -> suffix of its format
_SUFFIX_OF_START = {
    b"%pdf-": ".pdf",
    b"{\\rtf": ".rtf",
    b"<?xml": ".xml",
    b"<!doctype html": ".html",
    b"\xfd7zxz\0": ".xz",
    b"pk\3\4": ".zip",
}
# Enough for a byte order mark and the longest key of `_SUFFIX_OF_START`
_BYTES_OF_START = 20
_LOCK = lock_of_module()  # held while bytes are read, because several threads read the same file
_BYTES_PER_BLOCK = 1 << 15  # with larger blocks, short slices of a file take longer to read


def read_column(name: str) -> Any:
    """Read one file: the lines of a text, or a column of a table.

    Args:
        name: a path; ``path:column`` for a column of a table; ``-`` for standard input.

    Returns:
        `StoredRows` for a text, an Arrow column for a Parquet file, and a list for any other table.

    Raises:
        OSError: the file does not exist or cannot be read.
        ValueError: the content of the file cannot be used. The error names the file.
    """
    path, column = split_column(name)
    suffix = content_suffix(path)
    with naming_file(path), ExitStack() as stack:
        if suffix in _ADVICE_ON_SUFFIX:
            raise ValueError(f"texts are not read from {suffix} files; {_ADVICE_ON_SUFFIX[suffix]}")

        file = _open(path, stack)
        _refuse_other_formats(_start_of(file))
        if suffix in TABLES:
            values = read_table(file.read(), suffix, column, path)
        else:
            values = _lines_of_file(file, path)
            finalize(values, stack.pop_all().close)  # closes the file when its lines are no longer used

        if not len(values):
            raise ValueError(f"the file is empty; it must have one segment per {'row' if suffix in TABLES else 'line'}")
    return values


def split_column(name: str) -> tuple[str, str | None]:
    """Split a name such as ``data.parquet:hyp`` into path and column. The column is None if `name` is only a path."""
    if Path(name).exists():
        return name, None

    # Any colon may be the separator, because both the path and the column may contain colons
    colons = [index for index, character in enumerate(name) if character == ":"]
    for colon in reversed(colons):
        path, column = name[:colon], name[colon + 1 :]
        suffix = content_suffix(path)
        # `read_column` rejects the suffixes in `_ADVICE_ON_SUFFIX`
        if suffix in TABLES or suffix in _ADVICE_ON_SUFFIX:
            return path, column
        if Path(path).is_file():
            raise ValueError(
                f"{printable(path)}: only tables ({', '.join(TABLES)}) have columns; there is no file {printable(name)}"
            )
    return name, None


def content_suffix(path: str) -> str:
    """Return the suffix in lower case, without a compression suffix: "a.JSONL.gz" -> ".jsonl"."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    while suffixes and suffixes[-1] in CODECS:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


@contextmanager
def naming_file(path: str) -> Iterator[None]:
    """Convert a ``TypeError`` or ``ValueError`` to a ``ValueError`` whose message begins with `path`."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise ValueError(f"{printable(path)}: {error}") from None


def _open(path: str, stack: ExitStack) -> IO[bytes]:
    """Open a file or standard input, decompressed and seekable. `stack` closes the returned file."""
    file: IO[bytes] = sys.stdin.buffer if path == DASH else stack.enter_context(Path(path).open("rb"))  # noqa: SIM115
    if path == DASH or not file.seekable():
        file = _copy(file, stack)
    codec = codec_of(_start_of(file), Path(path).suffix.lower())
    return _copy(decompress(file, codec), stack) if codec else file


def _start_of(file: IO[bytes]) -> bytes:
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


def _lines_of_file(file: IO[bytes], path: str) -> StoredRows:
    """Check that a file is UTF-8, and return its lines. Lines are read from the file only when they are used.

    Raise ``ValueError`` if the file is not UTF-8. Reading a line raises ``OSError`` if the file has changed.
    """
    time_of_change = _time_of_change(file)
    has_mark = file.read(len(UTF8_MARK)) == UTF8_MARK
    # One item per block of whole lines, and one for the end of the file
    offsets = [file.seek(len(UTF8_MARK) if has_mark else 0)]
    lines_before = [0]
    while block := file.read(_BYTES_PER_BLOCK) + file.readline():
        try:
            decode_utf8(block)
        except ValueError:
            file.seek(0)
            decode_utf8(file.read())  # raises the error with the number of the line in the whole file
            raise
        offsets.append(offsets[-1] + len(block))
        # The last line of a file may have no line feed
        lines_before.append(lines_before[-1] + block.count(b"\n") + (not block.endswith(b"\n")))

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

    return StoredRows(lines_before[-1], read)


def _time_of_change(file: IO[bytes]) -> int:
    """Return the time of the last change. Return 0 for a temporary copy: Windows may record its time with a delay."""
    return 0 if file.writable() else os.fstat(file.fileno()).st_mtime_ns


def split_lines(data: bytes, name: str) -> list[str]:
    r"""Split UTF-8 text into lines, which end with LF or CR LF.

    Args:
        data: the content of a file.
        name: the name of the file in error messages.

    Returns:
        The lines. A line feed at the end does not begin another line.

    Raises:
        ValueError: the bytes are not UTF-8. The error names the line and the byte.

    >>> split_lines(b"one\r\n\r\ntwo", "file")
    ['one', '', 'two']
    """
    with naming_file(name):
        return lines_of(decode_utf8(data))


def _refuse_other_formats(start: bytes) -> None:
    """Raise ``ValueError`` if a file begins like PDF, RTF, XML, HTML, xz or zip, not like plain text."""
    first_bytes = start.removeprefix(UTF8_MARK).lower()
    for start_of_format, suffix in _SUFFIX_OF_START.items():
        if first_bytes.startswith(start_of_format):
            raise ValueError(f"this is a {suffix} file, not plain text; {_ADVICE_ON_SUFFIX[suffix]}")
