"""Paired significance tests of systems on the same segments, from counts alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from .._bootstrap import (
    CELLS,
    Summands,
    draw_segments,
    exact_product,
    interval_from_scores,
    progress_reporter,
    score_resamples,
    sentence_scores,
    side_by_side,
    signature_with,
    split_columns,
    summands,
)
from .._statistics import BleuStatistics, score
from .._validation import Bools, Floats, Ints, Progress, check_count, check_probability, check_seed
from .result import Compared, Comparison, holm, named_systems

_ROUNDING = 1e-14  # of differences between scores of about 1
Systems = BleuStatistics | Mapping[str, BleuStatistics] | Sequence[BleuStatistics]


def _count_shifted(differences: Floats, observed: float) -> int:
    """Count the resampled differences that are as far from the observed one as that is from 0.

    The distance is measured from the observed difference, not from the mean of the resampled ones. The two are equal
    except for chance. Where few segments differ, many resamples have none of them, and a difference of 0: the seed
    would decide whether 0 is far enough from the mean. Rounding does not decide it either.
    """
    if np.ptp(differences) < _ROUNDING:
        return len(differences)  # resamples that are all alike do not show what chance does
    distances = np.abs(differences - observed)
    return int((distances >= abs(observed) - _ROUNDING).sum())


def _count_shifted_as_sacrebleu(differences: Floats, observed: float) -> int:
    sizes = np.abs(differences)
    return int((sizes - sizes.mean() > abs(observed)).sum())


def _count_as_large(differences: Floats, observed: float) -> int:
    return int((np.abs(differences) >= abs(observed)).sum())


def _count_larger(differences: Floats, observed: float) -> int:
    return int((np.abs(differences) > abs(observed)).sum())


Trials = tuple[Floats, float]  # the differences of one system to the baseline: in each trial, and observed
_BOOTSTRAP, _RANDOMIZATION = "paired bootstrap", "paired randomization"
# What is counted for a p-value, by the test and the argument `p_values`
_COUNTS: dict[tuple[str, str], Callable[[Floats, float], int]] = {
    (_BOOTSTRAP, "two-sided"): _count_shifted,
    (_BOOTSTRAP, "sacrebleu"): _count_shifted_as_sacrebleu,
    (_RANDOMIZATION, "two-sided"): _count_as_large,
    (_RANDOMIZATION, "sacrebleu"): _count_larger,
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

    The p-value is that of the shifted bootstrap (Noreen 1989; Efron and Tibshirani 1993, chapter 16; for BLEU, Riezler
    and Maxwell 2005, https://aclanthology.org/W05-0908): (count + 1) / (resamples + 1), where the count is how many
    resampled differences are as far from the observed one as that is from 0. The p-value is 1 where all resampled
    differences are equal: such segments do not show what chance does. Riezler and Maxwell shift by the mean of the
    resamples, which equals the observed difference except for chance. ``p_values="sacrebleu"`` counts as sacrebleu
    does. It takes absolute values before the shift, and its p-value is about half as large: its 5 % is 10 %.

    Args:
        baseline: one row per segment, of `corpus_statistics`.
        systems: the same of another system; or a dict of them by name; or a list of them, then called "system 1", ….
        n_resamples: how many resamples, at least 1; they are those of sacrebleu for the same seed.
        seed: whole number >= 0; the same seed gives the same bytes on any number of threads.
        confidence: of the intervals, between 0 and 1.
        p_values: "two-sided" or "sacrebleu".
        baseline_name: the name of the baseline.
        progress: called as ``progress(done, total)`` now and then.

    Returns:
        Scores, intervals, differences and p-values, the baseline first.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: statistics of other segments, or counted otherwise; a total; a single segment; several lists of
            weights; an argument out of range.

    >>> from bleu_metric import system_statistics
    >>> systems = {"A": ["a b", "a c", "b c"], "B": ["a b", "x y", "x"]}
    >>> counted = system_statistics(systems, ["a b", "a b", "b c"], max_order=1)
    >>> compared = paired_bootstrap(counted["A"], {"B": counted["B"]}, n_resamples=100)
    >>> round(compared.systems[0].delta, 4), 0 < compared.systems[0].p_value < 1
    (-0.5058, True)
    """
    named = named_systems(baseline, systems, baseline_name, p_values)
    n_resamples = check_count("n_resamples", n_resamples, 1)
    seed = check_seed(seed)
    confidence = check_probability(confidence)
    report = progress_reporter(progress, n_resamples)
    resampled = score_resamples([*named.values()], draw_segments(len(baseline), n_resamples, seed), report)
    trials = _trials_of_resamples(resampled, _observed_differences(named))
    return _compare(_BOOTSTRAP, p_values, named, resampled, trials, seed, confidence)


