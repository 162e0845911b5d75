"""Rank systems: scores with intervals, from best to worst, and differences to the baseline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from .._bootstrap import Interval, bootstrap, draw_segments, interval_ends, score_resamples
from .._score import BleuScore
from .._statistics import BleuStatistics, score
from .paired import paired_bootstrap
from .result import Comparison


class Difference(NamedTuple):
    """The difference of a system to the baseline."""

    value: float
    low: float
    high: float
    p_value: float
    """Corrected for the number of systems."""
    is_significant: bool | None
    """Whether the difference is statistically significant at the chosen confidence level; None: too few segments."""


class RankedSystem(NamedTuple):
    """One system. Scores and differences are on a scale of 0 to 1."""

    name: str
    score: BleuScore
    bleu: float
    interval: Interval | None
    """None where there is one segment: nothing can be resampled."""
    difference: Difference | None
    """None for the baseline, and where there is no interval."""


class Ranking(NamedTuple):
    """All systems, from best to worst."""

    baseline: str
    systems: list[RankedSystem]
    comparison: Comparison | None
    """None where there is one system or one segment."""

    def differences(self) -> list[Difference]:
        """Return the differences to the baseline, from best to worst."""
        return [system.difference for system in self.systems if system.difference]


def rank_systems(statistics: Mapping[str, BleuStatistics], confidence: float = 0.95) -> Ranking:
    """Score the systems, and compare each with the first one on the same resamples.

    Raises ``ValueError`` for no system, and as `paired_bootstrap`.

    >>> from bleu_metric import system_statistics
    >>> systems = {"A": ["a b", "a c"], "B": ["a b", "a b"]}
    >>> ranking = rank_systems(system_statistics(systems, ["a b", "a b"], max_order=1))
    >>> [system.name for system in ranking.systems], ranking.systems[0].difference.value
    (['B', 'A'], 0.25)
    """
    if not statistics:
        raise ValueError("there is no system to rank; give at least one, e.g. {'A': statistics}")
    baseline, first = next(iter(statistics.items()))
    others = {name: counts for name, counts in statistics.items() if name != baseline}
    intervals: dict[str, Interval] = {}
    differences: dict[str, Difference] = {}
    comparison = None
    if len(first) > 1 and others:
        comparison = paired_bootstrap(first, others, confidence=confidence, baseline_name=baseline)
        intervals = {system.name: system.interval for system in (comparison.baseline, *comparison.systems)}
        differences = _differences(first, others, comparison)
    elif len(first) > 1:
        intervals = {baseline: bootstrap(first, confidence=confidence)}
    systems = []
    for name, counts in statistics.items():
        system_score = score(counts)
        bleu = float(np.ravel(system_score.bleu)[0])
        systems.append(RankedSystem(name, system_score, bleu, intervals.get(name), differences.get(name)))
    systems.sort(key=lambda system: -system.bleu)
    return Ranking(baseline, systems, comparison)


def _differences(
    baseline: BleuStatistics, others: Mapping[str, BleuStatistics], comparison: Comparison
) -> dict[str, Difference]:
    """Compute the interval of each difference to the baseline, on the comparison's own resamples.

    The interval is of one system alone: it is not corrected for the number of systems, as the p-value is.
    """
    chunks = draw_segments(len(baseline), comparison.n_resamples, comparison.seed)
    of_baseline, *of_systems = score_resamples([baseline, *others.values()], chunks)
    ends = interval_ends(comparison.confidence)
    differences = {}
    for system, scores in zip(comparison.systems, of_systems, strict=True):
        low, high = np.quantile(scores[:, 0] - of_baseline[:, 0], ends).tolist()
        value: Any = system.delta
        p_value: Any = system.p_adjusted
        differences[system.name] = Difference(value, low, high, p_value, comparison.is_significant(system))
    return differences


def finding(ranking: Ranking) -> str:
    """Return a sentence or two: which system is first, and which differences are significant.

    >>> from bleu_metric import system_statistics
    >>> finding(rank_systems(system_statistics({"A": ["a b"], "B": ["a c"]}, ["a b"], max_order=1)))
    'A has the highest score, 100.0.'
    """
    best = ranking.systems[0]
    tied = [system.name for system in ranking.systems if system.bleu == best.bleu]
    if len(tied) == 1:
        first = f"{best.name} has the highest score, {100 * best.bleu:.1f}."
    else:
        first = f"{len(tied)} systems share the highest score, {100 * best.bleu:.1f}."
    differences = ranking.differences()
    if not differences:
        return first
    if ranking.comparison and ranking.comparison.has_too_few_segments:
        advice = ranking.comparison.advice()
        return f"{first} {advice[0].upper()}{advice[1:]}."
    verdicts = [verdict(difference) for difference in differences]
    counts = {word: verdicts.count(word) for word in ("higher", "lower", "not significantly different")}
    if len(differences) > 1:
        parts = [f"{count} of {len(differences)} {word}" for word, count in counts.items() if count]
        return f"{first} Compared with {ranking.baseline}: {', '.join(parts)}."
    if counts["not significantly different"]:
        return f"{first} The difference is not significant."
    (other,) = [system.name for system in ranking.systems if system.difference]
    return f"{first} {other} scores significantly {verdicts[0]} than {ranking.baseline}."


def verdict(difference: Difference) -> str:
    """Return what a difference shows, in words."""
    if not difference.is_significant:
        return "not significantly different"
    return "higher" if difference.value > 0 else "lower"
