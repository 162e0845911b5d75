"""Files of texts and tables -> columns, and every error about a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
import pyarrow as pa

from .._columns import find_column, zip_columns
from .._display import printable
from .._storage import UNREADABLE
from .compression import (
    COMPRESSED_SUFFIXES,
    FileTooLargeError,
    check_decompressed_size,
    decompress_file,
    decompressed_limit,
)
from .read_tables import TEXT_TABLES, only_column, read_text_table

STDIN = "-"
_PARQUET = (".parquet", ".pq")
_NOT_READ = {  # files of texts in another form: read as plain text, they would give a wrong score
    ".xlsx": "save the table as CSV",
    ".sgm": "take the segments out first, one a line",
}
_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_PARQUET_ROWS = 4096  # read at once: the size of what was read is checked after each such step


@dataclass(frozen=True)
class InputFiles:
    """What the files of a command line hold, in Arrow columns or lists of equal length."""

    systems: dict[str, Any]
    """The predictions of each system, by the system's name."""
    references: Any
    """One or more references for each segment."""
    labels: Any = None
    """The group of each segment; None if no file of labels was given."""

    @property
    def segments(self) -> int:
        """The number of segments."""
        return len(self.references)


def read_corpus(systems: Sequence[str], references: Sequence[str], labels: str | None = None) -> InputFiles:
    """Read the predictions of one or more systems, one or more references, and labels.

    Args:
        systems: a file for each system, or ``file:column``; ``name=file`` names the system.
        references: a file for each reference, or ``file:column``.
        labels: a file, or ``file:column``, with the group of each segment.

    Returns:
        The columns; a name for each system, made of what tells the paths apart.

    Raises:
        click.UsageError: standard input, a system or a name of one is given twice.
        OSError: a file is not there or cannot be read.
        ValueError: the content of a file cannot be used, or files differ in length; the error names file and line.
    """
    label_files = [labels] if labels else []
    given_names, system_paths = zip(*map(_split_name, systems), strict=True)
    paths = [*system_paths, *references, *label_files]
    _refuse_repeated(paths, system_paths)
    names = _names_of_systems(given_names, system_paths)
    read = [(path, read_column(path)) for path in paths]
    _check_lengths(read)

    system_columns = [column for _, column in read[: len(systems)]]
    reference_columns = read[len(systems) : len(systems) + len(references)]
    label_columns = [column for _, column in read[len(systems) + len(references) :]]
    return InputFiles(
        systems=dict(zip(names, system_columns, strict=True)),
        references=_join_references(reference_columns),
        labels=label_columns[0] if label_columns else None,
    )


def _refuse_repeated(paths: Sequence[str], systems: Sequence[str]) -> None:
    if paths.count(STDIN) > 1:
        raise click.UsageError("standard input (-) can be read once; give the other files by name")
    for path in systems:
        if systems.count(path) > 1:
            raise click.UsageError(f"{printable(path)} is given twice")


def _check_lengths(read: Sequence[tuple[str, Any]]) -> None:
    """Compare the length of every file with that of the first."""
    first, column = read[0]
    for other, other_column in read[1:]:
        if len(other_column) == len(column):
            continue
        longer, lines = max((first, column), (other, other_column), key=lambda file: len(file[1]))
        has_empty_end = str(lines[len(lines) - 1]) == ""
        hint = f"; line {len(lines)} of {printable(longer)} is empty" if has_empty_end else ""
        raise ValueError(
            f"{printable(first)} has {len(column)} segments, but {printable(other)} has {len(other_column)}{hint}: "
            "line n of each file must belong to segment n"
        )


def _join_references(files: Sequence[tuple[str, Any]]) -> Any:
    """Take the column of one file as it is; make one list per segment of the texts of several files."""
    if len(files) == 1:
        return files[0][1]
    texts = [_plain_texts(path, column) for path, column in files]
    return zip_columns([path for path, _ in files], texts)


