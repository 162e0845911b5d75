"""Conversion of Arrow columns of texts, tokens or token ids to flat arrays. Every row is checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._display import shorten
from ._validation import Bools, Ints, first_true

Read = TypeVar("Read")


class Side(NamedTuple):
    """The texts, tokens or token ids of some rows as one flat array. The rows are either predictions or references."""

    values: pa.Array  # one string per text, one string per token, or one int64 per token id
    lengths: Ints  # number of tokens of each text; empty if the texts are strings, which are tokenized later
    per_row: Ints  # number of texts in each row: 1, or the number of the row's references


IGNORED = -100  # PyTorch and transformers ignore labels with this value, which marks positions without a token
NOT_TOKENIZED: Ints = np.zeros(0, np.int64)  # the value of `Side.lengths` if the texts are strings


class Origin(NamedTuple):
    """The source of a flat array of items. With it, an error message can name the row that an item comes from."""

    name: str  # "predictions" or "references"
    first: int  # the number that error messages give to the first row
    sizes: tuple[Ints, ...] = ()  # for each flattened level of lists: the number of items in each list
    name_row: Callable[[int], str] | None = None  # row number -> name of the row; None: "name[number]"

    def inside(self, sizes: Ints) -> Origin:
        """Return the origin of the items that flattening one more level of lists yields. `sizes`: items per list."""
        return self._replace(sizes=(*self.sizes, sizes))

    def row(self, index: int) -> str:
        """Return the name of the row that an item comes from.

        >>> Origin("references", 100).inside(np.array([2, 0, 3])).row(2)
        'references[102]'
        """
        for sizes in reversed(self.sizes):
            index = int(np.searchsorted(np.cumsum(sizes), index, side="right"))
        number = self.first + index
        return f"{self.name}[{number}]" if self.name_row is None else self.name_row(number)


def count_present(per_row: Ints, present: Bools) -> Ints:
    """Return how many items of each row are present. `per_row`: number of items per row; `present`: one flag per item.

    >>> count_present(np.array([2, 0, 3]), np.array([True, False, True, True, False]))
    array([1, 0, 2])
    """
    present_before = np.concatenate(([0], np.cumsum(present)))
    ends = np.concatenate(([0], np.cumsum(per_row)))
    return np.diff(present_before.take(ends))


def refuse_rows_without_reference(per_row: Ints, first: int) -> None:
    """Raise ``ValueError`` for the first row without a reference. `per_row`: the number of references of each row."""
    if not per_row.all():
        row = first + int(np.argmin(per_row))
        raise ValueError(f"references[{row}] has no reference; every segment needs at least one")


class TooMuchTextError(ValueError):
    """Raised if rows have too much text to be read at once: an Arrow array of strings holds at most 2 GiB."""

    @classmethod
    def of(cls, origin: Origin, reason: object = "the text of one segment must be smaller") -> TooMuchTextError:
        """Build an error that names the first row. `reason` is Arrow's message, if there is one."""
        return cls(f"the rows from {origin.row(0)} on hold more than 2 GiB of text: {reason}")


def read_in_halves(read: Callable[[int, int], Read], first: int, last: int) -> Iterator[Read]:
    """Yield the results of `read` for all rows. If the rows have too much text at once, read each half separately."""
    try:
        answer = read(first, last)
    except TooMuchTextError:
        if last - first == 1:
            raise
    else:
        yield answer
        return
    middle = (first + last) // 2
    yield from read_in_halves(read, first, middle)
    yield from read_in_halves(read, middle, last)


def arrow_compute() -> Any:
    """Import and return `pyarrow.compute`. The import takes 0.03 s, and most texts can be read without this module."""
    import pyarrow.compute

    return pyarrow.compute


def from_numpy(values: NDArray[Any]) -> pa.Array:
    """Build an Arrow array of numbers or Booleans. Unlike `pa.array`, do not import pandas, which takes 0.2 s."""
    if values.dtype == bool:
        return pa.Array.from_buffers(
            pa.bool_(), len(values), [None, pa.py_buffer(np.packbits(values, bitorder="little"))]
        )
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(values)])


