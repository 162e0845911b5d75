"""The result of comparing systems with a baseline: scores, differences, p-values and their table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from .._bootstrap import MIN_SEGMENTS, Interval, interval_columns, narrow_notes
from .._display import BLEU, Metric, amount, is_below, join_words, level_of, p_value_text, significance_level
from .._lazy import np
from .._result import Column, Result, Row
from .._score import BleuScore
from .._validation import as_in, typed

BOOTSTRAP, RANDOMIZATION = "paired bootstrap", "paired approximate randomization"  # names of the tests
P_VALUES = ("two-sided", "sacrebleu")
NOT_TESTED, TOO_FEW = "not tested", "too few segments"
_MOST_PAIRS = 5  # number of untested pairs that a verdict names
_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One system compared with another one. A score of 50 BLEU is 0.5, and a difference of 1 BLEU point is 0.01."""

    name: str
    interval: Interval
    """The system's own score and bootstrap interval."""
    baseline: str | None = None
    """The name of the system that `name` is compared with. None for the baseline itself."""
    delta: float | None = None
    """The system's score minus the baseline's. The fields from `delta` to `p_adjusted` are None for the baseline."""
    delta_low: float | None = None
    """Lower end of the percentile interval of the difference, not corrected for the number of systems."""
    delta_high: float | None = None
    """Upper end of the percentile interval of the difference."""
    delta_error: float | None = None
    """Standard error of the difference: the standard deviation of the resampled differences."""
    p_value: float | None = None
    """The probability that chance alone produces a difference at least as large as `delta`, in either direction. None
    if the test can never decide on this pair."""
    p_adjusted: float | None = None
    """The p-value corrected for the number of tests: all systems, pairs and groups that are tested (Holm 1979)."""
    segments_that_differ: int = 0
    """Number of segments whose counts differ from the baseline's counts."""
    parts: BleuScore | None = None
    """The precisions and lengths of a BLEU score; None for other metrics."""

    @property
    def detectable(self) -> float:
        """Return the smallest true difference that a single test shows with a probability of 80 %, at the level 0.05.

        This is 2.8 standard errors: 1.96 for the level, and 0.84 for the probability (Cohen 1988).
        """
        return 2.8 * (self.delta_error or 0.0)

    def row(self, in_percent: bool = False) -> Row:
        """Return the system's name, its score and interval, its difference and p-values, and the parts of BLEU.

        Without resamples, the numbers of intervals are None.
        """
        scale = self.interval.metric.scale if in_percent else 1
        differences = {"delta": self.delta, "delta_low": self.delta_low, "delta_high": self.delta_high}
        differences = {name: value if value is None else scale * value for name, value in differences.items()}
        tested = {name: getattr(self, name) for name in ("p_value", "p_adjusted", "segments_that_differ")}
        [parts] = self.parts.rows(in_percent) if self.parts else [{}]
        left_out = ("bleu", "signature")  # the score and the signature of the comparison have other names
        parts = {name: value for name, value in parts.items() if name not in left_out}
        [interval] = self.interval.rows(in_percent)
        scores = {name: interval[name] for name in ("score", "low", "high", "mean", "half_width")}
        about = {"system": self.name, "metric": self.interval.metric.name}
        row = {**about, **scores, "baseline": self.baseline, **differences, **tested, **parts}
        ends = ("low", "high", "mean", "half_width", "delta_low", "delta_high")
        return row if self.interval.n_resamples else row | dict.fromkeys(ends)


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison(Result):
    """A baseline and the systems compared with it. ``print`` shows a table, in percent.

    >>> from bleu_metric import paired_approximate_randomization, system_statistics
    >>> counted = system_statistics({"A": ["a b", "a c"] * 3, "B": ["a b", "x"] * 3}, ["a b"] * 6, max_order=1)
    >>> compared = paired_approximate_randomization(counted["A"], {"B": counted["B"]}, n_trials=100)
    >>> compared
    <Comparison baseline 75.0, B 47.8>
    >>> system = compared.systems[0]
    >>> compared.baseline.name, system.name, system.p_adjusted == system.p_value
    ('baseline', 'B', True)
    """

    test: str
    """``"paired bootstrap"`` or ``"paired approximate randomization"``. In charts also ``"not tested"``."""
    p_values: str
    """How the p-values are computed: ``"two-sided"`` or ``"sacrebleu"``."""
    baseline: Compared
    pairs: list[Compared]
    """All tested pairs of systems, beginning with the pairs that contain the baseline."""
    n_tests: int
    """Number of tests for which the p-values are corrected: the pairs with a p-value, in all groups together."""
    segments: int
    n_trials: int
    """Number of trials or resamples of the test; 0 if no pair was tested."""
    n_resamples: int
    """Number of resamples of the intervals; 0 if all intervals have width 0."""
    seed: int
    confidence: float
    signature: str
    """A string with every setting that determines the scores and the p-values."""
    metric: Metric = BLEU

    @property
    def systems(self) -> list[Compared]:
        """Return the systems that are compared with the baseline."""
        return [pair for pair in self.pairs if pair.baseline == self.baseline.name]

    @property
    def ranked(self) -> list[Compared]:
        """Return the baseline and all systems, from best to worst."""
        sign = 1 if self.metric.lower_is_better else -1
        return sorted([self.baseline, *self.systems], key=lambda system: sign * system.interval.score)

    @property
    def is_tested(self) -> bool:
        """Return whether there is a test. Charts also show systems without one."""
        return self.test != NOT_TESTED and bool(self.pairs)

    @property
    def has_all_pairs(self) -> bool:
        """Return whether each system was compared with each other one."""
        n_systems = 1 + len(self.systems)
        return 2 * len(self.pairs) == n_systems * (n_systems - 1)

    @property
    def can_find_differences(self) -> bool:
        """Return whether there are enough trials for a significant difference, after the correction for all tests."""
        return is_below(self.n_tests / (self.n_trials + 1), level_of(self.confidence))

    @property
    def is_ranking(self) -> bool:
        """Return whether all pairs of more than two systems were tested. The systems are then shown by rank."""
        return self.is_tested and self.has_all_pairs and len(self.systems) > 1

    def winner(self, first: str, second: str) -> str | None:
        """Return the name of the significantly better system.

        Args:
            first: the name of a system.
            second: the name of another system.

        Returns:
            One of the two names. None if the difference is not significant, or if the two were not compared.

        >>> from bleu_metric import paired_bootstrap, system_statistics
        >>> systems = {"A": ["a b"] * 30, "B": ["a b"] * 20 + ["x y"] * 10}
        >>> paired_bootstrap(system_statistics(systems, ["a b"] * 30, max_order=1)).winner("B", "A")
        'A'
        """
        return next((better for better, worse in self._decided() if {better, worse} == {first, second}), None)

    def _decided(self) -> list[tuple[str | None, str | None]]:
        """Return the better and the worse system of each pair that differs significantly."""
        is_better = self.metric.is_better
        pairs = [pair for pair in self.pairs if self.is_significant(pair)]
        return [
            (pair.name, pair.baseline) if is_better(pair.delta or 0.0) else (pair.baseline, pair.name) for pair in pairs
        ]

    def ranks(self) -> dict[str, tuple[int, int]]:
        """Return the best and the worst rank that each system can have, from best to worst score.

        A system's best rank is 1 + the number of systems that are significantly better. Its worst rank is the number of
        systems minus the number of significantly worse ones. WMT's tables of results have these ranges.

        Raises:
            ValueError: the systems were compared with the baseline only.

        >>> from bleu_metric import paired_bootstrap, system_statistics
        >>> systems = {"A": ["a b"] * 30, "B": ["a x"] * 30, "C": ["a b"] * 30}
        >>> paired_bootstrap(system_statistics(systems, ["a b"] * 30, max_order=1)).ranks()
        {'A': (1, 2), 'C': (1, 2), 'B': (3, 3)}
        """
        if not self.has_all_pairs:
            raise ValueError("ranks need a comparison of all pairs: paired_bootstrap({'A': …, 'B': …, 'C': …})")
        names = [system.name for system in self.ranked]
        decided = self._decided()
        wins, losses = Counter(better for better, _ in decided), Counter(worse for _, worse in decided)
        return {name: (1 + losses[name], len(names) - wins[name]) for name in names}

    def verdict(self, name_text: Callable[[str], str] = str) -> str:
        """Return the result of the test as a sentence.

        Args:
            name_text: function that returns the text of a name, e.g. its HTML.

        Returns:
            The sentence names the systems that are not significantly different from the best one, and the worse ones.
            If the test compares with the baseline only, the sentence names the systems that are better, worse or
            neither. ``""`` if no test was run.

        >>> from bleu_metric import paired_bootstrap, system_statistics
        >>> systems = {"A": ["a b"] * 30, "B": ["a x"] * 30, "C": ["a b"] * 30}
        >>> paired_bootstrap(system_statistics(systems, ["a b"] * 30, max_order=1)).verdict()
        'A and C are not significantly different; both are better than B.'
        """
        if not self.is_tested:
            return ""
        if self.has_too_few_segments:
            return f"{advice(self)}."
        verdict = (_verdict_of_all if self.has_all_pairs else _verdict_of_baseline)(self, name_text)
        undecided = [pair for pair in self.pairs if self.is_significant(pair) is None]
        if undecided:
            pairs = [f"{name_text(pair.name)} and {name_text(pair.baseline or '')}" for pair in undecided[:_MOST_PAIRS]]
            more = [f"{len(undecided) - _MOST_PAIRS:,} more"] if len(undecided) > _MOST_PAIRS else []
            verdict += f" Too few segments differ to test {'; '.join(pairs + more)}."
        return verdict

    @property
    def has_too_few_segments(self) -> bool:
        """Return whether the test can decide on no pair: it has too few segments, or too few of them differ.

        >>> from bleu_metric import paired_bootstrap, system_statistics
        >>> counted = system_statistics({"A": ["a b", "a c"], "B": ["a b", "x"]}, ["a b", "a b"], max_order=1)
        >>> paired_bootstrap(counted["A"], counted["B"]).has_too_few_segments
        True
        """
        return self.is_tested and not self.n_trials

    def is_significant(self, system: Compared) -> bool | None:
        """Return whether a system's difference is statistically significant at the chosen confidence level.

        Args:
            system: one of `systems`, or `baseline`.

        Returns:
            True or False; None for the baseline, or if the test can never decide: the bootstrap on fewer than 30
            segments; and approximate randomization, or any test with ``p_values="sacrebleu"``, if so few segments
            differ that no p-value is below the significance level. A difference of 0 is never significant.

        Raises:
            AttributeError: `system` is not a `Compared`.

        >>> from bleu_metric import paired_approximate_randomization, system_statistics
        >>> counted = system_statistics({"A": ["a b", "a c"] * 9, "B": ["a b", "x"] * 9}, ["a b"] * 18, max_order=1)
        >>> compared = paired_approximate_randomization(counted["A"], counted["B"], n_trials=100)
        >>> compared.is_significant(compared.systems[0])  # B is worse in nine segments
        True
        """
        if system.p_adjusted is None:
            return None
        return system.delta != 0 and is_below(system.p_adjusted, level_of(self.confidence))

    def outcome(self, system: Compared) -> str:
        """Return the result of the test for one system.

        Args:
            system: one of `systems`, or `baseline`.

        Returns:
            ``"baseline"``, ``"better"``, ``"worse"``, ``"not significant"``, ``"too few segments"`` or
            ``"not tested"``.

        >>> from bleu_metric import paired_bootstrap, system_statistics
        >>> systems = {"A": ["a b"] * 30, "B": ["a x"] * 30}
        >>> compared = paired_bootstrap(system_statistics(systems, ["a b"] * 30, max_order=1))
        >>> [compared.outcome(system) for system in compared.ranked]
        ['baseline', 'worse']
        """
        if system.baseline is None:
            return "baseline"
        if self.test == NOT_TESTED:
            return NOT_TESTED
        is_significant = self.is_significant(system)
        if is_significant is None:
            return TOO_FEW
        if not is_significant:
            return "not significant"
        return "better" if self.metric.is_better(system.delta or 0.0) else "worse"

    def rows(self, in_percent: bool = False) -> list[Row]:
        """Return one row per system, the baseline first, as plain Python values.

        If `is_ranking` is True, the first rows are the systems with their ranks, from best to worst. The pairs follow.

        Args:
            in_percent: whether scores are multiplied by 100, except those of metrics that are not shown in percent.

        >>> from bleu_metric import paired_bootstrap, system_statistics
        >>> counted = system_statistics({"A": ["a b", "a c"], "B": ["a b", "x"]}, ["a b", "a b"], max_order=1)
        >>> [row["system"] for row in paired_bootstrap(counted["A"], counted["B"], n_resamples=100).rows()]
        ['baseline', 'system']
        """
        rows = [compared.row(in_percent) for compared in (self.baseline, *self.systems)]
        if self.is_ranking:
            alone = [Compared(name=system.name, interval=system.interval, parts=system.parts) for system in self.ranked]
            ranks = self.ranks()
            rows = [{**system.row(in_percent), "ranks": list(ranks[system.name])} for system in alone]
            rows += [pair.row(in_percent) for pair in self.pairs]
        about = {name: getattr(self, name) for name in ("n_trials", "signature", "has_too_few_segments")}
        return [{**row, **about} for row in rows]

    def title(self, digits: int = 1) -> str:
        """Return a description such as "paired bootstrap against A: 1,000 resamples, seed 12345"."""
        if not self.n_trials:
            return f"{self.metric.name} of {amount(1 + len(self.systems), 'system')}"
        compared = "all pairs" if self.is_ranking else f"against {self.baseline.name}"
        return f"{self.test} {'of ' * self.is_ranking}{compared}: {about_trials(self)}"

    def columns(self, digits: int = 1) -> list[Column]:
        """Return a table with one row per system: the baseline first, or all by rank. The best score is bold."""
        systems = self.ranked if self.is_ranking else [self.baseline, *self.systems]
        names = [system.name for system in systems]
        name_column = Column("system", names, is_text=True)
        columns = [*rank_columns(self, names), name_column, *score_columns(self, names, digits)]
        if self.is_ranking:
            columns += _lead_columns(self, digits)
        elif self.is_tested:
            columns += difference_columns(self, digits)
        return columns

    def notes(self) -> list[str]:
        """Return the verdict, what the star means, and the signature, after the name of a metric other than BLEU."""
        metric = "" if self.metric is BLEU else f"{self.metric.name}: "
        pairs = self.pairs if self.n_trials else ()
        equal = ", ".join(f"{pair.baseline} and {pair.name}" for pair in pairs if not pair.segments_that_differ)
        notes = [self.verdict(), f"no segment differs between {equal}" * bool(equal), *star_notes([self])]
        return [*filter(None, notes), *interval_notes([self]), metric + self.signature]

    def facts(self) -> Row:
        """Return the settings of the test, and its verdict."""
        left_out = ("baseline", "pairs")  # they are in the rows
        fields = {name: value for name, value in vars(self).items() if name not in left_out}
        about = {"has_too_few_segments": self.has_too_few_segments, "verdict": self.verdict()}
        return {**fields, "metric": self.metric.name, **about}


