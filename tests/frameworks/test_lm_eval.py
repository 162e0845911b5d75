"""The functions for task files, in a run of lm-evaluation-harness."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from frameworks.pipelines import run_lm_eval
from frameworks.recorded import recorded_outputs

from bleu_metric import corpus_bleu
from bleu_metric.integrations.lm_eval import task_functions

pytest.importorskip("lm_eval", reason="pip install 'bleu_metric[lm-eval]'")

PREDICTIONS, REFERENCES = recorded_outputs(60)


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISABLE_MULTIPROC", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    assert os.environ["HF_HOME"]


@pytest.mark.filterwarnings("ignore")
def test_scores_and_errors(tmp_path: Path) -> None:
    one_each = [own[:1] for own in REFERENCES]
    ours = run_lm_eval(tmp_path, "ours", PREDICTIONS, one_each)
    theirs = run_lm_eval(tmp_path, "theirs", PREDICTIONS, one_each, bootstrap_iters=100)
    bleu = ours["corpus_bleu"]
    assert bleu == pytest.approx(theirs["bleu"], rel=1e-12)
    assert bleu == pytest.approx(100 * corpus_bleu(PREDICTIONS, one_each, "sacrebleu").bleu, rel=1e-12)
    assert ours["corpus_bleu_se"] == pytest.approx(theirs["bleu_stderr"], rel=0.35)


@pytest.mark.filterwarnings("ignore")
def test_all_references_count(tmp_path: Path) -> None:
    expected = 100 * corpus_bleu(PREDICTIONS, REFERENCES, "sacrebleu").bleu
    assert run_lm_eval(tmp_path, "ours", PREDICTIONS, REFERENCES)["corpus_bleu"] == pytest.approx(expected, rel=1e-12)
    theirs = run_lm_eval(tmp_path, "theirs", PREDICTIONS, REFERENCES, bootstrap_iters=0)
    of_the_first = corpus_bleu(PREDICTIONS, [own[0] for own in REFERENCES], "sacrebleu").bleu
    assert theirs["bleu"] == pytest.approx(100 * of_the_first, rel=1e-12), "it cuts all lists to the shortest"


def test_standard_error_of_unequal_segments() -> None:
    task = task_functions("r", n_resamples=2000)
    rows = [
        task.process_results({"r": own}, [text])["corpus_bleu"]
        for text, own in zip(PREDICTIONS, REFERENCES, strict=True)
    ]
    rng = np.random.default_rng(0)
    drawn = [task.bleu([rows[place] for place in rng.integers(0, len(rows), len(rows))]) for _ in range(300)]
    assert task.standard_error(rows) == pytest.approx(np.std(drawn), rel=0.2)
    assert np.isnan(task.standard_error(rows[:1]))
