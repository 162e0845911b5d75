"""Compare systems separately in each group of segments, such as each domain or each document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from .._corpus import Label, rows_by_group
from .._display import amount
from .._result import Column, Result, Row, stacked
from .._statistics import MetricStatistics
from .checks import named_systems
from .paired import USUAL_TRIALS, Scored, Systems, paired_bootstrap, trials_for
from .result import Comparison, correct_p_values, few_notes, star_notes


class GroupComparisons(Result, dict[Label, Comparison]):
    """A dict from each group's label to the `Comparison` of its segments. ``print`` shows one table, in percent.

    >>> from bleu_metric import paired_approximate_randomization, system_statistics
    >>> systems = {"A": ["a b", "a c", "b", "x"] * 5, "B": ["a b", "x", "b", "b"] * 5}
    >>> counted = system_statistics(systems, ["a b", "a b", "b", "b"] * 5, max_order=1)
    >>> labels = ["news", "news", "chat", "chat"] * 5
    >>> compared = compare_groups(counted["A"], counted["B"], labels, paired_approximate_randomization, n_trials=100)
    >>> compared
    <GroupComparisons BLEU of 2 groups, paired approximate randomization against baseline: 100 trials, seed 12345>
    >>> print(compared.to_markdown())
    | group     | system   |      BLEU |  95 % interval | p (Holm) |
    |-----------|----------|----------:|---------------:|---------:|
    | news (10) | baseline |  **75.0** |   [60.0, 90.0] |          |
    |           | system   |      47.8 |   [17.1, 79.5] |    0.198 |
    | chat (10) | baseline |      50.0 |   [20.0, 80.0] |          |
    |           | system   | **100.0** | [100.0, 100.0] |    0.198 |
    """

    def rows(self, in_percent: bool = False) -> list[Row]:
        """Return one row per group and system, as plain Python values, e.g. for pandas.

        >>> from bleu_metric import paired_approximate_randomization, system_statistics
        >>> counted = system_statistics({"A": ["a b", "a c"], "B": ["a b", "x"]}, ["a b", "a b"], max_order=1)
        >>> compared = compare_groups(counted["A"], counted["B"], ["news", "news"], paired_approximate_randomization)
        >>> [(row["group"], row["system"]) for row in compared.rows()]
        [('news', 'baseline'), ('news', 'system')]
        """
        return [{"group": label, **row} for label, one in self.items() for row in one.rows(in_percent)]

    def facts(self) -> Row:
        """Return the facts about the comparison in each group."""
        return {"groups": [{"group": label, **comparison.facts()} for label, comparison in self.items()]}

    def title(self, digits: int = 1) -> str:
        """Return the number of groups, and a description of the test."""
        first, *_ = self.values()
        return f"{first.metric.name} of {amount(len(self), 'group')}, {first.title()}"

    def columns(self, digits: int = 1) -> list[Column]:
        """Return a table with one row per group and system. Only a group's first row shows its label and its size."""
        labels = []
        for label, comparison in self.items():
            labels += [f"{label} ({comparison.segments:,})", *[""] * len(comparison.systems)]
        return [Column("group", labels, is_text=True), *stacked(one.columns(digits) for one in self.values())]

    def notes(self) -> list[str]:
        """Return what the star means, advice for small groups, and the signatures."""
        comparisons = list(self.values())
        signatures = dict.fromkeys(comparison.notes()[-1] for comparison in comparisons)
        return [*star_notes(comparisons), *few_notes(comparisons), *signatures]


def compare_groups(
    baseline: Scored | Mapping[str, Scored],
    systems: Systems | None,
    groups: Any,
    test: Callable[..., Comparison] = paired_bootstrap,
    *,
    baseline_name: str = "baseline",
    p_values: str = "two-sided",
    **options: Any,
) -> GroupComparisons:
    """Compare systems with a baseline in each group of segments.

    Args:
        baseline: as for `paired_bootstrap`.
        systems: as for `paired_bootstrap`. None if `baseline` is a dict, to compare all pairs of its systems.
        groups: as for `score_groups`: a list, array or column with one label per segment.
        test: `paired_bootstrap` or `paired_approximate_randomization`.
        baseline_name: the name of the baseline.
        p_values: how the p-values are computed, "two-sided" or "sacrebleu".
        **options: further arguments of the test.

    Returns:
        A dict from each label to the comparison of its segments. Labels are in the order of their first segments. The
        adjusted p-values are corrected for the number of tests: one for each system or pair in each group (Holm 1979).

    Raises:
        TypeError, ValueError: for the same reasons as `test` and `score_groups`. ValueError: a group has only one
            segment.

    >>> from bleu_metric import system_statistics
    >>> systems = {"A": ["a b", "a c", "b", "x"], "B": ["a b", "x", "b", "b"]}
    >>> counted = system_statistics(systems, ["a b", "a b", "b", "b"], max_order=1)
    >>> compared = compare_groups(counted["A"], counted["B"], ["news", "news", "chat", "chat"])
    >>> {label: round(comparison.systems[0].delta, 3) for label, comparison in compared.items()}
    {'news': -0.272, 'chat': 0.5}
    """
    counts_by_name = named_systems(baseline, systems, baseline_name, p_values)  # with the baseline first
    first, *_ = counts_by_name.values()
    parts = {}
    for label, rows in rows_by_group(groups, len(first)).items():
        if len(rows) == 1:
            raise ValueError(f"a paired test needs several segments, and the group {label!r} has 1; join small groups")
        parts[label] = {name: counts[rows] for name, counts in counts_by_name.items()}
    return compare_parts(parts, systems is None, test, p_values=p_values, **options)


def compare_parts(
    parts: Mapping[Label, Mapping[str, MetricStatistics]],
    all_pairs: bool,
    test: Callable[..., Comparison],
    **options: Any,
) -> GroupComparisons:
    """Compare the systems of each group, and correct the p-values for the tests of all groups.

    Args:
        parts: {label: {system: statistics of the group}}, with the baseline first.
        all_pairs: whether to compare all pairs, not only the baseline with each other system.
        test: as for `compare_groups`.
        **options: arguments of the test.
    """
    n_systems = len(next(iter(parts.values())))
    if test in USUAL_TRIALS:
        trials, usual = USUAL_TRIALS[test]
        n_pairs = n_systems * (n_systems - 1) // 2 if all_pairs else n_systems - 1
        if options.get(trials) is None:
            options[trials] = trials_for(n_pairs * len(parts), options.get("confidence", 0.95), usual)

    compared = GroupComparisons()
    for label, systems in parts.items():
        if all_pairs:
            compared[label] = test(systems, None, **options)
        else:
            (baseline_name, baseline), *others = systems.items()
            compared[label] = test(baseline, dict(others), baseline_name=baseline_name, **options)
    return _correct_together(compared)


def _correct_together(compared: GroupComparisons) -> GroupComparisons:
    """Correct the p-values for the tests of all groups together."""
    pairs = [pair for comparison in compared.values() for pair in comparison.pairs]
    corrected = correct_p_values(pairs)
    first = 0
    for label, comparison in compared.items():
        end = first + len(comparison.pairs)
        compared[label] = replace(comparison, pairs=corrected[first:end], n_tests=len(pairs))
        first = end
    return compared
