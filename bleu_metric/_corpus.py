"""Conversion of predictions and references in any container to one column of texts, tokens or token ids.

Rows are read in batches and checked. Errors about the input's shape are raised here or in `_arrow`; they name the row.
A text is a string, a list of tokens or a list of token ids. `references[i]` is one reference or a list of references.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, NamedTuple, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._arrow import (
    NOT_TOKENIZED,
    ArrowRows,
    Origin,
    Side,
    TooMuchTextError,
    as_arrow_rows,
    check_arrow_type,
    count_present,
    from_numpy,
    read_arrow,
    refuse_negative_ids,
    refuse_rows_without_reference,
)
from ._display import amount
from ._mistakes import Rows, advice_on_item, look_for_mistakes, refuse_texts_for_tokens, warn_of_padding
from ._validation import FLOATS, Ints, as_numpy, first_true, has_length, is_missing, is_tensor, short_repr

_LIMIT = 2**31  # bytes, or 2 GiB: an Arrow array of strings cannot hold more


class Layout(NamedTuple):
    """The kind and the nesting of the texts, which all rows share. The first row that is not empty shows them."""

    kind: str  # "text", "tokens" or "ids"
    nested: bool  # whether references[i] is a list of references


class Batch(NamedTuple):
    """The texts of some segments: first all references, segment by segment, then the predictions, system by system."""

    kind: str
    values: pa.Array  # one string per text, one string per token, or one int64 per token id
    lengths: Ints  # number of tokens of each text; empty if the texts are strings, which are tokenized later
    references_per_segment: Ints
    systems: int = 1

    @property
    def segments(self) -> int:
        return len(self.references_per_segment)


class Corpus(NamedTuple):
    """The predictions and references of a corpus, one row each per segment. They are read and checked in batches."""

    predictions: Rows
    references: Rows
    layout: Layout
    first_row: int = 0  # the number that error messages give to the first row
    shows_kind: bool = True  # False if all lists are empty, so that the kind is unknown: tokens or ids
    name: str | None = None  # the name of the system, if there are several systems
    others: tuple[tuple[str, Rows], ...] = ()  # the other systems: (name, predictions)

    def batches(self, rows: int) -> Iterator[tuple[int, int]]:
        """Yield ranges of up to `rows` rows as (first, last + 1). With several systems, the ranges are shorter."""
        texts_per_row = 2 + len(self.others)
        rows = max(1, 2 * rows // texts_per_row)
        for first in range(0, len(self.predictions), rows):
            yield first, min(first + rows, len(self.predictions))

    def sides(self, first: int, last: int) -> tuple[Side, Side]:
        """Read and check the rows from `first` to `last - 1`. Return (predictions of one system, references)."""
        predictions = self._read_system(self.name, self.predictions, first, last)
        references = self._read_side(self.references, "references", first, last)
        return predictions, references

    def read(self, first: int, last: int) -> Batch:
        """Read the rows from `first` to `last - 1`. Return one batch of references and all predictions."""
        predictions, references = self.sides(first, last)
        others = [self._read_system(name, rows, first, last) for name, rows in self.others]
        sides = [references, predictions, *others]
        if sum(side.values.nbytes for side in sides) >= _LIMIT:
            raise TooMuchTextError(
                f"the rows from {self.first_row + first} on hold 2 GiB or more; the text of one segment must be smaller"
            )
        lengths = np.concatenate([side.lengths for side in sides])
        values = pa.concat_arrays([side.values for side in sides])
        return Batch(self.layout.kind, values, lengths, references.per_row, 1 + len(others))

    def _read_system(self, name: str | None, rows: Rows, first: int, last: int) -> Side:
        with naming_system(name):
            return self._read_side(rows, "predictions", first, last)

    def _read_side(self, rows: Any, name: str, first: int, last: int) -> Side:
        origin = Origin(name, self.first_row + first)
        kind = self.layout.kind
        nested = name == "references" and self.layout.nested
        if isinstance(rows, ArrowRows):
            check_arrow_type(rows, name, kind, nested)
            return read_arrow(rows.column.slice(first, last - first), kind, nested, origin)
        return read_lists(rows[first:last], kind, nested, origin, skip_missing=name == "references")


def check_same_kind(corpus: Corpus, kind: str | None) -> str | None:
    """Raise ``TypeError`` if this part of a stream differs in kind (text, tokens or ids) from the parts before it.

    `kind`: the kind of the parts before; None if they had only empty lists. Return the kind of all parts so far.
    """
    if not corpus.shows_kind:
        return kind
    if kind is not None and corpus.layout.kind != kind:
        raise TypeError(
            f"the rows from predictions[{corpus.first_row}] on are {_EXPECTED[corpus.layout.kind]}, the rows before "
            f"are {_EXPECTED[kind]}; all predictions and references must be of one kind"
        )
    return corpus.layout.kind


@contextmanager
def naming_system(system: str | None) -> Iterator[None]:
    """Add the system's name to errors raised in the `with` block. `system`: None if there is only one system."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise error if system is None else type(error)(f"system {short_repr(system)}: {error}") from None


