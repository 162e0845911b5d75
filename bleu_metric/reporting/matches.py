"""Find the tokens that belong to a matched n-gram, in the predictions and references of many segments at once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from .._ngrams import factorize, pair_keys
from .._validation import Ints
from ..many.ngrams import flags, grams_by_order, on_both_sides
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
    counts = np.zeros((outputs, max_order), np.int64)
    longest = np.zeros(len(tokens.ids), np.int64)
    in_references = np.zeros((outputs // segments, len(tokens.ids)), np.int64)
    for order, grams in enumerate(grams_by_order(tokens, max_order, on_both_sides(references)), 1):
        first_token = grams.place - grams.text
        features = grams.features()
        split = grams.start_of(references)
        is_in_reference = flags(features[:split], len(features))
        matched = split + np.flatnonzero(is_in_reference.take(features[split:]))
        if not len(matched):
            break  # longer n-grams cannot match either
        counts[:, order - 1] = np.bincount(grams.text[matched] - references, minlength=outputs)
        _mark(longest, first_token[matched], order)
        first_outputs = range(references, len(texts), segments)
        for first, marks in zip(first_outputs, in_references, strict=True):
            of_system = features[grams.start_of(first) : grams.start_of(first + segments)]
            is_in_output = flags(of_system, len(features))
            matched = np.flatnonzero(is_in_output.take(features[:split]))
            _mark(marks, first_token[matched], order)
    return Matches(counts, longest, in_references)


def _token_ids(texts: Sequence[Sequence[Hashable]], references_per_segment: Sequence[int] | Ints) -> TokenIds:
    """Return the ids of the tokens. Equal tokens have equal ids only if they are of the same segment."""
    numbers: dict[Hashable, int] = {}
    words = np.array([numbers.setdefault(token, len(numbers)) for token in chain.from_iterable(texts)], np.int64)
    lengths = np.array([len(tokens) for tokens in texts], np.int64)
    segments = np.arange(len(references_per_segment))
    of_references = np.repeat(segments, references_per_segment)
    of_outputs = np.resize(segments, len(texts) - len(of_references))
    segment_of_text = np.concatenate([of_references, of_outputs])
    segment = np.repeat(segment_of_text, lengths)
    return TokenIds(factorize(pair_keys(segment, words)), lengths)


def _mark(marks: Ints, starts: Ints, order: int) -> None:
    """Set the marks of all tokens in the n-grams that begin at `starts` to their order. `marks`: one per token."""
    size = len(marks) + 1
    begins_and_ends = np.bincount(starts, minlength=size) - np.bincount(starts + order, minlength=size)
    is_covered = np.cumsum(begins_and_ends)[:-1] > 0
    marks[is_covered] = order
