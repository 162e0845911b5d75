"""Read the rows of Python lists and NumPy arrays into flat Arrow arrays of texts, tokens or ids, and check every row.

The compiled kernel, which is faster, reads most plain lists. This module reads the rows that the kernel declines.
"""

from __future__ import annotations

from itertools import chain, compress
from typing import Any

from ._arrow import from_numpy, from_strings
from ._lazy import np, pa
from ._mistakes import advice_on_item
from ._reading import (
    Origin,
    Side,
    TooMuchTextError,
    count_present,
    holds_times,
    refuse_negative_ids,
    refuse_rows_without_reference,
    sizes_of,
)
from ._validation import Ints, first_true, is_missing, short_repr

EXPECTED = {"text": "strings", "tokens": "lists of tokens (strings)", "ids": "lists of token ids (integers)"}


def read_texts(rows: Any, kind: str, origin: Origin) -> Side:
    """Flatten and check rows of one text each. Errors name the wrong row."""
    texts = _as_list(rows)
    return _read_texts(texts, np.ones(len(texts), np.int64), kind, origin)


def read_references(rows: Any, kind: str, nested: bool, origin: Origin) -> Side:
    """Flatten and check the references of each row. References that are None or NaN are dropped.

    `nested`: whether each row is a list of references, instead of one reference.
    """
    texts = _as_list(rows)
    per_row = np.ones(len(texts), np.int64)
    if nested:
        lists = [[] if is_missing(row) else row for row in texts]
        per_row, texts = _flatten(lists, "lists of references", origin)
    per_row, texts = _without_missing(texts, per_row)
    refuse_rows_without_reference(per_row, origin.first)
    return _read_texts(texts, per_row, kind, origin)


def _read_texts(texts: list[Any], per_row: Ints, kind: str, origin: Origin) -> Side:
    """Check and convert the texts of all rows. `per_row`: number of texts in each row."""
    text_origin = origin.flattened(per_row)
    if kind == "text":
        _check_types(texts, (str,), EXPECTED["text"], text_origin)
        return Side.untokenized(_as_strings(texts, text_origin), per_row)
    read = _read_tokens if kind == "tokens" else _read_ids
    values, lengths = read(texts, text_origin)
    return Side(values, lengths, per_row)


def _read_tokens(texts: list[Any], origin: Origin) -> tuple[pa.Array, Ints]:
    """Return all tokens as strings, and the number of tokens of each text."""
    lengths, tokens = _flatten(texts, EXPECTED["tokens"], origin)
    token_origin = origin.flattened(lengths)
    _check_types(tokens, (str,), EXPECTED["tokens"], token_origin)
    return _as_strings(tokens, token_origin), lengths


def _read_ids(texts: list[Any], origin: Origin) -> tuple[pa.Array, Ints]:
    """Return all token ids as int64, and the number of token ids of each text."""
    if all(map(_is_array_of_ids, texts)):
        lengths = sizes_of(texts)
        ids = np.concatenate(texts).astype(np.int64, copy=False)
    else:
        lengths, items = _flatten(texts, EXPECTED["ids"], origin)
        ids = _as_ids(items, origin.flattened(lengths))
    refuse_negative_ids(ids, origin.flattened(lengths))
    return from_numpy(ids), lengths


def _is_array_of_ids(text: Any) -> bool:
    """Return whether a text is an array of signed integers. The types of its items need no check."""
    return isinstance(text, np.ndarray) and text.ndim == 1 and text.dtype.kind == "i"


def _as_list(rows: Any) -> list[Any]:
    """Return the items of a list, a tuple or an array. Items of one-dimensional arrays become Python values."""
    return rows.tolist() if isinstance(rows, np.ndarray) and rows.ndim == 1 else list(rows)


def _flatten(lists: list[Any], expected: str, origin: Origin) -> tuple[Ints, list[Any]]:
    """Return the number of items in each list or array, and one list of all items.

    [["a", "b"], [], ["c"]] -> [2, 0, 1] and ["a", "b", "c"]. Raise ``TypeError`` if an item of `lists` is not a list.
    `expected`: what the lists are, in words.
    """
    _check_types(lists, _list_types(), expected, origin)
    lists = [items.tolist() if isinstance(items, np.ndarray) else items for items in lists]
    return sizes_of(lists), list(chain.from_iterable(lists))


def _without_missing(texts: list[Any], per_row: Ints) -> tuple[Ints, list[Any]]:
    """Drop the texts that are None, NaN or NA. Return the number of remaining texts in each row, and these texts."""
    present = np.array([not is_missing(text) for text in texts])
    if present.all():
        return per_row, texts
    return count_present(per_row, present), list(compress(texts, present))


# --- Types of items -------------------------------------------------------------------------------------------------


def _list_types() -> tuple[type[Any], ...]:
    """Return the types that count as lists. A constant instead of this function would always import NumPy."""
    return (list, tuple, np.ndarray)


def _check_types(items: list[Any], accepted: tuple[type, ...], expected: str, origin: Origin) -> None:
    """Raise ``TypeError`` for the first item of a wrong type. `expected`: the accepted types in words."""
    types = set(map(type, items))
    if all(issubclass(item_type, accepted) and not _needs_a_look(item_type) for item_type in types):
        return
    for index, item in enumerate(items):
        if not _is_accepted(item, accepted):
            raise TypeError(
                f"{origin.row(index)} holds {_with_type(item)} where {expected} are expected; {advice_on_item(item)}"
            )


def _needs_a_look(item_type: type) -> bool:
    """Return whether items of an accepted type can be wrong: Booleans and time deltas are subclasses of integers."""
    return issubclass(item_type, (bool, np.timedelta64, np.ndarray))


def _is_accepted(item: Any, accepted: tuple[type, ...]) -> bool:
    """Return whether an item has an accepted type. An array must have a dimension, and no dates or times."""
    if not isinstance(item, accepted):
        return False
    if isinstance(item, np.ndarray):
        return item.ndim > 0 and not holds_times(item)
    return not isinstance(item, (bool, np.timedelta64))


def _with_type(item: Any) -> str:
    """Return the item and its type as text, for an error message."""
    return f"{short_repr(item)} ({type(item).__name__})"


def _as_strings(items: list[Any], origin: Origin) -> pa.Array:
    """Return strings as an Arrow array.

    Raise ``ValueError`` for a lone surrogate, and `TooMuchTextError` for more than 2 GiB.
    """
    try:
        return from_strings(items, pa.string())
    except pa.ArrowCapacityError:
        raise TooMuchTextError.of(origin) from None
    except UnicodeEncodeError as error:
        index = first_true(item == error.object for item in items)
        raise ValueError(
            f"{origin.row(index)} is not valid Unicode: {_with_type(items[index])} has a lone surrogate at "
            f"index {error.start}; read the file with encoding='utf-8', or use text.encode('utf-8', 'replace').decode()"
        ) from None


def _as_ids(items: list[Any], origin: Origin) -> Ints:
    """Return token ids as an array. Raise ``ValueError`` for the first id that does not fit into int64."""
    _check_types(items, (int, np.integer), EXPECTED["ids"], origin)
    try:
        return np.fromiter(items, np.int64, len(items))
    except OverflowError:
        index = first_true(not -(2**63) <= int(item) < 2**63 for item in items)
        raise ValueError(
            f"{origin.row(index)} holds the token id {short_repr(items[index])}, "
            "which does not fit into a signed 64-bit integer"
        ) from None
