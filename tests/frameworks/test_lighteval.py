"""The metric for lighteval, in runs of its pipeline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from frameworks.pipelines import run_lighteval
from frameworks.recorded import recorded_outputs

from bleu_metric import corpus_bleu

pytest.importorskip("lighteval", reason="pip install 'bleu_metric[lighteval]'")
pytestmark = pytest.mark.filterwarnings("ignore")

PREDICTIONS, REFERENCES = recorded_outputs(60)
ONE_EACH = [own[:1] for own in REFERENCES]


def _score(predictions: list[str], references: list[list[str]]) -> float:
    return 100 * corpus_bleu(predictions, references, "sacrebleu").bleu


def test_all_references_and_the_error_of_resamples(tmp_path: Path) -> None:
    results = run_lighteval(tmp_path, "ours", PREDICTIONS, REFERENCES)
    assert set(results) == {"corpus_bleu", "corpus_bleu_stderr"}
    assert results["corpus_bleu"] == pytest.approx(_score(PREDICTIONS, REFERENCES), rel=1e-12)
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(300):
        places = rng.integers(0, 60, 60)
        drawn.append(_score([PREDICTIONS[place] for place in places], [REFERENCES[place] for place in places]))
    assert results["corpus_bleu_stderr"] == pytest.approx(np.std(drawn), rel=0.2)


def test_of_one_reference_it_is_their_number(tmp_path: Path) -> None:
    ours = run_lighteval(tmp_path, "ours", PREDICTIONS, ONE_EACH)
    theirs = run_lighteval(tmp_path, "theirs", PREDICTIONS, ONE_EACH)
    assert ours["corpus_bleu"] == pytest.approx(theirs["bleu"], rel=1e-12)
    assert theirs["bleu_stderr"] * 10 == pytest.approx(ours["corpus_bleu_stderr"], rel=0.35), "divided by sqrt(100)"
    of_several = run_lighteval(tmp_path, "theirs", PREDICTIONS, REFERENCES, bootstrap_iters=0)
    assert of_several["bleu"] == theirs["bleu"], "it leaves out the other references"
