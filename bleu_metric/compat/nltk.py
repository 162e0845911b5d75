"""Drop-in replacement for NLTK's BLEU.

In imports, replace ``nltk`` or ``nltk.translate.bleu_score`` with ``bleu_metric.compat.nltk``. This module replaces
`sentence_bleu` and `corpus_bleu`. All other names are NLTK's own, so smoothing functions and warnings come from the
installed NLTK.

The two functions have the arguments, defaults, results and errors of NLTK 3.10.4, except that a generator of references
raises ``TypeError``. As in NLTK, a string counts as a list of characters. A string of several words causes a warning.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from .._formula import counted
from .._statistics import total_row
from ._inputs import assert_same_length, count_tokens
from ._library import Lookup, needed, pass_on

with needed("nltk"):
    from nltk.translate import bleu_score as theirs

__all__ = ["bleu", "corpus_bleu", "sentence_bleu"]

Tokens = Sequence[Hashable]
Smoothing = Callable[..., Iterable[Any]]
Score = Any  # a float, or a list of floats for several lists of weights
_QUARTERS = (0.25, 0.25, 0.25, 0.25)


def sentence_bleu(
    references: Sequence[Tokens],
    hypothesis: Tokens,
    weights: Any = _QUARTERS,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Score:
    """Compute the BLEU of one sentence.

    Args:
        references: the references, each a list of tokens. A string counts as a list of characters.
        hypothesis: the tokens of the prediction.
        weights: one weight per n-gram order, or several lists of such weights to get one score per list.
        smoothing_function: a method of NLTK's `SmoothingFunction`, e.g. ``SmoothingFunction().method1``. By default,
            ``method0``.
        auto_reweigh: if all four weights are 0.25 and the hypothesis has n < 4 tokens, use n weights of 1 / n.

    Returns:
        BLEU from 0 to 1, or a list of scores for several lists of weights. If no token matches, BLEU is the integer 0.

    Raises:
        KeyError: there is no reference. If the hypothesis is also empty, the error is a ``ValueError``.

    Warns:
        UserWarning: an n-gram order has no match, or a text is a string, whose characters are then the tokens.

    >>> sentence_bleu(["the cat is on the mat".split()], "the cat sat on the mat".split(), (0.5, 0.5))
    0.7071067811865476
    """
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Sequence[Sequence[Tokens]],
    hypotheses: Sequence[Tokens],
    weights: Any = _QUARTERS,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Score:
    """Compute the BLEU of a corpus from its summed n-gram counts.

    Args:
        list_of_references: for each segment, a list of references. Each reference is a list of tokens.
        hypotheses: for each segment, the tokens of the prediction.
        weights: as for `sentence_bleu`.
        smoothing_function: as for `sentence_bleu`, or a function of your own that returns the smoothed precisions. The
            arguments are the list of precisions, which may be changed in place, and three keyword arguments.
            ``references`` and ``hypothesis`` are the texts of the last segment. ``hyp_len`` is the number of tokens in
            all hypotheses.
        auto_reweigh: as for `sentence_bleu`.

    Returns:
        BLEU from 0 to 1, or a list of scores, as for `sentence_bleu`.

    Raises:
        AssertionError: the numbers of hypotheses and of lists of references differ.
        ZeroDivisionError: there is no segment.
        KeyError: a segment has no reference. If its hypothesis is also empty, the error is a ``ValueError``.

    Warns:
        UserWarning: as for `sentence_bleu`.

    >>> references = [["the cat is on the mat".split()], ["a dog barks".split()]]
    >>> hypotheses = ["the cat sat on the mat".split(), "a dog".split()]
    >>> round(corpus_bleu(references, hypotheses, weights=[(1.0,), (0.5, 0.5)])[1], 4)
    0.674
    """
    assert_same_length(hypotheses, list_of_references)
    list_of_references = [*list_of_references]
    hypotheses = [*hypotheses]
    weight_lists = _weight_lists(weights)
    max_order = max(map(len, weight_lists))
    _check(list_of_references, hypotheses, max_order)
    if not max_order:  # the list of weights is empty
        return 0

    statistics = count_tokens("NLTK", hypotheses, list_of_references, "nltk", max_order=max_order)
    counts = counted(total_row(statistics), max_order)
    if not any(counts.matches):
        return _one_or_all([0] * len(weight_lists))

    # As in NLTK, a hypothesis has at least one n-gram of each order, and precisions are not reduced, such as 2/4
    pairs = zip(counts.matches, counts.totals, strict=True)
    smooth = smoothing_function or _without_smoothing
    precisions = smooth(
        [theirs.Fraction(n_matches, n_ngrams, _normalize=False) for n_matches, n_ngrams in pairs],
        references=list_of_references[-1],
        hypothesis=hypotheses[-1],
        hyp_len=counts.length,
    )
    penalty = theirs.brevity_penalty(counts.reference_length, counts.length)

    if auto_reweigh and counts.length < len(_QUARTERS):
        equal_weights = (1 / counts.length,) * counts.length
        weight_lists = [equal_weights if weights == _QUARTERS else weights for weights in weight_lists]
    return _one_or_all([penalty * _geometric_mean(precisions, weights) for weights in weight_lists])


bleu = sentence_bleu  # nltk.translate exports sentence_bleu under this name
_without_smoothing = theirs.SmoothingFunction().method0


def _one_or_all(scores: list[float]) -> Score:
    """Return the only score, or the list if there are several."""
    return scores[0] if len(scores) == 1 else scores


def _geometric_mean(precisions: Iterable[Any], weights: Iterable[float]) -> float:
    """Return the weighted geometric mean of the precisions above 0."""
    pairs = zip(weights, precisions)  # noqa: B905 - stops at the end of the shorter list, as NLTK does
    logs = [weight * math.log(p) for weight, p in pairs if p > 0]
    return math.exp(math.fsum(logs))


def _weight_lists(weights: Any) -> Any:
    """Return a list of lists of weights: [0.5, 0.5] -> [[0.5, 0.5]]."""
    try:
        weights[0][0]  # fails if the items are numbers, or if there are none
    except (TypeError, IndexError):
        return [weights]
    return weights


def _check(list_of_references: list[Sequence[Tokens]], hypotheses: list[Tokens], max_order: int) -> None:
    """Raise the error that NLTK raises if there is no segment, or if a segment has no reference."""
    if not hypotheses and max_order:
        raise ZeroDivisionError("there are no hypotheses to score; pass at least one hypothesis and its references")

    for row, (references, hypothesis) in enumerate(zip(list_of_references, hypotheses, strict=True)):
        if not len(references):
            error = KeyError if len(hypothesis) and max_order else ValueError
            raise error(f"segment {row} has no reference; pass at least one reference")


__getattr__: Lookup = pass_on(__name__, "nltk", "", "translate", "translate.bleu_score")
