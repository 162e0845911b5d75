"""The pipeline on one page: columns -> tokens -> token ids -> matches -> statistics -> score."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._columns import Batch, Columns, columns
from ._config import BleuConfig
from ._dialects import config_of
from ._groups import group
from ._ngrams import clipped_matches
from ._score import BleuScore, score, sentence_scores_of
from ._statistics import BleuStatistics, SegmentCounts, counted_orders, merge, to_statistics
from ._token_ids import token_ids
from ._tokenize import Tokenization, from_strings, lower_tokens, tokenize

_ROWS = 4000  # segments read at once: enough to hide the cost of Python, few enough for the processor's cache
_BYTES = 2 << 20  # of text counted at once, unless one segment alone has more


def corpus_bleu(predictions: Any, references: Any, dialect: str = "default", **options: Any) -> BleuScore:
    """Score a corpus.

    Args:
        predictions: N strings, or N lists of tokens, or N lists of token ids: a list, tuple, NumPy array, pandas
            Series, Arrow array or `datasets` column.
        references: N lists of one or more references of the same kind, or N references.
        dialect: whose number to give: a name in `DIALECTS`.
        **options: override the dialect's choices: any field of `BleuConfig`.

    Returns:
        The score on a scale of 0 to 1, with its parts and its signature.

    Raises:
        TypeError: a row, or an option, of a wrong type; the error names it.
        ValueError: numbers of predictions and references that differ, a segment without reference, no segment,
            or an unknown dialect or option value.

    >>> corpus_bleu(["the cat sat on the mat"], [["the cat sat on a mat", "a cat was on the mat"]], max_order=2).bleu
    0.9128709291752769
    """
    return score_columns(*prepare(predictions, references, config_of(dialect, options)))


def sentence_bleu(predictions: Any, references: Any, dialect: str = "default", **options: Any) -> NDArray[np.float64]:
    """Score every segment by itself; arguments and errors as for `corpus_bleu`.

    Returns:
        Scores on a scale of 0 to 1, float64 of shape (N,), or (N, lists) where `weights` is a list of lists.

    >>> sentence_bleu(["the cat", "a dog"], ["the cat", "a cat"], max_order=2, smoothing="add-one").round(4)
    array([1.    , 0.5774])
    """
    return sentence_scores_of(corpus_statistics(predictions, references, dialect, **options))


def corpus_statistics(predictions: Any, references: Any, dialect: str = "default", **options: Any) -> BleuStatistics:
    """Count a corpus without scoring it; arguments and errors as for `corpus_bleu`.

    Returns:
        One row of integers per segment; rows of several corpora add up.

    >>> corpus_statistics(["a b c"], ["a b d"], tokenizer="none", max_order=2).table
    array([[2, 1, 3, 2, 3, 3]])
    """
    return count_columns(*prepare(predictions, references, config_of(dialect, options)))


def prepare(predictions: Any, references: Any, config: BleuConfig) -> tuple[Columns, BleuConfig]:
    """Check the columns; ready tokens get the tokenizer "none", so that the signature says what was done."""
    counted = columns(predictions, references)
    return counted, config if counted.layout.kind == "text" else config.with_options({"tokenizer": "none"})


def count_columns(counted: Columns, config: BleuConfig) -> BleuStatistics:
    """Count all rows; keep one row per segment."""
    return merge(_map(lambda batch: _count(batch, config), counted))


def score_columns(counted: Columns, config: BleuConfig) -> BleuScore:
    """Score all rows, keeping sums alone; a mean of sentence scores needs a row per segment."""
    if config.average == "sentence":
        return score(count_columns(counted, config))
    return score(merge(_map(lambda batch: _count(batch, config).total(), counted)))


def _count(batch: Batch, config: BleuConfig) -> BleuStatistics:
    how = Tokenization(config.tokenizer, config.lowercase, config.strip, config.whitespace)
    return to_statistics(count_batch(batch, how, counted_orders(config)), config)


def count_batch(batch: Batch, how: Tokenization, max_order: int) -> SegmentCounts:
    """Count one batch: everything that depends on the texts and their tokens alone."""
    ids, lengths = _ids(batch, how)
    per_segment = batch.references_per_segment
    references = len(lengths) - len(per_segment)
    matches = clipped_matches(ids, lengths, per_segment, max_order)
    return SegmentCounts(matches, lengths[references:], lengths[:references], np.cumsum(per_segment) - per_segment)


def _ids(batch: Batch, how: Tokenization) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number the tokens; with the number of tokens of each text."""
    if batch.kind == "ids":
        return group(batch.values.to_numpy().view(np.uint64)), batch.lengths
    if batch.kind == "tokens":
        tokens = lower_tokens(from_strings(batch.values, batch.lengths), how.lowercase)
    else:
        tokens = tokenize(batch.values, how)
    return token_ids(tokens.data, tokens.starts, tokens.lengths), tokens.per_text


def threads() -> int:
    """How many threads count: all processors this process may use, or what BLEU_METRIC_THREADS says."""
    chosen = os.environ.get("BLEU_METRIC_THREADS", "")
    if chosen:
        if not (chosen.isascii() and chosen.isdigit() and int(chosen)):
            raise ValueError(
                f"the environment variable BLEU_METRIC_THREADS must be a whole number >= 1, got {chosen!r}"
            )
        return int(chosen)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _map(function: Callable[[Batch], BleuStatistics], counted: Columns) -> list[BleuStatistics]:
    """Apply the function to batches of all rows, by several threads; answers in the order of the rows.

    NumPy and Arrow release the interpreter's lock, so threads do help. A thread reads the rows it counts, so
    that no more batches are in memory than there are threads.
    """

    def work(stretch: tuple[int, int]) -> BleuStatistics:
        return merge([function(batch) for batch in _batches(counted, *stretch)])

    stretches = list(counted.batches(_ROWS))
    workers = min(threads(), len(stretches))
    if workers == 1:
        return list(map(work, stretches))
    executor = ThreadPoolExecutor(workers)
    try:
        return list(executor.map(work, stretches))
    finally:
        executor.shutdown(cancel_futures=True)  # after an error, do not count the rest first


def _batches(counted: Columns, first: int, last: int) -> Iterator[Batch]:
    """Read rows; in halves where they hold too much text."""
    batch = counted.read(first, last)
    if batch.values.nbytes <= _BYTES or last - first == 1:
        yield batch
    else:
        middle = (first + last) // 2
        yield from _batches(counted, first, middle)
        yield from _batches(counted, middle, last)