def as_corpus(predictions: Any, references: Any, first_row: int = 0) -> Corpus:
    """Check the containers' types and lengths, and return the corpus. Most of its rows are read and checked later.

    `first_row`: the number that error messages give to the first row, if these rows are part of longer input.
    """
    left, right = as_rows(predictions, "predictions"), as_rows(references, "references")
    if len(left) != len(right):
        hint = "each prediction needs one entry in references"
        if len(right) and all(_length(right[row]) == len(left) for row in range(min(3, len(right)))):
            hint += (
                ". If an entry is missing, add it. If each entry holds one reference of every segment, as in "
                "sacrebleu, pass references=list(zip(*references))"
            )
        sizes = f"{amount(len(left), 'prediction')} but {amount(len(right), 'reference')}"
        raise ValueError(f"{sizes}; {hint}")
    if not len(left):
        raise ValueError("there are no predictions to score; give at least one prediction with its references")
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        look_for_mistakes(left, right)
    warn_of_padding(left, "predictions")
    warn_of_padding(right, "references")
    kind = _find_kind(left, right)
    layout = _find_layout(left, right, kind or "tokens")
    return Corpus(left, right, layout, first_row, shows_kind=kind is not None)


def as_rows(column: Any, name: str) -> Rows:
    """Return the rows of a list, tuple, array, tensor or column; raise ``TypeError`` for anything else."""
    arrow = as_arrow_rows(column, name)
    if arrow is not None:
        return arrow
    if type(column).__module__.startswith("datasets."):
        column = column[:] if has_length(column) else list(column)  # a stream has no length
    if isinstance(column, (list, tuple)):
        return _without_tensors(column)
    if isinstance(column, str):
        raise TypeError(
            f"{name} must be a list, tuple, array or column with one entry per segment, got a string "
            f"({str(column)[:40]!r}); try {name}=[{name}]"
        )
    if isinstance(column, (pa.Table, pa.RecordBatch)) or (hasattr(column, "to_numpy") and np.ndim(column) != 1):
        rows = f", or a list of its rows: {name}.to_numpy().tolist()" if hasattr(column, "to_numpy") else ""
        raise TypeError(f"{name} is a table ({type(column).__name__}); give one column of it{rows}")
    if hasattr(column, "to_numpy"):  # pandas
        column = column.to_numpy()
    elif hasattr(column, "__array__") and not isinstance(column, np.ndarray):  # a tensor; masked arrays stay masked
        column = as_numpy(column)
    if isinstance(column, np.ndarray) and _holds_times(column):  # `tolist` can turn times into whole numbers
        raise TypeError(f"{name} is an array of {column.dtype}; strings, tokens or token ids are expected")
    if isinstance(column, np.ndarray) and column.ndim:
        return cast(Sequence[Any], column)
    raise TypeError(
        f"{name} must be a list, tuple, array or column with one entry per segment, got {type(column).__name__}; "
        f"{_advice(column, name)}"
    )


def _without_tensors(rows: Sequence[Any]) -> Sequence[Any]:
    """Return the rows with tensors converted to arrays. Exception: if the first row has no tensor, nothing changes."""
    first = rows[0] if rows else None
    if is_tensor(first):
        return [as_numpy(row) if is_tensor(row) else row for row in rows]
    if isinstance(first, (list, tuple)) and first and is_tensor(first[0]):
        return [_without_tensors(row) if isinstance(row, (list, tuple)) else row for row in rows]
    return rows


