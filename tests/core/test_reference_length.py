"""Every rule for the reference length gives its length, in tokens."""

from __future__ import annotations

import pytest

from bleu_metric import corpus_bleu

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
