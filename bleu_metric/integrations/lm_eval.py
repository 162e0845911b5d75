"""BLEU for the task files of lm-evaluation-harness. Texts are counted only once, because resamples reuse the counts.

The harness itself is not imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Unpack

import numpy as np

from .._bleu import corpus_statistics
from .._config import DEFAULT, BleuOptions, Dialect, config_of
from .._statistics import UNKNOWN, BleuStatistics
from .framework_scores import corpus_score
from .framework_scores import standard_error as resampled_error

Row = list[int]  # the counts of one document


class TaskFunctions(NamedTuple):
    """The three functions that a task file refers to."""

    process_results: Callable[[Mapping[str, Any], Sequence[str]], dict[str, Row]]
    bleu: Callable[[Sequence[Row]], float]
    standard_error: Callable[[Sequence[Row]], float]


def task_functions(
    references: str | Callable[[Any], Any] = "references",
    dialect: Dialect = DEFAULT,
    n_resamples: int = 1000,
    seed: int = 12345,
    **options: Unpack[BleuOptions],
) -> TaskFunctions:
    """Return the functions that a task file needs to compute BLEU.

    Args:
        references: name of the field with a document's reference or list of references, or a function that returns
            the references of a document.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        n_resamples: number of resamples for the standard error.
        seed: seed of the resamples.
        **options: fields of `BleuConfig`, which override the dialect's settings.

    Returns:
        Three functions. ``process_results`` counts the n-grams of one document. ``bleu`` and ``standard_error`` are
        aggregations, which return the corpus score and its standard error on a scale of 0 to 100, like the harness's
        own BLEU.

    Raises:
        TypeError, ValueError: the dialect, an option or a value is not accepted.

    >>> task = task_functions("answers", max_order=2)
    >>> results = task.process_results({"answers": ["a b c", "a b"]}, ["a b d"])
    >>> sorted(results)
    ['corpus_bleu', 'corpus_bleu_se']
    >>> round(task.bleu([results["corpus_bleu"]] * 3), 4)
    57.735
    """
    config = config_of(dialect, options)

    def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Row]:
        references_of_doc = references(doc) if callable(references) else doc[references]
        row = corpus_statistics(results[:1], [references_of_doc], config).table[0].tolist()
        return {"corpus_bleu": row, "corpus_bleu_se": row}

    def as_statistics(rows: Sequence[Row]) -> BleuStatistics:
        # Rows do not contain the numbers of references
        return BleuStatistics(np.array(rows, np.int64), config, UNKNOWN)

    def bleu(rows: Sequence[Row]) -> float:
        return 100 * corpus_score(as_statistics(rows))

    def standard_error(rows: Sequence[Row]) -> float:
        return 100 * resampled_error(as_statistics(rows), n_resamples, seed)

    return TaskFunctions(process_results, bleu, standard_error)
