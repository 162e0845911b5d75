"""Compare systems in groups of segments and in ranges of reference lengths. Count sentence scores in bins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from .._bootstrap import MIN_SEGMENTS
from .._formula import units_per_token
from .._names import TestName
from .._statistics import BleuStatistics, score_sentences
from .._validation import Floats, Ints
from ..comparison.paired import TESTS, compare_parts
from ..comparison.result import Compared, Comparison

BINS = 20  # number of bins in a histogram of sentence scores
# Possible widths of a bucket in tokens: 1, 2, 5, 10, 20, …
_WIDTHS: list[int] = [digit * 10**power for power, digit in product(range(10), (1, 2, 5))]
_EQUAL_BUCKETS = 6  # number of buckets of equal width; one more bucket contains all longer references


def compare_lengths(statistics: Mapping[str, BleuStatistics], test: TestName, **settings: Any) -> dict[str, Comparison]:
    """Compare systems in each range of reference lengths with at least 30 segments, from the shortest to the longest.

    The arguments are as in `compare_in_groups`. Ranges with fewer segments are left out, because their scores mislead.
    """
    bucket_of_segment, labels = length_buckets(list(statistics.values()))
    rows_by_label = {}
    for bucket in np.unique(bucket_of_segment):
        rows = np.flatnonzero(bucket_of_segment == bucket)
        if len(rows) >= MIN_SEGMENTS:
            rows_by_label[labels[bucket]] = rows
    return compare_in_groups(statistics, rows_by_label, test, **settings)


def compare_in_groups(
    statistics: Mapping[str, BleuStatistics], rows_by_label: Mapping[Any, Ints], test: TestName, **settings: Any
) -> dict[Any, Comparison]:
    """Compare systems with the baseline in each group of segments. Correct the p-values for all groups together.

    Args:
        statistics: the counts of each system, with one row per segment. The first system is the baseline.
        rows_by_label: the label of each group, and the indices of its segments.
        test: a key of `TESTS`.
        **settings: arguments of the test. For a value of None, the test's default applies.
    """
    parts = {label: {name: own[rows] for name, own in statistics.items()} for label, rows in rows_by_label.items()}
    return compare_parts(parts, TESTS[test], all_pairs=False, **settings)


def largest_difference(parts: Mapping[str, Comparison], outcome: str) -> tuple[str, Compared, Comparison] | None:
    """Return the largest difference that is significantly "better" or "worse", or None if there is none.

    Return the label of the part of the segments, the system, and the comparison in this part.
    """
    found = [
        (label, one, part) for label, part in parts.items() for one in part.systems if part.outcome(one) == outcome
    ]
    return max(found, key=lambda item: abs(item[1].delta or 0.0), default=None)


class Distribution(NamedTuple):
    """The distribution of one system's sentence scores."""

    median: float
    zeros: int  # number of sentences with a score of 0
    sentences: list[int]
    """The number of sentences in each of 20 bins, each 5 BLEU points wide. Scores of 0 are in no bin."""


def distribution(statistics: BleuStatistics) -> Distribution:
    """Compute the median, the number of zeros and the histogram of a system's sentence scores."""
    scores = score_sentences(statistics)
    above_0 = scores[scores > 0]
    n_zeros = len(scores) - len(above_0)
    at_most_1 = np.minimum(above_0, 1)  # NLTK's method5 returns some scores above 1
    n_in_bins, _ = np.histogram(at_most_1, bins=BINS, range=(0, 1))
    median = float(np.median(scores))
    return Distribution(median, zeros=n_zeros, sentences=n_in_bins.tolist())


def length_buckets(statistics: Sequence[BleuStatistics]) -> tuple[Ints, list[str]]:
    """Split segments into buckets by reference length. Return the bucket of each segment and the labels of the buckets.

    If the width is 10, the labels are "0–9", "10–19", …, "50–59", "≥ 60". The buckets of the lengths 3, 12 and 70 are
    then 0, 1 and 6. If a segment has different reference lengths for different systems, the mean length counts.
    """
    units = units_per_token(statistics[0].config.reference_length)
    lengths_by_system = [counts.reference_lengths for counts in statistics]
    lengths = np.mean(lengths_by_system, axis=0) / units

    width = _bucket_width(lengths)
    # All longer references are in the last bucket
    bucket_of_segment = np.minimum(lengths // width, _EQUAL_BUCKETS)
    end = _EQUAL_BUCKETS * width
    labels = [_range_label(first, first + width - 1) for first in range(0, end, width)]
    labels.append(f"≥ {end}")
    return bucket_of_segment.astype(np.int64), labels


def _bucket_width(lengths: Floats) -> int:
    """Return the smallest width with which the buckets of equal width contain about 95 % of the lengths."""
    nearly_longest = np.quantile(lengths, 0.95)
    # `next` always finds a width, because the largest is above the length of any text
    return next(width for width in _WIDTHS if nearly_longest < _EQUAL_BUCKETS * width)


def _range_label(first: int, last: int) -> str:
    """Return the label of a range of lengths, such as "10–19", or "3" if the range has only one length."""
    return str(first) if first == last else f"{first}–{last}"
