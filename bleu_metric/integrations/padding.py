"""Remove padding from the token ids that models return."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from .._corpus import as_numpy, is_tensor
from .._reading import IGNORED
from .._validation import Ints, as_int, is_list, short_repr


def remove_padding(ids: Any, pad_id: int | Collection[int] | None = None) -> list[Any]:
    """Remove ids that are not tokens: -100, masked entries of an array, and the ids in `pad_id`.

    Args:
        ids: rows of token ids: a 2-D array or tensor, or a list of 1-D arrays, tensors or lists. Each item
            may also be a list of rows, for several references.
        pad_id: the padding id, or several ids, e.g. ``tokenizer.all_special_ids``. They are removed at every
            position.

    Returns:
        Lists of integers, nested like `ids`. `corpus_bleu` accepts them.

    Raises:
        TypeError: `ids` are not rows of integers, or `pad_id` is not an integer or several.

    >>> remove_padding([[5, 6, 7, 0], [8, 0, 0, -100]], pad_id=0)
    [[5, 6, 7], [8]]
    """
    return _to_lists(token_rows(ids, pad_id))


def token_rows(ids: Any, pad_id: int | Collection[int] | None = None) -> list[Any]:
    """Remove padding as `remove_padding` does. Return each row as an int64 array instead of a list."""
    left_out = (IGNORED, *_ids_to_leave_out(pad_id))
    ids = as_numpy(ids) if is_tensor(ids) else ids
    if not is_list(ids) or not all(map(_is_row, ids)):
        raise TypeError(f"ids must be rows of token ids, e.g. [[5, 6, 0], [7, 0, 0]], got {short_repr(ids)}")
    return [_without(row, left_out) for row in ids]


def _ids_to_leave_out(pad_id: Any) -> list[int]:
    if pad_id is None:
        return []
    is_any_array = is_tensor(pad_id) or isinstance(pad_id, np.ndarray)
    values = as_numpy(pad_id).tolist() if is_any_array else pad_id
    if not isinstance(values, (list, tuple, set, frozenset, range)):
        values = [values]
    numbers = [as_int(number) for number in values]
    if None in numbers:
        shown = short_repr(pad_id)
        raise TypeError(f"pad_id must be a token id or a list of token ids, e.g. tokenizer.pad_token_id, got {shown}")
    return numbers  # type: ignore[return-value]


def _is_row(row: Any) -> bool:
    return is_list(row) or is_tensor(row)


def _without(row: Any, left_out: tuple[int, ...]) -> Any:
    """Return a row as an array without the ids in `left_out`. For a list of rows, return a list of arrays."""
    row = as_numpy(row) if is_tensor(row) else row  # in a pandas Series, [0] selects by label, not by position
    if len(row) and _is_row(row[0]):
        return [_without(inner, left_out) for inner in row]
    ids = _as_ids(row)
    for number in left_out:
        is_left_out = ids == number
        if is_left_out.any():
            ids = ids[~is_left_out]
    return ids


def _as_ids(row: Any) -> Ints:
    try:
        numbers = row.compressed() if isinstance(row, np.ma.MaskedArray) else as_numpy(row)
    except ValueError:  # `row` has both lists and numbers
        numbers = np.empty(0, object)
    is_too_large = numbers.dtype == np.uint64 and numbers.max(initial=0) >= 2**63
    if numbers.dtype.kind in "iu" and not is_too_large:
        return numbers.astype(np.int64, copy=False)
    for item in row:
        if as_int(item) is None or not -(2**63) <= item < 2**63:
            raise TypeError(f"token ids must be 64-bit integers, got {short_repr(item)} ({type(item).__name__})")
    return np.array([int(item) for item in row], np.int64)  # `row` is empty or has integers of several types


def _to_lists(rows: list[Any]) -> list[Any]:
    return [_to_lists(row) if isinstance(row, list) else row.tolist() for row in rows]
