"""What adapters to frameworks have in common: rows of counts that become a score and its standard error."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from .._bootstrap import draw_segments, score_resamples
from .._config import BleuConfig, require_one_score
from .._statistics import BleuStatistics, score

Row = Sequence[int]


class ScoreWithError(NamedTuple):
    """A corpus score, and how much it would vary with other segments, both from 0 to 1."""

    bleu: float
    standard_error: float


def require_framework(module: str, extra: str) -> Any:
    """Import a module of a framework; if it is not installed, say what to type."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = module.split(".")[0]
        if error.name != package:
            raise
        message = f"{package} is not installed: pip install 'bleu_metric[{extra}]'"
        raise ModuleNotFoundError(message, name=package) from None


def refuse_many_weights(config: BleuConfig) -> None:
    """Raise ``ValueError`` where a score is a list."""
    require_one_score(config, "this framework takes")


def statistics_of(rows: Sequence[Row], config: BleuConfig) -> BleuStatistics:
    """Put rows of counts together, one per segment."""
    return BleuStatistics(np.array([list(row) for row in rows], np.int64), config, (0, 0))


def score_with_error(statistics: BleuStatistics, n_resamples: int, seed: int) -> ScoreWithError:
    """Score all segments; the standard error is the deviation of the scores of resamples (Efron 1979).

    It is NaN where there are fewer than two segments, or resamples.
    """
    bleu: Any = score(statistics).bleu
    error = float("nan")
    if n_resamples > 1 and len(statistics) > 1:
        resamples = draw_segments(len(statistics), n_resamples, seed)
        (scores,) = score_resamples([statistics], resamples)
        error = float(np.std(scores, ddof=1))
    return ScoreWithError(bleu, error)
