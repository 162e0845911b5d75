"""Run paired significance tests of systems that translated the same segments. The tests need only n-gram counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from .._bootstrap import (
    MOST_CELLS_PER_CHUNK,
    Interval,
    Summands,
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
    summands,
)
from .._lazy import np
from .._statistics import BleuStatistics
from .._validation import Array, Bools, Floats, Progress, check_count
from .checks import named_systems
from .result import BOOTSTRAP, RANDOMIZATION, Compared, Comparison, correct_p_values

_DRAWN_AT_ONCE = 32  # NumPy draws 32 Booleans at once, and forgets those that a call does not use
# Differences of scores of about 1 are ties if they are closer than this. It is above the rounding error of a mean of
# millions of sentence scores, and below the effect of one n-gram
_TIE = 1e-12
Report = Callable[[int], object]  # called after each chunk, with the chunk's number of trials or resamples
Systems = BleuStatistics | Mapping[str, BleuStatistics] | Sequence[BleuStatistics]


def _count_shifted(differences: Floats, observed: float, tie: float) -> int:
    """Count the resampled differences with ``abs(resampled - observed) >= abs(observed)``.

    Riezler and Maxwell (2005) subtract the mean of the resampled differences instead of the observed difference. The
    mean equals the observed difference except for chance. If few segments differ, the observed difference is better:
    many resamples then contain no segment that differs. The difference of such a resample is 0, which always counts
    here. With the mean, this 0 would count only with some seeds.
    """
    distances = np.abs(differences - observed)
    return int(np.count_nonzero(distances >= abs(observed) - tie))


def _count_shifted_as_sacrebleu(differences: Floats, observed: float, tie: float) -> int:
    """Count the resamples with ``abs(difference) - mean(abs(differences)) > abs(observed)``, as sacrebleu does."""
    absolute = np.abs(differences)
    return int(np.count_nonzero(absolute - absolute.mean() > abs(observed) + tie))


def _count_as_large(differences: Floats, observed: float, tie: float) -> int:
    """Count the differences with ``abs(difference) >= abs(observed)``."""
    return int(np.count_nonzero(np.abs(differences) >= abs(observed) - tie))


def _count_larger(differences: Floats, observed: float, tie: float) -> int:
    """Count the differences with ``abs(difference) > abs(observed)``, as sacrebleu does."""
    return int(np.count_nonzero(np.abs(differences) > abs(observed) + tie))


# (test, value of `p_values`) -> the function that counts the trials or resamples with a large enough difference. Two
# differences are equal if they are at most `tie` apart
_COUNTS: dict[tuple[str, str], Callable[[Floats, float, float], int]] = {
    (BOOTSTRAP, "two-sided"): _count_shifted,
    (BOOTSTRAP, "sacrebleu"): _count_shifted_as_sacrebleu,
    (RANDOMIZATION, "two-sided"): _count_as_large,
    (RANDOMIZATION, "sacrebleu"): _count_larger,
}


def paired_bootstrap(
    baseline: BleuStatistics,
    systems: Systems,
    n_resamples: int = 1000,
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
    subtract the mean of the resampled differences instead of the observed difference. The mean equals the observed
    difference except for chance.

    ``p_values="sacrebleu"`` computes p-values like sacrebleu, which takes absolute values before it subtracts the mean.
    These p-values are a third to half as large as those of "two-sided".

    Args:
        baseline: counts with one row per segment, from `corpus_statistics`.
        systems: the counts of one other system, a dict from names to counts, or a list of counts. The systems of a list
            get the names "system 1", "system 2", ….
        n_resamples: number of resamples, as for `bootstrap`. The resamples equal those of sacrebleu for the same seed.
        seed: integer >= 0. The same seed gives the same result on any number of threads.
        confidence: confidence level of the intervals and of `Comparison.is_significant`, between 0 and 1.
        p_values: how the p-values are computed, "two-sided" or "sacrebleu".
        baseline_name: the name of the baseline.
        progress: function that is called repeatedly as ``progress(done, total)``, with numbers of resamples.

    Returns:
        The scores and intervals of the baseline and the systems, and the systems' differences and p-values.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the statistics have different segments or settings, are a sum, or have only one segment; or an
            argument is out of range.

    >>> from bleu_metric import system_statistics
    >>> systems = {"A": ["a b", "a c", "b c"], "B": ["a b", "x y", "x"]}
    >>> counted = system_statistics(systems, ["a b", "a b", "b c"], max_order=1)
    >>> compared = paired_bootstrap(counted["A"], {"B": counted["B"]}, n_resamples=100)
    >>> round(compared.systems[0].delta, 4), 0 < compared.systems[0].p_value < 1
    (-0.5058, True)
    """
    named = named_systems(baseline, systems, baseline_name, p_values)
    n_resamples, seed, confidence = check_resampling(n_resamples, seed, confidence)
    report = progress_reporter(progress, n_resamples)
    return bootstrap_systems(named, n_resamples, seed, confidence, p_values, report)


