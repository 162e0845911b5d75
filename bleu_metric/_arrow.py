"""Read the rows of Arrow columns into flat Arrow arrays of texts, tokens or token ids, and check every row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from ._lazy import np, pa
from ._reading import (
    Origin,
    Side,
    TooMuchTextError,
    count_present,
    offsets_of,
    refuse_negative_ids,
    refuse_rows_without_reference,
    sizes_of,
    utf8_error,
)
from ._validation import Array, Ints, first_true


def arrow_compute() -> Any:
    """Import and return `pyarrow.compute`, but only when needed, because the import takes 0.03 s."""
    import pyarrow.compute

    return pyarrow.compute


def from_numpy(values: Array) -> pa.Array:
    """Build an Arrow array from a NumPy array of numbers. `pa.array` would import pandas, which takes 0.2 s."""
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(values)])


MOST_BYTES = 2**31 - 1  # most bytes in an Arrow array of type string; type large string has no limit


def from_strings(texts: Sequence[str], arrow_type: pa.DataType) -> pa.Array:
    """Build an Arrow array of type string or large string. `pa.array` would import pandas, which takes 0.3 s.

    Raise ``UnicodeEncodeError`` if a text has a lone surrogate. Raise ``pa.ArrowCapacityError`` if the texts have more
    than `MOST_BYTES` bytes and the type is string.
    """
    encoded = [str.encode(text) for text in texts]
    offsets = offsets_of(sizes_of(encoded))
    is_large = pa.types.is_large_string(arrow_type)
    if not is_large and offsets[-1] > MOST_BYTES:
        raise pa.ArrowCapacityError(f"an array of strings cannot hold {offsets[-1]} bytes")
    offsets = offsets.astype(np.int64 if is_large else np.int32, copy=False)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(arrow_type, len(encoded), buffers)


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
    """Return the rows of an Arrow column, or of a column of `datasets` or polars. Return None for any other value.

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
    raise TypeError(
        f"{name} is an Arrow column of {column.type!s:.100}; strings, or lists of strings or integers, are expected"
    )


def _to_arrow(column: Any) -> Any:
    """Return a column of `datasets` or polars as Arrow data. Return any other value unchanged."""
    package = type(column).__module__.partition(".")[0]
    if package == "datasets" and hasattr(column, "source"):
        source = column.source
        if not hasattr(source, "format") or source.format["type"] == "custom":
            return column  # nested fields, and rows that a transform computes, are read as Python objects
        return source.with_format("arrow")[column.column_name][:]
    if package == "polars" and hasattr(column, "dtype") and str(column.dtype) != "Object":
        return column.to_arrow()
    return column


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


def read_arrow_texts(column: pa.ChunkedArray, kind: str, origin: Origin) -> Side:
    """Flatten and check rows of one text each. Errors name the wrong row."""
    _check_type(column.type, kind, False, origin.name)
    with _limited_text(origin):
        texts = without_encodings(one_array(column))
        return _read_texts(texts, np.ones(len(texts), np.int64), kind, origin)


def read_arrow_references(column: pa.ChunkedArray, kind: str, nested: bool, origin: Origin) -> Side:
    """Flatten and check the references of each row. Null references are dropped.

    `nested`: whether each row is a list of references, instead of one reference.
    """
    _check_type(column.type, kind, nested, origin.name)
    with _limited_text(origin):
        texts = without_encodings(one_array(column))
        per_row = np.ones(len(texts), np.int64)
        if nested:
            per_row, texts = _flatten(texts)
        if texts.null_count:
            per_row = count_present(per_row, np.asarray(texts.is_valid()))
            texts = texts.drop_null()
        refuse_rows_without_reference(per_row, origin.first)
        return _read_texts(texts, per_row, kind, origin)


def _check_type(arrow_type: pa.DataType, kind: str, nested: bool, name: str) -> None:
    """Raise ``TypeError`` if a column's type does not match `kind` and `nested`. `name`: the name of the column."""
    depth, leaf = _innermost(arrow_type)
    depth_of_text = 0 if kind == "text" else 1
    expected_depth = depth_of_text + 1 if nested else depth_of_text
    is_right_value = pa.types.is_null(leaf) or _is_string(leaf) == (kind != "ids")
    if depth != expected_depth or not is_right_value:
        raise TypeError(
            f"{name} is an Arrow column of {arrow_type!s:.100}, which does not match predictions of kind {kind}; "
            "references must have the predictions' type, or be lists of that type"
        )


