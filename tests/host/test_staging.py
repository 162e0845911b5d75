"""What was staged well is scored, whatever went wrong before. A single process writes no file and no lock."""

from __future__ import annotations

from typing import Any

import evaluate
import numpy as np
import pytest
from corpora import PREDICTIONS, REFERENCES, metric_result
from waiting import no_waiting

import bleu_metric

pytestmark = pytest.mark.usefixtures("own_cache")


TOKENS = [text.split() for text in PREDICTIONS]


IDS = [[len(token) for token in tokens] for tokens in TOKENS]


BAD_CALLS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"predictions": ["a", 1], "references": ["a", "b"]}, TypeError, r"predictions\[1\] holds 1 \(int\)"),
    ({"predictions": ["a"]}, TypeError, r"references is missing"),
    ({"predictions": ["a"], "references": ["a"], "smooth": True}, TypeError, r"unknown option 'smooth'"),
    ({"predictions": ["a"], "references": ["a"], "tokenizer": lambda _: 1 / 0}, ZeroDivisionError, "division by zero"),
    ({}, ValueError, r"there is nothing to score: pass predictions and references"),
]


@pytest.mark.parametrize(("arguments", "error", "text"), BAD_CALLS)
@pytest.mark.parametrize("in_memory", [False, True])
def test_a_metric_that_raised_scores_again_at_once(
    arguments: dict[str, Any], error: type[Exception], text: str, in_memory: bool
) -> None:
    metric = evaluate.load(bleu_metric.PATH, keep_in_memory=in_memory)
    expected = metric_result(PREDICTIONS, REFERENCES)
    for one in (metric, evaluate.load(bleu_metric.PATH, keep_in_memory=in_memory)):
        with pytest.raises(error, match=text):
            metric.compute(**arguments)
        with no_waiting():  # a lock that is kept makes evaluate wait a second
            assert one.compute(predictions=PREDICTIONS, references=REFERENCES) == expected


BAD = {"predictions": ["a", 3], "references": ["a", "b"]}
MIXED = {"predictions": [["a"]], "references": [["a"]]}
TWO_MORE = {"predictions": ["x"], "references": ["y"]}
# A call that raises an error, and a word of the error
WRONG_CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("add_batch", BAD, r"predictions\[1\] holds 3"),
    (
        "add_batch",
        MIXED,
        r"from predictions.2. onwards, the rows are lists of tokens .strings., but the rows before are strings",
    ),
    ("add_batch", {"prediction": ["a"], "references": ["a"]}, r"unknown input 'prediction' \(did you mean 'pred"),
    ("add_batch", {"smoothing": "exp"}, r"unknown input 'smoothing'; .*; pass options to compute"),
    ("compute", {"confidence": 95}, "confidence"),
    ("compute", {"confidence": 0.9, "seed": -1}, "seed"),
    ("compute", {"n_resamples": 0}, "n_resamples"),
    ("compute", {"sentence_scores": "no"}, "sentence_scores"),
    ("compute", {"sentence_score": True}, r"unknown option 'sentence_score' \(did you mean 'sentence_scores'\?\)"),
    ("compute", {"groups": ["a"]}, "groups"),
    ("compute", {"groups": [1.5, 2.5]}, "groups"),
    ("compute", {"groups": ["a"] * 4, **TWO_MORE}, "groups"),
]


def test_a_wrong_call_leaves_what_is_staged(metric: Any) -> None:
    metric.add_batch(predictions=PREDICTIONS[:2], references=REFERENCES[:2])
    for method, arguments, text in WRONG_CALLS:
        with pytest.raises((TypeError, ValueError), match=text):
            getattr(metric, method)(**arguments)
        assert len(metric) == 2
    metric.add_batch(predictions=PREDICTIONS[2:], references=REFERENCES[2:])
    groups = ["x", "y", *"x" * (len(PREDICTIONS) - 2)]
    result = metric.compute(groups=groups)
    assert [*result.pop("groups")] == ["x", "y"]
    assert result == metric_result(PREDICTIONS, REFERENCES)
    with pytest.raises(ValueError, match=r"there is nothing to score"):
        metric.compute(groups=["a"])


def test_rows_that_are_passed_join_those_that_were_added(metric: Any) -> None:
    metric.add_batch(predictions=PREDICTIONS[:1], references=REFERENCES[:1])
    result = metric.compute(predictions=PREDICTIONS[1:], references=REFERENCES[1:])
    assert result == metric_result(PREDICTIONS, REFERENCES)


def test_the_first_batches_are_empty_lists(metric: Any) -> None:
    """They are kept until a batch shows whether the tokens are strings or ids."""
    predictions, references = [[], [], *IDS], [[[]], [[], []], *([ids] for ids in IDS[::-1])]
    for prediction, of_one in zip(predictions, references, strict=True):
        metric.add(prediction=prediction, reference=of_one)
    assert metric.compute() == metric_result(predictions, references)
    metric.add_batch(predictions=predictions[:2], references=references[:2])
    assert len(metric) == 2
    metric.add(prediction=["a"], reference=["a"])
    assert metric.compute()["translation_length"] == 1
    metric.add_batch(predictions=predictions[:2], references=references[:2])
    assert metric.compute() == metric_result(predictions[:2], references[:2])
    with pytest.raises(ValueError, match=r"there is nothing to score"):
        metric.compute()


@pytest.mark.parametrize("kind", [str, str.split, lambda text: [len(token) for token in text.split()]])
def test_many_single_rows(metric: Any, kind: Any) -> None:
    texts = [f"a b c {'d ' * (n % 7)}w{n}" for n in range(1000)]
    predictions, references = list(map(kind, texts)), list(map(kind, texts[::-1]))
    for prediction, reference in zip(predictions, references, strict=True):
        metric.add(prediction=prediction, reference=reference)
    assert len(metric) == 1000
    assert metric.compute() == metric_result(predictions, references)


def test_a_tokenizer_that_draws_numbers_draws_those_of_evaluates_seed(metric: Any) -> None:
    def half(text: str) -> list[str]:
        return [token for token in text.split() if np.random.random() < 0.5]  # noqa: NPY002

    texts = {"predictions": ["a b c d e f g h"] * 30, "references": ["a b c d e f g h"] * 30, "tokenizer": half}
    first = metric.compute(**texts, max_order=1)
    state = np.random.get_state()[1].tolist()  # noqa: NPY002
    assert metric.compute(**texts, max_order=1) == first
    assert np.random.get_state()[1].tolist() == state  # noqa: NPY002
    with_other_seeds = [evaluate.load(bleu_metric.PATH, seed=seed).compute(**texts, max_order=1) for seed in (1, 2, 3)]
    assert any(result != first for result in with_other_seeds)  # two seeds can give equal counts
