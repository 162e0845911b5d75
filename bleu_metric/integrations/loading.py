"""Load the metric with evaluate, from the folder in which the package is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .._dialects import UNNAMED
from .._validation import check_type
from .framework_scores import require_framework

PATH = str(Path(__file__).parents[1])
"""The folder to pass to `evaluate.load`, as a string: ``evaluate.load(bleu_metric.PATH, "nltk")``."""


def load(dialect: str = UNNAMED, **options: Any) -> Any:
    """Load the metric as ``evaluate.load(bleu_metric.PATH, dialect)`` does. No network is needed.

    Args:
        dialect: a name in `DIALECTS`, or a signature. ``"default"`` means sacrebleu. ``"bleu"`` means the dialect
            ``"evaluate"``, because evaluate calls its metric ``"bleu"``.
        **options: other arguments of `evaluate.load`, such as ``num_process``, ``process_id`` and ``experiment_id``.

    Returns:
        The metric, an `evaluate.Metric`.

    Raises:
        TypeError: `dialect` is not a string.
        ValueError: the dialect is unknown.
        ModuleNotFoundError: evaluate is not installed, for example after ``pip install --no-deps``.

    >>> metric = load("sacrebleu")
    >>> round(metric.compute(predictions=["the cat sat on the mat"], references=["the cat sat on a mat"])["bleu"], 4)
    0.5373
    """
    check_type("dialect", dialect, str, "the name of a dialect, as in load('nltk'), not the folder of the metric")
    evaluate = require_framework("evaluate")
    name = "evaluate" if dialect == "bleu" else dialect
    return evaluate.load(PATH, name, **options)
