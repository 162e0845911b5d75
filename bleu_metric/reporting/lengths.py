"""Score the segments of each group, or of each range of reference lengths, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

import numpy as np

from .._bootstrap import draw_segments, interval_ends, score_resamples
from .._display import as_list
from .._reference_length import units_per_token
from .._statistics import BleuStatistics, score
from .._validation import Floats, Ints
from .axis import Bounded

_BUCKETS = 6  # number of buckets of equal width; one more bucket has all longer references
_RESAMPLES = 1000
_SEED = 12345


class Bucket(NamedTuple):
    """Segments that are scored together: those of one group, or those of similar reference length."""

    label: str  # of a group, or lengths in tokens, such as "10–19"
    segments: int
    scores: list[Bounded]  # one per system
    differences: list[Bounded | None]  # each system's score minus the baseline's; None for the baseline


def score_lengths(statistics: Sequence[BleuStatistics], baseline: int, confidence: float) -> list[Bucket]:
    """Score the segments of each range of reference lengths that has segments, from the shortest to the longest.

    The arguments are those of `score_buckets`.
    """
    buckets, labels = length_buckets(statistics)
    return score_buckets(statistics, buckets, labels, baseline, confidence)


def score_buckets(
    statistics: Sequence[BleuStatistics], buckets: Ints, labels: Sequence[str], baseline: int, confidence: float
) -> list[Bucket]:
    """Score the segments of each bucket. All systems are scored on the same resamples.

    Args:
        statistics: the counts of each system, with one row per segment.
        buckets: for each segment, the index of its bucket.
        labels: the labels of the buckets.
        baseline: index of the system that the others are compared with.
        confidence: confidence level of the intervals.

    Returns:
        One `Bucket` for each bucket that has segments, in the order of their indices.
    """
    ends = interval_ends(confidence)
    scored = []
    for index in np.unique(buckets).tolist():
        rows = [counts[buckets == index] for counts in statistics]
        scored.append(_score_bucket(labels[index], rows, baseline, ends))
    return scored


def _score_bucket(label: str, statistics: Sequence[BleuStatistics], baseline: int, ends: Sequence[float]) -> Bucket:
    """Score the segments of one bucket. A single segment cannot be resampled, so its intervals have no width."""
    segments = len(statistics[0])
    values = np.array([as_list(score(counts).bleu)[0] for counts in statistics])
    resampled = values[:, np.newaxis]
    if segments > 1:
        drawn = draw_segments(segments, _RESAMPLES, _SEED)
        resampled = np.column_stack(score_resamples(statistics, drawn)).T  # (systems, resamples)
    scores = _bounded(values, resampled, ends)
    differences = _bounded(values - values[baseline], resampled - resampled[baseline], ends)
    others = [None if system == baseline else difference for system, difference in enumerate(differences)]
    return Bucket(label, segments, scores, others)


def _bounded(values: Floats, resampled: Floats, ends: Sequence[float]) -> list[Bounded]:
    """Return each system's value with the interval of its resampled values, which are of shape (systems, resamples)."""
    low, high = np.quantile(resampled, ends, axis=1).tolist()
    return list(map(Bounded, low, values.tolist(), high))


def bin_scores(scores: Floats) -> Floats:
    """Compute the percentage of sentence scores in each of 20 bins. A bin is 5 BLEU points wide.

    A bin includes its upper edge but not its lower edge, so scores of 0 are in no bin.
    """
    upper_edges = np.ceil((20 * scores).round(9)).astype(np.int64)
    upper_edges = np.minimum(upper_edges, 20)  # a rounding error can make a score slightly greater than 1
    sentences = np.bincount(upper_edges, minlength=21)[1:]
    percents: Floats = 100 * sentences / len(scores)
    return percents


def length_buckets(statistics: Sequence[BleuStatistics]) -> tuple[Ints, list[str]]:
    """Split segments into buckets by reference length. Return the bucket of each segment and the labels of the buckets.

    A segment's reference length is the mean over the systems, because this length can depend on the output.
    """
    stored = np.mean([counts.reference_lengths for counts in statistics], axis=0)
    lengths = stored / units_per_token(statistics[0].config.reference_length)
    width = _bucket_width(lengths)
    buckets = np.minimum(lengths // width, _BUCKETS).astype(np.int64)
    labels = []
    for bucket in range(int(buckets.max()) + 1):
        first = bucket * width
        last = first + width - 1
        labels.append(f"{first}" if first == last else f"{first}–{last}")
    if len(labels) > _BUCKETS:
        labels[-1] = f"≥ {width * _BUCKETS}"
    return buckets, labels


def _bucket_width(lengths: Floats) -> int:
    """Return the width of the buckets in tokens: 1, 2, 5, 10, 20, 50 and so on.

    It is the smallest width for which the `_BUCKETS` buckets of equal width have about 95 % of the lengths.
    """
    nearly_longest = float(np.quantile(lengths, 0.95))
    widths = (step * int(10**power) for power in count() for step in (1, 2, 5))
    return next(width for width in widths if nearly_longest < _BUCKETS * width)
