"""Compare systems separately in each group of segments, such as each domain or each document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from .._corpus import Label, rows_by_group
from .._display import Summary, Table, Tabular, amount
from .._statistics import MetricStatistics
from .checks import named_systems
from .paired import USUAL_TRIALS, Scored, Systems, paired_bootstrap, trials_for
from .result import Comparison, about_test, comparison_table, correct_p_values, few_notes, star_notes


class GroupComparisons(Tabular, dict[Label, Comparison]):
    """A dict from each group's label to the `Comparison` of its segments. ``print`` shows one table, in percent.

    >>> from bleu_metric import paired_approximate_randomization, system_statistics
    >>> systems = {"A": ["a b", "a c", "b", "x"] * 5, "B": ["a b", "x", "b", "b"] * 5}
    >>> counted = system_statistics(systems, ["a b", "a b", "b", "b"] * 5, max_order=1)
    >>> labels = ["news", "news", "chat", "chat"] * 5
    >>> compared = compare_groups(counted["A"], counted["B"], labels, paired_approximate_randomization, n_trials=100)
    >>> compared
    <GroupComparisons news 10 segments, chat 10 segments>
    >>> print(compared.to_markdown())
    | group     | system   |      BLEU |  95 % interval | difference |   its interval |     p | p (Holm) |  |
    |-----------|----------|----------:|---------------:|-----------:|---------------:|------:|---------:|--|
    | news (10) | baseline |  **75.0** |   [60.0, 90.0] |            |                |       |          |  |
    |           | system   |      47.8 |   [17.1, 79.5] |      −27.2 | [−42.9, −10.5] | 0.099 |    0.198 |  |
    | chat (10) | baseline |      50.0 |   [20.0, 80.0] |            |                |       |          |  |
    |           | system   | **100.0** | [100.0, 100.0] |      +50.0 |   [20.0, 80.0] | 0.099 |    0.198 |  |
    """

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per group and system, as plain Python values, e.g. for pandas.

        >>> from bleu_metric import paired_approximate_randomization, system_statistics
        >>> counted = system_statistics({"A": ["a b", "a c"], "B": ["a b", "x"]}, ["a b", "a b"], max_order=1)
        >>> compared = compare_groups(counted["A"], counted["B"], ["news", "news"], paired_approximate_randomization)
        >>> [(row["group"], row["system"]) for row in compared.rows()]
        [('news', 'baseline'), ('news', 'system')]
        """
        rows = []
        for label, comparison in self.items():
            rows += [{"group": label, **row} for row in comparison.rows()]
        return rows

    def _table(self, digits: int) -> Table:
        return groups_table(self, digits)

    def _summary(self) -> Summary:
        if not self:
            return Summary(line="", headline="0 groups", notes=[])  # there is no test to describe
        group_sizes = [f"{label} {amount(comparison.segments, 'segment')}" for label, comparison in self.items()]

        comparisons = list(self.values())
        signatures = {comparison.signature for comparison in comparisons}

        return Summary(
            line=", ".join(group_sizes),
            headline=f"{amount(len(self), 'group')}, {about_test(comparisons[0])}",
            notes=[*star_notes(comparisons), *few_notes(comparisons), *sorted(signatures)],
            table=self._table(digits=1),
        )


def groups_table(groups: GroupComparisons, digits: int) -> Table:
    """Return a table with one row per group and system. Only a group's first row shows its label and its size."""
    if not groups:
        return Table(["group"], [])  # without a comparison, the other headings are unknown

    rows: list[list[str]] = []
    bold_cells = []
    for label, comparison in groups.items():
        table = comparison_table(comparison, digits)
        first_row = len(rows)
        # + 1 is for the column "group"
        bold_cells += [(first_row + row, column + 1) for row, column in table.bold_cells]
        group_cell = f"{label} ({comparison.segments:,})"
        for cells in table.rows:
            rows.append([group_cell, *cells])
            group_cell = ""  # in the other rows of the group

    heads = ["group", *table.heads]  # all groups have the same headings
    left_aligned = (0, *[column + 1 for column in table.left_aligned])
    return Table(heads, rows, left_aligned=left_aligned, bold_cells=bold_cells, optional_heads=table.optional_heads)


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
