"""Find the tokens that belong to a matched n-gram, in the predictions and references of many segments at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import chain

import numpy as np

from .._ngrams import factorize, pair_keys
from .._validation import Bools, Ints
from ..many.ngrams import Grams, flags, grams_by_order, on_both_sides
from ..many.texts import TokenIds


def find_matches(
    texts: Sequence[Sequence[Hashable]], references_per_segment: Sequence[int] | Ints, max_order: int = 4
) -> Ints:
    """Return, for each token, the order of the longest matched n-gram that contains the token, or 0.

    An n-gram of an output matches if it occurs in a reference of the segment. An n-gram of a reference matches if it
    occurs in the output. If an n-gram occurs twice in one text but only once in the other, only its first occurrence
    matches.

    Args:
        texts: one list of tokens per text: first all references, segment by segment, then all outputs of the first
            system, all outputs of the second system, and so on.
        references_per_segment: the number of references of each segment.
        max_order: the highest n-gram order.

    Returns:
        Orders, of shape (systems, tokens of all texts). The row of a system describes the matches between its outputs
        and the references. In this row, entries for the outputs of other systems have no meaning.

    >>> texts = ["the cat sat".split(), "a cat".split(), "the the cat".split()]
    >>> find_matches(texts, [2], max_order=2).tolist()
    [[2, 2, 0, 0, 1, 1, 2, 2]]
    """
    # texts: | references of all segments | outputs of the first system | outputs of the second system | …
    segments = len(references_per_segment)
    references = int(np.sum(references_per_segment))
    systems = (len(texts) - references) // segments
    tokens = _token_ids(texts, references_per_segment)
    longest = np.zeros((systems, len(tokens.ids)), np.int64)
    can_match = on_both_sides(references)  # one side: texts before this index; other side: texts from it onwards
    for order, grams in enumerate(grams_by_order(tokens, max_order, can_match), 1):
        first_tokens = grams.place - grams.text  # the index of each n-gram's first token
        for system, is_match in enumerate(_matches_by_system(grams, references, segments, systems)):
            starts = first_tokens[is_match]
            for offset in range(order):
                longest[system, starts + offset] = order  # orders ascend, so this replaces only lower orders
    return longest


def _matches_by_system(grams: Grams, references: int, segments: int, systems: int) -> Iterator[Bools]:
    """Yield, for each system, one flag per n-gram: whether it occurs in the references and in the system's outputs.

    If an n-gram occurs twice in an output, its second occurrence has a flag of its own: whether the n-gram also occurs
    twice in a reference. The same is true for references, because the first and the second occurrence are different
    features (see `many.ngrams`). `references`: the number of all references.
    """
    features = grams.features()
    of_references = features[: grams.start_of(references)]
    is_in_reference = flags(of_references, len(features))
    for system in range(systems):
        first_output = references + system * segments
        start = grams.start_of(first_output)
        end = grams.start_of(first_output + segments)
        is_in_output = flags(features[start:end], len(features))
        is_on_both_sides = is_in_reference & is_in_output
        yield is_on_both_sides.take(features)


def _token_ids(texts: Sequence[Sequence[Hashable]], references_per_segment: Sequence[int] | Ints) -> TokenIds:
    """Replace tokens with ids. Two tokens have the same id only if they are equal and in the same segment."""
    tokens = list(chain.from_iterable(texts))
    numbers = {token: index for index, token in enumerate(tokens)}  # equal tokens get the index of the last of them
    number_of_token = np.array([numbers[token] for token in tokens], np.int64)
    segments = np.arange(len(references_per_segment))
    segments_of_references = np.repeat(segments, references_per_segment)
    outputs = len(texts) - len(segments_of_references)
    segments_of_outputs = np.resize(segments, outputs)  # 0, 1, …, 0, 1, …: repeated for each system
    segment_of_text = np.append(segments_of_references, segments_of_outputs)
    lengths = np.array([len(text) for text in texts], np.int64)
    segment_of_token = np.repeat(segment_of_text, lengths)
    keys = pair_keys(segment_of_token, number_of_token)
    return TokenIds(factorize(keys), lengths)
