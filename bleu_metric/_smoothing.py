"""Smoothing formulas, one pure function each. Most of them raise the precision of an order without a match above 0.

Every function takes `Counted` and returns the precisions, float64 of shape (…, orders). An order without n-grams has
the precision 0 unless the formula adds something to its counts. In the docstrings, `matches` is the number of clipped
matches of one order, `total` its number of n-grams, and n the order itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from ._lazy import np
from ._validation import Array, Bools, Floats, Ints


class Counted(NamedTuple):
    """The counts and settings that a smoothing formula may use. In the shapes, … stands for any leading axes."""

    matches: Ints  # (…, orders)
    totals: Ints  # (…, orders): numbers of n-grams
    value: float  # value of the option `smoothing_value`
    translation_length: Ints  # (…,)
    last_segment: Ints  # (…, 3): 5-gram matches, 5-grams and tokens of the last segment, if the formula uses them

    @property
    def max_order(self) -> int:
        """Return the number of n-gram orders, which is also the highest order."""
        return int(self.matches.shape[-1])


Formula = Callable[[Counted], Floats]


class Smoothing(NamedTuple):
    """A smoothing formula, its default value and its properties."""

    formula: Formula
    value: float | None = None  # default of `smoothing_value`; None: the formula uses no such value
    positive: bool = False  # the value must not be 0, because the formula divides by it
    last_segment: bool = False  # the formula uses the counts of the last segment, so the segments' order matters
    fills_zeros: bool = True  # the formula is meant to raise every precision above 0
    # Which precisions can differ from matches / total; "zeros": only those of orders without a match
    changes: Literal["all", "zeros", "none"] = "all"
    added_to_lengths: tuple[float, float] = (0.0, 0.0)  # added to the lengths c and r in the brevity penalty


# pycocoevalcap adds _TINY to every numerator, and _SMALL to every denominator
_TINY, _SMALL = 1e-15, 1e-9


def _ratio(matches: Array, totals: Array) -> Floats:
    """Return matches / totals, and 0 where the total is 0. The two arrays have the same shape."""
    zeros = np.zeros_like(totals, np.float64)
    return np.divide(matches, totals, out=zeros, where=totals != 0)


def _unsmoothed(counts: Counted) -> Floats:
    """Return matches / total for every order."""
    return _ratio(counts.matches, counts.totals)


def _unsmoothed_float32(counts: Counted) -> Floats:
    """Return (1 / total) * matches. Both the quotient and the product are rounded to float32."""
    # 0 has no inverse. Where a total is 0, the number of matches is also 0
    totals = np.maximum(counts.totals, 1).astype(np.float32)
    inverse = np.float32(1) / totals
    precisions = inverse * counts.matches.astype(np.float32)
    return precisions.astype(np.float64)


def _smallest_float(counts: Counted) -> Floats:
    """Return the smallest normal double for an order without a match, else matches / total."""
    smallest = np.finfo(np.float64).tiny
    return np.where(counts.matches == 0, smallest, _unsmoothed(counts))


def _replace_zeros(counts: Counted, numerators: Floats | float) -> Floats:
    """Return numerator / total for an order without a match, else matches / total.

    `numerators`: one number for all orders, or one number per order.
    """
    matches = np.where(counts.matches == 0, numerators, counts.matches)
    return _ratio(matches, counts.totals)


def _epsilon(counts: Counted) -> Floats:
    """Return value / total for an order without a match, else matches / total."""
    return _replace_zeros(counts, counts.value)


def _add(counts: Counted, added: Floats | float) -> Floats:
    """Return (matches + added) / (total + added). `added`: one number for all orders, or one number per order."""
    return _ratio(counts.matches + added, counts.totals + added)


def _except_unigrams(counts: Counted, added: float) -> Floats:
    """Return what `_add` shall add to each order: 0 for unigrams, `added` for all others, as in ``[0, 1, 1, 1]``."""
    added_per_order = np.full(counts.max_order, added)
    added_per_order[0] = 0.0
    return added_per_order


def _add_to_higher(counts: Counted) -> Floats:
    """Return (matches + value) / (total + value), but matches / total for unigrams."""
    return _add(counts, _except_unigrams(counts, counts.value))


def _add_one_to_higher(counts: Counted) -> Floats:
    """Return (matches + 1) / (total + 1), but matches / total for unigrams."""
    return _add(counts, _except_unigrams(counts, 1.0))


def _add_one_to_all(counts: Counted) -> Floats:
    """Return (matches + 1) / (total + 1)."""
    return _add(counts, 1)


def _add_tiny(counts: Counted) -> Floats:
    """Return (matches + 1e-15) / (total + 1e-9)."""
    return _ratio(counts.matches + _TINY, counts.totals + _SMALL)


def _add_to_higher_and_smallest(counts: Counted) -> Floats:
    """Return (matches + added) / (total + added).

    For unigrams, `added` is the smallest normal double. For all other orders, the value is added to it.
    """
    smallest = np.finfo(np.float64).tiny
    added = _except_unigrams(counts, counts.value) + smallest
    return _add(counts, added)


def _running_counts(flags: Bools) -> Floats:
    """Count for each order how many flags are True up to this order: [True, False, True] -> [1.0, 1.0, 2.0]."""
    numbers = flags.astype(np.float64)
    # This loop is 15 times faster than np.cumsum, which loops over the rows
    for index in range(1, flags.shape[-1]):
        numbers[..., index] += numbers[..., index - 1]  # which already includes all lower orders
    return numbers


def _halving(counts: Counted) -> Floats:
    """Return 1 / (2^k * total) for the k-th of the orders that have n-grams but no match, else matches / total."""
    lacks_match = (counts.matches == 0) & (counts.totals > 0)
    rank = _running_counts(lacks_match)  # k
    numerators = np.where(lacks_match, np.exp2(-rank), counts.matches)
    return _ratio(numerators, counts.totals)


def _log_of_length(counts: Counted) -> Floats:
    """Return the logarithm of the translation length, shape (…, 1). Return 0 for the length 0."""
    lengths = np.maximum(counts.translation_length, 1)
    return np.log(lengths)[..., np.newaxis]


def _halving_by_length(counts: Counted) -> Floats:
    """Return ln(c) / (2^k * value * total) for the k-th of the orders without a match, else matches / total.

    c is the translation length. If c is 0 or 1, ln(c) counts as 0.
    """
    rank = _running_counts(counts.matches == 0)  # k
    divisors = np.exp2(rank) * counts.value
    numerators = _log_of_length(counts) / divisors
    return _replace_zeros(counts, numerators)


def _by_order_and_length(counts: Counted) -> Floats:
    """Return (n - 1 + value / ln(c)) / total for an order n without a match, else matches / total.

    c is the translation length. If c = 1, this function returns 0 for an order without a match, but NLTK 3.5 raises an
    error.
    """
    log = _log_of_length(counts)
    values = np.full_like(log, counts.value)
    by_order = np.arange(counts.max_order)  # n - 1
    by_length = _ratio(values, log)
    numerators = np.where(log > 0, by_order + by_length, 0.0)
    return _replace_zeros(counts, numerators)


def _average_neighbours(precisions: Floats, counts: Counted) -> Floats:
    """Return the averages q_n = (q_(n-1) + p_n + p_(n+1)) / 3, with q_0 = p_1 + 1.

    p_n is the precision of order n. For the last order, p_(n+1) is the 5-gram precision of the last segment.
    """
    matches_5, totals_5, _n_tokens = np.split(counts.last_segment, 3, axis=-1)
    precision_5 = _ratio(matches_5, totals_5)
    precisions_to_5 = np.concatenate((precisions, precision_5), axis=-1)

    averages = np.empty_like(precisions)
    average = precisions[..., 0] + 1  # q_0
    for index in range(counts.max_order):  # index = n - 1
        sum_of_three = average + precisions_to_5[..., index] + precisions_to_5[..., index + 1]
        average = sum_of_three / 3
        averages[..., index] = average
    return averages


def _then_average(formula: Formula) -> Formula:
    """Return a formula that averages the precisions of the given formula with `_average_neighbours`."""
    return lambda counts: _average_neighbours(formula(counts), counts)


def _interpolate(counts: Counted) -> Floats:
    """Return q_n = (matches + value * pi) / (L_n + value) for n >= 3, and q_n = matches / total for n = 1 and n = 2.

    Here pi = q_(n-1)^2 / q_(n-2), which expects the same ratio of neighbouring orders as before. L_n is the number of
    n-grams of the last segment, not of all segments, because NLTK uses it and this function returns NLTK's numbers.

    If no trigram matches or max_order is below 3, no precision is smoothed. NLTK raises an error in these two cases.
    """
    unsmoothed = _unsmoothed(counts)
    if counts.max_order < 3:
        return unsmoothed

    smoothed = unsmoothed.copy()
    tokens_of_last = counts.last_segment[..., 2]  # the columns are: 5-gram matches, 5-grams, tokens
    for n in range(3, counts.max_order + 1):
        # Order n has the index n - 1. The lower orders already have their final values q_(n-1) and q_(n-2)
        previous = smoothed[..., n - 2]
        before_previous = smoothed[..., n - 3]
        expected = _ratio(previous**2, before_previous)  # pi

        numerator = counts.matches[..., n - 1] + counts.value * expected
        # L_n: a text of t tokens has t - (n - 1) n-grams
        total_of_last = np.maximum(tokens_of_last - (n - 1), 0)
        smoothed[..., n - 1] = _ratio(numerator, total_of_last + counts.value)

    trigram_precisions = unsmoothed[..., 2:3]  # 2:3 and not 2, to keep the axis of the orders
    return np.where(trigram_precisions > 0, smoothed, unsmoothed)


SMOOTHINGS: dict[str, Smoothing] = {
    "none": Smoothing(_unsmoothed, fills_zeros=False, changes="none"),  # Papineni et al. 2002
    "none-float32": Smoothing(_unsmoothed_float32, fills_zeros=False),  # ignite's Bleu, which divides in float32
    # NLTK's SmoothingFunction
    "method0": Smoothing(_smallest_float, changes="zeros"),
    "method1": Smoothing(_epsilon, 0.1, changes="zeros"),
    "method2": Smoothing(_add_one_to_higher),  # Lin and Och 2004
    "method3": Smoothing(_halving, changes="zeros"),  # NIST mteval
    "method4": Smoothing(_halving_by_length, 5.0, positive=True, changes="zeros"),  # Chen and Cherry 2014
    "method5": Smoothing(_then_average(_unsmoothed), last_segment=True),  # Chen and Cherry 2014
    "method6": Smoothing(_interpolate, 5.0, last_segment=True),  # Gao and He 2013
    "method7": Smoothing(_then_average(_halving_by_length), 5.0, positive=True, last_segment=True),  # methods 4 and 5
    # SmoothingFunction of NLTK 3.5
    "method4-3.5": Smoothing(_by_order_and_length, 5.0, changes="zeros"),
    "method7-3.5": Smoothing(_then_average(_by_order_and_length), 5.0, last_segment=True),
    # sacrebleu's smooth_method
    "floor": Smoothing(_epsilon, 0.1, changes="zeros"),
    "add-k": Smoothing(_add_to_higher, 1.0),
    "exp": Smoothing(_halving, changes="zeros"),
    # evaluate's bleu with smooth=True: tensorflow/nmt
    "add-one": Smoothing(_add_one_to_all),
    # CodeXGLUE's bleuFromMaps; its smooth=0 is smoothing_value=0 here
    "codexglue": Smoothing(_add_to_higher_and_smallest, 1.0, added_to_lengths=(1.0, 1.0)),
    # pycocoevalcap's BleuScorer
    "add-tiny": Smoothing(_add_tiny, added_to_lengths=(_TINY, _SMALL)),
}