def rank_columns(comparison: Comparison, names: Sequence[str]) -> list[Column]:
    """Return the column of the systems' ranks, or [] if not all pairs were tested."""
    if not comparison.is_ranking:
        return []
    ranks = comparison.ranks()
    cells = ["–".join(map(str, dict.fromkeys(ranks[name]))) for name in names]
    return [Column("rank", cells, is_text=True)]


def score_columns(comparison: Comparison, names: Sequence[str], digits: int) -> list[Column]:
    """Return the columns of the scores and the intervals of some systems."""
    metric, by_name = comparison.metric, {system.name: system.interval for system in comparison.ranked}
    intervals = [by_name[name] for name in names]
    best = comparison.ranked[0].interval.score
    bold = [row for row, interval in enumerate(intervals) if interval.score == best]
    scores = [metric.text(interval.score, digits) for interval in intervals]
    columns = [Column(metric.name, scores, metric=metric.name, bold=bold)]
    return columns + (interval_columns(intervals, digits) if comparison.n_resamples else [])


def difference_columns(comparison: Comparison, digits: int) -> list[Column]:
    """Return the columns of the differences from the baseline, and of their p-values. The baseline has none."""
    metric, systems = comparison.metric, comparison.systems
    differences = [metric.signed(system.delta or 0.0, digits) for system in systems]
    ends = [metric.brackets(system.delta_low or 0.0, system.delta_high or 0.0, digits) for system in systems]
    p_values = [p_text(comparison, system, system.p_value) for system in systems]
    return [
        Column("difference", ["", *differences], spare=1, in_papers=False),
        *[Column("its interval", ["", *ends], spare=3, in_papers=False)] * bool(comparison.n_resamples),
        *[Column("p", ["", *p_values], spare=4, in_papers=False)] * bool(comparison.n_trials),
        Column("p (Holm)", ["", *(_starred(comparison, system) for system in systems)]),
    ]


