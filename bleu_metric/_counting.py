"""Counting of a corpus: batch by batch, in several threads, once for all configurations that share tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ._arrow import TooMuchTextError, read_in_halves
from ._config import BleuConfig
from ._corpus import Batch, Corpus
from ._counts import RowCounts, orders_to_count, row_of, table_of, total_of_rows
from ._kernel import (
    FewCounts,
    Texts,
    count_few_ids,
    count_few_texts,
    count_few_tokens,
    count_texts,
    count_tokens,
    engine,
    tokens_of_ids,
)
from ._ngrams import clipped_matches, factorize, token_ids
from ._reference_length import SAME_FOR_ONE_REFERENCE, effective_lengths
from ._statistics import BleuStatistics, merge_statistics
from ._threads import in_threads, thread_count
from ._tokenize import Tokenization, Tokens, known_tokenizer, lower_tokens, simplified, tokenize, tokens_from_strings
from ._validation import Ints, Progress

RowRange = tuple[int, int]  # (first row, last row + 1)

_ROWS = 4000  # most segments in a batch: more would exceed the processor's cache, fewer would need more Python calls
_CELLS = 1 << 18  # most segments * n-gram orders in a batch
_BYTES = 2 << 20  # most bytes of text in a batch, unless a single segment has more
_SAMPLE = 20  # number of rows from which the amount of text per row is estimated
_NO_INTS = np.zeros(0, np.int64)
# Limits up to which the kernel counts from lists. For more rows, arrays are faster. For more text, threads are faster.
MOST_FEW_ROWS = {"text": 64, "tokens": 32, "ids": 32}
_MOST_FEW_ITEMS = 1 << 20  # characters, tokens or ids in all texts together


def count_corpus(
    corpus: Corpus,
    configs: Sequence[BleuConfig],
    keep_rows: bool = True,
    workers: int | None = None,
    progress: Progress = lambda done, total: None,
) -> list[BleuStatistics]:
    """Count all rows of a corpus for one or more configurations. Return one `BleuStatistics` for each configuration.

    With several systems, return one for each configuration and system: first all systems of the first configuration.
    `keep_rows`: keep one row per segment; if False, keep only sums. A mean of sentence scores always keeps its rows.
    `workers`: the number of threads; None: `thread_count()`. `progress`: called with the numbers (rows done, all rows).
    """
    statistics = []
    for config in configs:
        few = count_few(corpus, config)
        if few is None:
            return count_in_batches(corpus, configs, keep_rows, workers, progress)
        has_rows = keep_rows or config.average == "sentence"
        rows = few.rows if has_rows else [total_of_rows(few.rows, config)]
        statistics.append(BleuStatistics(np.array(rows, np.int64), config, few.nrefs, is_total=not has_rows))
    progress(len(corpus.predictions), len(corpus.predictions))
    return statistics


def count_in_batches(
    corpus: Corpus,
    configs: Sequence[BleuConfig],
    keep_rows: bool = True,
    workers: int | None = None,
    progress: Progress = lambda done, total: None,
) -> list[BleuStatistics]:
    """Count as `count_corpus` does, but with arrays and in batches even if there are few rows."""

    def count_range(row_range: RowRange) -> list[BleuStatistics]:
        return _merge_parts(_count_batch(batch, configs, keep_rows) for batch in _read_batches(corpus, row_range))

    most_orders = max(map(orders_to_count, configs))
    row_ranges = list(corpus.batches(_rows_of_batch(corpus, most_orders)))
    threads = min(workers or thread_count(), len(row_ranges))
    counted = in_threads(count_range, row_ranges, threads) if threads > 1 else map(count_range, row_ranges)
    parts = []
    for row_range, part in zip(row_ranges, counted, strict=True):
        parts.append(part)
        progress(row_range[1], len(corpus.predictions))
    return _merge_parts(parts)


def _rows_of_batch(corpus: Corpus, orders: int) -> int:
    """Return how many rows a batch should have, estimated from the amount of text in the first rows."""
    rows = min(_ROWS, _CELLS // orders)
    if len(corpus.predictions) < 10 * _SAMPLE:
        return rows
    size: int = sum(side.values.nbytes for side in corpus.sides(0, _SAMPLE))
    return min(rows, max(1, _BYTES * _SAMPLE // max(size, 1)))


def _merge_parts(parts: Iterable[list[BleuStatistics]]) -> list[BleuStatistics]:
    return [merge_statistics(same_config) for same_config in zip(*parts, strict=True)]


def _read_batches(corpus: Corpus, row_range: RowRange) -> Iterator[Batch]:
    """Yield the rows of a range as batches. Split the range into halves while it has too much text for one batch."""

    def read(first: int, last: int) -> Batch:
        batch = corpus.read(first, last)
        if batch.values.nbytes > _BYTES and last - first > 1:
            raise TooMuchTextError
        return batch

    return read_in_halves(read, *row_range)


def _count_batch(batch: Batch, configs: Sequence[BleuConfig], keep_rows: bool) -> list[BleuStatistics]:
    most_orders = max(map(orders_to_count, configs))
    counted: list[tuple[Tokenization, list[SegmentCounts]]] = []  # no dict, because tokenizers may be unhashable
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
    """The counts of a batch of segments. Of all options, only those that decide the tokens have been applied."""

    matches: Ints  # (segments, orders): clipped matches
    lengths: Ints  # (segments,): number of tokens of each prediction
    reference_lengths: Ints  # (references,): number of tokens of each reference, segment by segment
    first_reference: Ints  # (segments,): index of each segment's first reference


def count_segments(batch: Batch, tokenization: Tokenization, max_order: int) -> list[SegmentCounts]:
    """Return the counts of each system in a batch. The compiled kernel counts the batch if it can, else NumPy does."""
    counts = _count_by_kernel(batch, tokenization, max_order) if engine() == "native" else None
    if counts is None:
        counts = _count_by_numpy(batch, tokenization, max_order)
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


def _count_by_numpy(batch: Batch, tokenization: Tokenization, max_order: int) -> list[SegmentCounts]:
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
    """Return the tokens of a batch's texts. For token ids, which are tokens already, only the lengths are set.

    Args:
        kind: "text", "tokens" or "ids".
        values: one string per text, one string per token, or one int64 per token id.
        lengths: number of tokens of each text. It is ignored if `kind` is "text".
        how: the options that decide the tokens.
    """
    if kind == "ids":
        return Tokens(_NO_INTS.view(np.uint8), _NO_INTS, _NO_INTS, lengths)
    if kind == "tokens":
        return lower_tokens(tokens_from_strings(values, lengths), how.lowercase)
    return tokenize(values, how)


def _ids_by_segment(batch: Batch, tokens: Tokens) -> Ints:
    """Return an id for each token. Two tokens have the same id if they are equal and belong to the same segment."""
    segments = np.arange(batch.segments)
    of_references = np.repeat(segments, batch.references_per_segment)
    of_predictions = np.tile(segments, batch.systems)
    segment_of_text = np.concatenate((of_references, of_predictions))
    segment_of_token = np.repeat(segment_of_text, tokens.per_text)
    if batch.kind == "ids":
        return factorize(batch.values.to_numpy().view(np.uint64), segment_of_token.view(np.uint64))
    return token_ids(tokens.data, tokens.starts, tokens.lengths, segment_of_token)


def _split_systems(ids: Ints, lengths: Ints, references: int, systems: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield (token ids, text lengths) for each system. Both arrays cover all references and its predictions."""
    if systems == 1:
        yield ids, lengths
        return
    reference_lengths = lengths[:references]
    lengths_of_systems = np.split(lengths[references:], systems)
    tokens_of_texts = [reference_lengths.sum(), *(of_system.sum() for of_system in lengths_of_systems)]
    reference_ids, *ids_of_systems = np.split(ids, np.cumsum(tokens_of_texts)[:-1])
    for system_ids, system_lengths in zip(ids_of_systems, lengths_of_systems, strict=True):
        joined = np.concatenate((reference_ids, system_ids))
        own_ids = factorize(joined.view(np.uint64))  # an id must be a position in `joined`: see `clipped_matches`
        yield own_ids, np.concatenate((reference_lengths, system_lengths))


