"""Every rule for the reference length gives its length, in tokens."""

from __future__ import annotations

import pytest
from corpora import long_corpus

from bleu_metric import (
    corpus_bleu,
)

pytestmark = pytest.mark.usefixtures("by_arrays")


@pytest.mark.parametrize(
    ("rule", "length"),
    [
        ("closest", 3),
        ("closest-first", 5),
        ("shortest", 1),
        ("longest", 9),
        ("average", 4.5),
        ("closest-below-9999", 3),
    ],
)
def test_reference_lengths(rule: str, length: float) -> None:
    refs = ["a a a a a", "a a a", "a", "a " * 9]
    assert corpus_bleu(["b b b b"], [refs], reference_length=rule).reference_length == length


def test_average_reference_length_is_in_tokens() -> None:
    score_ = corpus_bleu(["a b c"], [["a", "a b", "a b"]], reference_length="average")
    assert score_.reference_length == pytest.approx(5 / 3, rel=1e-15)
    assert score_.length_ratio == pytest.approx(9 / 5, rel=1e-15)


def test_average_of_16_references_is_exact() -> None:
    assert corpus_bleu(["a"], [["a"] * 15 + ["a a"]], reference_length="average").reference_length == 17 / 16


def test_moses_limit() -> None:
    far = corpus_bleu(["a"], ["a " * 12_000], reference_length="closest-below-9999")
    assert far.reference_length == corpus_bleu(["a"], ["a " * 12_000], "multi-bleu").reference_length == 9999
    assert corpus_bleu(["a"], ["a " * 12_000]).reference_length == 12_000


@pytest.mark.parametrize("rule", ["closest", "shortest", "longest"])
def test_references_are_a_set(rule: str) -> None:
    predictions, references = long_corpus()
    score = corpus_bleu(predictions, references, reference_length=rule)
    reordered = corpus_bleu(predictions, [refs[::-1] for refs in references], reference_length=rule)
    doubled = corpus_bleu(predictions, [[*refs, refs[0]] for refs in references], reference_length=rule)
    assert reordered == score
    assert (doubled.bleu, doubled.counts) == (score.bleu, score.counts)
