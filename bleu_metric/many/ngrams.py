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

from .._arrays import Bools, Ints, UInts
from .._ngrams import factorize
from .texts import TokenIds

_HALF = np.uint64(32)


class Grams(NamedTuple):
    """N-grams of one order in the order of the texts, shape (n,) each."""

    ids: Ints  # equal n-grams of a segment have equal ids below n
    text: Ints  # the text that has it
    occurrence: Ints  # how many equal n-grams stand before it in this text

    def features(self) -> Ints:
        """Number the pairs of n-gram and occurrence: a feature's number is the last position of an equal pair."""
        repeats = np.zeros(len(self.ids), bool)
        repeats[self.ids[self.occurrence > 0]] = True
        unsure = np.flatnonzero(repeats.take(self.ids))
        features = self.ids.copy()
        if len(unsure):
            pairs = pair_keys(self.ids.take(unsure), self.occurrence.take(unsure))
            features[unsure] = unsure.take(factorize(pairs))
        return features

    def only(self, kept: Bools) -> Grams:
        """Keep some of them; the ids stay, and can be larger than their number."""
        return Grams(self.ids[kept], self.text[kept], self.occurrence[kept])


Shared = Callable[[Grams], Bools]


def pair_keys(left: Ints, right: Ints) -> UInts:
    """Make one key of two numbers below 2**32."""
    keys: UInts = left.view(np.uint64) << _HALF
    keys |= right.view(np.uint64)
    return keys


def grams_by_order(tokens: TokenIds, max_order: int, shared: Shared) -> Iterator[Grams]:
    """Give the n-grams of orders 1 to `max_order`.

    `shared`: tells which n-grams can match. Longer n-grams are made of these alone, since an n-gram matches only if
    both of its (n-1)-grams do.
    """
    text = np.repeat(np.arange(len(tokens.lengths)), tokens.lengths)
    position = np.arange(len(text))
    ids = tokens.ids
    for order in range(1, max_order + 1):
        grams = Grams(ids, text, occurrences(ids, text))
        yield grams
        if order == max_order:
            return
        kept = shared(grams)
        joined = kept[1:] & kept[:-1] & (text[1:] == text[:-1]) & (np.diff(position) == 1)
        left = np.flatnonzero(joined)
        ids = factorize(pair_keys(ids.take(left), ids.take(left + 1)))
        text, position = text.take(left), position.take(left)


def occurrences(ids: Ints, text: Ints) -> Ints:
    """Count, for each n-gram, the equal ones that stand before it in the same text."""
    same = factorize(pair_keys(ids, text))
    times = np.bincount(same)
    occurrence = np.zeros(len(ids), np.int64)
    repeated = np.flatnonzero(times.take(same) > 1)
    if not len(repeated):
        return occurrence
    order = np.argsort(same.take(repeated), kind="stable")
    sorted_ids = same.take(repeated.take(order))
    is_first = np.append(True, sorted_ids[1:] != sorted_ids[:-1])
    starts = np.flatnonzero(is_first)
    places = np.arange(len(order))
    occurrence[repeated.take(order)] = places - np.repeat(starts, np.diff(starts, append=len(order)))
    return occurrence


def in_two_texts(grams: Grams) -> Bools:
    """Tell which n-grams at least two texts have."""
    texts = np.bincount(grams.ids[grams.occurrence == 0], minlength=len(grams.ids))
    shared: Bools = (texts > 1).take(grams.ids)
    return shared


def on_both_sides(first_reference: int) -> Shared:
    """Tell which n-grams both a text before `first_reference` and one from there on have."""

    def shared(grams: Grams) -> Bools:
        split = int(np.searchsorted(grams.text, first_reference))
        return common(grams.ids, split).take(grams.ids)

    return shared


def common(numbers: Ints, split: int) -> Bools:
    """Which numbers stand both before and after a position, as flags of shape (n,); numbers are below n."""
    before = np.zeros(len(numbers), bool)
    after = np.zeros(len(numbers), bool)
    before[numbers[:split]] = True
    after[numbers[split:]] = True
    both: Bools = before & after
    return both
