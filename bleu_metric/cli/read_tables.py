"""Read one column of a table: JSON Lines, JSON arrays, CSV, TSV or Parquet.

CSV is read as spreadsheets and pandas write it: cells with commas or line breaks are quoted. In TSV, as defined by its
media type (text/tab-separated-values), quotation marks are part of the text. In both, row 1 has the column names.
Errors raised here do not name the file: `files.read_column` adds the name.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .._columns import find_column, split_path
from .._display import printable
from .._lazy import pa
from .._storage import unreadable
from .._validation import short_repr, unknown_message
from .compression import check_decompressed_size

_JSON_LINES = (".jsonl", ".ndjson")
_PARQUET = (".parquet", ".pq")
TABLES = (*_JSON_LINES, ".json", ".csv", ".tsv", *_PARQUET)
UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# Parquet files are read in batches of rows. The total size is checked after each batch
_ROWS_PER_BATCH = 4096


def read_table(content: bytes, suffix: str, name: str | None) -> Any:
    """Read one column of a table.

    Args:
        content: the bytes of the file.
        suffix: the format of the file, one of `TABLES`.
        name: the name of the column. None selects the only column.

    Returns:
        The values, one per row: a list, or an Arrow column for a Parquet file.

    Raises:
        ValueError: there is no such column, or a row cannot be read. An error about a row says which line or
            entry it is.
    """
    if suffix in _PARQUET:
        return _read_parquet(content, name)

    text = decode_utf8(content)
    if suffix == ".csv":
        return _cells(_csv_rows(text), name)
    if suffix == ".tsv":
        return _cells(_tsv_rows(text), name)
    if suffix == ".json" and text.lstrip().startswith("["):
        return _read_json_array(text, name)
    return _fields(_json_lines(text), name)  # a .json file may also contain JSON Lines


def _only_column(columns: Sequence[str]) -> str:
    """Return the name of the only column. Raise ``ValueError`` if there is not exactly one column."""
    if not columns:
        raise ValueError("the table has no columns")
    if len(columns) > 1:
        names = ", ".join(map(printable, columns))
        raise ValueError(f"say which column to read, as in FILE:{printable(columns[0])}; the columns are {names}")
    return columns[0]


def decode_utf8(data: bytes) -> str:
    """Decode UTF-8. Drop a byte order mark and replace CR LF with LF. Raise ``ValueError`` for other encodings."""
    if data.startswith(_UTF16_MARKS):
        raise ValueError("the file is UTF-16; convert it with: iconv -f UTF-16 -t UTF-8 FILE > NEW_FILE")
    content = data.removeprefix(UTF8_MARK)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise ValueError(_not_utf8(content, error.start)) from None
    return text.replace("\r\n", "\n")


def _not_utf8(content: bytes, start: int) -> str:
    """Return an error message about the byte at the index `start`, which is not UTF-8."""
    line = content.count(b"\n", 0, start) + 1
    end_of_previous_line = content.rfind(b"\n", 0, start)  # -1 on the first line
    byte = start - end_of_previous_line  # counted from 1
    where = f"line {line}: byte {byte} (0x{content[start]:02x}) is not UTF-8"
    if b"\0" in content:
        return f"{where}, and there are zero bytes: the content is not plain text"
    return f"{where}; if the file is Latin-1, convert it with: iconv -f LATIN1 -t UTF-8 FILE > NEW_FILE"


def lines_of(text: str) -> list[str]:
    """Split a text at line feeds only. A line feed at the end does not begin another line."""
    return text.removesuffix("\n").split("\n") if text else []


# --- JSON -----------------------------------------------------------------------------------------------------------

# The place of a row, such as "line 3: ", with which error messages begin, and the row itself
_PlacedRow = tuple[str, Any]


def _json_lines(text: str) -> Iterator[_PlacedRow]:
    """Parse JSON Lines. Yield each row together with its place, such as "line 3: "."""
    for number, line in enumerate(lines_of(text), 1):
        where = f"line {number}: "
        yield where, _parse_json(line, where)


def _read_json_array(text: str, name: str | None) -> list[Any]:
    """Return the entries of a JSON array. If they are objects, return the selected field of each."""
    entries: list[Any] = _parse_json(text)
    has_objects = any(isinstance(entry, dict) for entry in entries)
    if has_objects:
        rows = [(f"entry {number}: ", entry) for number, entry in enumerate(entries, 1)]
        return _fields(rows, name)
    if name:
        raise ValueError(f"the JSON array has no objects, so there is no column {name!r}")
    return entries


def _fields(rows: Iterable[_PlacedRow], name: str | None) -> list[Any]:
    """Return the value of the selected field in each row."""
    values = []
    for where, row in rows:
        if not isinstance(row, dict):
            raise ValueError(f"{where}each row must be a JSON object, got {short_repr(row)}")
        # If no name was given, the first row determines it for all rows
        name = name or _only_column(list(row))
        values.append(_field(row, name, where))
    return values


def _field(row: dict[str, Any], name: str, where: str) -> Any:
    """Return the value of a field. `name` is a key of `row`, or a path of keys, such as ``translation.en``."""
    if name in row:
        return row[name]
    value: Any = row
    for key in name.split("."):
        if not isinstance(value, dict) or key not in value:
            raise ValueError(where + unknown_message("column", name, row))
        value = value[key]
    return value


def _parse_json(text: str, where: str = "") -> Any:
    """Parse a JSON text, and return its value. `where` is the beginning of the error message."""
    try:
        return json.loads(text, object_pairs_hook=_as_object)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where}not JSON: {error}") from None


def _as_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs as a dict. Raise ``ValueError`` if a name is repeated: a dict keeps only its last value."""
    row: dict[str, Any] = {}
    for name, value in pairs:
        if name in row:
            raise ValueError(f"the name {short_repr(name)} occurs twice in one object")
        row[name] = value
    return row


