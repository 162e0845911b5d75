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
from ._names import as_int, described, has_length
from ._score import BleuScore, Scores, parts_of, score_tables
from ._statistics import BleuStatistics, check_statistics
from ._sums import group_sums, in_groups

Ints = NDArray[np.int64]


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
    labels, order, starts = in_groups(groups, len(statistics), statistics.is_total)
    if not labels:
        return {}
    config, signature = statistics.config, statistics.signature()
    sums = group_sums(statistics.table, config, order, starts)
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
        raise TypeError(f"edges must be whole numbers, e.g. [10, 20, 40]; got {described(edges)}")
    if not all(low < high for low, high in pairwise([0, *numbers, 2**63])):
        raise ValueError(f"edges must rise, from above 0, e.g. [10, 20, 40]; got {described(edges)}")
    lengths = statistics.table[:, 2 * statistics.config.max_order + 1] // unit(statistics.config.reference_length)
    places = np.searchsorted(np.array(numbers, np.int64), lengths, side="right")
    return np.array([0, *numbers], np.int64).take(places)
