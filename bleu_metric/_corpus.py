"""Whatever came in -> one column of texts, tokens or token ids, and how many references each segment has.

Rows are read in batches. Every error about the shape of the input is raised here and names the row.
`predictions[i]` is a string, a list of tokens or a list of token ids; `references[i]` one of the same kind or a
list of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, NamedTuple, cast

import numpy as np
import pyarrow as pa

from ._arrays import Ints
from ._arrow import NOT_TOKENIZED, ArrowRows, TooMuchTextError, as_arrow_rows, is_utf8, read_arrow
from ._validation import has_length, short_repr

_LIMIT = 2**31  # bytes that an Arrow array of strings can hold


class Layout(NamedTuple):
    """The kind of all rows, decided by the first that shows it."""

    kind: str  # "text", "tokens" or "ids"
    nested: bool  # references[i] is a list of references, not one


class Batch(NamedTuple):
    """Some segments: all their references, in order, then all their predictions, of one system after another."""

    kind: str
    values: pa.Array  # one string per text, or per token; one int64 per token id
    lengths: Ints  # tokens of each text; empty for strings, which are not cut yet
    references_per_segment: Ints
    systems: int = 1

    @property
    def segments(self) -> int:
        return len(self.references_per_segment)


class Corpus(NamedTuple):
    """Predictions and references of equal number, not yet read."""

    predictions: Sequence[Any] | ArrowRows
    references: Sequence[Any] | ArrowRows
    layout: Layout
    first_row: int = 0  # number that errors give to the first row
    name: str | None = None  # of the system, where there are several
    others: tuple[tuple[str, Sequence[Any] | ArrowRows], ...] = ()  # further systems, by name

    def batches(self, rows: int) -> Iterator[tuple[int, int]]:
        """Cut the rows into stretches: (first, past the last)."""
        rows = max(1, 2 * rows // (2 + len(self.others)))
        for first in range(0, len(self.predictions), rows):
            yield first, min(first + rows, len(self.predictions))

    def sides(self, first: int, last: int) -> tuple[Side, Side]:
        """Read and check the predictions and the references of the rows from `first` up to `last`."""
        predictions = self._of_system(self.name, self.predictions, first, last)
        return predictions, _read_side(self.references, "references", *self.layout, first, last, self.first_row + first)

    def read(self, first: int, last: int) -> Batch:
        """Read the rows from `first` up to `last` as one batch."""
        predictions, references = self.sides(first, last)
        others = [self._of_system(name, rows, first, last) for name, rows in self.others]
        texts = [references, predictions, *others]
        if sum(side.values.nbytes for side in texts) >= _LIMIT:
            raise TooMuchTextError(
                f"the rows from {self.first_row + first} on hold more than 2 GiB; one segment can hold less"
            )
        lengths = np.concatenate([side.lengths for side in texts])
        values = pa.concat_arrays([side.values for side in texts])
        return Batch(self.layout.kind, values, lengths, references.per_row, 1 + len(others))

    def refuse_broken(self, first: int, last: int) -> None:
        """Raise for the first row whose text is not UTF-8, which an Arrow array may hold."""
        for row in range(first, last):
            for name, side in zip(("predictions", "references"), self.sides(row, row + 1), strict=True):
                if not is_utf8(side.values):
                    raise ValueError(f"{name}[{self.first_row + row}] is not UTF-8; decode the bytes first")

    def _of_system(self, name: str | None, rows: Sequence[Any] | ArrowRows, first: int, last: int) -> Side:
        with naming_system(name):
            return _read_side(rows, "predictions", self.layout.kind, False, first, last, self.first_row + first)


@contextmanager
def naming_system(system: str | None) -> Iterator[None]:
    """Say in an error which system's predictions it is about, where there are several."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise error if system is None else type(error)(f"system {system!r}: {error}") from None


class Side(NamedTuple):
    """Some rows of the predictions or of the references, flattened."""

    values: pa.Array
    lengths: Ints  # as in a batch
    per_row: Ints


def as_corpus(predictions: Any, references: Any, first_row: int = 0) -> Corpus:
    """Check what can be seen without reading the rows: types of the containers, numbers of rows, kinds.

    `first_row`: the number that errors give to the first row, where these are rows of something longer.
    """
    left, right = _rows(predictions, "predictions"), _rows(references, "references")
    if len(left) != len(right):
        hint = ""
        if len(right) and all(_length(right[row]) == len(left) for row in range(min(3, len(right)))):
            hint = (
                f"; references holds {len(right)} lists of {len(left)}, one list per set of references: turn it round "
                "with references=list(zip(*references))"
            )
        raise ValueError(f"{len(left)} predictions but {len(right)} references{hint or '; one entry each is needed'}")
    if not len(left):
        raise ValueError("there are no predictions to score; give at least one prediction with its references")
    return Corpus(left, right, _layout(left, right), first_row)