@contextmanager
def _limited_text(origin: Origin) -> Iterator[None]:
    """Raise `TooMuchTextError` instead of Arrow's errors, which arrays of more than 2 GiB raise."""
    try:
        yield
    except (pa.ArrowInvalid, pa.ArrowCapacityError) as error:
        raise TooMuchTextError.of(origin, error) from error


def _read_texts(texts: pa.Array, per_row: Ints, kind: str, origin: Origin) -> Side:
    """Check and convert the texts of all rows. `per_row`: number of texts in each row."""
    text_origin = origin.flattened(per_row)
    _refuse_nulls(texts, text_origin)
    if kind == "text":
        return Side.untokenized(_as_strings(texts, text_origin), per_row)
    lengths, tokens = _flatten(texts)
    token_origin = text_origin.flattened(lengths)
    _refuse_nulls(tokens, token_origin)
    convert = _as_strings if kind == "tokens" else _as_int64
    return Side(convert(tokens, token_origin), lengths, per_row)


def one_array(column: pa.ChunkedArray) -> pa.Array:
    """Return the chunks of a column as one array."""
    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _flatten(lists: pa.Array) -> tuple[Ints, pa.Array]:
    """Return the number of items in each list (0 for a null list), and one array of all items.

    [["a", "b"], null, ["c"]] -> [2, 0, 1] and ["a", "b", "c"].
    """
    return _list_sizes(lists), without_encodings(lists.flatten())


def _list_sizes(lists: pa.Array) -> Ints:
    """Return the number of items in each list, 0 for a null list."""
    if pa.types.is_list(lists.type) and len(lists) and not lists.null_count:
        # In this usual case, the sizes are differences of offsets, which need no `pyarrow.compute`
        offsets: Array = lists.offsets.to_numpy()
        return np.diff(offsets).astype(np.int64)
    column = arrow_compute().list_value_length(lists).fill_null(0)
    sizes: Ints = column.cast(pa.int64()).to_numpy(zero_copy_only=False)
    return sizes


def without_encodings(array: pa.Array) -> pa.Array:
    """Decode a dictionary-encoded array, and cast string views to strings. Return any other array unchanged.

    A null in the dictionary becomes a null in the array. String views are cast because few Arrow functions accept them.
    """
    if pa.types.is_dictionary(array.type):
        return without_encodings(array.dictionary).take(array.indices)
    depth, leaf = _innermost(array.type)
    if leaf != pa.string_view():
        return array
    if depth == 0:
        return array.cast(pa.string())
    # Cast the strings and rebuild the lists, because casting list views returns broken arrays in PyArrow 26
    sizes, strings = _flatten(array)
    return pa.LargeListArray.from_arrays(from_numpy(offsets_of(sizes)), strings, mask=array.is_null())


def _refuse_nulls(array: pa.Array, origin: Origin) -> None:
    """Raise ``TypeError`` if the array contains a null. The error names the first row that has one."""
    if array.null_count:
        index = int(np.argmin(np.asarray(array.is_valid())))
        raise TypeError(
            f"{origin.row(index)} is null (None) or contains a null; "
            "for a missing text, pass an empty one: '' for a string, [] for a list"
        )


def _as_strings(array: pa.Array, origin: Origin) -> pa.Array:
    """Cast the array to type string. Raise ``ValueError`` if a string is not valid UTF-8.

    The check is needed because Arrow does not validate strings that come from files and buffers.
    """
    strings = array.cast(pa.string())
    try:
        strings.validate(full=True)
    except pa.ArrowInvalid:
        raise utf8_error(strings, origin) from None
    return strings


def _as_int64(tokens: pa.Array, origin: Origin) -> pa.Array:
    """Cast token ids to int64. Raise ``ValueError`` if an id is negative or too large; the error names the row."""
    try:
        ids = tokens.cast(pa.int64())
    except pa.ArrowInvalid:
        index = first_true(token >= 2**63 for token in tokens.to_pylist())
        raise ValueError(
            f"{origin.row(index)} holds the token id {tokens[index]}, which does not fit into a signed 64-bit integer"
        ) from None
    refuse_negative_ids(ids.to_numpy(), origin)
    return ids
