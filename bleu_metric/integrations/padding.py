"""Remove padding from the token ids that models return."""

from __future__ import annotations

from collections.abc import Collection, Iterable
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
    left_out = {IGNORED, *_padding_ids(pad_id)}
    rows = _as_list(ids)
    if rows is None or not all(_is_row(row) for row in rows):
        raise TypeError(f"ids must be rows of token ids, e.g. [[5, 6, 0], [7, 0, 0]], got {short_repr(ids)}")
    try:
        return [_without(row, left_out) for row in rows]
    except RecursionError:
        raise TypeError(f"ids must be rows of token ids, but they are nested too deeply: {short_repr(ids)}") from None


def _padding_ids(pad_id: Any) -> set[int]:
    if pad_id is None:
        return set()
    is_one = as_int(pad_id) is not None or not isinstance(pad_id, Iterable) or getattr(pad_id, "ndim", 1) == 0
    numbers = [as_int(number) for number in ([pad_id] if is_one else pad_id)]
    if None in numbers:
        shown = short_repr(pad_id)
        raise TypeError(f"pad_id must be a token id or a list of token ids, e.g. tokenizer.pad_token_id, got {shown}")
    return {*numbers}  # type: ignore[arg-type]


def _is_row(value: Any) -> bool:
    return is_list(value) or is_tensor(value)


def _as_list(value: Any) -> Any:
    """Return the items of a list, array or tensor without masked items. Return None for other values."""
    if is_tensor(value):
        value = as_numpy(value)
    if not is_list(value):
        return None
    if isinstance(value, np.ma.MaskedArray):
        return value.compressed().tolist() if value.ndim == 1 else [*value]
    return value.tolist() if is_array(value) else value


def _without(row: Any, left_out: set[int]) -> list[Any]:
    """Return a row of ids, or a list of rows, without the ids in `left_out`."""
    items = _as_list(row)
    if items and _is_row(items[0]):
        return [_without(inner, left_out) for inner in items]
    ids = items if {*map(type, items)} <= {int} else [_as_id(item) for item in items]
    return [number for number in ids if number not in left_out]


def _as_id(item: Any) -> int:
    number = as_int(item)
    if number is None:
        raise TypeError(f"token ids must be integers, got {short_repr(item)} ({type(item).__name__})")
    return number
