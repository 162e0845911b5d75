"""Confidence intervals from counts alone: segments are drawn again and scored, without a loop over resamples.

All sums are of whole numbers below 2**53, so a product of float64 matrices is exact: neither the number of threads,
BLAS's included, nor the size of the chunks changes a bit. The random numbers are those of sacrebleu for the same seed,
and do not depend on the size of the chunks either. This module knows no texts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._counts import LAST_SEGMENT_COLUMNS
from ._display import Readable, Summary, as_list
from ._score import Numbers, score
from ._score_tables import score_tables
from ._statistics import BleuStatistics, check_statistics, require_segments
from ._threads import Progress, Threads, thread_count
from ._validation import Bytes, Floats, Ints, UInts, check_count, check_probability, check_seed, short_repr


@dataclass(frozen=True, kw_only=True, repr=False)
class Interval(Readable):
    """A score and its bootstrap interval, on a scale of 0 to 1; lists where ``weights`` is a list of lists.

    >>> from bleu_metric import corpus_statistics
    >>> interval = bootstrap(corpus_statistics(["a b", "a c"], ["a b", "a b"], max_order=1), n_resamples=100)
    >>> interval
    <Interval 75.00 [50.00, 100.00], 95 %, 100 resamples>
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

    def _summary(self) -> Summary:
        ends = zip(as_list(self.score), as_list(self.low), as_list(self.high), strict=True)
        shown = "  ".join(f"{100 * score:.2f} [{100 * low:.2f}, {100 * high:.2f}]" for score, low, high in ends)
        level, drawn = f"{100 * self.confidence:g} %", f"{self.n_resamples:,} resamples"
        note = f"{level} interval of {drawn}, seed {self.seed}"
        return Summary(f"{shown}, {level}, {drawn}", f"BLEU {shown}", [note, self.signature])


