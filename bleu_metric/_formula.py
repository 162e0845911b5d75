"""The BLEU formula: precisions, brevity penalty and score, of one row of counts or of many rows at once.

Each step is written once. The functions `where`, `ratio`, `log` and others work for a number and for an array. One row
is computed with plain numbers, because even the shortest array operation costs microseconds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ._config import BleuConfig, weights_of
from ._lazy import np
from ._rules import (
    SMOOTHINGS,
    Counted,
    Flag,
    Number,
    at_least,
    exp,
    log,
    ratio,
    smoothed_precisions,
    units_per_token,
    where,
)
from ._validation import Array, Floats, typed

_WEIGHTS_OF_BLEU_4 = (0.25,) * 4
_FEW_ROWS = 11  # for more rows, arrays are faster than numbers


def counted(columns: Any, max_order: int) -> Counted:
    """Return the counts in the columns of a table by their names.

    `columns`: one number per column, or an array whose first axis are the columns. Its entries are views.

    >>> counted([5, 3, 6, 5, 6, 7], max_order=2)
    Counted(matches=[5, 3], totals=[6, 5], length=6, reference_length=7, last_segment=[])
    """
    n_sums = 2 * max_order
    return Counted(
        columns[:max_order], columns[max_order:n_sums], columns[n_sums], columns[n_sums + 1], columns[n_sums + 2 :]
    )


def bleu_of_row(row: Sequence[Any], config: BleuConfig, is_sentence: bool = False) -> tuple[float, list[float], float]:
    """Return the score of one row of counts, its precisions and its brevity penalty, as `bleu_of_counts` does."""
    return bleu_of_counts(counted(row, config.max_order), config, is_sentence)


def bleu_of_rows(rows: Array, config: BleuConfig, sentences: bool = False) -> Floats:
    """Return the score of each row of a table: shape (…, columns) -> (…,). `bleu_of_counts` explains `sentences`."""
    if sentences and len(rows) <= _FEW_ROWS:
        return np.array([bleu_of_row(row, config, is_sentence=True)[0] for row in rows.tolist()], np.float64)

    columns = np.ascontiguousarray(np.moveaxis(rows, -1, 0))  # so that NumPy's inner loops run over the rows
    # Infinity and NaN are checked at the end
    with np.errstate(over="ignore", invalid="ignore"):
        bleu, _precisions, _penalty = bleu_of_counts(counted(columns, config.max_order), config, sentences)
    return np.broadcast_to(bleu, rows.shape[:-1]).astype(np.float64)


def bleu_of_counts(counts: Counted, config: BleuConfig, is_sentence: bool) -> tuple[Number, list[Number], Number]:
    """Compute BLEU = BP * exp(sum of w_n * log p_n) (Papineni et al. 2002).

    Args:
        counts: the counts of one row, or of many.
        config: the options of the score.
        is_sentence: whether each row is one sentence. Only the settings ``effective_order="sentence"`` and
            ``zero_score="empty-prediction"`` depend on it.

    Returns:
        The score, the precision of each order and the brevity penalty, on a scale of 0 to 1.

    Raises:
        ValueError: a score or a precision is not finite.
    """
    if config.total_floor == "corpus":
        counts = counts._replace(totals=at_least(1, counts.totals))
    value = config.smoothing_value or 0.0  # it is None if the formula uses no value
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

    # The sum is infinite or NaN if a number is, because no number is negative
    total = bleu + sum(precisions)
    if not (math.isfinite(total) if isinstance(total, float) else np.isfinite(total).all()):
        option = typed("smoothing_value")
        raise ValueError(f"the score is too large for a float: pass smaller weights or another {option}")
    return bleu, precisions, penalty


def _brevity_penalty(counts: Counted, config: BleuConfig) -> Number:
    """Compute the brevity penalty of translation length c and effective reference length r.

    The penalty is 1 if c >= r, 0 if c = 0 < r, and exp(1 - r/c) otherwise (Papineni et al. 2002, section 2.2.2). A few
    smoothings add constants to c and r.
    """
    added_to_c, added_to_r = SMOOTHINGS[config.smoothing].added_to_lengths
    c = counts.length + added_to_c
    r = counts.reference_length / units_per_token(config.reference_length) + added_to_r
    penalty = where(c > 0, exp(1 - ratio(r, c)), 0.0)
    return where(c >= r, 1.0, penalty)


def _order_weights(
    counts: Counted, precisions: Sequence[Number], config: BleuConfig, is_sentence: bool
) -> Sequence[Number]:
    """Return the weight of each order. The options `effective_order` and `auto_reweigh` change it for short texts.

    With `effective_order`, orders with neither n-grams nor a precision lose their weight. The other weights are scaled
    so that their sum stays the same: 0.25 0.25 0.25 0.25 become 0.5 0.5 0 0. If they sum to 0, they are not scaled.
    With NLTK's `auto_reweigh`, 2 predicted tokens give the weights 0.5 0.5 0 0, too, whatever the precisions are.
    """
    weights: Sequence[Number] = weights_of(config)
    is_effective = config.effective_order is True or (is_sentence and config.effective_order == "sentence")
    if is_effective and 0 in counts.totals:
        is_defined = [(total > 0) | (precision > 0) for total, precision in zip(counts.totals, precisions, strict=True)]
        defined = [where(flag, weight, 0.0) for flag, weight in zip(is_defined, weights, strict=True)]
        loses_weight = _any([new != old for new, old in zip(defined, weights, strict=True)])
        new_sum, old_sum = sum(defined), sum(weights)
        can_scale = loses_weight & (new_sum != 0)
        # Divide before multiplying, because the product of two tiny weights could be 0
        weights = [where(can_scale, ratio(weight, new_sum) * old_sum, weight) for weight in defined]

    if config.auto_reweigh and weights_of(config) == _WEIGHTS_OF_BLEU_4:
        is_short = (counts.length >= 1) & (counts.length <= 3)
        share = ratio(1.0, at_least(1, counts.length))
        new_weights = [where(order <= counts.length, share, 0.0) for order in range(1, 5)]
        weights = [where(is_short, new, old) for new, old in zip(new_weights, weights, strict=True)]
    return weights


def _geometric_mean(
    precisions: Sequence[Number], weights: Sequence[Number], counts: Counted, config: BleuConfig
) -> Number:
    """Compute exp(sum of w_n * log p_n). If the precision of an order with a weight is 0, the mean is 0.

    Without this rule, a negative weight would make the mean infinite. With the option `zero_precision`, some orders
    with the precision 0 are left out instead.
    """
    rule = config.zero_precision
    skips_zeros = rule == "skip" and SMOOTHINGS[config.smoothing].fills_zeros
    exponent: Number = 0.0
    is_zero: Flag = False
    for precision, weight, total in zip(precisions, weights, counts.totals, strict=True):
        exponent = exponent + weight * log(precision)  # the logarithm of 0 counts as 0
        if not skips_zeros:
            lacks_precision = (precision == 0) & (weight != 0)
            is_zero = is_zero | (lacks_precision & (total > 0) if rule == "skip-absent" else lacks_precision)
    return where(is_zero, 0.0, exp(exponent))


def _is_zero(rule: str, counts: Counted, is_sentence: bool) -> Flag:
    """Return whether `rule`, the value of `zero_score` other than "never", makes the score 0.

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
    """Return whether one of the flags is True."""
    found: Flag = False
    for flag in flags:
        found = found | flag
    return found
