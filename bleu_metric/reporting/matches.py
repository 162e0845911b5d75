"""Find the tokens that belong to a matched n-gram, in the predictions and references of many segments at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .._corpus import Batch
from .._counting import ids_in_segments, segments_of_tokens
from .._tokenize import Tokens
from .._validation import Bools, Ints
from ..many.ngrams import Grams, flags, grams_by_order, on_both_sides
from ..many.texts import TokenIds


def find_matches(batch: Batch, tokens: Tokens, max_order: int = 4) -> Ints:
    """Return, for each token, the order of the longest matched n-gram that contains the token, or 0.

    An n-gram of an output matches if it occurs in a reference of the segment. An n-gram of a reference matches if it
    occurs in the output. If an n-gram occurs twice in one text but only once in the other, only its first occurrence
    matches.

    Args:
        batch: the texts: first all references, segment by segment, then all outputs of the first system, all outputs of
            the second system, and so on.
        tokens: the tokens of these texts, from `tokenize_batch`.
        max_order: the highest n-gram order.

    Returns:
        Orders, of shape (systems, tokens of all texts). The row of a system describes the matches between its outputs
        and the references. In this row, entries for the outputs of other systems have no meaning.

    >>> from bleu_metric._config import BleuConfig, tokenization_of
    >>> from bleu_metric._corpus import as_corpus
    >>> from bleu_metric._counting import tokenize_batch
    >>> references = [["the cat sat".split(), "a cat".split()]]
    >>> batch = as_corpus(["the the cat".split()], references).read(0, 1)
    >>> tokens = tokenize_batch(batch.kind, batch.values, batch.lengths, tokenization_of(BleuConfig()))
    >>> find_matches(batch, tokens, max_order=2).tolist()
    [[2, 2, 0, 0, 1, 1, 2, 2]]
    """
    segment_of_token = segments_of_tokens(batch, tokens.per_text)
    ids = ids_in_segments(batch.kind, batch.values, tokens, segment_of_token)
    # The references are on one side, and the outputs, whose texts begin at this index, on the other
    can_match = on_both_sides(batch.references)
    every_order = grams_by_order(TokenIds(ids, tokens.per_text), max_order, can_match)

    longest_orders = np.zeros((batch.systems, len(ids)), np.int64)
    for order, grams in enumerate(every_order, 1):
        # An n-gram's `place` is the index of its first token + `text`
        first_tokens = grams.place - grams.text
        for system, is_match in enumerate(_matches_by_system(grams, batch)):
            matched_first_tokens = first_tokens[is_match]
            for offset in range(order):
                # Orders ascend, so this replaces only lower orders
                longest_orders[system, matched_first_tokens + offset] = order
    return longest_orders


def _matches_by_system(grams: Grams, batch: Batch) -> Iterator[Bools]:
    """Yield, for each system, one flag per n-gram: whether it occurs in the references and in the system's outputs.

    If an n-gram occurs twice in an output, its second occurrence has a flag of its own: whether the n-gram also occurs
    twice in a reference. The same is true for references, because the first and the second occurrence are different
    features (see `many.ngrams`).
    """
    features = grams.features()
    reference_features = features[: grams.start_of(batch.references)]
    is_in_reference = flags(reference_features, len(features))
    for system in range(batch.systems):
        first_output = batch.references + system * batch.segments  # index of the system's first text
        start = grams.start_of(first_output)
        end = grams.start_of(first_output + batch.segments)
        is_in_output = flags(features[start:end], len(features))
        is_on_both_sides = is_in_reference & is_in_output
        yield is_on_both_sides.take(features)  # one flag per n-gram
