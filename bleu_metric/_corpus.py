"""`Corpus`: the predictions and references that the caller passed.

`as_corpus` accepts lists, tuples, arrays, tensors and columns. Each row of the predictions is a text: a string, a list
of tokens or a list of token ids. Each row of the references is one text or a list of texts. The kernel reads most plain
lists itself, because this is faster. `Corpus.checked` reads and checks all other rows; its errors name the wrong row.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate, chain, islice
from numbers import Integral
from typing import Any, Literal, NamedTuple

from ._display import amount
from ._lazy import np, pa
from ._validation import Array, Bools, Ints, as_float, as_in, row_of, short_repr, warn

Kind = Literal["text", "tokens", "ids"]  # each text is a string, a list of tokens or a list of token ids
Rows = Any  # a list, a tuple or `StoredRows`
NameRow = Callable[[int], str]  # index of a row -> its name in errors, such as "predictions[5]"

EXPECTED: dict[Kind, str] = {
    "text": "strings",
    "tokens": "lists of tokens (strings)",
    "ids": "lists of token ids (integers)",
}
IGNORED = -100  # label of positions without a token in PyTorch and transformers
_LIST_TYPES = {list, tuple}
_TOKENS = (str, Integral)  # types of tokens and token ids
_ROWS_AT_ONCE = 1000  # number of rows in memory while stored rows are iterated
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
_WRAP = ". If the prediction has several references, pass references=[references]"


class StoredRows(Sequence[Any]):
    """Rows that become Python values when they are read: lines of a large file, an Arrow column, an array.

    Slices are lists, and cannot have a step.

    >>> list(StoredRows(3, lambda first, last: ["a", "b", "c"][first:last]))
    ['a', 'b', 'c']
    """

    def __init__(self, n_rows: int, read: Callable[[int, int], list[Any]], example: Any = None) -> None:
        """Keep what reads the rows.

        Args:
            n_rows: the number of rows.
            read: ``read(first, last)`` returns the rows `first` to `last - 1`. Several threads may call it at once.
            example: a row such as [[0]] for lists of token ids, which shows the form of the rows if all are empty.
        """
        self._indices, self._read = range(n_rows), read
        self.example: Any = example

    def __len__(self) -> int:
        return len(self._indices)

    def __getitem__(self, index: Any) -> Any:
        """Return a row or, for a slice, a list of rows."""
        rows = self._indices[index]
        if isinstance(rows, int):
            return self._read(rows, rows + 1)[0]
        return self._read(rows.start, rows.stop)

    def __iter__(self) -> Iterator[Any]:
        """Yield each row. Read 1,000 rows at a time, except the first row, which often shows enough."""
        yield from self[:1]
        for first in range(1, len(self), _ROWS_AT_ONCE):
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
    shows_kind: bool = True  # False if all lists are empty, so that their kind is unknown
    names: tuple[str | None, ...] = (None,)  # name of each system; None if there is only one system
    unjoined: Corpus | None = None  # the segments, if the rows are documents

    @property
    def as_given(self) -> Corpus:
        """Return the corpus before segments were joined into documents, because warnings name the user's rows."""
        return self.unjoined or self

    @property
    def predictions(self) -> Rows:
        """Return the predictions of the first system."""
        return self.systems[0]

    @property
    def segments(self) -> int:
        """Return the number of segments."""
        return len(self.references)

    def part(self, first: int, last: int) -> Corpus:
        """Return the segments `first` to `last - 1` as Python lists. The rows are not checked."""
        is_whole = last - first == self.segments
        if is_whole and set(map(type, (self.references, *self.systems))) == {list}:
            return self  # a copy takes 2 µs, which counts for a single pair
        systems = tuple([rows[first:last] for rows in self.systems])
        return self._replace(systems=systems, references=self.references[first:last], first_row=self.first_row + first)

    def checked(self) -> Corpus:
        """Read and check all rows: a copy of lists of strings, tokens or ids, without the missing references.

        Raise ``ValueError`` if a segment has no reference.
        """
        systems = []
        name_row = self.name_rows("predictions")
        for name, predictions in zip(self.names, self.systems, strict=True):
            with naming_system(name):
                systems.append(check_texts(predictions[:], self.kind, name_row))

        name_row = self.name_rows("references")
        lists = _present(self.references[:], self.nested, name_row)
        sizes = list(map(len, lists))
        refuse_rows_without_reference(sizes, name_row)
        texts = iter(check_texts(list(chain.from_iterable(lists)), self.kind, _name_by_list(sizes, name_row)))
        references = [list(islice(texts, size)) for size in sizes]
        return self._replace(systems=tuple(systems), references=references, nested=True)

    def name_rows(self, name: str) -> NameRow:
        """Return a function that names a row in errors: 5 -> "predictions[5]"."""
        return lambda index: row_of(name, self.first_row + index)


