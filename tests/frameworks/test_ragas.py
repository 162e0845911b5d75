"""The metric for ragas, in its `evaluate`, beside its own."""

from __future__ import annotations

import pytest
from frameworks.pipelines import run_ragas

from bleu_metric import sentence_bleu
from bleu_metric.integrations.ragas import ragas_metric

pytest.importorskip("ragas", reason="pip install 'bleu_metric[ragas]'")
pytestmark = pytest.mark.filterwarnings("ignore")

RESPONSES = ["The cat sat on the mat. It was a sunny day.", "Paris is the capital of France.", "I do not know."]
REFERENCES = ["The cat sat on the mat. Dogs barked.", "Paris is the capital city of France.", "It is 5."]


def test_whole_responses_count() -> None:
    from ragas.metrics import BleuScore

    ours = run_ragas(ragas_metric("ours"), RESPONSES, REFERENCES)
    theirs = run_ragas(BleuScore(), RESPONSES, REFERENCES)
    expected = sentence_bleu(RESPONSES, REFERENCES, "sacrebleu")
    assert ours == pytest.approx(expected.tolist())
    assert theirs[0] == pytest.approx(1), "it compares the first sentences alone"
    assert ours[0] < 0.6
    assert theirs[1] == pytest.approx(expected[1]), "of one sentence, the number is the same"
