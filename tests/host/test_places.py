"""The other places of evaluate that a metric is used in: load, combine, pickles and copies."""

from __future__ import annotations

import copy
import pickle
import sys
from pathlib import Path
from typing import Any

import evaluate
import pytest
from corpora import PREDICTIONS, REFERENCES, metric_result

import bleu_metric
from bleu_metric import corpus_bleu

pytestmark = pytest.mark.usefixtures("own_cache")


EXPECTED = metric_result(PREDICTIONS, REFERENCES)


def test_without_evaluate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "evaluate", None)
    monkeypatch.delitem(sys.modules, "bleu_metric.bleu_metric", raising=False)
    with pytest.raises(ImportError, match=r"^this needs evaluate: pip install evaluate \(.*\)$"):
        bleu_metric.load("nltk")


def test_an_installed_package_loads_its_metric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # no folder is called bleu_metric here
    expected = corpus_bleu(PREDICTIONS, REFERENCES, "nltk").to_dict()
    assert bleu_metric.load("nltk").compute(predictions=PREDICTIONS, references=REFERENCES) == expected
    metric = evaluate.load(bleu_metric.PATH, "nltk")
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == expected
    assert bleu_metric.load(config_name="nltk", experiment_id="mine").experiment_id == "mine"
    assert evaluate.load(bleu_metric.PATH, "bleu").config_name == bleu_metric.load("bleu").config_name == "evaluate"
    with pytest.raises(TypeError, match="config_name and dialect are the same option"):
        bleu_metric.load("ignite", config_name="nltk")
    for load in (bleu_metric.load, lambda **options: evaluate.load(bleu_metric.PATH, **options)):
        with pytest.raises(TypeError, match="unknown argument 'smoothing' of load; pass options of the score to comp"):
            load(smoothing="exp")
    with pytest.raises(ValueError, match="did you mean 'nltk'"):
        bleu_metric.load("nlkt")


def test_combine(metric: Any) -> None:
    """Every option goes to every metric."""
    combined = evaluate.combine([metric, bleu_metric.load("nltk")], force_prefix=True)
    result = combined.compute(predictions=PREDICTIONS, references=REFERENCES, smoothing="exp")
    names = [name.removesuffix("_signature") for name in result if name.endswith("_signature")]
    for name, dialect in zip(names, ("sacrebleu", "nltk"), strict=True):
        expected = corpus_bleu(PREDICTIONS, REFERENCES, dialect, smoothing="exp").to_dict()
        assert {key: result[f"{name}_{key}"] for key in expected} == expected
    for text, refs in zip(PREDICTIONS, REFERENCES, strict=True):
        combined.add(prediction=text, reference=refs)
    assert combined.compute()[f"{names[0]}_bleu"] == EXPECTED["bleu"]
    combined.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    assert combined.compute()[f"{names[0]}_bleu"] == EXPECTED["bleu"]


def test_copies_are_metrics_of_their_own(metric: Any) -> None:
    for other in (pickle.loads(pickle.dumps(metric)), copy.copy(metric), copy.deepcopy(metric)):
        metric.add_batch(predictions=["x"], references=["y"])
        assert other.compute(predictions=PREDICTIONS, references=REFERENCES) == EXPECTED
        assert metric.compute()["counts"] == [0, 0, 0, 0]
