"""Read the items of Python lists and NumPy arrays into Arrow arrays, and check every item.

The compiled kernel, which is faster, reads most plain lists. This module reads the rows that the kernel declines.
"""

from __future__ import annotations

from itertools import chain, compress
from typing import Any, NamedTuple

from ._arrow import from_strings
from ._lazy import np, pa
from ._mistakes import advice_on_item
from ._reading import Kind, Origin, as_int64, sizes_of
from ._validation import Bools, Ints, first_of_wrong_type, first_true, is_missing, with_type, without_array

EXPECTED: dict[Kind, str] = {
    "text": "strings",
    "tokens": "lists of tokens (strings)",
    "ids": "lists of token ids (integers)",
}


class ListItems(NamedTuple):
    """Rows, texts or tokens that are read from Python lists. `_arrow.ArrowItems` has the same methods."""

    values: Any  # a list, or an array of signed integers with one dimension

    @classmethod
    def of(cls, rows: Any) -> ListItems:
        """Return a list, a tuple or an array as items. The items of one-dimensional arrays become Python values."""
        is_flat_array = isinstance(rows, np.ndarray) and rows.ndim == 1
        return cls(rows.tolist() if is_flat_array else list(rows))

    def flatten(self, expected: str, origin: Origin) -> tuple[Ints, ListItems]:
        """Return the number of items in each list or array, and the items of all lists.

        [["a", "b"], [], ["c"]] -> [2, 0, 1] and ["a", "b", "c"]. Raise ``TypeError`` if a value is not a list; the
        error says that `expected`, such as "lists of tokens", was expected.
        """
        has_only_arrays = len(self.values) > 0 and all(map(_is_array_of_ids, self.values))
        # One array is faster to check than a list of Python integers
        if has_only_arrays:
            return sizes_of(self.values), ListItems(np.concatenate(self.values))

        lists = [without_array(items) for items in self.values]
        _check_types(lists, (list, tuple), expected, origin)
        # Copy the lists, because another thread may change them between the two lines below
        copies = list(map(tuple, lists))
        all_items = list(chain.from_iterable(copies))
        return sizes_of(copies), ListItems(all_items)

    def without_missing(self) -> tuple[Bools, ListItems]:
        """Return a flag for each item (False: it is None, NaN or NA), and the items whose flag is True."""
        present = np.array([not is_missing(item) for item in self.values])
        present_items = list(compress(self.values, present))
        return present, ListItems(present_items)

    def strings(self, expected: str, origin: Origin) -> pa.Array:
        """Return the items, which must be strings, as an Arrow array.

        Raise ``TypeError`` for an item of another type; the error says that `expected` was expected. Raise
        ``ValueError`` for a lone surrogate.
        """
        _check_types(self.values, (str,), expected, origin)

        try:
            return from_strings(self.values, pa.string())
        except UnicodeEncodeError as error:
            index = first_true(item == error.object for item in self.values)
            raise ValueError(
                f"{origin.row(index)} is not valid Unicode: {with_type(error.object)} has a lone surrogate at index "
                f"{error.start}; read the file with encoding='utf-8', or use text.encode('utf-8', 'replace').decode()"
            ) from None

    def ids(self, expected: str, origin: Origin) -> Ints:
        """Return token ids as an array. Raise an error that says which id is too large, or not an integer."""
        if isinstance(self.values, np.ndarray):  # `flatten` returns an array only for signed integers
            return np.asarray(self.values, np.int64)
        _check_types(self.values, (int, np.integer), expected, origin)
        return as_int64(self.values, origin)


def _is_array_of_ids(text: Any) -> bool:
    """Return whether a text is an array of signed integers, so that its items need no check of their types."""
    return isinstance(text, np.ndarray) and text.ndim == 1 and text.dtype.kind == "i"


def _check_types(items: Any, accepted: tuple[type, ...], expected: str, origin: Origin) -> None:
    """Raise ``TypeError`` for the first item of a wrong type. The error says that `expected` was expected."""
    index = first_of_wrong_type(items, accepted)
    if index is not None:
        item = items[index]
        raise TypeError(
            f"{origin.row(index)} holds {with_type(item)} where {expected} are expected; "
            f"{advice_on_item(item, accepted)}"
        )
