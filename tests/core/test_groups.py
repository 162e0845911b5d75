"""Equal keys get equal numbers, unequal keys do not, whatever the hash does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_metric import _ngrams
from bleu_metric._ngrams import factorize

KEYS = st.lists(st.one_of(st.integers(0, 5), st.integers(0, 2**64 - 1)), max_size=200)


def _expected(keys: list[object]) -> list[int]:
    """The last position of an equal key: the n-gram matcher tells by it whether a prediction has the key."""
    last = {key: position for position, key in enumerate(keys)}
    return [last[key] for key in keys]


@given(KEYS)
def test_one_key(keys: list[int]) -> None:
    numbers = factorize(np.array(keys, np.uint64))
    assert numbers.tolist() == _expected(keys)


@given(KEYS, st.randoms(use_true_random=False))
def test_two_keys(keys: list[int], random) -> None:
    second = [random.choice([0, 1, 2**63]) for _ in keys]
    numbers = factorize(np.array(keys, np.uint64), np.array(second, np.uint64))
    assert numbers.tolist() == _expected(list(zip(keys, second, strict=True)))


@pytest.mark.parametrize("second", [False, True])
def test_keys_that_all_collide_are_told_apart(monkeypatch: pytest.MonkeyPatch, second: bool) -> None:
    """With a hash that puts every key in one place, sorting answers."""
    monkeypatch.setattr(_ngrams, "_holders", lambda key, *_: np.full(len(key), len(key) - 1))
    keys = np.random.default_rng(1).integers(0, 50, 300).astype(np.uint64)
    seconds = np.random.default_rng(2).integers(0, 3, 300).astype(np.uint64)
    numbers = factorize(keys, seconds) if second else factorize(keys)
    expected = list(zip(keys.tolist(), seconds.tolist(), strict=True)) if second else keys.tolist()
    assert numbers.tolist() == _expected(expected)


def test_hash_spreads_the_keys_of_a_corpus() -> None:
    """Pairs of small numbers, as n-grams are, lose few places in the first table."""
    left, right = np.divmod(np.arange(40_000), 200)
    key = (left.astype(np.uint64) << np.uint64(32)) | right.astype(np.uint64)
    holders = _ngrams._holders(key, None, np.uint64(_ngrams._MULTIPLIERS[0]))
    assert (holders != np.arange(len(key))).mean() < 0.35
