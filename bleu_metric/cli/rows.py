"""Read tables as rows: JSON, JSON Lines, CSV, TSV, Parquet, and folders that `datasets` saved.

A row is a dict, and a column is a path into it: ``text``, ``2``, ``outputs.0``, ``translation.de``, ``targets.*.text``.
Errors name the row; `read_columns` adds the file.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple

from .._corpus import StoredRows
from .._display import amount, printable
from .._files import unreadable
from .._lazy import pa
from .._validation import short_repr, unknown_message, warn
from ..scale.columns import find_column, split_path
from .compression import check_decompressed_size
from .files import (
    blocks_of_lines,
    content_suffix,
    lines_of,
    naming_file,
    open_file,
    start_of,
    stored_lines,
    with_line_feeds,
)
from .kinds import JSON, KINDS, kind_of, refuse_by_name, refuse_by_start

_JSON_LINES, _PARQUET = (".jsonl", ".ndjson"), (".parquet", ".pq")
TABLES = (*_JSON_LINES, ".json", ".csv", ".tsv", *_PARQUET)
_STATE = "state.json"  # in each folder that `datasets` saved
_ROWS_PER_BATCH = 4096
NumberedRows = Iterable[tuple[int, Any]]


class Column(NamedTuple):
    """The values of a column or the lines of a text, and the id of each row, if an id was asked for."""

    values: Any
    ids: list[str] | None = None
    is_text: bool = False  # a text file, without columns


def read_column(name: str) -> Any:
    """Read the lines of a text, or a column of a table. `name`: as for `read_columns`."""
    return read_columns([name])[name].values


def read_columns(names: Iterable[str], id_column: str | None = None) -> dict[str, Column]:
    """Read files, each of them once.

    Args:
        names: paths, ``path:column`` for a column of a table, ``-`` for standard input.
        id_column: the path of the id in each row.

    Raises:
        OSError: a file does not exist or cannot be read.
        ValueError: the content of a file cannot be used. The error names the file.
    """
    columns_of_path: dict[str, list[str | None]] = {}
    names = list(dict.fromkeys(names))
    for path, column in map(split_column, names):
        columns_of_path.setdefault(path, []).append(column)
    read = {}
    for path, columns in columns_of_path.items():
        with naming_file(path), ExitStack() as stack:
            for column, values in zip(columns, _read_file(path, columns, id_column, stack), strict=True):
                if not len(values.values):
                    unit = "line" if values.is_text else "row"
                    raise ValueError(f"the file is empty; it must have one segment per {unit}")
                read[path, column] = values
    return {name: read[split_column(name)] for name in names}


def split_column(name: str) -> tuple[str, str | None]:
    """Split a name such as ``data.parquet:hyp`` into path and column. The column is None if `name` is only a path."""
    if Path(name).exists():
        return name, None
    # Any colon may be the separator, because both the path and the column may contain colons
    refused = [suffix for kind in KINDS for suffix in kind.suffixes]
    for colon in reversed([index for index, character in enumerate(name) if character == ":"]):
        path, column = name[:colon], name[colon + 1 :]
        if content_suffix(path) in (*TABLES, *refused) or Path(path).exists():
            return path, column
    return name, None


def _read_file(path: str, columns: Sequence[str | None], id_column: str | None, stack: ExitStack) -> list[Column]:
    if Path(path, _STATE).exists() or Path(path, "dataset_dict.json").exists():
        table = _saved_dataset(Path(path), stack)
        return _arrow_columns(table.column_names, partial(find_column, table), path, columns, id_column)
    suffix = content_suffix(path)
    refuse_by_name(suffix)
    file = open_file(path, stack)
    refuse_by_start(start_of(file))
    if suffix in _PARQUET:
        return _read_parquet(file, path, columns, id_column)
    file = with_line_feeds(file, stack)
    if suffix not in TABLES:
        if not any(columns):
            return [Column(stored_lines(file, path, stack), is_text=True)]
        head = lines_of(next(blocks_of_lines(file), (b"", 0, 0))[0])
        is_json = kind_of(head[:-1] or head) is JSON
        if not is_json and not ("\t" in head[0] and all(map(str.isdecimal, columns))):
            raise ValueError(
                f"only tables ({', '.join(TABLES)}) have columns; there is no file {printable(path)}:{columns[0]}"
            )
        suffix = ".json" if is_json else ".tsv"
    if suffix in (".csv", ".tsv"):
        rows = _cells(_lines(file), suffix, [*filter(None, [*columns, id_column])])
        return _columns_of("line", rows, columns, id_column)
    if suffix == ".json":
        text = "\n".join(line for _, line in _lines(file))
        if text.lstrip().startswith("["):
            return _columns_of("entry", enumerate(_parse_json(text), 1), columns, id_column)
        try:
            document = _parse_json(text)
        except ValueError:
            document = None  # JSON Lines, or a mistake that is found again
        if isinstance(document, dict):
            return [_column_of_object(document, column, id_column) for column in columns]
    rows = ((number, _parse_json(line, f"line {number}: ")) for number, line in _lines(file) if line.strip())
    return _columns_of("line", rows, columns, id_column)


def _lines(file: IO[bytes]) -> Iterator[tuple[int, str]]:
    return enumerate(chain.from_iterable(lines_of(block) for block, _, _ in blocks_of_lines(file)), 1)


# --- Paths into rows -------------------------------------------------------------------------------------------------


def _columns_of(unit: str, rows: NumberedRows, columns: Sequence[str | None], id_column: str | None) -> list[Column]:
    """Return the values at each path. Errors name a row by `unit` and its number, such as "line 2"."""
    rows = iter(rows)
    first = next(rows, None)
    if first is None:
        return [Column([]) for _ in columns]
    paths = [_only_column(first[1]) if column is None else column for column in columns]
    # The id is a path into the row, or a name beside the text, as in annotations.image_id
    id_paths = [_path_of_id(first[1], path, id_column) for path in paths if id_column]
    read: dict[str, list[Any]] = {path: [] for path in [*paths, *id_paths]}
    for number, row in chain([first], rows):
        for path, values in read.items():
            value = row.get(path) if isinstance(row, dict) else None  # the usual case, and fast
            values.append(_value_at(row, path, unit, number) if value is None or isinstance(value, dict) else value)
    ids = [_as_ids(read[path], path) for path in id_paths] or [None] * len(paths)
    return [Column(read[path], keys) for path, keys in zip(paths, ids, strict=True)]


def _as_ids(values: Sequence[Any], path: str) -> list[str]:
    """Return ids as texts, because a CSV file has "3" where a JSON file has 3. Raise ``ValueError`` if one is null."""
    for row, value in enumerate(values, 1):
        if value is None:
            raise ValueError(f"row {row} has no id: its {path} is null")
    return list(map(str, values))


def _only_column(row: Any) -> str:
    """Return the name of the only column; "" if rows are texts. Raise ``ValueError`` if there is not exactly one."""
    if not isinstance(row, dict):
        return ""
    if not row:
        raise ValueError("the table has no columns")
    first, *others = row
    if others:
        names = ", ".join(map(printable, row))
        raise ValueError(f"say which column to read, as in FILE:{printable(first)}; the columns are {names}")
    return first


def _path_of_id(row: Any, path: str, id_column: str) -> str:
    """Return the path of the id: `id_column` itself, or beside the text or a field that has the text."""
    parents = path.split(".")[:-1]
    beside = [".".join([*parents[:end], id_column]) for end in range(len(parents), 0, -1)]
    known = _paths(row) if isinstance(row, dict) else []
    return next((name for name in [id_column, *beside] if name in known), id_column)


def _value_at(row: Any, path: str, unit: str, number: int) -> Any:
    """Return the value at a path. ``*`` means all entries of a list."""
    try:
        return _walk(row, path) if path else row
    except ValueError as error:
        raise ValueError(f"{unit} {number}: {error}") from None


def _walk(row: Any, path: str) -> Any:
    if not isinstance(row, dict):
        raise ValueError(f"each row must be a JSON object, got {short_repr(row)}")
    name = _known_prefix(row, path)
    value, before, keys = row[name], name, path.removeprefix(name).split(".")[1:]
    for place, key in enumerate(keys, 1):
        rest = "".join(f".{later}" for later in keys[place:])
        if isinstance(value, list) and key == "*":
            return [_walk({"": entry}, rest) if rest else entry for entry in value]
        if isinstance(value, list) and not key.isdecimal():
            raise ValueError(
                f"{before} is a list; type {before}.0.{key}{rest} for its first entry, or {before}.*.{key}{rest} for all"
            )
        if isinstance(value, list) and int(key) < len(value):
            value = value[int(key)]
        elif isinstance(value, dict) and key in value:
            value = value[key]
        else:
            raise ValueError(unknown_message("column", path, _paths(row)))
        before = f"{before}.{key}"
    if isinstance(value, dict):
        inner = next(iter(value), "")
        advice = (
            f"name one of them, as in {path}.{inner}" if inner != "0" else 'save it with df.to_json(orient="records")'
        )
        raise ValueError(f"column {path!r} has fields; {advice}")
    return value


def _known_prefix(row: dict[str, Any], path: str) -> str:
    """Return the longest part of a path, from its start, that is a name in a row: "outputs" of "outputs.0"."""
    keys = path.split(".")
    for end in range(len(keys), 0, -1):
        if ".".join(keys[:end]) in row:
            return ".".join(keys[:end])
    raise ValueError(unknown_message("column", path, _paths(row)))


def _paths(row: dict[str, Any]) -> list[str]:
    """Return all paths that a user can type, such as ["id", "translation.en", "translation.de"]."""
    paths = []
    for name, value in row.items():
        paths += [f"{name}.{inner}" for inner in _paths(value)] if isinstance(value, dict) and value else [name]
    return paths


# --- JSON -----------------------------------------------------------------------------------------------------------


def _column_of_object(table: dict[str, Any], column: str | None, id_column: str | None) -> Column:
    """Return a column of one JSON object: lists of equal length are columns, and a list inside has the rows.

    ``annotations.caption`` is a field of each entry of ``annotations``. With an id and without a column, the names of
    the object are the ids of its texts.
    """
    if column is None and id_column and len(table) > 1:
        return Column(list(table.values()), list(table))
    if column is None and len(table) > 1:
        names = f"{', '.join(map(printable, list(table)[:3]))}{', …' * (len(table) > 3)}"
        raise ValueError(
            f"the names of this object are {names}: type FILE:NAME if they are columns, --id id if they are ids"
        )
    lists = list(table.values())
    if all(isinstance(value, list) for value in lists) and len(set(map(len, lists))) == 1:
        rows = [dict(zip(table, cells, strict=True)) for cells in zip(*lists, strict=True)]
        return _columns_of("entry", enumerate(rows, 1), [column], id_column)[0]
    value, keys = table, column.split(".") if column else []
    while keys and isinstance(value, dict) and keys[0] in value:
        value = value[keys.pop(0)]
    if isinstance(value, list):
        return _columns_of("entry", enumerate(value, 1), [".".join(keys) or None if keys else ""], id_column)[0]
    return _columns_of("line", [(1, table)], [column], id_column)[0]


def _parse_json(text: str, where: str = "") -> Any:
    """Parse a JSON text. `where` is the beginning of the error message."""
    try:
        return json.loads(text, object_pairs_hook=_as_object)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where}not JSON: {error}") from None


def _as_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs as a dict. Raise ``ValueError`` if a name is repeated: a dict keeps only its last value."""
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the name {short_repr(max(names, key=names.count))} occurs twice in one object")
    return row