def _lead_columns(comparison: Comparison, digits: int) -> list[Column]:
    """Return the columns of the systems' leads over the next system, and of their p-values."""
    pairs = {frozenset((pair.name, pair.baseline)): pair for pair in comparison.pairs}
    leads, p_values = [], []
    for system, following in pairwise(comparison.ranked):
        leads.append(comparison.metric.signed(system.interval.score - following.interval.score, digits))
        p_values.append(_starred(comparison, pairs[frozenset((system.name, following.name))]))
    return [Column("over the next", [*leads, ""]), Column("p (Holm)", [*p_values, ""])]


def _starred(comparison: Comparison, system: Compared) -> str:
    """Return the corrected p-value of a difference, with a star if it is significant.

    If the test cannot decide, return "too few segments", because a note below the table can be lost when the table is
    copied.
    """
    is_significant = comparison.is_significant(system)
    if is_significant is None:
        return TOO_FEW
    # Without a star, spaces keep the digits of a column below each other
    return p_text(comparison, system, system.p_adjusted) + (" *" if is_significant else "  ")


def p_text(comparison: Comparison, system: Compared, p_value: float | None) -> str:
    """Return a p-value of a system as text, such as "0.043"; "" for None.

    If no trial had a difference as large as the observed one, more trials could give a smaller p-value: "≤ 0.006".
    """
    if p_value is None or system.p_value is None:
        return ""
    is_smallest = system.p_value * (comparison.n_trials + 1) < 1.5 and p_value < 1
    return p_value_text(p_value, level_of(comparison.confidence), is_smallest)


