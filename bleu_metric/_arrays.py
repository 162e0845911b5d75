"""Names for the types of the arrays that modules pass to each other; what other libraries have in place of ours."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
UInts = NDArray[np.uint64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]


def is_tensor(value: object) -> bool:
    """Whether the value is another library's array with at least one dimension: a tensor, a pandas Series.

    A table, as a DataFrame, is not: its columns have names.
    """
    if not hasattr(value, "__array__") or isinstance(value, (np.ndarray, np.generic)):
        return False
    return bool(getattr(value, "ndim", 0)) and hasattr(value, "__len__") and not hasattr(value, "columns")


def as_numpy(tensor: Any) -> NDArray[Any]:
    """Give a tensor as an array; one of torch may be on another device, or part of a graph."""
    return np.asarray(tensor.detach().cpu() if hasattr(tensor, "detach") else tensor)


FLOATS = (float, np.floating)


def is_missing(item: Any) -> bool:
    """Whether it stands for a text that is not there: None, or what pandas has in its place, NaN or NA."""
    return item is None or (isinstance(item, FLOATS) and math.isnan(item)) or type(item).__name__ == "NAType"
