"""One score per document, system, domain or length, from statistics counted in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._labels import Label
from ._lengths import unit
from ._score import BleuScore, Scores, parts_of, score_tables
from ._statistics import BleuStatistics, group_sums, in_groups

Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class GroupScore(BleuScore):
    """The score of a group of segments."""

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
    labels, order, starts = in_groups(statistics, groups)
    if not labels:
        return {}
    config, signature = statistics.config, statistics.signature()
    sums = group_sums(statistics, order, starts)
    scores = score_tables(sums, config)
    bleu = scores.bleu
    if config.average == "sentence":
        sentences = score_tables(statistics.table, config, sentences=True).bleu.take(order, axis=0)
        bleu = np.stack([of_group.mean(axis=0) for of_group in np.split(sentences, starts[1:])])
    sizes = np.diff(starts, append=len(order)).tolist()
    found = {}
    for place, label in enumerate(labels):
        own = Scores(bleu[place], scores.precisions[place], scores.brevity_penalty[place])
        found[label] = GroupScore(**parts_of(sums[place], own, config, signature), segments=sizes[place])
    return found


def length_groups(statistics: BleuStatistics, edges: Sequence[int] = (10, 20, 30, 40, 50, 60)) -> Ints:
    """Label each segment by its reference length: the largest edge that is not longer, else 0.

    Give the labels to `score_groups`; sorted, they are in order of length.

    Raises ``TypeError`` for edges that are no whole numbers, ``ValueError`` for edges that do not rise from above 0, or
    a total.

    >>> from bleu_metric import corpus_statistics
    >>> length_groups(corpus_statistics(["a", "b"], ["a b c d e", "b"]), [2, 4]).tolist()
    [4, 0]
    """
    if statistics.is_total:
        raise ValueError("these statistics are a total: there are no segments left to group")
    if not np.iterable(edges) or not all(hasattr(edge, "__index__") for edge in edges):
        raise TypeError(f"edges must be whole numbers, e.g. [10, 20, 40]; got {edges!r}")
    if not all(low < high for low, high in pairwise([0, *edges])):
        raise ValueError(f"edges must rise, from above 0, e.g. [10, 20, 40]; got {list(edges)}")
    lengths = statistics.table[:, 2 * statistics.config.max_order + 1] // unit(statistics.config.reference_length)
    places = np.searchsorted(np.asarray(edges, np.int64), lengths, side="right")
    return np.array([0, *edges], np.int64).take(places)
