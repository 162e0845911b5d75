"""Every cell of a pairwise matrix is the sentence score of its pair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from many_texts import CATS, KINDS, all_pairs, random_segment

from bleu_metric import DIALECTS, pairwise_bleu, sentence_bleu

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
def test_every_cell_is_the_sentence_score_of_its_pair(dialect: str, cases: Callable[[int], int]) -> None:
    rng = np.random.default_rng(18)
    for batch in range(cases(12)):
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


def test_each_text_is_tokenized_once() -> None:
    tokenized: list[str] = []
    pairwise_bleu([["a b", "c"], ["d"]], [["e"], ["f", "g"]], tokenizer=lambda text: tokenized.append(text) or [text])
    assert sorted(tokenized) == ["a b", "c", "d", "e", "f", "g"]


def test_many_pairs_are_counted_in_several_steps() -> None:
    texts, told = [f"a b c {number % 7}" for number in range(300)], []
    matrix = pairwise_bleu(texts, progress=lambda done, total: told.append((done, total)))
    assert len(told) > 1
    assert told[-1] == (300, 300)
    np.testing.assert_array_equal(matrix[290:], pairwise_bleu(texts[290:], texts))
    told.clear()
    pairwise_bleu([["a b"] * 150] * 3, progress=lambda done, total: told.append((done, total)))
    assert told == [(150, 450), (300, 450), (450, 450)]


def test_empty_lists_are_of_the_kind_of_the_other_side() -> None:
    assert pairwise_bleu([[[1, 2]]], [[[]]])[0] == sentence_bleu([[1, 2]], [[[]]]) == 0
    assert pairwise_bleu([[[]]], [[[1, 2]]])[0] == 0


def test_one_segment_of_texts_gives_one_matrix() -> None:
    matrix = pairwise_bleu(CATS, CATS[:2])
    assert isinstance(matrix, np.ndarray)
    assert matrix.shape == (4, 2)
    np.testing.assert_array_equal(matrix, pairwise_bleu([CATS], [CATS[:2]])[0])
    np.testing.assert_array_equal(pairwise_bleu(CATS), pairwise_bleu(CATS, CATS))


def test_arrays_and_columns_are_taken() -> None:
    for column in (np.array(CATS), pa.array(CATS), pa.chunked_array([CATS])):
        np.testing.assert_array_equal(pairwise_bleu(column), pairwise_bleu(CATS))
    ids = np.array([[1, 2, 3, 4], [1, 2, 3, 5]])
    np.testing.assert_array_equal(pairwise_bleu(ids), pairwise_bleu(ids.tolist()))
    polars = pytest.importorskip("polars")
    np.testing.assert_array_equal(pairwise_bleu(polars.Series(CATS)), pairwise_bleu(CATS))
