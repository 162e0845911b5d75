"""The definition of BLEU's counts: n-grams, clipped matches and the closest reference length.

Papineni, Roukos, Ward and Zhu (2002): BLEU: a Method for Automatic Evaluation of Machine Translation, section 2. This
file counts wherever the compiled kernel is missing, and the tests compare the kernel with it. `_formula` turns the
counts into a score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import reduce
from operator import ior  # of two Counters: keeps the larger counts

Tokens = Sequence[Hashable]
Ngrams = Counter[tuple[Hashable, ...]]  # n-gram -> number of times that it occurs


def ngrams(tokens: Tokens, order: int) -> Ngrams:
    """Count the n-grams of a text: ``ngrams("abab", 2)`` returns ``{("a", "b"): 2, ("b", "a"): 1}``."""
    return Counter(zip(*[tokens[start:] for start in range(order)], strict=False))


def most_in_one(references: Sequence[Tokens], max_order: int) -> list[Ngrams]:
    """Return, for each order from 1 to `max_order`, the largest count of each n-gram in a single reference.

    >>> most_in_one(["aa", "ab"], 1)
    [Counter({('a',): 2, ('b',): 1})]
    """
    orders = range(1, max_order + 1)
    return [reduce(ior, [ngrams(reference, order) for reference in references]) for order in orders]


def clipped_matches(prediction: Tokens, limits: Sequence[Ngrams]) -> list[int]:
    """Count the matches of each order, each n-gram at most as often as its limit. `limits`: from `most_in_one`.

    >>> clipped_matches("aaab", most_in_one(["a", "aab"], 3))
    [3, 2, 1]
    """
    matches = []
    for order, limit in enumerate(limits, 1):
        found = ngrams(prediction, order)
        matches.append(sum([min(count, limit[ngram]) for ngram, count in found.items() if ngram in limit]))
    return matches


def closest_length(length: int, reference_lengths: Iterable[int]) -> int:
    """Return the reference length closest to the prediction's length, or the shorter of two that are equally close."""
    return min(reference_lengths, key=lambda other: (abs(other - length), other))
