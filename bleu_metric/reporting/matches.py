"""Find the tokens that belong to a matched n-gram, in the predictions and references of many segments at once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from .._ngrams import factorize, pair_keys
from .._validation import Bools, Ints


class Matches(NamedTuple):
    """The matched n-grams of a batch. The texts and their tokens are in the order of `texts` in `find_matches`."""

    counts: Ints
    """The number of matches of each output and n-gram order, with shape (systems * segments, max_order)."""
    longest: Ints
    """For each token of an output, the highest order of a matched n-gram that contains the token; 0 if there is none.
    Tokens of references have 0."""
    in_references: Ints
    """For each system and each token of a reference, the highest order of an n-gram that contains the token and also
    occurs in the system's output, or 0. If an n-gram occurs more often in the reference than in the output, only its
    first occurrences count. Tokens of outputs have 0. The shape is (systems, tokens)."""


def find_matches(
    texts: Sequence[Sequence[Hashable]], references_per_segment: Sequence[int] | Ints, max_order: int = 4
) -> Matches:
    """Find the n-grams of each output that match a reference, and the n-grams of references that match an output.

    The number of matches of an n-gram is capped at the largest number of times it occurs in a single reference. If it
    occurs more often in the output, only its first occurrences match.

    Args:
        texts: the tokens of all references, segment by segment, then the tokens of the outputs of each system.
        references_per_segment: the number of references of each segment.
        max_order: the highest n-gram order.

    >>> texts = ["the cat sat".split(), "a cat".split(), "the the cat".split()]
    >>> matches = find_matches(texts, [2], max_order=2)
    >>> matches.counts.tolist(), matches.longest.tolist(), matches.in_references.tolist()
    ([[2, 1]], [0, 0, 0, 0, 0, 1, 2, 2], [[2, 2, 0, 0, 1, 0, 0, 0]])
    """
    segments = len(references_per_segment)
    references = int(np.sum(references_per_segment))
    systems = (len(texts) - references) // segments
    segment_of_text = np.concatenate(
        [np.repeat(np.arange(segments), references_per_segment), np.tile(np.arange(segments), systems)]
    )
    numbers: dict[Hashable, int] = {}
    ids = np.array([numbers.setdefault(token, len(numbers)) for token in chain.from_iterable(texts)], np.int64)
    text = np.repeat(np.arange(len(texts)), [len(tokens) for tokens in texts])
    starts = np.arange(len(ids))
    system = (text - references) // segments  # negative for a reference
    grams = factorize(pair_keys(segment_of_text[text], ids)) if len(ids) else ids
    counts = np.zeros((len(texts) - references, max_order), np.int64)
    longest = np.zeros(len(ids), np.int64)
    in_references = np.zeros((systems, len(ids)), np.int64)
    for order in range(1, max_order + 1):
        if not len(starts):
            break
        of_text, of_system = text[starts], system[starts]
        is_output = of_system >= 0
        group = factorize(pair_keys(grams, of_text))
        earlier = _earlier_in_group(group)
        times = np.bincount(group)
        most = np.zeros(len(grams), np.int64)
        np.maximum.at(most, grams[~is_output], times[group[~is_output]])
        matched = is_output & (earlier < most[grams])
        if not matched.any():
            break  # longer n-grams cannot match either
        counts[:, order - 1] = np.bincount(of_text[matched] - references, minlength=len(counts))
        longest[_covered(starts[matched], order, len(ids))] = order
        for index, marks in enumerate(in_references):
            in_output = np.bincount(grams[of_system == index], minlength=len(grams))
            matched = ~is_output & (earlier < in_output[grams])
            marks[_covered(starts[matched], order, len(ids))] = order
        is_followed = (starts[1:] == starts[:-1] + 1) & (of_text[1:] == of_text[:-1])
        kept = is_followed.nonzero()[0]
        grams = factorize(pair_keys(grams[kept], grams[kept + 1])) if len(kept) else kept
        starts = starts[kept]
    return Matches(counts, longest, in_references)


def _earlier_in_group(group: Ints) -> Ints:
    """Return, for each entry, the number of earlier entries that are equal."""
    order = np.argsort(group, kind="stable")
    in_order = group[order]
    is_first = np.append(True, in_order[1:] != in_order[:-1])
    positions = np.arange(len(group))
    first = np.maximum.accumulate(np.where(is_first, positions, 0))
    earlier = np.empty(len(group), np.int64)
    earlier[order] = positions - first
    return earlier


def _covered(starts: Ints, order: int, tokens: int) -> Bools:
    """Return one flag per token: whether an n-gram of this order that starts at one of `starts` contains the token."""
    change = np.bincount(starts, minlength=tokens + 1) - np.bincount(starts + order, minlength=tokens + 1)
    covered: Bools = np.cumsum(change)[:tokens] > 0
    return covered
