"""The evaluator of docs/integrations.md, in a task of OpenCompass, beside its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from frameworks.pipelines import run_opencompass
from frameworks.recorded import recorded_outputs
from project.test_documents import FRAMEWORK_BLOCKS

from bleu_metric import corpus_bleu

pytest.importorskip("opencompass", reason="pip install opencompass 'pyarrow<22'")
pytestmark = pytest.mark.filterwarnings("ignore")

PREDICTIONS, REFERENCES = recorded_outputs(60)


def _evaluator() -> type:
    """Run the block that a user pastes, and take its class."""
    (code,) = (code for framework, code, _ in FRAMEWORK_BLOCKS if framework == "opencompass")
    names: dict[str, Any] = {}
    exec(code, names)
    evaluator: type = names["CorpusBleuEvaluator"]
    return evaluator


def test_all_references_count(tmp_path: Path) -> None:
    expected = 100 * corpus_bleu(PREDICTIONS, REFERENCES, "sacrebleu").bleu
    assert run_opencompass(tmp_path, _evaluator(), PREDICTIONS, REFERENCES) == {"bleu": pytest.approx(expected)}


def test_of_one_reference_it_is_their_number(tmp_path: Path) -> None:
    from opencompass.openicl.icl_evaluator import BleuEvaluator

    one_each = [own[:1] for own in REFERENCES]
    ours = run_opencompass(tmp_path / "ours", _evaluator(), PREDICTIONS, one_each)
    theirs = run_opencompass(tmp_path / "theirs", BleuEvaluator, PREDICTIONS, one_each)
    assert ours["bleu"] == pytest.approx(theirs["score"], rel=1e-12)
    with pytest.raises(ValueError, match="the same number of references"):
        run_opencompass(tmp_path / "several", BleuEvaluator, PREDICTIONS, REFERENCES)
