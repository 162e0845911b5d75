"""Columns of an Arrow table, by name or by the path to a field; several columns of references as one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from ._arrow import compute, decoded, from_numpy
from ._names import described, unknown


def check_names(references: object, *columns: object) -> None:
    """Refuse what names no column, where `references` may be a list of names."""
    for name in (*(references if isinstance(references, (list, tuple)) else [references]), *columns):
        if not isinstance(name, str):
            raise TypeError(f"columns are given by their names, got {described(name)}")


def steps(schema: pa.Schema, path: str) -> list[str]:
    """Split a path into a column and the fields in it; ``ValueError`` for one that is not there.

    >>> steps(pa.schema({"translation": pa.struct({"en": pa.string()})}), "translation.en")
    ['translation', 'en']
    """
    if path in schema.names:
        return [path]
    name, *fields = path.split(".")
    found = name in schema.names
    kind = schema.field(name).type if found else pa.null()
    for field in fields:
        found = found and field in _fields(kind)
        kind = _fields(kind)[field].type if found else pa.null()
    if not found:
        raise ValueError(unknown("column", path, [path for field in schema for path in _paths(field)]))
    return [name, *fields]


def column_of(table: pa.Table, path: str) -> pa.ChunkedArray:
    """Find a column by its name, or by the path to a field of it."""
    name, *fields = steps(table.schema, path)
    return compute().struct_field(table[name], fields) if fields else table[name]


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


def _common(one: pa.DataType, other: pa.DataType) -> pa.DataType | None:
    """Find a type for both: a column of nothing but null has none of its own, and pandas 3 makes large strings."""
    schemas = [pa.schema({"": kind}) for kind in (one, other)]
    try:
        return pa.unify_schemas(schemas, promote_options="permissive").types[0]
    except pa.ArrowTypeError:
        return None


def in_turn(names: Sequence[str], parts: Sequence[pa.Array]) -> pa.ListArray:
    """Put columns of equal length together: one list per row, with one entry from each column.

    >>> in_turn(["a", "b"], [pa.array(["one", "two"]), pa.array(["eins", "zwei"])]).to_pylist()
    [['one', 'eins'], ['two', 'zwei']]
    """
    several = len(parts)
    if not several:
        raise ValueError("references is an empty list; name one column or more")
    parts = [decoded(part) for part in parts]
    alike = parts[0].type
    for name, part in zip(names, parts, strict=True):
        common = _common(alike, part.type)
        if common is None:
            raise TypeError(
                f"column {name!r} is {part.type}, column {names[0]!r} is {parts[0].type}: they must be alike"
            )
        alike = common
    parts = [part.cast(alike) for part in parts]
    rows = len(parts[0])
    order = np.arange(rows * several).reshape(several, rows).T.ravel()
    offsets = from_numpy(np.arange(rows + 1, dtype=np.int32) * np.int32(several))
    return pa.ListArray.from_arrays(offsets, pa.concat_arrays(parts).take(from_numpy(order)))
