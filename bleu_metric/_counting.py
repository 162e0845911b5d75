"""A corpus -> statistics: batch by batch, in several threads, once for all configurations that share tokens."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ._arrow import TooMuchTextError, read_in_halves
from ._config import BleuConfig
from ._corpus import Batch, Corpus
from ._counts import LAST_SEGMENT_ORDER, orders_to_count
from ._few import count_few
from ._kernel import Texts, count_texts, count_tokens, engine, tokens_of_ids
from ._ngrams import clipped_matches, factorize, token_ids
from ._reference_length import effective_lengths
from ._statistics import BleuStatistics, merge_statistics
from ._threads import Threads, thread_count
from ._tokenize import Tokenization, Tokens, known_tokenizer, lower_tokens, simplified, tokenize, tokens_from_strings
from ._validation import Ints

RowRange = tuple[int, int]  # the first row, and the row after the last
Progress = Callable[[int, int], object]  # told the rows done, and all rows

_ROWS = 4000  # segments of a batch: enough to hide the cost of Python, few enough for the processor's cache
_CELLS = 1 << 18  # counts of a batch: segments times orders
_BYTES = 2 << 20  # of text in a batch, unless one segment alone has more
_NO_INTS = np.zeros(0, np.int64)


def count_corpus(
    corpus: Corpus,
    configs: Sequence[BleuConfig],
    keep_rows: bool = True,
    workers: int | None = None,
    progress: Progress = lambda done, total: None,
) -> list[BleuStatistics]:
    """Count all rows of a corpus, once for all configurations.

    `keep_rows`: keep one row per segment, else sums. A mean of sentence scores needs its rows and keeps them anyway.
    `workers`: how many threads count; `thread_count()` if not given. Returns statistics for each configuration; for
    several systems, for each configuration and each of its systems in turn.
    """
    few = _count_few(corpus, configs, keep_rows)
    if few is not None:
        progress(len(corpus.predictions), len(corpus.predictions))
        return few
    return count_by_arrays(corpus, configs, keep_rows, workers, progress)


def count_by_arrays(
    corpus: Corpus,
    configs: Sequence[BleuConfig],
    keep_rows: bool = True,
    workers: int | None = None,
    progress: Progress = lambda done, total: None,
) -> list[BleuStatistics]:
    """Count as `count_corpus` does where `count_few` does not."""

    def count_range(row_range: RowRange) -> list[BleuStatistics]:
        return _merge_parts(_count_batch(batch, configs, keep_rows) for batch in _read_batches(corpus, row_range))

    most_orders = max(map(orders_to_count, configs), default=1)
    row_ranges = list(corpus.batches(min(_ROWS, _CELLS // most_orders)))
    parts = []
    for row_range, part in zip(row_ranges, _in_threads(count_range, row_ranges, workers), strict=True):
        parts.append(part)
        progress(row_range[1], len(corpus.predictions))
    return _merge_parts(parts)


def _count_few(corpus: Corpus, configs: Sequence[BleuConfig], keep_rows: bool) -> list[BleuStatistics] | None:
    """Count in plain Python, which is faster for a few short texts; None where it is not, or where there are errors."""
    statistics = []
    for config in configs:
        counted = count_few(corpus, config, keep_rows or config.average == "sentence")
        if counted is None:
            return None
        statistics.append(counted)
    return statistics


def _merge_parts(parts: Iterable[list[BleuStatistics]]) -> list[BleuStatistics]:
    return [merge_statistics(same_config) for same_config in zip(*parts, strict=True)]


def _in_threads(
    work: Callable[[RowRange], list[BleuStatistics]], row_ranges: list[RowRange], workers: int | None
) -> Iterator[list[BleuStatistics]]:
    """Do the work on every range of rows; the answers are in the order of the rows.

    NumPy and Arrow release the interpreter's lock, so threads do help. A thread reads the rows that it counts: no more
    batches are in memory than there are threads.
    """
    count = min(workers or thread_count(), len(row_ranges))
    if count == 1:
        yield from map(work, row_ranges)
        return
    with Threads(count) as threads:
        started = deque(threads.start(work, row_range) for row_range in row_ranges)
        while started:
            yield threads.result(started.popleft())


def _read_batches(corpus: Corpus, row_range: RowRange) -> Iterator[Batch]:
    """Read a range of rows, in halves where it holds more text than a batch should."""

    def read(first: int, last: int) -> Batch:
        batch = corpus.read(first, last)
        if batch.values.nbytes > _BYTES and last - first > 1:
            raise TooMuchTextError
        return batch

    return read_in_halves(read, *row_range)


def _count_batch(batch: Batch, configs: Sequence[BleuConfig], keep_rows: bool) -> list[BleuStatistics]:
    most_orders = max(map(orders_to_count, configs))
    counted: list[tuple[Tokenization, list[SegmentCounts]]] = []  # not a dict: a tokenizer function may have no hash
    statistics: list[BleuStatistics] = []
    for config in configs:
        tokenization = Tokenization(config.tokenizer, config.lowercase, config.strip, config.whitespace)
        if len(configs) > 1 and batch.kind == "text":
            tokenization = simplified(batch.values, tokenization)
        of_systems = next((counts for other, counts in counted if other == tokenization), None)
        if of_systems is None:
            of_systems = count_segments(batch, tokenization, most_orders)
            counted.append((tokenization, of_systems))
        rows = [apply_config(counts, config) for counts in of_systems]
        needs_rows = keep_rows or config.average == "sentence"
        statistics += rows if needs_rows else [of_system.total() for of_system in rows]
    return statistics


class SegmentCounts(NamedTuple):
    """What is counted in a batch of segments, before any choice but that of the tokens."""

    matches: Ints  # (segments, orders)
    lengths: Ints  # (segments,): tokens of the predictions
    reference_lengths: Ints  # (references,): tokens, segment by segment
    first_reference: Ints  # (segments,): where each segment's references start


def count_segments(batch: Batch, tokenization: Tokenization, max_order: int) -> list[SegmentCounts]:
    """Count a batch, for each of its systems: by the compiled kernel where it is there, else by arrays."""
    counts = _count_by_kernel(batch, tokenization, max_order) if engine() == "native" else None
    if counts is None:
        counts = _count_by_arrays(batch, tokenization, max_order)
    return counts


def _count_by_kernel(batch: Batch, tokenization: Tokenization, max_order: int) -> list[SegmentCounts] | None:
    texts = Texts(batch.references_per_segment, batch.systems)
    tokenizer = known_tokenizer(tokenization.tokenizer) if batch.kind == "text" else None
    if tokenizer is not None and isinstance(tokenization.lowercase, bool):
        counts = count_texts(batch.values, tokenizer, tokenization, texts, max_order)
    elif batch.kind == "ids":
        counts = count_tokens(tokens_of_ids(batch.values.to_numpy(), batch.lengths), texts, max_order)
    else:
        tokens = tokenize_batch(batch.kind, batch.values, batch.lengths, tokenization)
        counts = count_tokens(tokens, texts, max_order)
    if counts is None:
        return None
    references = len(counts.per_text) - batch.segments * batch.systems
    reference_lengths = counts.per_text[:references]
    lengths = counts.per_text[references:].reshape(batch.systems, batch.segments)
    first_reference = _first_reference(batch)
    return [
        SegmentCounts(matches, own_lengths, reference_lengths, first_reference)
        for matches, own_lengths in zip(counts.matches, lengths, strict=True)
    ]


def _count_by_arrays(batch: Batch, tokenization: Tokenization, max_order: int) -> list[SegmentCounts]:
    tokens = tokenize_batch(batch.kind, batch.values, batch.lengths, tokenization)
    lengths = tokens.per_text
    references = len(lengths) - batch.segments * batch.systems
    first_reference = _first_reference(batch)
    ids = _ids_by_segment(batch, tokens)
    counts = []
    for own_ids, own_lengths in _split_systems(ids, lengths, references, batch.systems):
        matches = clipped_matches(own_ids, own_lengths, batch.references_per_segment, max_order)
        counts.append(SegmentCounts(matches, own_lengths[references:], lengths[:references], first_reference))
    return counts


def _first_reference(batch: Batch) -> Ints:
    first: Ints = np.cumsum(batch.references_per_segment) - batch.references_per_segment
    return first


def tokenize_batch(kind: str, values: pa.Array, lengths: Ints, how: Tokenization) -> Tokens:
    """Split texts into tokens; token ids are tokens already and have no characters.

    `values` and `lengths`: as in `Batch`.
    """
    if kind == "ids":
        return Tokens(_NO_INTS.view(np.uint8), _NO_INTS, _NO_INTS, lengths)
    if kind == "tokens":
        return lower_tokens(tokens_from_strings(values, lengths), how.lowercase)
    return tokenize(values, how)


def _ids_by_segment(batch: Batch, tokens: Tokens) -> Ints:
    """Give equal tokens of a segment equal numbers; tokens of different segments never match."""
    segments = np.arange(batch.segments)
    of_references = np.repeat(segments, batch.references_per_segment)
    of_predictions = np.tile(segments, batch.systems)
    segment_of_text = np.concatenate((of_references, of_predictions))
    segment_of_token = np.repeat(segment_of_text, tokens.per_text)
    if batch.kind == "ids":
        return factorize(batch.values.to_numpy().view(np.uint64), segment_of_token.view(np.uint64))
    return token_ids(tokens.data, tokens.starts, tokens.lengths, segment_of_token)


def _split_systems(ids: Ints, lengths: Ints, references: int, systems: int) -> Iterator[tuple[Ints, Ints]]:
    """Put each system's tokens behind the references' tokens: their ids, and the lengths of their texts."""
    if systems == 1:
        yield ids, lengths
        return
    reference_lengths = lengths[:references]
    lengths_of_systems = np.split(lengths[references:], systems)
    tokens_of_texts = [reference_lengths.sum(), *(of_system.sum() for of_system in lengths_of_systems)]
    reference_ids, *ids_of_systems = np.split(ids, np.cumsum(tokens_of_texts)[:-1])
    for system_ids, system_lengths in zip(ids_of_systems, lengths_of_systems, strict=True):
        joined = np.concatenate((reference_ids, system_ids))
        own_ids = factorize(joined.view(np.uint64))  # an id is a position among the tokens at hand
        yield own_ids, np.concatenate((reference_lengths, system_lengths))


def apply_config(counts: SegmentCounts, config: BleuConfig) -> BleuStatistics:
    """Apply a configuration's choices about lengths: one row per segment."""
    lengths = counts.lengths
    reference_lengths = effective_lengths(
        config.reference_length, lengths, counts.reference_lengths, counts.first_reference
    )
    orders = np.arange(orders_to_count(config))
    least_total = 1 if config.total_floor == "segment" else 0
    totals = np.maximum(lengths - orders[:, np.newaxis], least_total).T
    columns = [
        counts.matches[:, : config.max_order],
        totals[:, : config.max_order],
        lengths[:, np.newaxis],
        reference_lengths[:, np.newaxis],
    ]
    if config.depends_on_segment_order:
        last = slice(LAST_SEGMENT_ORDER - 1, LAST_SEGMENT_ORDER)
        columns += [counts.matches[:, last], totals[:, last], lengths[:, np.newaxis]]
    nrefs = np.diff(counts.first_reference, append=len(counts.reference_lengths))
    return BleuStatistics(np.concatenate(columns, axis=1), config, (int(nrefs.min()), int(nrefs.max())))
