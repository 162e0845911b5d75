"""Load the metric with evaluate, from the folder in which the package is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .._validation import check_type

PATH = str(Path(__file__).parents[1])
"""The folder that `evaluate.load` takes, as text: ``evaluate.load(bleu_metric.PATH, "nltk")``."""


def load(dialect: str = "default", **options: Any) -> Any:
    """Load the metric, as ``evaluate.load(bleu_metric.PATH, dialect)`` does. No network is needed.

    Args:
        dialect: name in `DIALECTS`, or signature.
        **options: further options of `evaluate.load`, such as ``num_process``, ``process_id`` and ``experiment_id``.

    Returns:
        The metric, an `evaluate.Metric`.

    Raises:
        TypeError: `dialect` is not a string, e.g. a path.
        ValueError: an unknown dialect.

    >>> metric = load("sacrebleu")
    >>> round(metric.compute(predictions=["the cat sat on the mat"], references=["the cat sat on a mat"])["bleu"], 4)
    0.5373
    """
    check_type("dialect", dialect, str, "a name, as in load('nltk'), which finds the folder itself")
    import evaluate

    return evaluate.load(PATH, dialect, **options)
