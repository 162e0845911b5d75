"""The metric for lighteval, prepared, computed and logged as a run does it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from frameworks.recorded import recorded_outputs

from bleu_metric import corpus_bleu
from bleu_metric.integrations.lighteval import lighteval_metric

pytest.importorskip("lighteval", reason="pip install 'bleu_metric[lighteval]'")
pytestmark = pytest.mark.filterwarnings("ignore")

PREDICTIONS, REFERENCES = recorded_outputs(60)


def _aggregated(metric: Any, references: list[list[str]], bootstrap_iters: int = 1000) -> dict[str, float]:
    """Log the samples, and aggregate them, as the pipeline does."""
    from lighteval.logging.info_loggers import MetricsLogger
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    logger = MetricsLogger()
    for text, own in zip(PREDICTIONS, references, strict=True):
        doc = Doc(query="", choices=own, gold_index=list(range(len(own))))
        sample = metric.compute_sample(doc=doc, model_response=ModelResponse(text=[text]))
        logger.log("task|0", sample)
    task = SimpleNamespace(aggregation=metric.get_corpus_aggregations)
    logger.aggregate({"task|0": task}, bootstrap_iters)
    return logger.metric_aggregated["task|0"]


def test_all_references_and_the_error_of_resamples() -> None:
    results = _aggregated(lighteval_metric(n_resamples=2000), REFERENCES)
    assert set(results) == {"corpus_bleu", "corpus_bleu_stderr"}
    assert results["corpus_bleu"] == pytest.approx(
        100 * corpus_bleu(PREDICTIONS, REFERENCES, "sacrebleu").bleu, rel=1e-12
    )
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(300):
        places = rng.integers(0, 60, 60)
        texts, refs = [PREDICTIONS[place] for place in places], [REFERENCES[place] for place in places]
        drawn.append(100 * corpus_bleu(texts, refs, "sacrebleu").bleu)
    assert results["corpus_bleu_stderr"] == pytest.approx(np.std(drawn), rel=0.2)


def test_of_one_reference_it_is_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    import nltk
    from lighteval.metrics.metrics_corpus import CorpusLevelTranslationMetric

    monkeypatch.setattr(nltk, "download", lambda *_: None)  # asked for in every scoring, and not used
    ours = lighteval_metric("bleu")
    theirs = lighteval_metric("bleu")
    theirs.corpus_level_fn = CorpusLevelTranslationMetric("bleu")
    one_each = [own[:1] for own in REFERENCES]
    expected = _aggregated(theirs, one_each, bootstrap_iters=0)["bleu"]
    assert _aggregated(ours, one_each)["bleu"] == pytest.approx(expected, rel=1e-12)
    assert _aggregated(theirs, REFERENCES, bootstrap_iters=0)["bleu"] == expected, "it leaves out the other references"
