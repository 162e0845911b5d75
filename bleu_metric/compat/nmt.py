"""The `compute_bleu` of tensorflow/nmt and its copies: write ``bleu_metric.compat.nmt`` for the copied ``bleu.py``.

The code occurs in many projects as ``bleu.py``, ``nmt_bleu.py`` or ``calc_code_bleu/bleu.py``, among them CodeXGLUE and
evaluate's `bleu`. Read: tensorflow/nmt 0be8642, CodeXGLUE ac74a62. Some copies, and tensorflow/nmt 263d6dc, say ``if
smooth and i > 0``; these do not smooth unigrams, and their smoothed numbers are those of NLTK's method2.
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from .._bleu import score_texts
from ._inputs import Tokens, cut_to_shorter, number_tokens, warn_of_strings

__all__ = ["_bleu", "compute_bleu"]


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
        ValueError: a segment has no reference.
        ZeroDivisionError: no translation has a token, or no reference has.

    Warns:
        UserWarning: one side has fewer segments, or strings in place of lists of words.

    >>> compute_bleu([["a b c d".split()]], ["a b c".split()], max_order=2)
    (0.7165313105737893, [1.0, 1.0], 0.7165313105737893, 0.75, 3, 4)
    """
    translations, reference_lists = cut_to_shorter([*translation_corpus], [*reference_corpus])
    if translations:
        warn_of_strings(reference_lists[0], translations[0], "compute_bleu")
    predictions, references = number_tokens(translations, reference_lists)
    if not predictions:
        raise ZeroDivisionError("there are no translations to score; give at least one with its references")
    smoothing = "add-one" if smooth else "none"
    score = score_texts(predictions, references, "evaluate", max_order=max_order, smoothing=smoothing)
    if not score.translation_length or not score.reference_length:
        side = "references" if score.translation_length else "translations"
        raise ZeroDivisionError(f"the {side} have no token, so there is no length ratio")
    lengths = score.translation_length, int(score.reference_length)
    return (score.bleu, score.precisions, score.brevity_penalty, score.length_ratio, *lengths)


def _bleu(ref_file: str | PathLike[str], trans_file: str | PathLike[str], subword_option: None = None) -> float:
    """Score two files as CodeXGLUE does: one line per segment, tokens between white space, smoothed.

    Args:
        ref_file: the references, in UTF-8.
        trans_file: the translations.
        subword_option: not used, as in CodeXGLUE.

    Returns:
        BLEU in percent, rounded to two digits.

    Raises:
        ZeroDivisionError: one of them has no token.
    """
    references, translations = (_read_lines(path) for path in (ref_file, trans_file))
    return round(100 * compute_bleu([[reference] for reference in references], translations, smooth=True)[0], 2)


def _read_lines(path: str | PathLike[str]) -> list[list[str]]:
    with Path(path).open(encoding="utf-8") as lines:
        return [line.split() for line in lines]
