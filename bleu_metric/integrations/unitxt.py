"""BLEU as a metric of unitxt: counted once per instance, with an interval made of counts."""

from functools import cache
from typing import TYPE_CHECKING, Any

from .._bleu import corpus_statistics
from .._bootstrap import bootstrap
from .._config import BleuOptions
from .._dialects import config_of
from .._statistics import score, score_sentences
from .framework_scores import Row, refuse_many_weights, require_framework, statistics_of

if TYPE_CHECKING:
    from typing_extensions import Unpack


def unitxt_metric(dialect: str = "sacrebleu", seed: int = 12345, **options: "Unpack[BleuOptions]") -> str:
    """Make a metric for the ``metrics`` of a `Task`.

    Args:
        dialect: name in `DIALECTS`.
        seed: of the resamples.
        **options: override the dialect's choices, with what JSON can hold.

    Returns:
        The metric as JSON, as a task takes it: ``corpus_bleu`` from 0 to 1, not rounded, and of each instance the
        sentence score. The bounds are percentiles of the scores of 1,000 resamples.

    Raises:
        ModuleNotFoundError: unitxt is not installed.
        TypeError, ValueError: an unknown dialect, option or value, or several lists of weights.
    """
    metric = _metric_class()
    refuse_many_weights(config_of(dialect, options))
    text: str = metric(dialect=dialect, seed=seed, options=dict(options)).to_json()
    return text


@cache
def _metric_class() -> Any:
    """Make the class once: unitxt finds it by its name."""
    metrics = require_framework("unitxt.metrics", "unitxt")

    class CorpusBleu(metrics.MapReduceMetric):  # type: ignore[misc, name-defined]
        """Sums counts; unitxt resamples their rows, not texts."""

        main_score = "corpus_bleu"
        prediction_type = str
        dialect: str
        seed: int
        options: dict[str, Any]

        def prepare(self) -> None:
            super().prepare()
            self.config = config_of(self.dialect, self.options)

        def map(self, prediction: str, references: list[str], task_data: Any) -> Row:
            row: Row = corpus_statistics([prediction], [references], self.dialect, **self.options).table[0].tolist()
            return row

        def reduce(self, intermediates: list[Row]) -> dict[str, float]:
            return {"corpus_bleu": float(score(statistics_of(intermediates, self.config)).bleu)}

        def reduce_one(self, intermidate: Row) -> dict[str, float]:
            return {"corpus_bleu": float(score_sentences(statistics_of([intermidate], self.config))[0])}

        def bootstrap(self, data: list[Row], score_names: list[str]) -> dict[str, float]:
            statistics = statistics_of(data, self.config)
            interval = bootstrap(statistics, self.n_resamples, self.seed, self.confidence_level)
            return {"corpus_bleu_ci_low": interval.low, "corpus_bleu_ci_high": interval.high}

    return CorpusBleu
