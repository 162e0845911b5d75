"""Arrow columns: detect their type, and read them into flat arrays of texts, tokens or token ids, with checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ._lazy import np, pa, pc
from ._reading import Kind, Origin, as_int64, offsets_of, sizes_of, utf8_error
from ._validation import Array, Bools, Ints


def from_numpy(values: Array) -> pa.Array:
    """Build an Arrow array from a NumPy array of numbers.

    This function does not use `pa.array`, because it imports pandas, which takes 0.2 s.
    """
    buffers = [None, pa.py_buffer(values)]  # None: no value is null
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), buffers)


def as_lists(values: pa.Array, sizes: Ints) -> pa.ListArray:
    """Split the values into consecutive lists of these sizes: [a, b, c] with sizes [2, 0, 1] -> [[a, b], [], [c]]."""
    offsets = offsets_of(sizes).astype(np.int32)
    return pa.ListArray.from_arrays(from_numpy(offsets), values)


# The most bytes that an Arrow array of type string can have; type large string has no limit
MOST_BYTES = 2**31 - 1


def from_strings(texts: Sequence[str], arrow_type: pa.DataType) -> pa.Array:
    """Build an Arrow array of type string or large string.

    This function does not use `pa.array`, because it imports pandas, which takes 0.3 s. Raise ``UnicodeEncodeError`` if
    a text has a lone surrogate. Raise ``pa.ArrowCapacityError`` if the type is string and the texts have more than
    `MOST_BYTES` bytes.
    """
    encoded = [str.encode(text) for text in texts]
    offsets = offsets_of(sizes_of(encoded))

    n_bytes = offsets[-1]  # the last offset is the end of the last string
    is_limited = not pa.types.is_large_string(arrow_type)
    if is_limited and n_bytes > MOST_BYTES:
        raise pa.ArrowCapacityError(f"an array of strings cannot hold {n_bytes} bytes")

    stored_offsets = offsets.astype(offset_dtype(arrow_type), copy=False)
    data = b"".join(encoded)
    buffers = [None, pa.py_buffer(stored_offsets), pa.py_buffer(data)]  # None: no string is null
    return pa.Array.from_buffers(arrow_type, len(encoded), buffers)


def offset_dtype(arrow_type: pa.DataType) -> Any:
    """Return the NumPy type of the offsets in a column of type string or large string."""
    return np.dtype(np.int64 if pa.types.is_large_string(arrow_type) else np.int32)


class ArrowRows(NamedTuple):
    """An Arrow column of strings, or of lists that contain strings or integers at any depth."""

    column: pa.ChunkedArray
    depth: int  # number of nested levels of lists; 0 if the rows are not lists
    is_text: bool | None  # True: the innermost values are strings; False: integers; None: all are null

    def __len__(self) -> int:
        return len(self.column)

    def __getitem__(self, rows: int | slice) -> Any:  # type: ignore[override]
        return self.column[rows]


def as_arrow_rows(column: Any, name: str) -> ArrowRows | None:
    """Convert a column of Arrow, `datasets` or polars to `ArrowRows`. Return None for any other value.

    Raise ``TypeError`` if the column contains neither strings nor lists of strings or integers.
    """
    column = _to_arrow(column)
    if isinstance(column, pa.Array):
        column = pa.chunked_array([column])
    if not isinstance(column, pa.ChunkedArray):
        return None

    depth, leaf = _innermost(column.type)
    if _is_string(leaf):
        return ArrowRows(column, depth, is_text=True)
    if pa.types.is_integer(leaf) and depth > 0:
        return ArrowRows(column, depth, is_text=False)
    if pa.types.is_null(leaf):
        return ArrowRows(column, depth, is_text=None)

    is_number = pa.types.is_integer(leaf) or pa.types.is_floating(leaf) or pa.types.is_boolean(leaf)
    advice = '; if the numbers are texts, cast them, as in column.cast("string")' if is_number else ""
    raise TypeError(
        f"{name} is an Arrow column of {column.type!s:.100}; strings, or lists of strings or integers, are expected"
        f"{advice}"
    )


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


def _innermost(arrow_type: pa.DataType) -> tuple[int, pa.DataType]:
    """Return how deeply lists are nested in a type, and the innermost type: ``list<list<string>>`` -> (2, string)."""
    depth = 0
    while _is_list(arrow_type):
        arrow_type = arrow_type.value_type
        depth += 1

    if pa.types.is_dictionary(arrow_type):
        arrow_type = arrow_type.value_type
    return depth, arrow_type


def _is_string(arrow_type: pa.DataType) -> bool:
    """Return whether a type is one of Arrow's three string types."""
    return arrow_type in (pa.string(), pa.large_string(), pa.string_view())