def _verdict_of_all(comparison: Comparison, name_text: Callable[[str], str]) -> str:
    """Return the verdict, such as "A and C are not significantly different; both are better than B", of all pairs."""
    best, *others = (system.name for system in comparison.ranked)
    decided = set(comparison._decided())
    tied = [name for name in others if (best, name) not in decided]
    beaten = [name for name in others if (best, name) in decided]
    worse_than_all = [name for name in beaten if all((leader, name) in decided for leader in (best, *tied))]
    worse_than_best = [name for name in beaten if name not in worse_than_all]

    def names(of_systems: Sequence[str]) -> str:
        return join_words(list(map(name_text, of_systems)))

    if not tied:
        return f"{names([best])} is better than {names(beaten)}."
    if len(tied) == 1:
        parts = [f"{names([best, *tied])} are not significantly different"]
    else:
        parts = [f"{names([best])} has the best score, but is not significantly different from {names(tied)}"]
    if worse_than_all:
        parts.append(f"{'both' if len(tied) == 1 else 'all of them'} are better than {names(worse_than_all)}")
    if worse_than_best:
        parts.append(f"{names([best])} is better than {names(worse_than_best)}")
    return f"{'; '.join(parts)}."


def _verdict_of_baseline(comparison: Comparison, name_text: Callable[[str], str]) -> str:
    """Return the verdict, such as "B is better than A; C is worse than A", of systems compared with baseline A."""
    relations = {"better": "better than", "worse": "worse than"}
    names_by_relation: dict[str, list[str]] = {relation: [] for relation in relations.values()}
    for system in comparison.systems:
        relation = relations.get(comparison.outcome(system), "not significantly different from")
        names_by_relation.setdefault(relation, []).append(name_text(system.name))
    baseline = name_text(comparison.baseline.name)
    parts = [
        f"{join_words(names)} {'is' if len(names) == 1 else 'are'} {relation} {baseline}"
        for relation, names in names_by_relation.items()
        if names
    ]
    return f"{'; '.join(parts)}."


