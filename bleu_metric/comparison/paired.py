"""Whether one system is better than another on the same segments: paired tests, from counts alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from .._bootstrap import (
    CELLS,
    column_bounds,
    draw_segments,
    exact_product,
    interval_from_scores,
    progress_reporter,
    run_ahead,
    score_resamples,
    sentence_scores,
    side_by_side,
    signature_with,
    summands,
)
from .._score import score
from .._statistics import BleuStatistics
from .._threads import Progress
from .._validation import Bytes, Floats, Ints, check_count, check_probability, check_seed
from .result import Compared, Comparison, holm, named_systems

_ROUNDING = 1e-14  # of differences between scores of about 1
Systems = BleuStatistics | Mapping[str, BleuStatistics] | Sequence[BleuStatistics]


def _count_shifted(differences: Floats, observed: float) -> int:
    """Count the resampled differences that are as far from the observed one as that is from 0.

    The distance is measured from the observed difference, not from the mean of the resampled ones, which is the same
    but for chance. Where few segments differ, many resamples have none of them and a difference of 0: whether 0 is far
    enough from the mean would depend on the seed. Rounding does not decide it either.
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


# What is counted for a p-value, from the differences of all trials and the observed one, by the argument `p_values`
CountTrials = Callable[[Floats, float], int]
_BOOTSTRAP_COUNTS: dict[str, CountTrials] = {"two-sided": _count_shifted, "sacrebleu": _count_shifted_as_sacrebleu}
_RANDOMIZATION_COUNTS: dict[str, CountTrials] = {"two-sided": _count_as_large, "sacrebleu": _count_larger}


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
    resamples, which is the observed difference but for chance. ``p_values="sacrebleu"`` counts as sacrebleu does. It
    takes absolute values before the shift and gives about half the p-value: its 5 % is 10 %.

    Args:
        baseline: one row per segment, of `corpus_statistics`.
        systems: the same of another system; or a dict of them by name; or a list of them, then called "system 1", ….
        n_resamples: how many resamples, at least 1; they are those of sacrebleu for the same seed.
        seed: whole number >= 0; the same seed gives the same bytes on any number of threads.
        confidence: of the intervals, between 0 and 1.
        p_values: "two-sided" or "sacrebleu".
        baseline_name: what to call the baseline.
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
    resampled = score_resamples(list(named.values()), draw_segments(len(baseline), n_resamples, seed), report)
    count_trials = _BOOTSTRAP_COUNTS[p_values]
    p = []
    for differences, observed in _scaled_differences(resampled, _observed_differences(named)):
        p.append((count_trials(differences, observed) + 1) / (n_resamples + 1))
    compared = _compared(named, resampled, p, seed, confidence)
    return Comparison(
        test="paired bootstrap",
        p_values=p_values,
        baseline=compared[0],
        systems=compared[1:],
        n_trials=n_resamples,
        n_resamples=n_resamples,
        seed=seed,
        confidence=confidence,
        signature=signature_with(baseline, bs=n_resamples, seed=seed, conf=confidence, p=p_values),
    )


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
    """Compare systems with a baseline by exchanging their translations of random segments.

    Approximate randomization (Noreen 1989; Riezler and Maxwell 2005, https://aclanthology.org/W05-0908): the p-value is
    how many trials have a difference at least as large as the observed one, (count + 1) / (trials + 1).
    ``p_values="sacrebleu"`` counts larger differences only, as sacrebleu does. The two differ where few segments do.

    Args:
        baseline: as for `paired_bootstrap`.
        systems: as for `paired_bootstrap`.
        n_trials: how many times to exchange, at least 1; the exchanges are those of sacrebleu for the same seed.
        seed: as for `paired_bootstrap`.
        n_resamples: of the intervals, which are those of `bootstrap`.
        confidence: as for `paired_bootstrap`.
        p_values: "two-sided" or "sacrebleu".
        baseline_name: what to call the baseline.
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
    exchanged = score_exchanges(baseline, others, draw_exchanges(segments, n_trials, seed), report)
    resampled = score_resamples(list(named.values()), draw_segments(segments, n_resamples, seed), report)
    count_trials = _RANDOMIZATION_COUNTS[p_values]
    p = []
    for differences in exchanged:
        observed, trials = differences[0, 0], differences[1:, 0]
        p.append((count_trials(trials, observed) + 1) / (n_trials + 1))
    compared = _compared(named, resampled, p, seed, confidence)
    return Comparison(
        test="paired randomization",
        p_values=p_values,
        baseline=compared[0],
        systems=compared[1:],
        n_trials=n_trials,
        n_resamples=n_resamples,
        seed=seed,
        confidence=confidence,
        signature=signature_with(baseline, ar=n_trials, bs=n_resamples, seed=seed, conf=confidence, p=p_values),
    )


def difference_intervals(
    baseline: BleuStatistics, systems: Sequence[BleuStatistics], comparison: Comparison
) -> list[tuple[float, float]]:
    """Find the percentile interval of each system's difference to the baseline, on the comparison's own resamples.

    The interval is of one system alone: it is not corrected for the number of systems, as `Compared.p_adjusted` is.
    Statistics with several lists of weights are of no use here.

    >>> from bleu_metric import system_statistics
    >>> counted = system_statistics({"A": ["a b", "a c"], "B": ["a b", "x"]}, ["a b", "a b"], max_order=1)
    >>> compared = paired_bootstrap(counted["A"], counted["B"], n_resamples=100)
    >>> [(low, high)] = difference_intervals(counted["A"], [counted["B"]], compared)
    >>> low < compared.systems[0].delta < high
    True
    """
    drawn = draw_segments(len(baseline), comparison.n_resamples, comparison.seed)
    of_baseline, *of_systems = score_resamples([baseline, *systems], drawn)
    bounds = ((1 - comparison.confidence) / 2, (1 + comparison.confidence) / 2)
    intervals = []
    for scores in of_systems:
        low, high = np.quantile(scores[:, 0] - of_baseline[:, 0], bounds).tolist()
        intervals.append((low, high))
    return intervals


def _compared(
    named: Mapping[str, BleuStatistics], resampled: Sequence[Floats], p: list[float], seed: int, confidence: float
) -> list[Compared]:
    """Put scores, intervals and p-values together: one entry per system, the baseline first."""
    not_tested = (None, None, None)
    tested = [not_tested, *zip(_observed_differences(named), p, holm(p), strict=True)]
    compared = []
    for (name, statistics), scores, (delta, p_value, p_adjusted) in zip(named.items(), resampled, tested, strict=True):
        interval = interval_from_scores(statistics, scores, seed, confidence)
        compared.append(Compared(name=name, interval=interval, delta=delta, p_value=p_value, p_adjusted=p_adjusted))
    return compared


def _observed_differences(named: Mapping[str, BleuStatistics]) -> list[float]:
    """Subtract the score of the baseline, which is the first, from the score of each other system."""
    baseline, *others = (float(np.ravel(score(statistics).bleu)[0]) for statistics in named.values())
    return [bleu - baseline for bleu in others]


def _scaled_differences(resampled: list[Floats], observed: list[float]) -> Iterator[tuple[Floats, float]]:
    """Give the resampled and the observed differences of each system, divided by a power of 2 near the largest score.

    Rounding is judged at a score of about 1, and NLTK's scores may all be as small as 1e-78.
    """
    largest = max(float(scores.max()) for scores in resampled)
    scale = 2.0 ** np.frexp(largest)[1]
    baseline = resampled[0][:, 0]
    for scores, own_observed in zip(resampled[1:], observed, strict=True):
        yield (scores[:, 0] - baseline) / scale, own_observed / scale


def _largest_sentence_score(systems: Sequence[BleuStatistics]) -> float | None:
    """Find the largest sentence score of all systems; None where a score is not a mean of sentence scores."""
    if systems[0].config.average != "sentence":
        return None
    return max(float(sentence_scores(statistics).max(initial=0)) for statistics in systems)


def draw_exchanges(segments: int, n_trials: int, seed: int) -> Iterator[Bytes]:
    """Toss a coin for every segment, in chunks of shape (trials, segments): 1 leaves a segment to its system.

    The tosses are those of sacrebleu 2.6 for the same seed: the bits of the random stream, 32 to a word.
    """
    rng = np.random.default_rng(seed)
    chunk_trials = max(1, CELLS // segments // 32) * 32  # whole words, so that no bit is lost between chunks
    for first in range(0, n_trials, chunk_trials):
        trials = min(chunk_trials, n_trials - first)
        n_bits = trials * segments
        words = rng.integers(2**32, size=-(-n_bits // 32), dtype=np.uint32)
        bits = np.unpackbits(words.astype("<u4").view(np.uint8), bitorder="little")
        yield bits[:n_bits].reshape(trials, segments)


def score_exchanges(
    baseline: BleuStatistics,
    systems: Sequence[BleuStatistics],
    chunks: Iterable[Bytes],
    report: Callable[[int], object] = lambda _: None,
) -> list[Floats]:
    """Score trials in which the two translations of a segment are exchanged or not, the same for all systems.

    `chunks`: as `draw_exchanges` makes them. Returns for each system the score of the trial's system minus that of the
    trial's baseline, shape (1 + trials, lists of weights). The first row is that of the systems as they are.
    """
    top = _largest_sentence_score([baseline, *systems])  # tables that are subtracted need one scale
    base = summands(baseline, top)
    parts = [summands(statistics, top) for statistics in systems]
    base_table = _last_segment_as_sums(base.table, base.last)
    tables = [_last_segment_as_sums(part.table, part.last) for part in parts]
    base_total = base_table.sum(axis=0)
    totals = [table.sum(axis=0) for table in tables]
    differences = side_by_side([table - base_table for table in tables])
    nothing_exchanged = np.concatenate([total - base_total for total in totals])
    gains = [nothing_exchanged[np.newaxis]]
    for bits in run_ahead(chunks):
        gains.append(exact_product(bits, differences))
        report(len(bits))
    gains_of_systems = np.split(np.concatenate(gains), column_bounds(parts), axis=1)
    score_differences = []
    for part, gain, total in zip(parts, gains_of_systems, totals, strict=True):
        score_differences.append(part.score(base_total + gain) - base.score(total - gain))
    return score_differences


def _last_segment_as_sums(table: Ints, last: int) -> Ints:
    """Turn the `last` columns, which describe the last segment, into sums: 0 in all rows but the last."""
    if not last:
        return table
    table = table.copy()
    table[:-1, -last:] = 0
    return table
