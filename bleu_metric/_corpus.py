"""`Corpus`: the predictions and references that the caller passed. Accept their containers, and detect their kind.

Containers are lists, tuples, arrays, tensors and columns. Each row of the predictions is a text: a string, a list of
tokens or a list of token ids. Each row of the references is one text or a list of texts. `_texts` reads the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, NamedTuple

from ._display import amount
from ._lazy import np, pa
from ._texts import (
    EXPECTED,
    Kind,
    NameRow,
    Rows,
    Texts,
    innermost,
    is_arrow,
    is_readable,
    join_texts,
    read_references,
    read_texts,
)
from ._validation import Ints, as_numpy, first_leaf, has_length, is_list, is_missing, row_of, short_repr, without_array

_LIST_TYPES = {list, tuple}
_ROWS_AT_ONCE = 1000  # rows in memory while stored rows are iterated
NO_TOKENS = "no tokens"
_SWAPPED = (
    "predictions[0] is a list of references, and references[0] is a single text, so the arguments are swapped: pass "
    "the predictions first, unlike in NLTK"
)
_SWAPPED_OR_UNSPLIT = (
    "predictions[0] is a list of tokens, but references[0] is a single word. If the references were passed first, as "
    "in NLTK, the arguments are swapped: try sentence_bleu([hypothesis], [references]). If not, split each reference "
    "into tokens, as in reference.split()"
)
_LIST_OF_ONE = (
    "predictions[0] is a list of one string, but references[0] is a string: pass predictions=[row[0] for row in "
    "predictions]; or, if these lists are the references, pass the predictions first"
)
_UNSPLIT = (
    "predictions[0] is a list of tokens, but references[0] is a list of strings with spaces: pass both as strings, or "
    "split each reference into tokens, as in reference.split(). If the strings are tokens, pass "
    "references=[[tokens] for tokens in references]"
)
_TRANSPOSE = (
    ". If an entry is missing, add it. If each entry holds one reference of every segment, as in sacrebleu, pass "
    "references=list(zip(*references))"
)


class StoredRows(Sequence[Any]):
    """Rows that are not in memory, such as the lines of a large file. A slice is a list, and has no step.

    >>> list(StoredRows(3, lambda first, last: ["a", "b", "c"][first:last]))
    ['a', 'b', 'c']
    """

    def __init__(self, n_rows: int, read: Callable[[int, int], list[Any]]) -> None:
        """`read(first, last)` must return the rows `first` to `last - 1`. Several threads may call it at once."""
        self._indices, self._read = range(n_rows), read

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._indices)

    def __getitem__(self, index: Any) -> Any:
        """Return a row or, for a slice, a list of rows."""
        rows = self._indices[index]
        if isinstance(rows, int):
            return self._read(rows, rows + 1)[0]
        return self._read(rows.start, rows.stop)

    def __iter__(self) -> Iterator[Any]:
        """Yield each row. Read many rows at once."""
        for first in range(0, len(self), _ROWS_AT_ONCE):
            yield from self[first : first + _ROWS_AT_ONCE]


class Corpus(NamedTuple):
    """Predictions and references, each with one row per segment. The rows are read and checked later, in parts.

    ``Corpus((["a b", "c"],), [["a b"], ["c d", "d"]], "text", True, set())`` has two segments and one system.
    """

    systems: tuple[Rows, ...]  # the predictions of each system
    references: Rows
    kind: Kind  # the first row that is not empty determines the kind of all rows
    nested: bool  # whether references[i] is a list of references
    findings: set[str]  # counting adds NO_TOKENS if a text may have no tokens
    first_row: int = 0  # index of the first row in error messages; above 0 if other calls passed earlier rows
    shows_kind: bool = True  # False if all lists are empty, because they do not show whether rows are tokens or ids
    names: tuple[str | None, ...] = (None,)  # name of each system; None if there is only one system
    unjoined: Corpus | None = None  # the segments, if the rows are documents

    @property
    def as_given(self) -> Corpus:
        """Return the corpus with the user's rows, so that warnings name these, even if the rows are documents."""
        return self.unjoined or self

    @property
    def predictions(self) -> Rows:
        """Return the predictions of the first system, which is often the only one."""
        return self.systems[0]

    @property
    def segments(self) -> int:
        """Return the number of segments."""
        return len(self.references)

    @property
    def consists_of_lists(self) -> bool:
        """Return whether the references and the predictions of all systems are Python lists or tuples."""
        types = {type(rows) for rows in (self.references, *self.systems)}
        return types <= _LIST_TYPES

    def part(self, first: int, last: int) -> Corpus:
        """Return the segments `first` to `last - 1`."""
        systems = tuple([predictions[first:last] for predictions in self.systems])
        return self._replace(systems=systems, references=self.references[first:last], first_row=self.first_row + first)

    def read_systems(self) -> list[Texts]:
        """Read and check the predictions of each system."""
        all_texts = []
        for name, predictions in zip(self.names, self.systems, strict=True):
            with naming_system(name):
                all_texts.append(read_texts(predictions, self.kind, self.name_rows("predictions")))
        return all_texts

    def read_references(self) -> tuple[Texts, Ints]:
        """Read and check the references. Return them with the number of references of each segment."""
        return read_references(self.references, self.kind, self.nested, self.name_rows("references"))

    def read(self) -> tuple[Texts, Ints]:
        """Read and check all rows. Return the texts, and the number of references of each segment.

        The texts are all references, segment by segment, then the predictions of the first system, and so on.
        """
        systems = self.read_systems()  # first, so that errors about predictions precede those about references
        references, per_segment = self.read_references()
        return join_texts([references, *systems]), per_segment

    def checked_rows(self) -> list[tuple[Any, list[Any]]]:
        """Check all rows. Return a copy of each prediction of the first system, with a list of its references.

        The copies are strings and lists. Missing references are left out.
        """
        if not self._is_plain_text():
            self.read()
        predictions = map(_copy, _as_python(self.predictions))
        lists = _as_python(self.references)
        if not self.nested:
            lists = [[reference] for reference in lists]
        references = [[_copy(text) for text in without_array(row) if not is_missing(text)] for row in lists]
        return list(zip(predictions, references, strict=True))

    def _is_plain_text(self) -> bool:
        """Return whether all rows are strings of valid Unicode and lists of them. This check takes 2 µs for a row."""
        if self.kind != "text" or not self.consists_of_lists:
            return False
        references = self.references if self.nested else [[reference] for reference in self.references]
        if not all(type(row) is list and row for row in references):
            return False
        texts = [*self.predictions, *chain.from_iterable(references)]
        return all(type(text) is str and (text.isascii() or _is_encodable(text)) for text in texts)

    def name_rows(self, name: str) -> NameRow:
        """Return a function that names a row in errors: index of the row -> "predictions[5]"."""
        return lambda index: row_of(name, self.first_row + index)


