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

    An n-gram of an output matches if it occurs in a reference of the segment. An n-gram of a reference matches if it
    occurs in the output. If an n-gram occurs twice in one text but only once in the other, only its first occurrence
    matches.

    Args:
        tokens: the tokens of all references, segment by segment, then of all outputs of the first system, all outputs
            of the second system, and so on.
        references_per_segment: number of references of each segment.
        n_systems: number of systems.
        max_order: the highest n-gram order.

    Returns:
        Orders, of shape (systems, tokens of all texts). The row of a system describes the matches between its outputs
        and the references. In this row, entries for the outputs of other systems have no meaning.

    >>> from bleu_metric._corpus import as_corpus
    >>> tokens, per_segment = as_corpus(["the the cat".split()], [["the cat sat".split(), "a cat".split()]]).read()
    >>> find_matches(tokens, per_segment, max_order=2).tolist()
    [[2, 2, 0, 0, 1, 1, 2, 2]]
    """
    ids = ids_in_segments(tokens, segments_of_texts(references_per_segment, n_systems))
    n_references = int(references_per_segment.sum())
    # The references are on one side, and the outputs, whose texts begin at this index, on the other
    can_match = on_both_sides(n_references)
    every_order = grams_by_order(TokenIds(ids, tokens.per_text), max_order, can_match)

    n_segments = len(references_per_segment)
    outputs_of_systems = [n_references + n_segments * system for system in range(n_systems + 1)]  # and the end
    longest_orders = np.zeros((n_systems, len(ids)), np.int64)
    for order, grams in enumerate(every_order, 1):
        # An n-gram's `place` is the index of its first token + `text`
        first_tokens = grams.place - grams.text
        for system, is_match in enumerate(_matches_by_system(grams, outputs_of_systems)):
            matched_first_tokens = first_tokens[is_match]
            for offset in range(order):
                # Orders ascend, so this replaces only lower orders
                longest_orders[system, matched_first_tokens + offset] = order
    return longest_orders


def _matches_by_system(grams: Grams, outputs_of_systems: list[int]) -> Iterator[Bools]:
    """Yield, for each system, one flag per n-gram: whether it occurs in the references and in the system's outputs.

    If an n-gram occurs twice in an output, its second occurrence has a flag of its own: whether the n-gram also occurs
    twice in a reference. The same is true for references, because the first and the second occurrence are different
    features (see `many.ngrams`). `outputs_of_systems`: index of each system's first output, then the number of texts.
    """
    features = grams.features()
    starts = [grams.start_of(text) for text in outputs_of_systems]
    is_in_reference = flags(features[: starts[0]], len(features))
    for start, end in pairwise(starts):
        is_in_output = flags(features[start:end], len(features))
        is_on_both_sides = is_in_reference & is_in_output
        yield is_on_both_sides.take(features)  # one flag per n-gram