def check_same_kind(corpus: Corpus, kind: Kind | None) -> Kind | None:
    """Check that all parts of a stream are of one kind, and return this kind.

    `corpus`: the next part of the stream. `kind`: the kind of the earlier parts, or None if their lists are all empty.
    Raise ``TypeError`` if the kinds differ.
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
    """Put "system 'A': " before the message of an error in the `with` block. If `system` is None, do nothing."""
    try:
        yield
    except (TypeError, ValueError) as error:
        if system is None:
            raise
        raise type(error)(f"system {short_repr(system)}: {error}") from None


def as_corpus(predictions: Any, references: Any, first_row: int = 0) -> Corpus:
    """Check the types and lengths of both containers, and build the corpus. Most rows are checked later.

    `first_row`: index of the first row in error messages; above 0 if other calls passed earlier rows.
    """
    predictions = as_rows(predictions, "predictions", first_row)
    references = as_rows(references, "references", first_row)
    _check_lengths(predictions, references)

    kind, nested = _obvious_kind(predictions, references)
    shows_kind = True
    # If the kind is obvious, the rows need no checks here
    if kind is None:
        kind, nested, shows_kind = _find_kind(predictions, references)
        if kind != "text":
            _refuse_mixed_up(predictions, references, are_flat_tokens=kind == "tokens" and not nested)
    return Corpus((predictions,), references, kind, nested, set(), first_row, shows_kind)


def _check_lengths(predictions: Rows, references: Rows) -> None:
    """Raise ``ValueError`` if the numbers of predictions and references differ or are 0."""
    n_predictions, n_references = len(predictions), len(references)
    if n_predictions != n_references:
        if n_predictions and n_references:
            _refuse_mixed_up(predictions, references)
        numbers = f"{amount(n_predictions, 'prediction')} but {amount(n_references, 'reference')}"
        # Three rows are enough to see a transposed list
        lengths = {len(row) if is_list(row) else None for row in references[:3]}
        are_of_one = n_predictions == 1 and lengths == {None}
        advice = _WRAP if are_of_one else _TRANSPOSE if lengths == {n_predictions} else ""
        hint = _advice_on_outputs(predictions) or advice
        raise ValueError(f"{numbers}; each prediction needs one entry in references{hint}")

    if n_predictions == 0:
        raise ValueError("there are no predictions to score; give at least one prediction with its references")


def _advice_on_outputs(predictions: Rows) -> str:
    """Return advice if the predictions are outputs of a model or of a Trainer; otherwise "".

    >>> _advice_on_outputs((np.zeros((3, 5, 100)), np.zeros((3, 7, 8))))
    '. These are outputs of a model: pass predictions[0].argmax(-1)'
    """
    if hasattr(predictions, "label_ids"):
        return ". These are outputs of a Trainer: pass predictions.predictions"
    if isinstance(predictions, tuple) and getattr(predictions[0], "ndim", 0) == 3:
        return ". These are outputs of a model: pass predictions[0].argmax(-1)"
    return ""


def _obvious_kind(predictions: Rows, references: Rows) -> tuple[Kind | None, bool]:
    """Return the kind of usual rows, and whether their references are nested. This is faster than `_find_kind`.

    The first rows show the kind. The kernel or `Corpus.checked` finds later rows of another kind.

    ["a b"] and ["a c"] -> ("text", False); ["a b"] and [["a c"]] -> ("text", True); other rows -> (None, False).
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


