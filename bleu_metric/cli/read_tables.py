"""Tables as text -> the values of one column: JSON Lines, JSON arrays, CSV, TSV.

CSV is what spreadsheets and pandas write: cells with commas or line breaks stand in quotes. TSV has no quotes, as its
media type (text/tab-separated-values) says: a quote is part of the text. The first row of both names the columns.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from .._display import printable
from .._validation import short_repr, unknown_message

JSON_LINES = (".jsonl", ".ndjson")
JSON = (".json",)
SEPARATED = {".csv": ",", ".tsv": "\t"}
TEXT_TABLES = (*JSON_LINES, *JSON, *SEPARATED)


def read_text_table(path: str, suffix: str, lines: Sequence[bytes], column: str | None) -> list[Any]:
    """Read one column of a table.

    Args:
        path: what errors call the file.
        suffix: one of `TEXT_TABLES`: how the file is written.
        lines: its lines, which are UTF-8.
        column: the name of the column; None: the only one.

    Returns:
        The values, one per row.

    Raises:
        ValueError: there is no such column or no row, or a row cannot be read; the error names it.
    """
    if suffix in SEPARATED:
        values = _read_separated(path, suffix, lines, column)
    elif suffix in JSON and _starts_with_bracket(lines):
        values = _read_json_array(path, b"\n".join(lines), column)
    else:
        values = _read_json_lines(path, lines, column)
    if not values:
        raise ValueError(f"{printable(path)}: the file is empty; one row a segment is needed")
    return values


def only_column(path: str, columns: Sequence[str]) -> str:
    """Give the only column of a table; ``ValueError`` names the columns if there are several."""
    shown = printable(path)
    if not columns:
        raise ValueError(f"{shown}: there is no column of texts")
    if len(columns) > 1:
        names = ", ".join(map(printable, columns))
        raise ValueError(f"{shown}: say which column, e.g. {shown}:{printable(columns[0])}; it has {names}")
    return columns[0]


# --- JSON -----------------------------------------------------------------------------------------------------------


def _starts_with_bracket(lines: Sequence[bytes]) -> bool:
    first = next((line.lstrip() for line in lines if line.strip()), b"")
    return first.startswith(b"[")


def _read_json_lines(path: str, lines: Sequence[bytes], column: str | None) -> list[Any]:
    """Read one object a line; a column that an object lacks is an error that names the line."""
    values = []
    for number, line in enumerate(lines, 1):
        where = f"{printable(path)}, line {number}"
        row = _parse(line.decode(), where)
        if not isinstance(row, dict):
            raise ValueError(f"{where}: a JSON object is needed, got {printable(line.decode()[:40])}")
        column = column or only_column(path, list(row))
        values.append(_json_field(row, column, where))
    return values


def _read_json_array(path: str, content: bytes, column: str | None) -> list[Any]:
    """Read an array of texts, or of lists of references, or of objects with such a column."""
    entries = _parse(content.decode(), printable(path))
    if not any(isinstance(entry, dict) for entry in entries):
        if column is not None:
            raise ValueError(f"{printable(path)}: its array holds no objects, and so there is no column {column!r}")
        return list(entries)
    values = []
    for number, row in enumerate(entries, 1):
        where = f"{printable(path)}, entry {number}"
        if not isinstance(row, dict):
            raise ValueError(f"{where}: a JSON object is needed, as the others are, got {printable(str(row)[:40])}")
        column = column or only_column(path, list(row))
        values.append(_json_field(row, column, where))
    return values


def _parse(text: str, where: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_as_object)
    except _RepeatedNameError as error:
        raise ValueError(f"{where}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where}: not JSON: {error}") from None


class _RepeatedNameError(ValueError):
    """An object has two values of one name."""


def _as_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object. Of two values of one name, Python would take the last without a word."""
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise _RepeatedNameError(f"{names.count(repeated)} values of an object are called {short_repr(repeated)}")
    return row


def _json_field(row: dict[str, Any], column: str, where: str) -> Any:
    """Get a field by its name, or by the path to it: ``translation.en``."""
    if column in row:
        return row[column]
    value: Any = row
    for name in column.split("."):
        if not isinstance(value, dict) or name not in value:
            raise ValueError(f"{where}: {unknown_message('column', column, row)}")
        value = value[name]
    return value


# --- CSV and TSV ----------------------------------------------------------------------------------------------------


def _read_separated(path: str, suffix: str, lines: Sequence[bytes], column: str | None) -> list[Any]:
    """Read the cells of a column; every row has as many cells as the first."""
    rows = _separated_rows(path, suffix, lines)
    _, heads = next(rows, (1, []))
    if suffix == ".csv" and len(heads) == 1 and any(mark in heads[0] for mark in ";\t"):
        raise ValueError(f"{printable(path)}, line 1: no commas between columns; save the table with commas")
    name = column or only_column(path, heads)
    if name not in heads:
        raise ValueError(f"{printable(path)}, line 1: {unknown_message('column', name, heads)}")
    if heads.count(name) > 1:
        raise ValueError(f"{printable(path)}, line 1: {heads.count(name)} columns are called {name!r}")
    place = heads.index(name)
    values = []
    for line, row in rows:
        if not row and len(heads) > 1:
            continue  # an empty line
        cells = row or [""]
        if len(cells) != len(heads):
            hint = "" if suffix == ".csv" else "; TSV has no quotes: save cells with tabs or line breaks as CSV"
            raise ValueError(
                f"{printable(path)}: the row that ends on line {line} has {len(cells)} cells, the first row has "
                f"{len(heads)}{hint}"
            )
        values.append(cells[place])
    return values


def _separated_rows(path: str, suffix: str, lines: Sequence[bytes]) -> Iterator[tuple[int, list[str]]]:
    """Give each row and the number of the line on which it ends."""
    if suffix == ".tsv":
        for number, line in enumerate(lines, 1):
            yield number, line.decode().split("\t")
        return
    import csv  # here: most files are not CSV

    texts = (line.decode() + "\n" for line in lines)
    old_limit = csv.field_size_limit(sys.maxsize)  # a cell may be as long as any other text
    reader = csv.reader(texts, strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise ValueError(f"{printable(path)}, line {reader.line_num}: not CSV: {error}") from None
    finally:
        csv.field_size_limit(old_limit)
