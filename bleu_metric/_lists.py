"""Read the rows of Python lists and NumPy arrays into flat Arrow arrays of texts, tokens or ids, and check every row.

The compiled kernel, which is faster, reads most plain lists. This module reads the rows that the kernel declines.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import Any

from ._arrow import from_numpy, from_strings
from ._lazy import np, pa
from ._mistakes import advice_on_item
from ._reading import Origin, Side, TooMuchTextError, count_present, refuse_negative_ids, refuse_rows_without_reference
from ._validation import Array, Ints, first_true, is_missing, short_repr

_SURROGATE = re.compile("[\ud800-\udfff]")
_NONE = type(None)
EXPECTED = {"text": "strings", "tokens": "lists of tokens (strings)", "ids": "lists of token ids (integers)"}


def _lists() -> tuple[type[Any], ...]:
    """Return the types that count as lists. A constant instead of this function would always import NumPy."""
    return (list, tuple, np.ndarray)


def holds_times(array: Array) -> bool:
    """Return whether the items of an array are dates or periods of time."""
    return array.dtype.kind in "mM"


def read_lists(rows: Any, kind: str, nested: bool, origin: Origin, skip_missing: bool) -> Side:
    """Flatten and check rows of Python or NumPy values, and return them as a `Side`. Errors name the wrong row.

    `skip_missing`: whether to drop texts that are None or NaN, instead of raising an error.
    """
    items: list[Any] = rows.tolist() if isinstance(rows, np.ndarray) and rows.ndim == 1 else list(rows)
    per_row = np.ones(len(items), np.int64)
    if nested:
        per_row, items = _references_of_rows(items, origin)
    accepted = (str,) if kind == "text" else _lists()
    if skip_missing:
        accepted = (*accepted, _NONE)
        items = _with_none_for_nan(items)
    _check_types(items, accepted, EXPECTED[kind], origin.inside(per_row))
    per_row, texts = _without_none(items, per_row)
    refuse_rows_without_reference(per_row, origin.first)
    of_texts = origin.inside(per_row)
    if kind == "text":
        return Side.of_texts(_as_strings(texts, of_texts), per_row)
    values, lengths = _read_ids(texts, of_texts) if kind == "ids" else _read_tokens(texts, of_texts)
    return Side(values, lengths, per_row)


def _references_of_rows(rows: list[Any], origin: Origin) -> tuple[Ints, list[Any]]:
    """Return the number of references of each row, and one list of all references. For a missing row, it is 0."""
    rows = _with_none_for_nan(rows)
    _check_types(rows, (*_lists(), _NONE), "lists of references", origin)
    return _flatten([[] if row is None else row for row in rows])


def _without_none(items: list[Any], per_row: Ints) -> tuple[Ints, list[Any]]:
    """Drop the items that are None. Return the number of remaining items in each row, and these items."""
    if _NONE not in set(map(type, items)):
        return per_row, items
    present = np.array([item is not None for item in items], bool)
    return count_present(per_row, present), [item for item in items if item is not None]


def _read_tokens(texts: list[Any], of_texts: Origin) -> tuple[pa.Array, Ints]:
    """Return all tokens as strings, and the number of tokens of each text."""
    lengths, tokens = _flatten(texts)
    of_tokens = of_texts.inside(lengths)
    _check_types(tokens, (str,), EXPECTED["tokens"], of_tokens)
    return _as_strings(tokens, of_tokens), lengths


def _read_ids(texts: list[Any], of_texts: Origin) -> tuple[pa.Array, Ints]:
    """Return all token ids as int64, and the number of token ids of each text."""
    if texts and all(map(_holds_ids, texts)):
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        ids = np.concatenate(texts).astype(np.int64, copy=False)
    else:
        lengths, items = _flatten(texts)
        of_items = of_texts.inside(lengths)
        _check_types(items, (int, np.integer), EXPECTED["ids"], of_items)
        ids = _as_int64(items, of_items)
    refuse_negative_ids(ids, of_texts.inside(lengths))
    return from_numpy(ids), lengths


def _holds_ids(text: Any) -> bool:
    """Return whether a text is an array of signed integers. The types of its items need no check."""
    return isinstance(text, np.ndarray) and text.ndim == 1 and text.dtype.kind == "i"


def _with_none_for_nan(items: list[Any]) -> list[Any]:
    """Replace NaN and NA, the missing values of pandas, with None."""
    types = set(map(type, items))
    may_be_missing = any(issubclass(each, (float, np.floating)) or each.__name__ == "NAType" for each in types)
    return [None if is_missing(item) else item for item in items] if may_be_missing else items


def _flatten(rows: list[Any]) -> tuple[Ints, list[Any]]:
    """Return the number of items in each row, and one list of all items."""
    if any(issubclass(row_type, np.ndarray) for row_type in set(map(type, rows))):
        rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in rows]
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    return sizes, list(chain.from_iterable(rows))


def _check_types(items: list[Any], accepted: tuple[type, ...], expected: str, origin: Origin) -> None:
    """Raise ``TypeError`` for the first item of a type that is not accepted. Booleans and times are never accepted."""
    types = set(map(type, items))
    wrong = {item_type for item_type in types if not issubclass(item_type, accepted)}
    wrong |= {item_type for item_type in types if issubclass(item_type, (bool, np.bool_, np.timedelta64))}
    has_arrays = any(issubclass(item_type, np.ndarray) for item_type in types)
    if wrong or has_arrays:
        for index, item in enumerate(items):
            if type(item) in wrong or (has_arrays and _is_wrong_array(item)):
                raise TypeError(
                    f"{origin.row(index)} holds {_with_type(item)} where {expected} are expected; "
                    f"{advice_on_item(item)}"
                )


def _is_wrong_array(item: Any) -> bool:
    """Return whether an item is an array without dimensions, or an array of times."""
    return isinstance(item, np.ndarray) and (not item.ndim or holds_times(item))


def _with_type(item: Any) -> str:
    """Return the item and its type as text, for an error message."""
    return f"{short_repr(item)} ({type(item).__name__})"


def _as_strings(items: list[Any], origin: Origin) -> pa.Array:
    """Return strings as an Arrow array.

    Raise ``ValueError`` for a lone surrogate, and `TooMuchTextError` for more than 2 GiB.
    """
    try:
        return from_strings(items, pa.string())
    except UnicodeEncodeError:
        raise _surrogate_error(items, origin) from None
    except pa.ArrowCapacityError:
        raise TooMuchTextError.of(origin) from None


def _surrogate_error(items: list[Any], origin: Origin) -> ValueError:
    """Return the error for the first string with a lone surrogate."""
    index = first_true(map(_SURROGATE.search, items))
    place = len(_SURROGATE.split(items[index], maxsplit=1)[0])
    return ValueError(
        f"{origin.row(index)} is not valid Unicode: {_with_type(items[index])} has a lone surrogate at "
        f"index {place}; read the file with encoding='utf-8', or use text.encode('utf-8', 'replace').decode()"
    )


def _as_int64(items: list[Any], origin: Origin) -> Ints:
    """Return token ids as an array. Raise ``ValueError`` for the first id that does not fit into int64."""
    try:
        return np.fromiter(items, np.int64, len(items))
    except OverflowError:
        index = first_true(not -(2**63) <= int(item) < 2**63 for item in items)
        raise ValueError(
            f"{origin.row(index)} holds the token id {short_repr(items[index])}, "
            "which does not fit into a signed 64-bit integer"
        ) from None
