"""Read columns of files. A file is a sequence of rows, and a column is a path into each row.

A path is the name of a column (``text``), its number (``2``), an entry of a list (``outputs.0``), a field of a field
(``translation.de``), or a field of all entries of a list (``targets.*.text``). Errors raised here name the line or the
entry; `read_columns` adds the file.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import accumulate, chain, islice
from pathlib import Path
from typing import IO, Any, NamedTuple

from .._corpus import StoredRows
from .._display import amount, printable
from .._files import naming_damage
from .._lazy import pa, parquet
from .._validation import short_repr, unknown_message, warn
from ..scale.columns import field_paths, find_column, split_path
from .compression import check_decompressed_size
from .files import content_suffix, naming_file, open_file, start_of, stored_lines, text_lines, with_line_feeds
from .kinds import JSON, SUFFIXES, kind_of, refuse_other_formats

_JSON_LINES = (".jsonl", ".ndjson")
_PARQUET = (".parquet", ".pq")
TABLES = (*_JSON_LINES, ".json", ".csv", ".tsv", *_PARQUET)
_ROWS_PER_BATCH = 4096
# Files that `datasets` writes into the folder of a dataset, and into the folder of several splits
_STATE, _SPLITS = "state.json", "dataset_dict.json"

Rows = Iterable[tuple[str, Any]]  # the name of a row in errors, such as "line 2", and the row


class Column(NamedTuple):
    """The values of a column, or the lines of a text file."""

    values: Sequence[Any]
    ids: list[str] | None = None
    """The id of each row; None if no id was asked for."""
    is_text: bool = False
    """Whether the file is a text without columns."""


def read_column(name: str) -> Sequence[Any]:
    """Read the lines of a text file, or a column of a table. `name` and errors: as for `read_columns`."""
    return read_columns([name])[name].values


def read_columns(names: Iterable[str], id_column: str | None = None) -> dict[str, Column]:
    """Read columns and text files. Read each file only once, because standard input cannot be read again.

    Args:
        names: a path; ``path:column`` for a column of a table; ``-`` for standard input.
        id_column: the path of the id in each row.

    Raises:
        OSError: a file does not exist or cannot be read.
        ValueError: the content of a file cannot be used. The error names the file.
    """
    names = list(dict.fromkeys(names))
    columns_of_path: dict[str, list[str | None]] = {}
    for path, column in map(split_column, names):
        columns_of_path.setdefault(path, []).append(column)

    read = {}
    for path, columns in columns_of_path.items():
        with naming_file(path), ExitStack() as stack:
            for column, content in zip(columns, _read_file(path, columns, id_column, stack), strict=True):
                if not len(content.values):
                    unit = "line" if content.is_text else "row"
                    raise ValueError(f"the file is empty; it must have one segment per {unit}")
                read[path, column] = content
    return {name: read[split_column(name)] for name in names}


def split_column(name: str) -> tuple[str, str | None]:
    """Split a name such as ``data.parquet:hyp`` into path and column. The column is None if `name` is only a path."""
    if Path(name).exists():
        return name, None
    # Any colon may be the separator, because both the path and the column may contain colons
    for colon in reversed([index for index, character in enumerate(name) if character == ":"]):
        path, column = name[:colon], name[colon + 1 :]
        is_file = Path(path).exists() and not Path(path).is_dir()
        if is_file or _is_saved_dataset(path) or content_suffix(path) in (*TABLES, *SUFFIXES):
            return path, column
    return name, None


def _read_file(path: str, columns: Sequence[str | None], id_column: str | None, stack: ExitStack) -> list[Column]:
    """Return one `Column` per entry of `columns`, where None means the lines of a text or a table's only column."""
    if _is_saved_dataset(path):
        return _read_saved_dataset(Path(path), columns, id_column)

    suffix = content_suffix(path)
    refuse_other_formats(suffix)
    file = open_file(path, stack)
    refuse_other_formats(start=start_of(file))
    if suffix in _PARQUET:
        return _read_parquet(file, path, columns, id_column)

    file = with_line_feeds(file, stack)
    if suffix not in TABLES and columns == [None]:
        return [Column(stored_lines(file, path, stack), is_text=True)]
    if suffix not in TABLES:
        suffix = _suffix_of_content(file, path, columns)

    lines = text_lines(file)
    if suffix == ".json":
        return _read_json("\n".join(lines), columns, id_column)
    if suffix in _JSON_LINES:
        return _columns_of(_json_lines(lines), columns, id_column)
    # TSV: quotation marks are text, and csv would refuse a CR in a cell
    rows: NumberedCells = ((number, line.split("\t")) for number, line in enumerate(lines, 1))
    if suffix != ".tsv":
        rows = _split_csv(lines)
    read = _columns_of(_named_cells(rows, [*filter(None, [*columns, id_column])]), columns, id_column)
    if suffix == ".tsv":
        _warn_of_quotes(path, chain.from_iterable(column.values for column in read))
    return read


