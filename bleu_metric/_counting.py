"""Count a corpus in one pass: read each batch of rows, tokenize it, count its n-grams, and merge the counts.

Several threads count the batches. A batch is tokenized and counted once for all configurations with the same
tokenization. `_kernel.engine` decides whether the compiled kernel or NumPy counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from ._config import BleuConfig
from ._corpus import LIMIT, Batch, Corpus
from ._counts import CountTable, References
from ._kernel import (
    BatchCounts,
    ListCounts,
    count_lists,
    count_texts,
    count_tokens,
    engine,
    splits_lists,
    tokens_of_ids,
)
from ._lazy import np, pa
from ._ngrams import clipped_matches, factorize, split_systems, token_ids
from ._reading import TooMuchTextError, offsets_of, read_in_halves
from ._reference_length import SAME_FOR_ONE_REFERENCE, effective_lengths
from ._statistics import BleuStatistics, merge_statistics, statistics_of_numbers
from ._threads import in_threads, thread_count
from ._tokenize import (
    Tokens,
    lower_tokens,
    rewrite,
    tokenize,
    tokens_from_strings,
)
from ._tokenizers import Tokenization
from ._validation import Ints, Progress

RowRange = tuple[int, int]  # (first row, last row + 1)

_ROWS = 4000  # most segments in a batch: more would exceed the processor's cache, fewer would need more Python calls
_CELLS = 1 << 18  # largest product of segments and n-gram orders in a batch
_BYTES = 2 << 20  # most bytes of text in a batch, unless a single segment has more
_SAMPLE = 20  # number of rows from which the amount of text per row is estimated
_BYTES_OF_NUMBER = 8


class _Job(NamedTuple):
    """The data that the threads share while they count a corpus."""

    corpus: Corpus
    configs: Sequence[BleuConfig]
    tokenizations: list[tuple[Tokenization, list[int]]]  # each with the indices of the configurations that use it
    keep_rows: bool
    by_kernel: bool  # whether the kernel reads the rows directly from Python lists

    def has_rows(self, config: BleuConfig) -> bool:
        """Return whether the table of a configuration keeps one row per segment. If not, it keeps only the sum."""
        return self.keep_rows or config.average == "sentence"


def count_corpus(
    corpus: Corpus,
    configs: Sequence[BleuConfig],
    keep_rows: bool = True,
    workers: int | None = None,
    progress: Progress = lambda done, total: None,
) -> list[BleuStatistics]:
    """Count all rows of a corpus. Return one `BleuStatistics` for each configuration and system.

    All systems of the first configuration come first, then all systems of the second, and so on.
    `keep_rows`: whether to keep the counts of each segment; if False, keep only their sum. With ``average="sentence"``,
    the counts of each segment are always kept. `workers`: the number of threads; None means `thread_count()`.
    `progress`: a function that is called with the number of rows done and the number of all rows.
    """
    by_kernel = engine() == "native" and corpus.consists_of_lists
    count_range = partial(_count_range, _Job(corpus, configs, _tokenizations(configs), keep_rows, by_kernel))
    rows = len(corpus.references)
    row_ranges = _row_ranges(corpus, configs) if rows > 1 else [(0, rows)]
    if len(row_ranges) == 1:
        counted = count_range(row_ranges[0])
        progress(rows, rows)
        return counted
    threads = min(workers or thread_count(), len(row_ranges))
    counts = in_threads(count_range, row_ranges, threads) if threads > 1 else map(count_range, row_ranges)
    parts = []
    for (_, last), part in zip(row_ranges, counts, strict=True):
        parts.append(part)
        progress(last, rows)
    return _merge_parts(parts)


def _tokenizations(configs: Sequence[BleuConfig]) -> list[tuple[Tokenization, list[int]]]:
    """Return each distinct tokenization, with the indices of the configurations that use it."""
    if len(configs) == 1:
        return [(configs[0]._tokenization, [0])]
    of_configs = [config._tokenization for config in configs]
    different: list[Tokenization] = []  # a list, not a set, because a tokenizer may be unhashable
    for how in of_configs:
        if how not in different:
            different.append(how)
    return [(how, [number for number, other in enumerate(of_configs) if other == how]) for how in different]


def _row_ranges(corpus: Corpus, configs: Sequence[BleuConfig]) -> list[RowRange]:
    """Split the rows into ranges, one per batch. From the first rows' text, estimate how many rows fit."""
    highest_order = max(config._columns.highest_order for config in configs)
    rows = min(_ROWS, _CELLS // highest_order)
    if len(corpus.references) >= 10 * _SAMPLE:
        columns = (corpus.predictions, corpus.references)
        size = sum(_bytes_of(column[:_SAMPLE]) for column in columns)
        rows = min(rows, max(1, _BYTES * _SAMPLE // max(size, 1)))
    return corpus.batches(rows)


def _bytes_of(item: Any) -> int:
    """Estimate the total number of bytes of the texts in nested lists."""
    if isinstance(item, (str, bytes)):
        return len(item)
    if isinstance(item, (list, tuple)):
        return sum(map(_bytes_of, item))
    return int(getattr(item, "nbytes", _BYTES_OF_NUMBER))


def _count_range(job: _Job, row_range: RowRange) -> list[BleuStatistics]:
    """Count the rows of a range. If they have too much text for one batch, count each half separately."""
    return _merge_parts(read_in_halves(partial(_count_rows, job), *row_range))


def _merge_parts(parts: Sequence[list[BleuStatistics]]) -> list[BleuStatistics]:
    """Merge statistics of consecutive row ranges. Each range has one `BleuStatistics` per configuration and system."""
    if len(parts) == 1:
        return parts[0]
    return [merge_statistics(same_config) for same_config in zip(*parts, strict=True)]


def _count_rows(job: _Job, first: int, last: int) -> list[BleuStatistics]:
    """Count the rows `first` to `last - 1`. Return one `BleuStatistics` for each configuration and system.

    The kernel counts plain Python lists directly, because this is fastest. `Corpus.read` reads all other rows, and
    raises the errors about wrong rows. Configurations with the same tokenization are counted together. Raise
    `TooMuchTextError` if the rows have too much text for one batch.
    """
    batch = None if job.by_kernel else _read_batch(job.corpus, first, last)
    counted: list[list[BleuStatistics]] = [[]] * len(job.configs)
    for how, numbers in job.tokenizations:
        configs = [job.configs[number] for number in numbers]
        counts = None
        if batch is None and splits_lists(how, job.corpus.layout.kind):
            counts = _count_lists(job, configs, how, first, last)
        if counts is None:
            batch = batch or _read_batch(job.corpus, first, last)
            counts = _count_batch(job, configs, how, batch)
        for number, of_systems in zip(numbers, counts, strict=True):
            counted[number] = of_systems
    return list(chain.from_iterable(counted))


def _read_batch(corpus: Corpus, first: int, last: int) -> Batch:
    batch = corpus.read(first, last)
    if batch.values.nbytes > _BYTES and last - first > 1:
        raise TooMuchTextError
    return batch


def _count_lists(
    job: _Job, configs: Sequence[BleuConfig], how: Tokenization, first: int, last: int
) -> list[list[BleuStatistics]] | None:
    """Count Python lists with the kernel. Return one list per configuration, with one `BleuStatistics` per system.

    Return None if the kernel cannot count these rows: see `count_lists`.
    """
    layouts = tuple([(config._columns, job.has_rows(config)) for config in configs])
    # A single row cannot be split. If it exceeds the limit, `Corpus.read` raises the error
    most_bytes = _BYTES if last - first > 1 else LIMIT - 1
    counts = count_lists(job.corpus, first, last, how, layouts, most_bytes)
    if counts is None:
        return None
    tables = iter(counts.tables)
    systems = range(len(job.corpus.systems))
    return [
        [_statistics_of_list(job, config, counts, next(tables), system) for system in systems] for config in configs
    ]


def _statistics_of_list(
    job: _Job, config: BleuConfig, counts: ListCounts, table: bytearray, system: int
) -> BleuStatistics:
    """Return a system's statistics. `table`: the kernel's counts, with reference lengths by the rule "closest"."""
    nrefs = References(counts.fewest_references, counts.most_references)
    statistics = statistics_of_numbers(table, config, nrefs, not job.has_rows(config))
    same_as_closest = SAME_FOR_ONE_REFERENCE if nrefs.most == 1 else ("closest",)
    if config.reference_length not in same_as_closest:
        _set_reference_lengths(statistics, counts, system)
    return statistics


def _set_reference_lengths(statistics: BleuStatistics, counts: ListCounts, system: int) -> None:
    """Apply the configuration's rule to the reference lengths, which the kernel has chosen by the rule "closest"."""
    starts: Ints = np.frombuffer(counts.first_references, np.int64)
    segments, references = len(starts) - 1, int(starts[-1])
    per_text: Ints = np.frombuffer(counts.per_text, np.int64)
    first_prediction = references + system * segments
    lengths = per_text[first_prediction : first_prediction + segments]
    rule = statistics.config.reference_length
    effective = effective_lengths(rule, lengths, per_text[:references], starts[:-1])
    statistics.reference_lengths[...] = effective.sum() if statistics.is_sum else effective


def _count_batch(
    job: _Job, configs: Sequence[BleuConfig], how: Tokenization, batch: Batch
) -> list[list[BleuStatistics]]:
    """Count a batch. Return one list per configuration, with one `BleuStatistics` per system."""
    most_orders = max(config._columns.highest_order for config in configs)
    counts = count_segments(batch, how, most_orders)
    by_config = []
    for config in configs:
        of_systems = [apply_config(of_system, config) for of_system in counts]
        if not job.has_rows(config):
            of_systems = [statistics.sum() for statistics in of_systems]
        by_config.append(of_systems)
    return by_config


class SegmentCounts(NamedTuple):
    """The counts of one system in a batch of segments. `apply_config` turns them into statistics."""

    matches: Ints  # (segments, orders): clipped matches
    lengths: Ints  # (segments,): number of tokens of each prediction
    reference_lengths: Ints  # (references,): number of tokens of each reference, segment by segment
    first_references: Ints  # (segments,): index of each segment's first reference


def count_segments(batch: Batch, tokenization: Tokenization, max_order: int) -> list[SegmentCounts]:
    """Count a batch with the compiled kernel or, if it cannot, with NumPy. Return one `SegmentCounts` per system."""
    counts = _count_by_kernel(batch, tokenization, max_order) if engine() == "native" else None
    if counts is None:
        counts = _count_by_numpy(batch, tokenization, max_order)
    reference_lengths = counts.per_text[: batch.references]
    prediction_lengths = counts.per_text[batch.references :].reshape(batch.systems, batch.segments)
    first_references = offsets_of(batch.references_per_segment)[:-1]
    return [
        SegmentCounts(matches, lengths, reference_lengths, first_references)
        for matches, lengths in zip(counts.matches, prediction_lengths, strict=True)
    ]


def _count_by_kernel(batch: Batch, tokenization: Tokenization, max_order: int) -> BatchCounts | None:
    """Count a batch with the kernel. Return None if a segment has too many tokens for the kernel."""
    if batch.kind == "text" and splits_lists(tokenization, batch.kind):
        return count_texts(batch, tokenization, max_order)
    if batch.kind == "ids":
        return count_tokens(tokens_of_ids(batch.values.to_numpy(), batch.lengths), batch, max_order)
    return count_tokens(tokenize_batch(*batch[:3], tokenization), batch, max_order)


def _count_by_numpy(batch: Batch, tokenization: Tokenization, max_order: int) -> BatchCounts:
    """Count a batch with NumPy."""
    tokens = tokenize_batch(*batch[:3], tokenization)
    segments = _segments_of_tokens(batch, tokens.per_text)
    ids = ids_in_segments(batch.kind, batch.values, tokens, segments)
    by_system = split_systems(ids, tokens.per_text, batch.references, batch.systems)
    matches = [clipped_matches(*of_system, batch.references_per_segment, max_order) for of_system in by_system]
    return BatchCounts(tokens.per_text, np.stack(matches))


def _segments_of_tokens(batch: Batch, lengths: Ints) -> Ints:
    """Return the index of each token's segment. `lengths`: number of tokens of each text."""
    segments = np.arange(batch.segments)
    of_references = np.repeat(segments, batch.references_per_segment)
    of_predictions = np.tile(segments, batch.systems)
    return np.repeat(np.concatenate((of_references, of_predictions)), lengths)


def ids_in_segments(kind: str, values: pa.Array, tokens: Tokens, segments: Ints) -> Ints:
    """Return an id for each token: equal tokens of the same segment have equal ids, as in `token_ids`.

    `kind`, `values`: as passed to `tokenize_batch`, which returned `tokens`. `segments`: the segment of each token.
    """
    if kind == "ids":
        return factorize(values.to_numpy().view(np.uint64), segments.view(np.uint64))
    return token_ids(tokens.data, tokens.starts, tokens.lengths, segments)


def tokenize_batch(kind: str, values: pa.Array, lengths: Ints, how: Tokenization) -> Tokens:
    """Return the tokens of a batch's texts. Token ids need no tokenizing: for them, only `per_text` is filled.

    Args:
        kind: "text", "tokens" or "ids".
        values: one string per text, one string per token, or one int64 per token id.
        lengths: number of tokens of each text. It is ignored if `kind` is "text".
        how: the options that decide the tokens.
    """
    if kind == "ids":
        none = np.zeros(0, np.int64)
        return Tokens(none.view(np.uint8), none, none, lengths)
    if kind == "tokens":
        normalized = rewrite(values, how._replace(lowercase=False))
        return lower_tokens(tokens_from_strings(normalized, lengths), how.lowercase)
    return tokenize(values, how)


def apply_config(counts: SegmentCounts, config: BleuConfig) -> BleuStatistics:
    """Return the statistics of a configuration, with one row per segment.

    The configuration decides the reference lengths, the highest order, and the least number of n-grams.
    """
    lengths = counts.lengths
    rule = config.reference_length
    reference_lengths = effective_lengths(rule, lengths, counts.reference_lengths, counts.first_references)
    sizes = np.diff(counts.first_references, append=len(counts.reference_lengths))
    table = CountTable.of_segments(counts.matches, lengths, reference_lengths, config)
    return BleuStatistics(table.rows, config, References.of_sizes(sizes))
