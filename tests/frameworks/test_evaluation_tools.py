"""The metrics of docs/evaluation_tools.md, run by the tools themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from frameworks.recorded import recorded_outputs
from project.test_documents import FRAMEWORK_BLOCKS

from bleu_metric import corpus_bleu, sentence_bleu

pytestmark = pytest.mark.filterwarnings("ignore")

PREDICTIONS, SEVERAL = recorded_outputs(20)
REFERENCES = [own[0] for own in SEVERAL]
SCORES = sentence_bleu(PREDICTIONS, REFERENCES).tolist()


@pytest.fixture(autouse=True)
def _offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in an empty folder, where the tools write their files, and wait for no server."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    monkeypatch.setenv("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")


def names_of(framework: str, name: str) -> dict[str, Any]:
    """Run the block that a user pastes, in which `name` occurs, and return what it defines."""
    (code,) = (code for found, code, _ in FRAMEWORK_BLOCKS if found == framework and name in code)
    names: dict[str, Any] = {}
    exec(code, names)
    return names


def test_mlflow_metric_of_all_rows() -> None:
    mlflow = pytest.importorskip("mlflow", reason="pip install mlflow")
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"mt": PREDICTIONS, "ref": REFERENCES})
    metric = names_of("mlflow", "make_metric")["metric"]
    run = mlflow.models.evaluate(data=table, predictions="mt", targets="ref", extra_metrics=[metric])
    assert run.metrics == {"bleu": pytest.approx(corpus_bleu(PREDICTIONS, REFERENCES).bleu)}


def test_mlflow_scorer_of_one_row() -> None:
    mlflow = pytest.importorskip("mlflow", reason="pip install mlflow")
    rows = [
        {"inputs": {"text": "?"}, "outputs": text, "expectations": {"expected_response": reference}}
        for text, reference in zip(PREDICTIONS[:3], REFERENCES[:3], strict=True)  # MLflow takes a second a row
    ]
    run = mlflow.genai.evaluate(data=rows, scorers=[names_of("mlflow", "scorer")["bleu"]])
    assert run.metrics == {"bleu/mean": pytest.approx(sum(SCORES[:3]) / 3)}


def test_deepeval_passes_and_fails_cases() -> None:
    deepeval = pytest.importorskip("deepeval", reason="pip install deepeval")
    from deepeval.evaluate import AsyncConfig
    from deepeval.test_case import LLMTestCase

    metric = names_of("deepeval", "BaseMetric")["Bleu"]
    cases = [
        LLMTestCase(input="?", actual_output=text, expected_output=reference)
        for text, reference in zip(PREDICTIONS, REFERENCES, strict=True)
    ]
    for run_async in (True, False):
        run = deepeval.evaluate(cases, [metric()], async_config=AsyncConfig(run_async=run_async))
        found = [result.metrics_data[0] for result in sorted(run.test_results, key=lambda result: result.index)]
        assert [each.score for each in found] == pytest.approx(SCORES)
        assert [each.success for each in found] == [score >= 0.5 for score in SCORES]
        assert {each.name for each in found} == {"BLEU"}
    assert {each.success for each in found} == {True, False}


def test_langsmith_evaluators_of_one_example_and_of_all() -> None:
    langsmith = pytest.importorskip("langsmith", reason="pip install langsmith")
    from uuid import uuid4

    from langsmith.schemas import Example

    examples = [
        Example(id=uuid4(), inputs={"text": text}, outputs={"text": reference})
        for text, reference in zip(PREDICTIONS, REFERENCES, strict=True)
    ]
    names = names_of("langsmith", "reference_outputs")
    run = langsmith.evaluate(
        lambda inputs: inputs,
        data=examples,
        evaluators=[names["bleu"]],
        summary_evaluators=[names["corpus"]],
        upload_results=False,
    )
    found = [row["evaluation_results"]["results"][0] for row in run]
    assert sorted(each.score for each in found) == pytest.approx(sorted(SCORES))
    assert {each.key for each in found} == {"bleu"}
    (whole,) = run._summary_results["results"]
    assert (whole.key, whole.score) == ("corpus", pytest.approx(corpus_bleu(PREDICTIONS, REFERENCES).bleu))
