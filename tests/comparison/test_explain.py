"""Contributions of settings are Shapley values: they add up, and the other direction has the other sign."""

from __future__ import annotations

from itertools import permutations
from math import factorial

import numpy as np
import pytest
from corpora import random_corpus

from bleu_metric import DIALECTS, BleuConfig, corpus_bleu, explain_difference

PAIRS = list(permutations(DIALECTS, 2))


@pytest.mark.parametrize(("left", "right"), PAIRS[::17])
def test_contributions_add_up(left: str, right: str) -> None:
    corpus = random_corpus(np.random.default_rng(3), "text")
    first, last = (corpus_bleu(*corpus, dialect).bleu for dialect in (left, right))
    explained = explain_difference(*corpus, left, right)
    assert (explained.start, explained.end) == (first, last)
    assert sum(step.change for step in explained.steps) == pytest.approx(last - first, abs=1e-12)
    options = {(step.option, step.old, step.new) for step in explained.steps}
    assert len(options) == len(explained.steps) > 0
    back = explain_difference(*corpus, right, left)
    there = [(step.option, step.new, step.old, -step.change) for step in explained.steps]
    assert there == [(step.option, step.old, step.new, step.change) for step in back.steps]


def test_the_definition() -> None:
    """A contribution is the mean effect of a change over all orders."""
    corpus = random_corpus(np.random.default_rng(9), "text")
    start = BleuConfig(smoothing="exp", max_order=2)
    changes = {"lowercase": True, "smoothing": "none", "reference_length": "shortest", "average": "sentence"}
    effects = dict.fromkeys(changes, 0.0)
    for order in permutations(changes):
        config = start
        for name in order:
            before = corpus_bleu(*corpus, config).bleu
            config = config.with_options({name: changes[name]})
            effects[name] += corpus_bleu(*corpus, config).bleu - before
    expected = {name: effect / factorial(len(changes)) for name, effect in effects.items()}
    found = explain_difference(*corpus, start, start.with_options(changes))
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
