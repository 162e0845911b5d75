"""The evaluator of docs/integrations.md, in a task of OpenCompass, beside its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from frameworks.recorded import recorded_outputs
from project.test_documents import FRAMEWORK_BLOCKS

from bleu_metric import corpus_bleu

pytest.importorskip("opencompass", reason="pip install opencompass 'pyarrow<22'")
pytestmark = pytest.mark.filterwarnings("ignore")

PREDICTIONS, REFERENCES = recorded_outputs(60)


def run(folder: Path, evaluator: type, references: list[list[str]]) -> dict[str, float]:
    """Evaluate predictions that lie in the folder of a run, as a task of OpenCompass does."""
    from datasets import Dataset, DatasetDict
    from mmengine.config import ConfigDict
    from opencompass.datasets.base import BaseDataset
    from opencompass.tasks.openicl_eval import OpenICLEvalTask
    from opencompass.utils import get_infer_output_path

    class Recorded(BaseDataset):
        @staticmethod
        def load(**_: Any) -> Any:
            rows = Dataset.from_dict({"row": list(map(str, range(len(references)))), "references": references})
            return DatasetDict(train=rows, test=rows)

    columns = {"input_columns": ["row"], "output_column": "references"}
    model = ConfigDict(abbr="recorded", type="recorded")
    data = ConfigDict(abbr="own", type=Recorded, reader_cfg=columns, eval_cfg={"evaluator": {"type": evaluator}})
    outputs = {str(row): {"origin_prompt": str(row), "prediction": text} for row, text in enumerate(PREDICTIONS)}
    given, results = (
        Path(get_infer_output_path(model, data, str(folder / name))) for name in ("predictions", "results")
    )
    given.parent.mkdir(parents=True)
    given.write_text(json.dumps(outputs))
    OpenICLEvalTask(ConfigDict(models=[model], datasets=[[data]], work_dir=str(folder))).run()
    scores: dict[str, float] = json.loads(results.read_text())
    return scores


def _evaluator() -> type:
    """Run the block that a user pastes, and take its class."""
    (code,) = (code for framework, code, _ in FRAMEWORK_BLOCKS if framework == "opencompass")
    names: dict[str, Any] = {}
    exec(code, names)
    evaluator: type = names["CorpusBleuEvaluator"]
    return evaluator


def test_all_references_count(tmp_path: Path) -> None:
    expected = 100 * corpus_bleu(PREDICTIONS, REFERENCES, "sacrebleu").bleu
    assert run(tmp_path, _evaluator(), REFERENCES) == {"bleu": pytest.approx(expected)}


def test_of_one_reference_it_is_their_number(tmp_path: Path) -> None:
    from opencompass.openicl.icl_evaluator import BleuEvaluator

    one_each = [own[:1] for own in REFERENCES]
    ours = run(tmp_path / "ours", _evaluator(), one_each)
    theirs = run(tmp_path / "theirs", BleuEvaluator, one_each)
    assert ours["bleu"] == pytest.approx(theirs["score"], rel=1e-12)
    with pytest.raises(ValueError, match="the same number of references"):
        run(tmp_path / "several", BleuEvaluator, REFERENCES)
