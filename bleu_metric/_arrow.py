"""Read the rows of Arrow columns into flat Arrow arrays of texts, tokens or token ids, and check every row."""

from __future__ import annotations

from collections.abc import Sequence
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
    offsets = offsets_of(np.fromiter(map(len, encoded), np.int64, len(encoded)))
    if not pa.types.is_large_string(arrow_type):
        if offsets[-1] > MOST_BYTES:
            raise pa.ArrowCapacityError(f"an array of strings cannot hold {offsets[-1]} bytes")
        offsets = offsets.astype(np.int32)
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
    if type(column) in (list, tuple):
        return None
    column = _arrow_inside(column)
    if isinstance(column, pa.Array):
        column = pa.chunked_array([column])
    if not isinstance(column, pa.ChunkedArray):
        return None
    depth, leaf = _innermost(column.type)
    if pa.types.is_string(leaf) or pa.types.is_large_string(leaf) or pa.types.is_string_view(leaf):
        return ArrowRows(column, depth, is_text=True)
    if pa.types.is_integer(leaf) and depth > 0:
        return ArrowRows(column, depth, is_text=False)
    if pa.types.is_null(leaf):
        return ArrowRows(column, depth, is_text=None)
    raise TypeError(
        f"{name} is an Arrow column of {column.type!s:.100}; strings, or lists of strings or integers, are expected"
    )


def _innermost(arrow_type: pa.DataType) -> tuple[int, pa.DataType]:
    """Return how deeply lists are nested in a type, and the innermost type: ``list<list<string>>`` -> (2, string)."""
    depth = 0
    while _is_list(arrow_type):
        depth, arrow_type = depth + 1, arrow_type.value_type
    is_encoded = pa.types.is_dictionary(arrow_type)
    return depth, arrow_type.value_type if is_encoded else arrow_type


def _arrow_inside(column: Any) -> Any:
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


def _is_list(arrow_type: pa.DataType) -> bool:
    """Return whether a type is one of Arrow's five list types."""
    checks = ("is_list", "is_large_list", "is_fixed_size_list", "is_list_view", "is_large_list_view")
    return any(getattr(pa.types, check)(arrow_type) for check in checks)


def check_arrow_type(rows: ArrowRows, name: str, kind: str, nested: bool) -> None:
    """Raise ``TypeError`` if the column's type does not match `kind` and `nested`.

    `kind`: "text", "tokens" or "ids", as in the predictions. `nested`: whether each row is a list of references.
    """
    depth_of_text = 0 if kind == "text" else 1
    expected_depth = depth_of_text + 1 if nested else depth_of_text
    is_wrong_value = rows.is_text is not None and rows.is_text != (kind != "ids")
    if rows.depth != expected_depth or is_wrong_value:
        raise TypeError(
            f"{name} is an Arrow column of {rows.column.type!s:.100}, which does not match predictions of kind {kind}; "
            "references must have the predictions' type, or be lists of that type"
        )


def read_arrow(column: pa.ChunkedArray, kind: str, nested: bool, origin: Origin) -> Side:
    """Flatten and check the rows of a column, and return them as a `Side`. Errors name the wrong row."""
    try:
        rows = without_encodings(one_array(column))
        per_row, texts = _texts_of_rows(rows, nested, origin)
        of_texts = origin.inside(per_row)
        _refuse_nulls(texts, of_texts)
        if kind == "text":
            return Side.of_texts(_as_strings(texts, of_texts), per_row)
        lengths, tokens = _flatten(texts)
        of_tokens = of_texts.inside(lengths)
        _refuse_nulls(tokens, of_tokens)
        values = _as_strings(tokens, of_tokens) if kind == "tokens" else _as_int64(tokens, of_tokens)
        return Side(values, lengths, per_row)
    except (pa.ArrowInvalid, pa.ArrowCapacityError) as error:
        raise TooMuchTextError.of(origin, error) from error


def _texts_of_rows(rows: pa.Array, nested: bool, origin: Origin) -> tuple[Ints, pa.Array]:
    """Return the number of texts in each row, and one array of all texts. Null references are dropped."""
    per_row: Ints = np.ones(len(rows), np.int64)
    texts = rows
    if nested:
        per_row, texts = _flatten(rows)
    if origin.name == "references":
        if texts.null_count:
            per_row = count_present(per_row, np.asarray(texts.is_valid()))
            texts = texts.drop_null()
        refuse_rows_without_reference(per_row, origin.first)
    return per_row, texts


def one_array(column: pa.ChunkedArray) -> pa.Array:
    """Return the chunks of a column as one array."""
    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _flatten(array: pa.Array) -> tuple[Ints, pa.Array]:
    """Return the number of items in each list (0 for a null list), and one array of all items."""
    items = without_encodings(array.flatten())
    if pa.types.is_list(array.type) and len(array) and not array.null_count:
        return np.diff(_offsets(array)).astype(np.int64), items  # the usual case does not import `pyarrow.compute`
    sizes = arrow_compute().list_value_length(array).fill_null(0)
    return sizes.cast(pa.int64()).to_numpy(zero_copy_only=False), items


def _offsets(array: pa.Array) -> Array:
    """Return the 32-bit offsets of an array of lists or strings: the start of each item, then the end of the last."""
    bytes_before = 4 * array.offset
    return np.frombuffer(array.buffers()[1], np.int32, len(array) + 1, bytes_before)


def _has_view(arrow_type: pa.DataType) -> bool:
    """Return whether a type is string view, or a list whose innermost type is string view."""
    _, leaf = _innermost(arrow_type)
    return bool(pa.types.is_string_view(leaf))


def without_encodings(array: pa.Array) -> pa.Array:
    """Decode a dictionary-encoded array, and cast string views to strings. Return any other array unchanged.

    A null in the dictionary becomes a null in the array. String views are cast because few Arrow functions accept them.
    """
    if pa.types.is_dictionary(array.type):
        return without_encodings(array.dictionary).take(array.indices)
    if not _has_view(array.type):
        return array
    if not _is_list(array.type):
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
    if not _all_utf8(strings):
        texts = strings.cast(pa.binary()).to_pylist()
        index = first_true(not _is_utf8(text) for text in texts)
        raise ValueError(f"{origin.row(index)} is not UTF-8; decode the bytes first")
    return strings


def _all_utf8(strings: pa.Array) -> bool:
    """Return whether all strings are valid UTF-8.

    For speed, the bytes of all strings are validated as one long string. A string could still start in the middle of a
    character, so the first byte of each string is checked as well.
    """
    data_buffer = strings.buffers()[2]
    if not len(strings) or data_buffer is None:
        return True
    offsets = _offsets(strings)
    first_and_end = offsets[[0, -1]].astype(np.int64)
    together = pa.Array.from_buffers(pa.large_string(), 1, [None, pa.py_buffer(first_and_end), data_buffer])
    try:
        together.validate(full=True)
    except pa.ArrowInvalid:
        return False
    data = np.frombuffer(data_buffer, np.uint8)
    first_bytes = data.take(offsets[offsets < first_and_end[1]])
    continues_character = (first_bytes & np.uint8(0b1100_0000)) == np.uint8(0b1000_0000)
    return not continues_character.any()


def _is_utf8(text: bytes) -> bool:
    """Return whether the bytes are valid UTF-8."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


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
