"""Which n-grams of a prediction matched: clipped counting, told token by token, for the sentences that are shown.

Pure Python, and slow: `_ngrams.py` counts the same for whole corpora.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

Tokens = Sequence[Hashable]


class Matches(NamedTuple):
    """The matched n-grams of one prediction."""

    counts: list[int]  # of orders 1 to N
    longest: list[int]  # for each token: the longest order of which it is part of a matched n-gram; 0: none


def find_matches(tokens: Tokens, references: Sequence[Tokens], max_order: int = 4) -> Matches:
    """Find them: of equal n-grams the first ones match, as many as the reference has that has most of them.

    >>> find_matches("the the cat".split(), ["the cat sat".split(), "a cat".split()], max_order=2)
    Matches(counts=[2, 1], longest=[1, 2, 2])
    """
    counts, longest = [], [0] * len(tokens)
    for order in range(1, max_order + 1):
        left = _most_in_one_reference(references, order)
        matched = 0
        for start, ngram in enumerate(_ngrams(tokens, order)):
            if left[ngram]:
                left[ngram] -= 1
                matched += 1
                longest[start : start + order] = [order] * order
        counts.append(matched)
    return Matches(counts, longest)


def _most_in_one_reference(references: Sequence[Tokens], order: int) -> Counter[tuple[Hashable, ...]]:
    most: Counter[tuple[Hashable, ...]] = Counter()
    for reference in references:
        for ngram, times in Counter(_ngrams(reference, order)).items():  # no |=, which looks through all of both
            most[ngram] = max(most[ngram], times)
    return most


def _ngrams(tokens: Tokens, order: int) -> list[tuple[Hashable, ...]]:
    return [tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1)]