def as_rows(column: Any, name: str, first_row: int = 0) -> Rows:
    """Return the rows of a list, tuple, array, tensor or column; raise ``TypeError`` for anything else.

    `first_row`: index of the first row in error messages.
    """
    if isinstance(column, (list, tuple)):
        return _without_tensors(column)
    if isinstance(column, StoredRows):
        return column
    column = _to_arrow(column)
    is_arrow = type(column).__module__.startswith("pyarrow")  # without importing PyArrow
    if is_arrow and isinstance(column, (pa.Array, pa.ChunkedArray)):
        return _arrow_rows(column, name, first_row)
    if type(column).__module__.startswith("datasets."):
        loaded = column[:] if hasattr(column, "__len__") else list(column)  # a stream has no length
        return as_rows(loaded, name, first_row)

    has_to_numpy = hasattr(column, "to_numpy")
    if (is_arrow and isinstance(column, (pa.Table, pa.RecordBatch))) or (has_to_numpy and np.ndim(column) != 1):
        hint = f", or a list of its rows: {name}.to_numpy().tolist()" if has_to_numpy else ""
        raise TypeError(f"{name} is a table ({type(column).__name__}); give one column of it{hint}")

    array = column.to_numpy() if has_to_numpy else column
    array = as_numpy(array) if is_tensor(array) else array
    if isinstance(array, np.ndarray) and array.ndim > 0:
        return StoredRows(len(array), lambda first, last: list(without_array(array[first:last])))

    if array is None:
        raise TypeError(f"{name} is missing: pass {name}, a list with one entry per segment")
    value = f"a string ({array[:40]!r})" if isinstance(array, str) else type(array).__name__
    advice = _advice_on_container(array, name)
    raise TypeError(f"{name} must be a list, tuple, array or column with one entry per segment, got {value}; {advice}")


def _arrow_rows(column: pa.Array | pa.ChunkedArray, name: str, first_row: int) -> StoredRows:
    """Return the rows of an Arrow column. Reading a string that is not UTF-8 raises ``ValueError``."""

    def read(first: int, last: int) -> list[Any]:
        part = column[first:last]
        try:
            return part.to_pylist()  # type: ignore[no-any-return]
        except UnicodeDecodeError:
            index = first_true(not _is_readable(value) for value in part)
            row = row_of(name, first_row + first + index)
            raise ValueError(f"{row} is not UTF-8; decode the bytes first") from None

    return StoredRows(len(column), read, _example_of(column.type))


def _is_readable(value: pa.Scalar) -> bool:
    """Return whether an Arrow value can be converted to Python: False for a string that is not UTF-8."""
    try:
        value.as_py()
    except UnicodeDecodeError:
        return False
    return True


def _example_of(arrow_type: pa.DataType) -> Any:
    """Return a value of an Arrow type: [""] for a list of strings, [[0]] for a list of lists of integers."""
    if is_list_type(arrow_type):
        return [_example_of(arrow_type.value_type)]
    if pa.types.is_null(arrow_type):
        return None
    return 0 if pa.types.is_integer(arrow_type) else ""


def _without_tensors(rows: Sequence[Any]) -> Sequence[Any]:
    """Convert tensors in the rows to NumPy arrays. If the first row has no tensor, return the rows unchanged."""
    if not rows:
        return rows
    first = rows[0]
    # Most rows are strings, and this check is faster than the checks below
    if type(first) is str:
        return rows

    if is_tensor(first):
        return [as_numpy(row) if is_tensor(row) else row for row in rows]
    # Each row is a list of references
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


