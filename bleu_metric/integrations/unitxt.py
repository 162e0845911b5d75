"""BLEU as a metric of unitxt. Each instance is counted only once: resamples use its counts."""

from functools import cache
from typing import Any, Unpack

from .._bootstrap import bootstrap
from .._config import BleuOptions
from .._dialects import DEFAULT, Dialect
from .framework_scores import Counter, Row, corpus_score, require_framework


def unitxt_metric(dialect: Dialect = DEFAULT, seed: int = 12345, **options: "Unpack[BleuOptions]") -> str:
    """Return a metric for the list ``metrics`` of unitxt's `Task`.

    Args:
        dialect: name in `DIALECTS`.
        seed: seed of the resamples.
        **options: override the dialect's settings. Values must be JSON types.

    Returns:
        The metric as a JSON string. It reports ``corpus_bleu``, from 0 to 1 and not rounded, and the sentence score of
        each instance. The bounds of the confidence interval are percentiles of the scores of 1,000 resamples.

    Raises:
        ModuleNotFoundError: unitxt is not installed.
        TypeError, ValueError: an unknown dialect, option or value, or several lists of weights.
    """
    metric = _metric_class()
    Counter(dialect, options)  # so that a wrong option is an error now, not in the task
    text: str = metric(dialect=str(dialect), seed=seed, options=dict(options)).to_json()
    return text


@cache
def _metric_class() -> Any:
    """Return the metric class. It is built only once, because unitxt registers classes by name."""
    metrics = require_framework("unitxt.metrics", "unitxt")

    class CorpusBleu(metrics.MapReduceMetric):  # type: ignore[misc, name-defined]
        """Compute scores from one row of counts per instance. Resamples draw from these rows."""

        main_score = "corpus_bleu"
        prediction_type = str
        dialect: str
        seed: int
        options: dict[str, Any]

        def prepare(self) -> None:
            super().prepare()
            options: Any = self.options
            self.counter = Counter(self.dialect, options)

        def map(self, prediction: str, references: list[str], task_data: Any) -> Row:
            return self.counter.row(prediction, references)

        def reduce(self, intermediates: list[Row]) -> dict[str, float]:
            statistics = self.counter.statistics(intermediates)
            return {"corpus_bleu": corpus_score(statistics)}

        def reduce_one(self, intermidate: Row) -> dict[str, float]:
            return {"corpus_bleu": self.counter.sentence_score(intermidate)}

        def bootstrap(self, data: list[Row], score_names: list[str]) -> dict[str, float]:
            statistics = self.counter.statistics(data)
            interval = bootstrap(statistics, self.n_resamples, self.seed, self.confidence_level)
            return {"corpus_bleu_ci_low": interval.low, "corpus_bleu_ci_high": interval.high}

    return CorpusBleu
