"""evaluate's `bleu` and `sacrebleu` through `compat.evaluate`."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import pytest

import bleu_metric
from bleu_metric.compat import evaluate

TEXTS = ["the cat sat on the mat", "a dog barks at me"]
REFERENCES = [["the cat sat on a mat"], ["the dog barks at me"]]

# evaluate's own metrics, run: metrics/bleu with tensorflow/nmt's bleu.py, metrics/sacrebleu with sacrebleu 2.6.0
RESULTS: dict[str, dict[str, Any]] = {
    "bleu": {
        "bleu": 0.5942170746468833,
        "precisions": [0.8181818181818182, 0.6666666666666666, 0.5714285714285714, 0.4],
        "brevity_penalty": 1.0,
        "length_ratio": 1.0,
        "translation_length": 11,
        "reference_length": 11,
    },
    "sacrebleu": {
        "score": 59.421707464688346,
        "counts": [9, 6, 4, 2],
        "totals": [11, 9, 7, 5],
        "precisions": [81.81818181818181, 66.66666666666667, 57.142857142857146, 40.0],
        "bp": 1.0,
        "sys_len": 11,
        "ref_len": 11,
    },
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_evaluates(name: str) -> None:
    metric = evaluate.load(name)
    assert metric.name == name
    flat = [references[0] for references in REFERENCES]
    for references in (REFERENCES, flat):
        result = metric.compute(predictions=TEXTS, references=references)
        assert [*result] == [*RESULTS[name]]
        assert result == {key: pytest.approx(value, rel=1e-14) for key, value in RESULTS[name].items()}
        assert [*map(type, result.values())] == [*map(type, RESULTS[name].values())]
    metric.add_batch(predictions=TEXTS[:1], references=REFERENCES[:1])
    metric.add(prediction=TEXTS[1], reference=REFERENCES[1])
    assert pickle.loads(pickle.dumps(evaluate.load(name))).name == name
    assert metric.compute() == result


@pytest.mark.parametrize(
    ("name", "predictions", "references", "error"),
    [
        ("bleu", [], [], IndexError),
        ("bleu", [""], [""], ZeroDivisionError),
        ("bleu", ["a"], [[]], ValueError),
        ("sacrebleu", [], [], IndexError),
        ("sacrebleu", ["a"], [[]], IndexError),
    ],
)
def test_errors_are_evaluates(name: str, predictions: list[str], references: list[Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        evaluate.load(name).compute(predictions=predictions, references=references)


def test_different_numbers_of_references_are_named() -> None:
    with pytest.raises(ValueError, match="same number of references for each prediction, got 1 to 2"):
        evaluate.load("sacrebleu").compute(predictions=["a", "b"], references=[["a"], ["b", "c"]])


def test_a_string_instead_of_a_list_is_noticed() -> None:
    metric = evaluate.load("bleu")
    with pytest.warns(UserWarning, match=r"predictions is one string, and evaluate scores each of its characters"):
        assert metric.compute(predictions="a b", references=["a", " ", "b"])["bleu"] == 0
    with pytest.warns(UserWarning, match=r"references is one string, and evaluate scores each of its characters"):
        assert metric.compute(predictions=["a", " ", "b"], references="a b")["bleu"] == 0


def test_sacrebleu_is_needed_to_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error comes before the first epoch, not after it."""
    monkeypatch.delitem(sys.modules, "bleu_metric.compat.sacrebleu", raising=False)
    monkeypatch.delattr(bleu_metric.compat, "sacrebleu", raising=False)
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(ImportError, match="pip install sacrebleu"):
        evaluate.load("sacrebleu")


def test_metrics_are_combined() -> None:
    options = {"predictions": TEXTS, "references": REFERENCES}
    both = evaluate.combine(["bleu", evaluate.load("sacrebleu")], force_prefix=True).compute(**options)
    assert [*both] == [f"{name}_{key}" for name, result in RESULTS.items() for key in result]
    named = evaluate.combine({"x": "bleu", "y": "bleu"}).compute(**options)
    assert named["x_bleu"] == named["y_bleu"] == pytest.approx(0.5942170746468833)


def test_other_metrics_are_evaluates() -> None:
    folder = evaluate.load(bleu_metric.PATH, "nltk")
    assert folder.compute(predictions=TEXTS, references=REFERENCES)["bleu"] > 0
    assert bleu_metric.load("bleu").config_name == "evaluate"
    assert evaluate.EvaluationModule.__module__ == "evaluate.module"
    with pytest.raises(FileNotFoundError):
        evaluate.load("./no-metric")
