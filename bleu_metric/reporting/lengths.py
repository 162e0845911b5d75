"""Score the segments of each group, or of each range of reference lengths, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from .._formula import units_per_token
from .._statistics import BleuStatistics, score_sentences
from .._validation import Floats, Ints
from ..comparison.ranking import RankedSystem, rank_in_groups
from ..comparison.result import Comparison

BINS = 20  # number of bins in a histogram of sentence scores
# Possible widths of a bucket in tokens: 1, 2, 5, 10, 20, …
_WIDTHS: list[int] = [digit * 10**power for power, digit in product(range(10), (1, 2, 5))]
_EQUAL_BUCKETS = 6  # number of buckets of equal width; one more bucket contains all longer references


class Bucket(NamedTuple):
    """The scores of the segments of one group, or of the segments with similar reference lengths."""

    label: str
    """The label of the group, or the range of lengths in tokens, such as "10–19"."""
    segments: int
    systems: list[RankedSystem]
    """One entry per system, in the order of the argument `names` of `score_buckets`."""
    comparison: Comparison | None
    """The result of the test; None without a test."""


def score_lengths(
    statistics: Mapping[str, BleuStatistics], names: Sequence[str], test: str, **settings: Any
) -> list[Bucket]:
    """Score the segments of each range of reference lengths, from the shortest to the longest. Omit empty ranges.

    The arguments are as in `score_buckets`.
    """
    bucket_of_segment, labels = length_buckets(list(statistics.values()))
    rows_by_label = {}
    for bucket in np.unique(bucket_of_segment):
        rows_by_label[labels[bucket]] = np.flatnonzero(bucket_of_segment == bucket)
    return score_buckets(statistics, names, rows_by_label, test, **settings)


def score_buckets(
    statistics: Mapping[str, BleuStatistics],
    names: Sequence[str],
    rows_by_label: Mapping[str, Ints],
    test: str,
    **settings: Any,
) -> list[Bucket]:
    """Score the segments of each bucket, and compare the systems. All systems are scored on the same resamples.

    Args:
        statistics: the counts of each system, with one row per segment. The first system is the baseline.
        names: the names of the systems, in the order in which each `Bucket` lists them.
        rows_by_label: the label of each bucket, and the indices of its segments.
        test: a key of `TESTS`.
        **settings: arguments of the test.
    """
    buckets = []
    for label, ranking in rank_in_groups(statistics, rows_by_label, test, **settings).items():
        systems = sorted(ranking.systems, key=lambda system: names.index(system.name))
        buckets.append(Bucket(label, len(rows_by_label[label]), systems, ranking.comparison))
    return buckets


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
