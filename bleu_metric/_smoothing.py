"""Smoothing formulas, one pure function each. Most raise the precision of orders without a match above 0.

Every function has the same arguments: ``matches`` and ``totals`` of shape (…, orders), with any leading axes; the
``value`` of the option ``smoothing_value``; and a ``Context``. It returns the precisions, float64 of shape
(…, orders). An order without n-grams has the precision 0 unless the formula adds something to its counts. In the
docstrings, m is the number of matches, l the number of n-grams, n the n-gram order and c the translation length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ._lazy import np
from ._validation import Floats, Ints

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Context(NamedTuple):
    """Arrays of shape (…,) that some of NLTK's methods need besides matches and totals."""

    translation_length: Ints
    last_precision_5: Floats  # 5-gram precision of the last segment
    last_length: Ints  # tokens of the last segment's prediction


_TINY, _SMALL = 1e-15, 1e-9  # pycocoevalcap adds the first to every numerator, and the second to every denominator

Formula = Callable[[Ints, Ints, float, Context], Floats]


class Smoothing(NamedTuple):
    """A smoothing formula with its source, its default value and its properties."""

    formula: Formula
    source: str
    value: float | None = None  # default of `smoothing_value`; None: the formula uses no such value
    positive: bool = False  # the value must not be 0, because the formula divides by it
    last_segment: bool = False  # the formula uses the counts of the last segment, so the segments' order matters
    fills_zeros: bool = True  # the formula is meant to raise every precision above 0
    changes: str = (
        "all"  # orders whose precision may differ from m / l: "all", "zeros" (orders without a match) or "none"
    )
    added_to_lengths: tuple[float, float] = (0.0, 0.0)  # added to the two lengths in the brevity penalty


def _ratio(matches: NDArray[np.generic], totals: NDArray[np.generic]) -> Floats:
    is_defined = np.not_equal(totals, 0)
    return np.where(is_defined, np.divide(matches, np.where(is_defined, totals, 1)), 0.0)


def _none(matches: Ints, totals: Ints, _value: float, _context: Context) -> Floats:
    return _ratio(matches, totals)


def _none_float32(matches: Ints, totals: Ints, _value: float, _context: Context) -> Floats:
    """Return (1 / l) * m, where the quotient and the product are rounded to float32."""
    inverse = np.float32(1) / np.maximum(totals, 1).astype(np.float32)
    rounded: Floats = (inverse * matches.astype(np.float32)).astype(np.float64)
    return rounded


def _smallest_float(matches: Ints, totals: Ints, _value: float, _context: Context) -> Floats:
    """Return the smallest normal double for an order without a match, else m / l."""
    return np.where(matches == 0, np.finfo(np.float64).tiny, _ratio(matches, totals))


def _epsilon(matches: Ints, totals: Ints, value: float, _context: Context) -> Floats:
    """Return value / l for an order without a match, else m / l."""
    return _ratio(np.where(matches == 0, value, matches), totals)


def _add_to_higher(matches: Ints, totals: Ints, value: float, _context: Context) -> Floats:
    """Return (m + value) / (l + value) for n >= 2, and m / l for n = 1."""
    added = np.where(np.arange(matches.shape[-1]) > 0, value, 0.0)
    return _ratio(matches + added, totals + added)


def _add_one_to_higher(matches: Ints, totals: Ints, _value: float, context: Context) -> Floats:
    return _add_to_higher(matches, totals, 1.0, context)


def _add_one_to_all(matches: Ints, totals: Ints, _value: float, _context: Context) -> Floats:
    return _ratio(matches + 1, totals + 1)


def _add_tiny(matches: Ints, totals: Ints, _value: float, _context: Context) -> Floats:
    """Return (m + 1e-15) / (l + 1e-9)."""
    return _ratio(matches + _TINY, totals + _SMALL)


def _add_to_higher_and_smallest(matches: Ints, totals: Ints, value: float, _context: Context) -> Floats:
    """Return (m + a) / (l + a), where a is `tiny`, the smallest normal double, for n = 1, else `tiny` + value."""
    added = np.where(np.arange(matches.shape[-1]) > 0, value, 0.0) + np.finfo(np.float64).tiny
    return _ratio(matches + added, totals + added)


def _halving(matches: Ints, totals: Ints, _value: float, _context: Context) -> Floats:
    """Return 1 / (2^k l) for the k-th order that has n-grams but no match, else m / l."""
    empty = (matches == 0) & (totals > 0)
    rank = empty.astype(np.float64)
    for order in range(1, rank.shape[-1]):  # faster than np.cumsum, which loops over the orders row by row
        rank[..., order] += rank[..., order - 1]
    return _ratio(np.where(empty, np.exp2(-rank), matches), totals)


def _halving_by_length(matches: Ints, totals: Ints, value: float, context: Context) -> Floats:
    """Return ln(c) / (2^k value l) for the k-th order without a match, else m / l. If c = 1, ln(c) is 0."""
    empty = matches == 0
    length = np.log(np.maximum(context.translation_length, 1))[..., np.newaxis]
    return _ratio(np.where(empty, length / (np.exp2(np.cumsum(empty, axis=-1)) * value), matches), totals)