def apply_config(counts: SegmentCounts, config: BleuConfig) -> BleuStatistics:
    """Apply a configuration's rules about lengths to the counts. Return statistics with one row per segment."""
    lengths = counts.lengths
    reference_lengths = effective_lengths(
        config.reference_length, lengths, counts.reference_lengths, counts.first_reference
    )
    nrefs = np.diff(counts.first_reference, append=len(counts.reference_lengths))
    table = table_of(counts.matches, lengths, reference_lengths, config)
    return BleuStatistics(table, config, (int(nrefs.min()), int(nrefs.max())))


def count_few(corpus: Corpus, config: BleuConfig) -> RowCounts | None:
    """Count a few rows in lists, which have less overhead than arrays. Return None if the rows need arrays."""
    is_few = len(corpus.predictions) <= MOST_FEW_ROWS[corpus.layout.kind] and not corpus.others
    if not is_few or engine() != "native":
        return None
    references = _present_references(corpus)
    if references is None:
        return None
    per_segment = [*map(len, references)]
    texts = [*chain.from_iterable(references), *corpus.predictions]
    counts = _count_few_texts(texts, per_segment, corpus.layout.kind, config)
    if counts is None:
        return None
    first_prediction = len(texts) - len(references)
    lengths = counts.per_text[first_prediction:]
    reference_lengths = _effective_lengths(lengths, counts.per_text[:first_prediction], per_segment, config)
    segments = zip(counts.matches, lengths, reference_lengths, strict=True)
    rows = [row_of(matches, length, reference, config) for matches, length, reference in segments]
    return RowCounts(rows, (min(per_segment), max(per_segment)))


