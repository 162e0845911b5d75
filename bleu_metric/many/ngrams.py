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
from .._validation import Bools, Floats, Ints
from .texts import TokenIds


class Grams(NamedTuple):
    """The n-grams of one order, text by text. The first four arrays have one number per n-gram."""

    ids: Ints  # the position in this array of the last equal n-gram in the same segment
    text: Ints  # index of the text that has the n-gram
    place: Ints  # index of its first token, plus `text`: the gap of one between texts keeps them apart
    occurrence: Ints  # number of equal n-grams before it in the same text
    repeated: Ints  # positions in the arrays above of the n-grams that occur more than once in their text

    def start_of(self, text: int) -> int:
        """Return the position of the first n-gram of this text or of a later one."""
        return int(np.searchsorted(self.text, text))

    def features(self) -> Ints:
        """Return one number per n-gram. Equal features have equal numbers.

        The number is the last position of an equal n-gram with an equal `occurrence`.
        """
        if not len(self.repeated):
            return self.ids
        is_repeated_id = flags(self.ids.take(self.repeated), len(self.ids))
        positions = np.flatnonzero(is_repeated_id.take(self.ids))
        keys = pair_keys(self.ids.take(positions), self.occurrence.take(positions))
        features: Ints = self.ids.copy()
        features[positions] = positions.take(factorize(keys))
        return features


CanMatch = Callable[[Grams], Bools]  # n-grams -> one flag per n-gram: whether it can match


def grams_by_order(tokens: TokenIds, max_order: int, can_match: CanMatch) -> Iterator[Grams]:
    """Yield the n-grams of each order from 1 to `max_order`.

    Longer n-grams are built only from n-grams that can match, because both (n-1)-grams of a match are matches, too.
    """
    text = np.repeat(np.arange(len(tokens.lengths)), tokens.lengths)
    token = np.arange(len(text))
    grams = Grams(tokens.ids, text, token + text, *_occurrences(tokens.ids, text, token))
    yield grams
    for _ in range(1, max_order):
        grams = _longer_by_one(grams, can_match(grams))
        yield grams


def _longer_by_one(grams: Grams, is_kept: Bools) -> Grams:
    """Join each kept n-gram with the kept n-gram that starts one token later in the same text."""
    is_next = np.diff(grams.place) == 1
    both_kept = is_kept[:-1] & is_kept[1:]
    left = np.flatnonzero(is_next & both_kept)
    right = left + 1
    ids = factorize(pair_keys(grams.ids.take(left), grams.ids.take(right)))
    text = grams.text.take(left)
    # If an n-gram occurs twice in a text, both of its (n-1)-grams also occur twice
    is_repeated = flags(grams.repeated, len(grams.ids))
    may_be_repeated = np.flatnonzero(is_repeated.take(left) & is_repeated.take(right))
    return Grams(ids, text, grams.place.take(left), *_occurrences(ids, text, may_be_repeated))


def _occurrences(ids: Ints, text: Ints, may_be_repeated: Ints) -> tuple[Ints, Ints]:
    """Count, for each n-gram, the equal n-grams before it in the same text.

    `may_be_repeated`: positions of n-grams that may occur more than once in their text. Return the counts, and the
    positions of the n-grams that do occur more than once.
    """
    same = factorize(pair_keys(ids.take(may_be_repeated), text.take(may_be_repeated)))
    is_repeated = np.bincount(same).take(same) > 1
    repeated = may_be_repeated[is_repeated]
    occurrence = np.zeros(len(ids), np.int64)
    occurrence[repeated] = count_before(same[is_repeated])
    return occurrence, repeated


def count_before(numbers: Ints) -> Ints:
    """Count, for each number, the equal numbers before it.

    >>> count_before(np.array([7, 5, 7, 7]))
    array([0, 0, 1, 2])
    """
    order = np.argsort(numbers, kind="stable")
    in_order = numbers.take(order)
    first_equal = np.searchsorted(in_order, in_order)
    before = np.empty(len(order), np.int64)
    before[order] = np.arange(len(order)) - first_equal
    return before


def all_grams(grams: Grams) -> Bools:
    """Return one flag per n-gram. All flags are true."""
    return np.ones(len(grams.ids), bool)


def in_two_texts(grams: Grams) -> Bools:
    """Return one flag per n-gram: whether it occurs in at least two texts of its segment."""
    is_first_in_text = grams.occurrence == 0
    texts = np.bincount(grams.ids[is_first_in_text], minlength=len(grams.ids))
    is_in_two = texts > 1
    return is_in_two.take(grams.ids)


def on_both_sides(first_reference: int) -> CanMatch:
    """Return a function that flags the n-grams that occur in a hypothesis and in a reference.

    `first_reference`: index of the first reference among the texts.
    """

    def can_match(grams: Grams) -> Bools:
        is_on_both = common(grams.ids, grams.start_of(first_reference))
        return is_on_both.take(grams.ids)

    return can_match


def common(numbers: Ints, split: int) -> Bools:
    """Return, for each number below n, whether it occurs both before position `split` and at or after it.

    `numbers`: n numbers below n.
    """
    size = len(numbers)
    return flags(numbers[:split], size) & flags(numbers[split:], size)


def flags(numbers: Ints, size: int) -> Bools:
    """Return one flag for each number below `size`: whether it is one of `numbers`.

    >>> flags(np.array([0, 2, 2]), 4).tolist()
    [True, False, True, False]
    """
    are_present = np.zeros(size, bool)
    are_present[numbers] = True
    return are_present


def sum_by_text(
    tokens: TokenIds, max_order: int, can_match: CanMatch, weigh: Callable[[Grams], Bools | Ints | Floats]
) -> Floats:
    """Add up the weights of the n-grams of each text and order, in an array of shape (texts, max_order).

    `weigh`: a function that returns one weight per n-gram, or weights of the first n-grams only: the others weigh 0.
    """
    texts = len(tokens.lengths)
    sums = np.zeros((texts, max_order))
    for order, grams in enumerate(grams_by_order(tokens, max_order, can_match)):
        weights = weigh(grams)
        weighed = grams.text[: len(weights)]
        sums[:, order] = np.bincount(weighed, weights, texts)
    return sums
