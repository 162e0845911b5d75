"""Compare systems separately in each group of segments, such as each domain or each document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from .._display import amount
from .._labels import Label, rows_by_group
from .._statistics import BleuStatistics
from .._tables import Summary, Table, Tabular
from .checks import named_systems
from .paired import Systems, paired_bootstrap
from .result import Comparison, about_test, comparison_table, correct_p_values, star_notes


class GroupComparisons(Tabular, dict[Label, Comparison]):
    """A dict from each group's label to the `Comparison` of its segments. ``print`` shows one table, in percent.

    >>> from bleu_metric import paired_approximate_randomization, system_statistics
    >>> systems = {"A": ["a b", "a c", "b", "x"], "B": ["a b", "x", "b", "b"]}
    >>> counted = system_statistics(systems, ["a b", "a b", "b", "b"], max_order=1)
    >>> labels = ["news", "news", "chat", "chat"]
    >>> compared = compare_groups(counted["A"], counted["B"], labels, paired_approximate_randomization, n_trials=100)
    >>> compared
    <GroupComparisons news 2 segments, chat 2 segments>
    >>> print(compared.to_markdown())
    | group    | system   |      BLEU |  95 % interval | difference | its interval |     p | p (Holm) |  |
    |----------|----------|----------:|---------------:|-----------:|-------------:|------:|---------:|--|
    | news (2) | baseline |  **75.0** |  [50.0, 100.0] |            |              |       |          |  |
    |          | system   |      47.8 |   [0.0, 100.0] |      −27.2 | [−50.0, 0.0] | 1.000 |    1.000 |  |
    | chat (2) | baseline |      50.0 |   [0.0, 100.0] |            |              |       |          |  |
    |          | system   | **100.0** | [100.0, 100.0] |      +50.0 | [0.0, 100.0] | 1.000 |    1.000 |  |
    """

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per group and system, as plain Python values, e.g. for pandas.

        >>> from bleu_metric import paired_approximate_randomization, system_statistics
        >>> counted = system_statistics({"A": ["a b", "a c"], "B": ["a b", "x"]}, ["a b", "a b"], max_order=1)
        >>> compared = compare_groups(counted["A"], counted["B"], ["news", "news"], paired_approximate_randomization)
        >>> [(row["group"], row["name"]) for row in compared.rows()]
        [('news', 'baseline'), ('news', 'system')]
        """
        rows = []
        for label, comparison in self.items():
            rows += [{"group": label, **row} for row in comparison.rows()]
        return rows

    def _table(self, digits: int) -> Table:
        return groups_table(self, digits)

    def _summary(self) -> Summary:
        """Return the sizes of the groups as a line, and a table of all comparisons with the tests and signatures."""
        sizes = []
        tests = []
        for label, comparison in self.items():
            sizes.append(f"{label} {amount(comparison.segments, 'segment')}")
            tests.append(about_test(comparison))
        line = ", ".join(sizes)
        # Descriptions of the test differ if a group has too few segments. The headline has the first one
        different_tests = list(dict.fromkeys(tests))
        headline = ", ".join([f"{len(self)} groups", *different_tests[:1]])
        signatures = {comparison.signature for comparison in self.values()}
        notes = [*star_notes(self.values()), *different_tests[1:], *sorted(signatures)]
        return Summary(line, headline, notes, self._table(digits=1))


def groups_table(groups: GroupComparisons, digits: int) -> Table:
    """Return a table with one row per group and system. Only a group's first row shows its label and its size."""
    table = Table([], [])  # if there are no groups
    rows: list[list[str]] = []
    bold = []
    for label, comparison in groups.items():
        table = comparison_table(comparison, digits)
        bold += [(len(rows) + row, column + 1) for row, column in table.bold_cells]  # + 1 for the column "group"
        title = f"{label} ({comparison.segments:,})"
        for cells in table.rows:
            rows.append([title, *cells])
            title = ""
    heads = ["group", *table.heads]
    words = (0, 1, len(heads) - 1)  # indices of the columns of groups, systems and stars
    return Table(heads, rows, left_aligned=words, bold_cells=bold, optional_heads=table.optional_heads)


def compare_groups(
    baseline: BleuStatistics,
    systems: Systems,
    groups: Any,
    test: Callable[..., Comparison] = paired_bootstrap,
    **options: Any,
) -> GroupComparisons:
    """Compare systems with a baseline in each group of segments.

    Args:
        baseline: as for `paired_bootstrap`.
        systems: as for `paired_bootstrap`.
        groups: as for `score_groups`: a list, array or column with one label per segment.
        test: `paired_bootstrap` or `paired_approximate_randomization`.
        **options: further arguments of the test.

    Returns:
        A dict from each label to the comparison of its segments. Labels are in the order of their first segments. The
        adjusted p-values are corrected for the number of tests: one for each system in each group (Holm 1979).

    Raises:
        TypeError, ValueError: for the same reasons as `test` and `score_groups`. ValueError: a group has only one
            segment.

    >>> from bleu_metric import paired_approximate_randomization, system_statistics
    >>> systems = {"A": ["a b", "a c", "b", "x"], "B": ["a b", "x", "b", "b"]}
    >>> counted = system_statistics(systems, ["a b", "a b", "b", "b"], max_order=1)
    >>> labels = ["news", "news", "chat", "chat"]
    >>> compared = compare_groups(counted["A"], counted["B"], labels, paired_approximate_randomization, n_trials=100)
    >>> {label: round(comparison.systems[0].delta, 3) for label, comparison in compared.items()}
    {'news': -0.272, 'chat': 0.5}
    """
    name = options.pop("baseline_name", "baseline")
    p_values = options.get("p_values", "two-sided")
    named = named_systems(baseline, systems, name, p_values)
    compared = GroupComparisons()
    for label, rows in rows_by_group(groups, len(baseline)).items():
        if len(rows) == 1:
            raise ValueError(f"a paired test needs several segments, and the group {label!r} has 1; join small groups")
        of_group = {system: counts[rows] for system, counts in named.items()}
        baseline_of_group = of_group.pop(name)
        compared[label] = test(baseline_of_group, of_group, baseline_name=name, **options)
    return _correct_together(compared)


def _correct_together(compared: GroupComparisons) -> GroupComparisons:
    """Replace the adjusted p-values, which are corrected within each group, with ones corrected for all groups."""
    tested = chain.from_iterable(comparison.systems for comparison in compared.values())
    corrected = iter(correct_p_values(list(tested)))
    for label, comparison in compared.items():
        systems = list(islice(corrected, len(comparison.systems)))  # the next systems are those of this group
        compared[label] = replace(comparison, systems=systems)
    return compared
