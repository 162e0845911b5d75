"""The BLEU formula, and the rules that differ between libraries: smoothings and effective reference lengths.

The formula accepts numbers (one row of counts) and arrays (many rows). One row is computed with plain numbers, because
even the shortest array operation costs microseconds.

In the docstrings of the smoothings, `matches` is the number of clipped matches of an order, and `total` is the number
of n-grams. If the denominator of a smoothed precision is 0, the precision is 0.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from ._lazy import np
from ._validation import Array, Floats, Ints, typed

# --- Arithmetic for numbers and arrays ------------------------------------------------------------------------------

Number = Any  # an int or a float, or an array of them with one entry per row of counts
Flag = Any  # a bool, or an array of bools
_LARGEST_EXPONENT = math.log(sys.float_info.max)


def where(flag: Flag, number: Number, other: Number) -> Number:
    """Return `number` where the flag is True, and `other` elsewhere."""
    if type(flag) is bool:
        return number if flag else other
    return np.where(flag, number, other)


def ratio(number: Number, divisor: Number) -> Number:
    """Return number / divisor, and 0 where the divisor is 0."""
    if isinstance(divisor, (int, float)):
        return number / divisor if divisor else 0.0
    return np.divide(number, divisor, out=np.zeros(np.shape(divisor)), where=np.not_equal(divisor, 0))


def log(number: Number) -> Number:
    """Return the natural logarithm of `number`, and 0 where `number` <= 0."""
    if isinstance(number, (int, float)):
        return math.log(number) if number > 0 else 0.0
    return np.log(np.where(number > 0, number, 1))


def exp(number: Number) -> Number:
    """Return e ** number, or infinity if the result is too large for a float."""
    if isinstance(number, float):
        return math.exp(number) if number <= _LARGEST_EXPONENT else number * math.inf  # NaN stays NaN
    return np.exp(number)


def at_least(least: int, number: Number) -> Number:
    """Return `number`, but at least `least`. A list is compared entry by entry: 1, [0, 2] -> [1, 2]."""
    if isinstance(number, list):
        return [at_least(least, one) for one in number]
    return max(least, number) if isinstance(number, int) else np.maximum(least, number)


# --- Smoothing ------------------------------------------------------------------------------------------------------


class Counted(NamedTuple):
    """The counts of one row. For many rows, each field is an array instead of a number."""

    matches: Any  # number of clipped matches of each order
    totals: Any  # number of n-grams of each order in the predictions
    length: Number  # number of tokens of the predictions
    reference_length: Number  # effective reference length times `units_per_token`
    last_segment: Any  # numbers of 5-gram matches, 5-grams and tokens of the last segment; empty if unused


class Order(NamedTuple):
    """The argument of `Smoothing.fraction`: the counts of one order, and the smoothing value."""

    order: int
    matches: Number
    total: Number
    halves: Number  # 1 / 2^k at the k-th order without a match
    length: Number  # number of tokens of the predictions
    value: float  # the option `smoothing_value`


Fraction = Callable[[Order], tuple[Number, Number]]  # returns the numerator and the denominator of the precision
Formula = Callable[[Counted, float], list[Number]]  # (counts, smoothing value) -> precision of each order


class Smoothing(NamedTuple):
    """A smoothing formula, its default value and its properties."""

    fraction: Fraction | None = None  # computes the smoothed precision of one order
    value: float | None = None  # default of `smoothing_value`; None if the formula has no value
    formula: Formula | None = None  # computes the precisions of all orders, in place of `fraction`
    positive: bool = False  # the value must not be 0, because the formula divides by it
    last_segment: bool = False  # the formula uses the counts of the last segment, so the segments' order matters
    fills_zeros: bool = True  # the formula is meant to raise every precision above 0
    # Precisions that can differ from matches / total; "zeros": only precisions of orders without a match
    changes: Literal["all", "zeros", "none"] = "all"
    added_to_lengths: tuple[float, float] = (0.0, 0.0)  # added to the lengths c and r in the brevity penalty


def smoothed_precisions(smoothing: Smoothing, counts: Counted, value: float) -> list[Number]:
    """Return the modified precision of each order. `value`: the option `smoothing_value`, or 0 for None."""
    if smoothing.formula:
        return smoothing.formula(counts, value)

    changes_all = smoothing.changes == "all"
    if smoothing.fraction is None or (not changes_all and 0 not in counts.matches):
        return list(map(ratio, counts.matches, counts.totals))

    precisions = []
    halves: Number = 1.0
    for order, (matches, total) in enumerate(zip(counts.matches, counts.totals, strict=True), 1):
        has_match = matches > 0
        halves = where(has_match, halves, halves / 2)
        numerator, denominator = smoothing.fraction(Order(order, matches, total, halves, counts.length, value))
        smoothed = ratio(numerator, denominator)
        precisions.append(smoothed if changes_all else where(has_match, ratio(matches, total), smoothed))
    return precisions


# pycocoevalcap adds _TINY to every numerator, and _SMALL to every denominator
_TINY, _SMALL = 1e-15, 1e-9
_SMALLEST = sys.float_info.min  # the smallest normal double


def _unsmoothed_float32(counts: Counted, _value: float) -> list[Number]:
    """Return (1 / total) * matches, computed in float32."""
    precisions = []
    for matches, total in zip(counts.matches, counts.totals, strict=True):
        # If `total` is 0, `matches` is also 0, so the product is 0 for any inverse
        inverse = np.float32(1) / np.float32(at_least(1, total))
        rounded = inverse * np.float32(matches)
        precisions.append(float(rounded) if isinstance(total, int) else rounded.astype(np.float64))
    return precisions


def _smallest_float(_counts: Order) -> tuple[Number, Number]:
    return _SMALLEST, 1


def _epsilon(counts: Order) -> tuple[Number, Number]:
    """Return value / total."""
    return counts.value, counts.total


def _halving(counts: Order) -> tuple[Number, Number]:
    """Return 1 / (2^k * total) at the k-th order without a match."""
    return counts.halves, counts.total


def _halving_by_length(counts: Order) -> tuple[Number, Number]:
    """Return ln(length) / (2^k * value * total) at the k-th order without a match, or 0 if `length` is 0."""
    return log(counts.length) * counts.halves / counts.value, counts.total


def _by_order_and_length(counts: Order) -> tuple[Number, Number]:
    """Return (order - 1 + value / ln(length)) / total, or 0 if `length` is 0 or 1.

    NLTK 3.5 raises an error if `length` is 1.
    """
    log_length = log(counts.length)
    numerator = counts.order - 1 + ratio(counts.value, log_length)
    return where(log_length > 0, numerator, 0.0), counts.total


def _add(counts: Order, added: float) -> tuple[Number, Number]:
    """Return (matches + added) / (total + added)."""
    return counts.matches + added, counts.total + added


def _add_to_higher(counts: Order) -> tuple[Number, Number]:
    """Return (matches + value) / (total + value), but matches / total for unigrams."""
    return _add(counts, counts.value * (counts.order > 1))


def _add_one_to_higher(counts: Order) -> tuple[Number, Number]:
    """Return (matches + 1) / (total + 1), but matches / total for unigrams."""
    return _add(counts, counts.order > 1)


def _add_one_to_all(counts: Order) -> tuple[Number, Number]:
    """Return (matches + 1) / (total + 1)."""
    return _add(counts, 1)


def _add_tiny(counts: Order) -> tuple[Number, Number]:
    """Return (matches + 1e-15) / (total + 1e-9)."""
    return counts.matches + _TINY, counts.total + _SMALL


def _add_to_higher_and_smallest(counts: Order) -> tuple[Number, Number]:
    """Return (matches + a) / (total + a) with a = value + tiny, but with a = tiny for unigrams.

    tiny is the smallest normal double.
    """
    return _add(counts, counts.value * (counts.order > 1) + _SMALLEST)


def _average_neighbours(precisions: Sequence[Number], counts: Counted) -> list[Number]:
    """Return the averages q_n = (q_(n-1) + p_n + p_(n+1)) / 3, with q_0 = p_1 + 1.

    p_n is the precision of order n. For the last order, p_(n+1) is the 5-gram precision of the last segment.
    """
    matches_5, total_5, _n_tokens = counts.last_segment
    next_precisions = [*precisions[1:], ratio(matches_5, total_5)]

    averages = []
    average = precisions[0] + 1  # q_0
    for precision, next_precision in zip(precisions, next_precisions, strict=True):
        average = (average + precision + next_precision) / 3
        averages.append(average)
    return averages


def _then_average(smoothing: Smoothing) -> Formula:
    """Return a formula that applies `smoothing`, and then `_average_neighbours`."""
    return lambda counts, value: _average_neighbours(smoothed_precisions(smoothing, counts, value), counts)


def _interpolate(counts: Counted, value: float) -> list[Number]:
    """Return q_1 and q_2 = matches / total, then q_n = (matches + value * pi) / (L_n + value).

    pi is q_(n-1)^2 / q_(n-2). L_n is the number of n-grams of order n in the last segment only, as in NLTK.

    NLTK raises an error if no trigram matches or max_order is below 3. Here, method0 replaces this method then: the
    NLTK dialect leaves out precisions of 0, so that texts with few matches could score 1.
    """
    without_trigrams = smoothed_precisions(SMOOTHINGS["method0"], counts, value)
    unsmoothed = list(map(ratio, counts.matches, counts.totals))
    if len(unsmoothed) < 3:
        return without_trigrams

    _matches_5, _total_5, tokens_of_last = counts.last_segment
    smoothed = unsmoothed[:2]
    for n in range(3, len(unsmoothed) + 1):
        before_previous, previous = smoothed[-2:]
        expected = ratio(previous**2, before_previous)  # pi
        # L_n: a text of t tokens has t - (n - 1) n-grams
        total_of_last = at_least(0, tokens_of_last - (n - 1))
        smoothed.append(ratio(counts.matches[n - 1] + value * expected, total_of_last + value))

    has_trigram = unsmoothed[2] > 0
    return [where(has_trigram, *both) for both in zip(smoothed, without_trigrams, strict=True)]


_NONE = Smoothing(fills_zeros=False, changes="none")  # Papineni et al. 2002
_METHOD_4 = Smoothing(_halving_by_length, 5.0, positive=True, changes="zeros")  # Chen and Cherry 2014
_METHOD_4_OF_35 = Smoothing(_by_order_and_length, 5.0, changes="zeros")

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

# A rule has the arguments of `effective_lengths`, except `rule`. `bounds[:-1]`: first reference of each segment
Rule = Callable[[Ints, Ints, Ints], Ints]
# A pair (first, second) is packed into the number first * _PAIR_BASE + second. These numbers sort like the pairs, and
# number % _PAIR_BASE is `second`. Every length is smaller than _PAIR_BASE.
_PAIR_BASE = 1 << 31
_MOSES_LIMIT = 9999  # multi-bleu.perl begins its search with a reference length and a difference of 9999 tokens
_UNITS_PER_TOKEN = 720_720  # lcm(1, …, 16), so that the mean of up to 16 lengths is an integer number of units


def _closest(prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return the reference length closest to the prediction's length, or the shorter of two that are equally close."""
    pairs = _closest_pairs(reference_lengths, prediction_lengths, reference_lengths, bounds)
    return pairs % _PAIR_BASE  # the lengths