def _present_references(corpus: Corpus) -> list[list[Any]] | None:
    """Return each segment's references without missing ones; None if arrays are needed, or if a segment has none."""
    if type(corpus.predictions) not in (list, tuple) or type(corpus.references) not in (list, tuple):
        return None
    rows: Sequence[Any] = corpus.references
    if not corpus.layout.nested:
        return [[reference] for reference in rows]
    if not {*map(type, rows)} <= {list, tuple}:
        return None
    present = [[text for text in references if text is not None] for references in rows]
    return present if all(present) else None


def _count_few_texts(texts: list[Any], per_segment: list[int], kind: str, config: BleuConfig) -> FewCounts | None:
    """Return the counts of texts; None if they need more preparation than lower-casing, or are too long for lists."""
    orders = orders_to_count(config)
    if kind == "text":
        tokenizer = known_tokenizer(config.tokenizer)
        if tokenizer is None or isinstance(config.lowercase, str) or not _are_few(texts, {str}):
            return None
        if config.lowercase:
            texts = [text.lower() for text in texts]
        if not tokenizer.padded and any(text != text.strip() for text in texts):
            return None  # white space at either end of a text can change the tokens: see `trim`
        return count_few_texts(texts, per_segment, tokenizer, config.whitespace, orders)
    texts = [text.tolist() if type(text) is np.ndarray else text for text in texts]
    if not _are_few(texts, {list, tuple}):
        return None
    types = {*map(type, chain.from_iterable(texts))}
    if kind == "ids":
        return count_few_ids(texts, per_segment, orders) if types <= {int} else None
    if not types <= {str} or config.lowercase == "ascii":
        return None
    if config.lowercase:
        texts = [[token.lower() for token in text] for text in texts]
    return count_few_tokens(texts, per_segment, orders)


def _are_few(texts: list[Any], types: set[type]) -> bool:
    """Return whether all texts have one of these types and are, together, short enough to be counted from lists."""
    return {*map(type, texts)} <= types and sum(map(len, texts)) <= _MOST_FEW_ITEMS


def _effective_lengths(
    lengths: list[int], reference_lengths: list[int], per_segment: list[int], config: BleuConfig
) -> list[int]:
    """Return the effective reference length of each segment, in the units of `units_per_token`."""
    rule = config.reference_length
    if len(reference_lengths) == len(lengths) and rule in SAME_FOR_ONE_REFERENCE:
        return reference_lengths
    starts = list(accumulate(per_segment[:-1], initial=0))
    effective: list[int] = effective_lengths(rule, *map(np.array, (lengths, reference_lengths, starts))).tolist()
    return effective