def _is_saved_dataset(path: str) -> bool:
    return Path(path, _STATE).exists() or Path(path, _SPLITS).exists()


def _suffix_of_content(file: IO[bytes], path: str, columns: Sequence[str | None]) -> str:
    """Return ".json" or ".tsv", by the first lines of a file whose name does not say what it is."""
    first_lines = list(islice(text_lines(file), 100))
    if kind_of(first_lines) is JSON:
        return ".json"
    if first_lines and "\t" in first_lines[0]:
        return ".tsv"
    name = printable(f"{path}:{next(filter(None, columns))}")
    raise ValueError(f"only tables ({', '.join(TABLES)}) have columns; there is no file {name}")


# --- Paths into rows -------------------------------------------------------------------------------------------------


def _columns_of(rows: Rows, columns: Sequence[str | None], id_column: str | None) -> list[Column]:
    """Return the values at each path, and the ids of their rows."""
    rows = iter(rows)
    first = next(rows, None)
    if first is None:
        return [Column([]) for _ in columns]

    _, first_row = first
    paths = [_only_column(first_row) if column is None else column for column in columns]
    id_paths = [_path_of_id(_paths(first_row), path, id_column) for path in paths] if id_column else []
    values_at: dict[str, list[Any]] = {path: [] for path in [*paths, *id_paths]}
    for where, row in chain([first], rows):
        for path, values in values_at.items():
            value = row.get(path) if isinstance(row, dict) else None  # most paths are names, which this finds faster
            values.append(_value_at(path, row, where) if value is None or isinstance(value, dict) else value)
    if id_column is None:
        return [Column(values_at[path]) for path in paths]
    ids = [_as_ids(values_at[path], path) for path in id_paths]
    return [Column(values_at[path], keys) for path, keys in zip(paths, ids, strict=True)]


def _value_at(path: str, row: Any, where: str) -> Any:
    """Return the value at a path; the row itself for the path "". `where`: the name of the row in errors."""
    if not path:
        return row
    try:
        if not isinstance(row, dict):
            raise ValueError(f"each row must be a JSON object, got {short_repr(row)}")
        value = _follow(row, path)
        if isinstance(value, dict):
            name = next(iter(value), "")
            example = f"name one of them, as in {path}.{name}"
            advice = 'if pandas wrote it, save it with df.to_json(orient="records")' if name == "0" else example
            raise ValueError(f"column {path!r} has fields; {advice}")
    except LookupError:
        raise ValueError(f"{where}: {unknown_message('column', path, _paths(row))}") from None
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    return value


def _follow(value: Any, path: str, before: str = "") -> Any:
    """Return the value at a path. Return None if a null is on the way. ``*`` means all entries of a list.

    Raise ``LookupError`` if there is no such value. `before`: the path of `value` itself, for errors.

    >>> row = {"outputs": [{"text": "a"}, {"text": "b"}], "file.name": "c"}
    >>> _follow(row, "outputs.0.text"), _follow(row, "outputs.*.text"), _follow(row, "file.name")
    ('a', ['a', 'b'], 'c')
    """
    if not path or value is None:
        return value
    if isinstance(value, list):
        key, _, rest = path.partition(".")
        if key == "*":
            return [_follow(entry, rest, f"{before}*.") for entry in value]
        if key.isdecimal():
            return _follow(value[int(key)], rest, f"{before}{key}.")
        raise ValueError(
            f"{before[:-1]} is a list; type {before}0.{path} for its first entry, or {before}*.{path} for all"
        )
    # A name may have dots itself: "a.b.c" may be the names "a.b" and "c"
    starts = accumulate(path.split("."), "{}.{}".format) if isinstance(value, dict) else ()
    names = [name for name in starts if name in value]
    if not names:
        raise LookupError(path)
    return _follow(value[names[-1]], path[len(names[-1]) + 1 :], f"{before}{names[-1]}.")