def share_as_large(n_segments: int) -> float:
    """Return the smallest share of swaps that give a difference as large as the observed one, in either direction.

    Of the 2^n ways to swap n segments, two always do: swap none, and swap all. So no correct p-value is smaller.

    >>> share_as_large(5), share_as_large(6)
    (0.0625, 0.03125)
    """
    return 2 * 0.5**n_segments


def smallest_p(test: str, p_values: str, n_segments: int, n_differing: int) -> float:
    """Return the smallest p-value that a test of two systems could have, whatever the number of trials.

    1 means that the bootstrap has too few segments. Tied swaps, which sacrebleu does not count, occur in both tests.

    >>> smallest_p(BOOTSTRAP, "two-sided", 29, 9), smallest_p(RANDOMIZATION, "two-sided", 29, 9)
    (1.0, 0.00390625)
    """
    if test == BOOTSTRAP and n_segments < MIN_SEGMENTS:
        return 1.0
    return 0.0 if test == BOOTSTRAP and p_values == "two-sided" else share_as_large(n_differing)


def decidable(smallest: Mapping[_Key, float], level: float) -> list[_Key]:
    """Return the tests that can be decided, in order. `smallest`: the smallest possible p-value of each test.

    If all p-values of these tests were that small, Holm's correction would leave all of them below the level. Any other
    test could never be significant, and would only raise the corrected p-values of these.

    >>> decidable({"large": 0.001, "small": 0.03, "smaller": 0.03, "tiny": 0.25}, 0.05)
    ['large']
    """
    for limit in sorted(set(smallest.values()), reverse=True):
        tests = [test for test, p_value in smallest.items() if p_value <= limit]
        if all(is_below(p_value, level) for p_value in holm([smallest[test] for test in tests])):
            return tests
    return []


