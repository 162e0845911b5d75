"""Contributions of settings are Shapley values: they add up, and the other direction has the other sign."""

from __future__ import annotations

from itertools import pairwise, permutations
from math import factorial
from typing import Any

import numpy as np
import pytest
from corpora import random_corpus

from bleu_metric import DIALECTS, BleuConfig, corpus_bleu, explain_difference

PAIRS = list(permutations(DIALECTS, 2))


@pytest.mark.parametrize(("left", "right"), PAIRS[::17])
def test_contributions_and_steps_add_up(left: str, right: str) -> None:
    corpus = random_corpus(np.random.default_rng(3), "text")
    first, last = (corpus_bleu(*corpus, dialect).bleu for dialect in (left, right))
    explained = explain_difference(*corpus, left, right)
    walked = explain_difference(*corpus, left, right, in_order=True)
    for found in (explained, walked):
        assert (found.start, found.end) == (first, last)
        assert sum(step.change for step in found.steps) == pytest.approx(last - first, abs=1e-12)
    options = [(step.option, step.old, step.new) for step in explained.steps]
    assert options == [(step.option, step.old, step.new) for step in walked.steps]
    assert len(set(options)) == len(options) > 0
    back = explain_difference(*corpus, right, left)
    there = [(step.option, step.new, step.old, -step.change) for step in explained.steps]
    assert there == [(step.option, step.old, step.new, step.change) for step in back.steps]
    scores = [walked.start, *(step.after for step in walked.steps)]
    assert [step.change for step in walked.steps] == [after - before for before, after in pairwise(scores)]


def _over_all_orders(predictions: Any, references: Any, start: BleuConfig, changes: dict[str, Any]) -> dict[str, float]:
    """The definition: the mean effect of each change over all orders."""
    effects: dict[str, list[float]] = {name: [] for name in changes}
    for order in permutations(changes):
        done: dict[str, Any] = {}
        for name in order:
            before = corpus_bleu(predictions, references, start.with_options(done)).bleu
            done[name] = changes[name]
            effects[name].append(corpus_bleu(predictions, references, start.with_options(done)).bleu - before)
    return {name: sum(parts) / factorial(len(changes)) for name, parts in effects.items()}


def test_the_definition() -> None:
    predictions, references = random_corpus(np.random.default_rng(9), "text")
    start = BleuConfig(smoothing="exp", max_order=2)
    changes = {"lowercase": True, "smoothing": "none", "reference_length": "shortest", "average": "sentence"}
    expected = _over_all_orders(predictions, references, start, changes)
    found = explain_difference(predictions, references, start, start.with_options(changes))
    assert {step.option: step.change for step in found.steps} == pytest.approx(expected, abs=1e-14)
    assert any(expected.values())


def test_options_that_are_changed_together() -> None:
    predictions, references = ["a b c d e f"], [["a b c d x f", "a b"]]
    start, end = BleuConfig(smoothing="floor", smoothing_value=0.2), BleuConfig(max_order=2, weights=[0.7, 0.3])
    found = explain_difference(predictions, references, start, end)
    assert [(step.option, step.old, step.new) for step in found.steps] == [
        ("max_order", 4, "2 (0.7, 0.3)"),
        ("smoothing", "floor 0.2", "exp"),
    ]
    assert explain_difference(predictions, references, "nltk", "nltk").steps == []


def test_table_and_dict() -> None:
    predictions, references = ["a b c d e f"], [["a b c d x f", "a b"]]
    explained = explain_difference(predictions, references, "evaluate", "bleuscore", max_order=2)
    assert str(explained).splitlines()[0].split() == ["evaluate", f"{100 * explained.start:.2f}"]
    assert "whitespace: python -> unicode" in str(explained)
    assert (
        repr(explained) == f"<Explanation evaluate {100 * explained.start:.2f} -> bleuscore {100 * explained.end:.2f}>"
    )
    step = {"option": "whitespace", "old": "python", "new": "unicode", "change": 0.0, "after": None}
    assert explained.to_dict()["steps"][0] == explained.rows()[0] == step
    walked = explain_difference(predictions, references, "evaluate", "bleuscore", max_order=2, in_order=True)
    assert walked.rows()[0] == {**step, "after": walked.start}
    assert str(walked).splitlines()[1].split()[-2:] == ["+0.00", f"{100 * walked.start:.2f}"]


def test_several_weights() -> None:
    with pytest.raises(ValueError, match=r"a difference is explained for one score"):
        explain_difference(["a"], ["a"], "nltk", "sacrebleu", weights=[[1.0], [0.5, 0.5]])
