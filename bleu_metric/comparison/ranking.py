"""Ranking of systems from best to worst, with intervals and differences from the baseline."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from .._bootstrap import Interval, bootstrap
from .._display import as_list, equation, level_text, percent, signed_percent
from .._score import BleuScore
from .._statistics import BleuStatistics, score
from .checks import check_systems
from .paired import paired_bootstrap
from .result import TOO_FEW, Comparison, advice


class Difference(NamedTuple):
    """A system's score minus the baseline's score, with an interval and a p-value."""

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
    """None if there is only one segment, because nothing can be resampled."""
    difference: Difference | None
    """None for the baseline, and if there is no interval."""


class Ranking(NamedTuple):
    """All systems, from best to worst."""

    baseline: str
    systems: list[RankedSystem]
    comparison: Comparison | None
    """None if there is only one system or one segment."""

    @property
    def names(self) -> list[str]:
        """Return the names of the systems, from best to worst."""
        return [system.name for system in self.systems]

    @property
    def baseline_system(self) -> RankedSystem:
        """Return the system that the others are compared with."""
        return next(system for system in self.systems if system.name == self.baseline)

    def differences(self) -> list[Difference]:
        """Return the differences from the baseline, from best to worst."""
        return [system.difference for system in self.systems if system.difference]


def rank_systems(statistics: Mapping[str, BleuStatistics], confidence: float = 0.95) -> Ranking:
    """Rank the systems from best to worst, and compare each with the first entry of `statistics`, the baseline.

    Raise ``ValueError`` if there is no system or no segment, and for the same reasons as `paired_bootstrap`.

    >>> from bleu_metric import system_statistics
    >>> systems = {"A": ["a b", "a c"], "B": ["a b", "a b"]}
    >>> ranking = rank_systems(system_statistics(systems, ["a b", "a b"], max_order=1))
    >>> [system.name for system in ranking.systems], ranking.systems[0].difference.value
    (['B', 'A'], 0.25)
    """
    check_systems(statistics, "rank")
    baseline, first = next(iter(statistics.items()))
    others = {name: counts for name, counts in statistics.items() if name != baseline}
    intervals: dict[str, Interval] = {}
    differences: dict[str, Difference] = {}
    comparison = None
    if len(first) > 1 and not others:
        intervals[baseline] = bootstrap(first, confidence=confidence)
    if len(first) > 1 and others:
        comparison = paired_bootstrap(first, others, confidence=confidence, baseline_name=baseline)
        intervals = {one.name: one.interval for one in (comparison.baseline, *comparison.systems)}
        differences = {one.name: _difference(comparison, one) for one in comparison.systems}
    systems = []
    for name, counts in statistics.items():
        system_score = score(counts)
        bleu = as_list(system_score.bleu)[0]
        systems.append(RankedSystem(name, system_score, bleu, intervals.get(name), differences.get(name)))
    systems.sort(key=attrgetter("bleu"), reverse=True)
    return Ranking(baseline, systems, comparison)


def _difference(comparison: Comparison, system: Any) -> Difference:
    """Return a system's difference from the baseline. Its interval is not corrected for the number of systems."""
    return Difference(
        value=system.delta,
        low=system.delta_low,
        high=system.delta_high,
        p_value=system.p_adjusted,
        is_significant=comparison.is_significant(system),
    )


def headline(ranking: Ranking, digits: int = 1) -> str:
    """Return one line of text: the best system, its score and its lead over the baseline.

    If the baseline is the best system, the line shows its lead over the second system. If several systems share the
    highest score, the line gives their number.

    >>> from bleu_metric import system_statistics
    >>> headline(rank_systems(system_statistics({"A": ["a b"], "B": ["a c"]}, ["a b"], max_order=1)))
    'A 100.0 BLEU, +50.0 over B'
    """
    best, *others = ranking.systems
    shown = f"{percent(best.bleu, digits)} BLEU"
    tied = sum(system.bleu == best.bleu for system in ranking.systems)
    if tied > 1:
        return f"{tied} systems share the highest score: {shown}"
    first = f"{best.name} {shown}".strip()
    if not others:
        return f"{first}, {_interval_text(best.interval, digits)}" if best.interval else first
    is_baseline = best.name == ranking.baseline
    other = others[0] if is_baseline else ranking.baseline_system
    lead = signed_percent(best.bleu - other.bleu, digits)
    above = f"{first}, {lead} over {other.name}"
    difference = (other if is_baseline else best).difference
    if difference is None or difference.is_significant is None:
        return above
    p_value = f"p {equation(difference.p_value)}"
    if not difference.is_significant:
        p_value = f"not significant, {p_value}"
    return f"{above} ({p_value})"


def _interval_text(interval: Interval, digits: int) -> str:
    low = percent(interval.low, digits)
    high = percent(interval.high, digits)
    return f"{level_text(interval.confidence)} interval {low} to {high}"


def verdicts(ranking: Ranking) -> str:
    """Return sentences that name the systems significantly better or worse than the baseline, and the other systems.

    With too few segments, return the advice to use another test. Without a comparison, return an empty text.

    >>> from bleu_metric import system_statistics
    >>> verdicts(rank_systems(system_statistics({"A": ["a b"], "B": ["a c"]}, ["a b"], max_order=1)))
    ''
    """
    if ranking.comparison and ranking.comparison.has_too_few_segments:
        text = advice(ranking.comparison)
        return f"{text[0].upper()}{text[1:]}."
    names: dict[str, list[str]] = {"better": [], "worse": [], "not significant": []}
    for system in ranking.systems:
        if system.difference:
            names[verdict(system.difference)].append(system.name)
    heads = {
        "better": ("Better", "than"),
        "worse": ("Worse", "than"),
        "not significant": ("No significant difference", "to"),
    }
    sentences: list[str] = []
    for group, (head, preposition) in heads.items():
        if names[group]:
            than = "" if sentences else f" {preposition} {ranking.baseline}"  # only the first sentence names it
            sentences.append(f"{head}{than}: {', '.join(names[group])}.")
    return " ".join(sentences)


def verdict(difference: Difference) -> str:
    """Return ``"better"``, ``"worse"``, ``"not significant"`` or ``"too few segments"`` for a difference."""
    if difference.is_significant is None:
        return TOO_FEW
    if not difference.is_significant:
        return "not significant"
    return "better" if difference.value > 0 else "worse"
