"""Compute the horizontal axis on which a report draws points and intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

from ..comparison.result import Comparison

_MARGIN = 0.06  # width of the margin at each end, as a share of the range of values
_MOST_STEPS = 3  # maximum number of steps across the range of values
# Possible distances between labels: 1e-6, 2e-6, 5e-6, 1e-5, …, 1, 2, 5
_STEPS = [digit * 10.0**power for power, digit in product(range(-6, 1), (1, 2, 5))]
_LEAST_RANGE = 1e-4  # minimum range of values


class Axis(NamedTuple):
    """A horizontal axis. Values are on a scale of 0 to 1, and labels are in percent."""

    low: float
    high: float
    step: float
    """The distance between two labels."""

    @classmethod
    def of(cls, comparisons: Iterable[Comparison], are_differences: bool = False) -> Axis:
        """Build an axis wide enough for the intervals of the scores, or of the differences from the baseline.

        >>> from bleu_metric import paired_bootstrap, system_statistics
        >>> counted = system_statistics({"A": ["a b", "a c"], "B": ["a b", "a b"]}, ["a b", "a b"], max_order=1)
        >>> axis = Axis.of([paired_bootstrap(counted)])
        >>> [axis.label(tick) for tick in axis.ticks], axis.position(0.75), axis.width(0.5, 0.75)
        (['60', '80', '100'], '50.00', '44.64')
        """
        ends: list[float] = []
        for comparison in comparisons:
            for system in comparison.ranked:
                interval = system.interval
                # The baseline's difference from itself is 0
                difference = (system.delta_low or 0.0, system.delta_high or 0.0)
                ends += difference if are_differences else (interval.low, interval.high)
        low, high = min(ends), max(ends)
        value_range = max(high - low, _LEAST_RANGE)

        # The largest step is always large enough, because values are from -1 to about 1
        step = next(step for step in _STEPS if value_range / step <= _MOST_STEPS)
        margin = _MARGIN * value_range
        return cls(low - margin, high + margin, step)

    @property
    def ticks(self) -> list[float]:
        """Return the values at which the axis has a label: all multiples of `step` from `low` to `high`."""
        first_multiple = math.ceil(self.low / self.step)
        last_multiple = math.floor(self.high / self.step)
        return [multiple * self.step for multiple in range(first_multiple, last_multiple + 1)]

    def position(self, value: float) -> str:
        """Return a value's distance from the left end, in percent of the axis's width, such as "44.56"."""
        return self.width(self.low, value)

    def width(self, low: float, high: float) -> str:
        """Return the width of a range of values, in percent of the axis's width, such as "43.55"."""
        return f"{100 * (high - low) / (self.high - self.low):.2f}"

    def label(self, tick: float) -> str:
        """Return the label of a value, in percent without a percent sign: 0.36 -> "36"."""
        # A minus sign is as wide as a plus sign, but a hyphen is not
        return f"{100 * tick:g}".replace("-", "−")
