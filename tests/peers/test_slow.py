"""Any configuration, also such as no library has, gives what the slow score in plain Python gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("sacrebleu", reason="pip install '.[test]'")

import soak
from soak_cases import draw

from bleu_metric import DIALECTS, corpus_bleu

WAYS = ("corpus_bleu", "sentence_bleu", "score_dialects")


def test_any_configuration(corpora: int) -> None:
    for number in range(2 * corpora):
        way = WAYS[number // len(DIALECTS) % len(WAYS)]
        case = replace(draw(11, number), way=way, of_peer=None)
        assert not soak.check(case), f"draw(11, {number})"


def test_what_is_empty_makes_the_score_zero_by_its_rule() -> None:
    """A smoothing would give a text without references of any length a score."""
    scores = {
        dialect: corpus_bleu(["a b c d"], [""], dialect, smoothing="add-one").bleu
        for dialect in ("evaluate", "mteval-v13a", "bleuscore", "default")
    }
    assert scores["evaluate"] == scores["default"] == 0
    assert scores["mteval-v13a"] == scores["bleuscore"] == pytest.approx((1 / 5 / 4 / 3 / 2) ** (1 / 4), rel=1e-12)
