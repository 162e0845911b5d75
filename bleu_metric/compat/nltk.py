"""NLTK's BLEU: write ``bleu_metric.compat.nltk`` instead of ``nltk`` or ``nltk.translate.bleu_score``.

Names, arguments, defaults, results, warnings and types of errors equal those of NLTK 3.10.4. A smoothing function may
be a method of this module's `SmoothingFunction`, a method of NLTK's `SmoothingFunction`, or any other function that
NLTK accepts. As in NLTK, a string counts as a list of characters. A string of several words causes a warning.
"""

from __future__ import annotations

import fractions
import math
import sys
import warnings
from collections.abc import Callable, Hashable, Iterable, Sequence, Sized
from typing import Any, cast

from .. import _textbook as textbook
from .._bleu import corpus_statistics
from ._inputs import check_same_length, number_tokens, warn_of_strings
from ._library import pass_on

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "bleu",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "modified_precision",
    "sentence_bleu",
]

Text = Sequence[Hashable]
Smoothing = Callable[..., Iterable[Any]]
Score = float | list[float]
_QUARTERS = (0.25, 0.25, 0.25, 0.25)


class Fraction(fractions.Fraction):
    """A fraction that is not reduced: it keeps the numerator and the denominator that it was built from.

    >>> modified_precision([["a", "b"]], ["a", "b", "c", "d"], 1).denominator
    4
    """

    _counts: tuple[int, int] | None = None  # numerator and denominator; None if the fraction is reduced

    def __new__(cls, numerator: Any = 0, denominator: int | None = None, _normalize: bool = False) -> Fraction:
        """Build a fraction, reduced if `_normalize`. Raise ``ZeroDivisionError`` if the denominator is 0."""
        fraction = super().__new__(cls, numerator, denominator)
        if denominator is not None and not _normalize:
            fraction._counts = (numerator, denominator)
        return fraction

    @property
    def numerator(self) -> int:
        """The numerator. In a precision, it is the number of clipped matches."""
        return self._counts[0] if self._counts else super().numerator

    @property
    def denominator(self) -> int:
        """The denominator. In a precision, it is the number of n-grams, at least 1."""
        return self._counts[1] if self._counts else super().denominator


