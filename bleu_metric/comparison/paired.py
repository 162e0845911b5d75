"""Run paired significance tests of systems that translated the same segments. The tests need only n-gram counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import ceil
from typing import Any, NamedTuple

from .._bootstrap import (
    MIN_SEGMENTS,
    MOST_CELLS_PER_CHUNK,
    check_resampling,
    draw_segments,
    interval_ends,
    interval_from_scores,
    progress_reporter,
    score_resamples,
    side_by_side,
    signature_with,
    split_columns,
    sum_rows,
)
from .._display import level_of
from .._lazy import np
from .._names import PValues, TestName
from .._statistics import BleuStatistics, MetricStatistics, score
from .._validation import Array, Bools, Floats, Progress, check_count, check_probability, typed, unknown_message
from .checks import check_systems, named_systems
from .result import BOOTSTRAP, NOT_TESTED, RANDOMIZATION, Compared, Comparison, decidable, holm, smallest_p

_USUAL_RESAMPLES = 1_000
_DRAWN_AT_ONCE = 32  # NumPy draws 32 Booleans at once, and discards those that a call does not use
# Differences closer than this are ties, for scores of about 1. Rounding errors of a mean of millions of sentence scores
# are smaller, and the effect of one n-gram is larger
_TIE = 1e-12
Report = Callable[[int], object]  # called after each chunk, with the chunk's number of trials or resamples
Scored = MetricStatistics | Sequence[float]  # one system: its statistics, or its segment scores
Systems = Scored | Mapping[str, Scored] | Sequence[MetricStatistics]


def _count_shifted(differences: Floats, observed: float, tie: float, as_sacrebleu: bool) -> int:
    """Count the resampled differences with ``abs(resampled - observed) >= abs(observed)``.

    Riezler and Maxwell (2005) subtract the mean of the resampled differences instead of the observed difference. If few
    segments differ, many resampled differences are 0, and 0 is always counted here. With the mean, the seed would
    determine whether 0 is counted.

    sacrebleu's condition is ``abs(difference) - mean(abs(differences)) > abs(observed)``.
    """
    if as_sacrebleu:
        absolute = np.abs(differences)
        return int(np.count_nonzero(absolute - absolute.mean() > abs(observed) + tie))
    return int(np.count_nonzero(np.abs(differences - observed) >= abs(observed) - tie))


def _count_as_large(differences: Floats, observed: float, tie: float, as_sacrebleu: bool) -> int:
    """Count the differences with ``abs(difference) >= abs(observed)``, or only larger ones, as sacrebleu does."""
    limit = abs(observed) + (tie if as_sacrebleu else -tie)
    return int(np.count_nonzero(np.abs(differences) >= limit))


class Test(NamedTuple):
    """A paired test, or none."""

    name: str
    function: Callable[..., Comparison] | None
    """The public function that runs the test."""
    usual_trials: int
    """The default number of trials: resamples of the bootstrap, or swaps of approximate randomization."""
    count_large: Callable[[Floats, float, float, bool], int]
    """Counts the trials with a large enough difference. Differences at most `tie` apart are equal."""


def paired_bootstrap(
    baseline: Scored | Mapping[str, Scored],
    systems: Systems | None = None,
    n_resamples: int | None = None,
    seed: int = 12345,
    confidence: float = 0.95,
    p_values: PValues = "two-sided",
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
    These p-values are usually a third to two thirds as large as with "two-sided".

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
    >>> systems = {"A": ["a b", "a c", "b c"] * 10, "B": ["a b", "x y", "x"] * 10}
    >>> counted = system_statistics(systems, ["a b", "a b", "b c"] * 10, max_order=1)
    >>> compared = paired_bootstrap(counted["A"], counted, n_resamples=100)
    >>> round(compared.systems[0].delta, 4), 0 < compared.systems[0].p_value < 0.05
    (-0.5058, True)
    """
    named = named_systems(baseline, systems, baseline_name, p_values)
    given: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "confidence": confidence, "p_values": p_values}
    return compare_parts(
        {"": named}, TESTS["bootstrap"], systems is None, progress=progress, fewest_segments=2, **given
    )[""]


