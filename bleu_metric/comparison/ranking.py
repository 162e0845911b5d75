"""Rank systems from best to worst, with confidence intervals and differences from the baseline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .._score import BleuScore
from .._statistics import BleuStatistics, score
from .checks import check_systems
from .paired import bootstrap_systems
from .result import TOO_FEW, Comparison


class Bounded(NamedTuple):
    """A score, or a difference between scores, with its bootstrap interval. A score of 50 BLEU is 0.5."""

    value: float
    low: float
    high: float

    @classmethod
    def exact(cls, value: float) -> Bounded:
        """Return a value with an interval of width 0: both ends equal the value."""
        return cls(value, value, value)


class RankedSystem(NamedTuple):
    """One system of a `Ranking`. If there is only one segment, all intervals have width 0."""

    name: str
    score: BleuScore
    bleu: Bounded
    difference: Bounded
    """The system's score minus the baseline's."""
    p_value: float
    """The p-value corrected for the number of systems (Holm 1979); 1 for the baseline."""
    verdict: str
    """``"baseline"``, ``"better"``, ``"worse"``, ``"not significant"`` or ``"too few segments"``."""


class Ranking(NamedTuple):
    """The result of `rank_systems`: all systems, sorted from best to worst."""

    baseline: str
    systems: list[RankedSystem]
    comparison: Comparison | None
    """The result of the paired bootstrap. It is None if there is only one segment."""

    @property
    def names(self) -> list[str]:
        """Return the names of the systems, from best to worst."""
        return [system.name for system in self.systems]

    @property
    def baseline_system(self) -> RankedSystem:
        """Return the baseline, the system that all other systems are compared with."""
        return self.systems[self.names.index(self.baseline)]

    @property
    def is_one(self) -> bool:
        """Return whether there is only one system, so no systems are compared."""
        return len(self.systems) == 1

    @property
    def signature(self) -> str:
        """Return a string with every setting of the scores and, if there are intervals, of the resampling."""
        if self.comparison is not None:
            return self.comparison.signature
        return self.systems[0].score.signature  # all systems have the same settings


def rank_systems(statistics: Mapping[str, BleuStatistics], confidence: float = 0.95) -> Ranking:
    """Rank systems from best to worst, and compare each with the baseline, the first entry of `statistics`.

    Raise ``ValueError`` if there is no system or no segment, or for the same reasons as `paired_bootstrap`. A single
    segment is allowed: the systems are then ranked without a test.

    >>> from bleu_metric import system_statistics
    >>> systems = {"A": ["a b", "a c"], "B": ["a b", "a b"]}
    >>> ranking = rank_systems(system_statistics(systems, ["a b", "a b"], max_order=1))
    >>> [system.name for system in ranking.systems], ranking.systems[0].difference.value
    (['B', 'A'], 0.25)
    """
    check_systems(statistics, "rank")
    scores = {name: score(counts) for name, counts in statistics.items()}
    baseline, *_ = statistics  # the first name

    n_segments = len(statistics[baseline])
    if n_segments > 1:
        comparison = bootstrap_systems(statistics, confidence=confidence)
        compared = [comparison.baseline, *comparison.systems]
        systems = [_system_with_test(comparison, system, scores[system.name]) for system in compared]
    else:
        comparison = None
        systems = [_system_without_test(name, scores, baseline) for name in scores]

    systems.sort(key=lambda system: system.bleu.value, reverse=True)
    return Ranking(baseline, systems, comparison)


def _system_without_test(name: str, scores: Mapping[str, BleuScore], baseline: str) -> RankedSystem:
    """Return the `RankedSystem` of a system with one segment. `name`, `baseline`: keys of `scores`."""
    own_score = scores[name]
    bleu = Bounded.exact(own_score.bleu)
    difference = Bounded.exact(own_score.bleu - scores[baseline].bleu)
    verdict = "baseline" if name == baseline else TOO_FEW
    return RankedSystem(name, own_score, bleu, difference, p_value=1.0, verdict=verdict)


def _system_with_test(comparison: Comparison, system: Any, own_score: BleuScore) -> RankedSystem:
    """Return the `RankedSystem` of one entry of a comparison. `system`: the baseline or one of the systems."""
    interval = system.interval
    bleu = Bounded(interval.score, interval.low, interval.high)
    if system is comparison.baseline:
        no_difference = Bounded.exact(0.0)
        return RankedSystem(system.name, own_score, bleu, no_difference, p_value=1.0, verdict="baseline")

    difference = Bounded(system.delta, system.delta_low, system.delta_high)
    verdict = _verdict(comparison, system)
    return RankedSystem(system.name, own_score, bleu, difference, p_value=system.p_adjusted, verdict=verdict)


def _verdict(comparison: Comparison, system: Any) -> str:
    """Return "better" or "worse" for a significant difference, "not significant", or "too few segments"."""
    is_significant = comparison.is_significant(system)
    if is_significant is None:  # the test cannot decide
        return TOO_FEW
    if not is_significant:
        return "not significant"
    return "better" if system.delta > 0 else "worse"
