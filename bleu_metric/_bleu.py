"""The pipeline, corpus -> counts -> score, in batches and threads; and the public functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
import pyarrow as pa

from ._arrays import Floats, Ints
from ._arrow import TooMuchTextError, read_in_halves
from ._config import BleuConfig, BleuOptions
from ._corpus import Batch, Corpus, as_corpus
from ._dialects import DIALECTS, config_of
from ._ngrams import clipped_matches, factorize, token_ids
from ._reference_length import REFERENCE_LENGTHS
from ._score import BleuScore, GroupScore, score, score_groups, score_sentences
from ._statistics import BleuStatistics, merge_statistics, orders_to_count
from ._tokenize import Tokenization, Tokens, lower_tokens, simplified, tokenize, tokens_from_strings
from ._validation import Label, factorize_labels, short_repr, thread_count

if TYPE_CHECKING:
    from typing_extensions import Unpack


@overload
def corpus_bleu(
    predictions: Any, references: Any, dialect: str = "default", *, groups: None = None, **options: Unpack[BleuOptions]
) -> BleuScore: ...


@overload
def corpus_bleu(
    predictions: Any, references: Any, dialect: str = "default", *, groups: Sized, **options: Unpack[BleuOptions]
) -> dict[Label, GroupScore]: ...


def corpus_bleu(
    predictions: Any, references: Any, dialect: str = "default", *, groups: Any = None, **options: Unpack[BleuOptions]
) -> BleuScore | dict[Label, GroupScore]:
    """Score a corpus.

    Args:
        predictions: N strings, or N lists of tokens, or N lists of token ids: a list, tuple, NumPy array, pandas
            Series, Arrow array or `datasets` column.
        references: N lists of one or more references of the same kind, or N references.
        dialect: whose number to give: a name in `DIALECTS`.
        groups: one label per segment, a string or a whole number: its document, system, domain, ….
        **options: override the dialect's choices: any field of `BleuConfig`.

    Returns:
        The score (Papineni et al. 2002) on a scale of 0 to 1, with its parts and its signature. With `groups`, one such
        score per label, in order of first appearance, with its number of ``segments``.

    Raises:
        TypeError: a row, or an option, of a wrong type; the error names it.
        ValueError: numbers of predictions and references that differ, a segment without reference, no segment,
            or an unknown dialect or option value.

    >>> corpus_bleu(["the cat sat on the mat"], [["the cat sat on a mat", "a cat was on the mat"]], max_order=2).bleu
    0.9128709291752769
    """
    counted = as_corpus(predictions, references)
    config = of_kind(counted, config_of(dialect, options))
    if groups is None:
        return score_corpus(counted, [config])[0]
    factorize_labels(groups, len(counted.predictions))  # an error now, not after all texts are counted
    return score_groups(count_corpus(counted, [config])[0], groups)


def sentence_bleu(
    predictions: Any, references: Any, dialect: str = "default", **options: Unpack[BleuOptions]
) -> Floats:
    """Score every segment by itself.

    Args:
        predictions: as for `corpus_bleu`.
        references: as for `corpus_bleu`.
        dialect: name in `DIALECTS`.
        **options: override the dialect's choices.

    Returns:
        Scores on a scale of 0 to 1, float64 of shape (N,), or (N, lists) where `weights` is a list of lists.

    Raises:
        TypeError, ValueError: as for `corpus_bleu`.

    >>> sentence_bleu(["the cat", "a dog"], ["the cat", "a cat"], max_order=2, smoothing="add-one").round(4)
    array([1.    , 0.5774])
    """
    return score_sentences(corpus_statistics(predictions, references, dialect, **options))


def corpus_statistics(
    predictions: Any, references: Any, dialect: str = "default", **options: Unpack[BleuOptions]
) -> BleuStatistics:
    """Count a corpus without scoring it.

    Args:
        predictions: as for `corpus_bleu`.
        references: as for `corpus_bleu`.
        dialect: name in `DIALECTS`.
        **options: override the dialect's choices.

    Returns:
        One row of integers per segment; rows of several corpora add up.

    Raises:
        TypeError, ValueError: as for `corpus_bleu`.

    >>> corpus_statistics(["a b c"], ["a b d"], tokenizer="none", max_order=2).table
    array([[2, 1, 3, 2, 3, 3]])
    """
    counted = as_corpus(predictions, references)
    return count_corpus(counted, [of_kind(counted, config_of(dialect, options))])[0]


def score_dialects(
    predictions: Any, references: Any, dialects: Iterable[str] = tuple(DIALECTS), **options: Unpack[BleuOptions]
) -> dict[str, BleuScore]:
    """Score a corpus in several dialects at once, cutting and counting it once for all that share a tokenizer.

    Args:
        predictions: as for `corpus_bleu`.
        references: as for `corpus_bleu`.
        dialects: names in `DIALECTS`; all by default.
        **options: override the choices of every dialect.

    Returns:
        One score per dialect, in their order.

    Raises:
        TypeError, ValueError: as for `corpus_bleu`.

    >>> scores = score_dialects(["a b c d e"], [["a b c d", "a b c d e f"]], ["torchtext", "evaluate"])
    >>> {dialect: round(score.bleu, 4) for dialect, score in scores.items()}
    {'torchtext': 1.0, 'evaluate': 1.0}
    """
    is_list = isinstance(dialects, Iterable) and getattr(dialects, "ndim", 1) == 1
    if not is_list or isinstance(dialects, (str, bytes)):
        raise TypeError(f"dialects must be a list of names, got {short_repr(dialects)}")
    names = list(dialects)
    counted = as_corpus(predictions, references)
    configs = [of_kind(counted, config_of(dialect, options)) for dialect in names]
    return dict(zip(names, score_corpus(counted, configs), strict=True)) if names else {}


def of_kind(counted: Corpus, config: BleuConfig) -> BleuConfig:
    """Give ready tokens the tokenizer "none", so that the signature says what was done."""
    return config if counted.layout.kind == "text" else config.with_options({"tokenizer": "none"})


def score_corpus(counted: Corpus, configs: Sequence[BleuConfig]) -> list[BleuScore]:
    """Score all rows by several configurations, keeping sums alone."""
    return list(map(score, count_corpus(counted, configs, keep_rows=False)))


RowRange = tuple[int, int]
PerConfig = list[BleuStatistics]
_NOTHING = np.zeros(0, np.int64)
_ROWS = 4000  # segments read at once: enough to hide the cost of Python, few enough for the processor's cache
_CELLS = 1 << 18  # counts of one kind held at once: segments times orders
_BYTES = 2 << 20  # of text counted at once, unless one segment alone has more


def count_corpus(
    counted: Corpus,
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

    def work(stretch: RowRange) -> PerConfig:
        try:
            return _merged(_count(batch, configs, keep_rows) for batch in _batches(counted, *stretch))
        except (UnicodeDecodeError, pa.ArrowInvalid):
            counted.refuse_broken(*stretch)
            raise

    rows = min(_ROWS, _CELLS // max(map(orders_to_count, configs), default=1))
    stretches, parts = list(counted.batches(rows)), []
    for stretch, part in zip(stretches, _in_threads(work, stretches, workers or thread_count()), strict=True):
        parts.append(part)
        report(stretch[1], len(counted.predictions))
    return _merged(parts)


def _merged(parts: Iterable[PerConfig]) -> PerConfig:
    return [merge_statistics(of_one_config) for of_one_config in zip(*parts, strict=True)]


def _count(batch: Batch, configs: Sequence[BleuConfig], keep_rows: bool) -> PerConfig:
    orders = max(map(orders_to_count, configs))
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
        rows = [statistics_from_counts(of_system, config) for of_system in counted]
        statistics += rows if keep_rows or config.average == "sentence" else [one.total() for one in rows]
    return statistics


def count_batch(batch: Batch, how: Tokenization, max_order: int) -> list[SegmentCounts]:
    """Count one batch, for each system: everything that depends on the texts and their tokens alone."""
    data, starts, token_lengths, lengths = tokenize_batch(batch, how)
    per_segment = batch.references_per_segment
    numbers = np.arange(batch.segments)
    of_text = np.concatenate((np.repeat(numbers, per_segment), np.tile(numbers, batch.systems)))
    segments = np.repeat(of_text, lengths)  # of each token
    if batch.kind == "ids":
        ids = factorize(batch.values.to_numpy().view(np.uint64), segments.view(np.uint64))
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
        yield (
            factorize(own.view(np.uint64)),
            np.concatenate((lengths[:references], own_lengths)),
        )  # positions among its own


def tokenize_batch(batch: Batch, how: Tokenization) -> Tokens:
    """Cut the texts into tokens; token ids are tokens already, and have no characters."""
    if batch.kind == "ids":
        return Tokens(_NOTHING.view(np.uint8), _NOTHING, _NOTHING, batch.lengths)
    if batch.kind == "tokens":
        return lower_tokens(tokens_from_strings(batch.values, batch.lengths), how.lowercase)
    return tokenize(batch.values, how)


def _in_threads(work: Callable[[RowRange], PerConfig], stretches: list[RowRange], workers: int) -> Iterator[PerConfig]:
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


def _batches(counted: Corpus, first: int, last: int) -> Iterator[Batch]:
    """Read rows; in halves where they hold more text than is counted at once."""

    def read(first: int, last: int) -> Batch:
        batch = counted.read(first, last)
        if batch.values.nbytes > _BYTES and last - first > 1:
            raise TooMuchTextError
        return batch

    return read_in_halves(read, first, last)


class SegmentCounts(NamedTuple):
    """What was counted in a batch of segments, before any choice but the tokens."""

    matches: Ints  # (segments, orders)
    translation_lengths: Ints  # (segments,)
    reference_lengths: Ints  # (references,), those of each segment together
    first_reference: Ints  # (segments,)


def statistics_from_counts(counts: SegmentCounts, config: BleuConfig) -> BleuStatistics:
    """Apply the configuration's choices about lengths: one row per segment."""
    lengths = counts.translation_lengths
    references = REFERENCE_LENGTHS[config.reference_length](lengths, counts.reference_lengths, counts.first_reference)
    orders = np.arange(orders_to_count(config))
    totals = np.maximum(lengths[:, np.newaxis] - orders, 1 if config.total_floor == "segment" else 0)
    used = slice(config.max_order)
    parts = [counts.matches[:, used], totals[:, used], lengths[:, np.newaxis], references[:, np.newaxis]]
    if config.depends_on_segment_order:
        parts += [counts.matches[:, 4:5], totals[:, 4:5], lengths[:, np.newaxis]]
    counted = np.diff(counts.first_reference, append=len(counts.reference_lengths))
    nrefs = (int(counted.min()), int(counted.max()))
    return BleuStatistics(np.concatenate(parts, axis=1), config, nrefs)
