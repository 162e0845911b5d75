"""`Texts`: strings as flat UTF-8, or token ids as flat numbers. They are read from lists, arrays and Arrow columns.

Reading checks every item. Errors name the row that contains the wrong item. The kernel, which is faster, reads most
plain lists itself; this module reads all other rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Sized
from itertools import chain, pairwise
from typing import Any, Literal, NamedTuple

from ._lazy import np, pa, pc
from ._validation import (
    Array,
    Bools,
    Bytes,
    Ints,
    as_float,
    first_of_wrong_type,
    first_true,
    is_list,
    is_missing,
    short_repr,
    with_type,
    without_array,
)

Kind = Literal["text", "tokens", "ids"]  # each text is a string, a list of tokens or a list of token ids
Rows = Any  # a list, a tuple, a NumPy array, an Arrow column or `StoredRows`
NameRow = Callable[[int], str]  # index of a row -> its name in errors, such as "predictions[5]"

EXPECTED: dict[Kind, str] = {
    "text": "strings",
    "tokens": "lists of tokens (strings)",
    "ids": "lists of token ids (integers)",
}
IGNORED = -100  # PyTorch and transformers ignore labels with this value, which marks positions without a token
_WORD_BYTES = 8
# The padding is needed because `_ngrams` reads two whole words for each token, even for the last one
_PADDING_WORDS = 2
_FOR_MISSING = "for a missing text, pass an empty one: '' for a string, [] for a list"


class Texts(NamedTuple):
    """Texts as flat arrays. String i is ``data[starts[i] : starts[i] + lengths[i]]``, in UTF-8.

    A string is a text that is not split into tokens yet (the kind "text"), or a token (the kind "tokens"). Token ids
    (the kind "ids") are numbers of 8 bytes. The texts "ab" and "c d" have the starts [0, 2] and the lengths [2, 3].
    Split into tokens, they have the starts [0, 2, 4], the lengths [2, 1, 1], and two texts of 1 and 2 tokens.
    """

    kind: Kind
    data: Bytes  # padded with zeros to whole words of 8 bytes, and then with two more words
    starts: Ints  # (strings,); until texts are split, each string starts where the one before it ends
    lengths: Ints  # (strings,): numbers of bytes
    per_text: Ints  # (texts,): number of strings of each text, which is 1 until the texts are split

    @property
    def ids(self) -> Ints:
        """Return the token ids of all texts as one array. The kind must be "ids"."""
        return self.data.view(np.int64)[: len(self.starts)]

    def strings(self) -> list[str]:
        """Return all strings or, for the kind "ids", all ids as strings. This is slow for many strings."""
        if self.kind == "ids":
            return list(map(str, self.ids.tolist()))
        raw = self.data.tobytes()
        ends = self.starts + self.lengths
        return [raw[start:end].decode() for start, end in zip(self.starts.tolist(), ends.tolist(), strict=True)]


def flat_texts(kind: Kind, data: Any, lengths: Ints, per_text: Ints | None = None) -> Texts:
    """Build `Texts` from the strings in `data`, one after the other. `per_text`: None if each string is a text.

    >>> flat_texts("text", b"abc d", np.array([2, 3])).strings()
    ['ab', 'c d']
    """
    offsets = offsets_of(lengths)
    n_bytes = int(offsets[-1])
    n_words = -(-n_bytes // _WORD_BYTES) + _PADDING_WORDS  # the quotient is rounded up
    padded = np.zeros(n_words * _WORD_BYTES, np.uint8)
    padded[:n_bytes] = np.frombuffer(data, np.uint8, n_bytes)
    if per_text is None:
        per_text = np.ones(len(lengths), np.int64)
    return Texts(kind, padded, offsets[:-1], lengths, per_text)


def encode(kind: Kind, strings: Sequence[str], per_text: Ints | None = None) -> Texts:
    """Build `Texts` from strings. Raise ``UnicodeEncodeError`` if one has a lone surrogate."""
    encoded = [str.encode(string) for string in strings]
    return flat_texts(kind, b"".join(encoded), sizes_of(encoded), per_text)


def join_texts(parts: Sequence[Texts]) -> Texts:
    """Join texts of one kind that are not tokenized yet, part by part."""
    if len(parts) == 1:
        return parts[0]
    all_data = [part.data[: part.lengths.sum()] for part in parts]  # without the padding
    lengths = np.concatenate([part.lengths for part in parts])
    per_text = np.concatenate([part.per_text for part in parts])
    return flat_texts(parts[0].kind, np.concatenate(all_data), lengths, per_text)


# --- Arrays of sizes and offsets ------------------------------------------------------------------------------------


def sizes_of(lists: Sequence[Sized]) -> Ints:
    """Return the size of each list.

    >>> sizes_of([["a", "b"], [], ["c"]])
    array([2, 0, 1])
    """
    return np.fromiter(map(len, lists), np.int64, len(lists))


def offsets_of(sizes: Ints | Bools) -> Ints:
    """Return where each list starts if lists of these sizes are concatenated, then the end of the last list.

    >>> offsets_of(np.array([2, 0, 3]))
    array([0, 2, 2, 5])
    """
    offsets = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def split_list(items: Sequence[Any], sizes: Ints) -> list[list[Any]]:
    """Split items into consecutive lists of these sizes.

    >>> split_list(["a", "b", "c"], np.array([2, 0, 1]))
    [['a', 'b'], [], ['c']]
    """
    offsets = offsets_of(sizes).tolist()
    return [list(items[start:end]) for start, end in pairwise(offsets)]


def _name_by_list(sizes: Ints, name_row: NameRow) -> NameRow:
    """Return a function that names the row of an item, if lists of these sizes, one per row, are concatenated.

    >>> _name_by_list(np.array([2, 0, 3]), "references[{}]".format)(2)
    'references[2]'
    """
    # The item is in the first list that ends behind it
    return lambda index: name_row(int(np.searchsorted(np.cumsum(sizes), index, side="right")))


# --- Rows -> texts --------------------------------------------------------------------------------------------------


def is_arrow(rows: object) -> bool:
    """Return whether rows are an Arrow column. For other rows, PyArrow is not imported."""
    return type(rows).__module__.startswith("pyarrow") and isinstance(rows, (pa.Array, pa.ChunkedArray))


def read_texts(rows: Any, kind: Kind, name_row: NameRow) -> Texts:
    """Check rows that contain one text each, and return the texts.

    Raise ``TypeError`` if a text or a token has a wrong type, and ``ValueError`` for a lone surrogate or a wrong id.
    """
    if is_arrow(rows):
        return _read_arrow(one_array(rows), kind, name_row)
    return _read_list(_as_list(rows), kind, name_row)


def read_references(rows: Any, kind: Kind, nested: bool, name_row: NameRow) -> tuple[Texts, Ints]:
    """Check the references of all rows. Return them without missing ones, and the number of references of each row.

    A reference is missing if it is null, None or NaN. `nested`: whether each row is a list of references. Raise
    ``ValueError`` if a row has no reference, and the errors of `read_texts`.
    """
    if is_arrow(rows):
        texts, per_row = _present_in_arrow(one_array(rows), nested)
    else:
        lists = _present_in_lists(_as_list(rows), nested, name_row)
        texts, per_row = list(chain.from_iterable(lists)), sizes_of(lists)
    refuse_rows_without_reference(per_row, name_row)

    name_text = _name_by_list(per_row, name_row)
    read = _read_arrow if is_arrow(rows) else _read_list
    return read(texts, kind, name_text), per_row


def refuse_rows_without_reference(per_row: Ints, name_row: NameRow) -> None:
    """Raise ``ValueError`` for the first row without a reference. `per_row`: number of references of each row."""
    if not per_row.all():
        first = int(np.argmin(per_row))  # the smallest number is 0
        raise ValueError(f"{name_row(first)} has no reference; every segment needs at least one")


# --- Lists and NumPy arrays


def _as_list(rows: Any) -> list[Any]:
    """Return rows as a list. The items of one-dimensional arrays become Python values."""
    is_flat_array = isinstance(rows, np.ndarray) and rows.ndim == 1
    return rows.tolist() if is_flat_array else list(rows)


def _present_in_lists(rows: list[Any], nested: bool, name_row: NameRow) -> list[list[Any]]:
    """Return the references of each row, without missing ones. A row that is missing has no reference."""
    all_present = []
    for index, row in enumerate(rows):
        references = without_array(row) if nested else [row]
        if is_missing(references):
            references = []
        if not isinstance(references, (list, tuple)):
            raise _type_error(row, "lists of references", name_row(index), (list, tuple))
        all_present.append([reference for reference in references if not is_missing(reference)])
    return all_present


def _read_list(texts: list[Any], kind: Kind, name_text: NameRow) -> Texts:
    """Check a list of texts of one kind, and return them as `Texts`."""
    if kind == "text":
        _check_types(texts, (str,), kind, name_text)
        return _encode(kind, texts, None, name_text)

    # One array is faster to check than a list of Python integers
    if kind == "ids" and texts and all(map(_is_array_of_ids, texts)):
        per_text = sizes_of(texts)
        tokens: Any = np.concatenate(texts)
    else:
        lists = [without_array(text) for text in texts]
        _check_types(lists, (list, tuple), kind, name_text)
        # Copy the lists, because another thread may change them between the two lines below
        copies = list(map(tuple, lists))
        per_text = sizes_of(copies)
        tokens = list(chain.from_iterable(copies))

    name_token = _name_by_list(per_text, name_text)
    if kind == "tokens":
        _check_types(tokens, (str,), kind, name_token)
        return _encode(kind, tokens, per_text, name_token)
    if isinstance(tokens, list):
        _check_types(tokens, (int, np.integer), kind, name_token)
        tokens = _as_int64(tokens, name_token)
    return _texts_of_ids(tokens, per_text, name_token)


def _is_array_of_ids(text: Any) -> bool:
    """Return whether a text is an array of signed integers, so that its items need no check of their types."""
    return isinstance(text, np.ndarray) and text.ndim == 1 and text.dtype.kind == "i"


def _check_types(items: list[Any], accepted: tuple[type, ...], kind: Kind, name_item: NameRow) -> None:
    """Raise ``TypeError`` for the first item of a wrong type. `kind`: what the texts should be, for the message."""
    index = first_of_wrong_type(items, accepted)
    if index is not None:
        raise _type_error(items[index], EXPECTED[kind], name_item(index), accepted)


def _type_error(item: Any, expected: str, row: str, accepted: tuple[type, ...]) -> TypeError:
    return TypeError(f"{row} holds {with_type(item)} where {expected} are expected; {_advice_on_item(item, accepted)}")


def _advice_on_item(item: Any, accepted: tuple[type, ...] = (str,)) -> str:
    """Return advice on what to pass instead of an item whose type is not an accepted one.

    >>> _advice_on_item({"text": "a b"})
    "pass one of its fields, as in [row['text'] for row in rows]"
    """
    if is_missing(item):
        return "for a missing text, pass an empty one: '' for a string, [] for a list"
    if isinstance(item, bytes):
        return "decode it, as in text.decode()"
    if isinstance(item, dict):
        text_fields = (name for name, value in item.items() if isinstance(value, str))
        field = next(text_fields, "text")
        return f"pass one of its fields, as in [row[{short_repr(field)}] for row in rows]"
    if isinstance(item, (set, frozenset)) or hasattr(item, "__next__"):  # a set or an iterator
        return "pass a list instead"
    if str in accepted and (isinstance(item, bool) or as_float(item) is not None):
        return f"if it is a text, pass a string, as in str({short_repr(item)})"
    score = item[0] if is_list(item) and len(item) else item  # logits have a list of scores at each position
    if int in accepted and isinstance(score, float):
        return "if these are logits, pass logits.argmax(-1), or preprocess_logits_for_metrics to Trainer"
    return "all predictions and references must be of one kind: strings, lists of tokens, or lists of token ids"


def _encode(kind: Kind, strings: list[str], per_text: Ints | None, name_string: NameRow) -> Texts:
    """Return strings as `Texts`. Raise ``ValueError`` for a lone surrogate."""
    try:
        return encode(kind, strings, per_text)
    except UnicodeEncodeError as error:
        index = first_true(item == error.object for item in strings)
        raise ValueError(
            f"{name_string(index)} is not valid Unicode: {with_type(error.object)} has a lone surrogate at index "
            f"{error.start}; read the file with encoding='utf-8', or use text.encode('utf-8', 'replace').decode()"
        ) from None


def _as_int64(ids: Sequence[Any], name_id: NameRow) -> Ints:
    """Return token ids as an array. Raise ``ValueError`` for the first id that does not fit into int64."""
    try:
        return np.fromiter(ids, np.int64, len(ids))
    except OverflowError:
        index = first_true(not -(2**63) <= int(token) < 2**63 for token in ids)
        raise ValueError(
            f"{name_id(index)} holds the token id {short_repr(ids[index])}, "
            "which does not fit into a signed 64-bit integer"
        ) from None


def _texts_of_ids(ids: Ints, per_text: Ints, name_id: NameRow) -> Texts:
    """Return token ids as `Texts`. Raise ``ValueError`` for a negative id, which is usually padding, such as -100."""
    if len(ids) and ids.min() < 0:
        index = int(np.argmax(ids < 0))  # index of the first negative id
        number = int(ids[index])
        row = name_id(index)
        # `remove_padding` always removes the id IGNORED
        name = row.replace("[", " ").partition(" ")[0]
        argument = "" if number == IGNORED else f", pad_id={number}"
        raise ValueError(
            f"{row} holds {number}, which is not a token id; if it is padding, remove it: "
            f"bleu_metric.remove_padding({name}{argument})"
        )
    data = np.ascontiguousarray(ids, np.int64)
    return flat_texts("ids", data.view(np.uint8), np.full(len(data), data.itemsize), per_text)


# --- Arrow columns


def _present_in_arrow(array: pa.Array, nested: bool) -> tuple[pa.Array, Ints]:
    """Return the references without nulls, and the number of references of each row."""
    per_row = np.ones(len(array), np.int64)
    if nested:
        per_row = _list_sizes(array)
        array = without_encodings(array.flatten())
    if array.null_count:
        present_before = offsets_of(np.asarray(array.is_valid()))  # number of present references before each one
        per_row = np.diff(present_before.take(offsets_of(per_row)))
    return array.drop_null(), per_row


def _read_arrow(array: pa.Array, kind: Kind, name_text: NameRow) -> Texts:
    """Check an array of texts, whose type `as_corpus` has checked, and return them as `Texts`."""
    _refuse_nulls(array, name_text)
    if kind == "text":
        return _texts_of_strings(kind, array, None, name_text)

    per_text = _list_sizes(array)
    tokens = without_encodings(array.flatten())
    name_token = _name_by_list(per_text, name_text)
    _refuse_nulls(tokens, name_token)
    if kind == "tokens":
        return _texts_of_strings(kind, tokens, per_text, name_token)
    try:
        ids = np.asarray(tokens.cast(pa.int64()).to_numpy(), np.int64)
    except pa.ArrowInvalid:
        ids = _as_int64(tokens.to_pylist(), name_token)  # raises the error that names the row
    return _texts_of_ids(ids, per_text, name_token)


def _refuse_nulls(array: pa.Array, name_item: NameRow) -> None:
    """Raise ``TypeError`` for the first null. The error names its row."""
    if array.null_count:
        first_null = int(np.argmin(np.asarray(array.is_valid())))  # index of the first False
        raise TypeError(f"{name_item(first_null)} is null (None) or contains a null; {_FOR_MISSING}")


def _texts_of_strings(kind: Kind, strings: pa.Array, per_text: Ints | None, name_string: NameRow) -> Texts:
    """Return an array of strings as `Texts`.

    Raise ``ValueError`` for a string that is not UTF-8. Arrow does not validate strings from files and buffers.
    """
    strings = strings.cast(pa.large_string())
    try:
        strings.validate(full=True)
    except pa.ArrowInvalid:
        raise utf8_error(strings, name_string) from None

    _, offset_buffer, data = strings.buffers()
    # If the array is a slice, skip the offsets of the strings before it
    offsets = np.frombuffer(offset_buffer, np.int64, len(strings) + 1, offset=8 * strings.offset)
    text = memoryview(data if data is not None else b"")[int(offsets[0]) :]
    return flat_texts(kind, text, np.diff(offsets), per_text)


def utf8_error(values: Iterable[pa.Scalar], name_row: NameRow) -> ValueError:
    """Return the error for the first string that is not UTF-8."""
    index = first_true(not is_readable(value) for value in values)
    return ValueError(f"{name_row(index)} is not UTF-8; decode the bytes first")


def is_readable(value: pa.Scalar) -> bool:
    """Return whether an Arrow value can be converted to Python. A string that is not UTF-8 cannot."""
    try:
        value.as_py()
    except UnicodeDecodeError:
        return False
    return True


def innermost(arrow_type: pa.DataType) -> tuple[int, pa.DataType]:
    """Return how deeply lists are nested in a type, and the innermost type: ``list<list<string>>`` -> (2, string)."""
    depth = 0
    while is_list_type(arrow_type):
        arrow_type = arrow_type.value_type
        depth += 1

    if pa.types.is_dictionary(arrow_type):
        arrow_type = arrow_type.value_type
    return depth, arrow_type


def is_list_type(arrow_type: pa.DataType) -> bool:
    """Return whether a type is one of Arrow's five list types."""
    list_types = (pa.ListType, pa.LargeListType, pa.FixedSizeListType, pa.ListViewType, pa.LargeListViewType)
    return isinstance(arrow_type, list_types)


