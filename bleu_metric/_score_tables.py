"""Tables of counts -> precisions, brevity penalty, BLEU: of any number of rows at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._config import BleuConfig
from ._counts import Counts, counts_by_name
from ._reference_length import units_per_token
from ._smoothing import SMOOTHINGS, Context
from ._validation import Bools, Floats, Ints

LOG_OF_LONG_DOUBLE = -11355.137111933024  # ln(LDBL_MIN), too small for a double
TOO_LARGE = "the score is too large for a number: take smaller weights, or another smoothing_value"


class Scores(NamedTuple):
    """Scores of tables with any leading axes (…)."""

    bleu: Floats  # (…, lists of weights), 0-1
    precisions: Floats  # (…, orders)
    brevity_penalty: Floats  # (…,)


def score_tables(table: Ints, config: BleuConfig, sentences: bool = False) -> Scores:
    """Score tables of counts, int64 of shape (…, columns of the configuration).

    BLEU = BP * exp(sum of w_n * log p_n), Papineni et al. 2002. `sentences`: each row is a sentence of its own, which
    matters to ``effective_order="sentence"`` and to ``zero_score="empty-prediction"``. Raises ``ValueError`` where a
    result is not finite.
    """
    counts = counts_by_name(np.asfortranarray(table), config)  # faster: NumPy goes over the rows, not over the orders
    if config.total_floor == "corpus":
        counts = counts._replace(totals=np.maximum(counts.totals, 1))
    reference_lengths = counts.reference_lengths / units_per_token(config.reference_length)
    with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused below
        precisions = smoothed_precisions(counts, config)
        added, added_to_references = SMOOTHINGS[config.smoothing].added_to_lengths
        lengths = counts.lengths.astype(np.float64) + added
        penalty = brevity_penalty(lengths, reference_lengths + added_to_references)
        weights = order_weights(counts, precisions, config, sentences)
        mean = weighted_geometric_mean(precisions, weights, counts.totals, config)
        bleu = penalty[..., np.newaxis] * mean
    is_zero = _scores_zero(counts, reference_lengths, config.zero_score, sentences)
    bleu = np.where(is_zero[..., np.newaxis], 0.0, bleu)
    if config.zero_score == "no-match":  # as sacrebleu has it: nothing is left to smooth
        precisions = np.where(is_zero[..., np.newaxis], 0.0, precisions)
    elif config.zero_score == "empty":  # as multi-bleu.perl has it
        penalty = np.where(is_zero, 0.0, penalty)
    if not (np.isfinite(bleu).all() and np.isfinite(precisions).all()):
        raise ValueError(TOO_LARGE)
    return Scores(bleu, precisions, penalty)


def smoothed_precisions(counts: Counts, config: BleuConfig) -> Floats:
    """Compute the modified precisions of all orders, smoothed as the configuration says: shape (…, orders)."""
    value = 0.0 if config.smoothing_value is None else config.smoothing_value
    formula = SMOOTHINGS[config.smoothing].formula
    return formula(counts.matches, counts.totals, value, _smoothing_context(counts))


def _smoothing_context(counts: Counts) -> Context:
    if not counts.last_segment.shape[-1]:
        return Context(counts.lengths, np.zeros(counts.lengths.shape), counts.lengths)
    matches_5, totals_5, length = np.moveaxis(counts.last_segment, -1, 0)
    return Context(counts.lengths, matches_5 / np.maximum(totals_5, 1), length)


def brevity_penalty(lengths: Floats, reference_lengths: Floats) -> Floats:
    """Compute exp(1 - r/c) for short translations, else 1; 0 for empty ones (Papineni et al. 2002, section 2.2.2)."""
    ratio = np.divide(reference_lengths, lengths, out=np.full(np.shape(lengths), np.inf), where=lengths > 0)
    penalty = np.exp(np.minimum(1 - ratio, 0.0))
    return np.where(lengths >= reference_lengths, 1.0, penalty)


def order_weights(counts: Counts, precisions: Floats, config: BleuConfig, sentences: bool) -> Floats:
    """Weigh the orders: one weight per list and order, shape (…, lists, orders) or one that broadcasts to it."""
    weights = _padded_weights(config)
    if config.effective_order is True or (sentences and config.effective_order == "sentence"):
        is_defined = (counts.totals > 0) | (precisions > 0)
        weights = _effective_weights(weights, is_defined)
    if config.auto_reweigh:
        weights = _reweighed_if_short(weights, counts.lengths, config)
    return weights


def _padded_weights(config: BleuConfig) -> Floats:
    """Write the lists of weights as rows, shape (lists, orders); a short list ends in zeros."""
    lists = config.weight_lists()
    weights = np.zeros((len(lists), config.max_order))
    for row, own_weights in zip(weights, lists, strict=True):
        row[: len(own_weights)] = own_weights
    if config.weight_precision == "float32":
        return weights.astype(np.float32).astype(np.float64)
    return weights


def _effective_weights(weights: Floats, is_defined: Bools) -> Floats:
    """Leave out orders without n-grams, and scale the other weights so that their sum stays the same."""
    defined_weights = is_defined[..., np.newaxis, :] * weights
    old_sum = weights.sum(axis=-1, keepdims=True)
    new_sum = defined_weights.sum(axis=-1, keepdims=True)
    shares = np.divide(defined_weights, new_sum, out=defined_weights, where=new_sum != 0)
    scaled: Floats = shares * old_sum  # in this order: the product of two tiny weights would be 0
    return scaled


def _reweighed_if_short(weights: Floats, lengths: Ints, config: BleuConfig) -> Floats:
    """Give a translation of 1 to 3 tokens the weights 1 / length, where NLTK's ``auto_reweigh`` does."""
    has_default_weights = np.array([own_weights == (0.25,) * 4 for own_weights in config.weight_lists()])
    is_short = (lengths > 0) & (lengths < 4)
    uses_length = is_short[..., np.newaxis, np.newaxis] & has_default_weights[:, np.newaxis]
    is_in_text = np.arange(config.max_order) < lengths[..., np.newaxis]
    by_length = is_in_text / np.maximum(lengths, 1)[..., np.newaxis]
    return np.where(uses_length, by_length[..., np.newaxis, :], weights)


