"""Segments drawn again, or exchanged between two systems -> scores: one product of matrices, no loop over trials.

What is added up are whole numbers below 2**53, so a product of float64 matrices is exact: neither the number of
threads, BLAS's included, nor the size of the chunks changes a bit. The random streams are those of sacrebleu for the
same seed, and do not depend on the size of the chunks either. No text is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._score import score_tables
from ._sealed import LAST
from ._statistics import BleuStatistics
from ._threads import threads

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bits = NDArray[np.uint8]
Factor = NDArray[np.floating[Any]]
Chunk = TypeVar("Chunk", Ints, Bits)

_CELLS = 1 << 16  # segments times trials at once: few enough for the processor's cache
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
    last = len(LAST) if config.depends_on_segment_order else 0
    return Summands(statistics.table, lambda sums: score_tables(sums, config).bleu, last)


def _summands_of_sentences(statistics: BleuStatistics, top: float | None) -> Summands:
    """Cut every sentence's score into two whole numbers, so that means are as exact as sums of counts."""
    scores = _sentences(statistics)
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


def _sentences(statistics: BleuStatistics) -> Floats:
    return score_tables(statistics.table, statistics.config, sentences=True).bleu


def _top(systems: Sequence[BleuStatistics]) -> float | None:
    """The largest sentence score of all systems; None where a score is no mean of them."""
    if systems[0].config.average != "sentence":
        return None
    return max(float(_sentences(one).max(initial=0)) for one in systems)


def draws(segments: int, n_resamples: int, seed: int) -> Iterator[Ints]:
    """Draw segments with replacement, in chunks of shape (resamples, segments).

    The indices are those of sacrebleu 2.6 for the same seed, `Generator.choice` over all resamples at once: of each
    32 bits, the high half of their product with the number of segments, but where the low half is so small that some
    segments would be likelier than others (Lemire 2019, https://doi.org/10.1145/3230636).
    """
    rng = np.random.default_rng(seed)
    too_small = 2**32 % segments
    rows = max(1, _CELLS // segments)
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


def exchanges(segments: int, n_trials: int, seed: int) -> Iterator[Bits]:
    """Toss a coin for every segment, in chunks of shape (trials, segments): 1 leaves a segment to its system.

    The tosses are those of sacrebleu 2.6 for the same seed: the bits of the stream, 32 to a word.
    """
    rng = np.random.default_rng(seed)
    rows = max(1, _CELLS // segments // 32) * 32  # whole words, so that no bit is lost between chunks
    for first in range(0, n_trials, rows):
        shape = (min(rows, n_trials - first), segments)
        words = rng.integers(2**32, size=-(-shape[0] * segments // 32), dtype=np.uint32)
        bits = np.unpackbits(words.astype("<u4").view(np.uint8), bitorder="little")
        yield bits[: shape[0] * segments].reshape(shape)


def bootstrap_scores(
    statistics: Sequence[BleuStatistics], chunks: Iterable[Ints], report: Callable[[int], object] = lambda _: None
) -> list[Floats]:
    """Score resamples, the same for all statistics.

    `chunks`: indices of the segments drawn, of shape (resamples, segments). `report`: told the resamples of each chunk.
    Returns one array of shape (resamples, lists of weights) for each of the statistics.
    """
    parts = [summands(one) for one in statistics]
    table = _side_by_side([part.table for part in parts])
    sums, last = [], []
    for indices in _ahead(chunks):
        sums.append(_product(_times_drawn(indices, len(table)), table))
        last.append(indices[:, -1].copy())  # a view would keep all indices
        report(len(indices))
    each = np.split(np.concatenate(sums), _bounds(parts), axis=1)
    for part, own in zip(parts, each, strict=True):
        if part.last:
            own[:, -part.last :] = part.table[np.concatenate(last), -part.last :]
    return [part.score(own) for part, own in zip(parts, each, strict=True)]


def exchange_scores(
    baseline: BleuStatistics,
    systems: Sequence[BleuStatistics],
    chunks: Iterable[Bits],
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
    differences = _side_by_side([table - tables[0] for table in tables[1:]])
    gains = [np.concatenate([total - totals[0] for total in totals[1:]])[np.newaxis]]
    for bits in _ahead(chunks):
        gains.append(_product(bits, differences))
        report(len(bits))
    each = np.split(np.concatenate(gains), _bounds(parts), axis=1)
    return [
        part.score(totals[0] + gain) - base.score(total - gain)
        for part, gain, total in zip(parts, each, totals[1:], strict=True)
    ]


def _side_by_side(tables: Sequence[Ints]) -> Factor:
    """Put tables together for a product: in the smaller type of float if all sums are exact in it, too."""
    table = np.concatenate(tables, axis=1)
    largest = int(np.abs(table).max())
    return table.astype(np.float32 if largest * len(table) < _EXACT_SINGLE else np.float64)


def _bounds(parts: Sequence[Summands]) -> Ints:
    return np.cumsum([part.table.shape[1] for part in parts])[:-1]


def _only_last(table: Ints, last: int) -> Ints:
    """Make columns that are those of the last segment sums, by zeros in all rows but the last."""
    if not last:
        return table
    table = table.copy()
    table[:-1, -last:] = 0
    return table


def _times_drawn(indices: Ints, segments: int) -> Ints:
    """Count how often each resample has each segment: shape (resamples, segments)."""
    rows = len(indices)
    places = indices + (np.arange(rows) * segments)[:, np.newaxis]
    return np.bincount(places.ravel(), minlength=rows * segments).reshape(rows, segments)


def _product(left: Ints | Bits, right: Factor) -> Ints:
    """Multiply whole numbers exactly: (trials, segments) by (segments, columns)."""
    wide = max(1, _CELLS * 2 // len(left))
    sums = np.zeros((len(left), right.shape[1]))
    for first in range(0, len(right), wide):
        sums += left[:, first : first + wide].astype(right.dtype) @ right[first : first + wide]
    return sums.astype(np.int64)


def _ahead(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Draw the next chunk in another thread while this one is used: drawing is half of the work."""
    np.empty(_KEPT, np.uint8)  # freed at once: from then on glibc keeps freed memory up to this size for the next chunk
    if threads() == 1:
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
