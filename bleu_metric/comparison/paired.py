"""Run paired significance tests of systems that translated the same segments. The tests need only n-gram counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import ceil
from typing import Any, NamedTuple

from .._bootstrap import (
    MOST_CELLS_PER_CHUNK,
    Interval,
    check_resampling,
    draw_segments,
    interval_ends,
    interval_from_scores,
    interval_of_width_0,
    progress_reporter,
    score_resamples,
    side_by_side,
    signature_with,
    split_columns,
    sum_rows,
)
from .._lazy import np
from .._score import BleuScore
from .._statistics import BleuStatistics, MetricStatistics, score
from .._validation import Array, Bools, Floats, Progress, check_count, check_probability, typed, unknown_message
from .checks import check_systems, named_systems
from .result import BOOTSTRAP, NOT_TESTED, RANDOMIZATION, Compared, Comparison, correct_p_values

_USUAL_RESAMPLES, _USUAL_TRIALS = 1_000, 10_000
_DRAWN_AT_ONCE = 32  # NumPy draws 32 Booleans at once, and discards those that a call does not use
# Differences closer than this are ties, for scores of about 1. Rounding errors of a mean of millions of sentence scores
# are smaller, and the effect of one n-gram is larger
_TIE = 1e-12
Report = Callable[[int], object]  # called after each chunk, with the chunk's number of trials or resamples
Scored = MetricStatistics | Sequence[float]  # one system: its statistics, or its segment scores
Systems = Scored | Mapping[str, Scored] | Sequence[MetricStatistics]


def _count_shifted(differences: Floats, observed: float, tie: float) -> int:
    """Count the resampled differences with ``abs(resampled - observed) >= abs(observed)``.

    Riezler and Maxwell (2005) subtract the mean of the resampled differences instead of the observed difference. If few
    segments differ, many resampled differences are 0, and 0 is always counted here. With the mean, the seed would
    determine whether 0 is counted.
    """
    distances = np.abs(differences - observed)
    return int(np.count_nonzero(distances >= abs(observed) - tie))


def _count_shifted_as_sacrebleu(differences: Floats, observed: float, tie: float) -> int:
    """Count the resamples with ``abs(difference) - mean(abs(differences)) > abs(observed)``, as sacrebleu does."""
    absolute = np.abs(differences)
    return int(np.count_nonzero(absolute - absolute.mean() > abs(observed) + tie))


def _count_as_large(differences: Floats, observed: float, tie: float) -> int:
    return int(np.count_nonzero(np.abs(differences) >= abs(observed) - tie))


def _count_larger(differences: Floats, observed: float, tie: float) -> int:
    """Count the differences with ``abs(difference) > abs(observed)``, as sacrebleu does."""
    return int(np.count_nonzero(np.abs(differences) > abs(observed) + tie))


# (test, `p_values`) -> function that counts the large enough differences. Differences at most `tie` apart are equal
_COUNTS: dict[tuple[str, str], Callable[[Floats, float, float], int]] = {
    (BOOTSTRAP, "two-sided"): _count_shifted,
    (BOOTSTRAP, "sacrebleu"): _count_shifted_as_sacrebleu,
    (RANDOMIZATION, "two-sided"): _count_as_large,
    (RANDOMIZATION, "sacrebleu"): _count_larger,
}


def paired_bootstrap(
    baseline: Scored | Mapping[str, Scored],
    systems: Systems | None = None,
    n_resamples: int | None = None,
    seed: int = 12345,
    confidence: float = 0.95,
    p_values: str = "two-sided",
    baseline_name: str = "baseline",
    progress: Progress | None = None,
) -> Comparison:
    """Compare systems with a baseline by scoring all of them on the same resamples of the segments (Koehn 2004).

    The p-value is (count + 1) / (resamples + 1). The count is the number of resampled differences with
    ``abs(resampled - observed) >= abs(observed)``. This is the shifted bootstrap (Noreen 1989; Efron and Tibshirani
    1993, chapter 16; for BLEU, Riezler and Maxwell 2005, https://aclanthology.org/W05-0908). Riezler and Maxwell
    subtract the mean of the resampled differences instead of the observed difference. Both
    differ only by chance.

    ``p_values="sacrebleu"`` computes p-values like sacrebleu, which takes absolute values before it subtracts the mean.
    These p-values are a third to half as large as with "two-sided".

    Args:
        baseline: counts with one row per segment, from `corpus_statistics`; or a list with one score of any metric per
            segment. To compare **all pairs**, pass a dict from names to counts or scores, and omit `systems`.
        systems: the counts of one other system, a dict from names to counts, or a list of counts. The systems of a list
            get the names "system 1", "system 2", …. If a dict has the baseline, its key replaces `baseline_name`.
        n_resamples: number of resamples, as for `bootstrap`. The resamples equal those of sacrebleu for the same seed.
            By default 1,000, or more if the correction for many tests needs more.
        seed: integer >= 0. The same seed gives the same result on any number of threads.
        confidence: confidence level of the intervals and of `Comparison.is_significant`, between 0 and 1.
        p_values: how the p-values are computed, "two-sided" or "sacrebleu".
        baseline_name: the name of the baseline.
        progress: function that is called repeatedly as ``progress(done, total)``, with numbers of resamples.

    Returns:
        The scores and intervals of the baseline and the systems, and the systems' differences and p-values. If all
            pairs are compared, the first system is the baseline, `Comparison.pairs` has one entry per pair, and all
            adjusted p-values are corrected for the number of pairs.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the statistics have different segments or settings, are a sum, or have only one segment; or an
            argument is out of range.

    >>> from bleu_metric import system_statistics
    >>> systems = {"A": ["a b", "a c", "b c"], "B": ["a b", "x y", "x"]}
    >>> counted = system_statistics(systems, ["a b", "a b", "b c"], max_order=1)
    >>> compared = paired_bootstrap(counted["A"], counted, n_resamples=100)
    >>> round(compared.systems[0].delta, 4), 0 < compared.systems[0].p_value < 1
    (-0.5058, True)
    """
    named = named_systems(baseline, systems, baseline_name, p_values)
    tested = _tested_pairs(named, all_pairs=systems is None)
    if n_resamples is None:
        n_resamples = trials_for(len(tested), confidence, usual=_USUAL_RESAMPLES)
    n_resamples, seed, confidence = check_resampling(n_resamples, seed, confidence)
    report = progress_reporter(progress, n_resamples)
    resampled = _resample(named, n_resamples, seed, confidence, report)
    differences: dict[Pair, Floats] = {}
    for pair in tested:
        first, second = (resampled[name] for name in pair)
        observed = second.interval.score - first.interval.score
        differences[pair] = np.append(observed, second.scores - first.scores)
    return _compare(BOOTSTRAP, p_values, resampled, differences, n_trials=n_resamples)


def paired_approximate_randomization(
    baseline: Scored | Mapping[str, Scored],
    systems: Systems | None = None,
    n_trials: int | None = None,
    seed: int = 12345,
    n_resamples: int = 1000,
    confidence: float = 0.95,
    p_values: str = "two-sided",
    baseline_name: str = "baseline",
    progress: Progress | None = None,
) -> Comparison:
    """Compare systems with a baseline by swapping each system's and the baseline's translations of random segments.

    This is approximate randomization (Noreen 1989; Riezler and Maxwell 2005, https://aclanthology.org/W05-0908). The
    p-value is (count + 1) / (trials + 1). The count is the number of trials with ``abs(difference) >= abs(observed)``.
    With ``p_values="sacrebleu"``, ties do not count, as in sacrebleu: the condition is
    ``abs(difference) > abs(observed)``. Ties are frequent if few segments differ.

    Args:
        baseline: as for `paired_bootstrap`.
        systems: as for `paired_bootstrap`.
        n_trials: number of trials, at least 1. The swaps equal those of sacrebleu for the same seed. By default 10,000,
            or more, as for `paired_bootstrap`.
        seed: as for `paired_bootstrap`.
        n_resamples: number of resamples for the intervals. For the same seed, `bootstrap` returns the same intervals of
            the scores.
        confidence: as for `paired_bootstrap`.
        p_values: how the p-values are computed, "two-sided" or "sacrebleu".
        baseline_name: the name of the baseline.
        progress: function that is called repeatedly as ``progress(done, total)``. The numbers count trials and
            resamples together.

    Returns:
        The scores and intervals of the baseline and the systems, and the systems' differences and p-values.

    Raises:
        TypeError, ValueError: for the same reasons as `paired_bootstrap`.

    >>> from bleu_metric import system_statistics
    >>> counted = system_statistics({"A": ["a b", "a c"], "B": ["a b", "x y"]}, ["a b", "a b"], max_order=1)
    >>> compared = paired_approximate_randomization(counted["A"], {"B": counted["B"]}, n_trials=100)
    >>> compared.systems[0].delta, compared.systems[0].p_value  # one segment differs: each difference is -0.25 or 0.25
    (-0.25, 1.0)
    """
    named = named_systems(baseline, systems, baseline_name, p_values)
    tested = _tested_pairs(named, all_pairs=systems is None)
    if n_trials is None:
        n_trials = trials_for(len(tested), confidence, usual=_USUAL_TRIALS)
    n_trials = check_count("n_trials", n_trials, 1)
    n_resamples, seed, confidence = check_resampling(n_resamples, seed, confidence)

    firsts = dict.fromkeys(first for first, _ in tested)
    report = progress_reporter(progress, len(firsts) * n_trials + n_resamples)
    differences: dict[Pair, Floats] = {}
    for first in firsts:
        pairs = [pair for pair in tested if pair[0] == first]
        swaps = draw_swaps(len(named[first]), n_trials, seed)
        of_pairs = score_swaps(named[first], [named[second] for _, second in pairs], swaps, report)
        differences |= zip(pairs, of_pairs, strict=True)

    resampled = _resample(named, n_resamples, seed, confidence, report)  # for the intervals
    return _compare(RANDOMIZATION, p_values, resampled, differences, n_trials)


Pair = tuple[str, str]  # the names of two systems


def _tested_pairs(named: Mapping[str, MetricStatistics], all_pairs: bool) -> list[Pair]:
    """Return all pairs of systems, or only the pairs with the baseline, which is the first system."""
    baseline, *_ = named
    return [pair for pair in combinations(named, 2) if all_pairs or baseline in pair]


def trials_for(n_tests: int, confidence: Any, usual: int) -> int:
    """Return the usual number of trials or resamples, or more if the correction for many tests needs more.

    The smallest p-value is 1 / (trials + 1), which Holm's correction multiplies by the number of tests. The result is
    twice the number of trials that makes this product significant, rounded up to thousands.

    >>> trials_for(3, 0.95, 1000), trials_for(153, 0.95, 1000)
    (1000, 7000)
    """
    level = check_probability(confidence)
    thousands = ceil(2 * n_tests / (1 - level) / 1000 - 1e-9)  # a rounding error must not add a thousand
    return max(usual, 1000 * thousands)


def compare_all_pairs(
    named: Mapping[str, Any], test: str = "bootstrap", baseline: str | None = None, **settings: Any
) -> Comparison:
    """Compare all pairs of systems, for a report or a chart, which also show a single system or a single segment.

    Args:
        named: statistics by the names of the systems.
        test: a key of `TESTS`.
        baseline: the name of the baseline. By default the system with the best score.
        **settings: arguments of the test. For a value of None, the test's default applies.

    Raises:
        TypeError, ValueError: the test or the baseline is unknown, there is no system or no segment, or for the reasons of
            the tests.

    >>> from bleu_metric import system_statistics
    >>> counted = system_statistics({"A": ["a b", "a c"], "B": ["a b", "a b"]}, ["a b", "a b"], max_order=1)
    >>> compared = compare_all_pairs(counted, "none")
    >>> [(system.name, system.delta, compared.outcome(system)) for system in compared.ranked]
    [('B', None, 'baseline'), ('A', -0.25, 'not tested')]
    """
    if test not in TESTS:
        raise ValueError(unknown_message("test", test, TESTS))
    check_systems(named, "rank")
    if baseline is None:
        sign = -1 if next(iter(named.values())).metric.lower_is_better else 1
        baseline = max(named, key=lambda name: sign * float(named[name].score()))
    if baseline not in named:
        raise ValueError(unknown_message("baseline", baseline, named))
    named = {baseline: named[baseline], **named}
    run_test: Any = TESTS[test]
    if len(named) == 1 and run_test is paired_approximate_randomization:
        raise ValueError(f"{typed('test', test)} compares systems; give two or more")
    given = {name: value for name, value in settings.items() if value is not None}
    first, *others = named.values()
    if run_test is None:
        return _without_test(named, NOT_TESTED, n_resamples=0)
    if len(first) == 1:
        return _without_test(named, BOOTSTRAP, n_resamples=0)
    if not others:
        return _without_test(named, BOOTSTRAP, **given)
    return run_test(named, **given)  # type: ignore[no-any-return]


def _without_test(
    named: Mapping[str, MetricStatistics],
    test: str,
    n_resamples: int = _USUAL_RESAMPLES,
    seed: int = 12345,
    confidence: float = 0.95,
) -> Comparison:
    """Return a comparison of scores and differences, without p-values, and with intervals if there are resamples.

    `test`: `NOT_TESTED`; or the name of a test that cannot be run, because there is one segment or one system.
    """
    if n_resamples:
        n_resamples, seed, confidence = check_resampling(n_resamples, seed, confidence)
    resampled = _resample(named, n_resamples, seed, confidence, lambda _: None)
    untested = dict.fromkeys(_tested_pairs(named, all_pairs=False), np.zeros(1))
    return _compare(test, "two-sided", resampled, untested, n_trials=0)


# Name of a test, as users type it -> the function that runs it
TESTS = {
    "bootstrap": paired_bootstrap,
    "approximate-randomization": paired_approximate_randomization,
    "none": None,
}
# Test -> the argument for its number of trials, and the usual number
USUAL_TRIALS = {
    paired_bootstrap: ("n_resamples", _USUAL_RESAMPLES),
    paired_approximate_randomization: ("n_trials", _USUAL_TRIALS),
}


class Resampled(NamedTuple):
    """A system and its scores on the resamples. All systems have the same resamples."""

    name: str
    statistics: MetricStatistics
    scores: Floats  # shape (resamples,)
    interval: Interval
    parts: BleuScore | None

    def compare_with(self, baseline: Resampled, p_value: float | None) -> Compared:
        """Return the system's score and its difference from the baseline. `p_value` is not corrected yet."""
        differences = self.scores - baseline.scores
        ends = interval_ends(self.interval.confidence)
        low, high = np.quantile(differences, ends).tolist()

        is_different = (self.statistics.table != baseline.statistics.table).any(axis=1)
        return Compared(
            name=self.name,
            baseline=baseline.name,
            interval=self.interval,
            delta=self.interval.score - baseline.interval.score,
            delta_low=low,
            delta_high=high,
            delta_error=float(differences.std()),
            p_value=p_value,
            segments_that_differ=int(is_different.sum()),
            parts=self.parts,
        )


def _resample(
    named: Mapping[str, MetricStatistics], n_resamples: int, seed: int, confidence: float, report: Report
) -> dict[str, Resampled]:
    """Score all systems on the same resamples of the segments. Without resamples, intervals have width 0."""
    systems = list(named.values())
    if n_resamples:
        chunks = draw_segments(len(systems[0]), n_resamples, seed)
        scores_of_systems = score_resamples(systems, chunks, report)
        pairs = zip(systems, scores_of_systems, strict=True)
        intervals = [interval_from_scores(*pair, seed, confidence) for pair in pairs]
    else:
        intervals = [interval_of_width_0(statistics, seed, confidence) for statistics in systems]
        scores_of_systems = [np.array([interval.score]) for interval in intervals]

    resampled = {}
    for (name, statistics), scores, interval in zip(named.items(), scores_of_systems, intervals, strict=True):
        parts = score(statistics) if isinstance(statistics, BleuStatistics) else None
        resampled[name] = Resampled(name, statistics, scores, interval, parts)
    return resampled


def _compare(
    test: str,
    p_values: str,
    resampled: Mapping[str, Resampled],
    differences: Mapping[Pair, Floats],
    n_trials: int,
) -> Comparison:
    """Compute the p-values, (count + 1) / (trials + 1), and correct them. Return the comparison.

    Without trials, there are no p-values.

    `resampled` begins with the baseline. `differences`: for each pair, the second system's score minus the first
    system's score. Item 0 is the observed difference, and each other item belongs to a trial or resample.
    """
    baseline = next(iter(resampled.values()))
    compared = []
    for (first, second), differences_of_pair in differences.items():
        p_value = None
        if n_trials:
            # `tie` is relative, because NLTK's scores can all be as small as 1e-78
            tie = _TIE * max(np.abs(resampled[name].scores).max() for name in (first, second))
            observed = differences_of_pair[0]
            n_large = _COUNTS[test, p_values](differences_of_pair[1:], observed, tie)
            p_value = (n_large + 1) / (n_trials + 1)
        compared.append(resampled[second].compare_with(resampled[first], p_value))

    # In signatures, bs is the number of resamples, and ar the number of trials of approximate randomization
    interval = baseline.interval
    settings: dict[str, object] = {"ar": n_trials} if test == RANDOMIZATION and n_trials else {}
    if interval.n_resamples:
        settings |= {"bs": interval.n_resamples, "seed": interval.seed, "conf": interval.confidence}
    if n_trials:
        settings["p"] = p_values

    return Comparison(
        test=test,
        p_values=p_values,
        baseline=Compared(name=baseline.name, interval=interval, parts=baseline.parts),
        pairs=correct_p_values(compared) if n_trials else compared,
        n_tests=len(compared),
        metric=baseline.statistics.metric,
        segments=len(baseline.statistics),
        n_trials=n_trials,
        n_resamples=interval.n_resamples,
        seed=interval.seed,
        confidence=interval.confidence,
        signature=signature_with(baseline.statistics, **settings),
    )


def draw_swaps(n_segments: int, n_trials: int, seed: int) -> Iterator[Bools]:
    """Yield random Booleans in chunks of shape (trials, segments). True means that the segment is not swapped.

    sacrebleu 2.6 draws the same values for the same seed.
    """
    rng = np.random.default_rng(seed)
    most_trials = MOST_CELLS_PER_CHUNK // n_segments
    # Each chunk has a multiple of 32 Booleans, so that NumPy discards none between chunks
    chunk_size = max(1, most_trials // _DRAWN_AT_ONCE) * _DRAWN_AT_ONCE
    for first in range(0, n_trials, chunk_size):
        trials_of_chunk = min(chunk_size, n_trials - first)
        yield rng.integers(2, size=(trials_of_chunk, n_segments), dtype=np.bool_)


def score_swaps(
    baseline: MetricStatistics, systems: Sequence[MetricStatistics], chunks: Iterable[Bools], report: Report
) -> list[Floats]:
    """Score trials in which each system and the baseline swap their translations of random segments.

    In a trial, all systems swap the same segments. Let kept be 0 for a swapped segment, else 1. Let d be the system's
    counts minus the baseline's counts. The counts of a trial then sum to::

        gain:          kept @ d
        system side:   sum(baseline) + gain
        baseline side: sum(system) - gain

    The difference of a trial is the score of the system side minus the score of the baseline side.

    `chunks`: arrays from `draw_swaps`, with one row of kept per trial. `report` is called with the number of trials of
    each chunk.

    Return one array per system: the observed difference, and then the difference of each trial.
    """
    baseline_part, *parts = [system.summable() for system in (baseline, *systems)]
    baseline_table = _summable_table(baseline_part)
    tables = [_summable_table(part) for part in parts]
    table_differences = side_by_side([table - baseline_table for table in tables])

    nothing_swapped = np.ones((1, len(baseline)), np.bool_)
    gains = [sum_rows(nothing_swapped, table_differences)]
    for kept in chunks:
        gains.append(sum_rows(kept, table_differences))
        report(len(kept))

    score_sums = baseline_part.score_sums  # the same function for all systems
    differences = []
    for table, gain in zip(tables, split_columns(gains, parts), strict=True):
        system_side = baseline_table.sum(axis=0) + gain
        baseline_side = table.sum(axis=0) - gain
        differences.append(score_sums(system_side) - score_sums(baseline_side))  # shape (1 + trials,)
    return differences


def _summable_table(part: MetricStatistics) -> Array:
    """Return a copy whose columns about the last segment are 0 except in the last row, so that they can be summed.

    For one such column, [[3, 9], [4, 7]] becomes [[3, 0], [4, 7]].
    """
    table: Array = part.table.copy()
    first_column = table.shape[1] - part.n_last_columns
    table[:-1, first_column:] = 0
    return table
