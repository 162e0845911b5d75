"""Refuse counts that no text has: a table of counts may come from a file, and a wrong one would score in silence."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._config import BleuConfig
from ._lengths import unit

Ints = NDArray[np.int64]
_LONGEST = 1 << 31  # tokens of one text
_MOST = 1 << 56  # of all rows together; sums of many such files are checked in `_sums`


def check_counts(rows: Ints, config: BleuConfig, sums: bool) -> None:
    """Check counts, int64 of shape (rows, columns); `sums`: each row is the sum of any number of segments.

    Raises ``ValueError`` that names the first row and what is wrong with it.
    """
    orders = config.max_order
    matches, totals, length = rows[:, :orders], rows[:, orders : 2 * orders], rows[:, 2 * orders]
    least = 1 if config.total_floor == "segment" else 0
    if sums and config.average == "sentence":
        raise ValueError("average='sentence' is the mean of sentence scores, which has no total")
    _refuse((rows < 0).any(axis=1), "a count is negative")
    sums_of_all = rows.sum(axis=0, dtype=np.float64)
    sums_of_all[2 * orders + 1] /= min(unit(config.reference_length), 64)  # 2**62 in all
    if (sums_of_all >= _MOST).any():
        raise ValueError("these are no BLEU statistics: the counts of a column add up to more than any corpus has")
    _refuse((matches > totals).any(axis=1), "an order has more matches than n-grams")
    if sums:
        _refuse(~_adds_up(totals, length, least), "the numbers of n-grams do not go with the translation length")
    else:
        expected = _ngrams(length[:, np.newaxis] - np.arange(orders), least)
        _refuse((totals != expected).any(axis=1), "the numbers of n-grams do not go with the translation length")
        longest = _LONGEST * np.array([1, unit(config.reference_length)])
        _refuse((rows[:, 2 * orders : 2 * orders + 2] >= longest).any(axis=1), "a text has 2**31 tokens or more")
    if config.depends_on_segment_order:
        _check_last(rows[:, -3:], length, least, sums)


def _ngrams(numbers: Ints, least: int) -> Ints:
    return np.maximum(numbers, least)


def _adds_up(totals: Ints, length: Ints, least: int) -> NDArray[np.bool_]:
    """Whether sums can be sums: order n + 1 lacks one n-gram of each segment with n tokens, and ever fewer have n."""
    lost = -np.diff(totals, axis=1)
    first = totals[:, 0] >= length if least else totals[:, 0] == length
    possible: NDArray[np.bool_] = first & (lost >= 0).all(axis=1) & (np.diff(lost, axis=1) <= 0).all(axis=1)
    return possible


def _check_last(last: Ints, length: Ints, least: int, sums: bool) -> None:
    """Check what is known of the last segment: its 5-gram matches, its 5-grams, its length."""
    _refuse(last[:, 0] > last[:, 1], "the last segment has more matches than 5-grams")
    _refuse(last[:, 1] != _ngrams(last[:, 2] - 4, least), "the last segment's 5-grams do not go with its length")
    wrong = last[:, 2] > length if sums else last[:, 2] != length
    _refuse(wrong, "the last segment's length does not go with the translation length")


def _refuse(wrong: NDArray[np.bool_] | np.bool_, why: str) -> None:
    if wrong.any():
        raise ValueError(f"these are no BLEU statistics: in row {int(np.argmax(wrong))}, {why}")