class ArrowRows(NamedTuple):
    """An Arrow column of strings, or of lists that contain strings or whole numbers at any depth."""

    column: pa.ChunkedArray
    depth: int  # number of nested levels of lists; 0 if the rows are not lists
    kind: str | None  # the kind if the rows were predictions: "text", "tokens" or "ids"; None if there are only nulls

    def __len__(self) -> int:
        return len(self.column)

    def __getitem__(self, rows: int | slice) -> Any:  # type: ignore[override]
        return self.column[rows]


def as_arrow_rows(column: Any, name: str) -> ArrowRows | None:
    """Return the Arrow column that a value is or contains, else None. Raise ``TypeError`` if its type is wrong."""
    if type(column) in (list, tuple):
        return None
    column = _arrow_inside(column)
    if isinstance(column, pa.Array):
        column = pa.chunked_array([column])
    if not isinstance(column, pa.ChunkedArray):
        return None
    depth, leaf = 0, column.type
    while _is_list(leaf):
        depth, leaf = depth + 1, leaf.value_type
    if pa.types.is_dictionary(leaf):
        leaf = leaf.value_type
    is_text = pa.types.is_string(leaf) or pa.types.is_large_string(leaf) or pa.types.is_string_view(leaf)
    if is_text:
        return ArrowRows(column, depth, "tokens" if depth else "text")
    if pa.types.is_integer(leaf) and depth > 0:
        return ArrowRows(column, depth, "ids")
    if pa.types.is_null(leaf):
        return ArrowRows(column, depth, None)
    shown = shorten(str(column.type), 100)
    raise TypeError(f"{name} is an Arrow column of {shown}; strings, or lists of strings or integers, are expected")


def _arrow_inside(column: Any) -> Any:
    """Return the Arrow array of a column of `datasets` or polars, and any other column unchanged."""
    package = type(column).__module__.partition(".")[0]
    if package == "datasets" and hasattr(column, "source"):
        source = column.source
        if not hasattr(source, "format") or source.format["type"] == "custom":
            return column  # nested fields and the results of a transform are read as Python objects
        return source.with_format("arrow")[column.column_name][:]
    if package == "polars" and hasattr(column, "dtype") and str(column.dtype) != "Object":
        return column.to_arrow()
    return column


def _is_list(arrow_type: pa.DataType) -> bool:
    checks = ("is_list", "is_large_list", "is_fixed_size_list", "is_list_view", "is_large_list_view")
    return any(getattr(pa.types, check)(arrow_type) for check in checks)


def check_arrow_type(rows: ArrowRows, name: str, kind: str, nested: bool) -> None:
    """Raise ``TypeError`` if the column's type does not match the kind of the predictions and the nesting."""
    expected_depth = (0 if kind == "text" else 1) + (1 if nested else 0)
    fits = rows.kind is None or (rows.kind == "ids") == (kind == "ids")  # kind None: only nulls and empty lists
    if rows.depth != expected_depth or not fits:
        shown = shorten(str(rows.column.type), 100)
        raise TypeError(
            f"{name} is an Arrow column of {shown}, which does not match predictions of kind {kind}; "
            "references must have the predictions' type, or be lists of that type"
        )


def read_arrow(column: pa.ChunkedArray, kind: str, nested: bool, origin: Origin) -> Side:
    """Flatten, check and convert the rows of a column. Return them as a `Side`. An error names the row."""
    try:
        array = without_encodings(one_array(column))
        per_row: Ints = np.ones(len(array), np.int64)
        if nested:
            per_row, array = _flatten(array)
        if origin.name == "references":
            per_row, array = _drop_nulls(per_row, array)
            refuse_rows_without_reference(per_row, origin.first)
        texts = origin.inside(per_row)
        _refuse_nulls(array, texts)
        if kind == "text":
            return Side(_as_strings(array, texts), NOT_TOKENIZED, per_row)
        lengths, array = _flatten(array)
        tokens = texts.inside(lengths)
        _refuse_nulls(array, tokens)
        values = _as_strings(array, tokens) if kind == "tokens" else _as_int64(array, tokens)
        return Side(values, lengths, per_row)
    except (pa.ArrowInvalid, pa.ArrowCapacityError) as error:
        raise TooMuchTextError.of(origin, error) from error


def _drop_nulls(per_row: Ints, array: pa.Array) -> tuple[Ints, pa.Array]:
    if not array.null_count:
        return per_row, array
    present = np.asarray(array.is_valid())
    return count_present(per_row, present), array.drop_null()