def _rows(column: Any, name: str) -> Sequence[Any] | ArrowRows:
    arrow = as_arrow_rows(column, name)
    if arrow is not None:
        return arrow
    if type(column).__module__.startswith("datasets."):
        column = column[:] if has_length(column) else list(column)  # of a stream
    if isinstance(column, (list, tuple)):
        return column
    if isinstance(column, str):
        raise TypeError(
            f"{name} must be a list, tuple, array or column with one entry per segment, got a string "
            f"({str(column)[:40]!r}); try {name}=[{name}]"
        )
    if isinstance(column, (pa.Table, pa.RecordBatch)) or (hasattr(column, "to_numpy") and np.ndim(column) != 1):
        raise TypeError(f"{name} is a table ({type(column).__name__}); give one column of it")
    if hasattr(column, "to_numpy"):  # pandas
        column = column.to_numpy()
    elif hasattr(column, "__array__") and not isinstance(column, np.ndarray):  # torch; a masked array keeps its mask
        column = np.asarray(column)
    if isinstance(column, np.ndarray) and column.ndim:
        return cast(Sequence[Any], column)
    raise TypeError(
        f"{name} must be a list, tuple, array or column with one entry per segment, got {type(column).__name__}; "
        f"try {name}=list({name})"
    )


def _length(row: Any) -> int | None:
    if isinstance(row, pa.ListScalar):
        return len(row) if row.is_valid else None
    return len(row) if is_list(row) else None


def _layout(predictions: Sequence[Any] | ArrowRows, references: Sequence[Any] | ArrowRows) -> Layout:
    if isinstance(predictions, ArrowRows):
        kind = predictions.kind
    else:
        kind = next(filter(None, map(_kind_of_prediction, predictions)), None)
    if kind is None:  # there are only empty lists of tokens
        kind = references.kind if isinstance(references, ArrowRows) else _kind_of_leaf(references)
        kind = "ids" if kind == "ids" else "tokens"
    depth = 0 if kind == "text" else 1
    if isinstance(references, ArrowRows):
        return Layout(kind, references.depth > depth)
    answers = (_is_nested(row, depth) for row in references)
    nested = next((answer for answer in answers if answer is not None), True)
    if kind == "tokens" and not nested and not isinstance(predictions, ArrowRows):
        _refuse_texts_for_tokens(predictions[0], references[0])
    return Layout(kind, nested)


def _refuse_texts_for_tokens(prediction: Any, reference: Any) -> None:
    """Tell references that are strings from one reference made of tokens: the strings have spaces."""
    if not (is_list(prediction) and is_list(reference) and len(prediction) and len(reference)):
        return
    spaced = all(isinstance(text, str) and " " in text for text in reference)
    if spaced and not any(isinstance(token, str) and " " in token for token in prediction):
        raise TypeError(
            "predictions[0] is a list of tokens, but references[0] is a list of strings with spaces: give both as "
            "strings, or split the references, too"
        )


def _kind_of_prediction(row: Any) -> str | None:
    if isinstance(row, str):
        return "text"
    if is_list(row):
        first = next((token for token in row if token is not None), None)
        return None if first is None else ("tokens" if isinstance(first, str) else "ids")
    return "text"  # the row itself will be refused


def _kind_of_leaf(rows: Any, depth: int = 3) -> str | None:
    """Look for the first token in references; `depth`: of lists, of which no more can be meant."""
    for row in rows if depth else ():
        if isinstance(row, str):
            return "tokens"
        found = _kind_of_leaf(row, depth - 1) if is_list(row) else (None if row is None else "ids")
        if found:
            return found
    return None


def _is_nested(row: Any, depth: int) -> bool | None:
    """Whether the references in this row are deeper than one text of the given depth."""
    if row is None or isinstance(row, str):
        return None if row is None else False
    if depth == 0:
        return True
    first = next((item for item in row if item is not None), None) if is_list(row) else None
    return None if first is None else is_list(first)


def _read_side(rows: Any, *where: Any) -> Side:
    return Side(*(read_arrow if isinstance(rows, ArrowRows) else read_lists)(rows, *where))


_SURROGATE = re.compile("[\ud800-\udfff]")
LISTS: tuple[type[Any], ...] = (list, tuple, np.ndarray)  # see `is_list`
_NONE = type(None)
_NO_IDS = (bool, np.bool_, np.timedelta64)  # whole numbers to Python and NumPy
_KINDS = {"text": "strings", "tokens": "lists of tokens (strings)", "ids": "lists of token ids (whole numbers)"}


def is_list(row: Any) -> bool:
    """Whether it is a list of something; the NumPy array of a single value is none."""
    return isinstance(row, LISTS) and not (isinstance(row, np.ndarray) and not row.ndim)


