"""Inputs that are made to take forever take no longer than their size says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from adversarial import INPUTS, all_tables_defeated, colliding, seconds
from inner_doors import places_in_first_table, textbook

from bleu_metric import corpus_bleu

_LARGER = 16  # times the size
_MOST = 64  # times the time of the processor: halfway, on a logarithmic scale, from 16, linear, to 256, quadratic
_TRIES = 20  # the best of them counts: what else the machine does can only make one slower


@pytest.mark.heavy
@pytest.mark.parametrize("name", INPUTS)
def test_time_grows_as_the_input_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEU_METRIC_THREADS", "1")
    size, build = INPUTS[name]
    small, large = build(size // 4), build(size // 4 * _LARGER)
    best_large, best_small = math.inf, math.inf
    for _ in range(_TRIES):
        best_large, best_small = min(best_large, seconds(large, 1)), min(best_small, seconds(small, 5))
        if best_large < _MOST * best_small:
            return
    raise AssertionError(f"{_LARGER} times the size takes {best_large / best_small:.0f} times as long")


def test_the_collisions_are_collisions() -> None:
    keys = np.array(colliding(5000), np.int64).view(np.uint64)
    assert len(set(keys.tolist())) == 5000
    assert len(set(places_in_first_table(keys).tolist())) == 1


def test_counts_are_right_whatever_collides() -> None:
    tokens = colliding(300) * 2
    expected = textbook.counts([tokens], [[tokens[7:], tokens[::-1]]])

    def found() -> tuple[list[int], list[int], int, int]:
        score = corpus_bleu([tokens], [[tokens[7:], tokens[::-1]]])
        return score.counts, score.totals, score.translation_length, int(score.reference_length)

    assert found() == expected
    with all_tables_defeated():
        assert found() == expected
