"""Numbers of NLTK 3.5, whose smoothing methods 2, 4 and 7 have names of their own here."""

from __future__ import annotations

import pytest

from bleu_metric import corpus_bleu

# NLTK 3.5, corpus_bleu, run: hypotheses, references -> method2, method4, method7
RECORDED = [
    (["the cat sat on the mat"], ["the cat is on the mat"], [0.488923022435, 0.700853428671, 0.892614261912]),
    (["a b c d e f g"], ["a b x d y f z"], [0.277761903401, 0.590019058593, 0.777272442124]),
    (["d e", "a b"], ["d f", "c b"], [0.386097395096, 1.807143731907, 2.04440687047]),
    (
        ["a b c", "the cat sat on the mat", "d e"],
        ["a b d", "the cat is on the mat", "d"],
        [0.375311926875, 0.498267671395, 0.63891651689],
    ),
]
SMOOTHINGS = ["add-one", "method4-3.5", "method7-3.5"]


@pytest.mark.parametrize(("hypotheses", "references", "expected"), RECORDED)
def test_methods(hypotheses: list[str], references: list[str], expected: list[float]) -> None:
    scores = [corpus_bleu(hypotheses, references, "nltk", smoothing=each).bleu for each in SMOOTHINGS]
    assert scores == pytest.approx(expected, abs=1e-12)


def test_a_single_token_leaves_orders_out() -> None:
    """NLTK 3.5 divides by ln(1) = 0."""
    assert corpus_bleu(["a"], ["a"], "nltk", smoothing="method4-3.5").bleu == 1
