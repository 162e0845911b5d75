"""The metric for lighteval, in runs of its pipeline."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
import pytest
from frameworks.recorded import recorded_outputs
from project.test_documents import block_with

from bleu_metric import corpus_bleu

pytest.importorskip("lighteval", reason="pip install lighteval")
pytestmark = pytest.mark.filterwarnings("ignore")

PREDICTIONS, REFERENCES = recorded_outputs(60)
ONE_EACH = [own[:1] for own in REFERENCES]

TASKS = (
    block_with("CorpusLevelMetric(")
    + """
from lighteval.metrics.metrics import Metrics
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc


def prompt(line, task_name=None):
    references = line["references"]
    return Doc(query=line["source"], choices=references, gold_index=list(range(len(references))), task_name=task_name)


def task(name, score):
    return LightevalTaskConfig(
        name=name, prompt_function=prompt, hf_repo="{data}", hf_subset="default", metrics=[score],
        hf_avail_splits=["test"], evaluation_splits=["test"], generation_size=16, stop_sequence=["<eos>"],
    )


TASKS_TABLE = [task("ours", metric), task("theirs", Metrics.bleu)]
"""
)


def run(folder: Path, task: str, references: list[list[str]], bootstrap_iters: int = 100) -> dict[str, float]:
    """Evaluate a model that answers with the predictions; `task` is ours or theirs."""
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
    from lighteval.models.model_output import ModelResponse
    from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters

    class Recorded(DummyModel):
        def greedy_until(self, docs: list[Any]) -> list[Any]:
            return [ModelResponse(text=[PREDICTIONS[int(doc.query)]]) for doc in docs]

    data = folder / "data"
    data.mkdir(exist_ok=True)
    rows = [json.dumps({"source": str(row), "references": own}) for row, own in enumerate(references)]
    (data / "test.jsonl").write_text("\n".join(rows))
    tasks = folder / "own_tasks.py"
    tasks.write_text(TASKS.replace("{data}", str(data)))
    parameters = PipelineParameters(
        launcher_type=ParallelismManager.NONE, custom_tasks_directory=str(tasks), bootstrap_iters=bootstrap_iters
    )
    model = Recorded(DummyModelConfig(cache_dir=str(folder / "cache")))
    # what it would download, for tasks that do not run here, and in every scoring
    with mock.patch("requests.get", return_value=SimpleNamespace(status_code=404)), mock.patch("nltk.download"):
        tracker = EvaluationTracker(output_dir=str(folder / "out"), save_details=False)
        pipeline = Pipeline(tasks=f"{task}|0", pipeline_parameters=parameters, evaluation_tracker=tracker, model=model)
        pipeline.evaluate()
    return dict(pipeline.get_results()["results"][f"{task}:0"])


def _score(predictions: list[str], references: list[list[str]]) -> float:
    return 100 * corpus_bleu(predictions, references, "sacrebleu").bleu


def test_all_references_and_the_error_of_resamples(tmp_path: Path) -> None:
    results = run(tmp_path, "ours", REFERENCES)
    assert set(results) == {"corpus_bleu", "corpus_bleu_stderr"}
    assert results["corpus_bleu"] == pytest.approx(_score(PREDICTIONS, REFERENCES), rel=1e-12)
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(300):
        places = rng.integers(0, 60, 60)
        drawn.append(_score([PREDICTIONS[place] for place in places], [REFERENCES[place] for place in places]))
    assert results["corpus_bleu_stderr"] == pytest.approx(np.std(drawn), rel=0.2)


def test_of_one_reference_it_is_their_number(tmp_path: Path) -> None:
    ours = run(tmp_path, "ours", ONE_EACH)
    theirs = run(tmp_path, "theirs", ONE_EACH)
    assert ours["corpus_bleu"] == pytest.approx(theirs["bleu"], rel=1e-12)
    assert theirs["bleu_stderr"] * 10 == pytest.approx(ours["corpus_bleu_stderr"], rel=0.35), "divided by sqrt(100)"
    of_several = run(tmp_path, "theirs", REFERENCES, bootstrap_iters=0)
    assert of_several["bleu"] == theirs["bleu"], "it leaves out the other references"