def paired_randomization(
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
    """Compare systems with a baseline by swapping their translations of random segments.

    Approximate randomization (Noreen 1989; Riezler and Maxwell 2005, https://aclanthology.org/W05-0908): the p-value is
    (count + 1) / (trials + 1), where the count is how many trials have a difference at least as large as the observed
    one. ``p_values="sacrebleu"`` counts larger differences only, as sacrebleu does. The two differ where few segments
    do.

    Args:
        baseline: as for `paired_bootstrap`.
        systems: as for `paired_bootstrap`.
        n_trials: how many trials, at least 1; the swaps are those of sacrebleu for the same seed.
        seed: as for `paired_bootstrap`.
        n_resamples: of the intervals, which are those of `bootstrap`.
        confidence: as for `paired_bootstrap`.
        p_values: "two-sided" or "sacrebleu".
        baseline_name: the name of the baseline.
        progress: called as ``progress(done, total)`` now and then.

    Returns:
        Scores, intervals, differences and p-values, the baseline first.

    Raises:
        TypeError, ValueError: as for `paired_bootstrap`.

    >>> from bleu_metric import system_statistics
    >>> counted = system_statistics({"A": ["a b", "a c"], "B": ["a b", "x y"]}, ["a b", "a b"], max_order=1)
    >>> compared = paired_randomization(counted["A"], {"B": counted["B"]}, n_trials=100)
    >>> compared.systems[0].delta, compared.systems[0].p_value  # one segment differs: chance does as much
    (-0.25, 1.0)
    """
    named = named_systems(baseline, systems, baseline_name, p_values)
    n_trials = check_count("n_trials", n_trials, 1)
    n_resamples = check_count("n_resamples", n_resamples, 1)
    seed = check_seed(seed)
    confidence = check_probability(confidence)
    report = progress_reporter(progress, n_trials + n_resamples)
    segments = len(baseline)
    _, *others = named.values()
    swapped = score_swaps(baseline, others, draw_swaps(segments, n_trials, seed), report)
    resampled = score_resamples([*named.values()], draw_segments(segments, n_resamples, seed), report)
    trials = [(differences[1:, 0], float(differences[0, 0])) for differences in swapped]
    return _compare(_RANDOMIZATION, p_values, named, resampled, trials, seed, confidence)


def _compare(
    test: str,
    p_values: str,
    named: Mapping[str, BleuStatistics],
    resampled: Sequence[Floats],
    trials: Sequence[Trials],
    seed: int,
    confidence: float,
) -> Comparison:
    """Compute the p-values, and put them together with scores and intervals."""
    count = _COUNTS[test, p_values]
    p = [(count(differences, observed) + 1) / (len(differences) + 1) for differences, observed in trials]
    not_tested = (None, None, None)
    tested = [not_tested, *zip(_observed_differences(named), p, holm(p), strict=True)]
    compared = []
    for (name, statistics), scores, (delta, p_value, p_adjusted) in zip(named.items(), resampled, tested, strict=True):
        interval = interval_from_scores(statistics, scores, seed, confidence)
        compared.append(Compared(name=name, interval=interval, delta=delta, p_value=p_value, p_adjusted=p_adjusted))
    n_trials, n_resamples = len(trials[0][0]), len(resampled[0])
    words: dict[str, object] = {"ar": n_trials} if test == _RANDOMIZATION else {}
    words |= {"bs": n_resamples, "seed": seed, "conf": confidence, "p": p_values}
    return Comparison(
        test=test,
        p_values=p_values,
        baseline=compared[0],
        systems=compared[1:],
        segments=len(next(iter(named.values()))),
        n_trials=n_trials,
        n_resamples=n_resamples,
        seed=seed,
        confidence=confidence,
        signature=signature_with(next(iter(named.values())), **words),
    )


def _observed_differences(named: Mapping[str, BleuStatistics]) -> list[float]:
    """Subtract the score of the baseline, which is the first, from the score of each other system."""
    baseline, *others = (float(np.ravel(score(statistics).bleu)[0]) for statistics in named.values())
    return [bleu - baseline for bleu in others]


def _trials_of_resamples(resampled: list[Floats], observed: list[float]) -> list[Trials]:
    """Return the differences of each system, divided by a power of 2 near the largest score.

    Rounding is judged at a score of about 1, and NLTK's scores may all be as small as 1e-78.
    """
    largest = max(float(scores.max()) for scores in resampled)
    scale = 2.0 ** np.frexp(largest)[1]
    baseline, *systems = (scores[:, 0] for scores in resampled)
    differences = [(scores - baseline) / scale for scores in systems]
    return [(own, difference / scale) for own, difference in zip(differences, observed, strict=True)]


def draw_swaps(segments: int, n_trials: int, seed: int) -> Iterator[Bools]:
    """Toss a coin for every segment, in chunks of shape (trials, segments): true leaves a segment to its system.

    The tosses are those of sacrebleu 2.6 for the same seed.
    """
    rng = np.random.default_rng(seed)
    chunk_trials = max(1, CELLS // segments // 32) * 32  # NumPy drops what is left of 32 tosses at the end of a chunk
    for first in range(0, n_trials, chunk_trials):
        trials = min(chunk_trials, n_trials - first)
        yield rng.integers(2, size=(trials, segments), dtype=np.bool_)


def score_swaps(
    baseline: BleuStatistics,
    systems: Sequence[BleuStatistics],
    chunks: Iterable[Bools],
    report: Callable[[int], object] = lambda _: None,
) -> list[Floats]:
    """Score trials that swap the two translations of some segments, the same segments for all systems.

    With d = system - baseline, and kept = 1 where a segment stays and 0 where it is swapped, the sums of a trial are::

        system side:   sum(baseline) + kept @ d
        baseline side: sum(system) - kept @ d

    `chunks`: kept, as `draw_swaps` yields it. Returns for each system the score of the system side minus the score of
    the baseline side, of shape (1 + trials, lists of weights). Nothing is swapped in the first row.
    """
    top = _largest_sentence_score([baseline, *systems])  # tables that are subtracted need one scale
    base = summands(baseline, top)
    parts = [summands(statistics, top) for statistics in systems]
    base_table = _last_segment_as_sums(base)
    tables = [_last_segment_as_sums(part) for part in parts]
    differences = side_by_side([table - base_table for table in tables])
    nothing_swapped = np.ones((1, len(baseline)), np.bool_)
    gains = [exact_product(nothing_swapped, differences)]
    for kept in chunks:
        gains.append(exact_product(kept, differences))
        report(len(kept))
    score_differences = []
    for part, table, gain in zip(parts, tables, split_columns(gains, parts), strict=True):
        system_side = base_table.sum(axis=0) + gain
        baseline_side = table.sum(axis=0) - gain
        score_differences.append(part.score(system_side) - base.score(baseline_side))
    return score_differences


def _largest_sentence_score(systems: Sequence[BleuStatistics]) -> float | None:
    """Return the largest sentence score of all systems; None where a score is not a mean of sentence scores."""
    if systems[0].config.average != "sentence":
        return None
    return max(float(sentence_scores(statistics).max(initial=0)) for statistics in systems)


def _last_segment_as_sums(part: Summands) -> Ints:
    """Return the table with the columns that describe the last segment as sums: 0 in all rows but the last."""
    if not part.last:
        return part.table
    table: Ints = part.table.copy()
    table[:-1, -part.last :] = 0
    return table