# --- CSV and TSV ----------------------------------------------------------------------------------------------------


# The number of the line on which a row ends, and the cells of the row
_NumberedRow = tuple[int, list[str]]


def _cells(rows: Iterator[_NumberedRow], name: str | None) -> list[str]:
    """Return the cells of a column. The first row has the names of the columns."""
    _, heads = next(rows, (1, []))
    if name is None:
        _check_heads(heads)
    index = _index_of_column(heads, name or _only_column(heads))
    # In CSV, an empty line is an empty cell if there is one column. With several columns, it is skipped
    values_of_empty_line = [""] if len(heads) == 1 else []

    values = []
    for line, cells in rows:
        if len(cells) == len(heads):
            values.append(cells[index])
        elif not cells:
            values += values_of_empty_line
        else:
            raise ValueError(
                f"the row that ends on line {line} has {len(cells)} cells, but the first row has {len(heads)}; if "
                "cells have separators or line breaks, save the table as CSV with quotes"
            )
    return values


def _check_heads(heads: list[str]) -> None:
    """Raise ``ValueError`` if the only heading seems to be several headings, as "id;text", or a segment."""
    if len(heads) == 1 and re.search("[; \t]", heads[0].strip()):
        raise ValueError(
            f"line 1 must name the column, but it is {short_repr(heads[0])}; commas separate the columns of CSV, and "
            "tabs those of TSV; if line 1 is a segment, name the file .txt"
        )


def _index_of_column(heads: list[str], name: str) -> int:
    """Return the index of the column called `name`. Raise ``ValueError`` if there is none, or more than one."""
    if name not in heads:
        unknown = unknown_message("column", name, heads)
        raise ValueError(f"line 1: {unknown}; the first line must name the columns")
    if heads.count(name) > 1:
        raise ValueError(f"line 1: {heads.count(name)} columns are called {name!r}")
    return heads.index(name)


def _tsv_rows(text: str) -> Iterator[_NumberedRow]:
    """Yield the rows of TSV. Each line is a row."""
    for number, line in enumerate(lines_of(text), 1):
        yield number, line.split("\t")


def _csv_rows(text: str) -> Iterator[_NumberedRow]:
    """Yield the rows of CSV. Quoted cells may contain line breaks."""
    # Remove the limit on the size of a cell, because csv's default is only 131,072 characters
    csv.field_size_limit(sys.maxsize)
    reader = csv.reader((f"{line}\n" for line in lines_of(text)), strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num}: not CSV: {error}") from None


# --- Parquet --------------------------------------------------------------------------------------------------------


def _read_parquet(content: bytes, name: str | None) -> pa.ChunkedArray:
    """Read a column of a Parquet file, or a field of a column, such as ``translation.en``."""
    import pyarrow.parquet as parquet

    with _naming_damage():
        # This option verifies only pages that have a checksum
        file = parquet.ParquetFile(pa.BufferReader(content), page_checksum_verification=True)
        schema = file.schema_arrow
    path = name or _only_column(schema.names)
    # Raises ValueError if there is no such column or field
    split_path(schema, path)

    with _naming_damage():
        batches = list(_batches(file, path))
    table = pa.Table.from_batches(batches) if batches else schema.empty_table()
    return find_column(table, path)


def _batches(file: Any, path: str) -> Iterator[pa.RecordBatch]:
    """Yield batches of rows of one column. Raise ``ValueError`` before a huge column can fill the memory."""
    n_bytes = 0
    for batch in file.iter_batches(_ROWS_PER_BATCH, columns=[path]):
        n_bytes += batch.nbytes
        check_decompressed_size(n_bytes, "column", "save it as a text file, with one segment per line")
        yield batch


@contextmanager
def _naming_damage() -> Iterator[None]:
    """Convert an error of PyArrow to a ``ValueError`` which says that the file cannot be read."""
    try:
        yield
    except unreadable() as error:
        first_line, *_ = str(error).splitlines() or [""]  # the message may be empty
        raise ValueError(f"the Parquet file cannot be read: {printable(first_line)}") from None