def _advice_on_container(column: Any, name: str) -> str:
    """Return advice for a container of a wrong type, such as "try predictions=list(predictions)"."""
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

    [["a"]] and [[["b"]]] -> ("tokens", True, True). If all lists are empty, the kind is unknown: return "tokens".
    """
    is_string, depth = _first_value(predictions, deepest=2)
    is_string_in_references, reference_depth = _first_value(references, deepest=3)
    # If all predictions are empty lists, only references can show the kind
    if is_string is None:
        is_string, depth = is_string_in_references, 2

    kind: Kind = "ids" if is_string is False else "tokens"
    if depth == 1:
        kind = "text"  # if the value is no string, a later check raises the error
    return kind, reference_depth > depth, is_string is not None


def _first_value(rows: Rows, deepest: int) -> tuple[bool | None, int]:
    """Return whether the first value in nested lists is a string, and the depth of the value.

    ["a b"] -> (True, 1); [[5, 6]] -> (False, 2); [[], []] -> (None, `deepest`).
    """
    value, depth = first_leaf(rows, deepest)
    if value is None:
        example = getattr(rows, "example", None)
        value, depth = (None, deepest) if example is None else first_leaf([example], deepest)
    return None if value is None else isinstance(value, str), depth


# --- Swapped arguments, and references that are not tokenized -------------------------------------------------------


def _refuse_mixed_up(predictions: Rows, references: Rows, are_flat_tokens: bool = False) -> None:
    """Raise ``TypeError`` if the references were probably passed first, as in NLTK, or are not split into tokens.

    `are_flat_tokens`: whether the rows are lists of tokens, with one reference per segment.
    """
    prediction, reference = predictions[0], references[0]
    if not is_list(prediction) or not len(prediction) or _advice_on_outputs(predictions):
        return
    has_spaces = any(map(_has_space, prediction))
    if isinstance(reference, str):
        if has_spaces:  # prediction ["a cat", "the cat"] and reference "a cat"
            raise TypeError(_LIST_OF_ONE if len(prediction) == 1 else _SWAPPED)
        if is_list_of(prediction, str) and not _has_space(reference):
            raise TypeError(_SWAPPED_OR_UNSPLIT)
    # Prediction [["a", "cat"], ["the", "cat"]] and reference ["a", "cat"], or the same with token ids
    elif is_list_of(reference, _TOKENS) and is_list_of(prediction[0], _TOKENS):
        raise TypeError(_SWAPPED)
    # Prediction ["a", "cat"] and reference ["a cat", "the cat"]
    elif are_flat_tokens and not has_spaces and is_list_of(reference, str) and all(map(_has_space, reference)):
        raise TypeError(_UNSPLIT)


def _has_space(item: Any) -> bool:
    return isinstance(item, str) and " " in item


def is_list_of(row: Any, types: Any) -> bool:
    """Return whether a row is a list, a tuple or an array of one or more items of one of the types."""
    return is_list(row) and len(row) > 0 and all(isinstance(item, types) for item in row)


# --- Arrow columns --------------------------------------------------------------------------------------------------


def _to_arrow(column: Any) -> Any:
    """Return a column of `datasets` or polars as Arrow data. Return any other value unchanged."""
    # Compare names instead of types, because importing the packages takes long
    package, _, _ = type(column).__module__.partition(".")
    if package == "datasets" and hasattr(column, "source"):
        dataset = column.source
        # The source of a nested field has no format. A dataset with the format "custom" computes its rows
        if hasattr(dataset, "format") and dataset.format["type"] != "custom":
            return dataset.with_format("arrow")[column.column_name][:]
    if package == "polars" and hasattr(column, "dtype"):
        # polars would convert Python objects to their addresses
        consists_of_objects = str(column.dtype) == "Object"
        return column if consists_of_objects else column.to_arrow()
    return column


# --- Rows -> checked lists ------------------------------------------------------------------------------------------


def offsets_of(sizes: Ints | Bools) -> Ints:
    """Return the start of each list if lists of these sizes are concatenated, and then the end of the last list.

    >>> offsets_of(np.array([2, 0, 3]))
    array([0, 2, 2, 5])
    """
    offsets = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def _name_by_list(sizes: Sequence[int], name_row: NameRow) -> NameRow:
    """Return a function that names the row of an item in the concatenated rows. `sizes`: the length of each row.

    >>> _name_by_list([2, 0, 3], "references[{}]".format)(2)
    'references[2]'
    """
    # The item is in the first row that ends after the item
    return lambda index: name_row(bisect_right(list(accumulate(sizes)), index))


def refuse_rows_without_reference(per_row: Sequence[int] | Ints, name_row: NameRow) -> None:
    """Raise ``ValueError`` for the first row without a reference. `per_row`: number of references of each row."""
    if 0 in per_row:
        raise ValueError(f"{name_row(list(per_row).index(0))} has no reference; every segment needs at least one")


def _present(rows: Sequence[Any], nested: bool, name_row: NameRow) -> list[list[Any]]:
    """Return the references of each row, without missing references: [["a", None], None] -> [["a"], []]."""
    if not nested:
        return [[] if is_missing(row) else [row] for row in rows]
    all_present = []
    for index, row in enumerate(rows):
        references = without_array(row)
        if is_missing(references):
            references = []
        if not isinstance(references, (list, tuple)):
            raise _type_error(row, "lists of references", name_row(index), (list, tuple))
        all_present.append([reference for reference in references if not is_missing(reference)])
    return all_present


def check_texts(texts: Sequence[Any], kind: Kind, name_text: NameRow) -> list[Any]:
    """Check a list of texts of one kind, and return them. Lists of tokens and ids are copied."""
    if kind == "text":
        _check_types(texts, (str,), kind, name_text)
        _refuse_surrogates(texts, name_text)
        return list(texts)

    lists = [without_array(text) for text in texts]
    _check_types(lists, (list, tuple), kind, name_text)
    copies = list(map(list, lists))  # another thread may change a list before the next line
    name_token = _name_by_list(list(map(len, copies)), name_text)
    tokens = list(chain.from_iterable(copies))
    if kind == "tokens":
        _check_types(tokens, (str,), kind, name_token)
        _refuse_surrogates(tokens, name_token)
        return copies
    _check_types(tokens, (int, np.integer), kind, name_token)
    for index, number in enumerate(tokens):
        if not 0 <= number < 2**63:
            raise _error_of_id(number, name_token(index))
    return copies if all(type(number) is int for number in tokens) else [list(map(int, ids)) for ids in copies]


def _check_types(items: Sequence[Any], accepted: tuple[type, ...], kind: Kind, name_item: NameRow) -> None:
    """Raise ``TypeError`` for the first item of a wrong type."""
    index = first_of_wrong_type(items, accepted)
    if index is not None:
        raise _type_error(items[index], EXPECTED[kind], name_item(index), accepted)


def _type_error(item: Any, expected: str, row: str, accepted: tuple[type, ...]) -> TypeError:
    return TypeError(f"{row} holds {with_type(item)} where {expected} are expected; {_advice_on_item(item, accepted)}")


def _advice_on_item(item: Any, accepted: tuple[type, ...] = (str,)) -> str:
    """Return advice on what to pass instead of an item of a wrong type.

    >>> _advice_on_item({"text": "a b"})
    "pass one of its values instead, as in item['text']"
    """
    if is_missing(item):
        return "for a missing text, give an empty one" + as_in("'' for a string, or [] for a list")
    if isinstance(item, bytes):
        return f"decode it{as_in('text.decode()')}"
    if isinstance(item, dict):
        text_fields = (name for name, value in item.items() if isinstance(value, str))
        field = next(text_fields, "text")
        return f"pass one of its values instead{as_in(f'item[{short_repr(field)}]')}"
    if isinstance(item, (set, frozenset)) or hasattr(item, "__next__"):  # a set or an iterator
        return "pass a list instead"
    if str in accepted and (isinstance(item, bool) or as_float(item) is not None):
        ids = f"if it is a token id, decode it{as_in('tokenizer.batch_decode')}; " if isinstance(item, int) else ""
        return f"{ids}if it is a text, pass a string{as_in(f'str({short_repr(item)})')}"
    if int in accepted and isinstance(item, str):
        return "decode the token ids with tokenizer.batch_decode, because one score cannot mix them with strings"
    score = item[0] if is_list(item) and len(item) else item  # logits have a list of scores at each position
    if int in accepted and isinstance(score, float):
        return "if these are logits, pass logits.argmax(-1), or preprocess_logits_for_metrics to Trainer"
    if int in accepted and getattr(item, "shape", None) == ():  # a tensor of one number
        return "pass each row as row.tolist()"
    return (
        "all rows must be of one kind: strings, lists of tokens, or lists of token ids; references are one per row, or "
        "a list in every row"
    )


def _refuse_surrogates(strings: Sequence[str], name_string: NameRow) -> None:
    """Raise ``ValueError`` for a lone surrogate."""
    try:
        "".join(strings).encode()
    except UnicodeEncodeError:
        index, error = next((index, error) for index, text in enumerate(strings) if (error := _surrogate_in(text)))
        raise ValueError(
            f"{name_string(index)} is not valid Unicode: {with_type(strings[index])} has a lone surrogate at index "
            f"{error.start}; replace it" + as_in("text.encode('utf-8', 'replace').decode()")
        ) from None


def _surrogate_in(text: str) -> UnicodeEncodeError | None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return error
    return None


def _error_of_id(number: Any, row: str) -> ValueError:
    """Return the error for a negative id, which is usually padding, such as -100, or for a too large one."""
    if number >= 2**63 or number < -(2**63):
        return ValueError(
            f"{row} holds the token id {short_repr(number)}, which does not fit into a signed 64-bit integer"
        )
    name = row.replace("[", " ").partition(" ")[0]
    remedy = f"if it is padding, remove it: bleu_metric.remove_padding({name}, pad_id={number})"
    if number == IGNORED:
        remedy = (
            "to score texts, pass tokenizer.batch_decode(bleu_metric.remove_padding(…), skip_special_tokens=True) "
            "of predictions and references; to score ids, pass bleu_metric.remove_padding(…, "
            "pad_id=tokenizer.all_special_ids) of both"
        )
    return ValueError(f"{row} holds {number}, which is not a token id; {remedy}")


# --- Types of Arrow


def is_list_type(arrow_type: pa.DataType) -> bool:
    """Return whether a type is one of Arrow's five list types."""
    list_types = (pa.ListType, pa.LargeListType, pa.FixedSizeListType, pa.ListViewType, pa.LargeListViewType)
    return isinstance(arrow_type, list_types)


