"""Scores that are computed in two ways, one of them in arrays, are equal but for their last bits."""

from __future__ import annotations

from typing import Any

import numpy as np


def assert_same_scores(found: Any, expected: Any, tolerance: float) -> None:
    """Scores are equal but for the last bits of their logarithms, whose rounding grows with them."""
    np.testing.assert_array_equal(found == 0, expected == 0)
    logarithms = np.log(np.where(expected == 0, 1.0, expected))
    bounds = tolerance * np.maximum(1, np.abs(logarithms)) * expected
    assert (np.abs(found - expected) <= bounds).all(), (found, expected)
