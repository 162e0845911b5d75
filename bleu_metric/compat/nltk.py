"""NLTK's BLEU: write ``bleu_metric.compat.nltk`` for ``nltk.translate.bleu_score``.

Names, arguments, defaults, results and warnings are those of NLTK 3.10.4. A smoothing function may be a method of the
`SmoothingFunction` here, a method of NLTK's own, or any function that NLTK would call.
"""

from __future__ import annotations

import fractions
import math
import warnings
from collections.abc import Callable, Hashable, Iterable, Sequence, Sized
from typing import Any, NamedTuple, SupportsFloat, cast

import numpy as np

from .. import _textbook as textbook
from .._bleu import corpus_statistics
from .._smoothing import SMOOTHINGS, Context
from ._inputs import check_has_references, check_same_length, number_tokens

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
Smoothing = Callable[..., Sequence[SupportsFloat]]
Score = float | list[float]
_QUARTERS = (0.25, 0.25, 0.25, 0.25)


class Fraction(fractions.Fraction):
    """A fraction that keeps its numerator and denominator as they were counted.

    >>> modified_precision([["a", "b"]], ["a", "b", "c", "d"], 1).denominator
    4
    """

    _counts: tuple[int, int] | None = None  # arithmetic makes fractions without them

    def __new__(cls, numerator: int = 0, denominator: int = 1) -> Fraction:
        """Keep both numbers; a denominator of 0 is a ``ZeroDivisionError``."""
        fraction = super().__new__(cls, numerator, denominator)
        fraction._counts = (numerator, denominator)
        return fraction

    @property
    def numerator(self) -> int:
        """The clipped matches."""
        return self._counts[0] if self._counts else super().numerator

    @property
    def denominator(self) -> int:
        """The number of n-grams, at least 1."""
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
        references: its references, each a list of tokens. A string is a list of characters.
        hypothesis: the prediction's tokens.
        weights: one weight per order; or a list of such lists, for one score each.
        smoothing_function: a method of a `SmoothingFunction`; method0 if not given.
        auto_reweigh: with four weights of 0.25 and fewer than four tokens, use as many equal weights as there are
            tokens.

    Returns:
        BLEU from 0 to 1, a list of scores for a list of lists of weights. Without a matching token it is the integer 0.

    Raises:
        ValueError: there is no reference.

    >>> sentence_bleu(["the cat is on the mat".split()], "the cat sat on the mat".split(), (0.5, 0.5))
    0.7071067811865476
    """
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Iterable[Sequence[Text]],
    hypotheses: Iterable[Text],
    weights: Any = _QUARTERS,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Score:
    """Score a corpus by the sums of its counts.

    Args:
        list_of_references: per segment, its references.
        hypotheses: per segment, the prediction.
        weights: as for `sentence_bleu`, and so are the other arguments.
        smoothing_function: see there. It is called with the list of precisions, and ``references``, ``hypothesis`` and
            ``hyp_len`` by name: the last segment's texts, and the number of tokens of all hypotheses.
        auto_reweigh: see there.

    Returns:
        As `sentence_bleu`.

    Raises:
        AssertionError: there are more hypotheses than lists of references, or fewer.
        ZeroDivisionError: there is no segment.
        ValueError: a segment has no reference.

    >>> references = [["the cat is on the mat".split()], ["a dog barks".split()]]
    >>> hypotheses = ["the cat sat on the mat".split(), "a dog".split()]
    >>> round(corpus_bleu(references, hypotheses, weights=[(1.0,), (0.5, 0.5)])[1], 4)
    0.674
    """
    segments, texts = list(list_of_references), list(hypotheses)
    check_same_length(texts, segments, AssertionError)
    if not texts:
        raise ZeroDivisionError("there are no hypotheses to score; give at least one with its references")
    weight_lists = _weight_lists(weights)
    counts = _count(segments, texts, max(map(len, weight_lists)))
    if not any(counts.matches[:1]):
        return 0 if len(weight_lists) == 1 else [0] * len(weight_lists)
    smooth = smoothing_function or SmoothingFunction().method0
    precisions = smooth(
        list(map(Fraction, counts.matches, counts.totals)),
        references=segments[-1],
        hypothesis=texts[-1],
        hyp_len=counts.length,
    )
    penalty = brevity_penalty(counts.reference_length, counts.length)
    if auto_reweigh and counts.length < len(_QUARTERS):
        weight_lists = [_reweigh(weight_list, counts.length) for weight_list in weight_lists]
    scores = [penalty * _geometric_mean(weight_list, precisions) for weight_list in weight_lists]
    return scores[0] if len(weight_lists) == 1 else scores


bleu = sentence_bleu  # its name in nltk.translate


def _weight_lists(weights: Any) -> Sequence[Sequence[float]]:
    try:
        weights[0][0]
    except (TypeError, IndexError):
        return [weights]
    return cast(Sequence[Sequence[float]], weights)


def _reweigh(weights: Sequence[float], length: int) -> Sequence[float]:
    is_default = isinstance(weights, tuple) and weights == _QUARTERS
    return (1 / length,) * length if is_default else weights


def _geometric_mean(weights: Sequence[float], precisions: Sequence[SupportsFloat]) -> float:
    """Leave out precisions of 0, and orders that have no weight or no precision."""
    pairs = zip(weights, map(float, precisions))  # noqa: B905
    return math.exp(math.fsum(weight * math.log(precision) for weight, precision in pairs if precision > 0))


class _Counts(NamedTuple):
    """Sums over the corpus."""

    matches: list[int]  # (orders,)
    totals: list[int]  # (orders,), at least 1 for each segment
    length: int
    reference_length: int


def _count(list_of_references: Sequence[Sequence[Text]], hypotheses: Sequence[Text], max_order: int) -> _Counts:
    check_has_references(list_of_references)
    predictions, references = number_tokens(hypotheses, list_of_references)
    statistics = corpus_statistics(predictions, references, "nltk", max_order=max(1, max_order))
    *counts, length, reference_length = statistics.total().table[0].tolist()
    orders = len(counts) // 2
    return _Counts(counts[:orders], counts[orders:], length, reference_length)


def modified_precision(references: Sequence[Text], hypothesis: Text, n: int) -> Fraction:
    """Divide the clipped matches of order n by the hypothesis' number of n-grams, or by 1 if it has none.

    Args:
        references: lists of tokens.
        hypothesis: a list of tokens.
        n: the order.

    Returns:
        A fraction that is not reduced.

    >>> modified_precision([["the", "cat"]], ["the", "the", "the"], 1)
    Fraction(1, 3)
    """
    matches = textbook.clipped_matches(hypothesis, references, n)
    return Fraction(matches, max(1, len(hypothesis) - n + 1))


def closest_ref_length(references: Iterable[Sized], hyp_len: int) -> int:
    """Find the reference length nearest to `hyp_len`; of two that are equally near, the shorter.

    >>> closest_ref_length([["a"] * 13, ["a"] * 11], 12)
    11
    """
    return min((abs(len(reference) - hyp_len), len(reference)) for reference in references)[1]


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """Compute exp(1 - r/c); 1 for a hypothesis that is longer than its reference, 0 for an empty one.

    >>> brevity_penalty(28, 12)
    0.2635971381157267
    """
    if not hyp_len:
        return 0
    return 1 if hyp_len > closest_ref_len else math.exp(1 - closest_ref_len / hyp_len)


class SmoothingFunction:
    """The smoothing methods of Chen and Cherry 2014 (https://aclanthology.org/W14-3346) as NLTK has them.

    Every method takes the precisions of all orders, `Fraction` or float, and returns the smoothed ones.

    >>> smooth = SmoothingFunction().method1
    >>> round(sentence_bleu(["the cat is here".split()], "the cat sat".split(), smoothing_function=smooth), 4)
    0.1722
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        """`epsilon` is method 1's count, `alpha` method 6's weight of the prior, `k` method 4's divisor."""
        self.epsilon = epsilon
        self.alpha = alpha
        self.k = k

    def method0(self, p_n: Sequence[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Replace precisions of 0 by the smallest float, with a warning for each."""
        for order, precision in enumerate(p_n, 1):
            if precision.numerator == 0:
                # The first line is NLTK's: filters of warnings match it
                warnings.warn(
                    f"\nThe hypothesis contains 0 counts of {order}-gram overlaps.\n"
                    "BLEU is about 0, whatever matches at lower orders. Use lower orders (weights) or a "
                    "smoothing_function.",
                    stacklevel=2,
                )
        return _smooth("method0", p_n)

    def method1(self, p_n: Sequence[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Count `epsilon` matches where there are none."""
        return _smooth("method1", p_n, self.epsilon)

    def method2(self, p_n: Sequence[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Add 1 to matches and n-grams of order 2 and higher."""
        return _smooth("method2", p_n)

    def method3(self, p_n: Sequence[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Count 1/2, 1/4, … matches where there are none."""
        return _smooth("method3", p_n)

    def method4(
        self,
        p_n: Sequence[Any],
        references: Any,
        hypothesis: Sized,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """Count fewer matches than method 3 where there are none, the fewer the shorter the hypothesis."""
        return _smooth("method4", p_n, self.k, length=hyp_len or len(hypothesis))

    def method5(
        self,
        p_n: Sequence[Any],
        references: Any,
        hypothesis: Text,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """Average each precision with its neighbours."""
        return _smooth("method5", p_n, precision_5=float(modified_precision(references, hypothesis, 5)))

    def method6(
        self,
        p_n: Sequence[Any],
        references: Any,
        hypothesis: Sized,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """Interpolate with a prior that the two lower orders give; ``AssertionError`` without a trigram match."""
        if not p_n[2]:
            raise AssertionError("method6 needs a trigram that matches; take another method for texts this short")
        return _smooth("method6", p_n, self.alpha, hypothesis_length=len(hypothesis))

    def method7(
        self,
        p_n: Sequence[Any],
        references: Any,
        hypothesis: Text,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """Apply method 4, then method 5."""
        smoothed = self.method4(p_n, references, hypothesis, hyp_len)
        return self.method5(smoothed, references, hypothesis, hyp_len)


def _smooth(
    method: str,
    precisions: Sequence[Any],
    value: float = 0.0,
    *,
    length: int = 0,
    precision_5: float = 0.0,
    hypothesis_length: int = 0,
) -> list[Any]:
    """Apply the engine's formula. Precisions that it does not change stay as they are, fractions or floats."""
    matches: Any = np.array([float(getattr(precision, "numerator", precision)) for precision in precisions])
    totals: Any = np.array([float(getattr(precision, "denominator", 1)) for precision in precisions])
    context = Context(np.array(length), np.array(precision_5), np.array(hypothesis_length))
    smoothed = SMOOTHINGS[method].formula(matches, totals, value, context).tolist()
    return [old if float(old) == new else new for old, new in zip(precisions, smoothed, strict=True)]
