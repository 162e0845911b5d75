"""Rank systems from best to worst, with confidence intervals and differences from the baseline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .._lazy import np
from .._score import BleuScore
from .._statistics import BleuStatistics, score
from .._validation import typed, unknown_message
from .checks import check_systems
from .groups import compare_groups
from .paired import interval_only, paired_approximate_randomization, paired_bootstrap
from .result import MIN_SEGMENTS, TOO_FEW, Comparison

# Name of a test, as users type it -> the function that runs it
TESTS = {
    "bootstrap": paired_bootstrap,
    "approximate-randomization": paired_approximate_randomization,
    "none": None,
}
NOT_TESTED = "not tested"


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
    """One system of a `Ranking`. Without a test, all intervals have width 0."""

    name: str
    score: BleuScore
    bleu: Bounded
    difference: Bounded
    """The system's score minus the baseline's."""
    p_value: float
    """The p-value corrected for the number of tests (Holm 1979); 1 for the baseline."""
    verdict: str
    """``"baseline"``, ``"better"``, ``"worse"``, ``"not significant"``, ``"too few segments"`` or ``"not tested"``."""


class Ranking(NamedTuple):
    """The result of `rank_systems`: all systems, sorted from best to worst."""

    baseline: str
    systems: list[RankedSystem]
    comparison: Comparison | None
    """The result of the test. It is None if there was no test, or if there is only one segment."""

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
        """Return whether there is only one system."""
        return len(self.systems) == 1

    @property
    def signature(self) -> str:
        """Return a string with every setting of the scores and, if there are intervals, of the resampling."""
        if self.comparison is not None:
            return self.comparison.signature
        return self.systems[0].score.signature  # all systems have the same settings


def rank_systems(statistics: Mapping[str, BleuStatistics], test: str = "bootstrap", **settings: Any) -> Ranking:
    """Rank systems from best to worst, and compare all pairs. The first entry of `statistics` is the baseline.

    `test`: a key of `TESTS`. `settings`: arguments of the test. For a value of None, the test's default applies.

    Raise ``ValueError`` if there is no system or no segment. The test can raise other errors. With a single
    segment, the systems are ranked without a test.

    >>> from bleu_metric import system_statistics
    >>> systems = {"A": ["a b", "a c"], "B": ["a b", "a b"]}
    >>> ranking = rank_systems(system_statistics(systems, ["a b", "a b"], max_order=1))
    >>> [system.name for system in ranking.systems], ranking.systems[0].difference.value
    (['B', 'A'], 0.25)
    """
    if test not in TESTS:
        raise ValueError(unknown_message("test", test, TESTS))
    check_systems(statistics, "rank")
    run_test: Any = TESTS[test]
    if len(statistics) == 1 and run_test is paired_bootstrap:
        run_test = interval_only
    elif len(statistics) == 1 and run_test is not None:
        raise ValueError(f"{typed('test', test)} compares systems; give two or more")
    if run_test is None or len(next(iter(statistics.values()))) == 1:
        return ranking_of(statistics, None)
    return ranking_of(statistics, run_test(statistics, **_given(settings)))


def ranking_of(statistics: Mapping[str, BleuStatistics], comparison: Comparison | None) -> Ranking:
    """Rank systems from best to worst. `comparison` is None if there was no test."""
    scores = {name: score(counts) for name, counts in statistics.items()}
    baseline, *_ = statistics  # the first name
    compared: Mapping[str, Any] = {system.name: system for system in comparison.ranked} if comparison else {}
    untested = TOO_FEW if len(statistics[baseline]) == 1 else NOT_TESTED
    systems = []
    for name, own_score in scores.items():
        bleu, p_value = Bounded.exact(own_score.bleu), 1.0
        difference = Bounded.exact(own_score.bleu - scores[baseline].bleu)
        verdict = "baseline" if name == baseline else untested
        if comparison:
            interval = compared[name].interval
            bleu = Bounded(interval.score, interval.low, interval.high)
        if comparison and name != baseline:
            system = compared[name]
            difference = Bounded(system.delta, system.delta_low, system.delta_high)
            p_value, verdict = system.p_adjusted, _verdict(comparison, system)
        systems.append(RankedSystem(name, own_score, bleu, difference, p_value, verdict))

    systems.sort(key=lambda system: system.bleu.value, reverse=True)
    return Ranking(baseline, systems, comparison)


def rank_in_groups(
    statistics: Mapping[str, BleuStatistics], rows_by_label: Mapping[str, Any], test: str, **settings: Any
) -> dict[str, Ranking]:
    """Rank systems in each group of segments, and compare them with the baseline. Correct p-values for all groups.

    `rows_by_label`: label -> indices of the group's segments. The other arguments are as for `rank_systems`.
    """
    baseline, *others = statistics
    # Smaller groups do not count as tests in the correction, because a test of a smaller group cannot decide
    least = MIN_SEGMENTS if test == "bootstrap" else 2
    tested = {label: rows for label, rows in rows_by_label.items() if len(rows) >= least}
    compared: Mapping[Any, Comparison] = {}
    run_test: Any = TESTS[test]
    if run_test is not None and others and tested:
        rows = np.concatenate(list(tested.values()))
        labels = [label for label, rows_of_group in tested.items() for _ in rows_of_group]
        counts = {name: statistics[name][rows] for name in others}
        given = {"baseline_name": baseline, **_given(settings)}
        compared = compare_groups(statistics[baseline][rows], counts, labels, run_test, **given)

    rankings = {}
    for label, rows_of_group in rows_by_label.items():
        in_group = {name: counts[rows_of_group] for name, counts in statistics.items()}
        tested_here = compared.get(label)
        rankings[label] = ranking_of(in_group, tested_here) if tested_here else rank_systems(in_group, test, **settings)
    return rankings


def _given(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if value is not None}


def _verdict(comparison: Comparison, system: Any) -> str:
    is_significant = comparison.is_significant(system)
    if is_significant is None:  # the test cannot decide
        return TOO_FEW
    if not is_significant:
        return "not significant"
    return "better" if system.delta > 0 else "worse"