def _paths(row: Any) -> list[str]:
    """Return all paths that a user can type, such as ["id", "translation.en", "translation.de"]."""
    paths = []
    for name, value in row.items() if isinstance(row, dict) else ():
        paths += [f"{name}.{inner}" for inner in _paths(value)] or [name]
    return paths


def _only_column(row: Any) -> str:
    """Return the name of the only column; "" if the rows are texts. Raise ``ValueError`` if there are several names."""
    if not isinstance(row, dict):
        return ""
    if not row:
        raise ValueError("the table has no columns")
    first, *others = row
    if others:
        if any(name.count(" ") > 3 for name in row):
            raise ValueError(f"say which column to read, as in FILE:1; line 1 has {len(row)} texts instead of names")
        names = ", ".join(map(printable, row))
        raise ValueError(f"say which column to read, as in FILE:{printable(first)}; the columns are {names}")
    return str(first)


def _path_of_id(known: Sequence[str], path: str, id_column: str) -> str:
    """Return the path of the id: `id_column` itself, or the same name beside the text.

    >>> _path_of_id(["annotation.image_id", "annotation.text"], "annotation.text", "image_id")
    'annotation.image_id'
    """
    parents = path.split(".")[:-1]
    beside = [".".join([*parents[:end], id_column]) for end in range(len(parents), 0, -1)]
    return next((name for name in [id_column, *beside] if name in known), id_column)


def _as_ids(values: Iterable[Any], path: str) -> list[str]:
    """Return ids as strings, because CSV has "3" where JSON has 3. Raise ``ValueError`` if an id is null."""
    ids = []
    for row, value in enumerate(values, 1):
        if value is None:
            raise ValueError(f"row {row} has no id: its {path} is null")
        ids.append(str(value))
    return ids


# --- JSON -----------------------------------------------------------------------------------------------------------


def _read_json(text: str, columns: Sequence[str | None], id_column: str | None) -> list[Column]:
    """Read a .json file: an array of rows, one object, or JSON Lines."""
    try:
        document = _parse_json(text)
    except ValueError:
        if text.lstrip().startswith("["):
            raise
        document = None  # JSON Lines, or a mistake that is found again
    if isinstance(document, list):
        return _columns_of(_entries(document), columns, id_column)
    if isinstance(document, dict):
        return [_column_of_object(document, column, id_column) for column in columns]
    return _columns_of(_json_lines(text.split("\n")), columns, id_column)


def _column_of_object(table: dict[str, Any], path: str | None, id_column: str | None) -> Column:
    """Return a column of one JSON object.

    The object has a list for each column, such as ``{"hyp": ["a"], "ref": ["b"]}``; or a list of rows, such as
    ``{"annotations": [{"caption": "a"}]}``, where the path is "annotations.caption"; or the texts of each id, such as
    ``{"17": ["a", "b"]}``, if an id but no path is wanted. Any other object is a single row.
    """
    if path is None and id_column:
        texts = [value[0] if isinstance(value, list) and len(value) == 1 else value for value in table.values()]
        return Column(texts, list(table))
    if path is None and len(table) > 1:
        names = list(map(printable, table))
        listed = ", ".join(names[:3]) + ", …" * (len(names) > 3)
        raise ValueError(
            f"say what the names in this object ({listed}) are: for a column, type FILE:{names[0]}; if they are ids of "
            "texts, type --id id"
        )

    lists = list(table.values())
    if all(isinstance(value, list) for value in lists) and len(set(map(len, lists))) == 1:
        rows = (dict(zip(table, cells, strict=True)) for cells in zip(*lists, strict=True))
        return _columns_of(_entries(rows), [path], id_column)[0]
    value: Any = table
    keys = path.split(".") if path else []
    while keys and isinstance(value, dict) and keys[0] in value:
        value = value[keys.pop(0)]
    if isinstance(value, list):
        return _columns_of(_entries(value), [".".join(keys)], id_column)[0]
    return _columns_of([("line 1", table)], [path], id_column)[0]


