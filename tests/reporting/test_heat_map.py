"""The picture of a pairwise matrix: what is drawn where, and what is rejected."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bleu_metric import plot_pairwise

MATRIX = np.array([[1.0, 0.1, 0.2], [0.1, 1.0, 0.6], [0.2, 0.6, 1.0]])


def labels(axis: Any) -> list[str]:
    return [label.get_text() for label in axis.get_ticklabels()]


def test_texts_with_themselves_are_sorted_and_have_an_empty_diagonal() -> None:
    axes = plot_pairwise(MATRIX, names=["a", "b", "c"]).axes[0]
    assert labels(axes.yaxis) == labels(axes.xaxis) == ["c", "b", "a"]
    drawn = axes.images[0].get_array()
    assert drawn.mask.tolist() == np.eye(3, dtype=bool).tolist()
    np.testing.assert_allclose(drawn[0, 1:], [60, 20])
    assert [text.get_text() for text in axes.texts] == ["60", "20", "60", "10", "20", "10"]


def test_other_references_have_their_own_names_and_order() -> None:
    scores = np.array([[0.1, 0.9], [0.2, 0.95], [0.0, 0.3]])
    axes = plot_pairwise(scores, names=["x", "y", "z"], column_names=["p", "q"]).axes[0]
    assert (labels(axes.yaxis), labels(axes.xaxis)) == (["y", "x", "z"], ["q", "p"])
    axes = plot_pairwise(scores, sort=False).axes[0]
    assert (labels(axes.yaxis), labels(axes.xaxis)) == (["0", "1", "2"], ["0", "1"])


def test_many_texts_have_some_names_and_no_numbers() -> None:
    axes = plot_pairwise(np.random.default_rng(0).random((100, 90)), sort=False).axes[0]
    assert not axes.texts
    assert labels(axes.yaxis)[:3] == ["0", "3", "6"]


BAD: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
    ([[1.0]], {}, TypeError, r"scores must be an array of shape \(N, M\)"),
    (np.zeros((2, 2, 2)), {}, TypeError, r"scores must be an array of shape \(N, M\)"),
    (np.zeros((0, 2)), {}, ValueError, "scores is empty"),
    (MATRIX, {"names": ["a"]}, ValueError, "names must be a list of 3 names"),
    (np.zeros((2, 3)), {"column_names": "abc"}, ValueError, "column_names must be a list of 3 names"),
    (MATRIX, {"path": "x.gif"}, ValueError, r"a picture's name must end in one of .png, .svg, .pdf; got 'x.gif'"),
]


@pytest.mark.parametrize(("scores", "options", "error", "text"), BAD)
def test_bad_input(scores: Any, options: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        plot_pairwise(scores, **options)
