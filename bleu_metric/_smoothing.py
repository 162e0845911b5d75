"""Smoothing formulas, one pure function each. Most of them raise the precision of an order without a match above 0.

Every function takes `Counted` and returns the precisions, float64 of shape (…, orders). An order without n-grams has
the precision 0 unless the formula adds something to its counts. In the docstrings, m is the number of matches, l the
number of n-grams, n the n-gram order and c the translation length.
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
    def orders(self) -> int:
        return int(self.matches.shape[-1])


Formula = Callable[[Counted], Floats]


class Smoothing(NamedTuple):
    """A smoothing formula, its default value and its properties."""

    formula: Formula
    value: float | None = None  # default of `smoothing_value`; None: the formula uses no such value
    positive: bool = False  # the value must not be 0, because the formula divides by it
    last_segment: bool = False  # the formula uses the counts of the last segment, so the segments' order matters
    fills_zeros: bool = True  # the formula is meant to raise every precision above 0
    changes: Literal["all", "zeros", "none"] = "all"  # which precisions can differ from m / l; "zeros": if m = 0
    added_to_lengths: tuple[float, float] = (0.0, 0.0)  # added to the lengths c and r in the brevity penalty


_TINY, _SMALL = 1e-15, 1e-9  # pycocoevalcap adds _TINY to every numerator, and _SMALL to every denominator


def _ratio(matches: Array, totals: Array) -> Floats:
    """Return matches / totals, and 0 where the total is 0. The two arrays have the same shape."""
    zeros = np.zeros_like(totals, np.float64)
    return np.divide(matches, totals, out=zeros, where=totals != 0)


def _none(counted: Counted) -> Floats:
    """Return m / l for every order."""
    return _ratio(counted.matches, counted.totals)


def _none_float32(counted: Counted) -> Floats:
    """Return (1 / l) * m. Both the quotient and the product are rounded to float32."""
    totals = np.maximum(counted.totals, 1).astype(np.float32)
    inverse = np.float32(1) / totals
    precisions = inverse * counted.matches.astype(np.float32)
    return precisions.astype(np.float64)


def _smallest_float(counted: Counted) -> Floats:
    """Return the smallest normal double for an order without a match, else m / l."""
    smallest = np.finfo(np.float64).tiny
    return np.where(counted.matches == 0, smallest, _none(counted))


def _replace_zeros(counted: Counted, numerators: Floats | float) -> Floats:
    """Return numerator / l for an order without a match, else m / l. `numerators`: one number, or one per order."""
    matches = np.where(counted.matches == 0, numerators, counted.matches)
    return _ratio(matches, counted.totals)


def _epsilon(counted: Counted) -> Floats:
    """Return value / l for an order without a match, else m / l."""
    return _replace_zeros(counted, counted.value)


def _add(counted: Counted, added: Floats | float) -> Floats:
    """Return (m + added) / (l + added). `added`: one number, or one number per order."""
    return _ratio(counted.matches + added, counted.totals + added)


def _only_higher(counted: Counted, added: float) -> Floats:
    """Return 0 for n = 1 and `added` for n >= 2, shape (orders,)."""
    numbers = np.full(counted.orders, added)
    numbers[0] = 0.0
    return numbers


def _add_to_higher(counted: Counted) -> Floats:
    """Return (m + value) / (l + value) for n >= 2, and m / l for n = 1."""
    return _add(counted, _only_higher(counted, counted.value))


def _add_one_to_higher(counted: Counted) -> Floats:
    """Return ``(m + 1) / (l + 1)`` for n >= 2, and ``m / l`` for n = 1: m matches of l n-grams."""
    return _add(counted, _only_higher(counted, 1.0))


def _add_one_to_all(counted: Counted) -> Floats:
    """Return (m + 1) / (l + 1)."""
    return _add(counted, 1)


def _add_tiny(counted: Counted) -> Floats:
    """Return (m + 1e-15) / (l + 1e-9)."""
    return _ratio(counted.matches + _TINY, counted.totals + _SMALL)


def _add_to_higher_and_smallest(counted: Counted) -> Floats:
    """Return (m + a) / (l + a). For n = 1, a is t, the smallest normal double. For n >= 2, a is t + value."""
    smallest = np.finfo(np.float64).tiny
    return _add(counted, _only_higher(counted, counted.value) + smallest)


def _running_counts(flags: Bools) -> Floats:
    """Count for each order how many flags are True up to this order: [True, False, True] -> [1.0, 1.0, 2.0]."""
    counts = flags.astype(np.float64)
    for index in range(1, flags.shape[-1]):  # 15 times faster than np.cumsum, which loops over the rows
        counts[..., index] += counts[..., index - 1]
    return counts


def _halving(counted: Counted) -> Floats:
    """Return 1 / (2^k l) for the k-th of the orders that have n-grams but no match. For other orders, return m / l."""
    is_halved = (counted.matches == 0) & (counted.totals > 0)
    halved = np.exp2(-_running_counts(is_halved))
    matches = np.where(is_halved, halved, counted.matches)
    return _ratio(matches, counted.totals)


def _log_of_length(counted: Counted) -> Floats:
    """Return ln(c), shape (…, 1). It is 0 if c = 0."""
    lengths = np.maximum(counted.translation_length, 1)
    return np.log(lengths)[..., np.newaxis]


def _halving_by_length(counted: Counted) -> Floats:
    """Return ln(c) / (2^k value l) for the k-th of the orders without a match. For other orders, return m / l.

    If c is 0 or 1, ln(c) counts as 0.
    """
    rank = _running_counts(counted.matches == 0)
    divisors = np.exp2(rank) * counted.value
    return _replace_zeros(counted, _log_of_length(counted) / divisors)


def _by_order_and_length(counted: Counted) -> Floats:
    """Return (n - 1 + value / ln(c)) / l for the order n if it has no match, else m / l. c is the translation length.

    If c = 1, this function returns 0 for an order without a match, but NLTK 3.5 raises an error.
    """
    log = _log_of_length(counted)
    values = np.full_like(log, counted.value)
    by_order = np.arange(counted.orders)  # n - 1
    by_length = _ratio(values, log)
    numerators = np.where(log > 0, by_order + by_length, 0.0)
    return _replace_zeros(counted, numerators)


def _average_neighbours(precisions: Floats, counted: Counted) -> Floats:
    """Return the averages q_n = (q_(n-1) + p_n + p_(n+1)) / 3, with q_0 = p_1 + 1.

    p_n is the precision of order n. For the last order, p_(n+1) is the 5-gram precision of the last segment.
    """
    matches_5, totals_5, _ = np.split(counted.last_segment, 3, axis=-1)
    precision_5 = _ratio(matches_5, totals_5)
    extended = np.concatenate((precisions, precision_5), axis=-1)
    averages = np.empty_like(precisions)
    average = precisions[..., 0] + 1
    for index in range(counted.orders):  # index = n - 1
        three = average + extended[..., index] + extended[..., index + 1]
        average = three / 3
        averages[..., index] = average
    return averages


def _then_average(formula: Formula) -> Formula:
    """Return a formula that averages the precisions of the given formula with `_average_neighbours`."""
    return lambda counted: _average_neighbours(formula(counted), counted)


def _interpolate(counted: Counted) -> Floats:
    """Return q_n = (m_n + value * pi) / (L_n + value) for n >= 3, and q_n = m_n / l_n for n = 1 and n = 2.

    Here pi = q_(n-1)^2 / q_(n-2), and L_n is the last segment's number of n-grams. If no trigram matches or max_order
    is below 3, this function returns all precisions without smoothing, but NLTK raises an error.
    """
    unsmoothed = _none(counted)
    if counted.orders < 3:
        return unsmoothed
    smoothed = unsmoothed.copy()
    last_length = counted.last_segment[..., 2]
    for index in range(2, counted.orders):  # index = n - 1
        previous, before_previous = smoothed[..., index - 1], smoothed[..., index - 2]
        expected = _ratio(previous**2, before_previous)  # pi
        numerator = counted.matches[..., index] + counted.value * expected
        last_total = np.maximum(last_length - index, 0)
        smoothed[..., index] = _ratio(numerator, last_total + counted.value)
    has_trigram = unsmoothed[..., 2:3] > 0
    return np.where(has_trigram, smoothed, unsmoothed)


SMOOTHINGS: dict[str, Smoothing] = {
    "none": Smoothing(_none, fills_zeros=False, changes="none"),  # Papineni et al. 2002
    "none-float32": Smoothing(_none_float32, fills_zeros=False),  # default of ignite's Bleu, which divides in float32
    # NLTK's SmoothingFunction
    "method0": Smoothing(_smallest_float, changes="zeros"),
    "method1": Smoothing(_epsilon, 0.1, changes="zeros"),
    "method2": Smoothing(_add_one_to_higher),  # Lin and Och 2004
    "method3": Smoothing(_halving, changes="zeros"),  # NIST mteval
    "method4": Smoothing(_halving_by_length, 5.0, positive=True, changes="zeros"),  # Chen and Cherry 2014
    "method5": Smoothing(_then_average(_none), last_segment=True),  # Chen and Cherry 2014
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