def _list_sizes(lists: pa.Array) -> Ints:
    """Return the number of items in each list. A null list has 0 items."""
    sizes: Ints = pc.list_value_length(lists).fill_null(0).cast(pa.int64()).to_numpy(zero_copy_only=False)
    return sizes


def one_array(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return a column as one array without dictionaries and string views."""
    if isinstance(column, pa.ChunkedArray):
        if column.num_chunks == 0:
            column = pa.array([], column.type)  # Arrow cannot concatenate zero arrays
        else:
            # A single chunk is not copied
            column = column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)
    return without_encodings(column)


def without_encodings(array: pa.Array) -> pa.Array:
    """Decode a dictionary-encoded array, and cast string views to strings. Return any other array unchanged.

    A null in the dictionary becomes a null in the array. String views are cast because few Arrow functions accept them.
    """
    if pa.types.is_dictionary(array.type):
        distinct_values = without_encodings(array.dictionary)
        return distinct_values.take(array.indices)

    depth, leaf = innermost(array.type)
    if leaf != pa.string_view():
        return array
    if depth == 0:
        return array.cast(pa.string())

    # Cast the strings and rebuild the lists, because casting list views returns broken arrays in PyArrow 26
    offsets = from_numpy(offsets_of(_list_sizes(array)))
    strings = without_encodings(array.flatten())
    return pa.LargeListArray.from_arrays(offsets, strings, mask=array.is_null())


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
