"""Count the matches of each text with the other texts of its group, without a loop over pairs."""

from __future__ import annotations

import numpy as np

from .._config import BleuConfig, columns_of, depends_on_segment_order
from .._corpus import offsets_of, sizes_of
from .._formula import effective_lengths, units_per_token
from .._statistics import BleuStatistics, ngram_totals, references_of, table_of_segments
from .._validation import Bools, Ints, typed
from .ngrams import Grams, in_two_texts, sum_by_text
from .texts import Chunk

# With these rules, only four other texts can decide a text's effective reference length: see `_decisive_lengths`
_RULES_OF_DECISIVE_TEXTS = ("closest", "closest-first", "closest-below-9999", "shortest", "longest")
_DECISIVE_TEXTS = 4


def count_against_others(groups: Chunk, config: BleuConfig) -> BleuStatistics:
    """Count the matches of each text with all other texts of its group as references. Return one row per text.

    Each segment of `groups` is a group of at least two texts.
    """
    group = groups.segment_of_text
    lengths = groups.tokens.lengths
    n_others = _number_of_others(group)

    max_order = columns_of(config).highest_order
    matches = sum_by_text(groups.tokens, max_order, in_two_texts, _is_in_other_text)
    reference_lengths = _reference_lengths(lengths, group, config.reference_length)
    table = table_of_segments(matches.astype(np.int64), lengths, reference_lengths, columns_of(config))
    return BleuStatistics(table, config, references_of(n_others))


def count_against_each_other(groups: Chunk, config: BleuConfig) -> BleuStatistics:
    """Count the matches of each text with each other text of its group as the only reference.

    Return one row per text: the summed counts of the text's comparisons. For texts of 5, 4 and 7 tokens, the
    first row has the length 10 and the reference length 11. Each segment of `groups` is a group.
    """
    if depends_on_segment_order(config) or config.reference_length == "closest-below-9999":
        raise ValueError(
            "this definition adds up the counts of all pairs of texts, so it does not accept options that need more "
            f"than sums: {typed('smoothing', 'method5')}, 'method6' and 'method7', "
            f"{typed('reference_length', 'closest-below-9999')}"
        )
    group = groups.segment_of_text
    lengths = groups.tokens.lengths
    n_others = _number_of_others(group)

    sums = sum_by_text(groups.tokens, config.max_order, in_two_texts, _other_texts_with_feature)
    matches = sums.astype(np.int64)
    totals = ngram_totals(lengths, columns_of(config)) * n_others[:, np.newaxis]
    reference_lengths = _sums_of_others(lengths, group) * units_per_token(config.reference_length)
    table = np.column_stack([matches, totals, lengths * n_others, reference_lengths])
    return BleuStatistics(table, config)


def _is_in_other_text(grams: Grams) -> Bools:
    """Return, for each n-gram, whether another text of its group has the same feature."""
    return _other_texts_with_feature(grams) > 0


def _other_texts_with_feature(grams: Grams) -> Ints:
    """Return, for each n-gram, the number of other texts of its group with the same feature."""
    features = grams.features()
    n_texts_with_feature = np.bincount(features)  # no text has a feature twice
    return n_texts_with_feature.take(features) - 1


def _number_of_others(group: Ints) -> Ints:
    """Return, for each text, the number of other texts in its group.

    >>> _number_of_others(np.array([0, 0, 1, 0]))
    array([2, 2, 0, 2])
    """
    n_texts = np.bincount(group)
    return n_texts.take(group) - 1


def _sums_of_others(values: Ints, group: Ints) -> Ints:
    """Return, for each text, the sum of the values of the other texts in its group.

    >>> _sums_of_others(values=np.array([5, 4, 7]), group=np.array([0, 0, 0]))
    array([11, 12,  9])
    """
    group_sums = np.bincount(group, weights=values).astype(np.int64)
    sums_of_others: Ints = group_sums.take(group) - values
    return sums_of_others


