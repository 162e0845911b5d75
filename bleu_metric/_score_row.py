"""One row of counts -> one score, in plain Python: what `score_tables` does for many rows at once.

An array operation costs microseconds however short the array is. A single score is several times faster without any.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ._config import BleuConfig
from ._counts import counts_by_name
from ._reference_length import units_per_token
from ._score_tables import LOG_OF_LONG_DOUBLE, TOO_LARGE, smoothed_precisions
from ._smoothing import SMOOTHINGS


class RowScore(NamedTuple):
    """The score of one row."""

    bleu: list[float]  # one per list of weights, 0-1
    precisions: list[float]
    brevity_penalty: float


def score_row(row: list[int], config: BleuConfig, is_sentence: bool = False) -> RowScore:
    """Score one row of counts, as `score_tables` does, with its errors."""
    orders = config.max_order
    matches, totals, length = row[:orders], row[orders : 2 * orders], row[2 * orders]
    reference_length = row[2 * orders + 1] / units_per_token(config.reference_length)
    if config.total_floor == "corpus":
        totals = [max(total, 1) for total in totals]
    added, added_to_reference = SMOOTHINGS[config.smoothing].added_to_lengths
    penalty = _brevity_penalty(length + added, reference_length + added_to_reference)
    is_zero = _scores_zero(matches, length, reference_length, config.zero_score, is_sentence)
    if is_zero and config.zero_score == "no-match":
        return RowScore([0.0] * len(config.weight_lists()), [0.0] * orders, penalty)
    precisions = _precisions(row, matches, totals, config)
    if is_zero:
        return RowScore(
            [0.0] * len(config.weight_lists()), precisions, 0.0 if config.zero_score == "empty" else penalty
        )
    bleu = []
    leaves_out = config.effective_order is True or (is_sentence and config.effective_order == "sentence")
    for own_weights in config.weight_lists():
        weights = own_weights
        if config.weight_precision == "float32":
            with np.errstate(over="ignore"):  # what is not finite is refused below
                weights = tuple(float(np.float32(weight)) for weight in weights)
        if leaves_out:
            weights = _effective_weights(weights, totals, precisions)
        if config.auto_reweigh and 0 < length < 4 and own_weights == (0.25,) * 4:
            weights = (1 / length,) * length
        bleu.append(penalty * _geometric_mean(precisions, weights, totals, config))
    if not all(map(math.isfinite, bleu)):
        raise ValueError(TOO_LARGE)
    return RowScore(bleu, precisions, penalty)


def _precisions(row: list[int], matches: list[int], totals: list[int], config: BleuConfig) -> list[float]:
    changes = SMOOTHINGS[config.smoothing].changes
    if changes == "none" or (changes == "zeros" and 0 not in matches):
        return [match / total if total else 0.0 for match, total in zip(matches, totals, strict=True)]
    counts = counts_by_name(np.array(row, np.int64), config)._replace(totals=np.array(totals))
    with np.errstate(over="ignore", invalid="ignore"):
        precisions: list[float] = smoothed_precisions(counts, config).tolist()
    if not all(map(math.isfinite, precisions)):
        raise ValueError(TOO_LARGE)
    return precisions


def _brevity_penalty(length: float, reference_length: float) -> float:
    if length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / length) if length else 0.0


def _scores_zero(matches: list[int], length: int, reference_length: float, rule: str, is_sentence: bool) -> bool:
    if rule == "no-match":
        return not any(matches)
    if rule == "any-order":
        return 0 in matches
    if rule == "empty-prediction" and is_sentence:
        return not length
    return rule in ("empty", "empty-prediction") and not (length and reference_length)


def _effective_weights(weights: tuple[float, ...], totals: list[int], precisions: list[float]) -> tuple[float, ...]:
    is_defined = [total > 0 or precision > 0 for total, precision in zip(totals, precisions, strict=True)]
    if all(is_defined):
        return weights
    defined = [weight if own else 0.0 for weight, own in zip(weights, is_defined, strict=False)]
    new_sum = sum(defined)
    if not new_sum:
        return tuple(defined)
    old_sum = sum(weights)
    return tuple(weight / new_sum * old_sum for weight in defined)


def _geometric_mean(
    precisions: list[float], weights: tuple[float, ...], totals: list[int], config: BleuConfig
) -> float:
    exponent = 0.0
    for weight, precision, total in zip(weights, precisions, totals, strict=False):
        if not weight:
            continue
        if precision > 0:
            exponent += weight * math.log(precision)
        elif config.zero_precision == "long-double":
            exponent += weight * LOG_OF_LONG_DOUBLE
        elif not _is_left_out(total, config):
            return 0.0
    try:
        return math.exp(exponent)
    except OverflowError:
        raise ValueError(TOO_LARGE) from None


def _is_left_out(total: int, config: BleuConfig) -> bool:
    if config.zero_precision == "skip-absent":
        return not total
    return config.zero_precision == "skip" and SMOOTHINGS[config.smoothing].fills_zeros