def paired_approximate_randomization(
    baseline: Scored | Mapping[str, Scored],
    systems: Systems | None = None,
    n_trials: int | None = None,
    seed: int = 12345,
    n_resamples: int = 1000,
    confidence: float = 0.95,
    p_values: PValues = "two-sided",
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
    >>> compared.systems[0].delta, compared.systems[0].p_value  # one segment differs, but a test needs six
    (-0.25, None)
    """
    named = named_systems(baseline, systems, baseline_name, p_values)
    given: dict[str, Any] = {"n_trials": n_trials, "n_resamples": n_resamples, "seed": seed, "confidence": confidence}
    given |= {"p_values": p_values, "progress": progress, "fewest_segments": 2}
    return compare_parts({"": named}, TESTS["approximate-randomization"], systems is None, **given)[""]


# Name of a test, as users type it -> the test
TESTS = {
    "bootstrap": Test(BOOTSTRAP, paired_bootstrap, 1_000, _count_shifted),
    "approximate-randomization": Test(RANDOMIZATION, paired_approximate_randomization, 10_000, _count_as_large),
    "none": Test(NOT_TESTED, None, 0, _count_as_large),
}


def trials_for(n_tests: int, confidence: Any, usual: int) -> int:
    """Return the usual number of trials or resamples, or more if the correction for many tests needs more.

    The smallest p-value is 1 / (trials + 1), which Holm's correction multiplies by the number of tests. The result is
    twice the number of trials that makes this product significant, rounded up to thousands.

    >>> trials_for(3, 0.95, 1000), trials_for(153, 0.95, 1000)
    (1000, 7000)
    """
    thousands = ceil(2 * n_tests / level_of(check_probability(confidence)) / 1000 - 1e-9)  # 1e-9: of rounding errors
    return max(usual, 1000 * thousands)


def compare_all_pairs(
    named: Mapping[str, Any], test: TestName = "bootstrap", baseline: str | None = None, **settings: Any
) -> Comparison:
    """Compare all pairs of systems, for a report or a chart, which also show a single system or a single segment.

    Args:
        named: statistics by the names of the systems.
        test: a key of `TESTS`.
        baseline: the name of the baseline. By default the system with the highest score.
        **settings: arguments of the test. For a number of None, the test's default applies.

    Raises:
        TypeError, ValueError: the test or the baseline is unknown, there is no system or no segment, or for the reasons
            of the tests.

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
        baseline = max(named, key=lambda name: float(named[name].score()))
    if baseline not in named:
        raise ValueError(unknown_message("baseline", baseline, named))
    named = {baseline: named[baseline], **named}
    if len(named) == 1 and TESTS[test].name == RANDOMIZATION:
        raise ValueError(f"{typed('test', test)} compares systems; give two or more")
    return compare_parts({"": named}, TESTS[test], all_pairs=True, fewest_segments=2, **settings)[""]


Pair = tuple[str, str]  # the names of two systems


def compare_parts(
    parts: Mapping[Any, Mapping[str, MetricStatistics]],
    test: Test,
    all_pairs: bool,
    *,
    n_trials: int | None = None,
    n_resamples: int | None = None,
    seed: int = 12345,
    confidence: float = 0.95,
    p_values: PValues = "two-sided",
    progress: Progress | None = None,
    fewest_segments: int = MIN_SEGMENTS,
) -> dict[Any, Comparison]:
    """Compare the systems in each part of the segments, such as each group. All comparisons of the package end here.

    A pair that the test can never decide has no p-value, and does not count as a test: the number of trials and the
    correction of p-values depend on all other pairs of all parts.

    Args:
        parts: {label: {system: statistics of the part}}, with the baseline first.
        test: a value of `TESTS`.
        all_pairs: whether to compare all pairs, not only the baseline with each other system.
        n_trials: as for `paired_approximate_randomization`; other tests ignore it.
        n_resamples: number of resamples for the intervals and the bootstrap.
        seed: as for `paired_bootstrap`.
        confidence: as for `paired_bootstrap`.
        p_values: as for `paired_bootstrap`.
        progress: as for `paired_approximate_randomization`.
        fewest_segments: the number of segments that a part needs for intervals.

    Returns:
        The comparison of each part.
    """
    differing = {label: _differing_segments(named, all_pairs) for label, named in parts.items()}
    segments = {label: len(next(iter(named.values()))) for label, named in parts.items()}
    tested: dict[Any, list[Pair]] = {label: [] for label in parts}
    if test.name == NOT_TESTED:
        n_trials = n_resamples = 0
    else:
        smallest = {
            (label, pair): smallest_p(test.name, p_values, segments[label], n_differing)
            for label, pairs in differing.items()
            for pair, n_differing in pairs.items()
        }
        tests = decidable(smallest, level_of(check_probability(confidence)))
        for label, pair in tests:
            tested[label].append(pair)
        usual = trials_for(len(tests), confidence, test.usual_trials)
        if n_resamples is None:
            n_resamples = usual if test.name == BOOTSTRAP else _USUAL_RESAMPLES
        n_resamples, seed, confidence = check_resampling(n_resamples, seed, confidence)
        n_trials = n_resamples if test.name == BOOTSTRAP else usual if n_trials is None else n_trials
        n_trials = check_count("n_trials", n_trials, 1)

    resamples = {label: n_resamples if n >= fewest_segments else 0 for label, n in segments.items()}
    n_swapped = (
        sum(len({first for first, _ in pairs}) for pairs in tested.values()) if test.name == RANDOMIZATION else 0
    )
    report = progress_reporter(progress, sum(resamples.values()) + n_trials * n_swapped)
    compared = {}
    for label, named in parts.items():
        trials = _Trials(test, p_values, n_trials if tested[label] else 0, resamples[label], seed, confidence, report)
        compared[label] = _compare_part(named, differing[label], tested[label], trials)
    # The p-values are corrected for the tests of all parts together
    p_values_of_pairs = [pair.p_value for one in compared.values() for pair in one.pairs if pair.p_value is not None]
    corrected = iter(holm(p_values_of_pairs))
    for label, one in compared.items():
        pairs = [pair if pair.p_value is None else replace(pair, p_adjusted=next(corrected)) for pair in one.pairs]
        compared[label] = replace(one, pairs=pairs, n_tests=len(p_values_of_pairs))
    return compared


def _differing_segments(named: Mapping[str, MetricStatistics], all_pairs: bool) -> dict[Pair, int]:
    """Count the segments in which the systems of each pair have different counts. The baseline is the first system."""
    baseline, *_ = named
    pairs = [pair for pair in combinations(named, 2) if all_pairs or baseline in pair]
    return {
        (first, second): int((named[first].table != named[second].table).any(axis=1).sum()) for first, second in pairs
    }


class _Trials(NamedTuple):
    """How the systems of one part are resampled and tested."""

    test: Test
    p_values: str
    n_trials: int
    n_resamples: int
    seed: int
    confidence: float
    report: Report


def _compare_part(
    named: Mapping[str, MetricStatistics], differing: Mapping[Pair, int], tested: Sequence[Pair], trials: _Trials
) -> Comparison:
    """Compare the systems in one part. The p-values are not corrected yet.

    `differing`: all pairs, with their numbers of differing segments. `tested`: the pairs that get a p-value.
    """
    baseline, *_ = named
    n_resamples, seed, confidence = trials.n_resamples, trials.seed, trials.confidence
    scores = {name: np.array([float(own.score())]) for name, own in named.items()}
    if n_resamples:
        chunks = draw_segments(len(named[baseline]), n_resamples, seed)
        scores = dict(zip(named, score_resamples(list(named.values()), chunks, trials.report), strict=True))
    intervals = {
        name: interval_from_scores(own, scores[name], n_resamples, seed, confidence) for name, own in named.items()
    }
    parts = {name: score(own) if isinstance(own, BleuStatistics) else None for name, own in named.items()}
    p_values = _test_pairs(named, scores, tested, trials)

    pairs = []
    for (first, second), n_differing in differing.items():
        differences = scores[second] - scores[first]
        low, high = np.quantile(differences, interval_ends(confidence)).tolist()
        pairs.append(
            Compared(
                name=second,
                baseline=first,
                interval=intervals[second],
                delta=intervals[second].score - intervals[first].score,
                delta_low=low,
                delta_high=high,
                delta_error=float(differences.std()),
                p_value=p_values.get((first, second)),
                segments_that_differ=n_differing,
                parts=parts[second],
            )
        )

    # In signatures, bs is the number of resamples, and ar the number of trials of approximate randomization
    settings: dict[str, object] = {"ar": trials.n_trials} if tested and trials.test.name == RANDOMIZATION else {}
    if n_resamples:
        settings |= {"bs": n_resamples, "seed": seed, "conf": confidence}
    if tested:
        settings["p"] = trials.p_values
    return Comparison(
        test=trials.test.name,
        p_values=trials.p_values,
        baseline=Compared(name=baseline, interval=intervals[baseline], parts=parts[baseline]),
        pairs=pairs,
        n_tests=len(tested),
        metric=named[baseline].metric,
        segments=len(named[baseline]),
        n_trials=trials.n_trials,
        n_resamples=n_resamples,
        seed=seed,
        confidence=confidence,
        signature=signature_with(named[baseline], **settings),
    )


def _test_pairs(
    named: Mapping[str, MetricStatistics], scores: Mapping[str, Floats], tested: Sequence[Pair], trials: _Trials
) -> dict[Pair, float]:
    """Compute the p-values of the pairs in `tested`: (count + 1) / (trials + 1). `scores`: on the resamples."""
    # For each pair, the second system's score minus the first system's score: observed, and in each trial
    differences: dict[Pair, Floats] = {}
    if trials.test.name == BOOTSTRAP:
        for first, second in tested:
            observed = float(named[second].score()) - float(named[first].score())
            differences[first, second] = np.append(observed, scores[second] - scores[first])
    else:
        for first in dict.fromkeys(first for first, _ in tested):
            pairs = [pair for pair in tested if pair[0] == first]
            swaps = draw_swaps(len(named[first]), trials.n_trials, trials.seed)
            of_pairs = score_swaps(named[first], [named[second] for _, second in pairs], swaps, trials.report)
            differences |= zip(pairs, of_pairs, strict=True)

    p_values = {}
    for pair, of_pair in differences.items():
        # `tie` is relative, because NLTK's scores can all be as small as 1e-78
        tie = _TIE * max(np.abs(scores[name]).max() for name in pair)
        n_large = trials.test.count_large(of_pair[1:], of_pair[0], tie, trials.p_values == "sacrebleu")
        p_values[pair] = (n_large + 1) / (trials.n_trials + 1)
    return p_values


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