# --- CSV and TSV ----------------------------------------------------------------------------------------------------


def _cells(lines: Iterator[tuple[int, str]], suffix: str, paths: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield a dict for each row, with the names in line 1 or, if none of `paths` is a name, with "1", "2" and so on."""
    rows = _split_rows(lines, suffix)
    _, heads = first = next(rows, (1, []))
    if not paths and len(heads) == 1 and " " in heads[0].strip():
        found = short_repr(heads[0])
        raise ValueError(f"line 1 must name the column, but it is {found}; if line 1 is a segment, name the file .txt")
    if paths and not set(paths) & set(heads):
        if not all(path.isdecimal() and path != "0" for path in paths):
            wrong = next(path for path in paths if not path.isdecimal())
            raise ValueError(
                f"line 1: {unknown_message('column', wrong, heads)}; the first line must name the columns. "
                f"If it does not, type the number of the column, from 1 to {len(heads)}"
            )
        rows, heads = chain([first], rows), [str(number + 1) for number in range(len(heads))]
        for path in paths:
            if path not in heads:
                raise ValueError(f"line 1 has {amount(len(heads), 'cell')}, so there is no column {path}")
        if all(map(str.isidentifier, first[1])):
            warn(
                f"{short_repr(first[1][0])} in line 1 is scored as a text; if line 1 names the columns, type the name: :{first[1][0]}"
            )
    for name in heads:
        if heads.count(name) > 1 and name in paths:
            raise ValueError(f"line 1: {heads.count(name)} columns are called {name!r}")

    for line, cells in rows:
        if len(cells) == len(heads):
            yield line, dict(zip(heads, cells, strict=True))
        elif not any(cells):  # an empty line is an empty cell if there is one column
            if len(heads) == 1:
                yield line, {heads[0]: ""}
        else:
            raise ValueError(
                f"the row that ends on line {line} has {amount(len(cells), 'cell')}, but the first row "
                f"has {len(heads)}; if cells have separators or line breaks, save the table as CSV with quotes"
            )


def _split_rows(lines: Iterator[tuple[int, str]], suffix: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row. In TSV, quotation marks are text.

    In CSV, the first of ",", ";" and tab that occurs in the first line separates the cells.
    """
    if suffix == ".tsv":  # csv.QUOTE_NONE would refuse a lone CR in a cell
        yield from ((number, line.split("\t")) for number, line in lines)
        return
    number, head = next(lines, (1, ""))
    separator = next((sign for sign in ",;\t" if sign in head), ",")
    csv.field_size_limit(sys.maxsize)  # by default, csv limits a cell to 131,072 characters
    texts = (f"{line}\n" for _, line in chain([(number, head)], lines))
    reader = csv.reader(texts, delimiter=separator, strict=True)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num}: not CSV: {error}") from None


