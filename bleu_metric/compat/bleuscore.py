"""Drop-in replacement for bleuscore: use ``from bleu_metric.compat import bleuscore``, not ``import bleuscore``.

The scores equal those of bleuscore 0.2.0, which splits texts with the tokenizer ``13a`` and uses the formula of
evaluate's `bleu`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .._validation import short_repr, unknown_message
from ._inputs import count_texts, cut_to_shorter, score_as_dict
from ._library import pass_on
from .nmt import options_of

__all__ = ["compute"]

_RULES = {"shortest": "shortest", "hf": "shortest", "closest": "closest", "sacrebleu": "closest"}


def compute(
    references: Sequence[Sequence[str]],
    predictions: Sequence[str],
    max_order: int = 4,
    smooth: bool = False,
    ref_len_method: str = "shortest",
) -> dict[str, Any]:
    """Compute the BLEU of a corpus.

    Args:
        references: for each segment, a list of reference strings.
        predictions: for each segment, the prediction as a string.
        max_order: the highest n-gram order.
        smooth: whether to add 1 to the number of matches and to the number of n-grams of every order.
        ref_len_method: which reference sets the brevity penalty: the ``"shortest"``, or the one whose length is
            ``"closest"`` to the prediction's. ``"hf"`` also means ``"shortest"``, and ``"sacrebleu"`` also means
            ``"closest"``.

    Returns:
        A dict: ``bleu`` from 0 to 1, ``precisions``, ``brevity_penalty``, ``length_ratio``, ``translation_length`` and
        ``reference_length``.

    Raises:
        TypeError: a segment's references are not a list.
        ValueError: `ref_len_method` is unknown, there is no segment, or a segment has no reference.

    Warns:
        UserWarning: the numbers of predictions and of lists of references differ.

    >>> compute([["the cat is on the mat"]], ["the cat sat on the mat"], max_order=2)["bleu"]
    0.7071067811865476
    """
    if ref_len_method not in _RULES:
        raise ValueError(unknown_message("ref_len_method", ref_len_method, _RULES))
    for row, texts in enumerate(references):
        if isinstance(texts, str):
            raise TypeError(f"references[{row}] must be a list of strings, got {short_repr(texts)}; pass [text]")

    predictions, references = cut_to_shorter(predictions, references)
    options = options_of(max_order, smooth)
    options["reference_length"] = _RULES[ref_len_method]
    statistics = count_texts(predictions, references, "bleuscore", **options)

    results = score_as_dict(statistics)
    if not results["reference_length"]:
        # As in Rust, in which bleuscore is written, n / 0 is infinity and 0 / 0 is NaN
        results["length_ratio"] = math.inf if results["translation_length"] else math.nan
    return results


__getattr__ = pass_on(__name__, "bleuscore", "")