def _entries(rows: Iterable[Any]) -> Rows:
    return ((f"entry {number}", row) for number, row in enumerate(rows, 1))


def _json_lines(lines: Iterable[str]) -> Rows:
    """Yield the value on each line. Skip blank lines."""
    for number, line in enumerate(lines, 1):
        if line and not line.isspace():
            yield f"line {number}", _parse_json(line, f"line {number}: ")


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

NumberedCells = Iterator[tuple[int, list[str]]]  # the number of the line on which a row ends, and the row's cells


def _warn_of_quotes(path: str, cells: Iterable[str]) -> None:
    """Warn if a program seems to have put quotation marks around cells of TSV, such as ``"say ""hi"" to me"``."""
    for cell in cells:
        if '""' in cell[1:-1] and cell[0] == cell[-1] == '"':
            warn(
                f"{printable(path)}: the quotation marks around cells, such as {short_repr(cell)}, are scored as text; "
                "if a program added them, save the table as CSV"
            )
            return


def _split_csv(lines: Iterator[str]) -> NumberedCells:
    """Yield the cells of each row. The first of comma, semicolon and tab that line 1 has separates the cells."""
    line_1 = next(lines, "")
    separator = next((sign for sign in ",;\t" if sign in line_1), ",")
    csv.field_size_limit(sys.maxsize)  # by default, csv limits a cell to 131,072 characters
    reader = csv.reader((f"{line}\n" for line in chain([line_1], lines)), delimiter=separator, strict=True)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num}: not CSV: {error}") from None


def _named_cells(rows: NumberedCells, wanted: Sequence[str]) -> Rows:
    """Yield each row as a dict from the names of the columns to the cells.

    Line 1 has the names. If none of the `wanted` columns is a name in line 1, but all are numbers, there are no names:
    the columns are called "1", "2" and so on.
    """
    _, line_1 = first = next(rows, (1, []))
    names = _column_names(line_1, wanted)
    if names != line_1:
        others = list(islice(rows, 1))
        _warn_of_names(line_1, others)
        rows = chain([first], others, rows)

    for line, cells in rows:
        if len(cells) == len(names):
            yield f"line {line}", dict(zip(names, cells, strict=True))
        elif cells:
            raise ValueError(
                f"the row that ends on line {line} has {amount(len(cells), 'cell')}, but the first row "
                f"has {len(names)}; if cells have separators or line breaks, save the table as CSV with quotes"
            )
        elif len(names) == 1:  # an empty line of CSV is a row only if there is one column
            yield f"line {line}", {names[0]: ""}


def _column_names(line_1: list[str], wanted: Sequence[str]) -> list[str]:
    """Return the names of the columns, or numbers from 1. Raise ``ValueError`` if a wanted column does not exist."""
    if not wanted:
        name = _only_column(dict.fromkeys(line_1))
        if " " in name.strip():
            raise ValueError(
                f"line 1 must name the column, but it is {short_repr(name)}; if line 1 is a segment, name the file .txt"
            )
    names = line_1
    if wanted and not set(wanted) & set(line_1) and all(map(str.isdecimal, wanted)):
        names = [str(number) for number in range(1, len(line_1) + 1)]
    for name in wanted:
        if name not in names and names is not line_1:
            raise ValueError(f"line 1 has {amount(len(names), 'cell')}, so there is no column {name}")
        if name not in names:
            raise ValueError(
                f"line 1: {unknown_message('column', name, names)}; the first line must name the columns. "
                f"If it does not, type the number of the column, from 1 to {len(names)}"
            )
        if names.count(name) > 1:
            raise ValueError(f"line 1: {names.count(name)} columns are called {name!r}")
    return names