# --- Parquet and Arrow ----------------------------------------------------------------------------------------------


def _read_parquet(file: IO[bytes], path: str, columns: Sequence[str | None], id_column: str | None) -> list[Column]:
    """Read only the needed columns and fields of a Parquet file."""
    import pyarrow.parquet as parquet

    with _naming_damage("Parquet file"):
        # This option verifies only pages that have a checksum
        table = parquet.ParquetFile(file, page_checksum_verification=True)
        schema = table.schema_arrow

    def read(name: str) -> pa.ChunkedArray:
        column, *fields = split_path(schema, name)  # raises ValueError if there is no such column
        with _naming_damage("Parquet file"):
            batches = list(_batches(table, column if any(map(str.isdecimal, fields)) else name))
        return find_column(pa.Table.from_batches(batches) if batches else schema.empty_table(), name)

    return _arrow_columns(schema.names, read, path, columns, id_column)


def _batches(file: Any, name: str) -> Iterator[pa.RecordBatch]:
    """Yield batches of rows of one column. Raise ``ValueError`` before a huge column can fill the memory."""
    n_bytes = 0
    for batch in file.iter_batches(_ROWS_PER_BATCH, columns=[name]):
        n_bytes += batch.nbytes
        check_decompressed_size(n_bytes, "column", "save it as a text file, with one segment per line")
        yield batch


