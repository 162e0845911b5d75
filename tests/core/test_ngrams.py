"""Clipped matches of many references and long texts are the textbook's; equal keys get equal numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inner_doors import factorize, let_all_keys_collide, textbook

from bleu_metric import corpus_bleu

pytestmark = pytest.mark.usefixtures("by_arrays")

TOKENS = st.lists(
    st.sampled_from(["a", "b", "c", "aaaaaaaa", "aaaaaaaaa", "a" * 70, "a" * 71, "é", "a b", "a\0"]), max_size=12
)


SEGMENT = st.tuples(TOKENS, st.lists(TOKENS, min_size=1, max_size=6))


def _assert_same_counts(predictions: list[Any], references: list[Any], max_order: int) -> None:
    score = corpus_bleu(predictions, references, max_order=max_order)
    expected = textbook.counts(predictions, references, max_order)
    assert (score.counts, score.totals, score.translation_length, score.reference_length) == expected


@settings(max_examples=settings.default.max_examples // 2)
@given(TOKENS, st.lists(TOKENS, min_size=7, max_size=50), st.integers(1, 5))
def test_many_references(text: list[str], refs: list[list[str]], max_order: int) -> None:
    _assert_same_counts([text, text[::-1]], [refs, refs[:1]], max_order)


def test_one_segment_of_100_000_tokens() -> None:
    rng = np.random.default_rng(5)
    text, ref = (rng.zipf(1.3, 100_000) % 500).astype(str).tolist(), (rng.zipf(1.3, 99_000) % 500).astype(str).tolist()
    _assert_same_counts([text], [[ref]], 8)


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
    let_all_keys_collide(monkeypatch)
    keys = np.random.default_rng(1).integers(0, 50, 300).astype(np.uint64)
    seconds = np.random.default_rng(2).integers(0, 3, 300).astype(np.uint64)
    numbers = factorize(keys, seconds) if second else factorize(keys)
    expected = list(zip(keys.tolist(), seconds.tolist(), strict=True)) if second else keys.tolist()
    assert numbers.tolist() == _expected(expected)
