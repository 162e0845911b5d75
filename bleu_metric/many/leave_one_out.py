"""Scores of each text against the other texts of its group, in linear time, and leave-one-out scores of references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import numpy as np

from .._bleu import score_texts
from .._config import BleuConfig, BleuOptions, fit_to_kind, require_one_score
from .._counting import SegmentCounts, apply_config
from .._counts import counts_by_name, orders_to_count
from .._dialects import Dialect, config_of
from .._reference_length import units_per_token
from .._score import BleuScore
from .._statistics import BleuStatistics, score
from .._validation import Ints
from .ngrams import grams_by_order, in_two_texts
from .texts import TokenIds, as_batch, tokenize_segments

# Values of `reference_length` that need at most two other texts' lengths, and "average", which has its own code
_RULES = ("closest", "closest-first", "closest-below-9999", "shortest", "longest", "average")


def count_against_others(tokens: TokenIds, group: Ints, config: BleuConfig) -> BleuStatistics:
    """Count each text with all other texts of its group as references. Return one row per text.

    A feature of a text (see the module `ngrams`) matches if another text of the group has it. `group`: each text's
    group number, in any order. Each group has at least two texts. Different groups have no token ids in common.
    """
    texts = len(tokens.lengths)
    matches = np.zeros((texts, orders_to_count(config)), np.int64)
    for order, grams in enumerate(grams_by_order(tokens, matches.shape[1], in_two_texts)):
        features = grams.features()
        matched = (np.bincount(features) > 1).take(features)
        matches[:, order] = np.bincount(grams.text[matched], minlength=texts)
    references = decisive_lengths(tokens.lengths, group, config.reference_length)
    starts = np.arange(0, 2 * texts, 2)
    statistics = apply_config(SegmentCounts(matches, tokens.lengths, references.ravel(), starts), config)
    others = np.bincount(group).take(group) - 1
    if config.reference_length == "average":
        units = units_per_token("average")
        means = _sums_of_others(tokens.lengths, group) * units // others
        counts_by_name(statistics.table, config).reference_lengths[...] = means
    return replace(statistics, nrefs=(int(others.min()), int(others.max())))


def count_against_each_other(tokens: TokenIds, group: Ints, config: BleuConfig) -> BleuStatistics:
    """Count each text with each other text of its group as its only reference. Return one row of sums per text.

    A feature matches once for each other text that has it.
    """
    if config.depends_on_segment_order or config.reference_length == "closest-below-9999":
        raise ValueError(
            "this definition adds up the counts of all pairs of texts; not accepted, because they need more than sums: "
            "smoothing='method5', 'method6' and 'method7', reference_length='closest-below-9999'"
        )
    texts = len(tokens.lengths)
    others = np.bincount(group).take(group) - 1
    matches = np.zeros((texts, config.max_order), np.int64)
    for order, grams in enumerate(grams_by_order(tokens, config.max_order, in_two_texts)):
        features = grams.features()
        others_with_feature = np.bincount(features, minlength=len(features)).take(features) - 1
        matches[:, order] = np.bincount(grams.text, weights=others_with_feature, minlength=texts)
    alone = SegmentCounts(matches, tokens.lengths, tokens.lengths, np.arange(texts))
    statistics = apply_config(alone, config)  # each text against itself; the lines below turn these counts into sums
    counts = counts_by_name(statistics.table, config)
    counts.totals[...] *= others[:, np.newaxis]
    counts.lengths[...] *= others
    counts.reference_lengths[...] = _sums_of_others(counts.reference_lengths, group)
    return statistics


def _sums_of_others(values: Ints, group: Ints) -> Ints:
    """Return, for each text, the sum of the values of the other texts of its group."""
    sums = np.bincount(group, weights=values).astype(np.int64)
    others: Ints = sums.take(group) - values
    return others


def decisive_lengths(lengths: Ints, group: Ints, rule: str) -> Ints:
    """Return, for each text, two lengths of other texts, which decide its reference length. The shape is (texts, 2).

    For "shortest" and "longest", these are the lengths of the shortest and of the longest other text. For other rules,
    these are the lengths of the text's neighbours in the group, sorted by length. The two lengths are in the order in
    which the caller lists the texts. Raise ``ValueError`` for a rule that needs more lengths.
    """
    if rule not in _RULES:
        raise ValueError(f"reference_length={rule!r} is not accepted in this function; accepted: {', '.join(_RULES)}")
    order = np.lexsort((lengths, group))  # stable: equal lengths stay in the order of the texts
    by_length, groups = lengths.take(order), group.take(order)
    positions = np.arange(len(order))
    is_first = np.append(True, groups[1:] != groups[:-1])
    is_last = np.append(is_first[1:], True)
    below, above = positions - 1, positions + 1
    if rule in ("shortest", "longest"):
        starts = np.flatnonzero(is_first)
        sizes = np.diff(starts, append=len(order))
        below, above = np.repeat(starts, sizes), np.repeat(starts + sizes - 1, sizes)
    below = np.where(is_first, positions + 1, below)
    above = np.where(is_last, positions - 1, above)
    starts_run = is_first | np.append(True, by_length[1:] != by_length[:-1])
    first_of_run = np.maximum.accumulate(np.where(starts_run, positions, 0))
    listed_first = order.take(first_of_run)  # the text of the same length that the caller lists first
    is_swapped = listed_first.take(above) < listed_first.take(below)
    decisive = np.empty((len(order), 2), np.int64)
    decisive[order, 0] = by_length.take(np.where(is_swapped, above, below))
    decisive[order, 1] = by_length.take(np.where(is_swapped, below, above))
    return decisive


@dataclass(frozen=True)
class LeaveOneOut:
    """Scores of references against one another, on a scale of 0 to 1. They measure how far the references agree.

    >>> leave_one_out_bleu([["a b c", "a b d"], ["e f", "e f"]], max_order=2)  # doctest: +ELLIPSIS
    LeaveOneOut(references=0.7303, 2 references, 2 segments, signature='leave-one-out:mean|nrefs:1|tok:13a|...')
    """

    references: float
    """Mean of `reference_scores`. It is the score of human translations: the human bound."""
    reference_scores: list[BleuScore] = field(repr=False)
    """Corpus scores in the order of the references: each reference against the others."""
    pooled: BleuScore = field(repr=False)
    """Corpus score of all references together, each against the others (Shen et al. 2019, ``intra_ref``)."""
    predictions: float | None
    """Mean of `prediction_scores`. You can compare it with `references`, because both leave out one reference."""
    prediction_scores: list[BleuScore] | None = field(repr=False)
    """Corpus scores of the predictions, one for each reference that is left out (Shen et al. 2019, ``multi_ref``)."""
    segments: int
    """Number of segments in the corpus."""
    signature: str
    """Every setting of the scores. ``nrefs`` is one less than the number of references per segment."""

    def __repr__(self) -> str:
        """Return the mean scores as text."""
        predictions = "" if self.predictions is None else f", predictions={self.predictions:.4}"
        means = f"references={self.references:.4}{predictions}"
        sizes = f"{len(self.reference_scores)} references, {self.segments} segments"
        return f"LeaveOneOut({means}, {sizes}, signature={self.signature!r})"


def leave_one_out_bleu(
    references: Any, predictions: Any = None, dialect: Dialect = "sacrebleu", **options: Unpack[BleuOptions]
) -> LeaveOneOut:
    """Score each reference against the others: the human bound of multi-reference BLEU.

    Predictions are usually scored with all M references, but a reference has only M - 1 others. Therefore the
    predictions are scored M times, each time without one reference. Compare the mean of these M scores with the mean
    score of the references.

    Args:
        references: a list of M references per segment; M is at least 2 and the same for all segments.
        predictions: one per segment, scored in the same way. By default, only the references are scored.
        dialect: name in `DIALECTS`, `BleuConfig` or signature.
        **options: override the dialect's settings: any field of `BleuConfig`.

    Returns:
        The corpus score of each reference and the mean of these scores. With `predictions`, also their scores and mean.

    Raises:
        TypeError: a text or an option has the wrong type.
        ValueError: a segment has fewer than two references, the numbers of references differ, or the numbers of
            predictions and segments differ.

    >>> result = leave_one_out_bleu([["a b c d", "a b c e"]], ["a b c d"], max_order=2)
    >>> round(result.references, 4), round(result.predictions, 4)
    (0.7071, 0.8536)
    """
    texts = as_batch(references, "references", "references")
    sizes = texts.sizes
    number = int(sizes[0])
    row = int(np.argmax(sizes != number))  # the first segment with another number; 0 if there is none
    if sizes[row] != number or number < 2:
        raise ValueError(
            f"references[{row}] has {sizes[row]} texts, and references[0] has {number}: give at least two references "
            "per segment, and the same number for every segment"
        )
    config = fit_to_kind(config_of(dialect, options), texts.kind)
    require_one_score(config, "each reference has")
    tokens = tokenize_segments([texts], config)
    statistics = count_against_others(tokens, texts.segment_of_text(), config)
    reference_scores = [score(statistics[index::number]) for index in range(number)]
    prediction_scores = None
    if predictions is not None:
        rows = [texts.texts[start : start + number] for start in range(0, len(texts.texts), number)]
        without_each = [[row[:index] + row[index + 1 :] for row in rows] for index in range(number)]
        prediction_scores = [score_texts(predictions, others, dialect, **options) for others in without_each]
    human = _mean(reference_scores)
    model = _mean(prediction_scores) if prediction_scores else None
    signature = f"leave-one-out:mean|{statistics.signature()}"
    return LeaveOneOut(human, reference_scores, score(statistics), model, prediction_scores, len(sizes), signature)


def _mean(scores: Sequence[BleuScore]) -> float:
    return float(np.mean([each.bleu for each in scores]))
