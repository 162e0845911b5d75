"""BLEU as a corpus metric of lighteval, with all references, and with resampled counts for the standard error."""

from __future__ import annotations

from typing import Any, Unpack

from .._bleu import corpus_statistics
from .._config import DEFAULT, BleuOptions, Dialect, config_of
from .framework_scores import corpus_score, require_framework, standard_error


def lighteval_metric(
    name: str = "corpus_bleu",
    dialect: Dialect = DEFAULT,
    n_resamples: int = 1000,
    seed: int = 12345,
    **options: Unpack[BleuOptions],
) -> Any:
    """Return a metric for the list ``metrics`` of a `LightevalTaskConfig`.

    Args:
        name: name of the score in the results. Its standard error is stored under this name followed by ``_stderr``.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        n_resamples: number of resamples for the standard error.
        seed: seed of the resamples.
        **options: fields of `BleuConfig`, which override the dialect's settings.

    Returns:
        A `CorpusLevelMetric` on a scale of 0 to 100, like lighteval's own BLEU.

    Raises:
        ModuleNotFoundError: lighteval is not installed.
        TypeError, ValueError: the dialect, an option or a value is not accepted.
    """
    corpus = require_framework("lighteval.metrics.metrics_corpus", "lighteval")
    preparator = require_framework("lighteval.metrics.sample_preparator", "lighteval")
    utils = require_framework("lighteval.metrics.utils.metric_utils", "lighteval")
    requests = require_framework("lighteval.tasks.requests", "lighteval")
    config = config_of(dialect, options)

    class CorpusBleu(corpus.CorpusLevelComputation):  # type: ignore[misc, name-defined]
        """Count all texts once and resample the counts, because lighteval would count every resample again."""

        def compute_corpus(self, items: list[Any]) -> dict[str, float]:
            predictions = [_first_prediction(item.preds) for item in items]
            references = [item.golds for item in items]
            statistics = corpus_statistics(predictions, references, config)
            bleu = corpus_score(statistics)
            error = standard_error(statistics, n_resamples, seed)
            return {name: 100 * bleu, f"{name}_stderr": 100 * error}

    return utils.CorpusLevelMetric(
        metric_name=name,
        higher_is_better=True,
        category=requests.SamplingMethod.GENERATIVE,
        sample_level_fn=preparator.GenerativePreparator(),
        corpus_level_fn=CorpusBleu(),
    )


def _first_prediction(predictions: str | list[str]) -> str:
    """Return a sample's first prediction. lighteval passes a list of predictions, or one prediction as a string."""
    return predictions if isinstance(predictions, str) else predictions[0]
