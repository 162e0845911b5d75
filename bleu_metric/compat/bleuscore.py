"""bleuscore's `compute`: write ``from bleu_metric.compat import bleuscore`` instead of ``import bleuscore``.

The numbers equal those of bleuscore 0.2.0, which uses the formula of evaluate's `bleu` on 13a tokens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .._validation import short_repr, unknown_message
from ._inputs import count_texts, cut_to_shorter, score_parts
from ._library import pass_on

__all__ = ["compute"]
__path__: list[str] = []  # `find_submodules` finds the submodules

_RULES = {"shortest": "shortest", "hf": "shortest", "closest": "closest", "sacrebleu": "closest"}


def compute(
    references: Sequence[Sequence[str]],
    predictions: Sequence[str],
    max_order: int = 4,
    smooth: bool = False,
    ref_len_method: str = "shortest",
) -> dict[str, Any]:
    """Score a corpus of strings.

    Args:
        references: a list of references for each segment.
        predictions: the prediction for each segment.
        max_order: the highest n-gram order.
        smooth: add 1 to the number of matches and to the number of n-grams of every order.
        ref_len_method: the reference whose length sets the brevity penalty: ``"shortest"`` or ``"closest"``. Another
            name of ``"shortest"`` is ``"hf"``, and another name of ``"closest"`` is ``"sacrebleu"``.

    Returns:
        ``bleu`` from 0 to 1, ``precisions``, ``brevity_penalty``, ``length_ratio``, ``translation_length`` and
        ``reference_length``.

    Raises:
        TypeError: a segment's references are not a list.
        ValueError: `ref_len_method` is unknown, there is no segment, or a segment has no reference.

    Warns:
        UserWarning: there is not one list of references per prediction.

    >>> compute([["the cat is on the mat"]], ["the cat sat on the mat"], max_order=2)["bleu"]
    0.7071067811865476
    """
    if ref_len_method not in _RULES:
        raise ValueError(unknown_message("ref_len_method", ref_len_method, _RULES))
    for row, texts in enumerate(references):
        if isinstance(texts, str):
            raise TypeError(f"references[{row}] must be a list of strings, got {short_repr(texts)}; pass [text]")
    predictions, references = cut_to_shorter(predictions, references)
    smoothing, rule = "add-one" if smooth else "none", _RULES[ref_len_method]
    options: Any = {"max_order": max_order, "smoothing": smoothing, "reference_length": rule}
    parts = score_parts(count_texts(predictions, references, "bleuscore", **options))
    parts["length_ratio"] = _ratio(parts["translation_length"], parts["reference_length"])
    return parts


def _ratio(length: int, reference_length: float) -> float:
    """Return the length ratio. As in bleuscore, which is written in Rust, n/0 is infinite and 0/0 is NaN."""
    if reference_length:
        return length / reference_length
    return math.inf if length else math.nan


__getattr__ = pass_on("bleuscore", "")
