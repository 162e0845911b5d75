"""Read the items of Python lists and NumPy arrays into Arrow arrays, and check every item.

The compiled kernel, which is faster, reads most plain lists. This module reads the rows that the kernel declines.
"""

from __future__ import annotations

from itertools import chain, compress
from typing import Any, NamedTuple

from ._arrow import from_strings
from ._lazy import np, pa
from ._mistakes import advice_on_item
from ._reading import Origin, as_int64, sizes_of
from ._validation import Bools, Ints, first_true, is_array, is_missing, short_repr

EXPECTED = {"text": "strings", "tokens": "lists of tokens (strings)", "ids": "lists of token ids (integers)"}


class ListItems(NamedTuple):
    """Rows, texts or tokens that are read from Python lists. `_arrow.ArrowItems` has the same methods."""

    values: Any  # a list, or an array of signed integers with one dimension

    @classmethod
    def of(cls, rows: Any) -> ListItems:
        """Return the items of a list, a tuple or an array. Items of one-dimensional arrays become Python values."""
        return cls(rows.tolist() if isinstance(rows, np.ndarray) and rows.ndim == 1 else list(rows))

    def flatten(self, expected: str, origin: Origin) -> tuple[Ints, ListItems]:
        """Return the number of items in each list or array, and all these items.

        [["a", "b"], [], ["c"]] -> [2, 0, 1] and ["a", "b", "c"]. Raise ``TypeError`` if a value is not a list.
        `expected`: what the lists are, in words.
        """
        if len(self.values) and all(map(_is_array_of_ids, self.values)):
            return sizes_of(self.values), ListItems(np.concatenate(self.values))
        lists = [items.tolist() if _is_convertible(items) else items for items in self.values]
        _check_types(lists, (list, tuple), expected, origin)
        return sizes_of(lists), ListItems(list(chain.from_iterable(lists)))

    def without_missing(self) -> tuple[Bools, ListItems]:
        """Return a flag for each item, False if it is None, NaN or NA, and the items whose flag is True."""
        present = np.array([not is_missing(item) for item in self.values])
        return present, ListItems(list(compress(self.values, present)))

    def strings(self, expected: str, origin: Origin) -> pa.Array:
        """Return strings as an Arrow array. `expected`: what the rows are, in words.

        Raise ``TypeError`` for other types, and ``ValueError`` for a lone surrogate.
        """
        _check_types(self.values, (str,), expected, origin)
        try:
            return from_strings(self.values, pa.string())
        except UnicodeEncodeError as error:
            index = first_true(item == error.object for item in self.values)
            raise ValueError(
                f"{origin.row(index)} is not valid Unicode: {_with_type(error.object)} has a lone surrogate at index "
                f"{error.start}; read the file with encoding='utf-8', or use text.encode('utf-8', 'replace').decode()"
            ) from None

    def ids(self, expected: str, origin: Origin) -> Ints:
        """Return token ids as an array. Raise ``TypeError`` for other types, and ``ValueError`` for too large ids."""
        if isinstance(self.values, np.ndarray):
            ids: Ints = self.values.astype(np.int64, copy=False)
            return ids
        _check_types(self.values, (int, np.integer), expected, origin)
        return as_int64(self.values, origin)


def _is_array_of_ids(text: Any) -> bool:
    """Return whether a text is an array of signed integers. The types of its items need no check."""
    return isinstance(text, np.ndarray) and text.ndim == 1 and text.dtype.kind == "i"


def _is_convertible(items: Any) -> bool:
    """Return whether the items are an array, but not of dates or periods of time, which `tolist` can turn into ids."""
    return is_array(items) and items.dtype.kind not in "mM"


def _check_types(items: Any, accepted: tuple[type, ...], expected: str, origin: Origin) -> None:
    """Raise ``TypeError`` for the first item of a wrong type. `expected`: what the rows are, in words."""
    types = set(map(type, items))
    subclasses_of_int = {bool, np.timedelta64}
    wrong = {item_type for item_type in types if not issubclass(item_type, accepted)} | (types & subclasses_of_int)
    if wrong:
        index = first_true(type(item) in wrong for item in items)
        item = items[index]
        raise TypeError(
            f"{origin.row(index)} holds {_with_type(item)} where {expected} are expected; {advice_on_item(item)}"
        )


def _with_type(item: Any) -> str:
    """Return the item and its type as text, for an error message."""
    return f"{short_repr(item)} ({type(item).__name__})"