def _reference_lengths(lengths: Ints, group: Ints, rule: str) -> Ints:
    """Return the effective reference length of each text, with all other texts of its group as references.

    `lengths` and `group` have one number per text. The texts are sorted by group.
    """
    if rule == "average":
        sums = _sums_of_others(lengths, group) * units_per_token(rule)
        return sums // _number_of_others(group)

    if rule in _RULES_OF_DECISIVE_TEXTS:
        references = _decisive_lengths(lengths, group).ravel()
        bounds = np.arange(0, len(references) + 1, _DECISIVE_TEXTS)
    else:
        references, bounds = _lengths_of_all_others(lengths, group)
    return effective_lengths(rule, lengths, references, bounds)


def _lengths_of_all_others(lengths: Ints, group: Ints) -> tuple[Ints, Ints]:
    """Return the lengths of the other texts in the group, text by text, and the bounds of each text's part.

    >>> _lengths_of_all_others(np.array([5, 3, 9]), np.array([0, 0, 0]))
    (array([3, 9, 5, 9, 5, 3]), array([0, 2, 4, 6]))
    """
    starts_of_groups = np.flatnonzero(np.diff(group)) + 1  # except the first group
    others = []
    for own_lengths in np.split(lengths, starts_of_groups):
        others += [np.delete(own_lengths, index) for index in range(len(own_lengths))]
    return np.concatenate(others), offsets_of(sizes_of(others))


def _decisive_lengths(lengths: Ints, group: Ints) -> Ints:
    """Return, for each text, the lengths of four other texts of its group: shape (texts, 4).

    The four texts are the shortest, the longest, and the closest in length on both sides. The lengths are in the
    caller's order, which the rule "closest-first" needs. In a small group, a length can be repeated:

    >>> _decisive_lengths(lengths=np.array([5, 3, 9]), group=np.array([0, 0, 0]))
    array([[3, 3, 9, 9],
           [5, 5, 5, 9],
           [5, 5, 5, 3]])
    """
    # Sort the texts by group, then by length
    longest = lengths.max(initial=0)
    key = group * (longest + 1) + lengths
    order = np.argsort(key, kind="stable")
    sorted_key = key.take(order)

    # Of texts with the same group and length, use the first
    first_positions = np.searchsorted(sorted_key, sorted_key)
    first_of_equals = order.take(first_positions)
    text_indices = first_of_equals.take(_decisive_positions(group))  # (4, texts)
    text_indices.sort(axis=0)  # each column into the caller's order

    decisive = np.empty((len(order), _DECISIVE_TEXTS), np.int64)
    decisive[order] = lengths.take(text_indices).T
    return decisive


def _decisive_positions(group: Ints) -> Ints:
    """Return, for each text, the positions of the four texts that `_decisive_lengths` describes: shape (4, texts).

    Positions count the texts sorted by group, then by length. In a group of n texts, the others of
    the text with rank r have these indices:

        index    0  ...      r - 1     |      r      ...  n - 2
               shortest   not longer   |  not shorter    longest

    The texts with the indices r - 1 and r are the closest in length.

    >>> _decisive_positions(np.array([0, 0, 0, 0]))  # column r: the four texts for the text with rank r
    array([[1, 0, 0, 0],
           [1, 0, 1, 2],
           [1, 2, 3, 2],
           [3, 3, 3, 2]])
    """
    group_start = np.searchsorted(group, group)  # position of each group's first text
    rank = np.arange(len(group)) - group_start

    shortest = np.zeros_like(rank)
    longest = _number_of_others(group) - 1
    not_longer = np.maximum(rank - 1, shortest)  # rank 0 has no shorter text
    not_shorter = np.minimum(rank, longest)  # the last rank has no longer text
    indices = np.stack([shortest, not_longer, not_shorter, longest])

    # The index r means the rank r + 1, because the indices skip the text itself
    ranks = indices + (indices >= rank)
    return group_start + ranks  # type: ignore[no-any-return]
