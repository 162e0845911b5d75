"""Drop-in replacement for the ``bleu.py`` of tensorflow/nmt, which many projects contain a copy of.

Import ``bleu_metric.compat.nmt`` instead of the copy. Copies are also called ``nmt_bleu.py`` or
``calc_code_bleu/bleu.py``. For example, CodeXGLUE and evaluate's `bleu` contain one.

This module follows commit 0be8642 of tensorflow/nmt and commit ac74a62 of CodeXGLUE. Commit 263d6dc of tensorflow/nmt
and some copies contain the line ``if smooth and i > 0``, which excludes unigrams from smoothing. To get such scores,
use ``bleu_metric.corpus_bleu(…, "evaluate", smoothing="method2")``.
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any, cast

from .._statistics import BleuStatistics, score
from ._inputs import Tokens, count_tokens, cut_to_shorter

__all__ = ["_bleu", "compute_bleu"]

File = str | PathLike[str]
Numbers = tuple[float, list[float], float, float, int, int]
# The keys of evaluate's results, in the order of the tuple that `compute_bleu` returns
_RESULT_KEYS = ("bleu", "precisions", "brevity_penalty", "length_ratio", "translation_length", "reference_length")


def compute_bleu(
    reference_corpus: Iterable[Iterable[Tokens]],
    translation_corpus: Iterable[Tokens],
    max_order: int = 4,
    smooth: bool = False,
) -> Numbers:
    """Compute the BLEU of tokenized texts. The shortest reference of each segment sets the brevity penalty.

    Args:
        reference_corpus: for each segment, a list of references. Each reference is a list of tokens.
        translation_corpus: for each segment, the translation as a list of tokens.
        max_order: the highest n-gram order.
        smooth: whether to add 1 to the number of matches and to the number of n-grams of every order.

    Returns:
        A tuple: BLEU from 0 to 1, precisions, brevity penalty, length ratio, translation length, reference length.

    Raises:
        ValueError: a segment has no reference.
        ZeroDivisionError: the translations or the references have no tokens.

    Warns:
        UserWarning: the numbers of translations and of lists of references differ, or a text is a string instead of a
            list of tokens.

    >>> compute_bleu([["a b c d".split()]], ["a b c".split()], max_order=2)
    (0.7165313105737893, [1.0, 1.0], 0.7165313105737893, 0.75, 3, 4)
    """
    translations, references = cut_to_shorter([*translation_corpus], [*reference_corpus])
    if not translations:
        raise ZeroDivisionError("there are no translations to score; pass at least one translation and its references")

    options = options_of(max_order, smooth)
    statistics = count_tokens("compute_bleu", translations, references, "evaluate", **options)
    results = score_counted(statistics)
    return cast(Numbers, tuple(results.values()))


def options_of(max_order: int, smooth: bool) -> dict[str, Any]:
    """Return the fields of `BleuConfig` that correspond to the arguments of `compute_bleu`."""
    return {"max_order": max_order, "smoothing": "add-one" if smooth else "none"}


def score_counted(statistics: BleuStatistics) -> dict[str, Any]:
    """Return the results of `compute_bleu` as a dict. Raise ``ZeroDivisionError`` if one side has no tokens."""
    scored = score(statistics)
    results = {key: scored[key] for key in _RESULT_KEYS}
    for side in ("translation", "reference"):
        if not results[f"{side}_length"]:
            raise ZeroDivisionError(f"the {side}s have no tokens, so the length ratio is not defined")
    return results


def _bleu(ref_file: File, trans_file: File, subword_option: None = None) -> float:
    """Compute the BLEU of two files as CodeXGLUE does: smoothed, one segment per line, tokens split at whitespace.

    Args:
        ref_file: path of the references, one per line, in UTF-8.
        trans_file: path of the translations, one per line, in UTF-8.
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


def _read_lines(path: File) -> list[list[str]]:
    """Return the words of each line of a file."""
    with Path(path).open(encoding="utf-8") as lines:
        return [line.split() for line in lines]