def _arrow_columns(
    names: Sequence[str], read: Callable[[str], Any], path: str, columns: Sequence[str | None], id_column: str | None
) -> list[Column]:
    """Return columns whose rows become Python values when they are used."""

    def rows_of(values: pa.ChunkedArray) -> StoredRows:
        def cells(first: int, last: int) -> list[Any]:
            with naming_file(path):  # a damaged text raises an error only here
                return values.slice(first, last - first).to_pylist()

        return StoredRows(len(values), cells)

    ids = _as_ids(read(id_column).to_pylist(), id_column) if id_column else None
    return [Column(rows_of(read(column or _only_column(dict.fromkeys(names)))), ids) for column in columns]


def _saved_dataset(folder: Path, stack: ExitStack) -> pa.Table:
    """Return the table in a folder that ``Dataset.save_to_disk`` of `datasets` wrote, without reading it into memory."""
    if not Path(folder, _STATE).exists():
        splits = json.loads(Path(folder, "dataset_dict.json").read_text())["splits"]
        raise ValueError(f"this folder has the splits {', '.join(splits)}; type {folder.name}/{splits[0]}:COLUMN")
    files = [folder / entry["filename"] for entry in json.loads(Path(folder, _STATE).read_text())["_data_files"]]
    with _naming_damage("folder"):
        parts = [pa.ipc.open_stream(stack.enter_context(pa.memory_map(str(file)))).read_all() for file in files]
    stack.pop_all()  # the table uses the files
    return pa.concat_tables(parts)


@contextmanager
def _naming_damage(what: str) -> Iterator[None]:
    """Convert an error of PyArrow to a ``ValueError`` that says that the file cannot be read."""
    try:
        yield
    except unreadable() as error:
        first_line, *_ = str(error).splitlines() or [""]  # the message may be empty
        raise ValueError(f"the {what} cannot be read: {printable(first_line)}") from None