def _plain_texts(path: str, column: Any) -> pa.Array:
    """Make large strings of a column of texts; refuse lists, numbers and whatever else is not a text."""
    if isinstance(column, list):
        with _naming_file(path):
            column = pa.array(column)
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    is_dictionary = pa.types.is_dictionary(column.type)
    value_type = column.type.value_type if is_dictionary else column.type
    if value_type not in (pa.string(), pa.large_string(), pa.string_view()):
        raise ValueError(
            f"{printable(path)}: with several files of references, each holds one text a row, not {value_type}"
        )
    return column.cast(pa.large_string())


def _split_name(system: str) -> tuple[str | None, str]:
    """Split ``name=file`` at its first equals sign; a file with such a name, or in such a folder, stays whole.

    >>> _split_name("A=out/a.txt"), _split_name("runs/lr=0.1/a.txt")
    (('A', 'out/a.txt'), (None, 'runs/lr=0.1/a.txt'))
    """
    name, equals, path = system.partition("=")
    is_path = not equals or not name or not path or "/" in name or "\\" in name
    if is_path or Path(system).exists() or Path(_split_column(system)[0]).exists():
        return None, system
    return name, path


def _names_of_systems(given: Sequence[str | None], paths: Sequence[str]) -> list[str]:
    """Take the names that were given, and make the others."""
    names = [name or made for name, made in zip(given, _system_names(paths), strict=True)]
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(f"two systems are called {printable(name)}; give each its own name, as name=file")
    return names


def _system_names(paths: Sequence[str]) -> list[str]:
    """Name systems by what tells their paths apart.

    >>> _system_names(["out/wmt22.A.en", "out/wmt22.B-2.en"])
    ['A', 'B-2']
    >>> _system_names(["run.txt", "run.beam5.txt"]), _system_names(["d.parquet:hyp", "d.parquet:hyp2"])
    (['run', 'run.beam5'], ['hyp', 'hyp2'])
    """
    if len(paths) == 1:
        return [Path(paths[0]).name or paths[0]]
    common_end = _common_start([path[::-1] for path in paths])
    without_end = [path[: len(path) - common_end] for path in paths]
    common_start = _common_start(without_end)
    return [path[common_start:] for path in without_end]


def _common_start(texts: Sequence[str]) -> int:
    """How many characters all texts begin with, up to a separator, so that something is left of each."""
    shortest = min(map(len, texts))
    common = 0
    while common < shortest and len({text[common] for text in texts}) == 1:
        common += 1
    while common and (texts[0][common - 1] not in "/\\.:" or common == shortest):
        common -= 1
    return common


def read_column(name: str) -> Any:
    """Read one file: the lines of a text, or a column of a table.

    Args:
        name: a path; ``path:column`` for a table; ``-`` for standard input.

    Returns:
        An Arrow array of texts, or what the column holds: an Arrow array or a list.

    Raises:
        OSError, ValueError: as `read_corpus` says.
    """
    path, column = _split_column(name)
    suffix = _content_suffix(path)
    if suffix in _NOT_READ:
        raise ValueError(f"{printable(path)}: texts are not read from {suffix} files; {_NOT_READ[suffix]}")
    if suffix in _PARQUET:
        return _read_parquet(path, column)
    if suffix in TEXT_TABLES:
        return read_text_table(path, suffix, _checked_lines(read_bytes(path), path), column)
    lines = split_lines(read_bytes(name), name)
    if not len(lines):
        raise ValueError(f"{printable(name)}: the file is empty; one segment a line is needed")
    return lines


