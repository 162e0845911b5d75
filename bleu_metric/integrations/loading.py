"""Load the metric for evaluate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from .._config import DEFAULT
from .._lazy import import_needed
from .._validation import check_type

if TYPE_CHECKING:
    from .._names import DialectName, Signature
    from ..bleu_metric import BleuMetric

PATH = str(Path(__file__).parents[1])
"""The folder to pass to `evaluate.load`, as a string: ``evaluate.load(bleu_metric.PATH, "nltk")``."""


def load(
    dialect: DialectName | Literal["bleu"] | Signature = DEFAULT,
    *,
    config_name: DialectName | None = None,
    **options: Any,
) -> BleuMetric:
    """Load the metric that ``evaluate.load(bleu_metric.PATH, dialect)`` loads. No network is needed.

    Args:
        dialect: a name in `DIALECTS`, or a signature. ``"bleu"`` means the dialect ``"evaluate"``, because evaluate
            calls its metric ``"bleu"``.
        config_name: evaluate's name for `dialect`; pass only one.
        **options: arguments of `evaluate.EvaluationModule`, such as ``num_process``, ``process_id``, ``experiment_id``
            and ``timeout``. Pass options of the score to the metric's ``compute``.

    Returns:
        The metric, a sub-class of `evaluate.Metric`.

    Raises:
        TypeError: `dialect` is not a string, an argument is unknown, or two different dialects are given.
        ValueError: the dialect is unknown.
        ImportError: evaluate is not installed, for example after ``pip install --no-deps``.

    >>> metric = load("sacrebleu")
    >>> round(metric.compute(predictions=["the cat sat on the mat"], references=["the cat sat on a mat"])["bleu"], 4)
    0.5373
    """
    if config_name is not None:
        if dialect not in (DEFAULT, config_name):
            raise TypeError("config_name and dialect are the same option: pass one of them")
        dialect = config_name
    check_type("dialect", dialect, str, "the name of a dialect, as in load('nltk'), not the folder of the metric")
    import_needed("evaluate")
    from ..bleu_metric import BleuMetric

    return BleuMetric(dialect, **options)
