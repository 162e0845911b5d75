"""Find the tokens that belong to a matched n-gram, in the predictions and references of many segments at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from .._corpus import Texts
from .._counting import ids_in_segments, segments_of_texts
from .._validation import Bools, Ints
from ..many.ngrams import Grams, flags, grams_by_order, on_both_sides
from ..many.texts import TokenIds


def find_matches(tokens: Texts, references_per_segment: Ints, n_systems: int = 1, max_order: int = 4) -> Ints:
    """Return, for each token, the order of the longest matched n-gram that contains the token, or 0.

    An n-gram matches if the output and a reference of the segment both contain the n-gram. If the n-gram occurs twice
    on one side and once on the other side, only the first occurrence matches.

    Args:
        tokens: the tokens of all references, segment by segment, then of all outputs of the first system, of the
            second system, and so on.
        references_per_segment: number of references of each segment.
        n_systems: number of systems.
        max_order: the highest n-gram order.

    Returns:
        Orders, of shape (systems, tokens of all texts). In the row of a system, entries for the outputs of other
        systems have no meaning.

    >>> from bleu_metric._corpus import as_corpus
    >>> tokens, per_segment = as_corpus(["the the cat".split()], [["the cat sat".split(), "a cat".split()]]).read()
    >>> find_matches(tokens, per_segment, max_order=2).tolist()
    [[2, 2, 0, 0, 1, 1, 2, 2]]
    """
    outputs_of_systems, every_order = _grams_of_both_sides(tokens, references_per_segment, n_systems, max_order)
    longest_orders = np.zeros((n_systems, int(tokens.per_text.sum())), np.int64)
    for order, grams in enumerate(every_order, 1):
        first_tokens = grams.place - grams.text  # an n-gram's `place` is the index of its first token + `text`
        features = grams.features()
        in_references, *in_outputs = _features_of_sides(grams, features, outputs_of_systems)
        for system, in_output in enumerate(in_outputs):
            is_match = (in_references & in_output).take(features)  # one flag per n-gram
            matched_first_tokens = first_tokens[is_match]
            for offset in range(order):
                # Orders ascend, so the new order is higher
                longest_orders[system, matched_first_tokens + offset] = order
    return longest_orders


def ngrams_of_references(
    tokens: Texts, references_per_segment: Ints, n_systems: int, max_order: int
) -> Iterator[tuple[Ints, list[Bools]]]:
    """Yield, for each n-gram order, the n-grams of the references, and whether each system matches them.

    The arguments are as for `find_matches`. In each segment, an n-gram is listed max(counts in the references) times.
    From order 2 onwards, n-grams without a match are omitted.

    Yields:
        The index of each n-gram's first token, and one array of flags per system.

    >>> from bleu_metric._corpus import as_corpus
    >>> tokens, per_segment = as_corpus(["the the cat".split()], ["the cat sat".split()]).read()
    >>> (first_tokens, [is_match]), _ = ngrams_of_references(tokens, per_segment, 1, max_order=2)
    >>> is_match.tolist()  # of "sat", "the" and "cat"
    [False, True, True]
    """
    outputs_of_systems, every_order = _grams_of_both_sides(tokens, references_per_segment, n_systems, max_order)
    for grams in every_order:
        in_references, *in_outputs = _features_of_sides(grams, grams.features(), outputs_of_systems)
        # The number of a feature is the position of its last n-gram
        positions = np.flatnonzero(in_references)
        first_tokens = (grams.place - grams.text).take(positions)
        yield first_tokens, [in_output.take(positions) for in_output in in_outputs]


def _grams_of_both_sides(
    tokens: Texts, references_per_segment: Ints, n_systems: int, max_order: int
) -> tuple[list[int], Iterator[Grams]]:
    """Return the bounds of each system's outputs among all texts, and the n-grams of each order."""
    ids = ids_in_segments(tokens, segments_of_texts(references_per_segment, n_systems))
    n_references = int(references_per_segment.sum())
    n_segments = len(references_per_segment)
    outputs_of_systems = [n_references + n_segments * system for system in range(n_systems + 1)]
    # Here, references come before outputs. `on_both_sides` accepts any two sides
    can_match = on_both_sides(n_references)
    return outputs_of_systems, grams_by_order(TokenIds(ids, tokens.per_text), max_order, can_match)


def _features_of_sides(grams: Grams, features: Ints, outputs_of_systems: list[int]) -> Iterator[Bools]:
    """Yield one array for the references, then one per system: whether each feature occurs in the texts."""
    starts = [0, *map(grams.start_of, outputs_of_systems)]
    for start, end in pairwise(starts):
        yield flags(features[start:end], len(features))
