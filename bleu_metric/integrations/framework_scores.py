"""Helpers for adapters to evaluation frameworks: count single samples, and compute a corpus score's standard error."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from .._bleu import corpus_statistics
from .._bootstrap import draw_segments, score_resamples
from .._config import BleuOptions, require_one_score
from .._counts import References
from .._dialects import Dialect, config_of
from .._statistics import BleuStatistics, score, score_sentences

Row = list[int]  # the counts of one sample


def require_framework(module: str, extra: str) -> Any:
    """Import a framework's module and return it. The error for a missing framework names the extra to install."""
    package = module.split(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name == package:
            error.msg = f"{package} is not installed: pip install 'bleu_metric[{extra}]'"
        raise


class Counter:
    """Count and score samples in one dialect."""

    def __init__(self, dialect: Dialect, options: BleuOptions) -> None:
        """Set the dialect and its options. Raise ``ValueError`` if `weights` is a list of lists."""
        self.config = config_of(dialect, options)
        require_one_score(self.config, "this framework takes")

    def count(self, predictions: Sequence[Any], references: Sequence[Any]) -> BleuStatistics:
        """Return statistics with one row of counts per sample."""
        return corpus_statistics(predictions, references, self.config)

    def row(self, prediction: Any, references: Any) -> Row:
        """Return the counts of one sample as a list."""
        row: Row = self.count([prediction], [references]).table[0].tolist()
        return row

    def statistics(self, rows: Sequence[Row]) -> BleuStatistics:
        """Return statistics that consist of the samples' rows of counts."""
        return BleuStatistics(np.array(rows, np.int64), self.config, References())

    def sentence_score(self, row: Row) -> float:
        """Compute the sentence score of one sample."""
        return float(score_sentences(self.statistics([row]))[0])


def corpus_score(statistics: BleuStatistics) -> float:
    """Compute the score of all samples together, from 0 to 1."""
    return float(score(statistics).bleu)


def standard_error(statistics: BleuStatistics, n_resamples: int, seed: int) -> float:
    """Compute the standard error of a score: the standard deviation of the scores of resamples (Efron 1979).

    The standard error is NaN if there are fewer than two segments or fewer than two resamples.
    """
    if n_resamples < 2 or len(statistics) < 2:
        return float("nan")
    resamples = draw_segments(len(statistics), n_resamples, seed)
    (scores,) = score_resamples([statistics], resamples)
    return float(np.std(scores, ddof=1))
