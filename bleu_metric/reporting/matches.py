"""Find the n-grams of a text that match, to highlight them in a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from .._ngrams import Ngrams, Tokens


def matching_orders(tokens: Tokens, limits: Sequence[Ngrams]) -> list[int]:
    """Return, for each token, the order of the longest matching n-gram that contains it, or 0.

    An n-gram matches as often as `limits` allow, from the first occurrence on. `limits`: from `most_in_one`.

    >>> from .._ngrams import most_in_one
    >>> matching_orders("abca", most_in_one(["abx"], 2))
    [2, 2, 0, 0]
    """
    orders = [0] * len(tokens)
    for order, limit in enumerate(limits, 1):
        seen: Counter[Any] = Counter()
        for start, gram in enumerate(zip(*[tokens[first:] for first in range(order)], strict=False)):
            if seen[gram] < limit[gram]:
                orders[start : start + order] = [order] * order
            seen[gram] += 1
    return orders
