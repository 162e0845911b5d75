"""Inputs that are made to take forever take no longer than their size says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from adversarial import INPUTS, all_tables_defeated, colliding, seconds

from bleu_metric import _ngrams, corpus_bleu
from bleu_metric import _textbook as reference

_LARGER = 16
_MOST = 40  # times as long; a quadratic input takes 256 times as long


@pytest.mark.parametrize("name", INPUTS)
def test_time_grows_as_the_input_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEU_METRIC_THREADS", "1")
    size, build = INPUTS[name]
    small, large = build(size // 4), build(size // 4 * _LARGER)
    best_large, best_small = math.inf, math.inf
    for _ in range(5):  # the machine may be busy with something else
        best_large, best_small = min(best_large, seconds(large, 1)), min(best_small, seconds(small, 5))
        if best_large < _MOST * best_small:
            return
    raise AssertionError(f"{_LARGER} times the size takes {best_large / best_small:.0f} times as long")


def test_the_collisions_are_collisions() -> None:
    keys = np.array(colliding(5000), np.int64).view(np.uint64)
    assert len(set(keys.tolist())) == 5000
    holder = _ngrams._holders(keys, np.zeros(5000, np.uint64), np.uint64(_ngrams._MULTIPLIERS[0]))
    assert len(set(holder.tolist())) == 1


def test_counts_are_right_whatever_collides() -> None:
    tokens = colliding(300) * 2
    expected = reference.counts([tokens], [[tokens[7:], tokens[::-1]]])

    def found() -> tuple[list[int], list[int], int, int]:
        score = corpus_bleu([tokens], [[tokens[7:], tokens[::-1]]])
        return score.counts, score.totals, score.translation_length, int(score.reference_length)

    assert found() == expected
    with all_tables_defeated():
        assert found() == expected