def _advice(column: Any, name: str) -> str:
    """Return advice for a container that is not accepted, such as the code to type instead."""
    if isinstance(column, Mapping):
        return f"if its values are the segments, in order, try {name}=list({name}.values())"
    if isinstance(column, (set, frozenset)):
        return "a set has no order and drops repeated texts; give a list in the order of the segments"
    if isinstance(column, Iterable) and not isinstance(column, (bytes, bytearray, np.ndarray)):
        return f"try {name}=list({name})"
    return f"pass a single segment as a list with one entry: {name}=[…]"


def _holds_times(array: NDArray[Any]) -> bool:
    return array.dtype.kind in "mM"


def _length(row: Any) -> int | None:
    if isinstance(row, pa.ListScalar):
        return len(row) if row.is_valid else None
    return len(row) if is_list(row) else None


def _find_kind(predictions: Rows, references: Rows) -> str | None:
    """Return the kind (text, tokens or ids) that the first non-empty row shows; None if all lists are empty."""
    if isinstance(predictions, ArrowRows):
        kind = predictions.kind
    else:
        kind = next(filter(None, map(_kind_of_prediction, predictions)), None)
    if kind is not None:
        return kind
    kind = references.kind if isinstance(references, ArrowRows) else _kind_of_leaf(references)
    return "tokens" if kind == "text" else kind


def _find_layout(predictions: Rows, references: Rows, kind: str) -> Layout:
    depth = 0 if kind == "text" else 1
    if isinstance(references, ArrowRows):
        nested = references.depth > depth
    else:
        answers = (_is_nested(row, depth) for row in references)
        nested = next((answer for answer in answers if answer is not None), True)
    if kind == "tokens" and not nested:
        refuse_texts_for_tokens(predictions, references)
    return Layout(kind, nested)


def _kind_of_prediction(row: Any) -> str | None:
    if isinstance(row, str):
        return "text"
    if is_list(row):
        first = next((token for token in row if token is not None), None)
        return None if first is None else ("tokens" if isinstance(first, str) else "ids")
    return "text"  # neither a string nor a list: a later check raises the error


def _kind_of_leaf(rows: Any, depth: int = 3) -> str | None:
    """Return the kind of the first token or id in at most `depth` levels of lists; None if all lists are empty."""
    if not depth:
        return None
    for row in rows:
        if is_missing(row):
            continue
        if isinstance(row, str):
            return "tokens"
        if not is_list(row):
            return "ids"
        kind = _kind_of_leaf(row, depth - 1)
        if kind is not None:
            return kind
    return None


def _is_nested(row: Any, depth: int) -> bool | None:
    """Return whether a row is a list of references; None if unknown. `depth`: 0 if texts are strings, else 1."""
    if is_missing(row):
        return None
    if isinstance(row, str):
        return False
    if depth == 0:
        return True
    first = next((item for item in row if not is_missing(item)), None) if is_list(row) else None
    return None if first is None else is_list(first)


_SURROGATE = re.compile("[\ud800-\udfff]")
LISTS: tuple[type[Any], ...] = (list, tuple, np.ndarray)  # see `is_list`
_NONE = type(None)
_NOT_IDS = (bool, np.bool_, np.timedelta64)  # no token ids, although Python or NumPy treats them as integers
_EXPECTED = {"text": "strings", "tokens": "lists of tokens (strings)", "ids": "lists of token ids (whole numbers)"}


