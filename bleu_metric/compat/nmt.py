"""The `compute_bleu` of tensorflow/nmt and its copies: write ``bleu_metric.compat.nmt`` for the copied ``bleu.py``.

The code stands in many projects as ``bleu.py``, ``nmt_bleu.py`` or ``calc_code_bleu/bleu.py``, among them CodeXGLUE and
evaluate's `bleu`. Read: tensorflow/nmt 0be8642, CodeXGLUE ac74a62.
"""

from __future__ import annotations

from collections.abc import Iterable

from .._bleu import corpus_bleu
from ._inputs import Tokens, check_same_length, number_tokens

__all__ = ["compute_bleu"]


def compute_bleu(
    reference_corpus: Iterable[Iterable[Tokens]],
    translation_corpus: Iterable[Tokens],
    max_order: int = 4,
    smooth: bool = False,
) -> tuple[float, list[float], float, float, int, int]:
    """Score a corpus of tokens; the shortest reference decides the brevity penalty.

    Args:
        reference_corpus: per segment, its references as lists of tokens.
        translation_corpus: per segment, the prediction's tokens.
        max_order: the longest n-gram.
        smooth: add 1 to matches and n-grams of every order.

    Returns:
        BLEU from 0 to 1, precisions, brevity penalty, length ratio, translation length and reference length.

    Raises:
        ValueError: a segment has no reference, or one side has fewer segments.
        ZeroDivisionError: no translation has a token, or no reference has.

    >>> compute_bleu([["a b c d".split()]], ["a b c".split()], max_order=2)
    (0.7165313105737893, [1.0, 1.0], 0.7165313105737893, 0.75, 3, 4)
    """
    predictions, references = number_tokens(translation_corpus, reference_corpus)
    check_same_length(predictions, references)
    if not predictions:
        raise ZeroDivisionError("there are no translations to score; give at least one with its references")
    smoothing = "add-one" if smooth else "none"
    score = corpus_bleu(predictions, references, "evaluate", max_order=max_order, smoothing=smoothing)
    if not score.translation_length or not score.reference_length:
        side = "references" if score.translation_length else "translations"
        raise ZeroDivisionError(f"the {side} have no token, so there is no length ratio")
    lengths = score.translation_length, int(score.reference_length)
    return (score.bleu, score.precisions, score.brevity_penalty, score.length_ratio, *lengths)
