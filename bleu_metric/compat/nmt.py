"""The `compute_bleu` of tensorflow/nmt and its copies: import ``bleu_metric.compat.nmt``, not the copied ``bleu.py``.

Many projects contain the code as ``bleu.py``, ``nmt_bleu.py`` or ``calc_code_bleu/bleu.py``, for example CodeXGLUE and
evaluate's `bleu`. This module follows commit 0be8642 of tensorflow/nmt and commit ac74a62 of CodeXGLUE. Some copies,
and commit 263d6dc of tensorflow/nmt, contain ``if smooth and i > 0``: they do not smooth unigrams. To get their
smoothed scores, use ``bleu_metric.corpus_bleu(…, "evaluate", smoothing="method2")``.
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any, cast

from .._statistics import BleuStatistics
from ._inputs import Tokens, count_tokens, cut_to_shorter, score_parts, warn_of_strings

__all__ = ["_bleu", "compute_bleu"]

Numbers = tuple[float, list[float], float, float, int, int]


def compute_bleu(
    reference_corpus: Iterable[Iterable[Tokens]],
    translation_corpus: Iterable[Tokens],
    max_order: int = 4,
    smooth: bool = False,
) -> Numbers:
    """Score a corpus of tokens. The shortest reference sets the brevity penalty.

    Args:
        reference_corpus: the references of each segment, as lists of tokens.
        translation_corpus: the tokens of the prediction for each segment.
        max_order: the highest n-gram order.
        smooth: add 1 to the number of matches and to the number of n-grams of every order.

    Returns:
        A tuple: BLEU from 0 to 1, precisions, brevity penalty, length ratio, translation length, reference length.

    Raises:
        ValueError: a segment has no reference.
        ZeroDivisionError: the translations or the references have no tokens.

    Warns:
        UserWarning: there are more translations than lists of references or fewer, or a text is a string.

    >>> compute_bleu([["a b c d".split()]], ["a b c".split()], max_order=2)
    (0.7165313105737893, [1.0, 1.0], 0.7165313105737893, 0.75, 3, 4)
    """
    translations, references = cut_to_shorter([*translation_corpus], [*reference_corpus])
    if not translations:
        raise ZeroDivisionError("there are no translations to score; pass at least one translation and its references")
    warn_of_strings(references[0], translations[0], "compute_bleu")
    options = options_of(max_order, smooth)
    statistics = count_tokens(translations, references, "evaluate", **options)
    return cast(Numbers, tuple(score_counted(statistics).values()))


def options_of(max_order: int, smooth: bool) -> dict[str, Any]:
    """Return our options for the two arguments of `compute_bleu`."""
    return {"max_order": max_order, "smoothing": "add-one" if smooth else "none"}


def score_counted(statistics: BleuStatistics) -> dict[str, Any]:
    """Score counted texts or tokens. Return the numbers of `compute_bleu` by name, or raise its error."""
    parts = score_parts(statistics)
    for side in ("translation", "reference"):
        if not parts[f"{side}_length"]:
            raise ZeroDivisionError(f"the {side}s have no tokens, so the length ratio is not defined")
    return parts


def _bleu(ref_file: str | PathLike[str], trans_file: str | PathLike[str], subword_option: None = None) -> float:
    """Score two files as CodeXGLUE does: one segment per line, tokens split at whitespace, with smoothing.

    Args:
        ref_file: the references, in UTF-8.
        trans_file: the translations.
        subword_option: ignored, as in CodeXGLUE.

    Returns:
        BLEU in percent, rounded to two digits.

    Raises:
        ZeroDivisionError: one of the files has no tokens.
    """
    translations = _read_lines(trans_file)
    references = [[line] for line in _read_lines(ref_file)]
    bleu, *_ = compute_bleu(references, translations, smooth=True)
    return round(100 * bleu, 2)


def _read_lines(path: str | PathLike[str]) -> list[list[str]]:
    with Path(path).open(encoding="utf-8") as lines:
        return [line.split() for line in lines]
