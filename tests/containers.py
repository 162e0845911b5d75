"""Every container that predictions and references may come in.

Each function takes the rows, what a text is ("text", "tokens" or "ids"), and how many lists are around a text in a row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
from corpora import as_list_views

Container = Callable[[list[Any], str, int], Any]


def arrow_type(kind: str, nested: int, text: pa.DataType | None = None, lists: Any = pa.list_) -> pa.DataType:
    """Name the Arrow type of the rows, with other types of texts or lists on request."""
    found = pa.int64() if kind == "ids" else text or pa.string()
    depth = nested if kind == "text" else nested + 1
    for _ in range(depth):
        found = lists(found)
    return found


def numpy_objects(rows: list[Any]) -> np.ndarray[Any, Any]:
    """Make an array of Python objects, also of lists that have the same length."""
    array = np.empty(len(rows), object)
    for place, row in enumerate(rows):
        array[place] = row
    return array


def numpy_in_numpy(rows: list[Any]) -> np.ndarray[Any, Any]:
    return numpy_objects([numpy_objects(row) if isinstance(row, list) else row for row in rows])


def tuples(value: Any) -> Any:
    return tuple(map(tuples, value)) if isinstance(value, list) else value


def pandas_objects(rows: list[Any]) -> pd.Series[Any]:
    """Make a series whose labels are not the numbers of the rows."""
    return pd.Series(rows, index=range(7, 7 + len(rows)), dtype=object)


def pandas_strings(rows: list[Any], kind: str, nested: int) -> pd.Series[Any]:
    is_plain = kind == "text" and not nested and None not in rows
    return pd.Series(rows, dtype="str" if is_plain else object)


def arrow_chunks(rows: list[Any], kind: str, nested: int) -> pa.ChunkedArray:
    """Make three chunks; the second is empty."""
    third = len(rows) // 3
    parts = (rows[:third], [], rows[third:])
    return pa.chunked_array([pa.array(part, arrow_type(kind, nested)) for part in parts])


def arrow_slice(rows: list[Any], kind: str, nested: int) -> pa.Array:
    """Make a slice of a longer array, so that its offsets do not start at 0."""
    around: dict[str, list[Any]] = {"text": ["x. ", "ä"], "tokens": [["x", "y"]] * 2, "ids": [[1, 2]] * 2}
    first, last = ([text] if nested else text for text in around[kind])
    return pa.array([first, *rows, last], arrow_type(kind, nested))[1:-1]


def arrow_dictionary(rows: list[Any], kind: str, nested: int) -> pa.Array:
    array = pa.array(rows, arrow_type(kind, nested))
    return array.dictionary_encode() if kind == "text" and not nested else array


CONTAINERS: dict[str, Container] = {
    "list": lambda rows, _kind, _nested: rows,
    "tuple": lambda rows, _kind, _nested: tuples(rows),
    "numpy": lambda rows, _kind, _nested: numpy_objects(rows),
    "numpy in numpy": lambda rows, _kind, _nested: numpy_in_numpy(rows),
    "pandas": lambda rows, _kind, _nested: pandas_objects(rows),
    "pandas strings": pandas_strings,
    "arrow": lambda rows, kind, nested: pa.array(rows, arrow_type(kind, nested)),
    "arrow untyped": lambda rows, _kind, _nested: pa.array(rows),
    "arrow large": lambda rows, kind, nested: pa.array(
        rows, arrow_type(kind, nested, pa.large_string(), pa.large_list)
    ),
    "arrow view": lambda rows, kind, nested: pa.array(rows, arrow_type(kind, nested, pa.string_view())),
    "arrow list view": lambda rows, kind, nested: pa.array(rows, arrow_type(kind, nested, lists=pa.list_view)),
    "arrow list view of views": lambda rows, kind, nested: as_list_views(pa.array(rows, arrow_type(kind, nested))),
    "arrow large list view": lambda rows, kind, nested: as_list_views(
        pa.array(rows, arrow_type(kind, nested)), large=True
    ),
    "arrow chunks": arrow_chunks,
    "arrow slice": arrow_slice,
    "arrow dictionary": arrow_dictionary,
    "datasets": lambda rows, _kind, _nested: datasets.Dataset.from_dict({"rows": rows})["rows"],
}
