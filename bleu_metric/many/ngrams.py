"""Find the n-grams that texts of a segment have in common, from token ids, one n-gram order after another.

The clipped count of an n-gram in two texts is min(count in one text, count in the other). The functions of this package
count features instead. A feature is an n-gram with the number of its occurrence in a text: the first "the" and the
second "the" of a text are two features. The clipped count equals the number of features that both texts have. With
several references, a feature matches if any reference has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from .._ngrams import factorize, pair_keys
from .._validation import Bools, Ints
from .texts import TokenIds


class Grams(NamedTuple):
    """The n-grams of one order, text by text. The first three arrays have one number per n-gram."""

    ids: Ints  # the position of the last equal n-gram in the same segment
    text: Ints  # index of the text that has the n-gram
    occurrence: Ints  # number of equal n-grams before it in the same text
    repeated: Ints  # positions of the n-grams that occur more than once in their text

    def start_of(self, text: int) -> int:
        """Return the position of the first n-gram of this text or of a later one."""
        return int(np.searchsorted(self.text, text))

    def features(self) -> Ints:
        """Return one number per n-gram. Equal features have equal numbers.

        The number is the last position of an equal n-gram with an equal `occurrence`.
        """
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
    """Yield the n-grams of each order from 1 to `max_order`.

    `shared`: a function that flags the n-grams that can match. Longer n-grams are built only from flagged n-grams,
    because an n-gram matches only if both of its (n-1)-grams match.
    """
    text = np.repeat(np.arange(len(tokens.lengths)), tokens.lengths)
    position = np.arange(len(text)) + text  # the numbers skip one between texts, so that no n-gram spans two texts
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
        # If an n-gram occurs twice in a text, both of its (n-1)-grams also occur twice
        candidates = np.flatnonzero(is_repeated.take(left) & is_repeated.take(left + 1))
        grams = Grams(ids, text, *occurrences(ids, text, candidates))


def occurrences(ids: Ints, text: Ints, candidates: Ints) -> tuple[Ints, Ints]:
    """Count, for each n-gram, the equal n-grams before it in the same text.

    `candidates`: positions of n-grams that may occur more than once in their text. Return the counts, and the positions
    of the n-grams that do occur more than once.
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
    """Return one flag per n-gram. All flags are true."""
    return np.ones(len(grams.ids), bool)


def in_two_texts(grams: Grams) -> Bools:
    """Return one flag per n-gram: whether it occurs in at least two texts of its segment."""
    texts = np.bincount(grams.ids, minlength=len(grams.ids))  # n-grams of each id, minus repetitions (below)
    again = grams.repeated[grams.occurrence.take(grams.repeated) > 0]
    if len(again):
        np.subtract.at(texts, grams.ids.take(again), 1)
    return (texts > 1).take(grams.ids)


def on_both_sides(first_reference: int) -> Shared:
    """Return a function that flags the n-grams that occur in a hypothesis and in a reference.

    `first_reference`: index of the first reference among the texts.
    """

    def shared(grams: Grams) -> Bools:
        is_on_both = common(grams.ids, grams.start_of(first_reference))
        return is_on_both.take(grams.ids)

    return shared


def common(numbers: Ints, split: int) -> Bools:
    """Return one flag for each number below n: whether it occurs both before position `split` and from there on.

    `numbers`: n numbers below n.
    """
    before = np.zeros(len(numbers), bool)
    after = np.zeros(len(numbers), bool)
    before[numbers[:split]] = True
    after[numbers[split:]] = True
    return before & after