def one_array(column: pa.ChunkedArray) -> pa.Array:
    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _flatten(array: pa.Array) -> tuple[Ints, pa.Array]:
    """Return the number of items in each list (0 for a null), and one array of all items."""
    if pa.types.is_list(array.type) and len(array) and not array.null_count:
        offsets = np.frombuffer(array.buffers()[1], np.int32, len(array) + 1, 4 * array.offset)
        return np.diff(offsets).astype(np.int64), without_encodings(array.flatten())
    functions = arrow_compute()
    sizes = functions.fill_null(functions.list_value_length(array), 0).cast(pa.int64())
    return sizes.to_numpy(zero_copy_only=False), without_encodings(array.flatten())


def _has_view(arrow_type: pa.DataType) -> bool:
    if _is_list(arrow_type):
        return _has_view(arrow_type.value_type)
    return bool(pa.types.is_string_view(arrow_type))


def without_encodings(array: pa.Array) -> pa.Array:
    """Return the array without dictionary encoding and without string views.

    A null among the values of the dictionary becomes a null in the array. Few Arrow functions accept string views.
    """
    if pa.types.is_dictionary(array.type):
        return without_encodings(array.dictionary).take(array.indices)
    if not _has_view(array.type):
        return array
    if not _is_list(array.type):
        return array.cast(pa.string())
    # Only the strings are cast: in PyArrow 26, casting list views returns broken arrays
    sizes, strings = _flatten(array)
    offsets = from_numpy(np.concatenate(([0], np.cumsum(sizes))))
    return pa.LargeListArray.from_arrays(offsets, strings, mask=array.is_null())


def _refuse_nulls(array: pa.Array, origin: Origin) -> None:
    if array.null_count:
        index = int(np.argmin(np.asarray(array.is_valid())))
        raise TypeError(
            f"{origin.row(index)} is null (None) or contains a null; "
            "for a missing text, pass an empty one: '' for a string, [] for a list"
        )


def _as_strings(array: pa.Array, origin: Origin) -> pa.Array:
    """Return the array as strings. Check that they are UTF-8: Arrow does not check strings from files and buffers."""
    strings = array.cast(pa.string())
    if not _all_utf8(strings):
        texts = strings.cast(pa.binary()).to_pylist()
        index = first_true(not _is_utf8(text) for text in texts)
        raise ValueError(f"{origin.row(index)} is not UTF-8; decode the bytes first")
    return strings


def _all_utf8(strings: pa.Array) -> bool:
    """Return whether all strings are UTF-8.

    For speed, all bytes are checked as one text. In addition, no string may start in the middle of a character.
    """
    _, offset_buffer, data_buffer = strings.buffers()
    if not len(strings) or data_buffer is None:
        return True
    offsets = np.frombuffer(offset_buffer, np.int32, len(strings) + 1, 4 * strings.offset)
    ends = offsets[[0, -1]].astype(np.int64)
    together = pa.Array.from_buffers(pa.large_string(), 1, [None, pa.py_buffer(ends), data_buffer])
    try:
        together.validate(full=True)
    except pa.ArrowInvalid:
        return False
    data = np.frombuffer(data_buffer, np.uint8)
    starts = offsets[offsets < ends[1]]
    return not ((data.take(starts) & np.uint8(0xC0)) == np.uint8(0x80)).any()


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _as_int64(tokens: pa.Array, origin: Origin) -> pa.Array:
    try:
        ids = tokens.cast(pa.int64())
    except pa.ArrowInvalid:
        index = first_true(token >= 2**63 for token in tokens.to_pylist())
        raise ValueError(
            f"{origin.row(index)} holds the token id {tokens[index]}, which does not fit into a signed 64-bit integer"
        ) from None
    refuse_negative_ids(ids.to_numpy(), origin)
    return ids


def refuse_negative_ids(ids: Ints, origin: Origin) -> None:
    """Raise ``ValueError`` for the first negative number, which is usually padding, such as -100."""
    if not len(ids) or ids.min() >= 0:
        return
    index = int(np.argmax(ids < 0))
    number = int(ids[index])
    pad_id = "" if number == IGNORED else f", pad_id={number}"
    raise ValueError(
        f"{origin.row(index)} holds {number}, which is not a token id; if it is padding, remove it: "
        f"bleu_metric.remove_padding({origin.name}{pad_id})"
    )
