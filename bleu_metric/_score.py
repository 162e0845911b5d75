"""Counts -> precisions, brevity penalty, BLEU: of a corpus, of its sentences, of groups, of a thousand resamples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np

from ._arrays import Bools, Floats, Ints
from ._config import BleuConfig
from ._counts import Counts, counts_by_name, order_by_group, sum_groups, sum_rows
from ._reference_length import units_per_token
from ._smoothing import SMOOTHINGS, Context
from ._statistics import BleuStatistics, check_statistics, require_segments
from ._validation import Label, as_int, has_length, short_repr

# A list where `weights` is a list of lists. `float | list[float]` would make every user of a single score rule the
# list out.
Numbers = float | Any
_LOG_OF_LONG_DOUBLE = -11355.137111933024  # ln(LDBL_MIN), too small for a double


class Scores(NamedTuple):
    """Scores of tables with any leading axes (…)."""

    bleu: Floats  # (…, lists of weights), 0-1
    precisions: Floats  # (…, orders)
    brevity_penalty: Floats  # (…,)


@dataclass(frozen=True, kw_only=True)
class BleuScore:
    """One BLEU and how it came about. Scores, precisions and the penalty are on a scale of 0 to 1.

    >>> from bleu_metric import corpus_bleu
    >>> result = corpus_bleu(["a b c d"], ["a b c d e"], max_order=2)
    >>> result.counts, result.totals, result.translation_length, result.reference_length
    ([4, 3], [4, 3], 4, 5)
    >>> round(result.bleu, 4), result.precisions, round(result.brevity_penalty, 4), result.length_ratio
    (0.7788, [1.0, 1.0], 0.7788, 0.8)
    """

    bleu: Numbers
    """The score; a list where ``weights`` is a list of lists."""
    precisions: list[float]
    """Modified precision of orders 1 to N, as it entered the score: smoothed, if a smoothing was asked for."""
    brevity_penalty: float
    length_ratio: float
    """translation_length / reference_length; 0.0 when the latter is 0."""
    translation_length: int
    """Tokens of all predictions."""
    reference_length: int | float
    """Effective reference length in tokens, summed; a whole number unless it is an average."""
    counts: list[int]
    """Clipped matches of orders 1 to N; never smoothed."""
    totals: list[int]
    """Number of n-grams of orders 1 to N in the predictions; with ``total_floor="segment"`` 1 or more per segment."""
    signature: str
    """Every choice that made the number."""

    def to_dict(self) -> dict[str, Any]:
        """Give all fields by name, as plain Python values.

        >>> from bleu_metric import corpus_bleu
        >>> corpus_bleu(["a b c d"], ["a b c d"]).to_dict()["counts"]
        [4, 3, 2, 1]
        """
        return asdict(self)

    def citation(self, interval: HasInterval | None = None, digits: int = 1) -> Citation:
        """Write the score for a paper, in percent, with its signature.

        Args:
            interval: what `bootstrap` gave for the same segments.
            digits: after the decimal point.

        Returns:
            A ``sentence`` for the text and a ``cell`` for a table.

        Raises:
            ValueError: a list of scores, an interval of another score, or `digits` not from 0 to 17.
            TypeError: `digits` that are not a whole number, or an interval that `bootstrap` did not give.

        >>> from bleu_metric import corpus_bleu
        >>> cited = corpus_bleu(["the cat sat on the mat"], ["the cat sat on a mat"]).citation()
        >>> cited.cell
        '53.7'
        >>> cited.sentence  # doctest: +ELLIPSIS
        'BLEU 53.7, signature nrefs:1|tok:13a|case:mixed|order:4|...'
        """
        return cite(self.bleu, self.signature, interval, digits)


def score_tables(table: Ints, config: BleuConfig, sentences: bool = False) -> Scores:
    """Score tables of counts, int64 of shape (…, columns of the configuration).

    BLEU = BP * exp(sum of w_n * log p_n), Papineni et al. 2002. `sentences`: each row is a sentence of its own, which
    matters to ``effective_order="sentence"``. Raises ``ValueError`` where a result is not finite.
    """
    counts = counts_by_name(table, config)
    if config.total_floor == "corpus":
        counts = counts._replace(totals=np.maximum(counts.totals, 1))
    reference_lengths = counts.reference_lengths / units_per_token(config.reference_length)
    with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused below
        precisions = smoothed_precisions(counts, config)
        penalty = brevity_penalty(counts.lengths, reference_lengths)
        weights = order_weights(counts, precisions, config, sentences)
        mean = weighted_geometric_mean(precisions, weights, counts.totals, config)
        bleu = penalty[..., np.newaxis] * mean
    is_zero = _scores_zero(counts, reference_lengths, config.zero_score)
    bleu = np.where(is_zero[..., np.newaxis], 0.0, bleu)
    if not (np.isfinite(bleu).all() and np.isfinite(precisions).all()):
        raise ValueError("the score is too large for a number: take smaller weights, or another smoothing_value")
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


def brevity_penalty(lengths: Ints, reference_lengths: Floats) -> Floats:
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
    log_of_zero = _LOG_OF_LONG_DOUBLE if config.zero_precision == "long-double" else -np.inf
    logs = np.log(precisions, out=np.full(precisions.shape, log_of_zero), where=precisions > 0)
    logs = logs[..., np.newaxis, :]
    is_used = (weights != 0) & ~is_left_out[..., np.newaxis, :]
    is_lost = np.isneginf(logs) & is_used
    terms = np.multiply(weights, logs, out=np.zeros(is_used.shape), where=is_used & ~is_lost)
    return np.where(is_lost.any(axis=-1), 0.0, np.exp(terms.sum(axis=-1)))


def _may_be_left_out(config: BleuConfig, totals: Ints) -> Bools:
    if config.zero_precision == "skip-absent":
        is_absent: Bools = totals == 0
        return is_absent
    skips = config.zero_precision == "skip" and SMOOTHINGS[config.smoothing].fills_zeros
    return np.full(totals.shape, skips)


def _scores_zero(counts: Counts, reference_lengths: Floats, rule: str) -> Bools:
    """Say which scores are 0 whatever the smoothing; `rule`: the option ``zero_score``."""
    if rule == "never":
        return np.zeros(counts.lengths.shape, bool)
    has_no_match = counts.matches == 0
    is_zero: Bools
    if rule == "empty-prediction":
        is_zero = counts.lengths == 0
    elif rule == "empty":
        is_zero = (counts.lengths == 0) | (reference_lengths == 0)
    elif rule == "any-order":
        is_zero = has_no_match.any(axis=-1)
    else:
        is_zero = has_no_match.all(axis=-1)
    return is_zero


def score_sentences(statistics: BleuStatistics) -> Floats:
    """Score every row by itself: shape (rows,), or (rows, lists) where ``weights`` is a list of lists."""
    require_segments(statistics, "score sentences")
    bleu = score_tables(statistics.table, statistics.config, sentences=True).bleu
    return bleu if statistics.config.has_many_weights else bleu[..., 0]


def score(statistics: BleuStatistics) -> BleuScore:
    """Score all segments together; where the configuration says so, take the mean of their scores.

    Args:
        statistics: of `corpus_statistics`, or sums of such.

    Returns:
        The same as `corpus_bleu` gives for the texts.

    Raises:
        TypeError: anything but statistics.
        ValueError: no segments, or weights or a smoothing value so large that the score is not a number.

    >>> from bleu_metric import corpus_statistics
    >>> score(corpus_statistics(["a b"], ["a b"], max_order=2) + corpus_statistics(["a"], ["c"], max_order=2)).counts
    [2, 1]
    """
    check_statistics("statistics", statistics)
    if not len(statistics):
        raise ValueError("these statistics have no segments to score")
    config = statistics.config
    total = sum_rows(statistics.table, config)
    scores = score_tables(total, config)
    if config.average == "sentence":
        sentences = score_tables(statistics.table, config, sentences=True).bleu
        scores = scores._replace(bleu=sentences.mean(axis=0))
    return BleuScore(**_score_fields(total, scores, config, statistics.signature()))


def _score_fields(total: Ints, scores: Scores, config: BleuConfig, signature: str) -> dict[str, Any]:
    """Name the parts of one score, as plain Python values; `total`: one row of summed counts."""
    counts = counts_by_name(total, config)
    units = units_per_token(config.reference_length)
    length, reference_length = int(counts.lengths), int(counts.reference_lengths)
    return {
        "bleu": scores.bleu.tolist() if config.has_many_weights else float(scores.bleu[0]),
        "precisions": scores.precisions.tolist(),
        "brevity_penalty": float(scores.brevity_penalty),
        "length_ratio": length * units / reference_length if reference_length else 0.0,
        "translation_length": length,
        "reference_length": reference_length if units == 1 else reference_length / units,
        "counts": counts.matches.tolist(),
        "totals": counts.totals.tolist(),
        "signature": signature,
    }


_MOST_DIGITS = 17  # a float has no more


class Citation(NamedTuple):
    """How to report a score."""

    sentence: str
    """Score, interval and signature, for the text."""
    cell: str
    """Score and interval, for a table."""


class HasInterval(Protocol):
    """What a citation needs of an `Interval`."""

    @property
    def score(self) -> Any: ...
    @property
    def low(self) -> Any: ...
    @property
    def high(self) -> Any: ...
    @property
    def signature(self) -> str: ...


def cite(bleu: float | list[float], signature: str, interval: HasInterval | None, digits: int) -> Citation:
    """Write a score between 0 and 1 in percent; see `BleuScore.citation`."""
    if isinstance(bleu, list):
        raise ValueError("weights is a list of lists: cite one score, counted with one list of weights")
    places = as_int(digits)
    if places is None:
        raise TypeError(f"digits must be a whole number, got {short_repr(digits)}")
    if not 0 <= places <= _MOST_DIGITS:
        raise ValueError(f"digits must be at least 0 and at most {_MOST_DIGITS}, got {short_repr(digits)}")
    cell = f"{100 * bleu:.{places}f}"
    if interval is not None:
        if not hasattr(interval, "score"):
            raise TypeError(f"interval must be what bootstrap gave, got {short_repr(interval)}")
        if isinstance(interval.score, list) or abs(interval.score - bleu) > 1e-12:
            raise ValueError(f"the interval is of another score: {interval.score!r}, not {bleu!r}")
        cell += f" [{100 * interval.low:.{places}f}, {100 * interval.high:.{places}f}]"
        signature = interval.signature
    return Citation(f"BLEU {cell}, signature {signature}", cell)


@dataclass(frozen=True, kw_only=True)
class GroupScore(BleuScore):
    """The score of a group of segments: a `BleuScore` that knows how many they are.

    >>> from bleu_metric import corpus_bleu
    >>> corpus_bleu(["a b", "c"], ["a b", "c"], groups=["news", "news"], max_order=1)["news"].segments
    2
    """

    segments: int
    """How many segments the group has."""


def score_groups(statistics: BleuStatistics, groups: Any) -> dict[Label, GroupScore]:
    """Score each group of segments as a corpus of its own.

    Args:
        statistics: one row per segment, of `corpus_statistics`.
        groups: one label per segment, strings or whole numbers: a list, array or column.

    Returns:
        One score per label, in order of first appearance. Signatures give the number of references of the whole corpus.

    Raises:
        TypeError, ValueError: labels that are missing, of another type or number; statistics that are a total.

    >>> from bleu_metric import corpus_statistics
    >>> statistics = corpus_statistics(["a b", "a c", "b c"], ["a b", "a b", "b c"], max_order=1)
    >>> scores = score_groups(statistics, ["news", "chat", "news"])
    >>> {label: (score.bleu, score.segments) for label, score in scores.items()}
    {'news': (1.0, 2), 'chat': (0.5, 1)}
    """
    check_statistics("statistics", statistics)
    require_segments(statistics, "group segments")
    labels, order, starts = order_by_group(groups, len(statistics))
    if not labels:
        return {}
    config, signature = statistics.config, statistics.signature()
    sums = sum_groups(statistics.table, config, order, starts)
    scores = score_tables(sums, config)
    if config.average == "sentence":
        sentences = score_tables(statistics.table, config, sentences=True).bleu.take(order, axis=0)
        means = [of_group.mean(axis=0) for of_group in np.split(sentences, starts[1:])]
        scores = scores._replace(bleu=np.stack(means))
    sizes = np.diff(starts, append=len(order)).tolist()
    by_label = {}
    for place, label in enumerate(labels):
        own_scores = Scores(*(values[place] for values in scores))
        fields = _score_fields(sums[place], own_scores, config, signature)
        by_label[label] = GroupScore(**fields, segments=sizes[place])
    return by_label


def length_groups(statistics: BleuStatistics, edges: Sequence[int] = (10, 20, 30, 40, 50, 60)) -> Ints:
    """Label each segment by its reference length: the largest edge that is not longer, else 0.

    Args:
        statistics: one row per segment, of `corpus_statistics`.
        edges: whole numbers of tokens, rising from above 0.

    Returns:
        Labels for `score_groups`, int64 of shape (segments,); sorted, they are in order of length.

    Raises:
        TypeError: edges that are not whole numbers.
        ValueError: edges that do not rise from above 0, or a total.

    >>> from bleu_metric import corpus_statistics
    >>> length_groups(corpus_statistics(["a", "b"], ["a b c d e", "b"]), [2, 4]).tolist()
    [4, 0]
    """
    check_statistics("statistics", statistics)
    require_segments(statistics, "group segments by length")
    is_list = has_length(edges) and isinstance(edges, (list, tuple, range, np.ndarray))
    numbers = [as_int(edge) for edge in edges] if is_list else [None]
    if None in numbers:
        raise TypeError(f"edges must be whole numbers, e.g. [10, 20, 40]; got {short_repr(edges)}")
    if not all(low < high for low, high in pairwise([0, *numbers, 2**63])):
        raise ValueError(f"edges must rise, from above 0, e.g. [10, 20, 40]; got {short_repr(edges)}")
    tokens = statistics.reference_lengths // units_per_token(statistics.config.reference_length)
    places = np.searchsorted(np.array(numbers, np.int64), tokens, side="right")
    return np.array([0, *numbers], np.int64).take(places)