def _content_suffix(path: str) -> str:
    """Find the ending that says what a file holds, below those of compression: ``.jsonl`` of ``a.jsonl.gz``."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    while suffixes and suffixes[-1] in COMPRESSED_SUFFIXES:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def _split_column(name: str) -> tuple[str, str | None]:
    """Split ``data.parquet:hyp`` at its colon; a name with a colon that is a file stays whole."""
    path, colon, _ = name.rpartition(":")
    if not colon or Path(name).exists() or not Path(path).name:
        return name, None
    parts = name.split(":")
    for place in range(len(parts) - 1, 0, -1):  # a column's name may have colons, too
        table = ":".join(parts[:place])
        if _content_suffix(table) in (*_PARQUET, *TEXT_TABLES, *_NOT_READ):
            return table, ":".join(parts[place:])
    if Path(path).exists():
        tables = ", ".join((*TEXT_TABLES, *_PARQUET))
        raise ValueError(f"{printable(path)}: only tables ({tables}) have columns; there is no {printable(name)}")
    return name, None


def _read_parquet(path: str, column: str | None) -> Any:
    import pyarrow.parquet as pq

    content = pa.BufferReader(read_bytes(path))
    with _naming_damage(path):
        file = pq.ParquetFile(content, page_checksum_verification=True)  # of the pages that have checksums
        names = file.schema_arrow.names
    column = column or only_column(path, names)
    wanted = [name for name in names if name in (column, column.split(".")[0])]
    with _naming_damage(path):
        table = _read_table(path, file, wanted or names)
    with _naming_file(path):
        return find_column(table, column)


def _read_table(path: str, file: Any, names: Sequence[str]) -> pa.Table:
    """Read columns step by step, so that a small file of a huge table is refused before it fills the memory."""
    limit = decompressed_limit()
    batches = []
    size = 0
    for batch in file.iter_batches(_PARQUET_ROWS, columns=names):
        size += batch.nbytes
        check_decompressed_size(path, size, limit)
        batches.append(batch)
    return pa.Table.from_batches(batches) if batches else file.read(names)


@contextmanager
def _naming_file(path: str) -> Iterator[None]:
    """Name the file in an error about its columns."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise ValueError(f"{printable(path)}: {error}") from None


@contextmanager
def _naming_damage(path: str) -> Iterator[None]:
    """Name the file in what Arrow says of a damaged one."""
    try:
        yield
    except FileTooLargeError:
        raise
    except UNREADABLE as error:
        reason = (str(error).splitlines() or [""])[0]
        raise ValueError(f"{printable(path)}: the Parquet file cannot be read: {printable(reason)}") from None


def read_bytes(path: str) -> bytes:
    """Read standard input, or a file, decompressed if its name says that it is compressed."""
    if path == STDIN:
        return sys.stdin.buffer.read()
    if Path(path).suffix.lower() in COMPRESSED_SUFFIXES:
        return decompress_file(path)
    return Path(path).read_bytes()


def split_lines(data: bytes, name: str) -> pa.Array:
    r"""Split UTF-8 text at line feeds; a carriage return before one belongs to it.

    Args:
        data: the content of a file.
        name: what errors call the file.

    Returns:
        The lines, an Arrow array of large strings; a line feed at the end begins no further line.

    Raises:
        ValueError: bytes that are not UTF-8; the error says where.

    >>> split_lines(b"one\r\n\r\ntwo", "file").to_pylist()
    ['one', '', 'two']
    """
    lines = _checked_lines(data, name)
    offsets = np.zeros(len(lines) + 1, np.int64)
    lengths = np.fromiter(map(len, lines), np.int64, len(lines))
    np.cumsum(lengths, out=offsets[1:])
    text = b"".join(lines)
    # `pa.array(lines)` does the same, but imports pandas where it is installed, which takes 0.2 s
    return pa.LargeStringArray.from_buffers(len(lines), pa.py_buffer(offsets), pa.py_buffer(text))


def _checked_lines(data: bytes, name: str) -> list[bytes]:
    if data.startswith(_UTF16_MARKS):
        raise ValueError(f"{printable(name)}: the file is UTF-16; convert it with: iconv -f UTF-16 -t UTF-8")
    content = data.removeprefix(_UTF8_MARK)
    try:
        content.decode()
    except UnicodeDecodeError as error:
        raise ValueError(_not_utf8_message(content, error.start, name)) from None
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n")
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _not_utf8_message(data: bytes, place: int, name: str) -> str:
    line = data.count(b"\n", 0, place) + 1
    line_start = data.rfind(b"\n", 0, place) + 1
    return (
        f"{printable(name)}, line {line}: byte {place - line_start + 1} (0x{data[place]:02x}) is not UTF-8; if the "
        "file is Latin-1, convert it with: iconv -f LATIN1 -t UTF-8"
    )
