"""How far a score could have been elsewhere with other segments: bootstrap intervals, from counts alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._names import as_float, as_int, described
from ._resampling import bootstrap_scores, draws
from ._score import Numbers, score
from ._statistics import BleuStatistics, check_statistics

Floats = NDArray[np.float64]
Progress = Callable[[int, int], object]
_MOST_TRIALS = 10**9  # days of work


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A score and its bootstrap interval, on a scale of 0 to 1; lists where ``weights`` is a list of lists.

    >>> from bleu_metric import corpus_statistics
    >>> interval = bootstrap(corpus_statistics(["a b", "a c"], ["a b", "a b"], max_order=1), n_resamples=100)
    >>> interval.score, interval.low, interval.high, interval.n_resamples
    (0.75, 0.5, 1.0, 100)
    """

    score: Numbers
    """BLEU of the segments themselves."""
    low: Numbers
    """Percentile interval: the quantile (1 - confidence) / 2 of the resamples' scores, interpolated."""
    high: Numbers
    """Percentile interval: the quantile (1 + confidence) / 2."""
    confidence: float
    mean: Numbers
    """Mean of the resamples' scores: the first number of sacrebleu's ``mean ± half width``."""
    half_width: Numbers
    """Half the width of the 95 % interval as sacrebleu takes it: without n // 40 resamples at each end."""
    n_resamples: int
    seed: int
    signature: str
    """Every choice that made the score and the interval."""

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, as plain Python values.

        >>> from bleu_metric import corpus_statistics
        >>> bootstrap(corpus_statistics(["a b"] * 2, ["a b"] * 2, max_order=1), n_resamples=10).to_dict()["half_width"]
        0.0
        """
        return asdict(self)


def bootstrap(
    statistics: BleuStatistics,
    n_resamples: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> Interval:
    """Estimate how far the score could have been elsewhere with other segments of the same kind.

    Each resample draws as many segments as there are, with replacement, and is scored as a corpus (Efron 1979; for
    BLEU, Koehn 2004, https://aclanthology.org/W04-3250); the interval is that of percentiles (Efron 1981). The
    resamples are those of sacrebleu for the same seed. Where the score depends on the last segment (NLTK's methods 5
    to 7), it is the last one drawn.

    Args:
        statistics: one row per segment, of `corpus_statistics`.
        n_resamples: how many resamples, at least 1.
        seed: whole number >= 0; the same seed gives the same bytes on any number of threads.
        confidence: between 0 and 1.
        progress: called as ``progress(done, n_resamples)`` now and then.

    Returns:
        The score, its interval, and how they were drawn.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a total, no segments or a single one, or an argument out of range.

    >>> from bleu_metric import corpus_statistics
    >>> statistics = corpus_statistics(["a b", "a c", "b c"], ["a b", "a b", "c c"], max_order=1)
    >>> interval = bootstrap(statistics)
    >>> round(interval.score, 3), interval.low, interval.high
    (0.667, 0.5, 1.0)
    >>> interval.signature.split("|")[:4]
    ['nrefs:1', 'bs:1000', 'seed:12345', 'conf:0.95']
    """
    check_statistics("statistics", statistics)
    n_resamples, seed, confidence = whole("n_resamples", n_resamples, 1), whole_seed(seed), share(confidence)
    if len(statistics) == 1 and not statistics.is_total:
        raise ValueError("there is one segment: an interval needs several to draw from")
    chunks = draws(len(statistics), n_resamples, seed) if len(statistics) else ()
    (scores,) = bootstrap_scores([statistics], chunks, teller(progress, n_resamples))
    return interval_of(statistics, scores, seed, confidence)


def interval_of(statistics: BleuStatistics, scores: Floats, seed: int, confidence: float) -> Interval:
    """Sum up the resamples' scores, of shape (resamples, lists of weights)."""
    n_resamples, many = len(scores), statistics.config.has_many_weights
    low, high = np.quantile(scores, ((1 - confidence) / 2, (1 + confidence) / 2), axis=0)
    in_order = np.sort(scores, axis=0)
    left_out = n_resamples // 40
    half_width = (in_order[n_resamples - left_out - 1] - in_order[left_out]) / 2
    mean = np.array([math.fsum(column) for column in scores.T.tolist()]) / n_resamples
    return Interval(
        score=score(statistics).bleu,
        low=_plain(low, many),
        high=_plain(high, many),
        confidence=confidence,
        mean=_plain(mean, many),
        half_width=_plain(half_width, many),
        n_resamples=n_resamples,
        seed=seed,
        signature=signed(statistics, bs=n_resamples, seed=seed, conf=confidence),
    )


def _plain(numbers: Floats, many: bool) -> Numbers:
    return numbers.tolist() if many else float(numbers[0])


def signed(statistics: BleuStatistics, **words: object) -> str:
    """Put what was drawn into the signature, where sacrebleu puts it: after the number of references."""
    nrefs, _, choices = statistics.signature().partition("|")
    return "|".join([nrefs, *(f"{key}:{value}" for key, value in words.items()), choices])


def teller(progress: Progress | None, total: int) -> Callable[[int], object]:
    """Make a function that is told of each chunk, and tells `progress` how much is done."""
    if progress is None:
        return lambda _: None
    if not callable(progress):
        raise TypeError(f"progress must be a function of (done, total), got {described(progress)}")
    done = 0

    def tell(more: int) -> None:
        nonlocal done
        done += more
        progress(done, total)

    return tell


def whole(name: str, value: object, least: int, most: int = _MOST_TRIALS) -> int:
    """Read a whole number; refuse anything else, and what is too small or too large."""
    number = as_int(value)
    if number is None:
        raise TypeError(f"{name} must be a whole number, got {described(value)}")
    if number < least:
        raise ValueError(f"{name} must be at least {least}, got {described(value)}")
    if number > most:
        raise ValueError(f"{name} must be at most {most}, got {described(value)}")
    return number


def whole_seed(seed: object) -> int:
    """Read a seed, which may be any whole number that a signature can hold."""
    return whole("seed", seed, 0, 2**256)


def share(confidence: object) -> float:
    """Read a number between 0 and 1; refuse anything else."""
    number = as_float(confidence)
    if number is None:
        raise TypeError(f"confidence must be a number between 0 and 1, got {described(confidence)}")
    if not 0 < number < 1:
        raise ValueError(
            f"confidence must be above 0 and below 1, got {described(confidence)}; 95 % is confidence=0.95"
        )
    return number
