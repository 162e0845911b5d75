"""Compare systems separately in each group of segments, such as each domain or each document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from .._corpus import Label, rows_by_group
from .._display import amount
from .._names import PValues
from .._result import Column, Result, Row, stacked
from .._validation import short_repr
from .checks import named_systems
from .paired import TESTS, Scored, Systems, compare_parts, paired_bootstrap
from .result import Comparison, few_notes, interval_notes, star_notes


class GroupComparisons(Result, dict[Label, Comparison]):
    r"""A dict from each group's label to the `Comparison` of its segments. ``print`` shows one table, in percent.

    >>> from bleu_metric import paired_approximate_randomization, system_statistics
    >>> systems = {"A": ["a b", "a c", "b", "x"] * 15, "B": ["a b", "x", "b", "b"] * 15}
    >>> counted = system_statistics(systems, ["a b", "a b", "b", "b"] * 15, max_order=1)
    >>> labels = ["news", "news", "chat", "chat"] * 15
    >>> compared = compare_groups(counted["A"], counted["B"], labels, paired_approximate_randomization, n_trials=100)
    >>> compared
    <GroupComparisons BLEU of 2 groups, paired approximate randomization against baseline: 100 trials, seed 12345>
    >>> print(compared.to_markdown())
    | group     | system   |      BLEU |  95 % interval |   p (Holm) |
    |-----------|----------|----------:|---------------:|-----------:|
    | news (30) | baseline |  **75.0** |   [66.7, 83.3] |            |
    |           | system   |      47.8 |   [30.3, 65.5] | ≤ 0.020 \* |
    | chat (30) | baseline |      50.0 |   [33.3, 66.7] |            |
    |           | system   | **100.0** | [100.0, 100.0] | ≤ 0.020 \* |
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
        first, *_ = sorted(self.values(), key=lambda comparison: not comparison.n_trials)  # a tested group, if any
        return f"{first.metric.name} of {amount(len(self), 'group')}, {first.title()}"

    def columns(self, digits: int = 1) -> list[Column]:
        """Return a table with one row per group and system. Only a group's first row shows its label and its size."""
        labels = []
        for label, comparison in self.items():
            labels += [f"{label} ({comparison.segments:,})", *[""] * len(comparison.systems)]
        return [Column("group", labels, is_text=True), *stacked(one.columns(digits) for one in self.values())]

    def notes(self) -> list[str]:
        """Return what the star means, advice for small groups, notes about intervals, and the signatures."""
        comparisons = list(self.values())
        tested = [comparison for comparison in comparisons if comparison.n_trials] or comparisons
        signatures = dict.fromkeys(comparison.notes()[-1] for comparison in tested)
        stars = star_notes(comparisons, " of groups")
        return [*stars, *interval_notes(comparisons, self), *few_notes(comparisons), *signatures]


def compare_groups(
    baseline: Scored | Mapping[str, Scored],
    systems: Systems | None,
    groups: Any,
    test: Callable[..., Comparison] = paired_bootstrap,
    *,
    baseline_name: str = "baseline",
    p_values: PValues = "two-sided",
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
        adjusted p-values are corrected for the number of tests: one for each system or pair in each group that the test
        can decide (Holm 1979). A group in which it can decide nothing has no p-values, and a group with fewer than 30
        segments has no intervals.

    Raises:
        TypeError, ValueError: for the same reasons as `test` and `score_groups`.

    >>> from bleu_metric import system_statistics
    >>> systems = {"A": ["a b", "a c", "b", "x"], "B": ["a b", "x", "b", "b"]}
    >>> counted = system_statistics(systems, ["a b", "a b", "b", "b"], max_order=1)
    >>> compared = compare_groups(counted["A"], counted["B"], ["news", "news", "chat", "chat"])
    >>> {label: round(comparison.systems[0].delta, 3) for label, comparison in compared.items()}
    {'news': -0.272, 'chat': 0.5}
    """
    counts_by_name = named_systems(baseline, systems, baseline_name, p_values)  # with the baseline first
    chosen = next((each for each in TESTS.values() if each.function is test), None)
    if chosen is None:
        raise ValueError(f"test must be paired_bootstrap or paired_approximate_randomization, got {short_repr(test)}")
    signature(test).bind_partial(**options)  # rejects options that the test does not have
    first, *_ = counts_by_name.values()
    parts = {
        label: {name: counts[rows] for name, counts in counts_by_name.items()}
        for label, rows in rows_by_group(groups, len(first)).items()
    }
    return GroupComparisons(compare_parts(parts, chosen, systems is None, p_values=p_values, **options))