def _warn_of_names(line_1: Sequence[str], others: Iterable[tuple[int, list[str]]]) -> None:
    """Warn if line 1, unlike other rows, seems to name the columns of a file whose columns are read by number."""
    if all(map(str.isidentifier, line_1)) and not any(all(map(str.isidentifier, cells)) for _, cells in others):
        warn(
            f"{short_repr(line_1[0])} in line 1 is scored as a text; if line 1 names the columns, type the name: "
            f":{line_1[0]}"
        )


# --- Arrow: Parquet, and datasets that were saved ---------------------------------------------------------------------


def _read_parquet(file: IO[bytes], path: str, columns: Sequence[str | None], id_column: str | None) -> list[Column]:
    """Read only the needed columns and fields of a Parquet file."""
    with naming_damage("the Parquet file cannot be read"):
        # This option verifies only pages that have a checksum
        table = parquet.ParquetFile(file, page_checksum_verification=True)
        schema = table.schema_arrow

    def read(column: str) -> pa.ChunkedArray:
        name, *fields = split_path(schema, column)  # raises ValueError if there is no such column
        has_index = any(map(str.isdecimal, fields))  # then the whole column is read
        with naming_damage("the Parquet file cannot be read"):
            batches = list(_batches(table, name if has_index else column))
        return find_column(pa.Table.from_batches(batches) if batches else schema.empty_table(), column)

    return _arrow_columns(schema, read, path, columns, id_column)


def _batches(file: Any, name: str) -> Iterator[pa.RecordBatch]:
    """Yield batches of rows of one column. Raise ``ValueError`` before a huge column can fill the memory."""
    n_bytes = 0
    for batch in file.iter_batches(_ROWS_PER_BATCH, columns=[name]):
        n_bytes += batch.nbytes
        check_decompressed_size(n_bytes, "column", "save it as a text file, with one segment per line")
        yield batch


def _read_saved_dataset(folder: Path, columns: Sequence[str | None], id_column: str | None) -> list[Column]:
    """Read columns of a folder that ``Dataset.save_to_disk`` of `datasets` wrote. The rows stay in their files."""
    with naming_damage("the dataset cannot be read"):
        if not Path(folder, _STATE).exists():
            splits = json.loads(Path(folder, _SPLITS).read_bytes())["splits"]
            raise ValueError(f"this folder has the splits {', '.join(splits)}; type {folder / splits[0]}:COLUMN")
        state = json.loads(Path(folder, _STATE).read_bytes())
        # Only files in this folder, whatever the path in the state is
        files = [folder / Path(entry["filename"]).name for entry in state["_data_files"]]
        table = pa.concat_tables([pa.ipc.open_stream(pa.memory_map(str(file))).read_all() for file in files])

    return _arrow_columns(table.schema, partial(find_column, table), str(folder), columns, id_column)


def _arrow_columns(
    schema: pa.Schema, read: Callable[[str], Any], path: str, columns: Sequence[str | None], id_column: str | None
) -> list[Column]:
    """Return columns whose rows become Python values only when they are used. `read` returns a column of Arrow."""

    def stored(column: str) -> StoredRows:
        list_column, star, _ = column.partition(".*")
        values = read(list_column)

        def slice_of(first: int, last: int) -> list[Any]:
            with naming_file(path):  # a damaged text raises an error only here
                cells: list[Any] = values.slice(first, last - first).to_pylist()
                if not star:
                    return cells
                rows = enumerate(cells, first + 1)
                return [_value_at(column, {list_column: cell}, f"row {number}") for number, cell in rows]

        return StoredRows(len(values), slice_of)

    names = [_only_column(dict.fromkeys(schema.names)) if column is None else column for column in columns]
    if id_column is None:
        return [Column(stored(name)) for name in names]
    id_paths = [_path_of_id(field_paths(schema), name, id_column) for name in names]
    return [
        Column(stored(name), _as_ids(stored(id_path), id_path)) for name, id_path in zip(names, id_paths, strict=True)
    ]
