"""The predictions and references of a corpus: accept users' containers, detect their layout, and read them in batches.

Containers are lists, tuples, arrays, tensors and columns. Each row of the predictions is a text: a string, a list of
tokens or a list of token ids. Each row of the references is one text or a list of texts. `_lists` and `_arrow` read and
check the items of a batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

from ._arrow import ArrowItems, ArrowRows, as_arrow_rows, from_numpy
from ._display import amount
from ._lazy import np, pa
from ._lists import EXPECTED, ListItems
from ._mistakes import Rows, look_for_mistakes
from ._reading import Kind, Origin, Side, count_present, limited_text, read_in_halves, refuse_negative_ids
from ._validation import Bools, Ints, as_numpy, first_leaf, has_length, is_list, short_repr

_LIST_TYPES = {list, tuple}
NO_TOKENS = "no tokens"
_MOST_ROWS_AT_ONCE = 50_000  # `all_sides` reads at most this many rows at once
_TRANSPOSE = (
    ". If an entry is missing, add it. If each entry holds one reference of every segment, as in sacrebleu, pass "
    "references=list(zip(*references))"
)


class Layout(NamedTuple):
    """The type of a corpus's rows. The first row that is not empty determines the layout of all rows."""

    kind: Kind
    nested: bool  # whether references[i] is a list of references


class Batch(NamedTuple):
    """The texts of a range of segments: all references, segment by segment, then the predictions of each system."""

    kind: Kind
    values: pa.Array  # one string per text, one string per token, or one int64 per token id
    lengths: Ints  # number of tokens of each text; empty if the texts are strings, which are tokenized later
    references_per_segment: Ints
    systems: int = 1

    @property
    def segments(self) -> int:
        """Return the number of segments."""
        return len(self.references_per_segment)

    @property
    def references(self) -> int:
        """Return the total number of references in the batch."""
        return int(self.references_per_segment.sum())


