"""Confidence intervals from counts alone: segments are drawn again and scored, without a loop over resamples.

What is added up are whole numbers below 2**53, so a product of float64 matrices is exact: neither the number of
threads, BLAS's included, nor the size of the chunks changes a bit. The random streams are those of sacrebleu for the
same seed, and do not depend on the size of the chunks either. No text is known here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._arrays import Bytes, Floats, Ints
from ._counts import LAST_SEGMENT_COLUMNS
from ._score import Numbers, score, score_tables
from ._statistics import BleuStatistics, check_statistics
from ._validation import check_count, check_probability, check_seed, short_repr, thread_count

Progress = Callable[[int, int], object]


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
    n_resamples, seed, confidence = (
        check_count("n_resamples", n_resamples, 1),
        check_seed(seed),
        check_probability(confidence),
    )
    if len(statistics) == 1 and not statistics.is_total:
        raise ValueError("there is one segment: an interval needs several to draw from")
    chunks = draw_segments(len(statistics), n_resamples, seed) if len(statistics) else ()
    (scores,) = score_resamples([statistics], chunks, progress_reporter(progress, n_resamples))
    return interval_from_scores(statistics, scores, seed, confidence)


def interval_from_scores(statistics: BleuStatistics, scores: Floats, seed: int, confidence: float) -> Interval:
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
        signature=signature_with(statistics, bs=n_resamples, seed=seed, conf=confidence),
    )


def _plain(numbers: Floats, many: bool) -> Numbers:
    return numbers.tolist() if many else float(numbers[0])


def signature_with(statistics: BleuStatistics, **words: object) -> str:
    """Put what was drawn into the signature, where sacrebleu puts it: after the number of references."""
    nrefs, _, choices = statistics.signature().partition("|")
    return "|".join([nrefs, *(f"{key}:{value}" for key, value in words.items()), choices])


def progress_reporter(progress: Progress | None, total: int) -> Callable[[int], object]:
    """Make a function that is told of each chunk, and tells `progress` how much is done."""
    if progress is None:
        return lambda _: None
    if not callable(progress):
        raise TypeError(f"progress must be a function of (done, total), got {short_repr(progress)}")
    done = 0

    def tell(more: int) -> None:
        nonlocal done
        done += more
        progress(done, total)

    return tell


Factor = NDArray[np.floating[Any]]
Chunk = TypeVar("Chunk", Ints, Bytes)
CELLS = 1 << 16  # segments times trials at once: few enough for the processor's cache
_KEPT = 16 << 20
_EXACT, _EXACT_SINGLE = 2**53, 2**24  # whole numbers below them are exact in float64 and in float32
_HIGH, _LOW = 26, 27  # bits of the two whole numbers that a sentence's score is cut into


class Summands(NamedTuple):
    """What is added up over segments, and how a sum is scored."""

    table: Ints  # (segments, columns)
    score: Callable[[Ints], Floats]  # sums (…, columns) -> BLEU (…, lists of weights)
    last: int = 0  # so many columns at the end are those of the last segment, no sums


def summands(statistics: BleuStatistics, top: float | None = None) -> Summands:
    """Say what a resample of these statistics adds up.

    `top`: the largest sentence score of all systems whose tables are added to this one, which need one scale.
    Raises ``ValueError`` for a total, for no segments, and for counts too large to be added exactly.
    """
    if statistics.is_total:
        raise ValueError(
            "these statistics are a total: their segments, which are drawn again, are gone; use corpus_statistics(…) "
            "without .total()"
        )
    segments = len(statistics)
    if not segments:
        raise ValueError("these statistics have no segments to draw from")
    config = statistics.config
    if config.average == "sentence":
        return _summands_of_sentences(statistics, top)
    largest = int(np.abs(statistics.table).max())
    if largest * segments >= _EXACT:
        raise ValueError(
            f"{segments} segments with counts up to {largest} may sum to 2**53 or more, inexact in float64"
        )
    last = len(LAST_SEGMENT_COLUMNS) if config.depends_on_segment_order else 0
    return Summands(statistics.table, lambda sums: score_tables(sums, config).bleu, last)


def _summands_of_sentences(statistics: BleuStatistics, top: float | None) -> Summands:
    """Cut every sentence's score into two whole numbers, so that means are as exact as sums of counts."""
    scores = sentence_scores(statistics)
    # Scores / scale < 1, exactly. No constant: with NLTK's method0 the best score may be 1e-155, and would vanish.
    scale = 2.0 ** np.frexp(scores.max(axis=0) if top is None else top)[1]
    shifted = scores / scale * 2**_HIGH
    high = np.floor(shifted)
    low = np.rint((shifted - high) * 2**_LOW)
    table = np.concatenate((high, low), axis=1).astype(np.int64)
    lists, segments = scores.shape[1], len(scores)

    def mean(sums: Ints) -> Floats:
        total: Floats = (sums[..., :lists] + sums[..., lists:] * 2.0**-_LOW) * (2.0**-_HIGH * scale)
        return total / segments

    return Summands(table, mean)