def is_list(row: Any) -> bool:
    """Return whether the value is a list, a tuple, or a NumPy array with at least one dimension."""
    return isinstance(row, LISTS) and not (isinstance(row, np.ndarray) and not row.ndim)


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
            return Side(_as_strings(texts, of_texts), NOT_TOKENIZED, per_row)
        ids = _plain_ids(texts, types) if self.kind == "ids" else None
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
        types = _check_types(rows, (*LISTS, _NONE), "lists of references", origin)
        if _NONE in types:
            rows = [[] if row is None else row for row in rows]
        return _flatten(rows, types)

    def _present_texts(self, items: list[Any], per_row: Ints, origin: Origin) -> tuple[Ints, list[Any], set[type]]:
        """Check types and drop missing references. Return (number of texts per row, texts, types of the texts)."""
        accepted: tuple[type, ...] = (str,) if self.kind == "text" else LISTS
        if self.skip_missing:
            accepted = (*accepted, _NONE)
            items = _with_none_for_nan(items)
        types = _check_types(items, accepted, _EXPECTED[self.kind], origin.inside(per_row))
        if _NONE in types:
            present = np.array([item is not None for item in items], bool)
            per_row = count_present(per_row, present)
            items = [item for item in items if item is not None]
        refuse_rows_without_reference(per_row, origin.first)
        return per_row, items, types

    def _tokens(self, tokens: list[Any], origin: Origin) -> pa.Array:
        if self.kind == "tokens":
            _check_types(tokens, (str,), _EXPECTED[self.kind], origin)
            return _as_strings(tokens, origin)
        _check_types(tokens, (int, np.integer), _EXPECTED[self.kind], origin)
        return _as_int64(tokens, origin)


def _plain_ids(texts: list[Any], types: set[type]) -> Ints | None:
    """Return the token ids of all texts in one array; None unless all texts are integer arrays or all are lists of int.

    Each list is read right after its check, while it is still in the processor's cache.
    """
    if types == {np.ndarray} and all(text.ndim == 1 and text.dtype.kind == "i" for text in texts):
        return np.concatenate(texts).astype(np.int64, copy=False)
    if types != {list}:
        return None
    ids = array("q")
    for text in texts:
        if not {*map(type, text)} <= {int}:
            return None
        try:
            ids.fromlist(text)
        except OverflowError:
            return None
    return np.frombuffer(ids, np.int64)


def _with_none_for_nan(items: list[Any]) -> list[Any]:
    """Return the items with None in place of NaN and NA, the missing values of pandas."""
    has_other = any(issubclass(each, FLOATS) or each.__name__ == "NAType" for each in set(map(type, items)))
    return [None if is_missing(item) else item for item in items] if has_other else items


def _flatten(rows: list[Any], types: set[type]) -> tuple[Ints, list[Any]]:
    """Return the number of items in each row, and one list of all items. `types`: the types of the rows."""
    if any(issubclass(row_type, np.ndarray) for row_type in types):
        rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in rows]
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    return sizes, list(chain.from_iterable(rows))


def _check_types(items: list[Any], accepted: tuple[type, ...], expected: str, origin: Origin) -> set[type]:
    """Return the items' types. Raise ``TypeError`` for the first item not `accepted`, and for a bool or a time."""
    types = set(map(type, items))
    wrong = {item_type for item_type in types if not issubclass(item_type, accepted) or issubclass(item_type, _NOT_IDS)}
    index = None
    if wrong:
        index = first_true(type(item) in wrong for item in items)
    elif any(issubclass(item_type, np.ndarray) for item_type in types):
        arrays = ((index, item) for index, item in enumerate(items) if isinstance(item, np.ndarray))
        index = next((index for index, array in arrays if not array.ndim or _holds_times(array)), None)
    if index is not None:
        raise TypeError(
            f"{origin.row(index)} holds {_with_type(items[index])} where {expected} are expected; "
            f"{advice_on_item(items[index])}"
        )
    return types


def _with_type(item: Any) -> str:
    return f"{short_repr(item)} ({type(item).__name__})"


def _as_strings(items: list[Any], origin: Origin) -> pa.Array:
    try:
        column = pa.array(items, pa.string())
    except UnicodeEncodeError:
        raise _surrogate_error(items, origin) from None
    except pa.ArrowCapacityError:  # a single string has 2 GiB or more
        raise TooMuchTextError.of(origin) from None
    if isinstance(column, pa.ChunkedArray):
        raise TooMuchTextError.of(origin)
    return column


def _surrogate_error(items: list[Any], origin: Origin) -> ValueError:
    matches = list(map(_SURROGATE.search, items))
    index = first_true(matches)
    place = matches[index].start()  # type: ignore[union-attr]
    return ValueError(
        f"{origin.row(index)} is not valid Unicode: {_with_type(items[index])} has a lone surrogate at "
        f"index {place}; read the file with encoding='utf-8', or use text.encode('utf-8', 'replace').decode()"
    )


def _as_int64(items: list[Any], origin: Origin) -> pa.Array:
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
