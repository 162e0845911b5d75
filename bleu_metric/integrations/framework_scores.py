"""Code shared by the adapters to evaluation frameworks: configurations, corpus scores, standard errors."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from .._bootstrap import draw_segments, score_resamples
from .._statistics import BleuStatistics, score


def require_framework(module: str, extra: str = "") -> Any:
    """Import and return a framework's module.

    If the framework is missing, the error contains the command to install `extra` or, without `extra`, the framework.
    """
    framework = module.split(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        # If only another module is missing, keep the message
        if error.name == framework:
            package = f"'bleu_metric[{extra}]'" if extra else framework
            error.msg = f"{framework} is not installed: pip install {package}"
        raise


def corpus_score(statistics: BleuStatistics) -> float:
    """Return the corpus score of all samples, on a scale of 0 to 1."""
    return score(statistics).bleu


def standard_error(statistics: BleuStatistics, n_resamples: int, seed: int) -> float:
    """Compute the standard error of a corpus score by the bootstrap (Efron 1979).

    The standard error is the standard deviation of the corpus scores of `n_resamples` resamples. For fewer than two
    segments or resamples, return NaN.
    """
    if n_resamples < 2 or len(statistics) < 2:
        return float("nan")
    resamples = draw_segments(len(statistics), n_resamples, seed)
    [scores] = score_resamples([statistics], resamples)
    return float(np.std(scores, ddof=1))
