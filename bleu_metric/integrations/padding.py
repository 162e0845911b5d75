"""Token ids as models give them, padded to one length -> lists of the ids that are tokens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .._arrays import as_numpy, is_tensor
from .._arrow import IGNORED
from .._validation import as_int, short_repr


def remove_padding(ids: Any, pad_id: int | Iterable[int] | None = None) -> list[Any]:
    """Leave out what is not a token: -100, and the ids that are named.

    Args:
        ids: rows of token ids: a 2-D array or tensor, or a list of 1-D arrays, tensors or lists. They may be deeper:
            lists of references.
        pad_id: the id of padding, or several ids, e.g. ``tokenizer.all_special_ids``. They are left out wherever they
            stand, as ``skip_special_tokens=True`` does in decoding.

    Returns:
        Lists of whole numbers, as deep as `ids`: what `corpus_bleu` takes.

    Raises:
        TypeError: ids that are not whole numbers, or not in rows.

    >>> remove_padding([[5, 6, 7, 0], [8, 0, 0, -100]], pad_id=0)
    [[5, 6, 7], [8]]
    """
    left_out = frozenset((IGNORED, *_ids_to_leave_out(pad_id)))
    rows = _as_list(ids)
    if not isinstance(rows, list) or not all(isinstance(_as_list(row), list) for row in rows):
        raise TypeError(f"ids must be rows of token ids, e.g. [[5, 6, 0], [7, 0, 0]], got {short_repr(ids)}")
    return [_without(row, left_out) for row in rows]


def _ids_to_leave_out(pad_id: Any) -> list[int]:
    if pad_id is None:
        return []
    several = list(pad_id) if isinstance(pad_id, Iterable) and not isinstance(pad_id, str) else [pad_id]
    numbers = [as_int(number) for number in several]
    if None in numbers:
        raise TypeError(
            f"pad_id must be a token id or several, got {short_repr(pad_id)}; tokenizer.pad_token_id is one"
        )
    return numbers  # type: ignore[return-value]


def _as_list(ids: Any) -> Any:
    """Make a list of an array, a tensor or a tuple; anything else stays as it is."""
    if is_tensor(ids):
        ids = as_numpy(ids)
    if hasattr(ids, "tolist"):
        return ids.tolist()
    return list(ids) if isinstance(ids, tuple) else ids


def _without(ids: Any, left_out: frozenset[int]) -> list[Any]:
    items = _as_list(ids)
    if any(isinstance(_as_list(item), list) for item in items[:1]):
        return [_without(item, left_out) for item in items]
    if {*map(type, items)} - {int}:
        items = [_as_id(item) for item in items]
    if left_out.isdisjoint(items):  # many times faster than a look at each
        return items  # type: ignore[no-any-return]
    return [item for item in items if item not in left_out]


def _as_id(item: Any) -> int:
    number = as_int(item)
    if number is None:
        raise TypeError(f"token ids are whole numbers, got {short_repr(item)} ({type(item).__name__})")
    return number
