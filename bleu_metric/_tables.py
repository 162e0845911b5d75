"""Columns of an Arrow table, by name or by the path to a field; several columns of references as one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ._arrow import from_numpy
from ._names import unknown


def column_of(table: pa.Table, path: str) -> pa.ChunkedArray:
    """Find a column by its name, or by the path to a field of it."""
    if path in table.column_names:
        return table[path]
    name, *fields = path.split(".")
    column = table[name] if name in table.column_names else None
    for field in fields:
        column = pc.struct_field(column, field) if column is not None and field in _fields(column.type) else None
    if column is None:
        paths = [path for field in table.schema for path in _paths(field)]
        raise ValueError(unknown("column", path, paths))
    return column


def _fields(kind: pa.DataType) -> dict[str, pa.Field]:
    return {kind[place].name: kind[place] for place in range(kind.num_fields)} if pa.types.is_struct(kind) else {}


def _paths(field: pa.Field) -> list[str]:
    inner = _fields(field.type).values()
    return [f"{field.name}.{path}" for one in inner for path in _paths(one)] if inner else [field.name]


def references_of(table: pa.Table, paths: str | Sequence[str]) -> pa.Array | pa.ChunkedArray:
    """One column as it is, or several put together as lists."""
    if isinstance(paths, str):
        return column_of(table, paths)
    parts = [column_of(table, path).combine_chunks() for path in paths]
    return in_turn(paths, [part if isinstance(part, pa.Array) else part.chunk(0) for part in parts])


def in_turn(names: Sequence[str], parts: Sequence[pa.Array]) -> pa.ListArray:
    """Put columns of equal length together: one list per row, with one entry from each column.

    >>> in_turn(["a", "b"], [pa.array(["one", "two"]), pa.array(["eins", "zwei"])]).to_pylist()
    [['one', 'eins'], ['two', 'zwei']]
    """
    several = len(parts)
    if not several:
        raise ValueError("references is an empty list; name one column or more")
    for name, part in zip(names, parts, strict=True):
        if part.type != parts[0].type:
            raise TypeError(
                f"column {name!r} is {part.type}, column {names[0]!r} is {parts[0].type}: they must be alike"
            )
    rows = len(parts[0])
    order = np.arange(rows * several).reshape(several, rows).T.ravel()
    offsets = from_numpy(np.arange(rows + 1, dtype=np.int32) * np.int32(several))
    return pa.ListArray.from_arrays(offsets, pa.concat_arrays(parts).take(from_numpy(order)))
