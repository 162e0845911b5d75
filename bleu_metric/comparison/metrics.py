"""Compare systems with several metrics on the same resamples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .._bootstrap import narrow_notes
from .._result import Column, Result, Row
from .checks import statistics_by_metric
from .paired import Scored, paired_bootstrap
from .result import Comparison, difference_columns, rank_columns, score_columns, star_notes


class MetricComparisons(Result, dict[str, Comparison]):
    """A dict from each metric's name to the `Comparison` of the systems. ``print`` shows one table.

    >>> scores = {"rating": {"A": [4.0, 5.0, 4.5], "B": [3.0, 4.0, 4.5]}}
    >>> compared = compare_metrics(scores, n_resamples=100)
    >>> compared["rating"].systems[0].delta
    -0.6666666666666665
    """

    def rows(self, in_percent: bool = False) -> list[Row]:
        """Return one row per metric and system, as plain Python values, e.g. for pandas.

        >>> compared = compare_metrics({"rating": {"A": [4.0, 5.0], "B": [3.0, 4.0]}}, n_resamples=100)
        >>> [(row["metric"], row["system"], row["score"]) for row in compared.rows()]
        [('rating', 'A', 4.5), ('rating', 'B', 3.5)]
        """
        return [row for comparison in self.values() for row in comparison.rows(in_percent)]

    def facts(self) -> Row:
        """Return the facts about the comparison in each metric."""
        return {"metrics": {name: comparison.facts() for name, comparison in self.items()}}

    def title(self, digits: int = 1) -> str:
        """Return a description of the test, which is the same for all metrics."""
        return next(iter(self.values())).title()

    def columns(self, digits: int = 1) -> list[Column]:
        """Return a table with one row per system, in the order of the first metric, and some columns per metric."""
        first, *_ = self.values()
        names = [system.name for system in (first.ranked if first.is_ranking else [first.baseline, *first.systems])]
        columns = [Column("system", names, is_text=True)]
        for one in self.values():
            columns += [column._replace(in_papers=one is first) for column in rank_columns(one, names)]
            scores, *interval = score_columns(one, names, digits)
            if one.is_ranking:  # the next system is another one in each metric
                columns += [scores, *interval]
                continue
            difference, *_, p_value = difference_columns(one, digits)
            # A paper's table has no room for the p-values of several metrics, so only their stars are kept
            has_stars = any(cell.endswith("*") for cell in p_value.cells)
            stars = ["*" if cell.endswith("*") else " " * has_stars for cell in p_value.cells]
            cells = list(map(str.__add__, scores.cells, stars))
            p_value = p_value._replace(in_papers=False, spare=1)
            columns += [scores._replace(cells=cells), *interval, difference, p_value]
        return columns

    def notes(self) -> list[str]:
        """Return the verdict and the signature of each metric, and what the star means."""
        verdicts, signatures = [], []
        for name, one in self.items():
            low = " (lower is better)" if one.metric.lower_is_better else ""
            verdicts.append(f"{name}{low}: {one.verdict()}")
            signatures.append(one.notes()[-1])  # with the name of each metric but BLEU
        # The columns of a ranking have no p-values
        stars = star_notes(one for one in self.values() if not one.is_ranking)
        narrow = narrow_notes(one.segments for one in self.values() if one.n_resamples)
        return [*verdicts, *stars, *narrow, *signatures]


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
    by_metric = statistics_by_metric(statistics, baseline)
    first, *_ = by_metric.values()
    if len(first) < 2:
        raise ValueError("there is only one system; give two or more to compare")
    compared = MetricComparisons()
    for metric, systems in by_metric.items():
        named = {name: systems[name] for name in first}  # in the same order for all metrics
        pair = (named, None) if baseline is None else (named[baseline], named)
        compared[metric] = test(*pair, baseline_name=baseline or "", **options)
    return compared
