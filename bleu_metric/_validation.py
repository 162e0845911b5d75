"""Checks of names, numbers and labels that a caller passes; an error says what came and what is accepted."""

from __future__ import annotations

import difflib
import math
import operator
import reprlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
UInts = NDArray[np.uint64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Progress = Callable[[int, int], object]  # called with the steps that are done and the number of all steps

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


def first_true(flags: Iterable[object]) -> int:
    """Return the index of the first true flag; `flags`: of data in which something wrong was just found.

    Raises ``RuntimeError`` if nothing is wrong any more. `next` would raise ``StopIteration``, which ends a generator.
    """
    for index, flag in enumerate(flags):
        if flag:
            return index
    raise RuntimeError("the data changed during the call: another thread writes to it; pass a copy")


def has_length(value: object) -> bool:
    """Return whether the value has items; a NumPy array without dimensions has none."""
    return hasattr(value, "__len__") and not isinstance(value, type) and getattr(value, "shape", True) != ()


def is_index(value: object) -> bool:
    """Return whether the value is an array or a list of indices or flags."""
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
    """Convert one list of weights, or several, to tuples."""
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
    """Return the order that is given, or the number of weights, or 4."""
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


def check_type(name: str, value: object, accepted: type | tuple[type, ...], expected: str) -> None:
    """Raise ``TypeError`` for a value of another type; `expected`: the accepted types in words, with an article."""
    if not isinstance(value, accepted):
        raise TypeError(f"{name} must be {expected}, got {short_repr(value)} ({type(value).__name__})")


def check_methods(name: str, value: object, methods: Iterable[str], expected: str) -> None:
    """Raise ``TypeError`` for an object without the methods that are called; `expected`: what it must be, in words."""
    if not all(hasattr(value, method) for method in methods):
        raise TypeError(f"{name} must be {expected}, got {type(value).__name__}")


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


def is_tensor(value: object) -> bool:
    """Return whether the value is another library's array with at least one dimension: a tensor, a pandas Series.

    A table, as a DataFrame, is not: its columns have names.
    """
    if not hasattr(value, "__array__") or isinstance(value, (np.ndarray, np.generic)):
        return False
    return bool(getattr(value, "ndim", 0)) and hasattr(value, "__len__") and not hasattr(value, "columns")


def as_numpy(tensor: Any) -> NDArray[Any]:
    """Return a tensor as an array. A tensor of torch may be on another device, or part of a graph."""
    return np.asarray(tensor.detach().cpu() if hasattr(tensor, "detach") else tensor)


FLOATS = (float, np.floating)


def is_missing(item: Any) -> bool:
    """Return whether the value stands for a missing text: None, or pandas' NaN or NA."""
    return item is None or (isinstance(item, FLOATS) and math.isnan(item)) or type(item).__name__ == "NAType"
