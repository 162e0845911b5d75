"""Find the tokens that belong to a matched n-gram, in the predictions and references of many segments at once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from .._ngrams import factorize, pair_keys
from .._validation import Bools, Ints
from ..many.ngrams import all_grams, grams_by_order
from ..many.texts import TokenIds


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
    outputs = len(texts) - references
    tokens = _token_ids(texts, references_per_segment)
    size = len(tokens.ids)
    counts = np.zeros((outputs, max_order), np.int64)
    longest = np.zeros(size, np.int64)
    in_references = np.zeros((outputs // segments, size), np.int64)
    first_outputs = np.arange(references, len(texts) + 1, segments)  # of each system; at last, the number of texts
    remaining = _tokens_to_the_end(tokens.lengths)
    for order, grams in enumerate(grams_by_order(tokens, max_order, all_grams), 1):
        starts = np.flatnonzero(remaining >= order)
        features = grams.features()
        bounds = np.searchsorted(grams.text, first_outputs)
        first = bounds[0]
        is_matched = _are_in(features[first:], features[:first])
        if not is_matched.any():
            break  # longer n-grams cannot match either
        matched = first + np.flatnonzero(is_matched)
        counts[:, order - 1] = np.bincount(grams.text[matched] - references, minlength=outputs)
        longest[_covered(starts[matched], order, size)] = order
        for marks, start, end in zip(in_references, bounds, bounds[1:], strict=False):
            in_output = _are_in(features[:first], features[start:end])
            marks[_covered(starts[:first][in_output], order, size)] = order
    return Matches(counts, longest, in_references)


def _token_ids(texts: Sequence[Sequence[Hashable]], references_per_segment: Sequence[int] | Ints) -> TokenIds:
    """Return the ids of the tokens. Equal tokens have equal ids only if they are of the same segment."""
    numbers: dict[Hashable, int] = {}
    words = [numbers.setdefault(token, len(numbers)) for token in chain.from_iterable(texts)]
    lengths = np.array([len(tokens) for tokens in texts], np.int64)
    segments = np.arange(len(references_per_segment))
    of_references = np.repeat(segments, references_per_segment)
    of_outputs = np.resize(segments, len(texts) - len(of_references))
    segment = np.repeat(np.concatenate([of_references, of_outputs]), lengths)
    return TokenIds(factorize(pair_keys(segment, np.array(words, np.int64))), lengths)


def _tokens_to_the_end(lengths: Ints) -> Ints:
    """Return, for each token, the number of tokens from it to the end of its text."""
    ends: Ints = np.repeat(np.cumsum(lengths), lengths)
    return ends - np.arange(len(ends))


def _are_in(features: Ints, others: Ints) -> Bools:
    """Return one flag per feature: whether it is one of `others`."""
    is_other = np.zeros(1 + max(features.max(initial=0), others.max(initial=0)), bool)
    is_other[others] = True
    return is_other.take(features)


def _covered(starts: Ints, order: int, tokens: int) -> Bools:
    """Return one flag per token: whether an n-gram of this order that starts at one of `starts` contains the token."""
    change = np.bincount(starts, minlength=tokens + 1) - np.bincount(starts + order, minlength=tokens + 1)
    covered: Bools = np.cumsum(change)[:tokens] > 0
    return covered
