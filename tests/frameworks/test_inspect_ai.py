"""The scorer for inspect_ai, in an evaluation of recorded outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from frameworks.recorded import recorded_outputs

from bleu_metric import bootstrap, corpus_bleu, corpus_statistics, sentence_bleu
from bleu_metric.integrations.inspect_ai import bleu_scorer

pytest.importorskip("inspect_ai", reason="pip install 'bleu_metric[inspect]'")
pytestmark = pytest.mark.filterwarnings("ignore")

PREDICTIONS, REFERENCES = recorded_outputs(20)


def _evaluate(folder: Path, epochs: int = 1) -> Any:
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.solver import generate

    outputs = []
    for text in PREDICTIONS * epochs:
        output = ModelOutput.from_content("mockllm/model", text)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it fetches a tokenizer
        outputs.append(output)
    samples = [Sample(input=str(row), target=own) for row, own in enumerate(REFERENCES)]
    task = Task(dataset=MemoryDataset(samples), solver=generate(), scorer=bleu_scorer(n_resamples=500))
    model = get_model("mockllm/model", custom_outputs=outputs)
    settings: dict[str, Any] = {"display": "none", "log_dir": str(folder), "max_connections": 1, "max_samples": 1}
    (log,) = evaluate(task, model=model, epochs=epochs, fail_on_error=True, **settings)
    return log


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
