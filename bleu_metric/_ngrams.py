"""Count n-grams in plain Python: the engine without a compiled kernel, and the counts of Self-BLEU, MBR and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

Tokens = Sequence[Hashable]
Ngrams = Counter[tuple[Hashable, ...]]  # n-gram -> how often it occurs


def ngrams(tokens: Tokens, order: int) -> Ngrams:
    """Count the n-grams of a text: ``ngrams("abab", 2)`` returns ``{("a", "b"): 2, ("b", "a"): 1}``."""
    return Counter(zip(*[tokens[start:] for start in range(order)], strict=False))


def most_in_one(texts: Iterable[Tokens], max_order: int) -> list[Ngrams]:
    """Return, for each order, the largest count of each n-gram in a single text."""
    first, *others = texts
    limits = [ngrams(first, order) for order in range(1, max_order + 1)]
    for text in others:
        for order, limit in enumerate(limits, 1):
            for gram, count in ngrams(text, order).items():
                limit[gram] = max(count, limit.get(gram, 0))
    return limits


def clipped_matches(prediction: Tokens, limits: Sequence[Ngrams]) -> list[int]:
    """Count the matches of each order, each n-gram at most as often as its limit. `limits`: from `most_in_one`.

    >>> clipped_matches("ab", most_in_one(["bab"], 3))
    [2, 1, 0]
    """
    matches = [0] * len(limits)
    for order, limit in enumerate(limits, 1):
        found = ngrams(prediction, order)
        matches[order - 1] = sum([min(count, limit[gram]) for gram, count in found.items() if gram in limit])
        if not matches[order - 1]:
            break  # no longer n-gram can match
    return matches
