"""Each text against all others of its group, in linear time; and so the references of a corpus against one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .._bleu import score_texts
from .._config import BleuConfig, BleuOptions, fit_to_kind, require_one_score
from .._counting import SegmentCounts, apply_config
from .._counts import counts_by_name, orders_to_count
from .._dialects import config_of
from .._reference_length import units_per_token
from .._score import BleuScore
from .._statistics import BleuStatistics, score
from .._validation import Ints
from .ngrams import grams_by_order, in_two_texts
from .texts import TokenIds, as_segments, read_texts, tokenize_texts

if TYPE_CHECKING:
    from typing_extensions import Unpack


def count_against_others(tokens: TokenIds, group: Ints, config: BleuConfig) -> BleuStatistics:
    """Count each text against all other texts of its group as references: one row per text.

    A text's feature matches if a second text of the group has it. `group`: a number per text, in any order; each group
    has two texts at least, and its tokens are not equal to those of other groups.
    """
    texts = len(tokens.lengths)
    matches = np.zeros((texts, orders_to_count(config)), np.int64)
    for order, (grams, in_others) in enumerate(grams_by_order(tokens, matches.shape[1], in_two_texts)):
        matched = in_others.copy()
        positions, features = grams.repeated_features()
        matched[positions] = np.bincount(features).take(features) > 1
        matches[:, order] = np.bincount(grams.text[matched], minlength=texts)
    references = decisive_lengths(tokens.lengths, group, config.reference_length)
    starts = np.arange(0, 2 * texts, 2)
    statistics = apply_config(SegmentCounts(matches, tokens.lengths, references.ravel(), starts), config)
    others = np.bincount(group) - 1
    if config.reference_length == "average":
        lengths = counts_by_name(statistics.table, config).reference_lengths
        lengths[...] = _average_of_others(tokens.lengths, group, units_per_token("average"))
    numbers = others[others > 0]
    return BleuStatistics(statistics.table, config, (int(numbers.min()), int(numbers.max())))


def count_against_each_other(tokens: TokenIds, group: Ints, config: BleuConfig) -> BleuStatistics:
    """Count each text with each other text of its group as its only reference, summed: one row per text.

    A feature of a text has as many matches as there are other texts with it.
    """
    if config.depends_on_segment_order or config.reference_length == "closest-below-9999":
        raise ValueError(
            "the sum over all pairs needs a score whose counts add up: it takes neither smoothing='method5' to "
            "'method7', which looks at the last pair, nor reference_length='closest-below-9999'"
        )
    texts = len(tokens.lengths)
    others = np.bincount(group).take(group) - 1
    matches = np.zeros((texts, config.max_order), np.int64)
    for order, (grams, _) in enumerate(grams_by_order(tokens, config.max_order, in_two_texts)):
        features = grams.features()
        others_with_feature = np.bincount(features, minlength=len(features)).take(features) - 1
        matches[:, order] = np.bincount(grams.text, weights=others_with_feature, minlength=texts)
    alone = SegmentCounts(matches, tokens.lengths, tokens.lengths, np.arange(texts))
    statistics = apply_config(alone, config)  # each text against itself; now made sums over the others
    counts = counts_by_name(statistics.table, config)
    counts.totals[...] *= others[:, np.newaxis]
    counts.lengths[...] *= others
    sums = np.bincount(group, weights=counts.reference_lengths).astype(np.int64)
    counts.reference_lengths[...] = sums.take(group) - counts.reference_lengths
    return statistics


def decisive_lengths(lengths: Ints, group: Ints, rule: str) -> Ints:
    """Find for each text two lengths of other texts that decide its reference length, shape (texts, 2).

    For the shortest and the longest other text: the two of them. For the closest: in the order of the lengths, the
    neighbours on both sides; the one that is listed first comes first.
    """
    order = np.lexsort((lengths, group))  # stable: equal lengths stay in the order of the texts
    by_length, groups = lengths.take(order), group.take(order)
    places = np.arange(len(order))
    is_first = np.append(True, groups[1:] != groups[:-1])
    is_last = np.append(is_first[1:], True)
    if rule in ("shortest", "longest"):
        first = np.flatnonzero(is_first)
        sizes = np.diff(first, append=len(order))
        first_place, last_place = np.repeat(first, sizes), np.repeat(first + sizes - 1, sizes)
        below = np.where(is_first, places + 1, first_place)
        above = np.where(is_last, places - 1, last_place)
    else:
        below = np.where(is_first, places + 1, places - 1)
        above = np.where(is_last, places - 1, places + 1)
    starts_run = is_first | np.append(True, by_length[1:] != by_length[:-1])
    first_of_run = order.take(np.maximum.accumulate(np.where(starts_run, places, 0)))  # the first text of this length
    swapped = first_of_run.take(above) < first_of_run.take(below)
    nearest = np.empty((len(order), 2), np.int64)
    nearest[order, 0] = by_length.take(np.where(swapped, above, below))
    nearest[order, 1] = by_length.take(np.where(swapped, below, above))
    return nearest


def _average_of_others(lengths: Ints, group: Ints, units: int) -> Ints:
    sums = np.zeros(int(group.max()) + 1, np.int64)
    np.add.at(sums, group, lengths)
    others: Ints = (sums.take(group) - lengths) * units // (np.bincount(group).take(group) - 1)
    return others


@dataclass(frozen=True)
class LeaveOneOut:
    """How well references agree with one another; scores on a scale of 0 to 1.

    >>> leave_one_out_bleu([["a b c", "a b d"], ["e f", "e f"]], max_order=2)  # doctest: +ELLIPSIS
    LeaveOneOut(references=0.7303, 2 references, 2 segments, signature='leave-one-out:mean|nrefs:1|tok:13a|...')
    """

    references: float
    """The human bound: the mean of `reference_scores`."""
    reference_scores: list[BleuScore] = field(repr=False)
    """Corpus score of each reference against the others, in their order."""
    pooled: BleuScore = field(repr=False)
    """One corpus score of all references, each against the others (Shen et al. 2019, ``intra_ref``)."""
    predictions: float | None
    """The mean of `prediction_scores`, to compare with `references`: both have one reference less."""
    prediction_scores: list[BleuScore] | None = field(repr=False)
    """Corpus score of the predictions without each reference in turn (Shen et al. 2019, ``multi_ref``)."""
    segments: int
    """How many segments the corpus has."""
    signature: str
    """Every choice that made the scores; ``nrefs`` counts the references that are left."""

    def __repr__(self) -> str:
        """Show the means."""
        means = f"references={self.references:.4}"
        if self.predictions is not None:
            means += f", predictions={self.predictions:.4}"
        sizes = f"{len(self.reference_scores)} references, {self.segments} segments"
        return f"LeaveOneOut({means}, {sizes}, signature={self.signature!r})"


def leave_one_out_bleu(
    references: Any, predictions: Any = None, dialect: str = "sacrebleu", **options: Unpack[BleuOptions]
) -> LeaveOneOut:
    """Score each reference against the others: the human bound of multi-reference BLEU.

    A prediction has all M references, a human only M - 1. So the predictions are scored without each reference in turn,
    too, and their mean compares with that of the references.

    Args:
        references: for each segment a list of M references, M at least 2 and the same for all.
        predictions: one per segment, to be compared with the references.
        dialect: name in `DIALECTS`.
        **options: override the dialect's choices: any field of `BleuConfig`.

    Returns:
        The corpus score of each reference, their mean, and the same of the predictions.

    Raises:
        TypeError: a text, or an option, of a wrong type.
        ValueError: fewer than two references, or different numbers of them; another number of predictions.

    >>> result = leave_one_out_bleu([["a b c d", "a b c e"]], ["a b c d"], max_order=2)
    >>> round(result.references, 4), round(result.predictions, 4)
    (0.7071, 0.8536)
    """
    texts = as_segments(references, "references")
    if not texts.is_batch:
        raise TypeError("references must hold a list of references per segment; for one segment try [references]")
    number = texts.sizes[0]
    for row, size in enumerate(texts.sizes):
        if size < 2 or size != number:
            raise ValueError(
                f"references[{row}] has {size}, references[0] has {number}: leaving one out needs at least two "
                "references, as many for every segment"
            )
    config = fit_to_kind(config_of(dialect, options), texts.kind)
    require_one_score(config, "a mean is of")
    segments = np.repeat(np.arange(len(texts.sizes)), texts.sizes)
    tokens = tokenize_texts(*read_texts(texts, 0, len(texts.sizes)), segments, texts.kind, config)
    statistics = count_against_others(tokens, segments, config)
    by_reference = [score(statistics[place::number]) for place in range(number)]
    of_predictions = None
    if predictions is not None:
        rows = [texts.texts[start : start + number] for start in range(0, len(texts.texts), number)]
        of_predictions = _without_each(predictions, rows, config, dialect, options)
    return LeaveOneOut(
        _mean(by_reference),
        by_reference,
        score(statistics),
        None if of_predictions is None else _mean(of_predictions),
        of_predictions,
        len(texts.sizes),
        f"leave-one-out:mean|{statistics.signature()}",
    )


def _without_each(
    predictions: Any, rows: Sequence[Sequence[Any]], config: BleuConfig, dialect: str, options: Any
) -> list[BleuScore]:
    """Score the predictions without each reference in turn."""
    scores = []
    for place in range(len(rows[0])):
        left = [[*row[:place], *row[place + 1 :]] for row in rows]
        scores.append(score_texts(predictions, left, dialect, **options))
    return scores


def _mean(scores: Sequence[BleuScore]) -> float:
    return float(np.mean([each.bleu for each in scores]))
