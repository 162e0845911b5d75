"""The result of comparing systems with a baseline: scores, differences, p-values and their table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .._bootstrap import Interval
from .._display import (
    Summary,
    Table,
    Tabular,
    brackets,
    level_text,
    p_value_text,
    percent,
    signed_percent,
    significance_level,
)
from .._lazy import np

BOOTSTRAP, RANDOMIZATION = "paired bootstrap", "paired approximate randomization"  # names of the tests
P_VALUES = ("two-sided", "sacrebleu")
# With fewer segments, no difference counts as significant, because the bootstrap would find too many false positives.
# `scripts/significance.py FOLDER few` measures the rate of false positives.
MIN_SEGMENTS = 30
TOO_FEW = "too few segments"
_INTERVAL_FIELDS = ("score", "low", "high", "mean", "half_width")


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One system compared with the baseline. A score of 50 BLEU is 0.5, and a difference of 1 BLEU point is 0.01."""

    name: str
    interval: Interval
    """The system's own score and bootstrap interval."""
    delta: float | None = None
    """The system's score minus the baseline's. The fields from `delta` to `p_adjusted` are None for the baseline."""
    delta_low: float | None = None
    """Lower end of the percentile interval of the difference. It is not corrected for the number of systems."""
    delta_high: float | None = None
    """Upper end of the percentile interval of the difference."""
    p_value: float | None = None
    """The probability that chance alone produces a difference at least as large as `delta`, in either direction."""
    p_adjusted: float | None = None
    """The p-value corrected for the number of systems. `compare_groups` counts those of all groups (Holm 1979)."""
    segments_that_differ: int = 0
    """Number of segments whose counts differ from the baseline's counts."""

    def row(self) -> dict[str, Any]:
        """Return one dict with the system's name, its score and interval, and then its difference and p-values."""
        fields = dict(vars(self))
        del fields["interval"]
        interval = {field: getattr(self.interval, field) for field in _INTERVAL_FIELDS}
        return {"name": self.name, **interval, **fields}


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison(Tabular):
    """A baseline and the systems compared with it. ``print`` shows a table, in percent.

    >>> from bleu_metric import paired_approximate_randomization, system_statistics
    >>> counted = system_statistics({"A": ["a b", "a c"], "B": ["a b", "x"]}, ["a b", "a b"], max_order=1)
    >>> compared = paired_approximate_randomization(counted["A"], {"B": counted["B"]}, n_trials=100)
    >>> compared
    <Comparison baseline 75.0, B 47.8: paired approximate randomization against baseline: 100 trials, seed 12345>
    >>> system = compared.systems[0]
    >>> compared.baseline.name, system.name, system.p_adjusted == system.p_value
    ('baseline', 'B', True)
    """

    test: str
    """``"paired bootstrap"`` or ``"paired approximate randomization"``."""
    p_values: str
    """How the p-values are computed: ``"two-sided"`` or ``"sacrebleu"``."""
    baseline: Compared
    systems: list[Compared]
    segments: int
    n_trials: int
    n_resamples: int
    seed: int
    confidence: float
    signature: str
    """A string with every setting that determines the scores and the p-values."""

    @property
    def has_too_few_segments(self) -> bool:
        """Return whether the test is a bootstrap of fewer than 30 segments. False for approximate randomization.

        >>> from bleu_metric import paired_bootstrap, system_statistics
        >>> counted = system_statistics({"A": ["a b", "a c"], "B": ["a b", "x"]}, ["a b", "a b"], max_order=1)
        >>> paired_bootstrap(counted["A"], counted["B"]).has_too_few_segments
        True
        """
        return self.test == BOOTSTRAP and self.segments < MIN_SEGMENTS

    def is_significant(self, system: Compared) -> bool | None:
        """Return whether a system's difference is statistically significant at the chosen confidence level.

        Args:
            system: one of `systems`, or `baseline`.

        Returns:
            True or False; None for the baseline, or if the test cannot decide. A bootstrap of fewer than 30 segments
            cannot decide. With ``p_values="sacrebleu"``, a test cannot decide if too few segments differ: of the 2^n
            ways to swap n segments, at least 2 (swap none, swap all) give a difference as large as the observed one, so
            2 / 2^n must be below the significance level. A difference of 0 is never significant.

        Raises:
            AttributeError: `system` is not a `Compared`.

        >>> from bleu_metric import paired_approximate_randomization, system_statistics
        >>> counted = system_statistics({"A": ["a b", "a c"], "B": ["a b", "x"]}, ["a b", "a b"], max_order=1)
        >>> compared = paired_approximate_randomization(counted["A"], counted["B"], n_trials=100)
        >>> compared.is_significant(compared.systems[0])
        False
        """
        if system.p_adjusted is None or self.has_too_few_segments:
            return None

        significance_limit = 1 - self.confidence
        if system.delta == 0 or system.p_adjusted >= significance_limit:
            return False

        # At least 2 of the 2^n ways to swap n segments give a difference as large
        share_as_large = 2 * 0.5**system.segments_that_differ
        if self.p_values == "sacrebleu" and share_as_large >= significance_limit:
            return None
        return True

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per system, the baseline first, as plain Python values.

        >>> from bleu_metric import paired_bootstrap, system_statistics
        >>> counted = system_statistics({"A": ["a b", "a c"], "B": ["a b", "x"]}, ["a b", "a b"], max_order=1)
        >>> [row["name"] for row in paired_bootstrap(counted["A"], counted["B"], n_resamples=100).rows()]
        ['baseline', 'system']
        """
        return [compared.row() for compared in (self.baseline, *self.systems)]

    def _summary(self) -> Summary:
        """Return the scores and the test as a line, and a table of the systems with notes."""
        systems = [self.baseline, *self.systems]
        scores = [f"{system.name} {percent(system.interval.score)}" for system in systems]
        test = about_test(self)
        return Summary(
            line=f"{', '.join(scores)}: {test}",
            headline=test,
            notes=[*star_notes([self]), self.signature],
            table=self._table(digits=1),
        )

    def _table(self, digits: int) -> Table:
        """Return a table with one row per system, as `comparison_table` does."""
        return comparison_table(self, digits)

    def to_dict(self) -> dict[str, Any]:
        """Return a dict of plain Python values: all fields, with ``rows`` in place of `baseline` and `systems`.

        >>> from bleu_metric import paired_bootstrap, system_statistics
        >>> counted = system_statistics({"A": ["a b", "a c"], "B": ["a b", "x"]}, ["a b", "a b"], max_order=1)
        >>> paired_bootstrap(counted["A"], counted["B"], n_resamples=100).to_dict()["test"]
        'paired bootstrap'
        """
        fields = dict(vars(self))
        del fields["baseline"], fields["systems"]  # they are in the rows
        return {**fields, "has_too_few_segments": self.has_too_few_segments, "rows": self.rows()}


def about_test(comparison: Comparison) -> str:
    """Return the test, the baseline and the settings as a string. If there are too few segments, add `advice`."""
    return f"{comparison.test} against {comparison.baseline.name}: {about_trials(comparison)}"


def about_trials(comparison: Comparison) -> str:
    """Return the settings of the test, e.g. "1,000 resamples, seed 12345". If segments are too few, add `advice`."""
    trials = "resamples" if comparison.test == BOOTSTRAP else "trials"
    settings = f"{comparison.n_trials:,} {trials}, seed {comparison.seed}"
    if comparison.p_values != "two-sided":
        settings += f", p-values counted as {comparison.p_values} does"
    if comparison.has_too_few_segments:
        settings += f"; {advice(comparison)}"
    return settings


def advice(comparison: Comparison) -> str:
    """Return the advice to use approximate randomization because the bootstrap has too few segments."""
    count = f"{comparison.segments}, fewer than {MIN_SEGMENTS}"
    remedy = "use paired_approximate_randomization (compare -t approximate-randomization)"
    return f"{TOO_FEW} for the bootstrap ({count}): {remedy}"


def star_notes(comparisons: Iterable[Comparison]) -> list[str]:
    """Return a list with one note that explains the star in tables. If no difference is significant, it is empty.

    All comparisons have the same confidence level, so the first one with a significant difference provides the note.
    """
    for comparison in comparisons:
        has_star = any(map(comparison.is_significant, comparison.systems))
        if has_star:
            return [f"* significant: p (Holm) < {significance_level(comparison.confidence)}"]
    return []


def comparison_table(comparison: Comparison, digits: int) -> Table:
    """Return a table with one row per system, the baseline first and scores in percent. The best score is bold.

    The last column has no heading. Its cells have a star for a significant difference, or the words "too few segments"
    if the test cannot decide. These words are in the table because a note below it can be lost when the table is
    copied, and because notes of LaTeX tables are comments, which are not printed.
    """
    interval_heading = f"{level_text(comparison.confidence)} interval"
    heads = ["system", "BLEU", interval_heading, "difference", "its interval", "p", "p (Holm)", ""]
    systems = [comparison.baseline, *comparison.systems]
    rows = [_cells(comparison, system, digits) for system in systems]

    bleu_column = heads.index("BLEU")
    star_column = len(heads) - 1
    best_score = max(system.interval.score for system in systems)
    bold_cells = [(row, bleu_column) for row, system in enumerate(systems) if system.interval.score == best_score]
    return Table(
        heads,
        rows,
        left_aligned=(0, star_column),
        bold_cells=bold_cells,
        # A narrow terminal omits these columns, but never "p (Holm)"
        optional_heads=("p", "its interval", interval_heading),
    )


def _cells(comparison: Comparison, system: Any, digits: int) -> list[str]:
    """Return a row: name, score, interval, difference, its interval, both p-values, and whether it is significant.

    The baseline, which is compared with no other system, has only a name, a score and an interval.
    """
    interval = system.interval
    score_cells = [system.name, percent(interval.score, digits), brackets(interval.low, interval.high, digits)]
    if system is comparison.baseline:
        return [*score_cells, "", "", "", "", ""]

    stars = {True: "*", False: "", None: TOO_FEW}
    return [
        *score_cells,
        signed_percent(system.delta, digits),
        brackets(system.delta_low, system.delta_high, digits),
        p_value_text(system.p_value),
        p_value_text(system.p_adjusted),
        stars[comparison.is_significant(system)],
    ]


def correct_p_values(systems: Sequence[Compared]) -> list[Compared]:
    """Correct the p-values with `holm`. Return copies of the systems with the results in the field `p_adjusted`."""
    p_values: list[Any] = [system.p_value for system in systems]
    corrected = holm(p_values)
    return [replace(system, p_adjusted=p_value) for system, p_value in zip(systems, corrected, strict=True)]


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for multiple tests, so that the risk of any false positive is no higher than for one test.

    Multiply the k-th smallest of m p-values by m - k + 1. If a smaller p-value has a larger product, use that product.
    A corrected p-value is at most 1 (Holm 1979, https://www.jstor.org/stable/4615733).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    n_tests = len(p_values)
    order = np.argsort(p_values, kind="stable")  # in the example [0, 2, 1]
    ascending = np.take(p_values, order)  # [0.01, 0.03, 0.04]
    factors = np.arange(n_tests, 0, -1)  # [3, 2, 1]
    products = ascending * factors  # [0.03, 0.06, 0.04]
    largest_so_far = np.maximum.accumulate(products)  # [0.03, 0.06, 0.06]

    corrected = np.empty(n_tests)
    corrected[order] = np.minimum(largest_so_far, 1.0)  # back in the order of `p_values`
    return list(map(float, corrected))
