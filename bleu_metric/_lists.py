"""Python rows in: lists, tuples and NumPy arrays of strings, tokens or token ids -> Arrow, checked row by row."""

from __future__ import annotations

import re
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._arrow import NOT_CUT, TooMuchTextError
from ._names import described

Ints = NDArray[np.int64]

_SURROGATE = re.compile("[\ud800-\udfff]")
LISTS: tuple[type[Any], ...] = (list, tuple, np.ndarray)  # see `is_list`
_NONE = type(None)
_NO_IDS = (bool, np.bool_, np.timedelta64)  # whole numbers to Python and NumPy
_KINDS = {"text": "strings", "tokens": "lists of tokens (strings)", "ids": "lists of token ids (whole numbers)"}


def is_list(row: Any) -> bool:
    """Whether it is a list of something; the NumPy array of a single value is none."""
    return isinstance(row, LISTS) and not (isinstance(row, np.ndarray) and not row.ndim)


def read_lists(
    rows: Any, name: str, kind: str, nested: bool, start: int, last: int, first: int
) -> tuple[pa.Array, Ints, Ints]:
    """Flatten the rows from `start` to `last`, the first of which is called row `first` in errors.

    See `_columns.Side` for what is returned.
    """
    stretch = rows[start:last]
    items: list[Any] = stretch.tolist() if isinstance(stretch, np.ndarray) else list(stretch)
    per_row = np.ones(len(items), np.int64)
    row_of_item = None
    if nested:
        types = _check_types(items, (*LISTS, _NONE), name, "lists of references", first, None)
        items = [[] if row is None else row for row in items] if _NONE in types else items
        per_row, items = _flatten(items, types)
        row_of_item = np.repeat(np.arange(len(per_row)), per_row)
    accepted = (str,) if kind == "text" else LISTS
    accepted = accepted if name == "predictions" else (*accepted, _NONE)
    types = _check_types(items, accepted, name, _KINDS[kind], first, row_of_item)
    if _NONE in types:
        items, per_row = _drop_none(items, per_row)
        row_of_item = np.repeat(np.arange(len(per_row)), per_row)
    if not per_row.all():
        row = first + int(np.argmin(per_row))
        raise ValueError(f"references[{row}] has no reference; every segment needs at least one")
    if kind == "text":
        return _strings(items, name, first, row_of_item), NOT_CUT, per_row
    lengths, tokens = _flatten(items, types)
    row_of_item = np.arange(len(items)) if row_of_item is None else row_of_item
    row_of_token = np.repeat(row_of_item, lengths)
    _check_types(tokens, (str,) if kind == "tokens" else (int, np.integer), name, _KINDS[kind], first, row_of_token)
    read = _strings if kind == "tokens" else _integers
    return read(tokens, name, first, row_of_token), lengths, per_row


def _drop_none(items: list[Any], per_row: Ints) -> tuple[list[Any], Ints]:
    present = np.array([item is not None for item in items], bool)
    row_of_item = np.repeat(np.arange(len(per_row)), per_row)
    kept = np.bincount(row_of_item[present], minlength=len(per_row))
    return [item for item in items if item is not None], kept


def _flatten(rows: list[Any], types: set[type]) -> tuple[Ints, list[Any]]:
    """Sizes of the rows, and their items one after another; `types`: those of the rows."""
    if any(issubclass(kind, np.ndarray) for kind in types):
        rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in rows]
    return np.fromiter(map(len, rows), np.int64, len(rows)), list(chain.from_iterable(rows))


def _check_types(
    items: list[Any], accepted: tuple[type, ...], name: str, expected: str, first: int, row_of_item: Ints | None
) -> set[type]:
    """Return the types of the items; raise for the first of another type. Flags and times are no whole numbers here."""
    types = set(map(type, items))
    wrong = tuple(kind for kind in types if not issubclass(kind, accepted) or issubclass(kind, _NO_IDS))
    single = (i for i, item in enumerate(items) if isinstance(item, np.ndarray) and not item.ndim)
    has_arrays = any(issubclass(kind, np.ndarray) for kind in types)
    index = next((i for i, item in enumerate(items) if type(item) in wrong), None) if wrong else None
    index = next(single, None) if index is None and has_arrays else index
    if index is not None:
        row = first + (index if row_of_item is None else int(row_of_item[index]))
        raise TypeError(
            f"{name}[{row}] holds {_with_type(items[index])} where {expected} are expected; "
            "all predictions and references must be of one kind: strings, lists of tokens, or lists of token ids"
        )
    return types


def _with_type(item: Any) -> str:
    return f"{described(item)} ({type(item).__name__})"


def _strings(items: list[Any], name: str, first: int, row_of_item: Ints | None) -> pa.Array:
    try:
        column = pa.array(items, pa.string())
        if isinstance(column, pa.ChunkedArray):
            raise TooMuchTextError.of(name, first)
        return column
    except UnicodeEncodeError:
        found = ((index, _SURROGATE.search(item)) for index, item in enumerate(items))
        index, match = next((index, match) for index, match in found if match)
        row = first + (index if row_of_item is None else int(row_of_item[index]))
        raise ValueError(
            f"{name}[{row}] is not valid Unicode: {_with_type(items[index])} has a lone surrogate at {match.start()}; "
            "read the file with encoding='utf-8', or use text.encode('utf-8', 'replace').decode()"
        ) from None


def _integers(items: list[Any], name: str, first: int, row_of_item: Ints) -> pa.Array:
    try:
        return pa.array(items, pa.int64())
    except (OverflowError, pa.ArrowException):
        index = next(index for index, item in enumerate(items) if not -(2**63) <= int(item) < 2**63)
        row = first + int(row_of_item[index])
        raise ValueError(
            f"{name}[{row}] holds the token id {described(items[index])}, which does not fit into 64 bits"
        ) from None
