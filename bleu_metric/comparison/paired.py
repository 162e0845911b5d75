"""Whether one system is better than another on the same segments: paired tests, from counts alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from .._arrays import Bytes, Floats, Ints
from .._bootstrap import (
    CELLS,
    Progress,
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
from .._validation import check_count, check_probability, check_seed
from .result import Compared, Comparison, holm, named_systems

_NO_SPREAD = 1e-14  # of differences of scores of about 1: rounding
Systems = BleuStatistics | Mapping[str, BleuStatistics] | Sequence[BleuStatistics]


def _shifted(trials: Floats, observed: float) -> int:
    """How many resampled differences are as far from the observed one as that is from 0.

    Not from their mean, which is the same but for chance: where only few segments differ, many resamples have none of
    them, and whether their difference of 0 is as far as that would be decided by the seed. Nor is it by rounding.
    """
    if np.ptp(trials) < _NO_SPREAD:
        return len(trials)  # resamples that are all alike say nothing of what chance does
    return int((np.abs(trials - observed) >= abs(observed) - _NO_SPREAD).sum())


def _shifted_as_sacrebleu(trials: Floats, observed: float) -> int:
    sizes = np.abs(trials)
    return int((sizes - sizes.mean() > abs(observed)).sum())


def _as_large(trials: Floats, observed: float) -> int:
    return int((np.abs(trials) >= abs(observed)).sum())


def _larger(trials: Floats, observed: float) -> int:
    return int((np.abs(trials) > abs(observed)).sum())


Count = Callable[[Floats, float], int]
_OF_BOOTSTRAP: dict[str, Count] = {"two-sided": _shifted, "sacrebleu": _shifted_as_sacrebleu}
_OF_RANDOMIZATION: dict[str, Count] = {"two-sided": _as_large, "sacrebleu": _larger}


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
    and Maxwell 2005, https://aclanthology.org/W05-0908, who shift by the mean of the resamples, which is the observed
    difference but for chance): how many resampled differences are as far from the observed one as that is from 0,
    (count + 1) / (resamples + 1); it is 1 where all resampled differences are equal, as such segments say nothing of
    what chance does. ``p_values="sacrebleu"`` counts as sacrebleu does, which takes absolute
    values before the shift and so gives about half of it: with it, 5 % is 10 %.

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
    n_resamples, seed, confidence = (
        check_count("n_resamples", n_resamples, 1),
        check_seed(seed),
        check_probability(confidence),
    )
    tell = progress_reporter(progress, n_resamples)
    resampled = score_resamples(list(named.values()), draw_segments(len(baseline), n_resamples, seed), tell)
    count, base = _OF_BOOTSTRAP[p_values], resampled[0]
    trials = [scores[:, 0] - base[:, 0] for scores in resampled[1:]]
    p = [(count(*one) + 1) / (n_resamples + 1) for one in _scaled(trials, _deltas(named), resampled)]
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
    ``p_values="sacrebleu"`` counts larger differences alone, as sacrebleu does: the two differ where few segments do.

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
    n_trials, n_resamples = check_count("n_trials", n_trials, 1), check_count("n_resamples", n_resamples, 1)
    seed, confidence = check_seed(seed), check_probability(confidence)
    tell = progress_reporter(progress, n_trials + n_resamples)
    segments, everyone = len(baseline), list(named.values())
    found = score_exchanges(baseline, everyone[1:], draw_exchanges(segments, n_trials, seed), tell)
    resampled = score_resamples(everyone, draw_segments(segments, n_resamples, seed), tell)
    count = _OF_RANDOMIZATION[p_values]
    p = [(count(trials[1:, 0], trials[0, 0]) + 1) / (n_trials + 1) for trials in found]
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


def _compared(
    named: Mapping[str, BleuStatistics], resampled: Sequence[Floats], p: list[float], seed: int, confidence: float
) -> list[Compared]:
    """Put scores, intervals and p-values together: one entry per system, the baseline first."""
    pairs = zip(named.values(), resampled, strict=True)
    intervals = [interval_from_scores(one, scores, seed, confidence) for one, scores in pairs]
    tested = [(None, None, None), *zip(_deltas(named), p, holm(p), strict=True)]
    return [
        Compared(name=name, interval=interval, delta=delta, p_value=p_value, p_adjusted=p_adjusted)
        for name, interval, (delta, p_value, p_adjusted) in zip(named, intervals, tested, strict=True)
    ]


def _scaled(trials: list[Floats], deltas: list[float], scores: list[Floats]) -> Iterator[tuple[Floats, float]]:
    """Divide differences by the largest score, but for a power of 2: NLTK's may all be as small as 1e-78."""
    scale = 2.0 ** np.frexp(max(float(one.max()) for one in scores))[1]
    return ((one / scale, delta / scale) for one, delta in zip(trials, deltas, strict=True))


def _deltas(named: Mapping[str, BleuStatistics]) -> list[float]:
    """Score of each system minus the baseline's, which is the first."""
    scores = [float(np.ravel(score(one).bleu)[0]) for one in named.values()]
    return [bleu - scores[0] for bleu in scores[1:]]


def _top(systems: Sequence[BleuStatistics]) -> float | None:
    """The largest sentence score of all systems; None where a score is no mean of them."""
    if systems[0].config.average != "sentence":
        return None
    return max(float(sentence_scores(one).max(initial=0)) for one in systems)


def draw_exchanges(segments: int, n_trials: int, seed: int) -> Iterator[Bytes]:
    """Toss a coin for every segment, in chunks of shape (trials, segments): 1 leaves a segment to its system.

    The tosses are those of sacrebleu 2.6 for the same seed: the bits of the stream, 32 to a word.
    """
    rng = np.random.default_rng(seed)
    rows = max(1, CELLS // segments // 32) * 32  # whole words, so that no bit is lost between chunks
    for first in range(0, n_trials, rows):
        shape = (min(rows, n_trials - first), segments)
        words = rng.integers(2**32, size=-(-shape[0] * segments // 32), dtype=np.uint32)
        bits = np.unpackbits(words.astype("<u4").view(np.uint8), bitorder="little")
        yield bits[: shape[0] * segments].reshape(shape)


def score_exchanges(
    baseline: BleuStatistics,
    systems: Sequence[BleuStatistics],
    chunks: Iterable[Bytes],
    report: Callable[[int], object] = lambda _: None,
) -> list[Floats]:
    """Score trials in which the two translations of a segment are exchanged or not, the same for all systems.

    `chunks`: as `exchanges` makes them. Returns, for each system, the score of the trial's system minus that of the
    trial's baseline, of shape (1 + trials, lists of weights); the first is that of the systems as they are.
    """
    top = _top([baseline, *systems])  # the tables are subtracted from each other
    base, parts = summands(baseline, top), [summands(one, top) for one in systems]
    tables = [_only_last(part.table, part.last) for part in (base, *parts)]
    totals = [table.sum(axis=0) for table in tables]
    differences = side_by_side([table - tables[0] for table in tables[1:]])
    gains = [np.concatenate([total - totals[0] for total in totals[1:]])[np.newaxis]]
    for bits in run_ahead(chunks):
        gains.append(exact_product(bits, differences))
        report(len(bits))
    each = np.split(np.concatenate(gains), column_bounds(parts), axis=1)
    return [
        part.score(totals[0] + gain) - base.score(total - gain)
        for part, gain, total in zip(parts, each, totals[1:], strict=True)
    ]


def _only_last(table: Ints, last: int) -> Ints:
    """Make columns that are those of the last segment sums, by zeros in all rows but the last."""
    if not last:
        return table
    table = table.copy()
    table[:-1, -last:] = 0
    return table
