"""Texts, corpora, references and orders that are very large are scored right; lists in lists are rejected."""

from __future__ import annotations

import pyarrow as pa
import pytest
from inner_doors import textbook

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


def test_ten_thousand_references() -> None:
    refs = [["a"] * (number % 7) + [str(number % 97)] for number in range(10_000)]
    corpus = [["a", "a", "7", "8"], ["x"]], [refs, [["x"]]]
    found = corpus_bleu(*corpus, max_order=3)
    expected = textbook.counts(*corpus, 3)
    assert (found.counts, found.totals, found.translation_length, found.reference_length) == expected


def test_order_1000_of_a_long_text() -> None:
    text = [str(number % 17) for number in range(1500)]
    found = corpus_bleu([text], [[text[:1200]]], max_order=1000)
    counts = [1200 - order if order < 1200 else 0 for order in range(1000)]
    whole = [sum(min(len(range(i, 1500 - n, 17)), len(range(i, 1200 - n, 17))) for i in range(17)) for n in range(1000)]
    assert found.counts == whole == counts
