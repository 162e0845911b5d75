"""Read rows in Arrow columns as flat Arrow arrays of texts, tokens or token ids. Check every row."""

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
    """Import and return `pyarrow.compute`. The import takes 0.03 s, and most texts can be read without this module."""
    import pyarrow.compute

    return pyarrow.compute


def from_numpy(values: Array) -> pa.Array:
    """Build an Arrow array of numbers. Unlike `pa.array`, do not import pandas, which takes 0.2 s."""
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(values)])


MOST_BYTES = 2**31 - 1  # an Arrow array of strings cannot hold more


def from_strings(texts: Sequence[str], arrow_type: pa.DataType) -> pa.Array:
    """Build an array of strings or large strings. Unlike `pa.array`, do not import pandas, which takes 0.3 s.

    Raise ``UnicodeEncodeError`` for a lone surrogate, and ``pa.ArrowCapacityError`` for more than 2 GiB of strings.
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
    is_text: bool | None  # whether the innermost values are strings, not integers; None if there are only nulls

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
    """Return the number of nested levels of lists, and the type of the values in the innermost lists."""
    depth = 0
    while _is_list(arrow_type):
        depth, arrow_type = depth + 1, arrow_type.value_type
    is_encoded = pa.types.is_dictionary(arrow_type)
    return depth, arrow_type.value_type if is_encoded else arrow_type


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
    """Return whether values of the type are lists of any of Arrow's five types."""
    checks = ("is_list", "is_large_list", "is_fixed_size_list", "is_list_view", "is_large_list_view")
    return any(getattr(pa.types, check)(arrow_type) for check in checks)


def check_arrow_type(rows: ArrowRows, name: str, kind: str, nested: bool) -> None:
    """Raise ``TypeError`` if the column's type does not match the kind of the predictions and the nesting."""
    depth_of_text = 0 if kind == "text" else 1
    expected_depth = depth_of_text + 1 if nested else depth_of_text
    is_wrong_value = rows.is_text is not None and rows.is_text != (kind != "ids")
    if rows.depth != expected_depth or is_wrong_value:
        raise TypeError(
            f"{name} is an Arrow column of {rows.column.type!s:.100}, which does not match predictions of kind {kind}; "
            "references must have the predictions' type, or be lists of that type"
        )


def read_arrow(column: pa.ChunkedArray, kind: str, nested: bool, origin: Origin) -> Side:
    """Flatten, check and convert the rows of a column. Return them as a `Side`. An error names the row."""
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
    """Return the number of texts in each row, and one array of all texts. References that are null are left out."""
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
    """Return the number of items in each list (0 for a null), and one array of all items."""
    items = without_encodings(array.flatten())
    if pa.types.is_list(array.type) and len(array) and not array.null_count:
        return np.diff(_offsets(array)).astype(np.int64), items  # the usual case does not import `pyarrow.compute`
    sizes = arrow_compute().list_value_length(array).fill_null(0)
    return sizes.cast(pa.int64()).to_numpy(zero_copy_only=False), items


def _offsets(array: pa.Array) -> Array:
    """Return the start of each item of an array of lists or strings, and the end of the last, as in Arrow's buffer."""
    bytes_before = 4 * array.offset
    return np.frombuffer(array.buffers()[1], np.int32, len(array) + 1, bytes_before)


def _has_view(arrow_type: pa.DataType) -> bool:
    """Return whether values of the type are string views, or lists of them at any depth."""
    _, leaf = _innermost(arrow_type)
    return bool(pa.types.is_string_view(leaf))


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
    return pa.LargeListArray.from_arrays(from_numpy(offsets_of(sizes)), strings, mask=array.is_null())


def _refuse_nulls(array: pa.Array, origin: Origin) -> None:
    """Raise ``TypeError`` for the first row with a null."""
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
    """Return whether the bytes are UTF-8."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _as_int64(tokens: pa.Array, origin: Origin) -> pa.Array:
    """Return token ids as int64. Raise ``ValueError`` for the first that is negative or too large."""
    try:
        ids = tokens.cast(pa.int64())
    except pa.ArrowInvalid:
        index = first_true(token >= 2**63 for token in tokens.to_pylist())
        raise ValueError(
            f"{origin.row(index)} holds the token id {tokens[index]}, which does not fit into a signed 64-bit integer"
        ) from None
    refuse_negative_ids(ids.to_numpy(), origin)
    return ids