def bootstrap_systems(
    named: Mapping[str, BleuStatistics],
    n_resamples: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
    p_values: str = "two-sided",
    report: Report = lambda _: None,
) -> Comparison:
    """Compare systems as `paired_bootstrap` does, but without checks. The first entry of `named` is the baseline.

    If `named` has only the baseline, return a comparison without systems.
    """
    resampled = _resample(named, n_resamples, seed, confidence, report)
    differences = _differences_of_resamples(resampled)
    return _compare(BOOTSTRAP, p_values, resampled, differences, n_trials=n_resamples)


def paired_approximate_randomization(
    baseline: BleuStatistics,
    systems: Systems,
    n_trials: int = 10_000,
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
        n_trials: number of trials, at least 1. The swaps equal those of sacrebleu for the same seed.
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
    n_trials = check_count("n_trials", n_trials, 1)
    n_resamples, seed, confidence = check_resampling(n_resamples, seed, confidence)
    report = progress_reporter(progress, n_trials + n_resamples)

    _baseline, *other_systems = named.values()
    swaps = draw_swaps(len(baseline), n_trials, seed)
    differences = score_swaps(baseline, other_systems, swaps, report)

    resampled = _resample(named, n_resamples, seed, confidence, report)  # for the intervals
    return _compare(RANDOMIZATION, p_values, resampled, differences, n_trials)


class Resampled(NamedTuple):
    """A system and its scores on the resamples, which are the same for all systems."""

    name: str
    statistics: BleuStatistics
    scores: Floats  # shape (resamples,)
    interval: Interval

    def compare_with(self, baseline: Resampled, p_value: float) -> Compared:
        """Return the system's score and its difference from the baseline. `p_value` is not corrected yet."""
        differences = self.scores - baseline.scores
        ends = interval_ends(self.interval.confidence)
        low, high = np.quantile(differences, ends).tolist()

        is_different = (self.statistics.table != baseline.statistics.table).any(axis=1)
        return Compared(
            name=self.name,
            interval=self.interval,
            delta=self.interval.score - baseline.interval.score,
            delta_low=low,
            delta_high=high,
            p_value=p_value,
            segments_that_differ=int(is_different.sum()),
        )


def _resample(
    named: Mapping[str, BleuStatistics], n_resamples: int, seed: int, confidence: float, report: Report
) -> list[Resampled]:
    """Score all systems on the same resamples of the segments. Return one `Resampled` per system."""
    systems = list(named.values())
    n_segments = len(systems[0])
    chunks = draw_segments(n_segments, n_resamples, seed)
    scores_of_systems = score_resamples(systems, chunks, report)

    resampled = []
    for (name, statistics), scores in zip(named.items(), scores_of_systems, strict=True):
        interval = interval_from_scores(statistics, scores, seed, confidence)
        resampled.append(Resampled(name, statistics, scores, interval))
    return resampled


def _compare(
    test: str, p_values: str, resampled: Sequence[Resampled], differences: Sequence[Floats], n_trials: int
) -> Comparison:
    """Compute the p-values, (count + 1) / (trials + 1), and correct them. Return the comparison.

    `resampled` begins with the baseline. `differences` has one array per system except the baseline: its score minus
    the baseline's, first for the original segments and then in each trial (or resample).
    """
    baseline, *other_systems = resampled
    count = _COUNTS[test, p_values]
    tie = _TIE * max(system.scores.max() for system in resampled)  # NLTK's scores can all be as small as 1e-78
    compared = []
    for system, system_differences in zip(other_systems, differences, strict=True):
        observed = system_differences[0]
        n_large = count(system_differences[1:], observed, tie)
        p_value = (n_large + 1) / (n_trials + 1)
        compared.append(system.compare_with(baseline, p_value))

    # The keys of the signature: trials of approximate randomization, resamples of the bootstrap, kind of p-values
    interval = baseline.interval
    settings: dict[str, object] = {"bs": interval.n_resamples, "seed": interval.seed, "conf": interval.confidence}
    if test == RANDOMIZATION:
        settings = {"ar": n_trials, **settings}
    if compared:
        settings["p"] = p_values

    return Comparison(
        test=test,
        p_values=p_values,
        baseline=Compared(name=baseline.name, interval=interval),
        systems=correct_p_values(compared),
        segments=len(baseline.statistics),
        n_trials=n_trials,
        n_resamples=interval.n_resamples,
        seed=interval.seed,
        confidence=interval.confidence,
        signature=signature_with(baseline.statistics, **settings),
    )


def _differences_of_resamples(resampled: Sequence[Resampled]) -> list[Floats]:
    """Return the differences for `_compare`. `resampled` begins with the baseline."""
    baseline, *other_systems = resampled
    differences = []
    for system in other_systems:
        observed = system.interval.score - baseline.interval.score
        differences.append(np.append(observed, system.scores - baseline.scores))
    return differences


def draw_swaps(n_segments: int, n_trials: int, seed: int) -> Iterator[Bools]:
    """Yield random Booleans in chunks of shape (trials, segments). True means that the segment is not swapped.

    sacrebleu 2.6 draws the same values for the same seed.
    """
    rng = np.random.default_rng(seed)
    most_trials = MOST_CELLS_PER_CHUNK // n_segments
    # A multiple of 32 trials has a multiple of 32 Booleans, so that NumPy forgets none between two chunks
    chunk_size = max(1, most_trials // _DRAWN_AT_ONCE) * _DRAWN_AT_ONCE
    for first in range(0, n_trials, chunk_size):
        trials_of_chunk = min(chunk_size, n_trials - first)
        yield rng.integers(2, size=(trials_of_chunk, n_segments), dtype=np.bool_)


def score_swaps(
    baseline: BleuStatistics, systems: Sequence[BleuStatistics], chunks: Iterable[Bools], report: Report
) -> list[Floats]:
    """Score trials in which each system and the baseline swap their translations of random segments.

    In a trial, all systems swap the same segments. Let kept be 0 for a swapped segment and 1 for any other, and let d
    be the system's counts minus the baseline's counts. The counts of a trial then sum to::

        gain:          kept @ d
        system side:   sum(baseline) + gain
        baseline side: sum(system) - gain

    The difference of a trial is the score of the system side minus the score of the baseline side. `chunks` are the
    arrays of `draw_swaps`. Each row is the `kept` of one trial. `report` is called with the number of trials in each
    chunk.

    Return one array per system: the difference if nothing is swapped, and then the difference of each trial.
    """
    baseline_part, *parts = map(summands, [baseline, *systems])
    baseline_table = _summable_table(baseline_part)
    tables = [_summable_table(part) for part in parts]
    table_differences = side_by_side([table - baseline_table for table in tables])

    nothing_swapped = np.ones((1, len(baseline)), np.bool_)
    gains = [sum_rows(nothing_swapped, table_differences)]
    for kept in chunks:
        gains.append(sum_rows(kept, table_differences))
        report(len(kept))

    score_sums = baseline_part.score  # the same function for all systems
    differences = []
    for table, gain in zip(tables, split_columns(gains, parts), strict=True):
        system_side = baseline_table.sum(axis=0) + gain
        baseline_side = table.sum(axis=0) - gain
        differences.append(score_sums(system_side) - score_sums(baseline_side))  # shape (1 + trials,)
    return differences


def _summable_table(part: Summands) -> Array:
    """Return a table whose rows can all be summed, although its last `part.last` columns describe the last segment.

    In these columns, every row except the last becomes 0, so that their sum is the value of the last row. For one such
    column, the table [[3, 9], [4, 7]] becomes [[3, 0], [4, 7]].
    """
    table: Array = part.table.copy()
    first_column = table.shape[1] - part.last
    table[:-1, first_column:] = 0
    return table
