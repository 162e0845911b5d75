"""The scorer for inspect_ai, in an evaluation of recorded outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from frameworks.pipelines import run_inspect_ai
from frameworks.recorded import recorded_outputs

from bleu_metric import bootstrap, corpus_bleu, corpus_statistics, sentence_bleu
from bleu_metric.integrations.inspect_ai import bleu_scorer

pytest.importorskip("inspect_ai", reason="pip install 'bleu_metric[inspect]'")
pytestmark = pytest.mark.filterwarnings("ignore")

PREDICTIONS, REFERENCES = recorded_outputs(20)


def _evaluate(folder: Path, epochs: int = 1) -> Any:
    return run_inspect_ai(folder, bleu_scorer(n_resamples=500), PREDICTIONS, REFERENCES, epochs)


def test_scores(tmp_path: Path) -> None:
    log = _evaluate(tmp_path)
    assert log.status == "success", log.error
    numbers = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    assert numbers["bleu"] == pytest.approx(corpus_bleu(PREDICTIONS, REFERENCES, "sacrebleu").bleu, rel=1e-12)
    interval = bootstrap(corpus_statistics(PREDICTIONS, REFERENCES, "sacrebleu"), n_resamples=500)
    assert numbers["bleu_stderr"] == pytest.approx(interval.half_width / 1.96, rel=0.2)
    values = [sample.scores["bleu"].value for sample in log.samples]
    assert values == pytest.approx(sentence_bleu(PREDICTIONS, REFERENCES, "sacrebleu").tolist())


def test_several_epochs_are_refused(tmp_path: Path) -> None:
    log = _evaluate(tmp_path, epochs=2)
    assert log.status == "error"
    assert "run the task with epochs=1" in log.error.message
