"""The rules that differ between libraries: smoothing formulas and effective reference lengths, one function per rule.

A smoothing formula takes `Counted` and returns the precisions. Most of them raise the precision of an order without a
match above 0. In their docstrings, `matches` is the number of clipped matches of one order, `total` its number of
n-grams, and n the order itself. An order without n-grams has the precision 0 unless the formula adds something to its
counts. A rule for the reference length has the arguments and the result of `effective_lengths`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

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

    @property
    def order(self) -> Ints:
        """Return n for each order, shape (orders,)."""
        return np.arange(1, self.max_order + 1)

    @property
    def halves(self) -> Floats:
        """Return 1 / 2^k for the k-th of the orders without a match, shape (…, orders)."""
        return np.exp2(-_running_counts(self.matches == 0))

    @property
    def log_length(self) -> Floats:
        """Return the logarithm of the translation length, shape (…, 1). Return 0 for the length 0."""
        return np.log(np.maximum(self.translation_length, 1))[..., np.newaxis]


class CountedOrder(NamedTuple):
    """The counts and settings of `Counted` for one n-gram order of one row."""

    matches: int
    totals: int
    value: float
    translation_length: int
    order: int
    halves: float

    @property
    def log_length(self) -> float:
        return math.log(max(self.translation_length, 1))


Formula = Callable[[Counted], Floats]
Fraction = Callable[[Any], tuple[Any, Any]]  # of `Counted` or `CountedOrder`: the numerator and the denominator


class Smoothing(NamedTuple):
    """A smoothing formula, its default value and its properties."""

    fraction: Fraction | None = None  # the precision of each order that changes; None: see `formula`
    value: float | None = None  # default of `smoothing_value`; None: the formula uses no such value
    formula: Formula | None = None  # the precisions, if one order's counts do not determine its precision
    positive: bool = False  # the value must not be 0, because the formula divides by it
    last_segment: bool = False  # the formula uses the counts of the last segment, so the segments' order matters
    fills_zeros: bool = True  # the formula is meant to raise every precision above 0
    # Which precisions can differ from matches / total; "zeros": only those of orders without a match
    changes: Literal["all", "zeros", "none"] = "all"
    added_to_lengths: tuple[float, float] = (0.0, 0.0)  # added to the lengths c and r in the brevity penalty


def precisions_of_rows(smoothing: Smoothing, counts: Counted) -> Floats:
    """Compute the smoothed precisions of all orders, shape (…, orders)."""
    if smoothing.formula:
        return smoothing.formula(counts)

    numerators, denominators = counts.matches, counts.totals
    if smoothing.fraction:
        numerators, denominators = smoothing.fraction(counts)
    if smoothing.changes == "zeros":
        has_match = counts.matches > 0
        numerators = np.where(has_match, counts.matches, numerators)
        if denominators is not counts.totals:
            denominators = np.where(has_match, counts.totals, denominators)
    return _ratio(numerators, denominators)


def precisions_of_row(
    smoothing: Smoothing, matches: list[int], totals: list[int], length: int, value: float
) -> list[float] | None:
    """Compute the precisions of one row without NumPy. Return None if the smoothing has no formula for one order."""
    if smoothing.formula:
        return None

    precisions = []
    halves = 1.0
    fraction, changes_all = smoothing.fraction, smoothing.changes == "all"
    for order, (match, total) in enumerate(zip(matches, totals, strict=True), 1):
        numerator, denominator = match, total
        if not match:
            halves /= 2
        if fraction and (changes_all or not match):
            numerator, denominator = fraction(CountedOrder(match, total, value, length, order, halves))
        precisions.append(numerator / denominator if denominator else 0.0)
    return precisions


# pycocoevalcap adds _TINY to every numerator, and _SMALL to every denominator
_TINY, _SMALL = 1e-15, 1e-9
_SMALLEST = sys.float_info.min  # the smallest normal double


def _ratio(matches: Array, totals: Array) -> Floats:
    """Return matches / totals, and 0 where the total is 0. The two arrays have the same shape."""
    zeros = np.zeros_like(totals, np.float64)
    return np.divide(matches, totals, out=zeros, where=totals != 0)


def _unsmoothed_float32(counts: Counted) -> Floats:
    """Return (1 / total) * matches. Both the quotient and the product are rounded to float32."""
    # 0 has no inverse. Where a total is 0, the number of matches is also 0
    totals = np.maximum(counts.totals, 1).astype(np.float32)
    inverse = np.float32(1) / totals
    precisions = inverse * counts.matches.astype(np.float32)
    return precisions.astype(np.float64)


def _smallest_float(_counts: Any) -> tuple[Any, Any]:
    """Return the smallest normal double."""
    return _SMALLEST, 1


def _epsilon(counts: Any) -> tuple[Any, Any]:
    """Return value / total."""
    return counts.value, counts.totals


def _halving(counts: Any) -> tuple[Any, Any]:
    """Return 1 / (2^k * total) for the k-th of the orders without a match."""
    return counts.halves, counts.totals


def _halving_by_length(counts: Any) -> tuple[Any, Any]:
    """Return ln(c) / (2^k * value * total) for the k-th of the orders without a match.

    c is the translation length. If c is 0 or 1, ln(c) counts as 0.
    """
    return counts.log_length * counts.halves / counts.value, counts.totals


def _add(counts: Any, added: Any) -> tuple[Any, Any]:
    """Return (matches + added) / (total + added)."""
    return counts.matches + added, counts.totals + added


def _add_to_higher(counts: Any) -> tuple[Any, Any]:
    """Return (matches + value) / (total + value), but matches / total for unigrams."""
    return _add(counts, counts.value * (counts.order > 1))


def _add_one_to_higher(counts: Any) -> tuple[Any, Any]:
    """Return (matches + 1) / (total + 1), but matches / total for unigrams."""
    return _add(counts, 1.0 * (counts.order > 1))


def _add_one_to_all(counts: Any) -> tuple[Any, Any]:
    """Return (matches + 1) / (total + 1)."""
    return _add(counts, 1)


def _add_tiny(counts: Any) -> tuple[Any, Any]:
    """Return (matches + 1e-15) / (total + 1e-9)."""
    return counts.matches + _TINY, counts.totals + _SMALL


def _add_to_higher_and_smallest(counts: Any) -> tuple[Any, Any]:
    """Return (matches + added) / (total + added).

    For unigrams, `added` is the smallest normal double. For all other orders, the value is added to it.
    """
    return _add(counts, counts.value * (counts.order > 1) + _SMALLEST)


def _running_counts(flags: Bools) -> Floats:
    """Count for each order how many flags are True up to this order: [True, False, True] -> [1.0, 1.0, 2.0]."""
    numbers = flags.astype(np.float64)
    # This loop is 15 times faster than np.cumsum, which loops over the rows
    for index in range(1, flags.shape[-1]):
        numbers[..., index] += numbers[..., index - 1]  # which already includes all lower orders
    return numbers


def _by_order_and_length(counts: Counted) -> Floats:
    """Return (n - 1 + value / ln(c)) / total for an order n without a match, else matches / total.

    c is the translation length. If c = 1, this function returns 0 for an order without a match, but NLTK 3.5 raises an
    error.
    """
    log = counts.log_length
    by_length = _ratio(np.full_like(log, counts.value), log)
    numerators = np.where(log > 0, counts.order - 1 + by_length, 0.0)
    return _ratio(np.where(counts.matches == 0, numerators, counts.matches), counts.totals)


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


def _then_average(smoothing: Smoothing) -> Formula:
    """Return a formula that averages the precisions of the given smoothing with `_average_neighbours`."""
    return lambda counts: _average_neighbours(precisions_of_rows(smoothing, counts), counts)


def _interpolate(counts: Counted) -> Floats:
    """Return q_n = (matches + value * pi) / (L_n + value) for n >= 3, and q_n = matches / total for n = 1 and n = 2.

    Here pi = q_(n-1)^2 / q_(n-2), which expects the same ratio of neighbouring orders as before. L_n is the number of
    n-grams of the last segment, not of all segments, because NLTK uses it and this function returns NLTK's numbers.

    If no trigram matches or max_order is below 3, no precision is smoothed. NLTK raises an error in these two cases.
    """
    unsmoothed = _ratio(counts.matches, counts.totals)
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


_NONE = Smoothing(fills_zeros=False, changes="none")  # Papineni et al. 2002
_METHOD_4 = Smoothing(_halving_by_length, 5.0, positive=True, changes="zeros")  # Chen and Cherry 2014
_METHOD_4_OF_35 = Smoothing(None, 5.0, _by_order_and_length, changes="zeros")

SMOOTHINGS: dict[str, Smoothing] = {
    "none": _NONE,
    # ignite's Bleu, which divides in float32
    "none-float32": Smoothing(formula=_unsmoothed_float32, fills_zeros=False),
    # NLTK's SmoothingFunction
    "method0": Smoothing(_smallest_float, changes="zeros"),
    "method1": Smoothing(_epsilon, 0.1, changes="zeros"),
    "method2": Smoothing(_add_one_to_higher),  # Lin and Och 2004
    "method3": Smoothing(_halving, changes="zeros"),  # NIST mteval
    "method4": _METHOD_4,
    "method5": Smoothing(formula=_then_average(_NONE), last_segment=True),  # Chen and Cherry 2014
    "method6": Smoothing(None, 5.0, _interpolate, last_segment=True),  # Gao and He 2013
    "method7": Smoothing(None, 5.0, _then_average(_METHOD_4), positive=True, last_segment=True),  # methods 4 and 5
    # SmoothingFunction of NLTK 3.5
    "method4-3.5": _METHOD_4_OF_35,
    "method7-3.5": Smoothing(None, 5.0, _then_average(_METHOD_4_OF_35), last_segment=True),
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


# --- Reference lengths ----------------------------------------------------------------------------------------------

Rule = Callable[[Ints, Ints, Ints], Ints]
# A pair (first, second) is packed into the number first * _PAIR_BASE + second, because these numbers sort by `first`,
# then by `second`. The remainder number % _PAIR_BASE is `second`. Every length is smaller than _PAIR_BASE.
_PAIR_BASE = 1 << 31
_MOSES_LIMIT = 9999  # multi-bleu.perl begins its search with a reference length and a difference of 9999 tokens
_UNITS_PER_TOKEN = 720_720  # lcm(1, …, 16), so that the mean of up to 16 lengths is an integer number of units


def _closest(prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return the reference length closest to the prediction's length. If two are equally close, return the shorter."""
    pairs = _closest_pairs(reference_lengths, prediction_lengths, reference_lengths, bounds)
    # Each pair (difference, length) is the number difference * _PAIR_BASE + length
    return pairs % _PAIR_BASE


