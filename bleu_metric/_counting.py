"""Count a corpus in one pass: read each batch of rows, tokenize it, count its n-grams, and merge the counts.

Several threads count the batches. A batch is tokenized and counted once for all configurations with the same
tokenization. `_kernel.engine` decides whether the compiled kernel or NumPy counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from ._arrow import MOST_BYTES
from ._config import BleuConfig, columns_of, tokenization_of
from ._corpus import NO_TOKENS, Batch, Corpus, refuse_rows_without_reference
from ._counts import ONE_REFERENCE, CountTable, References
from ._kernel import BatchCounts, ListCounts, as_tokens, can_tokenize, count_lists, count_texts, count_tokens, engine
from ._lazy import np, pa
from ._ngrams import clipped_matches, factorize, split_systems, token_ids
from ._reading import Kind, Origin, TooMuchTextError, count_present, offsets_of, read_in_halves
from ._reference_length import SAME_FOR_ONE_REFERENCE, effective_lengths
from ._statistics import BleuStatistics, merge_statistics, statistics_of_bytes
from ._threads import in_threads, thread_count
from ._tokenize import Tokens, lower_tokens, rewrite, tokenize, tokens_from_strings
from ._tokenizers import Tokenization
from ._validation import Ints

RowRange = tuple[int, int]  # (first row, last row + 1)

_MOST_SEGMENTS_PER_BATCH = 4000  # more would exceed the processor's cache, fewer would need more Python calls
_MOST_CELLS_PER_BATCH = 1 << 18  # largest product of segments and n-gram orders
_MOST_BYTES_PER_BATCH = 2 << 20  # bytes of text; a single segment may have more
_SAMPLE_ROWS = 20  # the amount of text per row is estimated from the first rows
_ROWS_WORTH_A_SAMPLE = 200  # fewer rows are not sampled: they are one batch, unless their texts are very long
_BYTES_OF_NUMBER = 8


class _Group(NamedTuple):
    """The configurations that have the same tokenization. They are counted together."""

    tokenization: Tokenization
    configs: dict[int, BleuConfig]  # index in the list of all configurations -> configuration


class _Job(NamedTuple):
    """The data that the threads share while they count a corpus."""

    corpus: Corpus
    groups: list[_Group]
    keep_rows: bool

    def has_rows(self, config: BleuConfig) -> bool:
        """Return whether the table of a configuration keeps one row per segment. If not, it keeps only the sum."""
        return self.keep_rows or config.average == "sentence"


def count_corpus(
    corpus: Corpus, configs: Sequence[BleuConfig], keep_rows: bool = True, workers: int | None = None
) -> list[BleuStatistics]:
    """Count all rows of a corpus. Return one `BleuStatistics` for each configuration and system.

    All systems of the first configuration come first, then all systems of the second, and so on.
    `keep_rows`: whether to keep the counts of each segment; if False, keep only their sum. With ``average="sentence"``,
    the counts of each segment are always kept. `workers`: the number of threads; None means `thread_count()`.
    """
    job = _Job(corpus, _group_by_tokenization(configs), keep_rows)
    count_range = partial(_count_range, job)
    n_rows = len(corpus.references)
    row_ranges = _row_ranges(corpus, configs) if n_rows > 1 else [(0, n_rows)]

    # Without threads, because counting a short text takes less time than starting a thread
    if len(row_ranges) == 1:
        return count_range(row_ranges[0])

    parts = in_threads(count_range, row_ranges, workers or thread_count())
    return _merge_parts(list(parts))


def _group_by_tokenization(configs: Sequence[BleuConfig]) -> list[_Group]:
    """Return one group for each distinct tokenization, with the configurations that use it."""
    groups: list[_Group] = []  # a list, not a dict, because a tokenizer may be unhashable
    for index, config in enumerate(configs):
        tokenization = tokenization_of(config)
        same_tokenization = [group for group in groups if group.tokenization == tokenization]
        if same_tokenization:
            same_tokenization[0].configs[index] = config
        else:
            groups.append(_Group(tokenization, {index: config}))
    return groups


def _row_ranges(corpus: Corpus, configs: Sequence[BleuConfig]) -> list[RowRange]:
    """Split the rows into ranges, one per batch, so that no batch has too many segments, counts or bytes of text."""
    highest_order = max(columns_of(config).highest_order for config in configs)
    n_rows = min(_MOST_SEGMENTS_PER_BATCH, _MOST_CELLS_PER_BATCH // highest_order)
    if len(corpus.references) >= _ROWS_WORTH_A_SAMPLE:
        n_rows = min(n_rows, _rows_that_fit(corpus))
    return corpus.batches(n_rows)


def _rows_that_fit(corpus: Corpus) -> int:
    """Estimate from the first rows how many rows have `_MOST_BYTES_PER_BATCH` bytes of text. Return at least 1."""
    sample = (corpus.predictions[:_SAMPLE_ROWS], corpus.references[:_SAMPLE_ROWS])
    bytes_of_sample = max(_bytes_of(sample), 1)  # not 0, because it is a divisor
    n_rows = _MOST_BYTES_PER_BATCH * _SAMPLE_ROWS // bytes_of_sample
    return max(n_rows, 1)


def _bytes_of(item: Any) -> int:
    """Estimate the number of bytes of a text, or of all texts in nested lists.

    Arrays and Arrow columns have an attribute `nbytes`. Any other item is taken for a number of 8 bytes.
    """
    if isinstance(item, (str, bytes)):
        return len(item)
    if isinstance(item, (list, tuple)):
        return sum(map(_bytes_of, item))
    return int(getattr(item, "nbytes", _BYTES_OF_NUMBER))


def _count_range(job: _Job, row_range: RowRange) -> list[BleuStatistics]:
    """Count the rows of a range. If they have too much text for one batch, count each half separately."""
    count_rows = partial(_count_rows, job)
    parts = read_in_halves(count_rows, *row_range)
    return _merge_parts(parts)


def _merge_parts(parts: Sequence[list[BleuStatistics]]) -> list[BleuStatistics]:
    """Merge statistics of consecutive row ranges: [[a1, b1], [a2, b2]] -> [a1 + a2, b1 + b2].

    A part contains the statistics of one range. All parts have the same configurations and systems, in the same order.
    """
    if len(parts) == 1:
        return parts[0]
    return [merge_statistics(of_ranges) for of_ranges in zip(*parts, strict=True)]


def _count_rows(job: _Job, first: int, last: int) -> list[BleuStatistics]:
    """Count the rows `first` to `last - 1`. Return one `BleuStatistics` for each configuration and system.

    The kernel counts plain Python lists directly, because this is fastest. `Corpus.read` reads all other rows, and
    raises the errors about wrong rows. Raise `TooMuchTextError` if the rows have too much text for one batch.
    """
    system_indices = range(len(job.corpus.systems))
    batch = None
    # (index of the configuration, index of the system) -> statistics; the groups fill it in another order
    by_key: dict[tuple[int, int], BleuStatistics] = {}
    for group in job.groups:
        statistics = _count_lists(job, group, first, last)
        if statistics is None:
            # The batch is read once, by the first group that the kernel cannot count
            batch = batch or _read_batch(job.corpus, first, last)
            statistics = _count_batch(job, group, batch, first)
        keys = product(group.configs, system_indices)
        by_key.update(zip(keys, statistics, strict=True))

    return [by_key[key] for key in sorted(by_key)]


def _read_batch(corpus: Corpus, first: int, last: int) -> Batch:
    """Read and check the rows `first` to `last - 1`. Raise `TooMuchTextError` if several rows exceed a batch."""
    batch = corpus.read(first, last)
    if batch.values.nbytes > _MOST_BYTES_PER_BATCH and last - first > 1:
        raise TooMuchTextError
    return batch


def _count_lists(job: _Job, group: _Group, first: int, last: int) -> list[BleuStatistics] | None:
    """Count Python lists with the kernel. Return one `BleuStatistics` for each configuration of the group and system.

    Return None if the kernel cannot count these rows: see `count_lists`.
    """
    corpus = job.corpus
    if engine() != "native" or not corpus.consists_of_lists:
        return None
    if not can_tokenize(corpus.layout.kind, group.tokenization):
        return None

    layouts = tuple([(columns_of(config), job.has_rows(config)) for config in group.configs.values()])
    # A single row cannot be split, so it may have more bytes. If it has too many, `Corpus.read` raises the error
    most_bytes = _MOST_BYTES_PER_BATCH if last - first > 1 else MOST_BYTES
    counts = count_lists(corpus, first, last, group.tokenization, layouts, most_bytes)
    if counts is None:
        return None
    return _statistics_of_lists(job, group, counts, first)


def _statistics_of_lists(job: _Job, group: _Group, counts: ListCounts, first: int) -> list[BleuStatistics]:
    """Return one `BleuStatistics` for each configuration of the group and system, from the kernel's counts.

    All systems of the first configuration come first, then all systems of the second, and so on.

    The kernel's tables contain reference lengths by the rule "closest". This function replaces them if the
    configuration has a rule that may return other lengths. `first`: the index of the first row that was counted.
    """
    if bytes(_BYTES_OF_NUMBER) in counts.per_text:  # a fast test, which finds each 0 and a few other numbers
        job.corpus.findings.add(NO_TOKENS)
    references = References(counts.fewest_references, counts.most_references)
    system_indices = range(len(job.corpus.systems))
    # `counts.tables` has one table per pair, in the same order
    pairs = product(group.configs.values(), system_indices)

    all_statistics = []
    for (config, system), table in zip(pairs, counts.tables, strict=True):
        is_sum = not job.has_rows(config)  # then the table has a single row: the sum of all segments
        statistics = statistics_of_bytes(table, config, nrefs=references, is_sum=is_sum)
        if not _equals_closest(config, references):
            statistics = _with_reference_lengths(statistics, counts, system, _origin(job, first))
        all_statistics.append(statistics)
    return all_statistics


def _equals_closest(config: BleuConfig, references: References) -> bool:
    """Return whether a configuration and the rule "closest" give equal lengths for these numbers of references."""
    if config.empty_references == "missing":
        return False
    rule = config.reference_length
    return rule == "closest" or (references == ONE_REFERENCE and rule in SAME_FOR_ONE_REFERENCE)


def _with_reference_lengths(
    statistics: BleuStatistics, counts: ListCounts, system: int, origin: Origin
) -> BleuStatistics:
    """Replace the reference lengths, and the numbers of references, by those of the statistics' configuration.

    `statistics`: one row per segment of `counts`, or their sum. `system`: the index of the system.
    """
    config = statistics.config
    bounds: Ints = np.frombuffer(counts.first_references, np.int64)
    per_text: Ints = np.frombuffer(counts.per_text, np.int64)
    reference_lengths, lengths_of_systems = _split_lengths(per_text, bounds)
    reference_lengths, bounds = _without_missing(reference_lengths, bounds, config, origin)
    lengths = effective_lengths(config.reference_length, lengths_of_systems[system], reference_lengths, bounds)

    column = statistics.reference_lengths  # a view of the table, so writing to it changes the table
    column[:] = lengths.sum() if statistics.is_sum else lengths
    return replace(statistics, nrefs=References.of_sizes(np.diff(bounds)))


def _origin(job: _Job, first: int) -> Origin:
    """Return the origin of references that were read from row `first` onwards."""
    return Origin("references", job.corpus.first_row + first)


def _without_missing(reference_lengths: Ints, bounds: Ints, config: BleuConfig, origin: Origin) -> tuple[Ints, Ints]:
    """Leave out references without tokens if the configuration says that they are missing.

    No count of matches changes, because such a reference has no n-gram. The arguments and the results are as in
    `SegmentCounts`. Raise ``ValueError`` if a segment has no other reference.
    """
    if config.empty_references == "empty":
        return reference_lengths, bounds
    has_tokens = reference_lengths > 0
    per_segment = count_present(np.diff(bounds), has_tokens)
    refuse_rows_without_reference(per_segment, origin)
    return reference_lengths[has_tokens], offsets_of(per_segment)


def _split_lengths(per_text: Ints, bounds: Ints) -> tuple[Ints, Ints]:
    """Split the lengths of all texts into those of the references and those of each system's predictions.

    The lengths of the predictions have the shape (systems, segments). For one system and two segments, which have two
    references and one reference:

        per_text    6 7 5 | 6 4    numbers of tokens: three references, two predictions
        bounds      0 2 3          index of each segment's first reference, then the number of references
    """
    n_references, n_segments = bounds[-1], len(bounds) - 1
    reference_lengths, prediction_lengths = np.split(per_text, [n_references])
    return reference_lengths, prediction_lengths.reshape(-1, n_segments)


def _count_batch(job: _Job, group: _Group, batch: Batch, first: int) -> list[BleuStatistics]:
    """Count a batch, whose first row has the index `first`. Return the same list as `_statistics_of_lists`."""
    highest_order = max(columns_of(config).highest_order for config in group.configs.values())
    counts_of_systems = count_segments(batch, group.tokenization, highest_order)
    all_statistics = []
    for counts in counts_of_systems:
        if not (counts.lengths.all() and counts.reference_lengths.all()):
            job.corpus.findings.add(NO_TOKENS)
    for config, counts in product(group.configs.values(), counts_of_systems):
        origin = _origin(job, first)
        lengths, bounds = _without_missing(counts.reference_lengths, counts.reference_bounds, config, origin)
        present = counts._replace(reference_lengths=lengths, reference_bounds=bounds)
        statistics = apply_config(present, config)
        all_statistics.append(statistics if job.has_rows(config) else statistics.sum())
    return all_statistics


class SegmentCounts(NamedTuple):
    """The counts of one system in a batch of segments. `apply_config` turns them into statistics."""

    matches: Ints  # (segments, orders): clipped matches
    lengths: Ints  # (segments,): number of tokens of each prediction
    reference_lengths: Ints  # (references,): number of tokens of each reference, segment by segment
    reference_bounds: Ints  # (segments + 1,): index of each segment's first reference, then the number of references


def count_segments(batch: Batch, tokenization: Tokenization, max_order: int) -> list[SegmentCounts]:
    """Count a batch with the compiled kernel or, if it cannot, with NumPy. Return one `SegmentCounts` per system."""
    counts = _count_by_kernel(batch, tokenization, max_order) if engine() == "native" else None
    if counts is None:
        counts = _count_by_numpy(batch, tokenization, max_order)

    bounds = offsets_of(batch.references_per_segment)
    reference_lengths, lengths_of_systems = _split_lengths(counts.per_text, bounds)
    systems = zip(counts.matches, lengths_of_systems, strict=True)
    return [SegmentCounts(matches, lengths, reference_lengths, bounds) for matches, lengths in systems]


def _count_by_kernel(batch: Batch, tokenization: Tokenization, max_order: int) -> BatchCounts | None:
    """Count a batch with the kernel. Return None if a segment has too many tokens for the kernel."""
    rules = tokenization.rules
    if batch.kind == "text" and rules and can_tokenize(batch.kind, tokenization):
        return count_texts(batch, rules, tokenization, max_order)

    if batch.kind == "ids":
        tokens = as_tokens(batch.values.to_numpy(), batch.lengths)
    else:
        tokens = tokenize_batch(batch.kind, batch.values, batch.lengths, tokenization)
    return count_tokens(tokens, batch, max_order)


def _count_by_numpy(batch: Batch, tokenization: Tokenization, max_order: int) -> BatchCounts:
    """Count a batch with NumPy."""
    tokens = tokenize_batch(batch.kind, batch.values, batch.lengths, tokenization)
    segments = segments_of_tokens(batch, tokens.per_text)
    ids = ids_in_segments(batch.kind, batch.values, tokens, segments)

    matches = []
    for system_ids, lengths in split_systems(ids, tokens.per_text, batch.references, batch.systems):
        matches.append(clipped_matches(system_ids, lengths, batch.references_per_segment, max_order))
    return BatchCounts(tokens.per_text, np.stack(matches))


def segments_of_tokens(batch: Batch, lengths: Ints) -> Ints:
    """Return the index of each token's segment. `lengths`: number of tokens of each text.

    If two segments have two references and one reference, for example, the five texts of one system have the segments
    0, 0, 1 (references), 0, 1 (predictions). The segment of each text is repeated for each of its tokens.
    """
    segments = np.arange(batch.segments)
    of_references = np.repeat(segments, batch.references_per_segment)
    of_predictions = np.tile(segments, batch.systems)
    of_texts = np.concatenate((of_references, of_predictions))
    return np.repeat(of_texts, lengths)


def ids_in_segments(kind: Kind, values: pa.Array, tokens: Tokens, segments: Ints) -> Ints:
    """Return an id for each token: equal tokens of the same segment have equal ids, as in `token_ids`.

    `kind`, `values`: as passed to `tokenize_batch`, which returned `tokens`. `segments`: the segment of each token.
    """
    if kind == "ids":
        return factorize(values.to_numpy().view(np.uint64), segments.view(np.uint64))
    return token_ids(tokens.data, tokens.starts, tokens.lengths, segments)


def tokenize_batch(kind: Kind, values: pa.Array, lengths: Ints, options: Tokenization) -> Tokens:
    """Return the tokens of a batch's texts. Token ids are not tokenized: for them, only `per_text` is filled.

    Args:
        kind: "text", "tokens" or "ids".
        values: one string per text, one string per token, or one int64 per token id.
        lengths: number of tokens of each text. It is ignored if `kind` is "text".
        options: the options that decide the tokens.
    """
    if kind == "text":
        return tokenize(values, options)
    if kind == "tokens":
        strings = rewrite(values, options)
        tokens = tokens_from_strings(strings, lengths)
        return lower_tokens(tokens, options.lowercase)

    no_tokens = np.zeros(0, np.int64)  # `kind` is "ids"
    return Tokens(data=np.zeros(0, np.uint8), starts=no_tokens, lengths=no_tokens, per_text=lengths)


def apply_config(counts: SegmentCounts, config: BleuConfig) -> BleuStatistics:
    """Return the statistics of a configuration, with one row per segment.

    The configuration determines the reference lengths, the highest n-gram order, and the smallest number of n-grams
    that is counted for a segment.
    """
    matches, lengths, all_reference_lengths, bounds = counts
    reference_lengths = effective_lengths(config.reference_length, lengths, all_reference_lengths, bounds)
    table = CountTable.of_segments(matches, lengths, reference_lengths, config)
    references_per_segment = np.diff(bounds)
    return BleuStatistics(table.rows, config, nrefs=References.of_sizes(references_per_segment))