def sentence_bleu(
    references: Sequence[Text],
    hypothesis: Text,
    weights: Any = _QUARTERS,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Score:
    """Score one sentence.

    Args:
        references: the references, each a list of tokens. A string counts as a list of characters.
        hypothesis: the tokens of the prediction.
        weights: one weight per order, or several lists of weights, to get one score per list.
        smoothing_function: a method of a `SmoothingFunction`. The default is method0.
        auto_reweigh: if the weights are four times 0.25 and the hypothesis has fewer than four tokens, use one weight
            per token instead. These weights are equal.

    Returns:
        BLEU from 0 to 1, or a list of scores for several lists of weights. If no token matches, BLEU is the integer 0.

    Raises:
        KeyError: there is no reference. If the hypothesis is also empty, the error is a ``ValueError``.

    Warns:
        UserWarning: an order has no match, or a string is compared by its characters.

    >>> sentence_bleu(["the cat is on the mat".split()], "the cat sat on the mat".split(), (0.5, 0.5))
    0.7071067811865476
    """
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Sequence[Sequence[Text]],
    hypotheses: Sequence[Text],
    weights: Any = _QUARTERS,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Score:
    """Score a corpus by the sums of its counts.

    Args:
        list_of_references: the references of each segment.
        hypotheses: the prediction for each segment.
        weights: as for `sentence_bleu`.
        smoothing_function: as for `sentence_bleu`. It is called with the list of precisions and three keyword
            arguments. ``references`` and ``hypothesis`` are the texts of the last segment. ``hyp_len`` is the number of
            tokens in all hypotheses. The function may change the list in place.
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
    check_same_length(hypotheses, list_of_references, AssertionError)
    list_of_references, hypotheses = [*list_of_references], [*hypotheses]
    weight_lists = _weight_lists(weights)
    max_order = max(map(len, weight_lists))
    _check(list_of_references, hypotheses, max_order)
    lengths = [*map(len, hypotheses)]
    length, reference_length = sum(lengths), sum(map(closest_ref_length, list_of_references, lengths))
    matches = _count_matches(list_of_references, hypotheses, max_order) if max_order else [0]
    if not matches[0]:
        return 0 if len(weight_lists) == 1 else [0] * len(weight_lists)
    totals = [sum(max(1, each - order) for each in lengths) for order in range(max_order)]
    smooth = smoothing_function or SmoothingFunction().method0
    precisions = smooth(
        [*map(Fraction, matches, totals)],
        references=list_of_references[-1],
        hypothesis=hypotheses[-1],
        hyp_len=length,
    )
    penalty = brevity_penalty(reference_length, length)
    scores = []
    for weight_list in weight_lists:
        if auto_reweigh and length < len(_QUARTERS) and weight_list == _QUARTERS:
            weight_list = (1 / length,) * length  # noqa: PLW2901
        pairs = zip(weight_list, precisions)  # noqa: B905 - stops at the end of the shorter one, as NLTK does
        scores.append(penalty * math.exp(math.fsum(weight * math.log(p) for weight, p in pairs if p > 0)))
    return scores[0] if len(weight_lists) == 1 else scores


bleu = sentence_bleu  # nltk.translate exports sentence_bleu under this name


def _weight_lists(weights: Any) -> Sequence[Any]:
    try:
        weights[0][0]
    except (TypeError, IndexError):
        return [weights]
    return cast(Sequence[Any], weights)


def _check(list_of_references: list[Sequence[Text]], hypotheses: list[Text], max_order: int) -> None:
    """Raise the errors that NLTK raises, and warn of strings. `max_order` is 0 if the list of weights is empty."""
    if max_order and not hypotheses:
        raise ZeroDivisionError("there are no hypotheses to score; pass at least one hypothesis and its references")
    for row, (references, hypothesis) in enumerate(zip(list_of_references, hypotheses, strict=True)):
        if not len(references):
            error = KeyError if max_order and len(hypothesis) else ValueError
            raise error(f"segment {row} has no reference; pass at least one reference")
    if max_order:
        warn_of_strings(list_of_references[0], hypotheses[0], "NLTK")


def _count_matches(list_of_references: list[Sequence[Text]], hypotheses: list[Text], max_order: int) -> list[int]:
    """Return the total clipped matches of each order."""
    predictions, references = number_tokens(hypotheses, list_of_references)
    matches = corpus_statistics(predictions, references, "nltk", max_order=max_order).matches
    return cast(list[int], matches.sum(axis=0).tolist())


def modified_precision(references: Sequence[Text], hypothesis: Text, n: int) -> Fraction:
    """Compute the modified precision of order n: clipped matches divided by n-grams of the hypothesis.

    Args:
        references: lists of tokens.
        hypothesis: a list of tokens.
        n: the order.

    Returns:
        A fraction that is not reduced. Its denominator is at least 1.

    Raises:
        KeyError: there is no reference, and the hypothesis has at least n tokens.

    >>> modified_precision([["the", "cat"]], ["the", "the", "the"], 1)
    Fraction(1, 3)
    """
    if not len(references) and len(hypothesis) >= n:
        raise KeyError("there is no reference; pass at least one reference")
    matches = textbook.clipped_matches(hypothesis, references, n)
    return Fraction(matches, max(1, len(hypothesis) - n + 1))


def closest_ref_length(references: Iterable[Sized], hyp_len: int) -> int:
    """Return the reference length closest to `hyp_len`. In a tie, return the shorter one.

    >>> closest_ref_length([["a"] * 13, ["a"] * 11], 12)
    11
    """
    return min((abs(len(reference) - hyp_len), len(reference)) for reference in references)[1]


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """Compute the brevity penalty: 1 for a hypothesis longer than the reference, and 0 for an empty hypothesis.

    Otherwise, it is exp(1 - closest_ref_len / hyp_len).

    >>> brevity_penalty(28, 12)
    0.2635971381157267
    """
    if not hyp_len:
        return 0
    return 1 if hyp_len > closest_ref_len else math.exp(1 - closest_ref_len / hyp_len)


class SmoothingFunction:
    """The smoothing methods of Chen and Cherry 2014 (https://aclanthology.org/W14-3346) as NLTK implements them.

    Every method accepts the precisions of all orders, as `Fraction` or float, and returns the smoothed precisions.

    >>> smooth = SmoothingFunction().method1
    >>> round(sentence_bleu(["the cat is here".split()], "the cat sat".split(), smoothing_function=smooth), 4)
    0.1722
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        """Set the number that method1 adds (`epsilon`), the weight of method6's prior (`alpha`) and method4's `k`."""
        self.epsilon = epsilon
        self.alpha = alpha
        self.k = k

    def method0(self, p_n: Sequence[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Replace each precision of 0 by the smallest normal float, about 2e-308, and warn."""
        for order, precision in enumerate(p_n, 1):
            if precision.numerator == 0:
                # The text begins as NLTK's does, because warning filters match the beginning
                warnings.warn(
                    f"\nThe hypothesis contains 0 counts of {order}-gram overlaps.\n"
                    "BLEU is about 0, even if lower orders match. Pass weights for fewer orders, e.g. "
                    "weights=(0.5, 0.5), or smoothing_function=SmoothingFunction().method1.",
                    stacklevel=2,
                )
        return [precision if precision.numerator != 0 else sys.float_info.min for precision in p_n]

    def method1(self, p_n: Sequence[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Count `epsilon` matches for each order without a match."""
        return [p if p.numerator != 0 else (p.numerator + self.epsilon) / p.denominator for p in p_n]

    def method2(self, p_n: Sequence[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Add 1 to the number of matches and to the number of n-grams of each order except order 1."""
        return [p if order == 0 else Fraction(p.numerator + 1, p.denominator + 1) for order, p in enumerate(p_n)]

    def method3(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Count 1/2, 1/4, … matches for the first, second, … order without a match."""
        halved = 1
        for order, precision in enumerate(p_n):
            if precision.numerator == 0:
                halved *= 2
                p_n[order] = 1 / (halved * precision.denominator)
        return p_n

    def method4(
        self, p_n: list[Any], references: Any, hypothesis: Sized, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> list[Any]:
        """Smooth as method3 does, but multiply its matches by log(hypothesis length) / `k`: short texts score lower."""
        length = hyp_len or len(hypothesis)
        halved = 1
        for order, precision in enumerate(p_n):
            if precision.numerator == 0 and length > 1:
                halved *= 2
                p_n[order] = 1 / (halved * self.k / math.log(length)) / precision.denominator
        return p_n

    def method5(
        self, p_n: list[Any], references: Any, hypothesis: Text, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> list[Any]:
        """Replace each precision by the mean of itself, the smoothed precision one order below, and that one above."""
        following = [*p_n[1:], modified_precision(references, hypothesis, 5)]
        before = p_n[0] + 1
        for order, after in enumerate(following):
            before = p_n[order] = (before + p_n[order] + after) / 3
        return p_n

    def method6(
        self, p_n: list[Any], references: Any, hypothesis: Sized, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> list[Any]:
        """Interpolate orders 3 and higher with a prior that is computed from the precisions of the two orders below.

        Raise ``AssertionError`` if no trigram matches.
        """
        if not p_n[2]:
            raise AssertionError("method6 needs a trigram that matches; pass SmoothingFunction().method1 instead")
        for order in range(2, len(p_n)):
            prior = p_n[order - 1] ** 2 / p_n[order - 2] if p_n[order - 2] != 0 else 0
            in_last = max(0, len(hypothesis) - order)
            p_n[order] = (p_n[order].numerator + self.alpha * prior) / (in_last + self.alpha)
        return p_n

    def method7(
        self, p_n: list[Any], references: Any, hypothesis: Text, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> list[Any]:
        """Apply method 4, then method 5."""
        smoothed = self.method4(p_n, references, hypothesis, hyp_len)
        return self.method5(smoothed, references, hypothesis, hyp_len)


__getattr__ = pass_on(__name__, "nltk", "translate", "translate.bleu_score")
