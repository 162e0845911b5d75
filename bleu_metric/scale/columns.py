"""Find columns in tables, by name ("reference") or by the path of a nested value ("translation.en", "texts.0")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .._corpus import is_list_type
from .._lazy import pa, pc
from .._validation import short_repr, unknown_message


def check_column_names(predictions: object, references: object, groups: object) -> None:
    """Raise ``TypeError`` if a column name is not a string, and ``ValueError`` if `references` is an empty list.

    `groups` may be None.
    """
    names = list(references) if isinstance(references, (list, tuple)) else [references]
    if not names:
        raise ValueError("references is an empty list; name one column or more")
    names += [predictions] if groups is None else [predictions, groups]
    for name in names:
        if not isinstance(name, str):
            raise TypeError(
                f"column names must be strings, as in evaluate_dataset(data, 'mt', 'ref'), got {short_repr(name)}"
            )


def split_path(schema: pa.Schema, path: str) -> list[str]:
    """Split a path at its dots into the name of a column, and the names of nested fields or indices in lists.

    A path that is the name of a column is not split. Raise ``ValueError`` if a name does not exist or occurs more than
    once, or if the path leads to fields instead of values.

    >>> split_path(pa.schema({"translation": pa.struct({"en": pa.string()})}), "translation.en")
    ['translation', 'en']
    """
    names = [path] if path in schema.names else path.split(".")
    arrow_type = pa.struct(list(schema))

    for index, name in enumerate(names):
        if is_list_type(arrow_type) and name.isdecimal():
            arrow_type = arrow_type.value_type
            continue
        if is_list_type(arrow_type):
            before, rest = ".".join(names[:index]), ".".join(names[index:])
            raise ValueError(f"column {short_repr(before)} is a list; name an entry, as in '{before}.0.{rest}'")
        same_name = [field for field in _fields(arrow_type) if field.name == name]
        n_fields = len(same_name)
        if n_fields == 0:
            raise ValueError(unknown_message("column", path, field_paths(schema)))
        if n_fields > 1:
            raise ValueError(
                f"column {short_repr(path)}: the name {name!r} occurs {n_fields} times; rename all but one of them"
            )
        arrow_type = same_name[0].type
    inner_paths = field_paths(_fields(arrow_type))
    if inner_paths:
        raise ValueError(f"column {short_repr(path)} has fields; name one of them, as in '{path}.{inner_paths[0]}'")
    return names


def find_column(table: pa.Table, path: str) -> pa.ChunkedArray:
    """Return the column with the name `path`, or nested values, such as "translation.en" or "texts.0"."""
    column_name, *field_names = split_path(table.schema, path)
    values = table.column(column_name)
    for field_name in field_names:
        if is_list_type(values.type):
            values = _entries(values, int(field_name), path)
            continue
        # Select the field by index, because PyArrow reads some names, such as ".en", as paths
        index = values.type.get_field_index(field_name)
        values = pc.struct_field(values, [index])
    return values


def _entries(lists: pa.ChunkedArray, index: int, path: str) -> pa.ChunkedArray:
    """Return the entry of each list at an index. Raise ``ValueError`` if a list is too short."""
    for row, length in enumerate(pc.list_value_length(lists).to_pylist()):
        if length is not None and length <= index:
            raise ValueError(f"column {short_repr(path)}: the list in row {row + 1} has no entry {index}")
    return pc.list_element(lists, index)


def _fields(arrow_type: pa.DataType) -> list[pa.Field]:
    """Return the fields of a struct, or [] for any other type."""
    return list(arrow_type) if pa.types.is_struct(arrow_type) else []


def field_paths(fields: Iterable[pa.Field]) -> list[str]:
    """Return all paths that a user can pass, such as ["id", "translation.en", "translation.de"]."""
    paths = []
    for field in fields:
        inner_paths = field_paths(_fields(field.type))
        prefix = f"{field.name}."
        paths += [prefix + path for path in inner_paths] or [field.name]
    return paths


def find_references(table: pa.Table, paths: str | Sequence[str]) -> Any:
    """Return one column of references, or the references of each row in several columns."""
    if isinstance(paths, str):
        return find_column(table, paths)
    columns = [find_column(table, path).to_pylist() for path in paths]
    return list(map(list, zip(*columns, strict=True)))
