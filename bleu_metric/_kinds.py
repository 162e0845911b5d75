"""Rows -> the Arrow tables that are staged, and what they are of: texts, tokens or token ids.

Staged references are always nested, and None is gone from them, so that batches of both forms go together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import datasets
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._arrow import in_halves
from ._columns import Columns, Side, columns
from ._names import has_length

_ROWS = 50_000  # of one table


def features() -> list[datasets.Features]:
    """What the metric takes: strings, tokens or token ids, with one reference or a list of them."""
    kinds = [
        datasets.Value("string"),
        datasets.Sequence(datasets.Value("string")),
        datasets.Sequence(datasets.Value("int64")),
    ]
    forms = [(kind, reference) for kind in kinds for reference in (datasets.Sequence(kind), kind)]
    return [datasets.Features(predictions=kind, references=reference) for kind, reference in forms]


def stage(predictions: Any, references: Any) -> list[pa.Table]:
    """Check all rows and turn them into tables of ``predictions`` and ``references``; errors as for `corpus_bleu`."""
    staged = columns(predictions, references)
    read = partial(_table, staged)
    return [table for stretch in staged.batches(_ROWS) for table in in_halves(read, *stretch)]


def shown_kind(tables: Iterable[pa.Table]) -> pa.Schema | None:
    """Take the schema of the first table that has texts, or a token: empty lists do not show of which kind they are."""
    return next((table.schema for table in tables if _shows_kind(table)), None)


def is_empty(column: Any) -> bool:
    """Whether a column has a length, of 0."""
    return has_length(column) and not len(column)


def no_rows() -> pa.Table:
    """Make what a process stages that has no rows: the others wait for its file."""
    tokens = pa.list_(pa.string())
    return pa.schema({"predictions": tokens, "references": pa.list_(tokens)}).empty_table()


def _shows_kind(table: pa.Table) -> bool:
    if not len(table):
        return False
    predictions, references = (table[name].combine_chunks() for name in ("predictions", "references"))
    if not pa.types.is_list(predictions.type):
        return True
    return len(predictions.flatten()) > 0 or len(references.flatten().flatten()) > 0


def as_kind(table: pa.Table, kind: pa.Schema) -> pa.Table:
    """Give empty lists of tokens the kind of the other rows; ``TypeError`` for a table that has another."""
    if table.schema.types == kind.types:
        return table
    if not len(table):
        return kind.empty_table()
    if pa.types.is_list(kind.field("predictions").type) and not _shows_kind(table):
        return table.cast(kind)
    raise TypeError(
        f"rows of {kind.field('predictions').type} and rows of {table.schema.field('predictions').type} were staged: "
        "one score is made of texts, of tokens, or of token ids"
    )


def in_one_kind(paths: Sequence[str]) -> pa.Schema:
    """Find the kind of the rows that the processes staged; a file without a token is written again as of that kind.

    Raises ``TypeError`` where they staged rows of several kinds.
    """
    schemas = list(map(_schema, paths))
    if all(schema.types == schemas[0].types for schema in schemas):
        return schemas[0]
    tables = list(map(_read, paths))
    kind = shown_kind(tables) or schemas[0]
    for path, table in zip(paths, tables, strict=True):
        if table.schema.types != kind.types:
            _write(as_kind(table, kind), path)
    return kind


def _schema(path: str) -> pa.Schema:
    with pa.OSFile(path) as file:
        return pa.ipc.open_stream(file).schema


def _read(path: str) -> pa.Table:
    with pa.OSFile(path) as file:
        return pa.ipc.open_stream(file).read_all()


def _write(table: pa.Table, path: str) -> None:
    with pa.OSFile(path, "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table)


def _table(staged: Columns, first: int, last: int) -> pa.Table:
    predictions, references = staged.sides(first, last)
    kind = staged.layout.kind
    nested = _lists(references.per_row, _texts(references, kind))
    return pa.table({"predictions": _texts(predictions, kind), "references": nested})


def _texts(side: Side, kind: str) -> pa.Array:
    return side.values if kind == "text" else _lists(side.lengths, side.values)


def _lists(sizes: NDArray[np.int64], values: pa.Array) -> pa.ListArray:
    offsets = np.zeros(len(sizes) + 1, np.int32)
    np.cumsum(sizes, out=offsets[1:])
    return pa.ListArray.from_arrays(pa.array(offsets), values)
