"""Scores for groups of segments, such as documents, systems, domains or ranges of lengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ._counts import sum_groups
from ._display import Summary, segments_note
from ._formula import score_total, sentence_scores
from ._labels import Label, order_by_group
from ._reference_length import units_per_token
from ._score import BleuScore
from ._statistics import BleuStatistics, check_statistics, require_segments
from ._validation import Ints, as_int, has_length, short_repr


@dataclass(frozen=True, kw_only=True, repr=False)
class GroupScore(BleuScore):
    """The score of a group of segments: a `BleuScore` that also has the group's number of segments.

    >>> from bleu_metric import corpus_bleu
    >>> corpus_bleu(["a b", "c"], ["a b", "c"], groups=["news", "news"], max_order=1)["news"].segments
    2
    """

    segments: int
    """Number of segments in the group."""

    def _summary(self) -> Summary:
        summary = super()._summary()
        return summary._replace(line=f"{summary.line}, {segments_note(self.segments)}")


def score_groups(statistics: BleuStatistics, groups: Any) -> dict[Label, GroupScore]:
    """Score each group of segments as a corpus of its own.

    Args:
        statistics: one row per segment, from `corpus_statistics`.
        groups: a list, array or column with one label per segment. A label is a string or a whole number.

    Returns:
        A dictionary from each label to its score, in the order in which the labels first occur. Every signature states
        the number of references of the whole corpus.

    Raises:
        TypeError: a label is missing or has a wrong type.
        ValueError: the number of labels is wrong, a label does not fit into 64 bits or is not UTF-8, or the statistics
            are a total instead of one row per segment.

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
    sums = sum_groups(statistics.table, config, order, starts).tolist()
    sizes = np.diff(starts, append=len(order)).tolist()
    sentences = None
    if config.average == "sentence":
        sentences = np.split(sentence_scores(statistics.table, config).take(order, axis=0), starts[1:])
    by_label = {}
    for index, label in enumerate(labels):
        of_group = score_total(sums[index], None if sentences is None else sentences[index], config, signature)
        by_label[label] = GroupScore(**vars(of_group), segments=sizes[index])
    return by_label


def length_groups(statistics: BleuStatistics, edges: Sequence[int] = (10, 20, 30, 40, 50, 60)) -> Ints:
    """Label each segment with the largest edge that its reference length reaches, or with 0 if it reaches none.

    Args:
        statistics: one row per segment, from `corpus_statistics`.
        edges: reference lengths in tokens: whole numbers above 0, in ascending order.

    Returns:
        Labels for `score_groups`, int64 of shape (segments,).

    Raises:
        TypeError: `edges` is not a list of whole numbers.
        ValueError: the edges are not above 0, ascending and below 2**63, or the statistics are a total.

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
        raise ValueError(
            f"edges must be above 0, ascending and below 2**63, e.g. [10, 20, 40]; got {short_repr(edges)}"
        )
    tokens = statistics.reference_lengths // units_per_token(statistics.config.reference_length)
    indices = np.searchsorted(np.array(numbers, np.int64), tokens, side="right")
    return np.array([0, *numbers], np.int64).take(indices)
