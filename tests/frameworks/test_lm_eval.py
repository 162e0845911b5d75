"""The functions for task files, in a run of lm-evaluation-harness."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from frameworks.recorded import recorded_outputs
from project.test_documents import ROOT, block_with

from bleu_metric import corpus_bleu

pytest.importorskip("lm_eval", reason="pip install lm_eval")

PAGE = (ROOT / "docs/integrations.md").read_text()
PREDICTIONS, REFERENCES = recorded_outputs(60)

FUNCTIONS = block_with("def process_results")
THEIRS = """
def their_process_results(doc, results):
    return {"bleu": (doc["references"], results[0])}
"""
TASK = """
task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {{test: {path}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{row}}}}"
doc_to_target: "{{{{references[0]}}}}"
"""
METRICS = {
    "ours": PAGE[PAGE.index("process_results: !function") :].split("```")[0],
    "theirs": """
process_results: !function bleu_functions.their_process_results
metric_list:
  - metric: bleu
    aggregation: bleu
    higher_is_better: true
""",
}


def run(folder: Path, task: str, references: list[list[str]], **settings: Any) -> dict[str, Any]:
    """Evaluate a model that answers with the predictions; `task` is ours or theirs."""
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Recorded(LM):
        def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
            return [PREDICTIONS[int(request.args[0])] for request in requests]

        loglikelihood = loglikelihood_rolling = generate_until  # type: ignore[assignment]

    data = folder / "data.json"
    rows = [json.dumps({"row": str(row), "references": own}) for row, own in enumerate(references)]
    data.write_text("\n".join(rows))
    (folder / "bleu_functions.py").write_text(FUNCTIONS + THEIRS)
    (folder / f"{task}.yaml").write_text(TASK.format(name=task, path=data) + METRICS[task])
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    results = simple_evaluate(model=Recorded(), tasks=[task], task_manager=manager, **settings)
    assert results is not None
    return {name.removesuffix(",none"): value for name, value in results["results"][task].items()}


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISABLE_MULTIPROC", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))


@pytest.mark.filterwarnings("ignore")
def test_scores_and_errors(tmp_path: Path) -> None:
    one_each = [own[:1] for own in REFERENCES]
    ours = run(tmp_path, "ours", one_each)
    theirs = run(tmp_path, "theirs", one_each, bootstrap_iters=100)
    bleu = ours["corpus_bleu"]
    assert bleu == pytest.approx(theirs["bleu"], rel=1e-12)
    assert bleu == pytest.approx(100 * corpus_bleu(PREDICTIONS, one_each, "sacrebleu").bleu, rel=1e-12)
    assert ours["corpus_bleu_se"] == pytest.approx(theirs["bleu_stderr"], rel=0.35)


@pytest.mark.filterwarnings("ignore")
def test_all_references_count(tmp_path: Path) -> None:
    expected = 100 * corpus_bleu(PREDICTIONS, REFERENCES, "sacrebleu").bleu
    assert run(tmp_path, "ours", REFERENCES)["corpus_bleu"] == pytest.approx(expected, rel=1e-12)
    theirs = run(tmp_path, "theirs", REFERENCES, bootstrap_iters=0)
    of_the_first = corpus_bleu(PREDICTIONS, [own[0] for own in REFERENCES], "sacrebleu").bleu
    assert theirs["bleu"] == pytest.approx(100 * of_the_first, rel=1e-12), "it cuts all lists to the shortest"


def test_standard_error_of_unequal_segments() -> None:
    names: dict[str, Any] = {}
    exec(FUNCTIONS, names)
    rows = list(zip(PREDICTIONS, REFERENCES, strict=True))
    rng = np.random.default_rng(0)
    drawn = [names["bleu"]([rows[place] for place in rng.integers(0, len(rows), len(rows))]) for _ in range(300)]
    assert names["standard_error"](rows) == pytest.approx(np.std(drawn), rel=0.2)
    assert np.isnan(names["standard_error"](rows[:1]))
