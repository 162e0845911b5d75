"""Every cell of a pairwise matrix is the sentence score of its pair."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from many_texts import CATS, KINDS, all_pairs, random_segment

from bleu_metric import DIALECTS, pairwise_bleu, sentence_bleu
from bleu_metric.many import pairwise, texts

OPTIONS: list[dict[str, Any]] = [
    {},
    {"max_order": 1},
    {"max_order": 6, "smoothing": "add-k"},
    {"smoothing": "method5"},
    {"smoothing": "method7", "lowercase": True},
    {"smoothing": "exp", "effective_order": True, "lowercase": "after"},
    {"reference_length": "average", "total_floor": "segment", "auto_reweigh": True},
    {"reference_length": "closest-below-9999", "zero_score": "never", "smoothing": "floor"},
    {"weights": [0.1, 0.2, 0.7], "smoothing": "method4"},
]


def expected(rows: list[Any], columns: list[Any], dialect: str, options: dict[str, Any]) -> Any:
    scores = sentence_bleu(*all_pairs(rows, columns), dialect, **options)
    return scores.reshape(len(rows), len(columns))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_cell_is_the_sentence_score_of_its_pair(
    dialect: str, cases: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(18)
    for batch in range(cases(12)):
        monkeypatch.setattr(pairwise, "_MOST_BYTES_PER_MATRIX", int(rng.choice([1, 100, 2000, 1 << 23])))
        monkeypatch.setattr(texts, "_MOST_TEXTS_PER_CHUNK", int(rng.choice([1, 5, 4000])))
        monkeypatch.setattr(pairwise, "_MOST_PAIRS_PER_TILE", int(rng.choice([1, 5, 1 << 14])))
        monkeypatch.setattr(pairwise, "_FEW_PAIRS", int(rng.choice([0, 0, 1000])))  # 0: in tiles, even if they are few
        kind = KINDS[batch % 3]
        options = OPTIONS[int(rng.integers(len(OPTIONS)))]
        rows = [random_segment(rng, kind) for _ in range(int(rng.integers(1, 4)))]
        columns = [random_segment(rng, kind) for _ in rows]
        for own_columns, matrices in (
            (columns, pairwise_bleu(rows, columns, dialect, **options)),
            (rows, pairwise_bleu(rows, None, dialect, **options)),
        ):
            for row, column, matrix in zip(rows, own_columns, matrices, strict=True):
                np.testing.assert_allclose(matrix, expected(row, column, dialect, options), rtol=0, atol=1e-12)


def test_few_texts_are_tokenized_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most 5, unless one segment has more."""
    monkeypatch.setattr(texts, "_MOST_TEXTS_PER_CHUNK", 5)
    steps: list[str] = []
    segments = [[f"{row} {place}" for place in range(size)] for row, size in enumerate((7, 2, 2, 2))]
    pairwise_bleu(segments, tokenizer=lambda text: steps.append("text") or [text], progress=lambda *_: steps.append(""))
    assert [len(list(own)) for step, own in groupby(steps) if step] == [7, 4, 2]


def test_one_segment_of_texts_gives_one_matrix() -> None:
    matrix = pairwise_bleu(CATS, CATS[:2])
    assert isinstance(matrix, np.ndarray)
    assert matrix.shape == (4, 2)
    np.testing.assert_array_equal(matrix, pairwise_bleu([CATS], [CATS[:2]])[0])
    np.testing.assert_array_equal(pairwise_bleu(CATS), pairwise_bleu(CATS, CATS))


def test_progress_ends_with_all_hypotheses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "_MOST_TEXTS_PER_CHUNK", 200)
    told: list[tuple[int, int]] = []
    pairwise_bleu([["a b"] * 150] * 3, progress=lambda done, total: told.append((done, total)))
    assert told == [(150, 450), (300, 450), (450, 450)]


def test_arrays_and_columns_are_taken() -> None:
    for column in (np.array(CATS), pa.array(CATS), pa.chunked_array([CATS])):
        np.testing.assert_array_equal(pairwise_bleu(column), pairwise_bleu(CATS))
    ids = np.array([[1, 2, 3, 4], [1, 2, 3, 5]])
    np.testing.assert_array_equal(pairwise_bleu(ids), pairwise_bleu(ids.tolist()))
    polars = pytest.importorskip("polars")
    np.testing.assert_array_equal(pairwise_bleu(polars.Series(CATS)), pairwise_bleu(CATS))
