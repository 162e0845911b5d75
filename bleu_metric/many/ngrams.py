"""Find the n-grams that the texts of a segment have in common. Token ids are the input.

BLEU clips the matches of an n-gram to min(count in the hypothesis, count in the reference). This sub-package gets the
same number by counting shared *features*. A feature is the k-th occurrence of an n-gram in a text: "the cat the" has
the features (the, 1st), (cat, 1st) and (the, 2nd). The number of features that two texts share is the number of clipped
matches. With several references, a feature of the hypothesis matches if any reference has the feature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from .._ngrams import NGrams, factorize, longer_by_one, pair_keys, starts_of_longer, unigrams
from .._validation import Bools, Floats, Ints
from .texts import TokenIds


class Grams(NamedTuple):
    """The n-grams of one order, as in `NGrams`, and whether each n-gram is repeated.

    The unigrams of the texts "a b a" and "b a" of a segment:

        n-gram         a  b  a     b  a
        ids            4  3  4     3  4
        text           0  0  0     1  1
        place          0  1  2     4  5
        occurrence     0  0  1     0  0
        is_repeated    T  F  T     F  F
    """

    ids: Ints
    text: Ints
    place: Ints
    occurrence: Ints  # number of equal n-grams before this one in the same text
    is_repeated: Bools  # whether the n-gram occurs more than once in its text

    def start_of(self, text_index: int) -> int:
        """Return the position at which a text starts. If `text` is [0, 0, 0, 2], the texts 1 and 2 both start at 3."""
        return int(np.searchsorted(self.text, text_index))

    def features(self) -> Ints:
        """Return, for each n-gram, the number of its feature: the position of the last n-gram with the same feature.

        The unigrams of the texts "a b a" and "b a":

            n-gram         a  b  a     b  a
            ids            4  3  4     3  4
            occurrence     0  0  1     0  0
            result         4  3  2     3  4
        """
        return factorize(pair_keys(self.ids, self.occurrence))


CanMatch = Callable[[Grams], Bools]  # returns one flag per n-gram: whether the n-gram can match


def grams_by_order(tokens: TokenIds, max_order: int, can_match: CanMatch) -> Iterator[Grams]:
    """Yield the n-grams of each order, from 1 to `max_order`.

    Omit an n-gram if `can_match` is false for one of its (n-1)-grams, because such an n-gram cannot match.

    >>> tokens = TokenIds(ids=np.array([4, 3, 4, 3, 4]), lengths=np.array([3, 2]))  # "a b a" and "b a"
    >>> unigrams, bigrams = grams_by_order(tokens, 2, all_grams)
    >>> unigrams.ids, bigrams.ids  # the bigrams are "a b", "b a" and "b a"
    (array([4, 3, 4, 3, 4]), array([0, 2, 2]))
    """
    ngrams = unigrams(tokens.ids, tokens.lengths)
    grams = _with_occurrences(ngrams, may_be_repeated=np.arange(len(tokens.ids)))
    yield grams

    for _ in range(1, max_order):
        starts = starts_of_longer(ngrams, can_match(grams))
        # An n-gram can be repeated only if both of its (n-1)-grams are repeated
        are_repeated = grams.is_repeated.take(starts) & grams.is_repeated.take(starts + 1)
        ngrams = longer_by_one(ngrams, starts)
        grams = _with_occurrences(ngrams, may_be_repeated=np.flatnonzero(are_repeated))
        yield grams


def _with_occurrences(ngrams: NGrams, may_be_repeated: Ints) -> Grams:
    """Compute `occurrence` and `is_repeated` of each n-gram.

    For the ids [4, 3, 4, 3, 4] in the texts [0, 0, 0, 1, 1], `occurrence` is [0, 0, 1, 0, 0].

    `may_be_repeated`: positions of the n-grams to count. To save time, n-grams that cannot be repeated are omitted.
    """
    keys = pair_keys(ngrams.ids.take(may_be_repeated), ngrams.text.take(may_be_repeated))
    gram_in_text = factorize(keys)  # equal for equal n-grams of the same text
    count_in_text = np.bincount(gram_in_text).take(gram_in_text)
    occurs_again = count_in_text > 1

    repeated = may_be_repeated[occurs_again]
    is_repeated = flags(repeated, size=len(ngrams.ids))
    occurrence = np.zeros(len(ngrams.ids), np.int64)
    occurrence[repeated] = count_before(gram_in_text[occurs_again])
    return Grams(*ngrams, occurrence, is_repeated)


def count_before(numbers: Ints) -> Ints:
    """Count, for each number, the equal numbers that come before it in the array.

    >>> count_before(np.array([7, 5, 7, 7]))
    array([0, 0, 1, 2])
    """
    order = np.argsort(numbers, kind="stable")
    in_order = numbers.take(order)  # [5, 7, 7, 7] in the example
    first_equal = np.searchsorted(in_order, in_order)  # [0, 1, 1, 1]
    before = np.empty(len(order), np.int64)
    before[order] = np.arange(len(order)) - first_equal
    return before


def all_grams(grams: Grams) -> Bools:
    """Return True for each n-gram, so that `grams_by_order` omits none."""
    return np.ones(len(grams.ids), bool)


def in_two_texts(grams: Grams) -> Bools:
    """Return, for each n-gram, whether it occurs in at least two texts of its segment.

    For the unigrams of "a b a" and "b", return [False, True, False, True].
    """
    is_first_in_text = grams.occurrence == 0
    distinct_ids = grams.ids[is_first_in_text]  # [2, 3, 3] in the example: each text has an id at most once
    n_texts_with_id = np.bincount(distinct_ids, minlength=len(grams.ids))
    return n_texts_with_id.take(grams.ids) > 1


def on_both_sides(first_reference: int) -> CanMatch:
    """Return a `can_match` function that is true for n-grams in both a hypothesis and a reference of their segment.

    `first_reference`: index of the first reference among the texts. All hypotheses have lower indices.
    """

    def can_match(grams: Grams) -> Bools:
        n_grams = len(grams.ids)  # above all ids
        start = grams.start_of(first_reference)
        in_hypothesis = flags(grams.ids[:start], size=n_grams)
        in_reference = flags(grams.ids[start:], size=n_grams)
        is_in_both = in_hypothesis & in_reference  # one flag per id
        return is_in_both.take(grams.ids)

    return can_match


def flags(numbers: Ints, size: int) -> Bools:
    """Return an array of `size` flags. Flag i is true if i occurs in `numbers`.

    >>> flags(np.array([0, 2, 2]), 4).tolist()
    [True, False, True, False]
    """
    are_present = np.zeros(size, bool)
    are_present[numbers] = True
    return are_present


def sum_by_text(
    tokens: TokenIds, max_order: int, can_match: CanMatch, weigh: Callable[[Grams], Bools | Ints | Floats]
) -> Floats:
    """Compute the sum of the n-gram weights of each text and order. The result has the shape (texts, max_order).

    `weigh` returns one weight per n-gram. With weights of 1, the sums are numbers of n-grams:

    >>> tokens = TokenIds(ids=np.array([4, 3, 4, 3, 4]), lengths=np.array([3, 2]))  # "a b a" and "b a"
    >>> sum_by_text(tokens, 2, can_match=all_grams, weigh=all_grams)
    array([[3., 2.],
           [2., 1.]])
    """
    n_texts = len(tokens.lengths)
    every_order = grams_by_order(tokens, max_order, can_match)
    sums = [np.bincount(grams.text, weights=weigh(grams), minlength=n_texts) for grams in every_order]
    return np.stack(sums, axis=1)
