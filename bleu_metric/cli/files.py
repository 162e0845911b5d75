"""Text, JSON Lines and Parquet files -> columns, and every error about a file."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from .._arrow import find_column, zip_columns
from .._display import printable
from .._storage import UNREADABLE
from .._validation import unknown_message

_JSON_LINES = (".jsonl", ".ndjson")
_PARQUET = (".parquet", ".pq")
_NOT_READ = {  # files of texts in another form: read as plain text, they would give a wrong score
    ".json": "a JSON file is read one object a line, under a name that ends in .jsonl",
    ".csv": "cut out the column first, one segment a line, or save the table as Parquet",
    ".tsv": "cut out the column first, e.g. with cut -f 2, or save the table as Parquet",
    ".xlsx": "save the column as text, one segment a line",
    ".sgm": "take the segments out first, one a line",
}


class InputFiles(NamedTuple):
    """The outputs of one or more systems, with their references; Arrow columns or lists of equal length."""

    systems: dict[str, Any]
    references: Any
    labels: Any = None  # the group of each segment

    def __len__(self) -> int:
        """Count the segments."""
        return len(self.references)


def read_corpus(systems: Sequence[str], references: Sequence[str], labels: str | None = None) -> InputFiles:
    """Read the files of some systems, of one or more references, and of a label for each segment.

    Raises:
        OSError: a file that is not there or cannot be read.
        ValueError: a file that holds something else than said above, or files of different length; the error names
            file and line.
    """
    if [*systems, *references, labels].count(STDIN) > 1:
        raise ValueError("standard input (-) can be read once; give the other files by name")
    names = _system_names(systems)
    outputs = {name: read_column(path) for name, path in zip(names, systems, strict=True)}
    columns = [read_column(path) for path in references]
    groups = [read_column(labels)] if labels else []
    others = zip(
        [*systems[1:], *references, *([labels] if labels else [])],
        [*list(outputs.values())[1:], *columns, *groups],
        strict=True,
    )
    for path, column in others:
        _check_lengths(systems[0], outputs[names[0]], path, column)
    return InputFiles(outputs, columns[0] if len(columns) == 1 else _together(references, columns), *groups)


def read_column(name: str) -> Any:
    """Read one file: the lines of a text, or a column of a table; an Arrow array or a list."""
    path, column = _column_named(name)
    suffixes = [one.lower() for one in Path(path).suffixes]
    suffix = next((one for one in reversed(suffixes) if one not in OPENERS), "")
    if suffix in _NOT_READ:
        raise ValueError(f"{printable(path)}: texts are not read from {suffix} files; {_NOT_READ[suffix]}")
    if suffix in _PARQUET:
        return _read_parquet(path, column)
    if suffix in _JSON_LINES:
        return _read_json_lines(path, column)
    lines = split_lines(read_bytes(name), name)
    if not len(lines):
        raise ValueError(f"{printable(name)}: the file is empty; one segment a line is needed")
    return lines


def _column_named(name: str) -> tuple[str, str | None]:
    """Take ``data.parquet:hyp`` apart; a colon in the name of a file that is there stays."""
    path, colon, _ = name.rpartition(":")
    if not colon or Path(name).exists() or not Path(path).name:
        return name, None
    pieces = name.split(":")
    for place in range(len(pieces) - 1, 0, -1):  # a column's name may have colons, too
        table = ":".join(pieces[:place])
        whole = Path(table).name.lower()
        for ending in OPENERS:
            whole = whole.removesuffix(ending)
        if whole.endswith((*_PARQUET, *_JSON_LINES, *_NOT_READ)):
            return table, ":".join(pieces[place:])
    if Path(path).exists():
        tables = ", ".join((*_JSON_LINES, *_PARQUET))
        raise ValueError(f"{printable(path)}: only tables ({tables}) have columns; there is no {printable(name)}")
    return name, None


def _read_parquet(path: str, column: str | None) -> Any:
    import pyarrow.parquet as pq

    content = pa.BufferReader(read_bytes(path))
    with _naming_damage(path):
        file = pq.ParquetFile(content)
        names = file.schema_arrow.names
    column = column or _only(path, names)
    with _naming_damage(path):
        table = file.read([name for name in names if f"{column}.".startswith(f"{name}.")] or None)
    return _in_file(path, find_column, table, column)


@contextmanager
def _naming_damage(path: str) -> Iterator[None]:
    try:
        yield
    except UNREADABLE as error:
        reason = (str(error).splitlines() or [""])[0]
        raise ValueError(f"{printable(path)}: the Parquet file cannot be read: {printable(reason)}") from None


def _read_json_lines(path: str, column: str | None) -> list[Any]:
    """Read one object a line; a column that an object lacks is an error that names the line."""
    rows = []
    for number, line in enumerate(split_lines(read_bytes(path), path).to_pylist(), 1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{printable(path)}, line {number}: not JSON: {error}") from None
        if not isinstance(row, dict):
            raise ValueError(f"{printable(path)}, line {number}: a JSON object is needed, got {printable(line[:40])}")
        column = column or _only(path, list(row))
        rows.append(_field(row, column, f"{printable(path)}, line {number}"))
    if not rows:
        raise ValueError(f"{printable(path)}: the file is empty; one JSON object a line is needed")
    return rows


def _field(row: Any, column: str, where: str) -> Any:
    if column in row:
        return row[column]
    value = row
    for name in column.split("."):
        if not isinstance(value, dict) or name not in value:
            raise ValueError(f"{where}: {unknown_message('column', column, row)}")
        value = value[name]
    return value


def _only(path: str, columns: Sequence[str]) -> str:
    if not columns:
        raise ValueError(f"{printable(path)}: there is no column of texts")
    if len(columns) != 1:
        names = ", ".join(map(printable, columns))
        raise ValueError(
            f"{printable(path)}: say which column, e.g. {printable(path)}:{printable(columns[0])}; it has {names}"
        )
    return columns[0]


def _in_file(path: str, read: Callable[..., Any], *arguments: Any) -> Any:
    """Name the file in an error about its columns."""
    try:
        return read(*arguments)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{printable(path)}: {error}") from None


def _together(names: Sequence[str], columns: Sequence[Any]) -> pa.ListArray:
    """Put the references of several files together: one list per segment."""
    texts = []
    for name, column in zip(names, columns, strict=True):
        array = _in_file(name, pa.array, column) if isinstance(column, list) else column
        if isinstance(array, pa.ChunkedArray):
            array = array.combine_chunks()
        kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
        if kind not in (pa.string(), pa.large_string(), pa.string_view()):
            raise ValueError(
                f"{printable(name)}: with several files of references, each holds one text a row, not {kind}"
            )
        texts.append(array.cast(pa.large_string()))
    return zip_columns(list(names), texts)


def _check_lengths(first: str, one: Any, second: str, other: Any) -> None:
    if len(one) == len(other):
        return
    longer, lines = (second, other) if len(other) > len(one) else (first, one)
    last = lines[len(lines) - 1]
    empty = f"; line {len(lines)} of {printable(longer)} is empty" if str(last) == "" else ""
    raise ValueError(
        f"{printable(first)} has {len(one)} segments, but {printable(second)} has {len(other)}{empty}: "
        "line n of each file must belong to segment n"
    )


def _system_names(paths: Sequence[str]) -> list[str]:
    """Name systems by what tells their paths apart.

    >>> _system_names(["out/wmt22.A.en", "out/wmt22.B-2.en"])
    ['A', 'B-2']
    >>> _system_names(["run.txt", "run.beam5.txt"]), _system_names(["d.parquet:hyp", "d.parquet:hyp2"])
    (['run', 'run.beam5'], ['hyp', 'hyp2'])
    """
    if len(paths) == 1:
        return [Path(paths[0]).name or paths[0]]
    for path in paths:
        if paths.count(path) > 1:
            raise ValueError(f"{printable(path)} is given twice")
    end = _common_start([path[::-1] for path in paths])
    paths = [path[: len(path) - end] for path in paths]
    start = _common_start(paths)
    return [path[start:] for path in paths]


def _common_start(texts: Sequence[str]) -> int:
    """How many characters all texts begin with, up to a separator, so that something is left of each."""
    common = next(
        (i for i, letters in enumerate(zip(*texts, strict=False)) if len(set(letters)) > 1), min(map(len, texts))
    )
    while common and (texts[0][common - 1] not in "/\\.:" or common in map(len, texts)):
        common -= 1
    return common


STDIN = "-"
OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_bytes(path: str) -> bytes:
    """Read a file, decompressed as its name says, or standard input."""
    if path == STDIN:
        return sys.stdin.buffer.read()
    opener = OPENERS.get(Path(path).suffix.lower(), open)
    try:
        with opener(path, "rb") as file:
            data: bytes = file.read()
    except (EOFError, OSError, lzma.LZMAError, zlib.error) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise ValueError(f"{printable(path)}: the compressed file is damaged: {error}") from None
    return data


def split_lines(data: bytes, name: str) -> pa.Array:
    r"""Cut the bytes of a file into lines, checked to be UTF-8: an Arrow array of large strings.

    >>> split_lines(b"one\r\n\r\ntwo", "file").to_pylist()
    ['one', '', 'two']
    """
    if data.startswith(_UTF16_MARKS):
        raise ValueError(f"{printable(name)}: the file is UTF-16; convert it with: iconv -f UTF-16 -t UTF-8")
    if data.startswith(_UTF8_MARK):
        data = data[len(_UTF8_MARK) :]
    text = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(text == ord("\n"))
    returns = ends[ends > 0] - 1
    returns = returns[text[returns] == ord("\r")]
    kept = np.ones(len(text), bool)
    kept[ends] = kept[returns] = False
    if len(text) and text[-1] != ord("\n"):
        ends = np.append(ends, len(text))
    offsets = np.empty(len(ends) + 1, np.int64)
    offsets[0], offsets[-1] = 0, np.count_nonzero(kept)
    if len(ends) > 1:
        offsets[1:-1] = ends[:-1] - np.arange(len(ends) - 1) - np.searchsorted(returns, ends[:-1])
    lines = pa.LargeStringArray.from_buffers(len(ends), pa.py_buffer(offsets), pa.py_buffer(text[kept]))
    try:
        lines.validate(full=True)
    except pa.ArrowInvalid:
        raise ValueError(_not_utf8(data, name)) from None
    return lines


def _not_utf8(data: bytes, name: str) -> str:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        where = error.start - (data.rfind(b"\n", 0, error.start) + 1)
        return (
            f"{printable(name)}, line {line}: byte {where + 1} (0x{data[error.start]:02x}) is not UTF-8; if the file "
            f"is Latin-1, convert it with: iconv -f LATIN1 -t UTF-8"
        )
    return f"{printable(name)}: not UTF-8"
