"""Remove padding from the token ids that models return."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from .._corpus import as_numpy, is_tensor
from .._reading import IGNORED
from .._validation import as_int, is_array, is_list, short_repr


def remove_padding(ids: Any, pad_id: int | Collection[int] | None = None) -> list[Any]:
    """Remove ids that are not tokens: -100, masked entries of an array, and the ids in `pad_id`.

    Args:
        ids: rows of token ids: a 2-D array or tensor, or a list of 1-D arrays, tensors or lists. An item of the list
            may also be a list of rows, such as the references of one sample.
        pad_id: the padding id, or several ids, e.g. ``tokenizer.all_special_ids``. They are removed at every
            position, not only at the end.

    Returns:
        Lists of integers, nested like `ids`. They can be passed to `corpus_bleu`.

    Raises:
        TypeError: `ids` are not rows of integers, or `pad_id` is neither an integer nor a collection of integers.

    >>> remove_padding([[5, 6, 7, 0], [8, 0, 0, -100]], pad_id=0)
    [[5, 6, 7], [8]]
    """
    padding = {IGNORED, *_padding_ids(pad_id)}
    try:
        return _rows_without(padding, ids)
    except RecursionError:
        raise TypeError(f"ids must be rows of token ids, but they are nested too deeply: {short_repr(ids)}") from None


def _padding_ids(pad_id: Any) -> set[int | None]:
    """Return the padding ids as a set: None -> set(), 0 -> {0}, [0, 1] -> {0, 1}."""
    if pad_id is None:
        return set()
    number = as_int(pad_id)
    if number is not None:
        return {number}
    try:
        numbers = {as_int(item) for item in pad_id}
    except TypeError:  # `pad_id` has no items
        numbers = {None}
    if None in numbers:
        shown = short_repr(pad_id)
        raise TypeError(f"pad_id must be a token id or a list of token ids, e.g. tokenizer.pad_token_id, got {shown}")
    return numbers


def _rows_without(padding: set[int | None], rows: Any) -> list[Any]:
    """Return rows of ids, or lists of such rows, without padding: [[5, 0], [[6, 0], [0]]] -> [[5], [[6], []]]."""
    items = _items(rows)
    if items is None or not all(map(_is_row, items)):
        raise TypeError(f"ids must be rows of token ids, e.g. [[5, 6, 0], [7, 0, 0]], got {short_repr(rows)}")
    cleaned = []
    for row in map(_items, items):
        has_rows = bool(row) and _is_row(row[0])
        cleaned.append(_rows_without(padding, row) if has_rows else _row_without(padding, row))
    return cleaned


def _row_without(padding: set[int | None], row: list[Any]) -> list[int]:
    """Return a list of ids without padding: [5, 6, 0] -> [5, 6]. Raise ``TypeError`` if an item is not an integer."""
    is_plain = set(map(type, row)) <= {int}
    ids = row if is_plain else [_as_id(item) for item in row]
    return [number for number in ids if number not in padding]


def _is_row(value: Any) -> bool:
    """Return whether a value is a list, an array or a tensor, but not a table."""
    return is_list(value) or is_tensor(value)


def _items(row: Any) -> Any:
    """Return the items of a list, array or tensor, except those that are masked. Return None for other values."""
    if is_tensor(row):
        row = as_numpy(row)
    if not is_list(row):
        return None
    if isinstance(row, np.ma.MaskedArray):
        return row.compressed().tolist() if row.ndim == 1 else list(row)
    return row.tolist() if is_array(row) else row


def _as_id(item: Any) -> int:
    """Return an integer of any type as an int. Raise ``TypeError`` for other values."""
    number = as_int(item)
    if number is None:
        raise TypeError(f"token ids must be integers, got {short_repr(item)} ({type(item).__name__})")
    return number
