"""Whatever came in -> one column of texts, tokens or token ids, and how many references each segment has.

Rows are read in batches. Every error about the shape of the input is raised here and names the row.
`predictions[i]` is a string, a list of tokens or a list of token ids; `references[i]` one of the same kind or a
list of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._arrow import ArrowRows, TooMuchTextError, as_arrow, is_utf8, read_arrow
from ._lists import is_list, read_lists
from ._names import has_length

Ints = NDArray[np.int64]
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


class Columns(NamedTuple):
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
        with naming(name):
            return _read_side(rows, "predictions", self.layout.kind, False, first, last, self.first_row + first)


@contextmanager
def naming(system: str | None) -> Iterator[None]:
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


def columns(predictions: Any, references: Any, first_row: int = 0) -> Columns:
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
    return Columns(left, right, _layout(left, right), first_row)


def _rows(column: Any, name: str) -> Sequence[Any] | ArrowRows:
    arrow = as_arrow(column, name)
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
