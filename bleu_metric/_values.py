"""The values of options that are numbers: one check each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ._names import as_float, as_int, described, has_length
from ._smoothing import Smoothing

Weights = tuple[float, ...]
HIGHEST = 10_000  # order: counts take two columns for each, and a signature from elsewhere may ask for any number


def checked_weights(weights: Any) -> Weights | tuple[Weights, ...] | None:
    """Make tuples of one list of weights, or of several."""
    if weights is None:
        return None
    ordered = has_length(weights) and hasattr(weights, "__getitem__") and not isinstance(weights, Mapping)
    if isinstance(weights, (str, bytes)) or not ordered:
        raise TypeError(f"weights must be a list of numbers, or a list of such lists, got {described(weights)}")
    if not len(weights):
        raise ValueError("weights is empty; give one weight per order, e.g. weights=[0.25, 0.25, 0.25, 0.25]")
    if any(has_length(weight) and not isinstance(weight, (str, bytes)) for weight in weights):
        return tuple(_checked_list(weight) for weight in weights)
    return _checked_list(weights)


def _checked_list(weights: Any) -> Weights:
    if isinstance(weights, (str, bytes)) or not has_length(weights) or not len(weights):
        raise TypeError(
            f"weights must be a list of numbers, or a list of such lists; one entry is {described(weights)}"
        )
    return tuple(_finite("weights", weight) for weight in weights)


def _finite(option: str, value: Any) -> float:
    number = as_float(value)
    if number is None:
        raise TypeError(f"{option} must be made of numbers, got {described(value)}")
    if not math.isfinite(number):
        raise ValueError(f"{option} must be made of finite numbers, got {described(value)}")
    return number


def checked_order(max_order: Any, weights: Any) -> int:
    """Take the order that is given, or the number of weights, or 4."""
    longest = 4
    if weights is not None:
        longest = max(map(len, weights)) if isinstance(weights[0], tuple) else len(weights)
        if longest > HIGHEST:
            raise ValueError(f"weights has {longest} entries, one per order; the highest order is {HIGHEST}")
    if max_order is None:
        return longest
    order = as_int(max_order)
    if order is None:
        raise TypeError(f"max_order must be a whole number, got {described(max_order)}")
    if not 1 <= order <= HIGHEST:
        raise ValueError(f"max_order must be at least 1 and at most {HIGHEST}, got {described(order)}")
    if weights is not None and order != longest:
        raise ValueError(f"max_order={order}, but the longest list of weights has {longest}; give one of the two")
    return order


def checked_value(value: Any, method: str, smoothing: Smoothing) -> float | None:
    """Take the value that is given, or the smoothing's default."""
    if value is None:
        return smoothing.value
    if smoothing.value is None:
        raise ValueError(f"smoothing={method!r} takes no smoothing_value, got {described(value)}")
    number = _finite("smoothing_value", value)
    if number < 0 or (number == 0 and smoothing.positive):
        raise ValueError(
            f"smoothing_value of {method!r} must be {'above' if smoothing.positive else 'at least'} 0, got "
            f"{described(value)}"
        )
    return number
