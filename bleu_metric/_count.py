"""Rows -> statistics: batch by batch, by several threads, once for all configurations that share tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._arrow import TooMuchTextError, in_halves
from ._columns import Batch, Columns
from ._config import BleuConfig
from ._groups import group
from ._ngrams import clipped_matches
from ._sealed import counted_orders
from ._segments import SegmentCounts, to_statistics
from ._statistics import BleuStatistics, merge
from ._threads import threads
from ._token_ids import token_ids
from ._tokenize import Tokenization, Tokens, from_strings, lower_tokens, simplified, tokenize

Ints = NDArray[np.int64]
Stretch = tuple[int, int]
PerConfig = list[BleuStatistics]

_NOTHING = np.zeros(0, np.int64)
_ROWS = 4000  # segments read at once: enough to hide the cost of Python, few enough for the processor's cache
_CELLS = 1 << 18  # counts of one kind held at once: segments times orders
_BYTES = 2 << 20  # of text counted at once, unless one segment alone has more


def count_columns(
    counted: Columns,
    configs: Sequence[BleuConfig],
    keep_rows: bool = True,
    workers: int | None = None,
    report: Callable[[int, int], object] = lambda done, total: None,
) -> PerConfig:
    """Count all rows, once for all configurations.

    `keep_rows`: one row per segment in the answer; else sums, but for a mean of sentence scores, which needs rows.
    Returns one for each configuration, or for several systems one for each configuration and system in turn.
    `workers`: how many threads count; `threads()` if not given. `report`: told the rows done, and all.
    """

    def work(stretch: Stretch) -> PerConfig:
        try:
            return _merged(_count(batch, configs, keep_rows) for batch in _batches(counted, *stretch))
        except (UnicodeDecodeError, pa.ArrowInvalid):
            counted.refuse_broken(*stretch)
            raise

    rows = min(_ROWS, _CELLS // max(map(counted_orders, configs), default=1))
    stretches, parts = list(counted.batches(rows)), []
    for stretch, part in zip(stretches, _in_threads(work, stretches, workers or threads()), strict=True):
        parts.append(part)
        report(stretch[1], len(counted.predictions))
    return _merged(parts)


def _merged(parts: Iterable[PerConfig]) -> PerConfig:
    return [merge(of_one_config) for of_one_config in zip(*parts, strict=True)]


def _count(batch: Batch, configs: Sequence[BleuConfig], keep_rows: bool) -> PerConfig:
    orders = max(map(counted_orders, configs))
    counts: list[tuple[Tokenization, list[SegmentCounts]]] = []  # no dict: a function that tokenizes may have no hash
    statistics: PerConfig = []
    for config in configs:
        how = Tokenization(config.tokenizer, config.lowercase, config.strip, config.whitespace)
        if len(configs) > 1 and batch.kind == "text":
            how = simplified(batch.values, how)
        counted = next((found for other, found in counts if other == how), None)
        if counted is None:
            counted = count_batch(batch, how, orders)
            counts.append((how, counted))
        rows = [to_statistics(of_system, config) for of_system in counted]
        statistics += rows if keep_rows or config.average == "sentence" else [one.total() for one in rows]
    return statistics


def count_batch(batch: Batch, how: Tokenization, max_order: int) -> list[SegmentCounts]:
    """Count one batch, for each system: everything that depends on the texts and their tokens alone."""
    data, starts, token_lengths, lengths = tokens_of(batch, how)
    per_segment = batch.references_per_segment
    numbers = np.arange(batch.segments)
    of_text = np.concatenate((np.repeat(numbers, per_segment), np.tile(numbers, batch.systems)))
    segments = np.repeat(of_text, lengths)  # of each token
    if batch.kind == "ids":
        ids = group(batch.values.to_numpy().view(np.uint64), segments.view(np.uint64))
    else:
        ids = token_ids(data, starts, token_lengths, segments)
    references = len(lengths) - batch.segments * batch.systems
    first_reference = np.cumsum(per_segment) - per_segment
    counts = []
    for own_ids, own_lengths in _systems(ids, lengths, references, batch.systems):
        matches = clipped_matches(own_ids, own_lengths, per_segment, max_order)
        counts.append(SegmentCounts(matches, own_lengths[references:], lengths[:references], first_reference))
    return counts


def _systems(ids: Ints, lengths: Ints, references: int, systems: int) -> Iterator[tuple[Ints, Ints]]:
    """Put each system's tokens behind the references': their numbers, and the lengths of their texts."""
    if systems == 1:
        yield ids, lengths
        return
    of_system = np.split(lengths[references:], systems)
    blocks = np.split(ids, np.cumsum([lengths[:references].sum(), *(one.sum() for one in of_system)])[:-1])
    for own_ids, own_lengths in zip(blocks[1:], of_system, strict=True):
        own = np.concatenate((blocks[0], own_ids))
        yield group(own.view(np.uint64)), np.concatenate((lengths[:references], own_lengths))  # positions among its own


def tokens_of(batch: Batch, how: Tokenization) -> Tokens:
    """Cut the texts into tokens; token ids are tokens already, and have no characters."""
    if batch.kind == "ids":
        return Tokens(_NOTHING.view(np.uint8), _NOTHING, _NOTHING, batch.lengths)
    if batch.kind == "tokens":
        return lower_tokens(from_strings(batch.values, batch.lengths), how.lowercase)
    return tokenize(batch.values, how)


def _in_threads(work: Callable[[Stretch], PerConfig], stretches: list[Stretch], workers: int) -> Iterator[PerConfig]:
    """Do the work on every stretch of rows, by several threads; answers in the order of the rows.

    NumPy and Arrow release the interpreter's lock, so threads do help. A thread reads the rows it counts, so
    that no more batches are in memory than there are threads.
    """
    workers = min(workers, len(stretches))
    if workers == 1:
        yield from map(work, stretches)
        return
    executor = ThreadPoolExecutor(workers)
    try:
        yield from executor.map(work, stretches)
    finally:
        executor.shutdown(cancel_futures=True)  # after an error, do not count the rest first


def _batches(counted: Columns, first: int, last: int) -> Iterator[Batch]:
    """Read rows; in halves where they hold more text than is counted at once."""

    def read(first: int, last: int) -> Batch:
        batch = counted.read(first, last)
        if batch.values.nbytes > _BYTES and last - first > 1:
            raise TooMuchTextError
        return batch

    return in_halves(read, first, last)