# --- Labels of groups and documents ----------------------------------------------------------------------------------

Label = str | int


def rows_by_group(groups: Any, n_segments: int, name: str = "groups") -> dict[Label, Ints]:
    """Return the row indices of each group, in ascending order. Labels are in order of first occurrence.

    `name`: the argument's name in errors. Raise ``TypeError`` if a label is neither a string nor an integer. Raise
    ``ValueError`` if the number of labels is wrong, an integer does not fit into 64 bits, or a string is not UTF-8.

    >>> rows_by_group(["news", "chat", "news"], 3)
    {'news': array([0, 2]), 'chat': array([1])}
    """
    labels = list(as_rows(groups, name))
    if len(labels) != n_segments:
        numbers = f"{amount(len(labels), 'label')} for {amount(n_segments, 'segment')}"
        raise ValueError(f"{name} has {numbers}: pass one label per segment")
    wrong = first_of_wrong_type(labels, (str, int, np.integer))
    if wrong is not None:
        raise TypeError(
            f"{name}[{wrong}] is {with_type(labels[wrong])}; every segment needs a label that is a string or an integer"
        )

    rows: dict[Any, list[int]] = {}
    for row, label in enumerate(labels):
        # Without this limit, many huge integers could share one hash, which makes a dict slow
        if not isinstance(label, str) and not -(2**63) <= label < 2**63:
            raise ValueError(f"{name}[{row}] is {short_repr(label)}, which does not fit into 64 bits; pass strings")
        rows.setdefault(label, []).append(row)
    if "" in rows:
        number, first = amount(len(rows[""]), "empty label"), row_of("labels", rows[""][0])
        warn(f"{name} has {number}, so segments without a label form a group; the first is {first}")
    twins = [text for label in rows if (text := str(label)) != label and text in rows]
    if twins:
        raise ValueError(f"{name} has the labels {twins[0]} and {twins[0]!r}, which look alike; pass only strings")
    # JSON needs Python's integers instead of NumPy's
    return {label.item() if isinstance(label, np.generic) else label: np.array(own) for label, own in rows.items()}


