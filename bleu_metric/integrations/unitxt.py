"""BLEU as a metric of unitxt. The n-grams of each text are counted once, and resamples reuse the counts."""

from functools import cache
from typing import Any, Unpack

from .._bootstrap import bootstrap
from .._config import BleuOptions
from .._dialects import DEFAULT, Dialect
from .framework_scores import Counter, Row, corpus_score, require_framework


def unitxt_metric(dialect: Dialect = DEFAULT, seed: int = 12345, **options: "Unpack[BleuOptions]") -> str:
    """Return a metric for the list ``metrics`` of unitxt's `Task`.

    Args:
        dialect: a name in `DIALECTS`.
        seed: seed of the resamples.
        **options: fields of `BleuConfig`, which override the dialect's settings. Their values must be JSON values.

    Returns:
        The metric as a JSON string. The metric reports the corpus score, ``corpus_bleu``, and the sentence score of
        each sample. Their scale is 0 to 1, not rounded. The bounds of the confidence interval are percentiles of
        the corpus scores of 1,000 resamples.

    Raises:
        ModuleNotFoundError: unitxt is not installed.
        TypeError, ValueError: the dialect, an option or a value is not accepted.
    """
    metric = _metric_class()
    Counter(dialect, options)  # raises the error for a wrong option now, before the task runs
    text: str = metric(dialect=str(dialect), seed=seed, options=dict(options)).to_json()
    return text


@cache
def _metric_class() -> Any:
    """Return the metric class. Build it only once, because unitxt registers classes by name."""
    metrics = require_framework("unitxt.metrics", "unitxt")

    class CorpusBleu(metrics.MapReduceMetric):  # type: ignore[misc, name-defined]
        """Count each sample's n-grams once. Compute all scores, including those of resamples, from these counts."""

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