def _is_encodable(text: str) -> bool:
    """Return whether a string has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _as_python(rows: Rows) -> Iterable[Any]:
    """Return the rows as Python objects."""
    return rows.to_pylist() if is_arrow(rows) else rows  # type: ignore[no-any-return]


def _copy(text: Any) -> Any:
    """Return a text as a string or a list."""
    return text if isinstance(text, str) else list(without_array(text))


def check_same_kind(corpus: Corpus, kind: Kind | None) -> Kind | None:
    """Check that all parts of a stream are of one kind, and return this kind.

    `corpus`: the next part of the stream. `kind`: the kind of the earlier parts. A kind is None if all lists were empty
    so far. Raise ``TypeError`` if the kinds differ.
    """
    if not corpus.shows_kind:
        return kind
    next_kind = corpus.kind
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

    kind, nested = _obvious_kind(predictions, references)
    shows_kind = True
    # If the kind is obvious, the first rows need no checks
    if kind is None:
        kind, nested, shows_kind = _find_kind(predictions, references)
        _check_arrow_type(predictions, "predictions", kind, nested=False)
        _check_arrow_type(references, "references", kind, nested)
        if kind != "text":
            _refuse_swapped_arguments(predictions, references)
        if kind == "tokens" and not nested:
            _refuse_unsplit_references(predictions, references)
    return Corpus((predictions,), references, kind, nested, set(), first_row, shows_kind)


def _check_lengths(predictions: Rows, references: Rows) -> None:
    """Raise ``ValueError`` if the numbers of predictions and references differ or are 0.

    If each entry of the references has one reference per segment, as in sacrebleu, the message shows how to transpose.
    """
    n_predictions, n_references = len(predictions), len(references)
    if n_predictions != n_references:
        if n_predictions and n_references:
            _refuse_swapped_arguments(predictions, references)
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


def _obvious_kind(predictions: Rows, references: Rows) -> tuple[Kind | None, bool]:
    """Return the kind and whether references are nested, if the first row shows that this is the most common case.

    In the most common case, predictions and references are lists or tuples, the first prediction is a string, and its
    reference is a string or a list of one string. In all other cases, the kind is None.
    """
    if type(predictions) not in _LIST_TYPES or type(references) not in _LIST_TYPES:
        return None, False
    if type(predictions[0]) is not str:
        return None, False

    reference = references[0]
    if type(reference) is str:
        return "text", False
    if type(reference) is list and len(reference) == 1 and type(reference[0]) is str:
        return "text", True
    return None, False


def as_rows(column: Any, name: str) -> Rows:
    """Return the rows of a list, tuple, array, tensor or column; raise ``TypeError`` for anything else."""
    if isinstance(column, (list, tuple)):
        return _without_tensors(column)
    if isinstance(column, StoredRows):
        return column
    column = _to_arrow(column)
    if is_arrow(column):
        return _check_leaves(column, name)
    if type(column).__module__.startswith("datasets."):
        loaded = column[:] if has_length(column) else list(column)  # a stream has no length
        return as_rows(loaded, name)

    _refuse_table(column, name)
    array = column.to_numpy() if hasattr(column, "to_numpy") else column
    array = as_numpy(array) if is_tensor(array) else array
    if isinstance(array, np.ndarray) and array.ndim > 0:
        return array

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


def _find_kind(predictions: Rows, references: Rows) -> tuple[Kind, bool, bool]:
    """Return the kind, whether references are nested, and whether the kind is known.

    Predictions that are strings have the depth 1: ["a b"]. Predictions that are lists of tokens or token ids have the
    depth 2: [["a", "b"]]. References are one level deeper if each row is a list of references. If all lists are empty,
    the kind is unknown, and "tokens" is returned.
    """
    is_string, depth = _first_value(predictions, deepest=2)
    is_string_in_references, reference_depth = _first_value(references, deepest=3)
    # If all predictions are empty lists, only the references can show the kind
    if is_string is None:
        is_string, depth = is_string_in_references, 2

    kind: Kind = "ids" if is_string is False else "tokens"
    if depth == 1:
        kind = "text"  # if the value is no string, a later check raises the error
    return kind, reference_depth > depth, is_string is not None


def _first_value(rows: Rows, deepest: int) -> tuple[bool | None, int]:
    """Return whether the first value in nested lists is a string, and how deep it is nested.

    ["a b"] -> (True, 1); [[5, 6]] -> (False, 2); [[], []], which has no value -> (None, `deepest`).
    """
    if is_arrow(rows):
        depth, leaf = innermost(rows.type)
        return None if pa.types.is_null(leaf) else _is_string(leaf), depth + 1
    value, depth = first_leaf(rows, deepest)
    if value is None:
        return None, deepest
    return isinstance(value, str), depth


# --- Swapped arguments, and references that are not tokenized -------------------------------------------------------


def _refuse_swapped_arguments(predictions: Rows, references: Rows) -> None:
    """Raise ``TypeError`` if the references seem to be passed first, as NLTK expects them. Both have at least a row."""
    prediction, reference = predictions[0], references[0]
    if not _is_filled(prediction):
        return

    # The arguments are swapped if the first prediction is a list of references: ["a cat", "the cat"] beside "a cat",
    # or [["a", "cat"], ["the", "cat"]] beside ["a", "cat"]
    are_references = isinstance(reference, str) and any(map(_has_space, prediction))
    are_tokenized_references = is_list_of_strings(reference) and is_list_of_strings(prediction[0])
    if are_references or are_tokenized_references:
        is_list_of_one = are_references and len(prediction) == 1
        raise TypeError(_LIST_OF_ONE if is_list_of_one else _SWAPPED)
    if is_list_of_strings(prediction) and isinstance(reference, str) and not _has_space(reference):
        raise TypeError(_SWAPPED_OR_UNSPLIT)


def _refuse_unsplit_references(predictions: Rows, references: Rows) -> None:
    """Raise ``TypeError`` if every string of `references[0]` has a space, but no token of `predictions[0]` has one."""
    tokens = _first_strings(predictions)
    reference = _first_strings(references)
    if not tokens or not reference:
        return
    if all(map(_has_space, reference)) and not any(map(_has_space, tokens)):
        raise TypeError(_UNSPLIT)


def _first_strings(rows: Rows) -> list[Any]:
    """Return the items of the first row. Return [] if it is not a list, or has Arrow strings that are not UTF-8."""
    row = rows[0]
    if is_arrow(rows):
        row = row.as_py() if is_readable(row) else None  # a later check raises the error
    return list(row) if is_list(row) else []


def _is_filled(row: Any) -> bool:
    """Return whether a row is a list, a tuple or an array with at least one item."""
    return is_list(row) and len(row) > 0


def _has_space(item: Any) -> bool:
    """Return whether the item is a string with a space."""
    return isinstance(item, str) and " " in item


def is_list_of_strings(row: Any) -> bool:
    """Return whether a row is a list, a tuple or an array with at least one item, and all its items are strings."""
    return _is_filled(row) and all(isinstance(item, str) for item in row)


# --- Arrow columns --------------------------------------------------------------------------------------------------


def _to_arrow(column: Any) -> Any:
    """Return a column of `datasets` or polars as Arrow data. Return any other value unchanged."""
    # Names are compared, because importing the packages to compare types would take long
    package, _, _ = type(column).__module__.partition(".")
    if package == "datasets" and hasattr(column, "source"):
        return _from_datasets(column)
    if package == "polars" and hasattr(column, "dtype"):
        # polars would convert Python objects to their addresses
        consists_of_objects = str(column.dtype) == "Object"
        return column if consists_of_objects else column.to_arrow()
    return column


def _from_datasets(column: Any) -> Any:
    """Return a column of `datasets` as Arrow data. Return it unchanged if its rows must be read as Python objects."""
    dataset = column.source
    # The source of a nested field is another column
    is_nested_field = not hasattr(dataset, "format")
    # The rows of a dataset with the format "custom" are computed by a transform
    if is_nested_field or dataset.format["type"] == "custom":
        return column
    return dataset.with_format("arrow")[column.column_name][:]


def _check_leaves(column: Any, name: str) -> Any:
    """Return an Arrow column. Raise ``TypeError`` unless it contains strings, or lists of strings or integers."""
    depth, leaf = innermost(column.type)
    are_ids = depth > 0 and pa.types.is_integer(leaf)
    if not (_is_string(leaf) or are_ids or pa.types.is_null(leaf)):
        is_number = pa.types.is_integer(leaf) or pa.types.is_floating(leaf) or pa.types.is_boolean(leaf)
        advice = '; if the numbers are texts, cast them, as in column.cast("string")' if is_number else ""
        raise TypeError(
            f"{name} is an Arrow column of {column.type!s:.100}; strings, or lists of strings or integers, are expected"
            f"{advice}"
        )
    return column


def _check_arrow_type(rows: Rows, name: str, kind: Kind, nested: bool) -> None:
    """Raise ``TypeError`` for an Arrow column whose type does not match the kind of the corpus."""
    if not is_arrow(rows):
        return
    expects_lists, expects_strings = kind != "text", kind != "ids"
    depth, leaf = innermost(rows.type)
    has_right_leaves = pa.types.is_null(leaf) or _is_string(leaf) == expects_strings
    if depth != int(expects_lists) + int(nested) or not has_right_leaves:
        raise TypeError(
            f"{name} is an Arrow column of {rows.type!s:.100}, which does not match predictions of kind {kind}; "
            "references must have the predictions' type, or be lists of that type"
        )


def _is_string(arrow_type: pa.DataType) -> bool:
    """Return whether a type is one of Arrow's three string types."""
    return arrow_type in (pa.string(), pa.large_string(), pa.string_view())