class Corpus(NamedTuple):
    """Predictions and references, each with one row per segment. The rows are read and checked later, in batches."""

    systems: tuple[Rows, ...]  # the predictions of each system
    references: Rows
    layout: Layout
    findings: set[str]  # counting adds NO_TOKENS if a text may have no tokens
    first_row: int = 0  # index of the first row in error messages; above 0 if other calls passed earlier rows
    shows_kind: bool = True  # False if all lists are empty, because they do not show whether rows are tokens or ids
    names: tuple[str | None, ...] = (None,)  # name of each system; None if there is only one system

    @property
    def predictions(self) -> Rows:
        """Return the predictions of the first system, which is often the only one."""
        return self.systems[0]

    @property
    def consists_of_lists(self) -> bool:
        """Return whether the references and the predictions of all systems are Python lists or tuples."""
        types = {type(rows) for rows in (self.references, *self.systems)}
        return types <= _LIST_TYPES

    def batches(self, rows_of_pairs: int) -> list[tuple[int, int]]:
        """Split all rows into ranges (first row, last row + 1).

        With a single system, a range has `rows_of_pairs` rows. With more systems, a range has fewer rows, so that it
        has the same number of texts. Only one reference per row is counted for this. For 10 rows, two systems and
        ``rows_of_pairs=6``, the ranges are (0, 4), (4, 8) and (8, 10): 4 rows have 4 * 3 texts, as 6 pairs have.
        """
        n_texts = 2 * rows_of_pairs
        texts_per_row = len(self.systems) + 1
        size = max(1, n_texts // texts_per_row)
        n_rows = len(self.references)
        return [(first, min(first + size, n_rows)) for first in range(0, n_rows, size)]

    def sides(self, first: int, last: int) -> list[Side]:
        """Read and check the rows `first` to `last - 1`. Return one `Side` per system, then one for the references."""
        origin = Origin("predictions", self.first_row + first)
        sides = []
        for name, predictions in zip(self.names, self.systems, strict=True):
            with naming_system(name):
                sides.append(read_texts(predictions[first:last], self.layout.kind, origin))

        origin = origin._replace(name="references")
        references = self.references[first:last]
        sides.append(read_references(references, self.layout, origin))
        return sides

    def all_sides(self) -> Iterator[list[Side]]:
        """Read and check all rows, in large ranges. Yield the result of `sides` for each range."""
        for first, last in self.batches(_MOST_ROWS_AT_ONCE):
            yield from read_in_halves(self.sides, first, last)

    def read(self, first: int, last: int) -> Batch:
        """Read and check the rows `first` to `last - 1`, and return predictions and references as one batch.

        Raise `TooMuchTextError` if the rows have more than 2 GiB of text.
        """
        *systems, references = self.sides(first, last)
        sides = [references, *systems]  # a batch begins with the references
        all_values = [side.values for side in sides]
        all_lengths = [side.lengths for side in sides]

        with limited_text(Origin("predictions", self.first_row + first)):
            values = pa.concat_arrays(all_values)
        lengths = np.concatenate(all_lengths)
        return Batch(self.layout.kind, values, lengths, references.per_row, systems=len(systems))


def read_texts(rows: Any, kind: Kind, origin: Origin) -> Side:
    """Check rows that contain one text each, and return all texts as flat arrays. Errors name the wrong row."""
    with limited_text(origin):
        texts = _items_of(rows, Layout(kind, nested=False), origin)
        return _read_items(texts, _one_per_row(texts), kind, origin)


def read_references(rows: Any, layout: Layout, origin: Origin) -> Side:
    """Check the references of all rows, and return them as flat arrays. Drop references that are null, None or NaN."""
    with limited_text(origin):
        texts = _items_of(rows, layout, origin)
        per_row = _one_per_row(texts)
        if layout.nested:
            has_list, lists = texts.without_missing()
            refuse_rows_without_reference(has_list, origin)
            per_row, texts = lists.flatten("lists of references", origin)

        is_present, present_texts = texts.without_missing()
        per_row = count_present(per_row, is_present)
        refuse_rows_without_reference(per_row, origin)
        return _read_items(present_texts, per_row, layout.kind, origin)


Items = ListItems | ArrowItems


def _items_of(rows: Any, layout: Layout, origin: Origin) -> Items:
    """Convert rows to `ListItems` or `ArrowItems`. Raise ``TypeError`` for an Arrow column of a wrong type."""
    if isinstance(rows, pa.ChunkedArray):
        return ArrowItems.of(rows, *layout, origin.name)
    return ListItems.of(rows)


def _one_per_row(texts: Items) -> Ints:
    """Return an array with the number of texts in each row, which is always 1."""
    return np.ones(len(texts.values), np.int64)


def refuse_rows_without_reference(per_row: Ints | Bools, origin: Origin) -> None:
    """Raise ``ValueError`` for the first row without a reference.

    `per_row`: for each row, the number of references, or whether the row has any.
    """
    if not per_row.all():
        first = int(np.argmin(per_row))  # the smallest value is 0 or False
        raise ValueError(f"{origin.row(first)} has no reference; every segment needs at least one")


def _read_items(texts: Items, per_row: Ints, kind: Kind, origin: Origin) -> Side:
    """Check the texts of all rows, and return them as a `Side`. `per_row`: number of texts in each row."""
    expected = EXPECTED[kind]
    text_origin = origin.flattened(per_row)
    if kind == "text":
        strings = texts.strings(expected, text_origin)
        no_lengths = np.zeros(0, np.int64)  # strings are tokenized later
        return Side(strings, no_lengths, per_row)

    lengths, tokens = texts.flatten(expected, text_origin)
    token_origin = text_origin.flattened(lengths)
    if kind == "tokens":
        return Side(tokens.strings(expected, token_origin), lengths, per_row)

    ids = tokens.ids(expected, token_origin)
    refuse_negative_ids(ids, token_origin)
    return Side(from_numpy(ids), lengths, per_row)


def check_same_kind(corpus: Corpus, kind: Kind | None) -> Kind | None:
    """Check that all parts of a stream are of one kind, and return this kind.

    `corpus`: the next part of the stream. `kind`: the kind of the earlier parts. A kind is None if all lists were empty
    so far. Raise ``TypeError`` if the kinds differ.
    """
    if not corpus.shows_kind:
        return kind
    next_kind = corpus.layout.kind
    if kind is not None and kind != next_kind:
        raise TypeError(
            f"from predictions[{corpus.first_row}] onwards, the rows are {EXPECTED[next_kind]}, but the rows "
            f"before are {EXPECTED[kind]}; all predictions and references must be of one kind"
        )
    return next_kind


@contextmanager
def naming_system(system: str | None) -> Iterator[None]:
    """Add the system's name to errors raised in the `with` block. `system`: None if there is only one system."""
    try:
        yield
    except (TypeError, ValueError) as error:
        if system is None:
            raise
        raise type(error)(f"system {short_repr(system)}: {error}") from None


def as_corpus(predictions: Any, references: Any, first_row: int = 0) -> Corpus:
    """Check the containers' types and lengths, and return the corpus. Most of its rows are read and checked later.

    `first_row`: index of the first row in error messages; above 0 if other calls passed earlier rows.
    """
    predictions = as_rows(predictions, "predictions")
    references = as_rows(references, "references")
    _check_lengths(predictions, references)

    layout = _obvious_layout(predictions, references)
    shows_kind = True
    # An obvious layout shows its kind, and its first texts do not look like a mistake
    if layout is None:
        layout, shows_kind = _find_layout(predictions, references)
        look_for_mistakes(predictions, references, *layout)
    return Corpus((predictions,), references, layout, set(), first_row, shows_kind)


def _check_lengths(predictions: Rows, references: Rows) -> None:
    """Raise ``ValueError`` if the numbers of predictions and references differ or are 0.

    If each entry of the references has one reference per segment, as in sacrebleu, the message shows how to transpose.
    """
    n_predictions, n_references = len(predictions), len(references)
    if n_predictions != n_references:
        numbers = f"{amount(n_predictions, 'prediction')} but {amount(n_references, 'reference')}"
        hint = _TRANSPOSE if _look_transposed(references, n_predictions) else ""
        raise ValueError(f"{numbers}; each prediction needs one entry in references{hint}")

    if n_predictions == 0:
        raise ValueError("there are no predictions to score; give at least one prediction with its references")


def _look_transposed(references: Rows, n_segments: int) -> bool:
    """Return whether each of the first three entries of the references is a list with one reference per segment."""
    lengths = {_length(row) for row in references[:3]}
    return lengths == {n_segments}


def _length(row: Any) -> int | None:
    """Return the length of a list, an array or an Arrow list. Return None for other values."""
    is_arrow_list = isinstance(row, pa.ListScalar) and row.is_valid  # a null has no length
    return len(row) if is_arrow_list or is_list(row) else None


def _obvious_layout(predictions: Rows, references: Rows) -> Layout | None:
    """Return the layout if the first row shows that this is the most common case. Return None in all other cases.

    In the most common case, predictions and references are lists or tuples, the first prediction is a string, and its
    reference is a string or a list of one string.
    """
    if type(predictions) not in _LIST_TYPES or type(references) not in _LIST_TYPES:
        return None
    if type(predictions[0]) is not str:
        return None

    reference = references[0]
    if type(reference) is str:
        return Layout("text", nested=False)
    if type(reference) is list and len(reference) == 1 and type(reference[0]) is str:
        return Layout("text", nested=True)
    return None


def as_rows(column: Any, name: str) -> Rows:
    """Return the rows of a list, tuple, array, tensor or column; raise ``TypeError`` for anything else."""
    if isinstance(column, (list, tuple)):
        return _without_tensors(column)
    arrow = as_arrow_rows(column, name)
    if arrow is not None:
        return arrow
    if type(column).__module__.startswith("datasets."):
        loaded = column[:] if has_length(column) else list(column)  # a stream has no length
        return as_rows(loaded, name)

    _refuse_table(column, name)
    array = column.to_numpy() if hasattr(column, "to_numpy") else column
    array = as_numpy(array) if is_tensor(array) else array
    if isinstance(array, np.ndarray) and array.ndim > 0:
        return cast(Sequence[Any], array)

    value = f"a string ({array[:40]!r})" if isinstance(array, str) else type(array).__name__
    raise TypeError(
        f"{name} must be a list, tuple, array or column with one entry per segment, got {value}; {_advice(array, name)}"
    )


def _refuse_table(column: Any, name: str) -> None:
    """Raise ``TypeError`` if the value is a table of Arrow, pandas or polars, instead of one column."""
    is_arrow_table = isinstance(column, (pa.Table, pa.RecordBatch))
    has_to_numpy = hasattr(column, "to_numpy")
    if is_arrow_table or (has_to_numpy and np.ndim(column) != 1):
        hint = f", or a list of its rows: {name}.to_numpy().tolist()" if has_to_numpy else ""
        raise TypeError(f"{name} is a table ({type(column).__name__}); give one column of it{hint}")


def _without_tensors(rows: Sequence[Any]) -> Sequence[Any]:
    """Convert tensors in the rows to NumPy arrays. If the first row has no tensor, return the rows unchanged.

    A row is a tensor of token ids, or a list of such tensors: the references of one segment.
    """
    if not rows:
        return rows
    first = rows[0]
    # Most rows are strings. This is faster than the checks below, which also leave subclasses of `str` unchanged
    if type(first) is str:
        return rows

    if is_tensor(first):
        return [as_numpy(row) if is_tensor(row) else row for row in rows]
    # The tensors are one level deeper: convert each list of references
    if isinstance(first, (list, tuple)) and first and is_tensor(first[0]):
        return [_without_tensors(row) if isinstance(row, (list, tuple)) else row for row in rows]
    return rows


def is_tensor(value: object) -> bool:
    """Return whether the value is an array of a library other than NumPy, such as a tensor or a pandas Series.

    Return False for an array without dimensions, and for a table such as a DataFrame.
    """
    # `hasattr` comes first, because `np.ndarray` would import NumPy
    if not hasattr(value, "__array__") or isinstance(value, (np.ndarray, np.generic)):
        return False
    is_table = hasattr(value, "columns")
    has_dimensions = getattr(value, "ndim", 0) > 0
    return has_dimensions and hasattr(value, "__len__") and not is_table


def _advice(column: Any, name: str) -> str:
    """Return advice for a container that is not accepted, such as "try predictions=list(predictions)"."""
    if isinstance(column, str):
        return f"try {name}=[{name}]"
    if isinstance(column, Mapping):
        return f"if its values are the segments, in order, try {name}=list({name}.values())"
    if isinstance(column, (set, frozenset)):
        return "a set has no order and drops repeated texts; give a list in the order of the segments"
    if isinstance(column, Iterable) and not isinstance(column, (bytes, bytearray, np.ndarray)):
        return f"try {name}=list({name})"
    return f"pass a single segment as a list with one entry: {name}=[…]"


def _find_layout(predictions: Rows, references: Rows) -> tuple[Layout, bool]:
    """Return the layout, and whether the kind is known.

    Predictions that are strings have the depth 1: ["a b"]. Predictions that are lists of tokens or token ids have the
    depth 2: [["a", "b"]]. References are one level deeper if each row is a list of references. If all lists are empty,
    the kind is unknown, and the layout has the kind "tokens".
    """
    is_string, depth = _first_value(predictions, deepest=2)
    is_string_in_references, reference_depth = _first_value(references, deepest=3)
    # If all predictions are empty lists, only the references can show the kind
    if is_string is None:
        is_string, depth = is_string_in_references, 2

    kind: Kind = "ids" if is_string is False else "tokens"
    if depth == 1:
        kind = "text"  # if the value is no string, a later check raises the error
    return Layout(kind, nested=reference_depth > depth), is_string is not None


def _first_value(rows: Rows, deepest: int) -> tuple[bool | None, int]:
    """Return whether the first value in nested lists is a string, and how deep it is nested.

    ["a b"] -> (True, 1); [[5, 6]] -> (False, 2); [[], []], which has no value -> (None, `deepest`).
    """
    if isinstance(rows, ArrowRows):
        return rows.is_text, rows.depth + 1
    value, depth = first_leaf(rows, deepest)
    if value is None:
        return None, deepest
    return isinstance(value, str), depth