def _closest_first(prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return the reference length closest to the prediction's length. If two are equally close, return the earlier."""
    indices = np.arange(len(reference_lengths))
    pairs = _closest_pairs(indices, prediction_lengths, reference_lengths, bounds)
    # Each pair (difference, index) is the number difference * _PAIR_BASE + index
    closest = pairs % _PAIR_BASE
    return reference_lengths.take(closest)


def _closest_below_9999(prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return the closest reference length as multi-bleu.perl computes it.

    The result is 9999 if every reference length differs from the prediction's length by more than 9999 tokens. It is
    also 9999 if the closest reference length differs by exactly 9999 tokens and is larger than 9999.
    """
    pairs = _closest_pairs(reference_lengths, prediction_lengths, reference_lengths, bounds)
    # Each pair (difference, length) is the number difference * _PAIR_BASE + length. The first pair is (9999, 9999)
    start_of_search = _MOSES_LIMIT * _PAIR_BASE + _MOSES_LIMIT
    return np.minimum(pairs, start_of_search) % _PAIR_BASE


def _closest_pairs(labels: Ints, prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return, for each segment, the smallest of the pairs (difference, label) of its references.

    The difference is the absolute difference between the lengths of the reference and the prediction. `labels`: one
    number below 2**31 for each reference, which decides between equal differences. A pair is the number
    difference * `_PAIR_BASE` + label.

    For example, a prediction of 5 tokens has references of 4, 6 and 9 tokens. If the labels are these lengths, the
    pairs are (1, 4), (1, 6) and (4, 9). The smallest one is (1, 4).
    """
    references_per_segment = np.diff(bounds)
    lengths_to_match = np.repeat(prediction_lengths, references_per_segment)
    differences = np.abs(reference_lengths - lengths_to_match)
    pairs = differences * _PAIR_BASE + labels
    # `bounds[:-1]`: index of each segment's first reference
    smallest: Ints = np.minimum.reduceat(pairs, bounds[:-1])
    return smallest


def _shortest(_prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return the shortest reference length of each segment."""
    # `bounds[:-1]`: index of each segment's first reference
    lengths: Ints = np.minimum.reduceat(reference_lengths, bounds[:-1])
    return lengths


def _longest(_prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return the longest reference length of each segment."""
    # `bounds[:-1]`: index of each segment's first reference
    lengths: Ints = np.maximum.reduceat(reference_lengths, bounds[:-1])
    return lengths


def _average(_prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return the mean length in 720720ths of a token, rounded down. It is exact for up to 16 references."""
    # `bounds[:-1]`: index of each segment's first reference. `np.diff(bounds)`: number of references of each segment
    sums = np.add.reduceat(reference_lengths, bounds[:-1])
    lengths: Ints = sums * _UNITS_PER_TOKEN // np.diff(bounds)
    return lengths


REFERENCE_LENGTHS: dict[str, Rule] = {
    "closest": _closest,
    "closest-first": _closest_first,
    "closest-below-9999": _closest_below_9999,
    "shortest": _shortest,
    "longest": _longest,
    "average": _average,
}

# For a segment with one reference, these rules return the length of this reference in tokens, for any prediction
SAME_FOR_ONE_REFERENCE = ("closest", "closest-first", "shortest", "longest")


def effective_lengths(rule: str, prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Compute the effective reference length of each segment by the named rule: int64, shape (segments,).

    The lengths are in tokens, except with the rule "average": see `units_per_token`.

    Args:
        rule: a name in `REFERENCE_LENGTHS`.
        prediction_lengths: number of tokens of each prediction, shape (segments,).
        reference_lengths: number of tokens of each reference, segment by segment, shape (references,).
        bounds: index of each segment's first reference, then the number of all references, shape (segments + 1,). Each
            segment has at least one reference.

    >>> effective_lengths("closest", np.array([3, 5]), np.array([4, 9, 7]), np.array([0, 2, 3]))
    array([4, 7])
    """
    # Each segment has at least one reference, so equal numbers mean one reference each
    has_one_each = len(reference_lengths) == len(prediction_lengths)
    if has_one_each and rule in SAME_FOR_ONE_REFERENCE:
        return reference_lengths
    return REFERENCE_LENGTHS[rule](prediction_lengths, reference_lengths, bounds)


def units_per_token(rule: str) -> int:
    """Return the number of units per token in the lengths that a rule returns: 720720 for "average", else 1."""
    return _UNITS_PER_TOKEN if rule == "average" else 1
