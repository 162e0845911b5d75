"""Find the n-grams that the texts of a segment have in common. Token ids are the input.

BLEU clips the matches of an n-gram to min(count in the hypothesis, count in the reference). The modules of this
sub-package get the same number by counting shared *features*. A feature is an n-gram together with an ordinal number
that distinguishes its occurrences in a text: "the cat saw the dog" has the features (the, 1st), (cat, 1st), (saw, 1st),
(the, 2nd) and (dog, 1st). The number of features that two texts share is their number of clipped matches. With several
references, a feature of the hypothesis matches if at least one reference has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from .._ngrams import NGrams, factorize, longer_by_one, pair_keys, starts_of_longer, unigrams
from .._validation import Bools, Floats, Ints
from .texts import TokenIds


class Grams(NamedTuple):
    """The n-grams of one order as in `NGrams`, and their repetitions.

    The unigrams of a segment with the texts "a b a" and "b a":

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
    occurrence: Ints  # number of equal n-grams that come before it in the same text
    is_repeated: Bools  # whether the n-gram occurs more than once in its text

    def start_of(self, text_index: int) -> int:
        """Return the position of the first n-gram of a text, or of the next text that has n-grams.

        If the field `text` is [0, 0, 0, 2], the texts 1 and 2 both start at position 3.
        """
        return int(np.searchsorted(self.text, text_index))

    def features(self) -> Ints:
        """Return, for each n-gram, the number of its feature. Equal features of a segment have equal numbers.

        The number is the position of the last n-gram with the same `ids` and `occurrence`. The unigrams of the texts
        "a b a" and "b a":

            n-gram         a  b  a     b  a
            ids            4  3  4     3  4
            occurrence     0  0  1     0  0
            result         4  3  2     3  4
        """
        return factorize(pair_keys(self.ids, self.occurrence))


CanMatch = Callable[[Grams], Bools]  # returns one flag per n-gram: whether the n-gram can match


def grams_by_order(tokens: TokenIds, max_order: int, can_match: CanMatch) -> Iterator[Grams]:
    """Yield the n-grams of order 1, then of order 2, and so on to `max_order`.

    From order 2 onwards, n-grams that cannot match are omitted: an n-gram is built only if `can_match` is true for both
    of its (n-1)-grams, because an n-gram can match only if both of them match.

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
        # An n-gram can occur twice in a text only if both of its (n-1)-grams occur twice there
        are_repeated = grams.is_repeated.take(starts) & grams.is_repeated.take(starts + 1)
        ngrams = longer_by_one(ngrams, starts)
        grams = _with_occurrences(ngrams, may_be_repeated=np.flatnonzero(are_repeated))
        yield grams


def _with_occurrences(ngrams: NGrams, may_be_repeated: Ints) -> Grams:
    """Count the occurrences of each n-gram in its text.

    `may_be_repeated`: positions of all n-grams that may occur more than once in their text. To save time, only these
    are counted.

    For the ids [4, 3, 4, 3, 4] and the texts [0, 0, 0, 1, 1], only id 4 is repeated, in text 0 at the positions 0 and
    2. `occurrence` is [0, 0, 1, 0, 0].
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

    In order, these numbers are [5, 7, 7, 7]. The first equal number of each has the position [0, 1, 1, 1]. The number
    before each is its own position minus this one: [0, 0, 1, 2]. It is then moved back to the number's old position.
    """
    order = np.argsort(numbers, kind="stable")
    in_order = numbers.take(order)
    first_equal = np.searchsorted(in_order, in_order)
    before = np.empty(len(order), np.int64)
    before[order] = np.arange(len(order)) - first_equal
    return before


def all_grams(grams: Grams) -> Bools:
    """Return True for each n-gram, so that `grams_by_order` omits none."""
    return np.ones(len(grams.ids), bool)


def in_two_texts(grams: Grams) -> Bools:
    """Return, for each n-gram, whether it occurs in at least two texts of its segment.

    For the unigrams of "a b a" and "b", which have the ids [2, 3, 2, 3], return [False, True, False, True].
    """
    is_first_in_text = grams.occurrence == 0
    # At most once per text, so that counting an id counts texts: [2, 3, 3], and then [0, 0, 1, 2]
    distinct_ids = grams.ids[is_first_in_text]
    n_texts_with_id = np.bincount(distinct_ids, minlength=len(grams.ids))
    return n_texts_with_id.take(grams.ids) > 1


def on_both_sides(first_reference: int) -> CanMatch:
    """Return a `can_match` function that is true for n-grams in both a hypothesis and a reference of their segment.

    `first_reference`: index of the first reference among the texts. All hypotheses come before it.
    """

    def can_match(grams: Grams) -> Bools:
        n_grams = len(grams.ids)  # ids are below it
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
    """Sum, for each text and n-gram order, the weights of the text's n-grams. The result has shape (texts, max_order).

    `weigh` returns one weight per n-gram. `can_match`: as for `grams_by_order`. If each weight is 1, the sums are the
    numbers of n-grams:

    >>> tokens = TokenIds(ids=np.array([4, 3, 4, 3, 4]), lengths=np.array([3, 2]))  # "a b a" and "b a"
    >>> sum_by_text(tokens, 2, can_match=all_grams, weigh=all_grams)
    array([[3., 2.],
           [2., 1.]])
    """
    n_texts = len(tokens.lengths)
    every_order = grams_by_order(tokens, max_order, can_match)
    sums = [np.bincount(grams.text, weights=weigh(grams), minlength=n_texts) for grams in every_order]
    return np.stack(sums, axis=1)
