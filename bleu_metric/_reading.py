"""Shared code of the modules that read rows: their result type `Side`, and errors that say which row is invalid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple, TypeVar

from ._lazy import np, pa
from ._validation import Bools, Bytes, Ints, first_true, short_repr

Kind = Literal["text", "tokens", "ids"]  # each text is a string, a list of tokens or a list of token ids
Read = TypeVar("Read")


class Side(NamedTuple):
    """The texts, tokens or token ids of some rows as one flat array. The rows are either predictions or references."""

    values: pa.Array  # one string per text, one string per token, or one int64 per token id
    lengths: Ints  # number of tokens of each text; empty if the texts are strings, which are tokenized later
    per_row: Ints  # number of texts in each row: 1 for predictions, else the number of references


IGNORED = -100  # PyTorch and transformers ignore labels with this value, which marks positions without a token


class Origin(NamedTuple):
    """The rows from which a flat array of items was read. Error messages use it to name the row of an item."""

    name: str  # "predictions" or "references"
    first: int  # index of the first row in error messages
    sizes: tuple[Ints, ...] = ()  # for each flattened level of lists: the number of items in each list
    name_row: Callable[[int], str] | None = None  # index of a row -> its name; None: "predictions[5]" names row 5

    def flattened(self, sizes: Ints) -> Origin:
        """Return the origin of the items in the lists of this origin. `sizes`: number of items in each list."""
        return self._replace(sizes=(*self.sizes, sizes))

    def row(self, index: int) -> str:
        """Return the name of the row from which the item at this index was read.

        If lists of the sizes 2, 0 and 3 are flattened, item 2 is the first item of list 2:

        >>> Origin("references", 100).flattened(np.array([2, 0, 3])).row(2)
        'references[102]'
        """
        for sizes in reversed(self.sizes):  # from the innermost level of lists to the rows
            ends = np.cumsum(sizes)
            # The item is in the first list that ends behind it
            index = int(np.searchsorted(ends, index, side="right"))

        number = self.first + index
        if self.name_row is not None:
            return self.name_row(number)
        return f"{self.name}[{number}]"


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


def slices_of(data: Bytes, starts: Ints, lengths: Ints) -> list[bytes]:
    """Return ``data[start : start + length]`` for each start and length, as `bytes`."""
    raw = data.tobytes()
    ends = starts + lengths
    return [raw[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def count_present(per_row: Ints, present: Bools) -> Ints:
    """Return how many items of each row are present. `per_row`: number of items per row; `present`: one flag per item.

    >>> count_present(np.array([2, 0, 3]), np.array([True, False, True, True, False]))
    array([1, 0, 2])
    """
    present_before = offsets_of(present)  # number of present items before each item
    first_items = offsets_of(per_row)
    return np.diff(present_before.take(first_items))


class TooMuchTextError(ValueError):
    """Raised if rows have too much text to be read at once: an Arrow array of strings holds at most 2 GiB."""


@contextmanager
def limited_text(origin: Origin) -> Iterator[None]:
    """Replace Arrow's errors about arrays of more than 2 GiB with `TooMuchTextError`, which names the first row."""
    try:
        yield
    except (pa.ArrowInvalid, pa.ArrowCapacityError) as error:
        raise TooMuchTextError(
            f"from {origin.row(0)} onwards, there are more than 2 GiB of text; "
            f"the text of one segment must be smaller: {error}"
        ) from error


def read_in_halves(read: Callable[[int, int], Read], first: int, last: int) -> list[Read]:
    """Return ``[read(first, last)]``. If the rows have too much text to be read at once, read each half separately.

    Raise `TooMuchTextError` if a single row has too much text.
    """
    try:
        return [read(first, last)]
    except TooMuchTextError:
        if last - first == 1:  # a single row has no halves
            raise

    middle = (first + last) // 2
    return [*read_in_halves(read, first, middle), *read_in_halves(read, middle, last)]


def is_readable(value: pa.Scalar) -> bool:
    """Return whether an Arrow value can be converted to Python. A string that is not UTF-8 cannot."""
    try:
        value.as_py()
    except UnicodeDecodeError:
        return False
    return True


def utf8_error(values: Iterable[pa.Scalar], origin: Origin) -> ValueError:
    """Return the error for the first string that is not UTF-8."""
    index = first_true(not is_readable(value) for value in values)
    return ValueError(f"{origin.row(index)} is not UTF-8; decode the bytes first")


def as_int64(ids: Sequence[Any], origin: Origin) -> Ints:
    """Return token ids as an array. Raise ``ValueError`` for the first id that does not fit into int64."""
    try:
        return np.fromiter(ids, np.int64, len(ids))
    except OverflowError:
        index = first_true(not -(2**63) <= int(token) < 2**63 for token in ids)
        raise ValueError(
            f"{origin.row(index)} holds the token id {short_repr(ids[index])}, "
            "which does not fit into a signed 64-bit integer"
        ) from None


def refuse_negative_ids(ids: Ints, origin: Origin) -> None:
    """Raise ``ValueError`` for the first negative id, which is usually padding, such as -100."""
    if not len(ids) or ids.min() >= 0:
        return

    index = int(np.argmax(ids < 0))  # index of the first negative id
    number = int(ids[index])
    # `remove_padding` always removes the id IGNORED
    argument = "" if number == IGNORED else f", pad_id={number}"
    raise ValueError(
        f"{origin.row(index)} holds {number}, which is not a token id; if it is padding, remove it: "
        f"bleu_metric.remove_padding({origin.name}{argument})"
    )
