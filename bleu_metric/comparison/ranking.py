"""Where systems stand: their scores with intervals, in order, and their differences to the baseline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from .._bootstrap import Interval, bootstrap
from .._score import BleuScore
from .._statistics import BleuStatistics, score
from ..comparison.paired import difference_intervals, paired_bootstrap
from ..comparison.result import Comparison


class Difference(NamedTuple):
    """How far a system is from the baseline."""

    value: float
    low: float
    high: float
    p_value: float
    """Corrected for the number of systems."""
    holds: bool
    """Whether chance alone hardly makes a difference as large, at the chosen confidence."""


class Standing(NamedTuple):
    """One system. Scores and differences are on a scale of 0 to 1."""

    name: str
    score: BleuScore
    bleu: float
    interval: Interval | None
    """None where there is one segment: nothing can be resampled."""
    difference: Difference | None
    """None for the baseline, and where there is no interval."""


class Standings(NamedTuple):
    """All systems."""

    baseline: str
    systems: list[Standing]
    """In order of falling score."""
    comparison: Comparison | None
    """None where there is one system or one segment."""

    def count(self, sign: int) -> int:
        """Count the systems whose difference holds, above the baseline (1) or below it (-1)."""
        differences = [system.difference for system in self.systems if system.difference]
        return sum(difference.holds and difference.value * sign > 0 for difference in differences)

    def count_open(self) -> int:
        """Count the systems whose difference may be chance."""
        return sum(system.difference is not None and not system.difference.holds for system in self.systems)


def find_standings(statistics: Mapping[str, BleuStatistics], confidence: float = 0.95) -> Standings:
    """Score the systems, and compare each with the first one on the same resamples.

    >>> from bleu_metric import system_statistics
    >>> systems = {"A": ["a b", "a c"], "B": ["a b", "a b"]}
    >>> standings = find_standings(system_statistics(systems, ["a b", "a b"], max_order=1))
    >>> [system.name for system in standings.systems], standings.systems[0].difference.value
    (['B', 'A'], 0.25)
    """
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
        systems.append(Standing(name, system_score, bleu, intervals.get(name), differences.get(name)))
    systems.sort(key=lambda system: -system.bleu)
    return Standings(baseline, systems, comparison)


def _differences(
    baseline: BleuStatistics, others: Mapping[str, BleuStatistics], comparison: Comparison
) -> dict[str, Difference]:
    bounds = difference_intervals(baseline, list(others.values()), comparison)
    differences = {}
    for system, (low, high) in zip(comparison.systems, bounds, strict=True):
        value, p_value = system.delta, system.p_adjusted
        if value is not None and p_value is not None:
            holds = p_value < 1 - comparison.confidence
            differences[system.name] = Difference(value, low, high, p_value, holds)
    return differences


def finding(standings: Standings) -> str:
    """Say in a sentence or two which system is first, and which differences hold.

    >>> from bleu_metric import system_statistics
    >>> finding(find_standings(system_statistics({"A": ["a b"], "B": ["a c"]}, ["a b"], max_order=1)))
    'A has the highest score, 100.0.'
    """
    best = standings.systems[0]
    tied = [system.name for system in standings.systems if system.bleu == best.bleu]
    if len(tied) == 1:
        first = f"{best.name} has the highest score, {100 * best.bleu:.1f}."
    else:
        first = f"{len(tied)} systems share the highest score, {100 * best.bleu:.1f}."
    if standings.comparison is None:
        return first
    others = [system for system in standings.systems if system.difference]
    if len(others) == 1:
        return f"{first} {_verdict(others[0], standings.baseline)}"
    parts = [
        f"{count} of {len(others)} {words}"
        for count, words in (
            (standings.count(1), "higher"),
            (standings.count(-1), "lower"),
            (standings.count_open(), "not shown to differ"),
        )
        if count
    ]
    return f"{first} Compared with {standings.baseline}: {', '.join(parts)}."


def _verdict(system: Standing, baseline: str) -> str:
    if system.difference is None or not system.difference.holds:
        return "The difference may be chance."
    side = "higher" if system.difference.value > 0 else "lower"
    return f"{system.name} scores {side} than {baseline}, and the difference holds."