def weighted_geometric_mean(precisions: Floats, weights: Floats, totals: Ints, config: BleuConfig) -> Floats:
    """Compute exp(sum of w_n * log p_n), shape (…, lists).

    An order with a weight and a precision of 0 makes the mean 0, whatever the sign of the weight, unless the
    configuration leaves the order out or gives it a tiny precision.
    """
    is_left_out = (precisions == 0) & _may_be_left_out(config, totals)
    log_of_zero = LOG_OF_LONG_DOUBLE if config.zero_precision == "long-double" else -np.inf
    is_positive = precisions > 0
    logs = np.where(is_positive, np.log(np.where(is_positive, precisions, 1.0)), log_of_zero)[..., np.newaxis, :]
    is_used = (weights != 0) & ~is_left_out[..., np.newaxis, :]
    is_lost = np.isneginf(logs) & is_used
    terms = weights * np.where(is_used & ~is_lost, logs, 0.0)
    return np.where(is_lost.any(axis=-1), 0.0, np.exp(terms.sum(axis=-1)))


def _may_be_left_out(config: BleuConfig, totals: Ints) -> Bools:
    if config.zero_precision == "skip-absent":
        is_absent: Bools = totals == 0
        return is_absent
    skips = config.zero_precision == "skip" and SMOOTHINGS[config.smoothing].fills_zeros
    return np.full_like(totals, skips, bool)


def _scores_zero(counts: Counts, reference_lengths: Floats, rule: str, sentences: bool) -> Bools:
    """Say which scores are 0 whatever the smoothing; `rule`: the option ``zero_score``."""
    if rule == "never":
        return np.zeros(counts.lengths.shape, bool)
    has_no_match = counts.matches == 0
    is_zero: Bools
    if rule == "empty-prediction" and sentences:
        is_zero = counts.lengths == 0
    elif rule in ("empty", "empty-prediction"):
        is_zero = (counts.lengths == 0) | (reference_lengths == 0)
    elif rule == "any-order":
        is_zero = has_no_match.any(axis=-1)
    else:
        is_zero = has_no_match.all(axis=-1)
    return is_zero