def about_trials(comparison: Comparison) -> str:
    """Return the settings of the test, e.g. "1,000 resamples, seed 12345". Add advice if there are too few trials."""
    trials = "resamples" if comparison.test == BOOTSTRAP else "trials"
    settings = f"{comparison.n_trials:,} {trials}, seed {comparison.seed}"
    if comparison.p_values != "two-sided":
        settings += f", p-values counted as {comparison.p_values} does"
    if not comparison.can_find_differences:
        needed = math.floor(comparison.n_tests / level_of(comparison.confidence) + 1e-9)
        tests = amount(comparison.n_tests, "test")
        settings += f"; too few to find a significant difference in {tests}: use at least {needed:,}"
    return settings


def advice(comparison: Comparison, other_test: str = "") -> str:
    """Return what to do if a comparison has too few segments. `other_test`: how to run approximate randomization."""
    if not other_test:
        function = "paired_approximate_randomization"
        other_test = f"use {function if as_in(function) else typed('test', 'approximate-randomization')}"

    def can_be_swapped(n_differing: int) -> bool:
        return is_below(len(comparison.pairs) * share_as_large(n_differing), level_of(comparison.confidence))

    segments = comparison.segments
    differing = max(pair.segments_that_differ for pair in comparison.pairs)
    if comparison.test == BOOTSTRAP and segments < MIN_SEGMENTS and can_be_swapped(differing):
        return f"Too few segments for the bootstrap ({segments}, fewer than {MIN_SEGMENTS}): {other_test}"
    count = f"segments differ ({differing} of {segments:,})" if can_be_swapped(segments) else f"segments ({segments})"
    return f"Too few {count} for a test: use a larger test set"


def interval_notes(comparisons: Sequence[Comparison], groups: Iterable[Hashable] = ("",)) -> list[str]:
    """Return the notes about intervals: of too few segments, or of differences that contradict a p-value."""
    disagreeing = [
        pair.name if group == "" else f"{pair.name} in {group}"
        for group, one in zip(groups, comparisons, strict=True)
        if one.n_resamples and not one.is_ranking  # a ranking shows no intervals of differences
        for pair in one.pairs
        if one.is_significant(pair) == ((pair.delta_low or 0.0) <= 0 <= (pair.delta_high or 0.0))
    ]
    notes = narrow_notes(one.segments for one in comparisons if one.n_resamples)
    if disagreeing:
        names = join_words([*dict.fromkeys(disagreeing)])
        why = "they use different methods, and only p-values are corrected for all tests"
        notes.insert(0, f"the interval of the difference and the p-value disagree for {names}: {why}")
    return notes


def few_notes(comparisons: Iterable[Comparison]) -> list[str]:
    """Return a list with the advice for the largest group with too few segments, or [] if there is none."""
    too_few = [comparison for comparison in comparisons if comparison.has_too_few_segments]
    return [f"{advice(max(too_few, key=lambda comparison: comparison.segments))}."] if too_few else []


def star_notes(comparisons: Iterable[Comparison], where: str = "") -> list[str]:
    """Return a list with the note that explains the star, or [] if no difference is significant.

    All comparisons must have the same confidence level. `where` says which tests they are, such as " of groups".
    """
    with_star = [comparison for comparison in comparisons if any(map(comparison.is_significant, comparison.pairs))]
    if not with_star:
        return []
    numbers = sorted({comparison.n_tests for comparison in with_star})
    tests = f", corrected for {join_words(list(map(str, numbers)))} tests{where}" if numbers != [1] else ""
    return [f"* significant: p (Holm) < {significance_level(with_star[0].confidence)}{tests}"]


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
