"""Contributions of settings are Shapley values: they add up, and the other direction has the other sign."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations
from math import factorial
from typing import Any

import numpy as np
import pytest
from corpora import random_corpus
from inner_doors import step_weights

from bleu_metric import DIALECTS, BleuConfig, corpus_bleu, explain_difference

PAIRS = list(permutations(DIALECTS, 2))


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_contributions_of_any_two_dialects(seed: int) -> None:
    predictions, references = random_corpus(np.random.default_rng(seed), "text")
    scores = {dialect: corpus_bleu(predictions, references, dialect).bleu for dialect in DIALECTS}
    explained = {pair: explain_difference(predictions, references, *pair) for pair in PAIRS}
    for (left, right), found in explained.items():
        assert (found.start, found.end) == (scores[left], scores[right])
        assert sum(step.change for step in found.steps) == pytest.approx(found.end - found.start, abs=1e-12)
        back = explained[right, left]
        assert [(step.option, step.new, step.old, -step.change) for step in found.steps] == [
            (step.option, step.old, step.new, step.change) for step in back.steps
        ]
        assert len({step.option for step in found.steps}) == len(found.steps)
        assert found.steps or {left, right} == {"nltk", "nltk-3.5"}  # whose defaults are the same
        assert not found.note


def test_the_walk_from_one_dialect_to_the_other() -> None:
    predictions, references = random_corpus(np.random.default_rng(3), "text")
    for left, right in PAIRS:
        walked = explain_difference(predictions, references, left, right, in_order=True)
        scores = [walked.start, *(step.after for step in walked.steps)]
        assert scores[-1] == walked.end == corpus_bleu(predictions, references, right).bleu
        assert [step.change for step in walked.steps] == [after - before for before, after in pairwise(scores)]
        by_shapley = explain_difference(predictions, references, left, right)
        assert {(step.option, step.old, step.new) for step in walked.steps} == {
            (step.option, step.old, step.new) for step in by_shapley.steps
        }


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


def test_changes_that_depend_on_each_other() -> None:
    """Order 2 is not possible before method6 is gone: orders that begin with it do not count."""
    predictions, references = ["a b c d e f"], [["a b c d x f", "a b"]]
    start, end = BleuConfig(smoothing="method6", max_order=4), BleuConfig(smoothing="none", max_order=2)
    middle = BleuConfig(smoothing="none", max_order=4)
    with pytest.raises(ValueError, match=r"method6"):
        BleuConfig(smoothing="method6", max_order=2)
    scores = [corpus_bleu(predictions, references, config).bleu for config in (start, middle, end)]
    for pair, sign in (((start, end), 1), ((end, start), -1)):
        for in_order in (False, True):
            found = explain_difference(predictions, references, *pair, in_order=in_order)
            assert {step.option: step.change for step in found.steps} == {
                "smoothing": sign * (scores[1] - scores[0]),
                "max_order": sign * (scores[2] - scores[1]),
            }
    assert explain_difference(predictions, references, "nltk", "nltk").steps == []


EVERYTHING = {
    "tokenizer": "whitespace",
    "lowercase": True,
    "strip": False,
    "max_order": 3,
    "smoothing": "exp",
    "reference_length": "shortest",
    "effective_order": True,
    "average": "sentence",
    "total_floor": "segment",
    "whitespace": "unicode",
    "zero_score": "empty",
    "zero_precision": "drop",
}


def test_many_settings_are_sampled() -> None:
    """With more than 10 settings, random orders are walked from both ends: the other direction has the other sign."""
    predictions, references = random_corpus(np.random.default_rng(3), "text")
    start = BleuConfig()
    end = start.with_options({name: value for name, value in EVERYTHING.items() if getattr(start, name) != value})
    there, back = (explain_difference(predictions, references, *pair) for pair in ((start, end), (end, start)))
    assert len(there.steps) > 10
    assert there.note == back.note == "mean of 200 random orders of the settings (seed 12345)"
    assert str(there).splitlines()[-1] == there.note
    assert there.note in there._repr_html_()
    assert sum(step.change for step in there.steps) == pytest.approx(there.end - there.start, abs=1e-12)
    assert [step.change for step in there.steps] == [-step.change for step in back.steps]


def _possible(state: int) -> bool:
    return state & 0b101 != 0b100  # the third change needs the first


@pytest.mark.parametrize("changes", [3, 4, 11])
def test_weights_of_steps(changes: int) -> None:
    weights = step_weights(changes, _possible)
    for change in range(changes):
        assert sum(weight for (_, made), weight in weights.items() if made == change) == pytest.approx(1)
    assert all(_possible(state) and _possible(state | 1 << change) for state, change in weights)
    last = (1 << changes) - 1
    mirrored = step_weights(changes, lambda state: _possible(last ^ state))
    assert mirrored == {(last ^ (state | 1 << change), change): weight for (state, change), weight in weights.items()}
    if changes == 3:  # of the orders 012, 021 and 102 are possible
        assert {step: Fraction(weight).limit_denominator(9) for step, weight in weights.items()} == {
            (0b000, 0): Fraction(2, 3),
            (0b000, 1): Fraction(1, 3),
            (0b001, 1): Fraction(1, 3),
            (0b001, 2): Fraction(1, 3),
            (0b010, 0): Fraction(1, 3),
            (0b011, 2): Fraction(2, 3),
            (0b101, 1): Fraction(1, 3),
        }
    assert step_weights(changes, lambda state: state in (0, last)) == {}


def test_table_and_dict() -> None:
    predictions, references = ["a b c d e f"], [["a b c d x f", "a b"]]
    explained = explain_difference(predictions, references, "evaluate", "bleuscore", max_order=2)
    assert str(explained).splitlines()[0].split() == ["evaluate", f"{100 * explained.start:.2f}"]
    assert "whitespace: python -> unicode" in str(explained)
    step = {"option": "whitespace", "old": "python", "new": "unicode", "change": 0.0, "after": None}
    assert explained.to_dict()["steps"][0] == explained.rows()[0] == step
    walked = explain_difference(predictions, references, "evaluate", "bleuscore", max_order=2, in_order=True)
    assert walked.rows()[0] == {**step, "after": walked.start}
    assert str(walked).splitlines()[1].split()[-2:] == ["+0.00", f"{100 * walked.start:.2f}"]


def test_several_weights() -> None:
    with pytest.raises(ValueError, match=r"a difference is explained for one score"):
        explain_difference(["a"], ["a"], "nltk", "sacrebleu", weights=[[1.0], [0.5, 0.5]])
