"""Read one column of a table: JSON Lines, JSON, CSV, TSV or Parquet.

CSV cells with separators or line breaks are quoted, as spreadsheets and pandas write them. In TSV, quotation marks are
text, except in files that `_has_quoted_cells` recognizes. Row 1 of CSV and TSV has the column names. Errors raised here
do not name the file: `files.read_column` adds the name.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any

from .._display import amount, printable
from .._files import unreadable
from .._lazy import pa
from .._validation import short_repr, unknown_message, warn
from ..scale.columns import find_column, split_path
from .compression import check_decompressed_size

_JSON_LINES = (".jsonl", ".ndjson")
_PARQUET = (".parquet", ".pq")
# Suffix -> characters that separate cells, the usual one first. In many countries, spreadsheets write semicolons
_SEPARATORS = {".csv": ",;\t", ".tsv": "\t;,"}
TABLES = (*_JSON_LINES, ".json", *_SEPARATORS, *_PARQUET)
# A quoted cell of TSV, such as "say ""hi"" to me"
_QUOTED_CELL = re.compile(r"""(?<![^\t\n])"([^"]*+(?:""[^"]*+)*+)"(?![^\t\n])""")
UTF8_MARK = b"\xef\xbb\xbf"
# Byte order mark -> encoding. The mark of UTF-32 comes first, because it begins with the mark of UTF-16
_ENCODING_OF_MARK = {
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
# The total size of a Parquet column is checked after each batch of rows
_ROWS_PER_BATCH = 4096


def read_table(content: bytes, suffix: str, name: str | None, path: str) -> Any:
    """Read one column of a table.

    Args:
        content: the bytes of the file.
        suffix: the format of the file, one of `TABLES`.
        name: the name of the column. None selects the only column.
        path: the path of the file, for warnings.

    Returns:
        The values, one per row: a list, or an Arrow column for a Parquet file.

    Raises:
        ValueError: there is no such column, or a row cannot be read. The error names the row's line or entry.
    """
    if suffix in _PARQUET:
        return _read_parquet(content, name)

    text = decode_utf8(content)
    if suffix in _SEPARATORS:
        return _cells(_rows_of_cells(text, suffix, path), name)
    if suffix == ".json" and text.lstrip().startswith("["):
        return _read_json_array(_parse_json(text), name)
    if suffix == ".json" and name and "." in name:
        listed = _rows_of_listed_objects(text, name)
        if listed is not None:
            return listed
    rows = _rows_of_json_columns(text, accepts_lists=suffix == ".json")
    if rows is not None:
        return _fields(enumerate(rows, 1), "entry", name)
    return _fields(_json_lines(text), "line", name)  # a .json file may also contain JSON Lines


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
    for mark, encoding in _ENCODING_OF_MARK.items():
        if data.startswith(mark):
            raise ValueError(f"the file is {encoding}; {_conversion_from(encoding)}")
    content = data.removeprefix(UTF8_MARK)
    if b"\0" in content:
        raise ValueError(_not_text(content))
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{_place_of(content, error.start)} is not UTF-8; if the file is Latin-1, {_conversion_from('LATIN1')}"
        ) from None
    # The test is ten times faster than the replacement
    return text.replace("\r\n", "\n") if "\r" in text else text


def _conversion_from(encoding: str) -> str:
    return f"convert it with: iconv -f {encoding} -t UTF-8 FILE > NEW_FILE"


def _not_text(content: bytes) -> str:
    """Return an error message about the first zero byte, which occurs in UTF-16 and UTF-32 but not in UTF-8."""
    # The letter a is 61 00 in UTF-16LE, and 00 61 in UTF-16BE
    order = "LE" if content[1::2].count(0) > content[::2].count(0) else "BE"
    width = 16
    with suppress(UnicodeDecodeError):
        content.decode(f"utf-32-{order}")  # fails for nearly all texts in UTF-16
        width = 32
    encoding = f"UTF-{width}{order}"
    where = _place_of(content, content.index(0))
    return f"{where} is zero, so the file is not UTF-8; if it is text in {encoding}, {_conversion_from(encoding)}"


def _place_of(content: bytes, index: int) -> str:
    """Return the place of a byte and its value, such as "line 2: byte 4 (0xe9)". Both numbers begin at 1."""
    line = content.count(b"\n", 0, index) + 1
    end_of_previous_line = content.rfind(b"\n", 0, index)  # -1 on the first line
    return f"line {line}: byte {index - end_of_previous_line} (0x{content[index]:02x})"


def lines_of(text: str) -> list[str]:
    """Split a text at line feeds only. A line feed at the end does not begin another line."""
    return text.removesuffix("\n").split("\n") if text else []


# --- JSON -----------------------------------------------------------------------------------------------------------


def _json_lines(text: str) -> Iterator[tuple[int, Any]]:
    """Yield the line number and the value of each row. Skip blank lines."""
    for number, line in enumerate(lines_of(text), 1):
        if line and not line.isspace():
            yield number, _parse_json(line, f"line {number}: ")


def _rows_of_json_columns(text: str, accepts_lists: bool) -> list[Any] | None:
    """Return the rows of a JSON object of columns, as pandas writes it. Return None for any other file.

    With `accepts_lists`, a column may also be a list. In JSON Lines, an object of lists is a row.

    >>> _rows_of_json_columns('{"hyp": {"0": "a", "1": "b"}, "ref": {"0": "c", "1": "d"}}', accepts_lists=False)
    [{'hyp': 'a', 'ref': 'c'}, {'hyp': 'b', 'ref': 'd'}]
    """
    try:
        table = _parse_json(text)
    except ValueError:
        return None  # JSON Lines, or a mistake that is found again
    if not isinstance(table, dict):
        return None

    columns = {}
    for name, column in table.items():
        is_object = isinstance(column, dict) and all(map(str.isdecimal, column))
        if not is_object and not (accepts_lists and isinstance(column, list)):
            return None
        columns[name] = column if is_object else dict(enumerate(column))
    numbers_of_rows = set(map(tuple, columns.values()))
    if len(numbers_of_rows) != 1:
        return None
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*map(dict.values, columns.values()), strict=True)]


def _rows_of_listed_objects(text: str, path: str) -> list[Any] | None:
    """Return a field of each object in a list, such as ``annotations.caption`` in files of COCO.

    Return None if there is no such list.

    >>> _rows_of_listed_objects('{"info": {}, "annotations": [{"caption": "a cat"}]}', "annotations.caption")
    ['a cat']
    """
    try:
        table = _parse_json(text)
    except ValueError:
        return None  # JSON Lines, or a mistake that is found again
    key, _, field = path.partition(".")
    entries = table.get(key) if isinstance(table, dict) else None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        return None
    return _fields(enumerate(entries, 1), f"entry of {key}", field)


def _read_json_array(entries: list[Any], name: str | None) -> list[Any]:
    """Return the entries of a JSON array. If the entries are objects, return the field `name` of each."""
    has_objects = any(isinstance(entry, dict) for entry in entries)
    if has_objects:
        return _fields(enumerate(entries, 1), "entry", name)
    if name:
        raise ValueError(f"the JSON array has no objects, so there is no column {name!r}")
    return entries


def _fields(rows: Iterable[tuple[int, Any]], unit: str, name: str | None) -> list[Any]:
    """Return the field `name` of each row. Errors contain `unit` and the row's number, such as "line 2".

    >>> _fields([(1, {"hyp": "a"}), (2, {"hyp": "b"})], "line", None)
    ['a', 'b']
    """
    values = []
    for number, row in rows:
        if not isinstance(row, dict):
            raise ValueError(f"{unit} {number}: each row must be a JSON object, got {short_repr(row)}")
        # Without a name, the first row's only field is read in all rows
        name = name or _only_column(list(row))
        values.append(_field(row, name, f"{unit} {number}: "))
    return values


def _field(row: dict[str, Any], name: str, where: str) -> Any:
    """Return the value of a field. `name` is a key of `row`, or a path, such as ``translation.en`` or ``texts.0``."""
    if name in row:
        return row[name]
    value: Any = row
    for key in name.split("."):
        # The entries of a list are named by their indices
        fields = {str(index): entry for index, entry in enumerate(value)} if isinstance(value, list) else value
        if not isinstance(fields, dict) or key not in fields:
            raise ValueError(where + unknown_message("column", name, row))
        value = fields[key]
    return value


def _parse_json(text: str, where: str = "") -> Any:
    """Parse a JSON text. `where` is the beginning of the error message."""
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
    if name is None and len(heads) == 1 and " " in heads[0].strip():
        raise ValueError(
            f"line 1 must name the column, but it is {short_repr(heads[0])}; if line 1 is a segment, name the file .txt"
        )

    name = name or _only_column(heads)
    if name not in heads and name.isdecimal() and name != "0":
        return _cells_by_number(chain([(1, heads)], rows), int(name), len(heads))
    if name not in heads:
        raise ValueError(
            f"line 1: {unknown_message('column', name, heads)}; the first line must name the columns. "
            f"If it does not, type the number of the column, from 1 to {len(heads)}"
        )
    if heads.count(name) > 1:
        raise ValueError(f"line 1: {heads.count(name)} columns are called {name!r}")
    index = heads.index(name)
    # An empty line is an empty cell if there is one column. With several columns, an empty line is skipped
    values_of_empty_line = [""] if len(heads) == 1 else []

    values = []
    for line, cells in rows:
        if len(cells) == len(heads):
            values.append(cells[index])
        elif not cells:
            values += values_of_empty_line
        else:
            raise ValueError(
                f"the row that ends on line {line} has {amount(len(cells), 'cell')}, but the first row "
                f"has {len(heads)}; if cells have separators or line breaks, save the table as CSV with quotes"
            )
    return values


def _cells_by_number(rows: Iterable[_NumberedRow], number: int, n_columns: int) -> list[str]:
    """Return column `number`, counted from 1, of a file that does not name its columns."""
    if number > n_columns:
        raise ValueError(f"line 1 has {amount(n_columns, 'cell')}, so there is no column {number}")
    values = []
    for line, cells in rows:
        if not cells:
            continue  # an empty line of CSV
        if len(cells) != n_columns:
            raise ValueError(f"line {line} has {amount(len(cells), 'cell')}, but line 1 has {n_columns}")
        values.append(cells[number - 1])
    first, *others = values
    if first.isidentifier() and not any(map(str.isidentifier, others)):
        warn(f"{short_repr(first)} in line 1 is scored as a text; if line 1 names the columns, type the name: :{first}")
    return values


def _rows_of_cells(text: str, suffix: str, path: str) -> Iterator[_NumberedRow]:
    """Yield the rows of CSV or TSV. The first of `_SEPARATORS` that occurs in the first line separates the cells."""
    head, _, _ = text.partition("\n")
    separators = _SEPARATORS[suffix]
    separator = next((sign for sign in separators if sign in head), separators[0])
    lines = lines_of(text)
    if separator == "\t" and not _has_quoted_cells(text, head, path):
        for number, line in enumerate(lines, 1):
            yield number, line.split("\t")
        return

    # By default, csv limits a cell to 131,072 characters
    csv.field_size_limit(sys.maxsize)
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=separator, strict=True)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num}: not CSV: {error}") from None


def _has_quoted_cells(text: str, head: str, path: str) -> bool:
    """Return whether TSV was written with quoted cells, as by pandas. In doubt, warn and return False.

    In most TSV files, quotation marks are text. `head`: the first line.
    """
    if head.startswith('"') or '\t"' in head:
        return True  # writers that quote all strings also quote the names of the columns
    quoted = _QUOTED_CELL.findall(text)
    if not quoted:
        return False

    unquoted = _QUOTED_CELL.sub("", text)
    has_doubled_marks = any('""' in cell for cell in quoted)
    n_tabs = head.count("\t")
    has_broken_rows = any(line and line.count("\t") != n_tabs for line in lines_of(text))
    # A writer quotes every cell that has a quotation mark, a tab or a line break
    if '"' not in unquoted and (has_doubled_marks or has_broken_rows):
        return True

    # Spreadsheets also quote every cell that has a comma
    is_like_spreadsheet = all("," in cell or "\n" in cell for cell in quoted) and "," not in unquoted
    if has_doubled_marks or is_like_spreadsheet:
        cells = amount(len(quoted), "cell")
        warn(
            f"{printable(path)}: the quotation marks around {cells} are scored as text; if a spreadsheet or a program "
            "added them, save the table as CSV"
        )
    return False


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
    column, *fields = split_path(schema, path)
    has_index = any(map(str.isdecimal, fields))  # then the whole column is read

    with _naming_damage():
        batches = list(_batches(file, column if has_index else path))
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
    """Convert an error of PyArrow to a ``ValueError`` that says that the file cannot be read."""
    try:
        yield
    except unreadable() as error:
        first_line, *_ = str(error).splitlines() or [""]  # the message may be empty
        raise ValueError(f"the Parquet file cannot be read: {printable(first_line)}") from None