# --- Documents ------------------------------------------------------------------------------------------------------

TextsOfRows = list[list[Any]]  # one list of texts for each row


def join_documents(corpus: Corpus, documents: Any, keeps_empty: bool = True) -> Corpus:
    """Return a corpus with one row per document, in the order in which the documents' labels first occur.

    The k-th reference of a document joins the k-th references of its segments. Strings are joined with a space, lists
    of tokens are concatenated.

    Args:
        corpus: the segments.
        documents: one label per segment. Segments with the same label belong to the same document.
        keeps_empty: False: leave out empty references.

    Raises:
        TypeError, ValueError: a row or a label is invalid.
        ValueError: the segments of a document have different numbers of references.
    """
    rows_of_documents = rows_by_group(documents, corpus.segments, "documents")
    checked = corpus.checked()
    references = checked.references
    if not keeps_empty:
        references = [[text for text in texts if not is_blank(text)] for texts in references]
    joined_references = []
    for label, rows in rows_of_documents.items():
        n_expected = len(references[rows[0]])
        for row in rows.tolist():
            if len(references[row]) != n_expected:
                raise ValueError(
                    f"{corpus.name_rows('references')(row)} has {amount(len(references[row]), 'reference')}, but the "
                    f"first segment of its document {short_repr(label)} has {n_expected}: the references of a document "
                    "are joined in order, so all its segments need the same number of references"
                )
        joined_references.append(_join_in_order(references, rows, corpus.kind))

    joined_systems = []
    for texts in checked.systems:
        predictions = [[text] for text in texts]
        joined_systems.append(
            [_join_in_order(predictions, rows, corpus.kind)[0] for rows in rows_of_documents.values()]
        )
    if any(map(is_blank, chain(*checked.references, *checked.systems))):
        corpus.findings.add(NO_TOKENS)  # also if no document is empty
    return corpus._replace(
        systems=tuple(joined_systems),
        references=joined_references,
        nested=True,
        first_row=0,  # the rows are documents now
        unjoined=corpus,
    )