def _closest_first(prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return the reference length closest to the prediction's length, or the earlier of two that are equally close."""
    indices = np.arange(len(reference_lengths))
    pairs = _closest_pairs(indices, prediction_lengths, reference_lengths, bounds)
    closest = pairs % _PAIR_BASE  # the indices
    return reference_lengths.take(closest)


def _closest_below_9999(prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return the closest reference length as multi-bleu.perl computes it: 9999 if every difference is above 9999.

    If the smallest difference is exactly 9999, the result is at most 9999.
    """
    pairs = _closest_pairs(reference_lengths, prediction_lengths, reference_lengths, bounds)
    # The pair (difference, length) with which multi-bleu.perl begins
    start_of_search = _MOSES_LIMIT * _PAIR_BASE + _MOSES_LIMIT
    return np.minimum(pairs, start_of_search) % _PAIR_BASE


def _closest_pairs(labels: Ints, prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return the smallest pair (difference of lengths, label) of each segment as difference * `_PAIR_BASE` + label.

    For example, a prediction of 5 tokens has references of 4, 6 and 9 tokens. With the labels 4, 6 and 9, the smallest
    of the pairs (1, 4), (1, 6) and (4, 9) is (1, 4).

    `labels`: one number below 2**31 for each reference.
    """
    references_per_segment = np.diff(bounds)
    lengths_to_match = np.repeat(prediction_lengths, references_per_segment)
    differences = np.abs(reference_lengths - lengths_to_match)
    pairs = differences * _PAIR_BASE + labels
    smallest: Ints = np.minimum.reduceat(pairs, bounds[:-1])
    return smallest


def _average(_prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return 720720 times the mean reference length, rounded down. The result is exact for up to 16 references."""
    # `np.diff(bounds)`: number of references of each segment
    sums = np.add.reduceat(reference_lengths, bounds[:-1])
    lengths: Ints = sums * _UNITS_PER_TOKEN // np.diff(bounds)
    return lengths


REFERENCE_LENGTHS: dict[str, Rule] = {
    "closest": _closest,
    "closest-first": _closest_first,
    "closest-below-9999": _closest_below_9999,
    "shortest": lambda _predictions, references, bounds: np.minimum.reduceat(references, bounds[:-1]),
    "longest": lambda _predictions, references, bounds: np.maximum.reduceat(references, bounds[:-1]),
    "average": _average,
}

# If a segment has only one reference, these rules return the length of this reference
SAME_FOR_ONE_REFERENCE = ("closest", "closest-first", "shortest", "longest")


def effective_lengths(rule: str, prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Compute the effective reference length of each segment: int64, shape (segments,).

    The lengths are in tokens or, with the rule "average", in units of 1/720720 token.

    Args:
        rule: a name in `REFERENCE_LENGTHS`.
        prediction_lengths: number of tokens of each prediction, shape (segments,).
        reference_lengths: number of tokens of each reference, segment by segment, shape (references,).
        bounds: index of each segment's first reference, then the number of references, shape (segments + 1,).

    >>> effective_lengths("closest", np.array([3, 5]), np.array([4, 9, 7]), np.array([0, 2, 3]))
    array([4, 7])
    """
    # Each segment has at least one reference, so equal numbers mean one reference each
    has_one_each = len(reference_lengths) == len(prediction_lengths)
    if has_one_each and rule in SAME_FOR_ONE_REFERENCE:
        return reference_lengths
    return REFERENCE_LENGTHS[rule](prediction_lengths, reference_lengths, bounds)


def units_per_token(rule: str) -> int:
    """Return the factor by which a rule multiplies its lengths: 720720 for "average", else 1."""
    return _UNITS_PER_TOKEN if rule == "average" else 1


# --- The formula ------------------------------------------------------------------------------------------------------

_WEIGHTS_OF_BLEU_4 = (0.25,) * 4
_FEW_ROWS = 11  # for more rows, arrays are faster than numbers


def counted(columns: Any, max_order: int) -> Counted:
    """Split the columns of a table into named counts.

    `columns`: one number per column, or an array of shape (columns, …), which is not copied.

    >>> counted([5, 3, 6, 5, 6, 7], max_order=2)
    Counted(matches=[5, 3], totals=[6, 5], length=6, reference_length=7, last_segment=[])
    """
    n_sums = 2 * max_order
    return Counted(
        columns[:max_order], columns[max_order:n_sums], columns[n_sums], columns[n_sums + 1], columns[n_sums + 2 :]
    )


def order_weights(weights: Sequence[float] | None, max_order: int) -> tuple[float, ...]:
    """Return `weights` as a tuple. If `weights` is None, return equal weights: None, 2 -> (0.5, 0.5)."""
    return tuple(weights or (1 / max_order,) * max_order)


def bleu_of_row(row: Sequence[Any], config: Any, is_sentence: bool = False) -> tuple[float, list[float], float]:
    """Return the score, the precisions and the brevity penalty of one row of counts."""
    return bleu_of_counts(counted(row, config.max_order), config, is_sentence)


def bleu_of_rows(rows: Array, config: Any, sentences: bool = False) -> Floats:
    """Return the score of each row of a table: shape (…, columns) -> (…,).

    `sentences`: the argument `is_sentence` of `bleu_of_counts`.
    """
    if sentences and len(rows) <= _FEW_ROWS:
        few_scores = [bleu_of_row(row, config, is_sentence=True)[0] for row in rows.tolist()]
        return np.array(few_scores, np.float64)

    columns = np.moveaxis(rows, -1, 0)  # shape (columns, …), because the formula uses one array per column
    counts = counted(np.ascontiguousarray(columns), config.max_order)
    # NumPy need not warn of infinity and NaN, because `bleu_of_counts` raises an error for both
    with np.errstate(over="ignore", invalid="ignore"):
        scores: Floats = bleu_of_counts(counts, config, sentences)[0]
    return scores


def bleu_of_counts(counts: Counted, config: Any, is_sentence: bool) -> tuple[Number, list[Number], Number]:
    """Compute BLEU = BP * exp(sum of w_n * log p_n) (Papineni et al. 2002).

    Args:
        counts: the counts of one or many rows.
        config: a `BleuConfig`.
        is_sentence: whether each row is one sentence, for ``effective_order="sentence"`` and
            ``zero_score="empty-prediction"``.

    Returns:
        The score, the precision of each order and the brevity penalty, on a scale of 0 to 1.

    Raises:
        ValueError: a score or a precision is not finite.
    """
    if config.total_floor == "corpus":
        counts = counts._replace(totals=at_least(1, counts.totals))
    value = config.smoothing_value or 0.0  # the option is None if the formula has no value
    precisions = smoothed_precisions(SMOOTHINGS[config.smoothing], counts, value)
    penalty = _brevity_penalty(counts, config)
    weights = _order_weights(counts, precisions, config, is_sentence)
    bleu = penalty * _geometric_mean(precisions, weights, counts, config)

    rule = config.zero_score
    if rule != "never":
        is_zero = _is_zero(rule, counts, is_sentence)
        bleu = where(is_zero, 0.0, bleu)
        if rule == "no-match":  # as in sacrebleu, nothing is smoothed if nothing matches
            precisions = [where(is_zero, 0.0, precision) for precision in precisions]
        elif rule == "empty":  # as in the output of multi-bleu.perl
            penalty = where(is_zero, 0.0, penalty)

    # If a number is infinite or NaN, so is the sum, because no number is negative
    total = bleu + sum(precisions)
    if not (math.isfinite(total) if isinstance(total, float) else np.isfinite(total).all()):
        option = typed("smoothing_value")
        raise ValueError(f"the score is too large for a float: pass smaller weights or another {option}")
    return bleu, precisions, penalty


def _brevity_penalty(counts: Counted, config: Any) -> Number:
    """Compute the brevity penalty: 1 if c >= r, 0 if c = 0 < r, and exp(1 - r / c) otherwise.

    c is the translation length, and r is the effective reference length. Some smoothings add constants to c and r.
    """
    added_to_c, added_to_r = SMOOTHINGS[config.smoothing].added_to_lengths
    c = counts.length + added_to_c
    r = counts.reference_length / units_per_token(config.reference_length) + added_to_r
    penalty = where(c > 0, exp(1 - ratio(r, c)), 0.0)
    return where(c >= r, 1.0, penalty)


def _order_weights(counts: Counted, precisions: Sequence[Number], config: Any, is_sentence: bool) -> Sequence[Number]:
    """Return the weight of each order. `effective_order` and `auto_reweigh` change the weights for short texts."""
    weights: Sequence[Number] = order_weights(config.weights, config.max_order)
    changes_short_texts = config.auto_reweigh and weights == _WEIGHTS_OF_BLEU_4  # NLTK's condition

    is_effective = config.effective_order is True or (is_sentence and config.effective_order == "sentence")
    if is_effective and 0 in counts.totals:
        # With smoothing, the precision of an order without n-grams can be above 0
        columns = zip(counts.totals, precisions, strict=True)
        weights = _effective_weights(weights, [(total > 0) | (precision > 0) for total, precision in columns])
    if changes_short_texts:
        weights = [_reweighed(weight, order, counts.length) for order, weight in enumerate(weights, 1)]
    return weights


def _effective_weights(weights: Sequence[Number], is_defined: Sequence[Flag]) -> Sequence[Number]:
    """Set the weights of undefined orders to 0, and scale the other weights to the same sum.

    For example, if orders 3 and 4 are undefined, [1/4, 1/4, 1/4, 1/4] becomes [1/2, 1/2, 0, 0]. Weights that sum to 0
    are not scaled.
    """
    kept = [where(flag, weight, 0.0) for flag, weight in zip(is_defined, weights, strict=True)]
    loses_weight = _any([new != old for new, old in zip(kept, weights, strict=True)])
    old_sum, new_sum = sum(weights), sum(kept)
    can_scale = loses_weight & (new_sum != 0)
    # Divide before multiplying, because the product of two tiny weights could be 0
    return [where(can_scale, ratio(weight, new_sum) * old_sum, weight) for weight in kept]


def _reweighed(weight: Number, order: int, length: Number) -> Number:
    """Return the weight of an order with NLTK's ``auto_reweigh``.

    For 2 tokens, the weights of orders 1 to 4 are 1/2, 1/2, 0 and 0. For 0 or more than 3 tokens, return `weight`.
    """
    is_short = (length >= 1) & (length <= 3)
    new_weight = where(order <= length, ratio(1.0, length), 0.0)
    return where(is_short, new_weight, weight)


def _geometric_mean(precisions: Sequence[Number], weights: Sequence[Number], counts: Counted, config: Any) -> Number:
    """Compute exp(sum of w_n * log p_n). If an order with a nonzero weight has the precision 0, return 0.

    ``zero_precision="skip"`` leaves out orders with the precision 0, if there is a smoothing.
    ``zero_precision="skip-absent"`` leaves out orders without n-grams, but not if the predictions have no tokens,
    because a mean without orders would be 1.
    """
    rule = config.zero_precision
    skips_zeros = rule == "skip" and SMOOTHINGS[config.smoothing].fills_zeros
    exponent: Number = 0.0
    is_zero: Flag = False
    for precision, weight, total in zip(precisions, weights, counts.totals, strict=True):
        exponent = exponent + weight * log(precision)  # the logarithm of 0 counts as 0
        if not skips_zeros:
            lacks_precision = (precision == 0) & (weight != 0)
            if rule == "skip-absent":
                lacks_precision = lacks_precision & ((total > 0) | (counts.length == 0))
            is_zero = is_zero | lacks_precision
    return where(is_zero, 0.0, exp(exponent))


def _is_zero(rule: str, counts: Counted, is_sentence: bool) -> Flag:
    """Return whether the score is 0. `rule`: a value of `zero_score` except "never".

    With "empty-prediction", empty references make a corpus score 0, but not a sentence score.
    """
    if rule == "any-order":
        return _any([matches == 0 for matches in counts.matches])
    if rule == "no-match":
        return sum(counts.matches) == 0
    is_empty = counts.length == 0
    allows_no_references = is_sentence and rule == "empty-prediction"
    return is_empty if allows_no_references else is_empty | (counts.reference_length == 0)


def _any(flags: Sequence[Flag]) -> Flag:
    """Return whether any flag is True. For arrays, return an array of flags."""
    found: Flag = False
    for flag in flags:
        found = found | flag
    return found
