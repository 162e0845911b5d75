"""Read and check the labels that assign segments to groups, one label per segment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._display import amount
from ._lazy import np, pa
from ._texts import utf8_error
from ._validation import Ints, as_numpy, first_of_wrong_type, short_repr, with_type, without_array

Label = str | int


def factorize_labels(groups: Any, n_segments: int, name: str = "groups") -> tuple[list[Label], Ints]:
    """Return the distinct labels in order of first occurrence, and for each segment the index of its label.

    `name`: the argument, for messages. Raise ``TypeError`` if a label is neither a string nor an integer. Raise
    ``ValueError`` if the number of labels differs from the number of segments, if an integer does not fit into 64 bits,
    or if a string is not UTF-8.

    >>> factorize_labels(["news", "chat", "news"], 3)
    (['news', 'chat'], array([0, 1, 0]))
    """
    labels = _as_list(groups, name)
    _check_labels(labels, n_segments, name)

    distinct = dict.fromkeys(labels)  # keeps the order, unlike a set
    index_of = {label: index for index, label in enumerate(distinct)}
    label_indices = np.array([index_of[label] for label in labels], np.int64)

    # NumPy's integers become Python's, because JSON needs these
    plain = [label.item() if isinstance(label, np.generic) else label for label in distinct]
    return plain, label_indices


def _as_list(groups: Any, name: str) -> Sequence[Any]:
    """Return the labels of a list, array or column; raise ``TypeError`` for anything else."""
    if isinstance(groups, (list, tuple)):
        return groups
    if isinstance(groups, (pa.Array, pa.ChunkedArray)):
        try:
            return list(groups.to_pylist())
        except UnicodeDecodeError:
            raise utf8_error(groups, lambda row: f"{name}[{row}]") from None
    if type(groups).__module__.startswith("datasets."):  # a column of the library `datasets`
        return list(groups[:])

    array = as_numpy(groups)
    if array.ndim != 1:
        raise TypeError(
            f"{name} must be a list, array or column with one label per segment, got {type(groups).__name__} "
            f"({short_repr(groups)})"
        )
    labels: Sequence[Any] = without_array(array)
    return labels


def _check_labels(labels: Sequence[Any], n_segments: int, name: str) -> None:
    """Check the labels, and raise the errors that `factorize_labels` documents."""
    if len(labels) != n_segments:
        numbers = f"{amount(len(labels), 'label')} for {amount(n_segments, 'segment')}"
        raise ValueError(f"{name} has {numbers}: pass one label per segment")

    row = first_of_wrong_type(labels, (str, int, np.integer))
    if row is not None:
        raise TypeError(
            f"{name}[{row}] is {with_type(labels[row])}; every segment needs a label that is a string or an integer"
        )

    # Without this limit, many huge integers could share one hash, which makes a dict slow
    for row, label in enumerate(labels):
        fits = isinstance(label, str) or -(2**63) <= label < 2**63
        if not fits:
            raise ValueError(f"{name}[{row}] is {short_repr(label)}, which does not fit into 64 bits; pass strings")


def rows_by_group(groups: Any, n_segments: int, name: str = "groups") -> dict[Label, Ints]:
    """Return the row indices of each group, in ascending order. The arguments are those of `factorize_labels`.

    >>> rows_by_group(["news", "chat", "news"], 3)
    {'news': array([0, 2]), 'chat': array([1])}
    """
    labels, label_indices = factorize_labels(groups, n_segments, name)
    # The rows of the first label, then those of the second, …
    grouped_rows = np.argsort(label_indices, kind="stable")
    ends = np.cumsum(np.bincount(label_indices))
    rows_of_groups = np.split(grouped_rows, ends[:-1])  # needs no end of the last group
    # Not strict: without labels, `np.split` still returns one array
    return dict(zip(labels, rows_of_groups, strict=False))
