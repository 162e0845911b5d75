"""Compare systems with several metrics on the same resamples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .._display import Summary, Table, Tabular, level_text
from .checks import check_metrics, statistics_by_metric
from .paired import Scored, paired_bootstrap
from .result import Comparison, about_test, comparison_table, star_notes


class MetricComparisons(Tabular, dict[str, Comparison]):
    """A dict from each metric's name to the `Comparison` of the systems. ``print`` shows one table.

    >>> scores = {"rating": {"A": [4.0, 5.0, 4.5], "B": [3.0, 4.0, 4.5]}}
    >>> compared = compare_metrics(scores, n_resamples=100)
    >>> compared["rating"].systems[0].delta
    -0.6666666666666665
    """

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per metric and system, as plain Python values, e.g. for pandas.

        >>> compared = compare_metrics({"rating": {"A": [4.0, 5.0], "B": [3.0, 4.0]}}, n_resamples=100)
        >>> [(row["metric"], row["system"], row["score"]) for row in compared.rows()]
        [('rating', 'A', 4.5), ('rating', 'B', 3.5)]
        """
        return [{"metric": name, **row} for name, comparison in self.items() for row in comparison.rows()]

    def _table(self, digits: int) -> Table:
        return metrics_table(self, digits)

    def _summary(self) -> Summary:
        comparisons = list(self.values())
        scores = [f"{name} {comparison.ranked[0].name}" for name, comparison in self.items()]
        return Summary(
            line=f"best systems: {', '.join(scores)}",
            headline=about_test(comparisons[0]),
            notes=metric_notes(self),
            table=self._table(digits=1),
        )


def metric_notes(comparisons: Mapping[str, Comparison]) -> list[str]:
    """Return the verdict and the signature of each metric, and the note about stars."""
    signatures = [f"{name}: {comparison.signature}" for name, comparison in comparisons.items()]
    return [*verdicts_by_metric(comparisons), *star_notes(comparisons.values()), *signatures]


def verdicts_by_metric(comparisons: Mapping[str, Comparison]) -> list[str]:
    """Return the verdict of each metric, which begins with the metric's name."""
    verdicts = []
    for name, comparison in comparisons.items():
        low = " (lower is better)" if comparison.metric.lower_is_better else ""
        verdicts.append(f"{name}{low}: {comparison.verdict()}")
    return verdicts


def metrics_table(comparisons: Mapping[str, Comparison], digits: int) -> Table:
    """Return a table with one row per system, in the order of the first metric, and some columns per metric."""
    first, *_ = comparisons.values()
    names = [system.name for system in (first.ranked if first.is_ranking else [first.baseline, *first.systems])]
    rows = [[name] for name in names]
    heads, left_aligned, bold_cells = ["system"], [0], []
    optional = (f"{level_text(first.confidence)} interval", "p (Holm)")
    for comparison in comparisons.values():
        table = comparison_table(comparison, digits)
        system_column = table.heads.index("system")
        row_of_system = {cells[system_column]: row for row, cells in enumerate(table.rows)}
        columns = ["rank", comparison.metric.name, optional[0]]
        if not comparison.is_ranking:
            columns += ["difference", "p (Holm)", ""]
        for column, head in enumerate(table.heads):
            if head not in columns:
                continue
            if head in ("rank", ""):
                left_aligned.append(len(heads))
            for row, name in enumerate(names):
                position = row_of_system[name], column
                if position in table.bold_cells:
                    bold_cells.append((row, len(heads)))
                rows[row].append(table.rows[position[0]][column])
            heads.append(head)
    return Table(heads, rows, left_aligned, bold_cells, optional_heads=optional)


def compare_metrics(
    statistics: Mapping[str, Mapping[str, Scored]],
    baseline: str | None = None,
    test: Callable[..., Comparison] = paired_bootstrap,
    **options: Any,
) -> MetricComparisons:
    """Compare the same systems with several metrics, on the same resamples.

    Args:
        statistics: {metric: {system: statistics}}, as returned by `system_statistics` with `metrics`. A list with
            one number per segment may replace statistics, such as COMET's scores. The highest number is the best.
        baseline: the name of the system with which all others are compared. By default all pairs are compared.
        test: `paired_bootstrap` or `paired_approximate_randomization`.
        **options: further arguments of the test.

    Returns:
        A dict from the name of each metric to its comparison. The p-values are corrected separately for each metric.

    Raises:
        TypeError, ValueError: for the same reasons as `test`; or the metrics have different systems or segments.

    >>> from bleu_metric import system_statistics
    >>> outputs = {"A": ["the cat sat", "a dog"], "B": ["the cat sat", "the cat"]}
    >>> counted = system_statistics(outputs, ["the cat sat", "a dog"], metrics=["bleu", "chrf"])
    >>> compared = compare_metrics({**counted, "rating": {"A": [5, 4], "B": [5, 1]}}, "A", n_resamples=100)
    >>> {name: round(comparison.systems[0].delta, 2) for name, comparison in compared.items()}
    {'BLEU': 0.0, 'chrF2': -0.16, 'rating': -1.5}
    """
    by_metric = statistics_by_metric(statistics)
    check_metrics(by_metric, baseline)
    first, *_ = by_metric.values()
    if len(first) < 2:
        raise ValueError("there is only one system; give two or more to compare")
    compared = MetricComparisons()
    for metric, systems in by_metric.items():
        named = {name: systems[name] for name in first}  # in the same order for all metrics
        if baseline is None:
            compared[metric] = test(named, None, **options)
        else:
            compared[metric] = test(named[baseline], named, baseline_name=baseline, **options)
    return compared
