"""The metric for unitxt, in evaluations of a task, beside its own."""

from __future__ import annotations

import pytest
from frameworks.pipelines import run_unitxt
from frameworks.recorded import recorded_outputs

from bleu_metric import bootstrap, corpus_bleu, corpus_statistics, sentence_bleu
from bleu_metric.integrations.unitxt import unitxt_metric

pytest.importorskip("unitxt", reason="pip install 'bleu_metric[unitxt]'")
pytestmark = pytest.mark.filterwarnings("ignore")

PREDICTIONS, REFERENCES = recorded_outputs(60)
THEIRS = "metrics.normalized_sacrebleu"


def test_scores_and_their_bounds() -> None:
    scores, of_instances = run_unitxt(unitxt_metric(), PREDICTIONS, REFERENCES)
    assert scores["score"] == pytest.approx(corpus_bleu(PREDICTIONS, REFERENCES, "sacrebleu").bleu, rel=1e-12)
    assert scores["corpus_bleu"] == scores["score"]
    interval = bootstrap(corpus_statistics(PREDICTIONS, REFERENCES, "sacrebleu"))
    assert scores["score_ci_low"] == pytest.approx(interval.low, rel=1e-12)
    assert scores["score_ci_high"] == pytest.approx(interval.high, rel=1e-12)
    assert of_instances == pytest.approx(sentence_bleu(PREDICTIONS, REFERENCES, "sacrebleu").tolist(), rel=1e-12)


def test_beside_their_metric() -> None:
    ours, of_ours = run_unitxt(unitxt_metric(), PREDICTIONS, REFERENCES)
    theirs, of_theirs = run_unitxt(THEIRS, PREDICTIONS, REFERENCES)
    assert theirs["score"] == round(ours["score"], 2)
    assert of_theirs == [round(score, 2) for score in of_ours]
    for bound in ("score_ci_low", "score_ci_high"):
        assert theirs[bound] == pytest.approx(ours[bound], abs=0.02)


def test_options() -> None:
    texts, references = ["The cat sat on a mat", "A dog"], [["the cat sat on the mat"], ["a dog"]]
    expected = corpus_bleu(texts, references, "nltk", smoothing="method1", max_order=2)
    scores, _ = run_unitxt(unitxt_metric("nltk", smoothing="method1", max_order=2), texts, references)
    assert scores["score"] == pytest.approx(expected.bleu, rel=1e-12)
    with pytest.raises(TypeError, match="unknown option 'smoth'"):
        unitxt_metric(smoth="exp")  # type: ignore[call-arg]
