"""Texts, corpora, references and orders that are very large are scored right; lists in lists are rejected."""

from __future__ import annotations

import pyarrow as pa
import pytest

from bleu_metric import corpus_bleu

pytestmark = pytest.mark.heavy


def test_one_segment_of_50_megabytes() -> None:
    words = 50_000_000 // 50
    text = ("a" * 49 + " ") * words
    score = corpus_bleu([text, "b"], [[text], ["b c"]], max_order=2)
    assert (score.counts, score.totals) == ([words + 1, words - 1], [words + 1, words - 1])


def test_a_million_empty_segments() -> None:
    score = corpus_bleu([""] * 1_000_000, [[""]] * 1_000_000)
    assert (score.bleu, score.totals, score.reference_length) == (0.0, [0] * 4, 0)
    column = pa.nulls(1_000_000, pa.string()).fill_null("")
    assert corpus_bleu(column, column) == score
    with pytest.raises(ValueError, match=r"references\[999999\] has no reference"):
        corpus_bleu([""] * 1_000_000, [[""]] * 999_999 + [[]])