def _by_order_and_length(matches: Ints, totals: Ints, value: float, context: Context) -> Floats:
    """Return (n - 1 + value / ln(c)) / l for an order without a match, else m / l.

    If c = 1, return 0 for an order without a match. NLTK 3.5 raises an error.
    """
    length = np.log(np.maximum(context.translation_length, 1))[..., np.newaxis]
    counted = np.arange(matches.shape[-1]) + value / np.where(length > 0, length, 1.0)
    return _ratio(np.where(matches == 0, counted * (length > 0), matches), totals)


def _neighbours(precisions: Floats, context: Context) -> Floats:
    """Return the averages q_n = (q_(n-1) + p_n + p_(n+1)) / 3, with q_0 = p_1 + 1.

    p_n is the precision of order n. For the last order, p_(n+1) is the 5-gram precision of the last segment.
    """
    following = np.concatenate((precisions[..., 1:], context.last_precision_5[..., np.newaxis]), axis=-1)
    smoothed = np.empty_like(precisions)
    before = precisions[..., 0] + 1
    for order in range(precisions.shape[-1]):
        before = (before + precisions[..., order] + following[..., order]) / 3
        smoothed[..., order] = before
    return smoothed


def _average(matches: Ints, totals: Ints, _value: float, context: Context) -> Floats:
    return _neighbours(_ratio(matches, totals), context)


def _halving_then_average(matches: Ints, totals: Ints, value: float, context: Context) -> Floats:
    return _neighbours(_halving_by_length(matches, totals, value, context), context)


def _by_order_and_length_then_average(matches: Ints, totals: Ints, value: float, context: Context) -> Floats:
    return _neighbours(_by_order_and_length(matches, totals, value, context), context)


def _interpolate(matches: Ints, totals: Ints, value: float, context: Context) -> Floats:
    """Return q_n = (m_n + value * pi) / (L_n + value) for n >= 3, and q_n = m_n / l_n for n = 1 and n = 2.

    Here pi = q_(n-1)^2 / q_(n-2), and L_n is the last segment's number of n-grams. If no trigram matches or
    max_order is below 3, this function returns all precisions without smoothing. NLTK raises an error.
    """
    plain = _ratio(matches, totals)
    if plain.shape[-1] < 3:
        return plain
    smoothed = plain.copy()
    for order in range(2, plain.shape[-1]):
        expected = _ratio(smoothed[..., order - 1] ** 2, smoothed[..., order - 2])
        in_last = np.maximum(context.last_length - order, 0)
        smoothed[..., order] = _ratio(matches[..., order] + value * expected, in_last + value)
    return np.where(plain[..., 2:3] > 0, smoothed, plain)


_NLTK = "NLTK SmoothingFunction"
_SACREBLEU = "sacrebleu smooth_method"
SMOOTHINGS: dict[str, Smoothing] = {
    "none": Smoothing(_none, "Papineni et al. 2002", fills_zeros=False, changes="none"),
    "none-float32": Smoothing(_none_float32, "default of ignite's Bleu, which divides in float32", fills_zeros=False),
    "method0": Smoothing(_smallest_float, _NLTK, changes="zeros"),
    "method1": Smoothing(_epsilon, _NLTK, 0.1, changes="zeros"),
    "method2": Smoothing(_add_one_to_higher, f"{_NLTK}; Lin and Och 2004"),
    "method3": Smoothing(_halving, f"{_NLTK}; NIST mteval", changes="zeros"),
    "method4": Smoothing(_halving_by_length, f"{_NLTK}; Chen and Cherry 2014", 5.0, positive=True, changes="zeros"),
    "method5": Smoothing(_average, f"{_NLTK}; Chen and Cherry 2014", last_segment=True),
    "method6": Smoothing(_interpolate, f"{_NLTK}; Gao and He 2013", 5.0, last_segment=True),
    "method7": Smoothing(
        _halving_then_average, f"{_NLTK}; Chen and Cherry 2014", 5.0, positive=True, last_segment=True
    ),
    "method4-3.5": Smoothing(_by_order_and_length, f"{_NLTK} of NLTK 3.5", 5.0, changes="zeros"),
    "method7-3.5": Smoothing(_by_order_and_length_then_average, f"{_NLTK} of NLTK 3.5", 5.0, last_segment=True),
    "floor": Smoothing(_epsilon, _SACREBLEU, 0.1, changes="zeros"),
    "add-k": Smoothing(_add_to_higher, _SACREBLEU, 1.0),
    "exp": Smoothing(_halving, _SACREBLEU, changes="zeros"),
    "add-one": Smoothing(_add_one_to_all, "evaluate's bleu with smooth=True: tensorflow/nmt"),
    "codexglue": Smoothing(
        _add_to_higher_and_smallest, "CodeXGLUE's smooth_bleu.py; smooth=0 is value 0", 1.0, added_to_lengths=(1.0, 1.0)
    ),
    "add-tiny": Smoothing(_add_tiny, "pycocoevalcap's BleuScorer", added_to_lengths=(_TINY, _SMALL)),
}
