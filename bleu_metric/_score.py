"""Counts -> precisions, brevity penalty, BLEU: of a corpus, of its sentences, of groups, of a thousand resamples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np

from ._arrays import Bools, Floats, Ints
from ._config import BleuConfig
from ._reference_length import units_per_token
from ._smoothing import SMOOTHINGS, Context, Smoothing
from ._statistics import BleuStatistics, check_statistics, order_by_group, sum_groups, sum_rows
from ._validation import Label, as_int, has_length, short_repr

# A list where `weights` is a list of lists, which types do not tell: with `float | list[float]` every user of a
# single score would have to rule the list out
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
        """All fields by name, as plain Python values.

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
            TypeError: `digits` that are no whole number, or an interval that is none.

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

    `sentences`: whether each row is a sentence by itself, which matters to ``effective_order="sentence"``.
    BLEU = BP * exp(sum of w_n * log p_n), Papineni et al. 2002.
    """
    orders = config.max_order
    matches, totals = table[..., :orders], table[..., orders : 2 * orders]
    length, reference = table[..., 2 * orders], table[..., 2 * orders + 1] / units_per_token(config.reference_length)
    if config.total_floor == "corpus":
        totals = np.maximum(totals, 1)
    smoothing = SMOOTHINGS[config.smoothing]
    value = 0.0 if config.smoothing_value is None else config.smoothing_value
    with np.errstate(over="ignore", invalid="ignore"):  # a huge value of a smoothing gives a precision of 0
        precisions = smoothing.formula(matches, totals, value, _context(table, config))
    penalty = brevity_penalty(length, reference)
    zero = _is_zero(config.zero_score, matches, length, reference)
    left_out = (precisions == 0) & _may_be_left_out(config.zero_precision, smoothing, totals)
    log_of_zero = _LOG_OF_LONG_DOUBLE if config.zero_precision == "long-double" else -np.inf
    logs = np.log(precisions, out=np.full(precisions.shape, log_of_zero), where=precisions > 0)
    with np.errstate(over="ignore", invalid="ignore"):  # refused below
        weights = _weights(config, (totals > 0) | (precisions > 0), length, sentences)
    used = (weights != 0) & ~left_out[..., np.newaxis, :]
    # A used order of precision 0 makes the score 0, whatever the sign of its weight
    lost = np.isneginf(logs)[..., np.newaxis, :] & used
    with np.errstate(over="ignore", invalid="ignore"):
        terms = np.multiply(weights, logs[..., np.newaxis, :], out=np.zeros(used.shape), where=used & ~lost)
        bleu = np.where(lost.any(axis=-1), 0.0, penalty[..., np.newaxis] * np.exp(terms.sum(axis=-1)))
    bleu = np.where(zero[..., np.newaxis], 0.0, bleu)
    if not np.isfinite(bleu).all():
        raise ValueError("the score is too large for a number: take smaller weights, or another smoothing_value")
    return Scores(bleu, precisions, penalty)


def brevity_penalty(length: Ints, reference: Floats) -> Floats:
    """exp(1 - r/c) where the translation is shorter, else 1; 0 for an empty one. Papineni et al. 2002, 2.2.2."""
    ratio = np.divide(reference, length, out=np.full(np.shape(length), np.inf), where=length > 0)
    return np.where(length >= reference, 1.0, np.exp(np.minimum(1 - ratio, 0.0)))


def _context(table: Ints, config: BleuConfig) -> Context:
    length = table[..., 2 * config.max_order]
    if not config.depends_on_segment_order:
        return Context(length, np.zeros(length.shape), length)
    return Context(length, table[..., -3] / np.maximum(table[..., -2], 1), table[..., -1])


def _is_zero(rule: str, matches: Ints, length: Ints, reference: Floats) -> Bools:
    if rule == "never":
        return np.zeros(length.shape, bool)
    if rule in ("empty", "empty-prediction"):
        empty: Bools = (length == 0) | ((reference == 0) & (rule == "empty"))
        return empty
    without = matches == 0
    zero: Bools = without.any(axis=-1) if rule == "any-order" else without.all(axis=-1)
    return zero


def _may_be_left_out(rule: str, smoothing: Smoothing, totals: Ints) -> Bools:
    if rule == "skip-absent":
        absent: Bools = totals == 0
        return absent
    return np.full(totals.shape, rule == "skip" and smoothing.fills_zeros)


def _weights(config: BleuConfig, defined: Bools, length: Ints, sentences: bool) -> Floats:
    """One weight per list and order, shape (…, lists, orders) or one that broadcasts to it."""
    lists = config.weight_lists()
    weights = np.zeros((len(lists), config.max_order))
    for row, one in zip(weights, lists, strict=True):
        row[: len(one)] = one
    if config.weight_precision == "float32":
        weights = weights.astype(np.float32).astype(np.float64)
    if config.effective_order is True or (sentences and config.effective_order == "sentence"):
        present = defined[..., np.newaxis, :] * weights
        before = present.sum(axis=-1, keepdims=True)
        weights = np.divide(present * weights.sum(axis=-1, keepdims=True), before, out=present, where=before != 0)
    if config.auto_reweigh:
        quarters = np.array([one == (0.25,) * 4 for one in lists])  # NLTK asks for these four, and for no 0 behind
        short = ((length > 0) & (length < 4))[..., np.newaxis, np.newaxis] & quarters[:, np.newaxis]
        position = np.arange(config.max_order)
        spread = (position < length[..., np.newaxis]) / np.maximum(length, 1)[..., np.newaxis]
        weights = np.where(short, spread[..., np.newaxis, :], weights)
    return weights


def score_sentences(statistics: BleuStatistics) -> Floats:
    """Score every row by itself: shape (rows,), or (rows, lists) for a list of lists of weights."""
    if statistics.is_total:
        raise ValueError("these statistics are a total: there are no sentences left to score")
    bleu = score_tables(statistics.table, statistics.config, sentences=True).bleu
    return bleu if statistics.config.has_many_weights else bleu[..., 0]


def score(statistics: BleuStatistics) -> BleuScore:
    """Score all segments together; the mean of their scores if the configuration says so.

    Args:
        statistics: of `corpus_statistics`, or sums of such.

    Returns:
        The same as `corpus_bleu` gives for the texts.

    Raises:
        TypeError: anything but statistics.
        ValueError: no segments, or weights or a value of a smoothing so large that the score is no number.

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
    bleu = scores.bleu
    if config.average == "sentence":
        bleu = score_tables(statistics.table, config, sentences=True).bleu.mean(axis=0)
    return BleuScore(**score_fields(total, scores._replace(bleu=bleu), config, statistics.signature()))


