"""Labels of segments -> numbers: which document, system or domain each segment is of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._names import described

Ints = NDArray[np.int64]
Label = str | int


def number_labels(groups: Any, segments: int) -> tuple[list[Label], Ints]:
    """Number the labels in order of first appearance.

    Returns the labels, and for each of the segments the number of its label. Raises ``TypeError`` for anything but one
    string or whole number per segment, and ``ValueError`` for another number of them.

    >>> number_labels(["news", "chat", "news"], 3)
    (['news', 'chat'], array([0, 1, 0]))
    """
    labels = _as_list(groups)
    if len(labels) != segments:
        raise ValueError(f"{len(labels)} groups but {segments} segments; groups needs one label per segment")
    kinds = set(map(type, labels))
    for kind in kinds:
        if not issubclass(kind, (str, int, np.integer)) or kind is bool:
            row = next(row for row, label in enumerate(labels) if type(label) is kind)
            raise TypeError(
                f"groups[{row}] is {described(labels[row])} ({kind.__name__}); every segment needs a label that is a "
                "string or a whole number"
            )
    if not all(issubclass(kind, str) for kind in kinds):
        _refuse_huge(labels, not any(issubclass(kind, str) for kind in kinds))
    numbers: dict[Label, int] = {}
    codes = np.fromiter((numbers.setdefault(label, len(numbers)) for label in labels), np.int64, segments)
    return [label.item() if isinstance(label, np.generic) else label for label in numbers], codes  # json has no NumPy


def _as_list(groups: Any) -> Sequence[Any]:
    if isinstance(groups, (list, tuple)):
        return groups
    if isinstance(groups, (pa.Array, pa.ChunkedArray)):
        labels: list[Any] = groups.to_pylist()
        return labels
    if type(groups).__module__.startswith("datasets."):
        return list(groups[:])
    if isinstance(groups, np.ndarray) and groups.dtype.kind in "mM":  # whose list may be of whole numbers
        raise TypeError(f"groups are {groups.dtype}; every segment needs a label that is a string or a whole number")
    if hasattr(groups, "tolist") and getattr(groups, "ndim", 0) == 1:  # NumPy, pandas
        return list(groups.tolist())
    raise TypeError(
        f"groups must be a list, array or column with one label per segment, got {type(groups).__name__} "
        f"({described(groups)})"
    )


def _refuse_huge(labels: Sequence[Any], are_numbers: bool) -> None:
    """Numbers of more than 64 bits can be chosen so that all hash alike, and a dict of them takes forever."""
    numbers = labels if are_numbers else [label for label in labels if not isinstance(label, str)]
    for extreme in (min(numbers), max(numbers)):
        if not -(2**63) <= extreme < 2**63:
            row = next(row for row, label in enumerate(labels) if label is extreme)
            raise ValueError(f"groups[{row}] is {described(extreme)}, which does not fit into 64 bits; use strings")
