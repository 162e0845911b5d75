"""Remove padding from the token ids that models return."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from .._corpus import IGNORED, as_numpy, is_array, is_list, is_tensor
from .._validation import as_int, has_length, short_repr


def remove_padding(ids: Any, pad_id: int | Collection[int] | None = None) -> list[Any]:
    """Remove ids that are not tokens: -100, and the ids in `pad_id`.

    Args:
        ids: rows of token ids: a 2-D array or tensor, or a list of 1-D arrays, tensors or lists. An item of the list
            may also be a list of rows, such as the references of one sample.
        pad_id: the padding id, or several ids, e.g. ``tokenizer.all_special_ids``. Ids are removed at every position,
            not only at the end.

    Returns:
        Lists of integers, nested like `ids`. They can be passed to `corpus_bleu`.

    Raises:
        TypeError: `ids` are not rows of integers, or `pad_id` is neither an integer nor a collection of integers.

    >>> remove_padding([[5, 6, 7, 0], [8, 0, 0, -100]], pad_id=0)
    [[5, 6, 7], [8]]
    """
    padding = {IGNORED, *_padding_ids(pad_id)}
    return [_remove_from_entry(_items(entry), padding) for entry in _items(ids)]


def _padding_ids(pad_id: Any) -> set[int]:
    """Return the padding ids as a set: None -> set(), 0 -> {0}, [0, 1] -> {0, 1}."""
    if pad_id is None:
        return set()
    is_tokenizer = hasattr(pad_id, "pad_token_id")  # a tokenizer also has a length
    ids = pad_id if has_length(pad_id) and not is_tokenizer else [pad_id]
    numbers = set()
    for item in ids:
        number = as_int(item)
        if number is None:
            got = short_repr(pad_id)
            raise TypeError(f"pad_id must be a token id or a list of token ids, e.g. tokenizer.pad_token_id, got {got}")
        numbers.add(number)
    return numbers


def _remove_from_entry(entry: Any, padding: set[int]) -> list[Any]:
    """Return a row of ids, or a list of rows, without padding: [5, 0] -> [5], [[6, 0], [0]] -> [[6], []]."""
    has_rows = len(entry) > 0 and (is_list(entry[0]) or is_tensor(entry[0]))
    if has_rows:
        return [_remove_from_row(_items(row), padding) for row in entry]
    return _remove_from_row(entry, padding)


def _remove_from_row(row: list[Any], padding: set[int]) -> list[int]:
    """Return a list of ids without padding: [5, 6, 0] -> [5, 6]. Raise ``TypeError`` if an item is not an integer."""
    # A list of ints, the usual case, needs no conversion
    ids: list[Any] = row
    if not set(map(type, row)) <= {int}:
        ids = list(map(as_int, row))
        if None in ids:
            item = row[ids.index(None)]
            raise TypeError(f"token ids must be integers, got {short_repr(item)} ({type(item).__name__})")
    return [number for number in ids if number not in padding]


def _items(value: Any) -> Any:
    """Return the items of a list, array or tensor. Raise ``TypeError`` for other values."""
    items = as_numpy(value) if is_tensor(value) else value
    if not is_list(items):
        raise TypeError(f"ids must be rows of token ids, e.g. [[5, 6, 0], [7, 0, 0]], got {short_repr(value)}")
    is_flat_array = is_array(items) and items.ndim == 1
    return items.tolist() if is_flat_array else items
