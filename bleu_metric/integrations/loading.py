"""The metric that evaluate loads, wherever the package is installed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

PATH = str(Path(__file__).parents[1])
"""The folder that `evaluate.load` takes, as text: ``evaluate.load(bleu_metric.PATH, "nltk")``."""


def load(dialect: str = "default", **options: Any) -> Any:
    """Load the metric, as ``evaluate.load(bleu_metric.PATH, dialect)`` does. No network is needed.

    Args:
        dialect: name in `DIALECTS`.
        **options: those of `evaluate.load`: such as ``num_process``, ``process_id`` and ``experiment_id``.

    Returns:
        The metric, an `evaluate.Metric`.

    Raises:
        TypeError: a path in place of the dialect.
        ValueError: an unknown dialect.

    >>> metric = load("sacrebleu")
    >>> round(metric.compute(predictions=["the cat sat on the mat"], references=["the cat sat on a mat"])["bleu"], 4)
    0.5373
    """
    if isinstance(dialect, os.PathLike):
        raise TypeError(
            f"load takes the name of a dialect, such as load('nltk'), and finds the folder itself; got {dialect!r}. "
            "evaluate.load takes the folder as text: evaluate.load(bleu_metric.PATH, 'nltk')"
        )
    import evaluate

    return evaluate.load(PATH, dialect, **options)