def read_lists(
    rows: Any, name: str, kind: str, nested: bool, start: int, last: int, first: int
) -> tuple[pa.Array, Ints, Ints]:
    """Flatten the rows from `start` to `last`, the first of which is called row `first` in errors.

    See `_columns.Side` for what is returned.
    """
    stretch = rows[start:last]
    items: list[Any] = stretch.tolist() if isinstance(stretch, np.ndarray) else list(stretch)
    per_row = np.ones(len(items), np.int64)
    row_of_item = None
    if nested:
        types = _check_types(items, (*LISTS, _NONE), name, "lists of references", first, None)
        items = [[] if row is None else row for row in items] if _NONE in types else items
        per_row, items = _flatten(items, types)
        row_of_item = np.repeat(np.arange(len(per_row)), per_row)
    accepted = (str,) if kind == "text" else LISTS
    accepted = accepted if name == "predictions" else (*accepted, _NONE)
    types = _check_types(items, accepted, name, _KINDS[kind], first, row_of_item)
    if _NONE in types:
        items, per_row = _drop_none(items, per_row)
        row_of_item = np.repeat(np.arange(len(per_row)), per_row)
    if not per_row.all():
        row = first + int(np.argmin(per_row))
        raise ValueError(f"references[{row}] has no reference; every segment needs at least one")
    if kind == "text":
        return _strings(items, name, first, row_of_item), NOT_TOKENIZED, per_row
    lengths, tokens = _flatten(items, types)
    row_of_item = np.arange(len(items)) if row_of_item is None else row_of_item
    row_of_token = np.repeat(row_of_item, lengths)
    _check_types(tokens, (str,) if kind == "tokens" else (int, np.integer), name, _KINDS[kind], first, row_of_token)
    read = _strings if kind == "tokens" else _integers
    return read(tokens, name, first, row_of_token), lengths, per_row


def _drop_none(items: list[Any], per_row: Ints) -> tuple[list[Any], Ints]:
    present = np.array([item is not None for item in items], bool)
    row_of_item = np.repeat(np.arange(len(per_row)), per_row)
    kept = np.bincount(row_of_item[present], minlength=len(per_row))
    return [item for item in items if item is not None], kept


def _flatten(rows: list[Any], types: set[type]) -> tuple[Ints, list[Any]]:
    """Sizes of the rows, and their items one after another; `types`: those of the rows."""
    if any(issubclass(kind, np.ndarray) for kind in types):
        rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in rows]
    return np.fromiter(map(len, rows), np.int64, len(rows)), list(chain.from_iterable(rows))


def _check_types(
    items: list[Any], accepted: tuple[type, ...], name: str, expected: str, first: int, row_of_item: Ints | None
) -> set[type]:
    """Return the types of the items; raise for the first of another type. Flags and times are no whole numbers here."""
    types = set(map(type, items))
    wrong = tuple(kind for kind in types if not issubclass(kind, accepted) or issubclass(kind, _NO_IDS))
    single = (i for i, item in enumerate(items) if isinstance(item, np.ndarray) and not item.ndim)
    has_arrays = any(issubclass(kind, np.ndarray) for kind in types)
    index = next((i for i, item in enumerate(items) if type(item) in wrong), None) if wrong else None
    index = next(single, None) if index is None and has_arrays else index
    if index is not None:
        row = first + (index if row_of_item is None else int(row_of_item[index]))
        raise TypeError(
            f"{name}[{row}] holds {_with_type(items[index])} where {expected} are expected; "
            "all predictions and references must be of one kind: strings, lists of tokens, or lists of token ids"
        )
    return types


def _with_type(item: Any) -> str:
    return f"{short_repr(item)} ({type(item).__name__})"


def _strings(items: list[Any], name: str, first: int, row_of_item: Ints | None) -> pa.Array:
    try:
        column = pa.array(items, pa.string())
        if isinstance(column, pa.ChunkedArray):
            raise TooMuchTextError.of(name, first)
        return column
    except UnicodeEncodeError:
        found = ((index, _SURROGATE.search(item)) for index, item in enumerate(items))
        index, match = next((index, match) for index, match in found if match)
        row = first + (index if row_of_item is None else int(row_of_item[index]))
        raise ValueError(
            f"{name}[{row}] is not valid Unicode: {_with_type(items[index])} has a lone surrogate at {match.start()}; "
            "read the file with encoding='utf-8', or use text.encode('utf-8', 'replace').decode()"
        ) from None


def _integers(items: list[Any], name: str, first: int, row_of_item: Ints) -> pa.Array:
    try:
        return pa.array(items, pa.int64())
    except (OverflowError, pa.ArrowException):
        index = next(index for index, item in enumerate(items) if not -(2**63) <= int(item) < 2**63)
        row = first + int(row_of_item[index])
        raise ValueError(
            f"{name}[{row}] holds the token id {short_repr(items[index])}, which does not fit into 64 bits"
        ) from None