def sentence_scores(statistics: BleuStatistics) -> Floats:
    return score_tables(statistics.table, statistics.config, sentences=True).bleu


def draw_segments(segments: int, n_resamples: int, seed: int) -> Iterator[Ints]:
    """Draw segments with replacement, in chunks of shape (resamples, segments).

    The indices are those of sacrebleu 2.6 for the same seed, `Generator.choice` over all resamples at once: of each
    32 bits, the high half of their product with the number of segments, but where the low half is so small that some
    segments would be likelier than others (Lemire 2019, https://doi.org/10.1145/3230636).
    """
    rng = np.random.default_rng(seed)
    too_small = 2**32 % segments
    rows = max(1, CELLS // segments)
    left = np.zeros(0, np.uint64)
    for first in range(0, n_resamples, rows):
        shape = (min(rows, n_resamples - first), segments)
        parts, missing = [left], shape[0] * segments - len(left)
        while missing > 0:
            words = rng.integers(2**64, size=(missing + 1) // 2, dtype=np.uint64).astype("<u8", copy=False).view("<u4")
            products = np.multiply(words, segments, dtype=np.uint64)
            low = products.astype(np.uint32)
            if low.min() < too_small:
                products = products[low >= too_small]
            parts.append(products)
            missing -= len(products)
        drawn = parts[-1] if len(parts) == 2 and not len(left) else np.concatenate(parts)
        left = drawn[shape[0] * segments :].copy()
        yield (drawn[: shape[0] * segments] >> np.uint64(32)).view(np.int64).reshape(shape)


def score_resamples(
    statistics: Sequence[BleuStatistics], chunks: Iterable[Ints], report: Callable[[int], object] = lambda _: None
) -> list[Floats]:
    """Score resamples, the same for all statistics.

    `chunks`: indices of the segments drawn, of shape (resamples, segments). `report`: told the resamples of each chunk.
    Returns one array of shape (resamples, lists of weights) for each of the statistics.
    """
    parts = [summands(one) for one in statistics]
    table = side_by_side([part.table for part in parts])
    sums, last = [], []
    for indices in run_ahead(chunks):
        sums.append(exact_product(_times_drawn(indices, len(table)), table))
        last.append(indices[:, -1].copy())  # a view would keep all indices
        report(len(indices))
    each = np.split(np.concatenate(sums), column_bounds(parts), axis=1)
    for part, own in zip(parts, each, strict=True):
        if part.last:
            own[:, -part.last :] = part.table[np.concatenate(last), -part.last :]
    return [part.score(own) for part, own in zip(parts, each, strict=True)]


def side_by_side(tables: Sequence[Ints]) -> Factor:
    """Put tables together for a product: in the smaller type of float if all sums are exact in it, too."""
    table = np.concatenate(tables, axis=1)
    largest = int(np.abs(table).max())
    return table.astype(np.float32 if largest * len(table) < _EXACT_SINGLE else np.float64)


def column_bounds(parts: Sequence[Summands]) -> Ints:
    return np.cumsum([part.table.shape[1] for part in parts])[:-1]


def _times_drawn(indices: Ints, segments: int) -> Ints:
    """Count how often each resample has each segment: shape (resamples, segments)."""
    rows = len(indices)
    places = indices + (np.arange(rows) * segments)[:, np.newaxis]
    return np.bincount(places.ravel(), minlength=rows * segments).reshape(rows, segments)


def exact_product(left: Ints | Bytes, right: Factor) -> Ints:
    """Multiply whole numbers exactly: (trials, segments) by (segments, columns)."""
    wide = max(1, CELLS * 2 // len(left))
    sums = np.zeros((len(left), right.shape[1]))
    for first in range(0, len(right), wide):
        sums += left[:, first : first + wide].astype(right.dtype) @ right[first : first + wide]
    return sums.astype(np.int64)


def run_ahead(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Draw the next chunk in another thread while this one is used: drawing is half of the work."""
    np.empty(_KEPT, np.uint8)  # freed at once: from then on glibc keeps freed memory up to this size for the next chunk
    if thread_count() == 1:
        yield from chunks
        return
    source = iter(chunks)
    with ThreadPoolExecutor(1) as executor:
        coming = executor.submit(next, source, None)
        while (chunk := coming.result()) is not None:
            coming = executor.submit(next, source, None)
            yield chunk


# Tried and lost, for 1,000 resamples of 2,037 segments on one thread, where drawing takes 4 ms, counting 3 and the
# product 2: NumPy's integers() for the drawing 5.4 ms; gathering rows of the table and adding them up 38 for the last
# two. Where memory goes back to the system after each chunk, page faults double the whole.
