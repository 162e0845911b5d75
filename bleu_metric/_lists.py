"""Read rows in Python lists and NumPy arrays as flat Arrow arrays of texts, tokens or ids. Check every row.

Plain lists are usually read by the compiled kernel, which is faster. What it declines comes here.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from ._arrow import from_numpy, from_strings
from ._lazy import np, pa
from ._mistakes import advice_on_item
from ._reading import Origin, Side, TooMuchTextError, count_present, refuse_negative_ids, refuse_rows_without_reference
from ._validation import Ints, first_true, is_missing, short_repr

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SURROGATE = re.compile("[\ud800-\udfff]")
_NONE = type(None)
EXPECTED = {"text": "strings", "tokens": "lists of tokens (strings)", "ids": "lists of token ids (integers)"}


def _lists() -> tuple[type[Any], ...]:
    """Return the types of lists. A function, because a constant would import NumPy."""
    return (list, tuple, np.ndarray)


def holds_times(array: NDArray[Any]) -> bool:
    """Return whether the items of an array are dates or periods of time."""
    return array.dtype.kind in "mM"


def read_lists(rows: Any, kind: str, nested: bool, origin: Origin, skip_missing: bool) -> Side:
    """Flatten, check and convert Python or NumPy rows. Return them as a `Side`. An error names the row.

    `skip_missing`: leave out references that are None or NaN.
    """
    return _ListReader(kind, skip_missing).read(rows, nested, origin)


class _ListReader(NamedTuple):
    """A reader of rows of one kind. It reads level by level: rows, then texts, then tokens."""

    kind: str
    skip_missing: bool

    def read(self, rows: Any, nested: bool, origin: Origin) -> Side:
        items: list[Any] = rows.tolist() if isinstance(rows, np.ndarray) and rows.ndim == 1 else list(rows)
        if nested:
            per_row, items = self._references_of_rows(items, origin)
        else:
            per_row = np.ones(len(items), np.int64)
        per_row, texts, types = self._present_texts(items, per_row, origin)
        of_texts = origin.inside(per_row)
        if self.kind == "text":
            return Side.of_texts(_as_strings(texts, of_texts), per_row)
        ids = _ids_of_arrays(texts) if self.kind == "ids" else None
        if ids is not None:
            lengths = np.fromiter(map(len, texts), np.int64, len(texts))
            refuse_negative_ids(ids, of_texts.inside(lengths))
            return Side(from_numpy(ids), lengths, per_row)
        lengths, tokens = _flatten(texts, types)
        of_tokens = of_texts.inside(lengths)
        return Side(self._tokens(tokens, of_tokens), lengths, per_row)

    def _references_of_rows(self, rows: list[Any], origin: Origin) -> tuple[Ints, list[Any]]:
        """Return the number of references of each row, and one list of all references. None is a row without any."""
        rows = _with_none_for_nan(rows)
        types = _check_types(rows, (*_lists(), _NONE), "lists of references", origin)
        if _NONE in types:
            rows = [[] if row is None else row for row in rows]
        return _flatten(rows, types)

    def _present_texts(self, items: list[Any], per_row: Ints, origin: Origin) -> tuple[Ints, list[Any], set[type]]:
        """Check types and drop missing references. Return (number of texts per row, texts, types of the texts)."""
        accepted: tuple[type, ...] = (str,) if self.kind == "text" else _lists()
        if self.skip_missing:
            accepted = (*accepted, _NONE)
            items = _with_none_for_nan(items)
        types = _check_types(items, accepted, EXPECTED[self.kind], origin.inside(per_row))
        if _NONE in types:
            present = np.array([item is not None for item in items], bool)
            per_row = count_present(per_row, present)
            items = [item for item in items if item is not None]
        refuse_rows_without_reference(per_row, origin.first)
        return per_row, items, types

    def _tokens(self, tokens: list[Any], origin: Origin) -> pa.Array:
        """Return tokens or token ids as an Arrow array, after a check of each."""
        if self.kind == "tokens":
            _check_types(tokens, (str,), EXPECTED[self.kind], origin)
            return _as_strings(tokens, origin)
        _check_types(tokens, (int, np.integer), EXPECTED[self.kind], origin)
        return _as_int64(tokens, origin)


def _ids_of_arrays(texts: list[Any]) -> Ints | None:
    """Return the token ids of all texts in one array; None unless all texts are arrays of integers."""
    are_ids = all(isinstance(text, np.ndarray) and text.ndim == 1 and text.dtype.kind == "i" for text in texts)
    return np.concatenate(texts).astype(np.int64, copy=False) if texts and are_ids else None


def _with_none_for_nan(items: list[Any]) -> list[Any]:
    """Return the items with None in place of NaN and NA, the missing values of pandas."""
    types = set(map(type, items))
    may_be_missing = any(issubclass(each, (float, np.floating)) or each.__name__ == "NAType" for each in types)
    return [None if is_missing(item) else item for item in items] if may_be_missing else items


def _flatten(rows: list[Any], types: set[type]) -> tuple[Ints, list[Any]]:
    """Return the number of items in each row, and one list of all items. `types`: the types of the rows."""
    if any(issubclass(row_type, np.ndarray) for row_type in types):
        rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in rows]
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    return sizes, list(chain.from_iterable(rows))


def _check_types(items: list[Any], accepted: tuple[type, ...], expected: str, origin: Origin) -> set[type]:
    """Return the items' types. Raise ``TypeError`` for the first item not `accepted`, and for a bool or a time."""
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
    return types


def _is_wrong_array(item: Any) -> bool:
    """Return whether an item is an array without dimensions, or one of times."""
    return isinstance(item, np.ndarray) and (not item.ndim or holds_times(item))


def _with_type(item: Any) -> str:
    """Return the item and its type as text, for an error message."""
    return f"{short_repr(item)} ({type(item).__name__})"


def _as_strings(items: list[Any], origin: Origin) -> pa.Array:
    """Return strings as an Arrow array. Raise an error for a lone surrogate, and for more than 2 GiB."""
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


def _as_int64(items: list[Any], origin: Origin) -> pa.Array:
    """Return token ids as an Arrow array. Raise ``ValueError`` for the first that is negative or too large."""
    try:
        ids = np.fromiter(items, np.int64, len(items))
    except OverflowError:
        index = first_true(not -(2**63) <= int(item) < 2**63 for item in items)
        raise ValueError(
            f"{origin.row(index)} holds the token id {short_repr(items[index])}, "
            "which does not fit into a signed 64-bit integer"
        ) from None
    refuse_negative_ids(ids, origin)
    return from_numpy(ids)