def bootstrap(
    statistics: BleuStatistics,
    n_resamples: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> Interval:
    """Estimate how much the score would vary with other segments of the same sort.

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
    n_resamples = check_count("n_resamples", n_resamples, 1)
    seed = check_seed(seed)
    confidence = check_probability(confidence)
    require_segments(statistics, "draw segments")
    if len(statistics) == 1:
        raise ValueError("there is one segment: an interval needs several to draw from")
    chunks = draw_segments(len(statistics), n_resamples, seed) if len(statistics) else ()
    (scores,) = score_resamples([statistics], chunks, progress_reporter(progress, n_resamples))
    return interval_from_scores(statistics, scores, seed, confidence)


def interval_from_scores(statistics: BleuStatistics, scores: Floats, seed: int, confidence: float) -> Interval:
    """Make an interval of the resamples' scores, of shape (resamples, lists of weights)."""
    n_resamples = len(scores)
    many = statistics.config.has_many_weights
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
    """Make a function that takes the resamples of each chunk and tells `progress` how many are done."""
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
_HIGH, _LOW = 26, 27  # bits of the two whole numbers that stand for a sentence's score


class Summands(NamedTuple):
    """Whole numbers to add up over segments, and how to score a sum."""

    table: Ints  # (segments, columns)
    score: Callable[[Ints], Floats]  # sums (…, columns) -> BLEU (…, lists of weights)
    last: int = 0  # how many columns at the end describe the last segment; they are not summed


def summands(statistics: BleuStatistics, top: float | None = None) -> Summands:
    """Find what a resample of these statistics adds up, and how its sums are scored.

    `top`: the largest sentence score of all systems whose tables are added to this one, which need one scale.
    Raises ``ValueError`` for a total, for no segments, and for counts too large to be added exactly.
    """
    require_segments(statistics, "draw segments")
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
    """Write every sentence's score as two whole numbers, so that means are as exact as sums of counts."""
    scores = sentence_scores(statistics)
    # Scores / scale < 1, exactly. A constant scale would not do: NLTK's method0 gives scores such as 1e-155.
    scale = 2.0 ** np.frexp(scores.max(axis=0) if top is None else top)[1]
    shifted = scores / scale * 2**_HIGH
    high = np.floor(shifted)
    low = np.rint((shifted - high) * 2**_LOW)
    table = np.concatenate((high, low), axis=1).astype(np.int64)
    segments, lists = scores.shape

    def mean(sums: Ints) -> Floats:
        high_sums, low_sums = sums[..., :lists], sums[..., lists:]
        total = (high_sums + low_sums * 2.0**-_LOW) * (2.0**-_HIGH * scale)
        means: Floats = total / segments
        return means

    return Summands(table, mean)


def sentence_scores(statistics: BleuStatistics) -> Floats:
    return score_tables(statistics.table, statistics.config, sentences=True).bleu


def draw_segments(segments: int, n_resamples: int, seed: int) -> Iterator[Ints]:
    """Draw segments with replacement, in chunks of shape (resamples, segments).

    The indices are those that sacrebleu 2.6 draws for the same seed by one `Generator.choice` over all resamples.

    >>> [indices.tolist() for indices in draw_segments(3, 2, seed=12345)]
    [[[2, 0, 2], [0, 0, 2]]]
    """
    uniform = _UniformIntegers(np.random.default_rng(seed), segments)
    rows = max(1, CELLS // segments)
    for first in range(0, n_resamples, rows):
        resamples = min(rows, n_resamples - first)
        yield uniform.draw(resamples * segments).reshape(resamples, segments)


class _UniformIntegers:
    """Whole numbers below a bound, all equally likely, out of random 32-bit words (Lemire 2019).

    The number is the high half of the product of word and bound. Words whose product has a low half below
    2**32 modulo the bound are skipped: else some numbers would be likelier than others
    (https://doi.org/10.1145/3230636).
    """

    def __init__(self, rng: np.random.Generator, bound: int) -> None:
        self._rng = rng
        self._bound = bound
        self._least_low_half = 2**32 % bound
        self._unused: UInts = np.zeros(0, np.uint64)  # products: random words come in pairs

    def draw(self, count: int) -> Ints:
        products = self._unused
        while len(products) < count:
            more = self._more_products(count - len(products))
            products = np.concatenate((products, more)) if len(products) else more
        self._unused = products[count:].copy()  # a view would keep all products
        numbers: Ints = (products[:count] >> np.uint64(32)).view(np.int64)
        return numbers

    def _more_products(self, count: int) -> UInts:
        """Make products of the next words, nearly `count` or more, without those to skip."""
        pairs = self._rng.integers(2**64, size=(count + 1) // 2, dtype=np.uint64)
        words = pairs.astype("<u8", copy=False).view("<u4")
        products: UInts = np.multiply(words, self._bound, dtype=np.uint64)
        low_halves = products.astype(np.uint32)
        if low_halves.min() < self._least_low_half:
            products = products[low_halves >= self._least_low_half]
        return products


def score_resamples(
    statistics: Sequence[BleuStatistics], chunks: Iterable[Ints], report: Callable[[int], object] = lambda _: None
) -> list[Floats]:
    """Score resamples, the same for all statistics.

    `chunks`: indices of the segments drawn, of shape (resamples, segments). `report`: told the resamples of each chunk.
    Returns one array of shape (resamples, lists of weights) for each of the statistics.
    """
    parts = [summands(of_system) for of_system in statistics]
    table = side_by_side([part.table for part in parts])
    sums_of_chunks, last_of_chunks = [], []
    for indices in run_ahead(chunks):
        sums_of_chunks.append(exact_product(_times_drawn(indices, len(table)), table))
        last_of_chunks.append(indices[:, -1].copy())  # a view would keep all indices
        report(len(indices))
    last_drawn = np.concatenate(last_of_chunks)
    sums_of_parts = np.split(np.concatenate(sums_of_chunks), column_bounds(parts), axis=1)
    return [
        part.score(_with_last_segment(sums, part, last_drawn)) for part, sums in zip(parts, sums_of_parts, strict=True)
    ]


def _with_last_segment(sums: Ints, part: Summands, last_drawn: Ints) -> Ints:
    """Replace the sums of the columns that describe the last segment: they are those of the segment drawn last."""
    if part.last:
        sums[:, -part.last :] = part.table[last_drawn, -part.last :]
    return sums


def side_by_side(tables: Sequence[Ints]) -> Factor:
    """Join the columns of tables for a product, as float32 if all sums are exact in it, else as float64."""
    table = np.concatenate(tables, axis=1)
    largest = int(np.abs(table).max())
    return table.astype(np.float32 if largest * len(table) < _EXACT_SINGLE else np.float64)


def column_bounds(parts: Sequence[Summands]) -> Ints:
    """Find where the columns of every part but the first start, in tables that are side by side."""
    return np.cumsum([part.table.shape[1] for part in parts])[:-1]


def _times_drawn(indices: Ints, segments: int) -> Ints:
    """Count how often each resample has each segment: shape (resamples, segments)."""
    resamples = len(indices)
    first_cells = np.arange(resamples) * segments
    cells = indices + first_cells[:, np.newaxis]
    return np.bincount(cells.ravel(), minlength=resamples * segments).reshape(resamples, segments)


def exact_product(left: Ints | Bytes, right: Factor) -> Ints:
    """Multiply whole numbers exactly: (trials, segments) by (segments, columns)."""
    segments_at_once = max(1, CELLS * 2 // len(left))
    sums = np.zeros((len(left), right.shape[1]))
    for first in range(0, len(right), segments_at_once):
        block = slice(first, first + segments_at_once)
        sums += left[:, block].astype(right.dtype) @ right[block]
    return sums.astype(np.int64)


def run_ahead(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Draw the next chunk in another thread while this chunk is used: drawing is half of the work."""
    np.empty(_KEPT, np.uint8)  # freed at once: from then on glibc keeps freed blocks of up to this size for later use
    if thread_count() == 1:
        yield from chunks
        return
    source = iter(chunks)
    with Threads(1) as threads:
        coming = threads.start(next, source, None)
        while (chunk := threads.result(coming)) is not None:
            coming = threads.start(next, source, None)
            yield chunk


# Tried and lost, for 1,000 resamples of 2,037 segments on one thread, where drawing takes 4 ms, counting 3 ms and the
# product 2 ms: drawing by NumPy's integers() takes 5.4 ms; gathering rows of the table and adding them up takes 38 ms
# instead of 5. If memory goes back to the system after each chunk, page faults double the time of all.
