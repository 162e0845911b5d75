"""Code shared by the adapters to evaluation frameworks: counts of single samples, corpus scores, standard errors."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from .._bleu import corpus_statistics
from .._bootstrap import draw_segments, score_resamples
from .._config import BleuOptions
from .._counts import References
from .._dialects import Dialect, config_of
from .._statistics import BleuStatistics, score, score_sentences

Row = list[int]  # the counts of one sample


def require_framework(module: str, extra: str = "") -> Any:
    """Import a framework's module and return it.

    If the framework is missing, the error says what to install: ``pip install 'bleu_metric[ragas]'`` or, without an
    `extra`, the framework itself.
    """
    framework = module.split(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        # If the framework is installed but lacks another module, the error keeps its message
        if error.name == framework:
            package = f"'bleu_metric[{extra}]'" if extra else framework
            error.msg = f"{framework} is not installed: pip install {package}"
        raise


class Counter:
    """Count the n-grams of samples, and score the counts, in one dialect."""

    def __init__(self, dialect: Dialect, options: BleuOptions) -> None:
        """Set the dialect and the options that override it."""
        self.config = config_of(dialect, options)

    def count(self, predictions: Sequence[Any], references: Sequence[Any]) -> BleuStatistics:
        """Return statistics with one row of counts per sample."""
        return corpus_statistics(predictions, references, self.config)

    def row(self, prediction: Any, references: Any) -> Row:
        """Return the counts of one sample as a list."""
        row: Row = self.count([prediction], [references]).table[0].tolist()
        return row

    def statistics(self, rows: Sequence[Row]) -> BleuStatistics:
        """Build the statistics of several samples from the rows that `row` returned.

        The numbers of references are unknown, because a row does not have them.
        """
        return BleuStatistics(np.array(rows, np.int64), self.config, References())

    def sentence_score(self, row: Row) -> float:
        """Compute the sentence score of one sample from its counts."""
        [sentence_score] = score_sentences(self.statistics([row]))
        return float(sentence_score)


def corpus_score(statistics: BleuStatistics) -> float:
    """Return the corpus score of all samples, on a scale of 0 to 1."""
    return score(statistics).bleu


def standard_error(statistics: BleuStatistics, n_resamples: int, seed: int) -> float:
    """Compute the standard error of a corpus score by the bootstrap (Efron 1979).

    The standard error is the standard deviation of the corpus scores of `n_resamples` resamples of the segments. If
    there are fewer than two segments or fewer than two resamples, return NaN.
    """
    if n_resamples < 2 or len(statistics) < 2:
        return float("nan")
    resamples = draw_segments(len(statistics), n_resamples, seed)
    [scores] = score_resamples([statistics], resamples)
    return float(np.std(scores, ddof=1))
