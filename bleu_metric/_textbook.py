"""BLEU as the paper defines it, in code that is slow but short enough to check by eye.

The tests compare the results of the package with this file. Texts are lists of tokens, and the reference length is the
closest length. There are no tokenizers, smoothings or dialects.

Papineni, Roukos, Ward and Zhu (2002): BLEU: a Method for Automatic Evaluation of Machine Translation, section 2.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence

Tokens = Sequence[Hashable]


def ngrams(tokens: Tokens, order: int) -> Counter[tuple[Hashable, ...]]:
    """Count the n-grams of one text: ``ngrams("abab", 2)`` returns ``{("a", "b"): 2, ("b", "a"): 1}``."""
    starts = range(len(tokens) - order + 1)
    return Counter(tuple(tokens[start : start + order]) for start in starts)


def clipped_matches(prediction: Tokens, references: Sequence[Tokens], order: int) -> int:
    """Count the matches, each n-gram at most as often as in a single reference: "aaa", ["a", "aa"], 1 -> 2."""
    # n-gram -> its largest count in a single reference
    limits: Counter[tuple[Hashable, ...]] = Counter()
    for reference in references:
        limits |= ngrams(reference, order)  # keeps the larger of two counts
    clipped = ngrams(prediction, order) & limits  # keeps the smaller of two counts
    return clipped.total()


def closest_length(prediction: Tokens, references: Sequence[Tokens]) -> int:
    """Return the reference length closest to the prediction's length, or the shorter of two that are equally close."""

    def distance(length: int) -> tuple[int, int]:
        return abs(length - len(prediction)), length

    return min(map(len, references), key=distance)


def brevity_penalty(translation_length: int, reference_length: int) -> float:
    """Return exp(1 - reference_length / translation_length), or 1 if the translation is not shorter.

    Return 0 if only the translation is empty.
    """
    if translation_length >= reference_length:
        return 1.0
    if not translation_length:
        return 0.0
    return math.exp(1 - reference_length / translation_length)


def counts(
    predictions: Sequence[Tokens], references: Sequence[Sequence[Tokens]], max_order: int = 4
) -> tuple[list[int], list[int], int, int]:
    """Return the clipped matches per order, the n-grams per order, the translation length and the reference length."""
    # (prediction, references) of each segment
    segments = list(zip(predictions, references, strict=True))

    matches = []
    totals = []
    for order in range(1, max_order + 1):
        matches.append(sum(clipped_matches(*segment, order) for segment in segments))
        totals.append(sum(ngrams(prediction, order).total() for prediction in predictions))

    translation_length = sum(map(len, predictions))
    reference_length = sum(closest_length(*segment) for segment in segments)
    return matches, totals, translation_length, reference_length


def corpus_bleu(
    predictions: Sequence[Tokens],
    references: Sequence[Sequence[Tokens]],
    weights: Sequence[float] = (0.25, 0.25, 0.25, 0.25),
) -> float:
    """Compute the BLEU score: the brevity penalty times exp(sum of w_n * log p_n).

    w_n is the weight of n-gram order n, and p_n is the precision. The score is 0 if no unigram matches, or if another
    order with a nonzero weight has no match.
    """
    matches, totals, translation_length, reference_length = counts(predictions, references, len(weights))
    if not matches[0]:
        return 0.0

    terms = []
    for weight, n_matches, n_ngrams in zip(weights, matches, totals, strict=True):
        if not weight:
            continue
        if not n_matches:
            return 0.0
        precision = n_matches / n_ngrams
        terms.append(weight * math.log(precision))

    penalty = brevity_penalty(translation_length, reference_length)
    return penalty * math.exp(math.fsum(terms))
