"""Clipped matches of many references and long texts are the textbook's, whatever keys have one hash."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inner_doors import AVAILABLE_ENGINES, let_all_keys_collide, textbook, use_engine

from bleu_metric import corpus_bleu

pytestmark = pytest.mark.usefixtures("by_arrays")

TOKENS = st.lists(
    st.sampled_from(["a", "b", "c", "aaaaaaaa", "aaaaaaaaa", "a" * 70, "a" * 71, "é", "a b", "a\0"]), max_size=12
)
HALF = settings(max_examples=settings.default.max_examples // 2)


def _assert_same_counts(predictions: list[Any], references: list[Any], max_order: int) -> None:
    expected = textbook.counts(predictions, references, max_order)
    for engine in AVAILABLE_ENGINES:
        with pytest.MonkeyPatch.context() as patch:
            use_engine(patch, engine)
            score = corpus_bleu(predictions, references, max_order=max_order)
        assert (score.counts, score.totals, score.translation_length, score.reference_length) == expected


@HALF
@given(TOKENS, st.lists(TOKENS, min_size=7, max_size=50), st.integers(1, 5))
def test_many_references(text: list[str], refs: list[list[str]], max_order: int) -> None:
    _assert_same_counts([text, text[::-1]], [refs, refs[:1]], max_order)


@HALF
@given(TOKENS, st.lists(TOKENS, min_size=1, max_size=9))
def test_keys_that_all_collide_are_told_apart(text: list[str], refs: list[list[str]]) -> None:
    """With a hash that puts every key in one place, sorting answers."""
    with pytest.MonkeyPatch.context() as patch:
        let_all_keys_collide(patch)
        _assert_same_counts([text, text[::-1]], [refs, refs[:1]], 4)


def test_one_segment_of_100_000_tokens() -> None:
    rng = np.random.default_rng(5)
    text, ref = (rng.zipf(1.3, 100_000) % 500).astype(str).tolist(), (rng.zipf(1.3, 99_000) % 500).astype(str).tolist()
    _assert_same_counts([text], [[ref]], 8)