def score_fields(total: Ints, scores: Scores, config: BleuConfig, signature: str) -> dict[str, Any]:
    """Name the parts of one score, as plain Python values; `total` is one row of summed counts."""
    orders = config.max_order
    parts = units_per_token(config.reference_length)
    length, reference = int(total[2 * orders]), int(total[2 * orders + 1])
    return {
        "bleu": scores.bleu.tolist() if config.has_many_weights else float(scores.bleu[0]),
        "precisions": scores.precisions.tolist(),
        "brevity_penalty": float(scores.brevity_penalty),
        "length_ratio": length * parts / reference if reference else 0.0,
        "translation_length": length,
        "reference_length": reference if parts == 1 else reference / parts,
        "counts": total[:orders].tolist(),
        "totals": total[orders : 2 * orders].tolist(),
        "signature": signature,
    }


_DIGITS = 17  # a float has no more


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
    if not 0 <= places <= _DIGITS:
        raise ValueError(f"digits must be at least 0 and at most {_DIGITS}, got {short_repr(digits)}")
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
    >>> {label: (one.bleu, one.segments) for label, one in scores.items()}
    {'news': (1.0, 2), 'chat': (0.5, 1)}
    """
    check_statistics("statistics", statistics)
    labels, order, starts = order_by_group(groups, len(statistics), statistics.is_total)
    if not labels:
        return {}
    config, signature = statistics.config, statistics.signature()
    sums = sum_groups(statistics.table, config, order, starts)
    scores = score_tables(sums, config)
    bleu = scores.bleu
    if config.average == "sentence":
        sentences = score_tables(statistics.table, config, sentences=True).bleu.take(order, axis=0)
        bleu = np.stack([of_group.mean(axis=0) for of_group in np.split(sentences, starts[1:])])
    sizes = np.diff(starts, append=len(order)).tolist()
    found = {}
    for place, label in enumerate(labels):
        own = Scores(bleu[place], scores.precisions[place], scores.brevity_penalty[place])
        found[label] = GroupScore(**score_fields(sums[place], own, config, signature), segments=sizes[place])
    return found


def length_groups(statistics: BleuStatistics, edges: Sequence[int] = (10, 20, 30, 40, 50, 60)) -> Ints:
    """Label each segment by its reference length: the largest edge that is not longer, else 0.

    Args:
        statistics: one row per segment, of `corpus_statistics`.
        edges: whole numbers of tokens, rising from above 0.

    Returns:
        Labels for `score_groups`, int64 of shape (segments,); sorted, they are in order of length.

    Raises:
        TypeError: edges that are no whole numbers.
        ValueError: edges that do not rise from above 0, or a total.

    >>> from bleu_metric import corpus_statistics
    >>> length_groups(corpus_statistics(["a", "b"], ["a b c d e", "b"]), [2, 4]).tolist()
    [4, 0]
    """
    check_statistics("statistics", statistics)
    if statistics.is_total:
        raise ValueError("these statistics are a total: there are no segments left to group")
    is_list = has_length(edges) and isinstance(edges, (list, tuple, range, np.ndarray))
    numbers = [as_int(edge) for edge in edges] if is_list else [None]
    if None in numbers:
        raise TypeError(f"edges must be whole numbers, e.g. [10, 20, 40]; got {short_repr(edges)}")
    if not all(low < high for low, high in pairwise([0, *numbers, 2**63])):
        raise ValueError(f"edges must rise, from above 0, e.g. [10, 20, 40]; got {short_repr(edges)}")
    lengths = statistics.table[:, 2 * statistics.config.max_order + 1] // units_per_token(
        statistics.config.reference_length
    )
    places = np.searchsorted(np.array(numbers, np.int64), lengths, side="right")
    return np.array([0, *numbers], np.int64).take(places)