def _join_in_order(texts_of_rows: TextsOfRows, rows: Ints, kind: Kind) -> list[Any]:
    """Join the first texts of the rows into one text, then the second texts, and so on. `rows`: indices of rows.

    >>> _join_in_order([["a", "A"], ["b", "B"], ["c", "C"]], np.array([0, 2]), "text")
    ['a c', 'A C']
    """
    texts_by_position = zip(*[texts_of_rows[row] for row in rows.tolist()], strict=True)
    if kind == "text":
        return [" ".join(texts) for texts in texts_by_position]
    return [list(chain.from_iterable(texts)) for texts in texts_by_position]


# --- Helpers for lists and arrays ------------------------------------------------------------------------------------


def first_true(flags: Iterable[object]) -> int:
    """Return the index of the first true flag.

    The caller knows that a flag is true. Raise ``RuntimeError`` if no flag is true, because another thread has changed
    the data.
    """
    # Not `next`, because ``StopIteration`` can silently end a `map`
    for index, flag in enumerate(flags):
        if flag:
            return index
    raise RuntimeError("the data changed during the call: another thread writes to it; pass a copy")


def is_array(value: object) -> bool:
    """Return whether the value is a NumPy array, without importing NumPy for a value that has no dtype."""
    return hasattr(value, "dtype") and isinstance(value, np.ndarray)


