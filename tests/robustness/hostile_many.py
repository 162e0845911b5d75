"""Sets of texts that anyone might pass, asked of the functions that compare every text with every other."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from hostile import CONTAINERS, LEAVES, dressed, junk, refusal
from hostile_corpora import Draw, one_of
from hypothesis import strategies as st

from bleu_metric import (
    DIALECTS,
    SELF_BLEU_DEFINITIONS,
    distinct_n,
    leave_one_out_bleu,
    mbr,
    oracle_bleu,
    pairwise_bleu,
    self_bleu,
    sentence_bleu,
)


def _texts(draw: Draw, kind: str) -> Any:
    """A few texts in any container, with something wrong among them now and then."""
    texts = draw(st.lists(LEAVES[kind], min_size=0 if _seldom(draw) else 1, max_size=4))
    if texts and _seldom(draw):
        texts[draw(st.integers(0, len(texts) - 1))] = draw(junk())
    return dressed(draw(st.sampled_from(sorted(CONTAINERS))), texts) if draw(st.booleans()) else texts


def _segments(draw: Draw, kind: str, number: int) -> Any:
    """A list of texts per segment."""
    segments = [_texts(draw, kind) for _ in range(number)]
    if segments and _seldom(draw):
        segments[draw(st.integers(0, number - 1))] = draw(junk())
    return segments


def _seldom(draw: Draw) -> bool:
    return draw(st.integers(0, 9)) == 0


def _options(draw: Draw) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if draw(st.booleans()):
        options["max_order"] = one_of(draw, 1, 2, 5, 0, None, 1.5, 10_001)
    if _seldom(draw):
        options["weights"] = draw(junk())
    if draw(st.booleans()):
        options["dialect"] = draw(st.sampled_from([*DIALECTS, "nlkt"]))
    return options


def _ask_pairs(draw: Draw, kind: str, number: int) -> Any:
    hypotheses = _segments(draw, kind, number) if draw(st.booleans()) else _texts(draw, kind)
    references = None if draw(st.booleans()) else _segments(draw, kind, number)
    options = _options(draw)
    matrices = pairwise_bleu(hypotheses, references, **options)
    for matrix in matrices if isinstance(matrices, list) else [matrices]:
        _check_scores(matrix)
    return matrices


def _ask_own_pairs(draw: Draw, kind: str, number: int) -> Any:
    """Each cell is the sentence score of its pair."""
    texts = draw(st.lists(LEAVES[kind], min_size=1, max_size=4))
    dialect = draw(st.sampled_from(sorted(DIALECTS)))
    matrix = pairwise_bleu([texts], dialect=dialect)[0]
    for row, text in enumerate(texts):
        expected = sentence_bleu([text] * len(texts), [[other] for other in texts], dialect)
        np.testing.assert_allclose(matrix[row], expected, rtol=1e-12, atol=0)
    return matrix


def _ask_mbr(draw: Draw, kind: str, number: int) -> Any:
    candidates = _segments(draw, kind, number) if draw(st.booleans()) else _texts(draw, kind)
    references = None if draw(st.booleans()) else _segments(draw, kind, number)
    weights = None if draw(st.booleans()) else one_of(draw, [1, 2], [[1.0], [0.5, 0.5]], [0], [-1], draw(junk()))
    result = mbr(candidates, references, weights, aggregate=draw(st.booleans()), **_options(draw))
    for best, scores in zip(result.best, result.scores, strict=True):
        _check_scores(scores)
        assert scores[best] == max(scores)
    return result


def _ask_self_bleu(draw: Draw, kind: str, number: int) -> Any:
    texts = _texts(draw, kind)
    groups = None if draw(st.booleans()) else one_of(draw, ["a", "b", "a", "b"], [1, 1], ["a", None], draw(junk()))
    offline = [name for name in SELF_BLEU_DEFINITIONS if name != "texygen"]  # which needs data of NLTK's
    definition = draw(st.sampled_from([*offline, "zhu"]))
    result = self_bleu(texts, definition, groups=groups, **_options(draw))
    _check_scores(np.array([result.bleu]))
    return result


def _ask_distinct(draw: Draw, kind: str, number: int) -> Any:
    result = distinct_n(_texts(draw, kind), one_of(draw, 1, 4, 0, None, 2.5))
    assert all(0 <= ratio <= 1 for ratio in result.ratios)
    return result


def _ask_oracle(draw: Draw, kind: str, number: int) -> Any:
    result = oracle_bleu(_segments(draw, kind, number), _segments(draw, kind, number), **_options(draw))
    assert result.worst.bleu >= 0
    return result


def _ask_leave_one_out(draw: Draw, kind: str, number: int) -> Any:
    predictions = None if draw(st.booleans()) else _texts(draw, kind)
    result = leave_one_out_bleu(_segments(draw, kind, number), predictions, **_options(draw))
    _check_scores(np.array([result.references]))
    return result


def _check_scores(scores: Any) -> None:
    assert scores.dtype == np.float64
    assert all(math.isfinite(score) and score >= 0 for score in scores.ravel())


ASKED: list[Callable[[Draw, str, int], Any]] = [
    _ask_pairs,
    _ask_own_pairs,
    _ask_mbr,
    _ask_self_bleu,
    _ask_distinct,
    _ask_oracle,
    _ask_leave_one_out,
]


def ask_for_many(draw: Draw) -> str:
    ask, kind = one_of(draw, *ASKED), draw(st.sampled_from(sorted(LEAVES)))
    number = draw(st.integers(0 if _seldom(draw) else 1, 3))
    try:
        ask(draw, kind, number)
    except AssertionError:
        raise
    except Exception as error:  # noqa: BLE001
        return refusal(error)
    return "right number"
