"""What errors say of values: any value in a few words; of a name that does not exist, what it was near to."""

from __future__ import annotations

import difflib
import math
import operator
import reprlib
from collections.abc import Iterable

import numpy as np

_MOST_BITS = 200  # of a whole number that is written out: Python refuses to write more than 4300 digits
# What has a `__float__` all the same
_NO_NUMBERS = (bool, np.bool_, str, bytes, np.flexible, np.complexfloating, np.datetime64, np.timedelta64)


class _Short(reprlib.Repr):
    """Shows any value in a few dozen characters, however large, deep, or broken it is."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxstring, self.maxother, self.maxlong = 3, 60, 60, 70

    def repr_int(self, x: int, level: int) -> str:
        """Write a number, or say how large it is."""
        return super().repr_int(x, level) if x.bit_length() <= _MOST_BITS else f"<int of {x.bit_length()} bits>"


described = _Short().repr


def as_int(value: object) -> int | None:
    """Read a whole number of any kind; None for anything else, flags among them."""
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def as_float(value: object) -> float | None:
    """Read a number of any kind, infinite where it is too large; None for anything else, flags among them."""
    if isinstance(value, _NO_NUMBERS) or hasattr(value, "mask") or not hasattr(value, "__float__"):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return None


def has_length(value: object) -> bool:
    """Whether it is made of several values; the NumPy array of a single one is not."""
    return hasattr(value, "__len__") and not isinstance(value, type) and getattr(value, "shape", True) != ()


def is_index(value: object) -> bool:
    """Whether it is an array, or a list, of indices or flags."""
    if isinstance(value, list) and all(isinstance(one, (int, np.integer)) for one in value):
        return True
    return isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iub"


def unknown(what: str, value: object, accepted: Iterable[object]) -> str:
    """Say it: ``unknown dialect 'nlkt' (did you mean 'nltk'?); accepted: 'default', 'nltk', …``."""
    names = list(accepted)
    shown = described(value)
    near = difflib.get_close_matches(
        value[:100] if isinstance(value, str) else shown, [name for name in names if isinstance(name, str)], 1
    )
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"unknown {what} {shown}{hint}; accepted: {', '.join(repr(name) for name in names)}"
