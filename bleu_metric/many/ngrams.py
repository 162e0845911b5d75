"""Token ids -> the n-grams that texts of a segment share, order by order.

A clipped match of two texts is min(count in one, count in the other). It is also the number of features that both have,
where a feature is an n-gram together with the number of its occurrence in the text: "the, first time", "the, second
time". So a clip against several texts is a union of their features, and a clip against all other texts asks whether a
second text has the feature. All functions of this package count features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from .._ngrams import factorize, pair_keys
from .._validation import Bools, Ints
from .texts import TokenIds


class Grams(NamedTuple):
    """N-grams of one order in the order of the texts, shape (n,) each."""

    ids: Ints  # equal n-grams of a segment have equal ids: the last position of an equal one
    text: Ints  # the text that has it
    occurrence: Ints  # how many equal n-grams this text has before it
    repeated: Ints  # positions of those that their text has more than once

    def features(self) -> Ints:
        """Number the pairs of n-gram and occurrence: a feature's number is the last position of an equal pair."""
        if not len(self.repeated):
            return self.ids
        repeats = np.zeros(len(self.ids), bool)
        repeats[self.ids.take(self.repeated)] = True
        positions = np.flatnonzero(repeats.take(self.ids))
        numbers = factorize(pair_keys(self.ids.take(positions), self.occurrence.take(positions)))
        features: Ints = self.ids.copy()
        features[positions] = positions.take(numbers)
        return features


Shared = Callable[[Grams], Bools]


def grams_by_order(tokens: TokenIds, max_order: int, shared: Shared) -> Iterator[Grams]:
    """Yield the n-grams of orders 1 to `max_order`, and which of them can match.

    `shared`: a function that finds the n-grams that can match. Longer n-grams are made of these alone, since an n-gram
    matches only if both of its (n-1)-grams do.
    """
    text = np.repeat(np.arange(len(tokens.lengths)), tokens.lengths)
    position = np.arange(len(text)) + text  # a gap between texts: neighbours are of one text
    grams = Grams(tokens.ids, text, *occurrences(tokens.ids, text, np.arange(len(text))))
    for order in range(1, max_order + 1):
        yield grams
        if order == max_order:
            return
        kept = shared(grams)
        joined = np.diff(position) == 1
        joined &= kept[1:]
        joined &= kept[:-1]
        left = np.flatnonzero(joined)
        ids = factorize(pair_keys(grams.ids.take(left), grams.ids.take(left + 1)))
        position, text = position.take(left), grams.text.take(left)
        is_repeated = np.zeros(len(kept), bool)
        is_repeated[grams.repeated] = True
        # An n-gram that a text has twice is made of two (n-1)-grams that it has twice
        candidates = np.flatnonzero(is_repeated.take(left) & is_repeated.take(left + 1))
        grams = Grams(ids, text, *occurrences(ids, text, candidates))


def occurrences(ids: Ints, text: Ints, candidates: Ints) -> tuple[Ints, Ints]:
    """Count, for each n-gram, the equal ones before it in the same text.

    `candidates`: positions that can be repeated. Returns the counts, and the positions of all that are repeated.
    """
    occurrence = np.zeros(len(ids), np.int64)
    same = factorize(pair_keys(ids.take(candidates), text.take(candidates)))
    is_repeated = np.bincount(same).take(same) > 1
    repeated = candidates[is_repeated]
    if not len(repeated):
        return occurrence, repeated
    same = same[is_repeated]
    order = np.argsort(same, kind="stable")
    in_order = same.take(order)
    starts = np.flatnonzero(np.append(True, in_order[1:] != in_order[:-1]))
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
    occurrence[repeated.take(order)] = rank
    return occurrence, repeated


def all_grams(grams: Grams) -> Bools:
    """Return flags that mark every n-gram."""
    return np.ones(len(grams.ids), bool)


def in_two_texts(grams: Grams) -> Bools:
    """Find the n-grams that at least two texts have."""
    texts = np.bincount(grams.ids, minlength=len(grams.ids))  # of each id
    again = grams.repeated[grams.occurrence.take(grams.repeated) > 0]
    if len(again):
        np.subtract.at(texts, grams.ids.take(again), 1)
    return (texts > 1).take(grams.ids)


def on_both_sides(first_reference: int) -> Shared:
    """Find the n-grams that both a text before `first_reference` and one from there on have."""

    def shared(grams: Grams) -> Bools:
        split = int(np.searchsorted(grams.text, first_reference))
        return common(grams.ids, split).take(grams.ids)

    return shared


def common(numbers: Ints, split: int) -> Bools:
    """Flag the numbers that occur both before and after a position; numbers are below n, flags of shape (n,)."""
    before = np.zeros(len(numbers), bool)
    after = np.zeros(len(numbers), bool)
    before[numbers[:split]] = True
    after[numbers[split:]] = True
    return before & after