def is_list(value: Any) -> bool:
    """Return whether the value is a list, a tuple, or a NumPy array with at least one dimension."""
    return isinstance(value, (list, tuple)) or (is_array(value) and value.ndim > 0)


def as_numpy(tensor: Any) -> Array:
    """Return a tensor as a NumPy array, even if it is on a GPU or part of torch's autograd graph."""
    if hasattr(tensor, "detach"):
        tensor = tensor.detach().cpu()
    return np.asarray(tensor)


_KINDS_OF_TIME = ("m", "M")  # NumPy's `dtype.kind` of timedelta64 and datetime64


def without_array(items: Any) -> Any:
    """Return an array as a list. Return an array of dates, and any other value, unchanged.

    `tolist` can convert dates and periods of time to integers, which look like token ids.
    """
    is_convertible = is_array(items) and items.dtype.kind not in _KINDS_OF_TIME
    return items.tolist() if is_convertible else items


def first_of_wrong_type(items: Any, accepted: tuple[type, ...]) -> int | None:
    """Return the index of the first item whose type is not accepted, or None."""
    # Never accepted, although these types are subclasses of int and np.integer
    never_accepted = (bool, np.timedelta64)
    types = set(map(type, items))
    wrong_types = {kind for kind in types if kind in never_accepted or not issubclass(kind, accepted)}
    if not wrong_types:
        return None
    return first_true(type(item) in wrong_types for item in items)


def with_type(item: Any) -> str:
    """Return an item's value and type for an error: 5 -> "5 (int)"."""
    return f"{short_repr(item)} ({type(item).__name__})"


def first_leaf(rows: Iterable[Any], deepest: int, depth: int = 1) -> tuple[Any, int]:
    """Return the first value in nested lists, and the value's depth, which is 1 in a flat list.

    Skip missing values. A list at the depth `deepest` is a value. If there is no value, return None and the largest
    depth.

    >>> first_leaf([[], ["a"]], 3), first_leaf([[], []], 3)
    (('a', 2), (None, 2))
    """
    largest = depth
    for row in rows:
        if is_missing(row):
            continue
        if not is_list(row) or depth == deepest:
            return row, depth

        leaf, leaf_depth = first_leaf(row, deepest, depth + 1)
        if leaf is not None:
            return leaf, leaf_depth
        largest = max(largest, leaf_depth)
    return None, largest


def is_blank(text: Any) -> bool:
    """Return whether a text is empty, such as "", " " or []."""
    return not (text.strip() if isinstance(text, str) else len(text))


def is_missing(item: Any) -> bool:
    """Return whether the value marks a missing text: None, NaN or `pandas.NA`."""
    if item is None:
        return True
    # The usual types do not need NumPy, which takes long to import
    if type(item) in (str, list, tuple, int):
        return False
    if isinstance(item, (float, np.floating)):
        return math.isnan(item)
    return type(item).__name__ == "NAType"  # the type of `pandas.NA`
