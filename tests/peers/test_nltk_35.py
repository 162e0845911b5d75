"""NLTK 3.5's own numbers of the smoothing methods that are others there."""

from __future__ import annotations

import pytest

from bleu_metric import BleuConfig, corpus_bleu

# NLTK 3.5, sentence_bleu, run: hypothesis, reference -> method2, method4, method7
RECORDED = [
    ("the cat sat on the mat", "the cat is on the mat", [0.488923022435, 0.700853428671, 0.892614261912]),
    ("a b c d e f g", "a b x d y f z", [0.277761903401, 0.590019058593, 0.777272442124]),
    ("x y z w v", "x q z r v", [0.324667915475, 1.337652547485, 1.466123711552]),
    ("a b c", "a b d", [0.594603557501, 2.015133275198, 2.801795110418]),
]


@pytest.mark.parametrize(("hypothesis", "reference", "expected"), RECORDED)
def test_methods(hypothesis: str, reference: str, expected: list[float]) -> None:
    for method, number in zip(("method2", "method4", "method7"), expected, strict=True):
        smoothing = {"method2": "add-one"}.get(method, f"{method}-3.5")
        score = corpus_bleu([hypothesis], [reference], "nltk-3.5", smoothing=smoothing)
        assert score.bleu == pytest.approx(number, abs=1e-12)
        assert BleuConfig.from_signature(score.signature).smoothing == smoothing


def test_a_single_token_leaves_orders_out() -> None:
    """NLTK 3.5 divides by ln(1) = 0."""
    assert corpus_bleu(["a"], ["a"], "nltk-3.5", smoothing="method4-3.5").bleu == 1