def _is_list(arrow_type: pa.DataType) -> bool:
    """Return whether a type is one of Arrow's five list types."""
    list_types = (pa.ListType, pa.LargeListType, pa.FixedSizeListType, pa.ListViewType, pa.LargeListViewType)
    return isinstance(arrow_type, list_types)


class ArrowItems(NamedTuple):
    """Rows, texts or tokens that are read from an Arrow column. `_lists.ListItems` has the same methods.

    Only the methods of `ListItems` use the parameter `expected`. Here, `of` has already checked the type of all items.
    """

    values: pa.Array

    @classmethod
    def of(cls, column: pa.ChunkedArray, kind: Kind, nested: bool, name: str) -> ArrowItems:
        """Return the rows of a column as items. Raise ``TypeError`` if its type does not match `kind` and `nested`.

        `name`: the name of the column in the error.
        """
        expects_lists, expects_strings = kind != "text", kind != "ids"
        expected_depth = int(expects_lists) + int(nested)
        depth, leaf = _innermost(column.type)
        has_right_leaves = pa.types.is_null(leaf) or _is_string(leaf) == expects_strings
        if depth != expected_depth or not has_right_leaves:
            raise TypeError(
                f"{name} is an Arrow column of {column.type!s:.100}, which does not match predictions of kind {kind}; "
                "references must have the predictions' type, or be lists of that type"
            )
        return cls(without_encodings(one_array(column)))

    def flatten(self, _expected: str, origin: Origin) -> tuple[Ints, ArrowItems]:
        """Return the number of items in each list, and the items of all lists. Raise ``TypeError`` for a null."""
        self._refuse_nulls(origin)
        items = self.values.flatten()
        return _list_sizes(self.values), ArrowItems(without_encodings(items))

    def without_missing(self) -> tuple[Bools, ArrowItems]:
        """Return a flag for each item (False: it is null), and the items that are not null."""
        return np.asarray(self.values.is_valid()), ArrowItems(self.values.drop_null())

    def strings(self, _expected: str, origin: Origin) -> pa.Array:
        """Return the items as an array of type string.

        Raise ``TypeError`` for a null, and ``ValueError`` for a string that is not UTF-8. Strings need this check
        because Arrow does not validate those that come from files and buffers.
        """
        self._refuse_nulls(origin)
        strings = self.values.cast(pa.string())
        try:
            strings.validate(full=True)
        except pa.ArrowInvalid:
            raise utf8_error(strings, origin) from None
        return strings

    def ids(self, _expected: str, origin: Origin) -> Ints:
        """Return token ids as an array. Raise ``TypeError`` for a null, and ``ValueError`` for an id above int64."""
        self._refuse_nulls(origin)
        try:
            ids = self.values.cast(pa.int64())
            return np.asarray(ids.to_numpy(), np.int64)
        except pa.ArrowInvalid:
            return as_int64(self.values.to_pylist(), origin)  # raises the error that names the row

    def _refuse_nulls(self, origin: Origin) -> None:
        """Raise ``TypeError`` for the first null. The error names its row."""
        if not self.values.null_count:
            return
        is_valid = np.asarray(self.values.is_valid())
        first_null = int(np.argmin(is_valid))  # index of the first False
        raise TypeError(
            f"{origin.row(first_null)} is null (None) or contains a null; "
            "for a missing text, pass an empty one: '' for a string, [] for a list"
        )


def _list_sizes(lists: pa.Array) -> Ints:
    """Return the number of items in each list. A null list has 0 items."""
    sizes: Ints = pc.list_value_length(lists).fill_null(0).cast(pa.int64()).to_numpy(zero_copy_only=False)
    return sizes


def one_array(column: pa.ChunkedArray) -> pa.Array:
    """Return the chunks of a column as one array."""
    if column.num_chunks == 0:
        return pa.array([], column.type)  # Arrow cannot concatenate zero arrays
    if column.num_chunks == 1:
        return column.chunk(0)  # without a copy
    return pa.concat_arrays(column.chunks)


def without_encodings(array: pa.Array) -> pa.Array:
    """Decode a dictionary-encoded array, and cast string views to strings. Return any other array unchanged.

    A null in the dictionary becomes a null in the array. String views are cast because few Arrow functions accept them.
    """
    if pa.types.is_dictionary(array.type):
        distinct_values = without_encodings(array.dictionary)
        return distinct_values.take(array.indices)

    depth, leaf = _innermost(array.type)
    if leaf != pa.string_view():
        return array
    if depth == 0:
        return array.cast(pa.string())

    # Cast the strings and rebuild the lists, because casting list views returns broken arrays in PyArrow 26
    offsets = from_numpy(offsets_of(_list_sizes(array)))
    strings = without_encodings(array.flatten())
    return pa.LargeListArray.from_arrays(offsets, strings, mask=array.is_null())
