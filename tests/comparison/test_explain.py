"""The way from one dialect to another starts and ends at their scores, and its steps add up exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from corpora import random_corpus

from bleu_metric import DIALECTS, corpus_bleu, explain_difference


def test_steps_add_up_between_any_two_dialects() -> None:
    predictions, references = random_corpus(np.random.default_rng(3), "text")
    for left, right in permutations(DIALECTS, 2):
        explained = explain_difference(predictions, references, left, right)
        assert explained.start == corpus_bleu(predictions, references, left).bleu
        assert explained.end == corpus_bleu(predictions, references, right).bleu
        changes = [Fraction(step.after) - Fraction(step.before) for step in explained.steps]
        assert sum(changes) == Fraction(explained.end) - Fraction(explained.start)
        assert len({step.option for step in explained.steps}) == len(explained.steps)
        assert explained.steps or {left, right} == {"nltk", "nltk-3.5"}  # whose defaults are the same
        assert all(step.old != step.new for step in explained.steps)


def test_changes_that_depend_on_each_other() -> None:
    """Order 2 is not possible before method6 is gone."""
    predictions, references = ["a b c d e f"], [["a b c d x f", "a b"]]
    explained = explain_difference(predictions, references, "nltk", "ignite", smoothing="method1", weights=[0.7, 0.3])
    assert {step.option for step in explained.steps} == {"total_floor", "zero_precision", "average"}
    assert explain_difference(predictions, references, "nltk", "nltk").steps == []


def test_table_and_dict() -> None:
    explained = explain_difference(["a b c d e f"], [["a b c d x f", "a b"]], "evaluate", "bleuscore", max_order=2)
    assert str(explained).splitlines()[0].split() == ["evaluate", f"{100 * explained.start:.2f}"]
    assert "whitespace: python -> unicode" in str(explained)
    assert explained.to_dict()["steps"][0] == {
        "option": "whitespace",
        "old": "python",
        "new": "unicode",
        "before": explained.start,
        "after": explained.start,
    }


def test_several_weights() -> None:
    with pytest.raises(ValueError, match=r"a difference is explained for one score"):
        explain_difference(["a"], ["a"], "nltk", "sacrebleu", weights=[[1.0], [0.5, 0.5]])


def test_changes_add_up_to_the_difference() -> None:
    found = explain_difference(["a b c d e"], [["a b", "a b c d e f"]], "evaluate", "sacrebleu")
    assert sum(step.change for step in found.steps) == pytest.approx(found.end - found.start, rel=1e-12)
    assert found.end < found.start
