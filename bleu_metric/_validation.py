"""Checks of names, numbers and labels that a caller passes; an error says what came and what is accepted."""

from __future__ import annotations

import difflib
import math
import operator
import os
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ._arrays import Ints

_MOST_BITS = 200  # of a whole number that is written out: Python refuses to write more than 4300 digits
# These have a `__float__`, but are not numbers here
_NOT_NUMBERS = (bool, np.bool_, str, bytes, np.flexible, np.complexfloating, np.datetime64, np.timedelta64)


class _Short(reprlib.Repr):
    """Shows any value in a few dozen characters, however large, deep, or broken it is."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxstring = 60
        self.maxother = 60
        self.maxlong = 70

    def repr_int(self, x: int, level: int) -> str:
        """Write a number, or say how large it is."""
        return super().repr_int(x, level) if x.bit_length() <= _MOST_BITS else f"<int of {x.bit_length()} bits>"


short_repr = _Short().repr


def as_int(value: object) -> int | None:
    """Read a whole number of any type; None for anything else, such as a flag."""
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def as_float(value: object) -> float | None:
    """Read a number of any type, infinite if it is too large; None for anything else, such as a flag."""
    if isinstance(value, _NOT_NUMBERS) or hasattr(value, "mask") or not hasattr(value, "__float__"):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return None


def has_length(value: object) -> bool:
    """Whether the value has items; a NumPy array without dimensions has none."""
    return hasattr(value, "__len__") and not isinstance(value, type) and getattr(value, "shape", True) != ()


def is_index(value: object) -> bool:
    """Whether the value is an array, or a list, of indices or flags."""
    if isinstance(value, list) and all(isinstance(item, (int, np.integer)) for item in value):
        return True
    return isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iub"


def unknown_message(what: str, value: object, accepted: Iterable[object], known_hint: str = "") -> str:
    """Describe a name that is not accepted, and suggest the nearest one that is, unless a better hint is known.

    >>> unknown_message("dialect", "nlkt", ["default", "nltk"])
    "unknown dialect 'nlkt' (did you mean 'nltk'?); accepted: 'default', 'nltk'"
    """
    names = list(accepted)
    shown = short_repr(value)
    wanted = value[:100] if isinstance(value, str) else shown
    lowered = {name.lower(): name for name in names if isinstance(name, str)}
    near = difflib.get_close_matches(wanted.lower(), lowered, 1)
    hint = f" (did you mean {lowered[near[0]]!r}?)" if near and not known_hint else ""
    return f"unknown {what} {shown}{hint}; {known_hint}accepted: {', '.join(map(repr, names))}"


Weights = tuple[float, ...]
HIGHEST_ORDER = 10_000  # counts take two columns for each order, and a signature in a file may ask for any number


def check_weights(weights: Any) -> Weights | tuple[Weights, ...] | None:
    """Make tuples of one list of weights, or of several."""
    if weights is None:
        return None
    is_sequence = has_length(weights) and hasattr(weights, "__getitem__") and not isinstance(weights, Mapping)
    if isinstance(weights, (str, bytes)) or not is_sequence:
        raise TypeError(f"weights must be a list of numbers, or a list of such lists, got {short_repr(weights)}")
    if not len(weights):
        raise ValueError("weights is empty; give one weight per order, e.g. weights=[0.25, 0.25, 0.25, 0.25]")
    if any(has_length(weight) and not isinstance(weight, (str, bytes)) for weight in weights):
        return tuple(_check_weight_list(weight) for weight in weights)
    return _check_weight_list(weights)


def _check_weight_list(weights: Any) -> Weights:
    if isinstance(weights, (str, bytes)) or not has_length(weights) or not len(weights):
        raise TypeError(
            f"weights must be a list of numbers, or a list of such lists; one entry is {short_repr(weights)}"
        )
    return tuple(check_finite("weights", weight) for weight in weights)


def check_finite(option: str, value: Any) -> float:
    number = as_float(value)
    if number is None:
        raise TypeError(f"{option} must be made of numbers, got {short_repr(value)}")
    if not math.isfinite(number):
        raise ValueError(f"{option} must be made of finite numbers, got {short_repr(value)}")
    return number


def check_order(max_order: Any, weights: Any) -> int:
    """Take the order that is given, or the number of weights, or 4."""
    longest = 4
    if weights is not None:
        longest = max(map(len, weights)) if isinstance(weights[0], tuple) else len(weights)
        if longest > HIGHEST_ORDER:
            raise ValueError(f"weights has {longest} entries, one per order; the highest order is {HIGHEST_ORDER}")
    if max_order is None:
        return longest
    order = as_int(max_order)
    if order is None:
        raise TypeError(f"max_order must be a whole number, got {short_repr(max_order)}")
    if not 1 <= order <= HIGHEST_ORDER:
        raise ValueError(f"max_order must be at least 1 and at most {HIGHEST_ORDER}, got {short_repr(order)}")
    if weights is not None and order != longest:
        raise ValueError(f"max_order={order}, but the longest list of weights has {longest}; give one of the two")
    return order


_MOST_TRIALS = 10**9  # they take days


def check_count(name: str, value: object, least: int, most: int = _MOST_TRIALS) -> int:
    """Read a whole number; raise if it is something else, or too small or too large."""
    number = as_int(value)
    if number is None:
        raise TypeError(f"{name} must be a whole number, got {short_repr(value)}")
    if number < least:
        raise ValueError(f"{name} must be at least {least}, got {short_repr(value)}")
    if number > most:
        raise ValueError(f"{name} must be at most {most}, got {short_repr(value)}")
    return number


def check_seed(seed: object) -> int:
    """Read a seed, which may be any whole number that a signature can hold."""
    return check_count("seed", seed, 0, 2**256)


def check_probability(confidence: object) -> float:
    """Read a number between 0 and 1, without the ends; raise if it is something else."""
    number = as_float(confidence)
    if number is None:
        raise TypeError(f"confidence must be a number between 0 and 1, got {short_repr(confidence)}")
    if not 0 < number < 1:
        raise ValueError(
            f"confidence must be above 0 and below 1, got {short_repr(confidence)}; 95 % is confidence=0.95"
        )
    return number


Label = str | int


def factorize_labels(groups: Any, segments: int) -> tuple[list[Label], Ints]:
    """Number the labels in order of first appearance.

    Returns the labels, and for each of the segments the number of its label. Raises ``TypeError`` for anything but one
    string or whole number per segment, and ``ValueError`` if there are more or fewer labels than segments.

    >>> factorize_labels(["news", "chat", "news"], 3)
    (['news', 'chat'], array([0, 1, 0]))
    """
    labels = _as_list(groups)
    if len(labels) != segments:
        raise ValueError(f"{len(labels)} groups but {segments} segments; groups needs one label per segment")
    types = set(map(type, labels))
    for label_type in types:
        if not _is_label_type(label_type):
            row = next(row for row, label in enumerate(labels) if type(label) is label_type)
            raise TypeError(
                f"groups[{row}] is {short_repr(labels[row])} ({label_type.__name__}); every segment needs a label that "
                "is a string or a whole number"
            )
    if not all(issubclass(label_type, str) for label_type in types):
        _refuse_huge_numbers(labels)
    numbers: dict[Label, int] = {}
    codes = np.fromiter((numbers.setdefault(label, len(numbers)) for label in labels), np.int64, segments)
    names = [label.item() if isinstance(label, np.generic) else label for label in numbers]  # JSON writes no NumPy
    return names, codes


def _is_label_type(label_type: type) -> bool:
    """Whether it is a string or a whole number: to Python and NumPy, flags and periods of time are whole numbers."""
    is_flag_or_period = issubclass(label_type, (bool, np.timedelta64))
    return issubclass(label_type, (str, int, np.integer)) and not is_flag_or_period


def _as_list(groups: Any) -> Sequence[Any]:
    if isinstance(groups, (list, tuple)):
        return groups
    if isinstance(groups, (pa.Array, pa.ChunkedArray)):
        return _arrow_labels(groups)
    if type(groups).__module__.startswith("datasets."):
        return list(groups[:])
    if isinstance(groups, np.ndarray) and groups.dtype.kind in "mM":  # its list may be of whole numbers
        raise TypeError(f"groups are {groups.dtype}; every segment needs a label that is a string or a whole number")
    if hasattr(groups, "tolist") and getattr(groups, "ndim", 0) == 1:  # NumPy, pandas
        return list(groups.tolist())
    raise TypeError(
        f"groups must be a list, array or column with one label per segment, got {type(groups).__name__} "
        f"({short_repr(groups)})"
    )


def _arrow_labels(groups: pa.Array | pa.ChunkedArray) -> list[Any]:
    try:
        labels: list[Any] = groups.to_pylist()
    except UnicodeDecodeError:
        row = next(row for row, label in enumerate(groups) if not _is_readable(label))
        raise ValueError(f"groups[{row}] is not UTF-8; decode the bytes first") from None
    return labels


def _is_readable(label: pa.Scalar) -> bool:
    try:
        label.as_py()
    except UnicodeDecodeError:
        return False
    return True


def _refuse_huge_numbers(labels: Sequence[Any]) -> None:
    """Raise for numbers of more than 64 bits: they can be chosen so that all hash alike, and a dict takes forever."""
    numbers = [label for label in labels if not isinstance(label, str)]
    for extreme in (min(numbers), max(numbers)):
        if not -(2**63) <= extreme < 2**63:
            row = next(row for row, label in enumerate(labels) if label is extreme)
            raise ValueError(f"groups[{row}] is {short_repr(extreme)}, which does not fit into 64 bits; use strings")


def thread_count() -> int:
    """How many threads count: all processors this process may use, or what BLEU_METRIC_THREADS says."""
    text = os.environ.get("BLEU_METRIC_THREADS", "")
    if not text:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    is_number = text.isascii() and text.isdigit() and len(text) < 20  # Python reads no more than 4300 digits
    if not is_number or int(text) == 0:
        raise ValueError(
            f"the environment variable BLEU_METRIC_THREADS must be a whole number >= 1, got {short_repr(text)}"
        )
    return int(text)
