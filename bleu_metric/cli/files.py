"""Read one input file: the lines of a text, or a column of a table."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .._display import printable
from .compression import CODECS, codec_of, decompress
from .read_tables import TABLES, UTF8_MARK, decode_utf8, lines_of, read_table

DASH = "-"  # as the name of a file, it means standard input
_PACKED_SUFFIXES = (".xz", ".zip", ".tar", ".tgz", ".7z", ".rar")
# Advice in the error message -> suffixes of files that are rejected because they have markup or are not plain text
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
# First bytes (in lower case) by which a file that is not plain text is recognized -> suffix of its format
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


def read_column(name: str) -> Any:
    """Read one file: the lines of a text, or a column of a table.

    Args:
        name: a path; ``path:column`` for a column of a table; ``-`` for standard input.

    Returns:
        The lines of a text, or the column of a table: a list, or an Arrow column for a Parquet file.

    Raises:
        OSError: the file does not exist or cannot be read.
        ValueError: the content of the file cannot be used. The error names the file.
    """
    path, column = split_column(name)
    suffix = content_suffix(path)
    with naming_file(path):
        if suffix in _ADVICE_ON_SUFFIX:
            raise ValueError(f"texts are not read from {suffix} files; {_ADVICE_ON_SUFFIX[suffix]}")

        content = _read_bytes(path)
        _refuse_other_formats(content)
        if suffix in TABLES:
            place_of_segment = "row"
            values = read_table(content, suffix, column, path)
        else:
            place_of_segment = "line"
            values = lines_of(decode_utf8(content))

        if not len(values):
            raise ValueError(f"the file is empty; it must have one segment per {place_of_segment}")
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
        # `read_column` rejects the latter, with advice
        if suffix in TABLES or suffix in _ADVICE_ON_SUFFIX:
            return path, column
        if Path(path).is_file():
            raise ValueError(
                f"{printable(path)}: only tables ({', '.join(TABLES)}) have columns; there is no file {printable(name)}"
            )
    return name, None


def content_suffix(path: str) -> str:
    """Return the lower-cased suffix before any compression suffixes, e.g. ``.jsonl`` for ``a.jsonl.gz``."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    while suffixes and suffixes[-1] in CODECS:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


@contextmanager
def naming_file(path: str) -> Iterator[None]:
    """Convert an error about the content of a file to a ``ValueError`` that begins with the path of the file."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise ValueError(f"{printable(path)}: {error}") from None


def _read_bytes(path: str) -> bytes:
    """Return the bytes of standard input or of a file, decompressed if they are compressed."""
    content = sys.stdin.buffer.read() if path == DASH else Path(path).read_bytes()
    codec = codec_of(content, Path(path).suffix.lower())
    return decompress(content, codec) if codec else content


# --- Texts ----------------------------------------------------------------------------------------------------------


def split_lines(data: bytes, name: str) -> list[str]:
    r"""Split UTF-8 text at line feeds. A carriage return before a line feed is removed with it.

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


def _refuse_other_formats(content: bytes) -> None:
    """Raise ``ValueError`` if a file begins like PDF, RTF, XML, HTML, xz or zip, which would be scored as words."""
    first_bytes = content[:_BYTES_OF_START].removeprefix(UTF8_MARK).lower()
    for start, suffix in _SUFFIX_OF_START.items():
        if first_bytes.startswith(start):
            raise ValueError(f"this is a {suffix} file, not plain text; {_ADVICE_ON_SUFFIX[suffix]}")
