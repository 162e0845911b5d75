"""The other places of evaluate that a metric is used in: load, combine, pickles and copies."""

from __future__ import annotations

import copy
import pickle
import sys
from pathlib import Path
from typing import Any

import evaluate
import pytest
from corpora import PREDICTIONS, REFERENCES

import bleu_metric
from bleu_metric import corpus_bleu

FOLDER = Path(bleu_metric.__file__).parent


pytestmark = pytest.mark.usefixtures("own_cache")


EXPECTED = corpus_bleu(PREDICTIONS, REFERENCES).to_dict()


def test_without_evaluate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "evaluate", None)
    with pytest.raises(ModuleNotFoundError, match=r"^evaluate is not installed: pip install evaluate$"):
        bleu_metric.load("nltk")


def test_an_installed_package_loads_its_metric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # no folder is called bleu_metric here
    expected = corpus_bleu(PREDICTIONS, REFERENCES, "nltk").to_dict()
    assert bleu_metric.load("nltk").compute(predictions=PREDICTIONS, references=REFERENCES) == expected
    metric = evaluate.load(bleu_metric.PATH, "nltk")
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == expected
    assert bleu_metric.load(experiment_id="mine").experiment_id == "mine"
    with pytest.raises(ValueError, match="did you mean 'nltk'"):
        bleu_metric.load("nlkt")


LENGTHS = '''
import datasets
import evaluate
class Lengths(evaluate.Metric):
    """A second metric, written as evaluate's own are."""
    def _info(self):
        features = [datasets.Features({"predictions": datasets.Value("string"),
                                       "references": datasets.Sequence(datasets.Value("string"))})]
        return evaluate.MetricInfo(description="d", citation="c", inputs_description="i", features=features)
    def _compute(self, predictions, references, smoothing=None):
        return {"characters": sum(map(len, predictions))}
'''


def test_combine(metric: Any, tmp_path: Path) -> None:
    """With a metric written as evaluate's own are; every option goes to every metric."""
    (tmp_path / "lengths").mkdir()
    (tmp_path / "lengths" / "lengths.py").write_text(LENGTHS)
    combined = evaluate.combine([metric, evaluate.load(str(tmp_path / "lengths"))])
    scored = corpus_bleu(PREDICTIONS, REFERENCES, smoothing="exp").to_dict()
    expected = {**scored, "characters": sum(map(len, PREDICTIONS))}
    assert combined.compute(predictions=PREDICTIONS, references=REFERENCES, smoothing="exp") == expected
    for text, refs in zip(PREDICTIONS, REFERENCES, strict=True):
        combined.add(prediction=text, reference=refs)
    assert combined.compute()["bleu"] == EXPECTED["bleu"]
    combined.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    assert combined.compute()["bleu"] == EXPECTED["bleu"]


def test_copies_are_metrics_of_their_own(metric: Any) -> None:
    for other in (pickle.loads(pickle.dumps(metric)), copy.copy(metric), copy.deepcopy(metric)):
        metric.add_batch(predictions=["x"], references=["y"])
        assert other.compute(predictions=PREDICTIONS, references=REFERENCES) == EXPECTED
        assert metric.compute()["counts"] == [0, 0, 0, 0]
