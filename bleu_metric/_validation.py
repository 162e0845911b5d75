"""Check values that callers pass, such as names and numbers. An error names the wrong value and the accepted values."""

from __future__ import annotations

import difflib
import math
import operator
import re
import reprlib
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ._lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Ints = NDArray[np.int64]
    UInts = NDArray[np.uint64]
    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]
    Bytes = NDArray[np.uint8]
else:  # without NumPy, which is imported only when it is needed
    Array = Ints = UInts = Floats = Bools = Bytes = Any


Progress = Callable[[int, int], object]  # called with (number of finished steps, number of all steps)

_MOST_BITS = 200  # messages show only the size of larger integers, because Python cannot print very large ones


class _Short(reprlib.Repr):
    """A short `repr`, of a few dozen characters, for any value, even if it is very large or its own `repr` fails."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxstring = 60
        self.maxother = 60
        self.maxlong = 70

    def repr_int(self, x: int, level: int) -> str:
        """Return the digits of an integer, or its number of bits if it is very large."""
        return super().repr_int(x, level) if x.bit_length() <= _MOST_BITS else f"<int of {x.bit_length()} bits>"


short_repr = _Short().repr


_PACKAGE = __name__.rpartition(".")[0]  # "bleu_metric"; the copy that `evaluate.load` makes has another name


def warn(message: str, *others: str) -> None:
    """Issue a ``UserWarning`` that points to the line of the user's code.

    `others`: names of other packages through which the user's code may have called this one.
    """
    beginnings = tuple([f"{package}." for package in (_PACKAGE, *others)])
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and f"{frame.f_globals.get('__name__', '')}.".startswith(beginnings):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, stacklevel=level)


def as_int(value: object) -> int | None:
    """Return an integer of any type as an int. Return None for all other values, and for Booleans."""
    if type(value) is int:  # the usual case, which does not import NumPy
        return value
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def as_float(value: object) -> float | None:
    """Return a number of any type as a float, or as infinity if it is too large.

    Return None for all other values, and for Booleans.
    """
    if type(value) is float:
        return value
    # Values of these types are rejected, although most of them have a `__float__`
    others = (np.bool_, np.flexible, np.complexfloating, np.datetime64, np.timedelta64)
    if isinstance(value, (bool, str, bytes, *others)) or hasattr(value, "mask") or not hasattr(value, "__float__"):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return None


def first_true(flags: Iterable[object]) -> int:
    """Return the index of the first true flag. The caller has already found that a flag is true.

    If no flag is true, another thread has changed the data since then: raise ``RuntimeError``. `next` is not used,
    because it would raise ``StopIteration``, which can silently end a `map`.
    """
    for index, flag in enumerate(flags):
        if flag:
            return index
    raise RuntimeError("the data changed during the call: another thread writes to it; pass a copy")


def has_length(value: object) -> bool:
    """Return whether the value has a length. A NumPy array without dimensions has none."""
    return hasattr(value, "__len__") and not isinstance(value, type) and getattr(value, "shape", True) != ()


def is_index(value: object) -> bool:
    """Return whether the value is an array of indices or flags (Booleans), or a list of them."""
    if isinstance(value, list) and all(isinstance(item, (int, np.integer)) for item in value):
        return True
    return isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iub"


def _may_be_meant(typed: str, name: str) -> bool:
    """Return whether a name may be suggested. Its digits, if any, must be those of `typed`, such as 7 in "method7"."""
    digits = re.findall(r"\d", name)
    return not digits or digits == re.findall(r"\d", typed)


def unknown_message(what: str, value: object, accepted: Iterable[object], known_hint: str = "") -> str:
    """Return the message for an unknown name. It contains `known_hint` or, if that is empty, the nearest name.

    >>> unknown_message("dialect", "nlkt", ["sacrebleu", "nltk"])
    "unknown dialect 'nlkt' (did you mean 'nltk'?); accepted: 'sacrebleu', 'nltk'"
    """
    names = list(accepted)
    shown = short_repr(value)
    wanted = value[:100] if isinstance(value, str) else shown
    lowered = {name.lower(): name for name in names if isinstance(name, str)}
    near = difflib.get_close_matches(wanted.lower(), filter(partial(_may_be_meant, wanted), lowered), 1)
    hint = f" (did you mean {lowered[near[0]]!r}?)" if near and not known_hint else ""
    return f"unknown {what} {shown}{hint}; {known_hint}accepted: {', '.join(map(repr, names))}"


Weights = tuple[float, ...]
HIGHEST_ORDER = 10_000  # limits tables, which have two columns per order, because a file may claim any order


def check_weights(weights: Any) -> Weights | tuple[Weights, ...] | None:
    """Check one list of weights or a list of such lists, and return it as a tuple or a tuple of tuples."""
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
        raise TypeError(f"{option} accepts only numbers, got {short_repr(value)}")
    if not math.isfinite(number):
        raise ValueError(f"{option} accepts only finite numbers, got {short_repr(value)}")
    return number


def check_order(max_order: Any, weights: Any) -> int:
    """Check `max_order` and return it. If it is None, return the length of the longest list of weights, or 4."""
    longest = 4
    if weights is not None:
        longest = max(map(len, weights)) if isinstance(weights[0], tuple) else len(weights)
        if longest > HIGHEST_ORDER:
            raise ValueError(f"weights has {longest} numbers, one per order, but the highest order is {HIGHEST_ORDER}")
    if max_order is None:
        return longest
    order = as_int(max_order)
    if order is None:
        raise TypeError(f"max_order must be an integer, got {short_repr(max_order)}")
    if not 1 <= order <= HIGHEST_ORDER:
        raise ValueError(f"max_order must be at least 1 and at most {HIGHEST_ORDER}, got {short_repr(order)}")
    if weights is not None and order != longest:
        raise ValueError(f"max_order={order}, but the longest list of weights has {longest} numbers; pass only weights")
    return order


def check_type(name: str, value: object, accepted: type | tuple[type, ...], expected: str) -> None:
    """Raise ``TypeError`` if the value is not of an accepted type. `expected` names these types: "a string"."""
    if not isinstance(value, accepted):
        raise TypeError(f"{name} must be {expected}, got {short_repr(value)} ({type(value).__name__})")


def check_methods(name: str, value: object, methods: Iterable[str], expected: str) -> None:
    """Raise ``TypeError`` if the object lacks one of the methods. `expected`: what is accepted, for the message."""
    if not all(hasattr(value, method) for method in methods):
        raise TypeError(f"{name} must be {expected}, got {type(value).__name__}")


_MOST_TRIALS = 10**9  # more resamples or swaps would take days


def check_count(name: str, value: object, least: int, most: int = _MOST_TRIALS) -> int:
    """Check an integer and return it. Raise ``TypeError`` for other types, and ``ValueError`` outside the limits."""
    number = as_int(value)
    if number is None:
        raise TypeError(f"{name} must be an integer, got {short_repr(value)}")
    if number < least:
        raise ValueError(f"{name} must be at least {least}, got {short_repr(value)}")
    if number > most:
        raise ValueError(f"{name} must be at most {most}, got {short_repr(value)}")
    return number


def check_seed(seed: object) -> int:
    """Check that a seed is an integer from 0 to 2**256, and return it. The limit keeps signatures short."""
    return check_count("seed", seed, 0, 2**256)


def check_probability(confidence: object) -> float:
    """Check a number above 0 and below 1 and return it. Raise ``TypeError`` or ``ValueError`` for other values."""
    number = as_float(confidence)
    if number is None:
        raise TypeError(f"confidence must be a number between 0 and 1, got {short_repr(confidence)}")
    if not 0 < number < 1:
        raise ValueError(
            f"confidence must be above 0 and below 1, got {short_repr(confidence)}; for 95 %, pass confidence=0.95"
        )
    return number


def is_array(value: object) -> bool:
    """Return whether the value is a NumPy array, without importing NumPy for a value that has no dtype."""
    return hasattr(value, "dtype") and isinstance(value, np.ndarray)


def is_list(value: Any) -> bool:
    """Return whether the value is a list, a tuple, or a NumPy array with at least one dimension."""
    return isinstance(value, (list, tuple)) or (is_array(value) and value.ndim > 0)


def first_leaf(rows: Iterable[Any], deepest: int, depth: int = 1) -> tuple[Any, int]:
    """Return the first value in nested lists that is neither a list nor missing, and its depth: 1 in a flat list.

    A list at the depth `deepest` counts as a value. If there is no value, return None and the largest depth.

    >>> first_leaf([[], ["a"]], 3), first_leaf([[], []], 3)
    (('a', 2), (None, 2))
    """
    largest = depth
    for row in rows:
        if is_missing(row):
            continue
        if not is_list(row) or depth == deepest:
            return row, depth
        leaf, found = first_leaf(row, deepest, depth + 1)
        if leaf is not None:
            return leaf, found
        largest = max(largest, found)
    return None, largest


def is_missing(item: Any) -> bool:
    """Return whether the value marks a missing text: None, NaN or `pandas.NA`."""
    if item is None or type(item) in (str, list, tuple, int):
        return item is None
    return (isinstance(item, (float, np.floating)) and math.isnan(item)) or type(item).__name__ == "NAType"
