"""Token numbers -> clipped n-gram matches per segment and order: the hot loop.

An n-gram is the pair of its two (n-1)-grams, so every order groups pairs of numbers and no n-gram is ever
built. It can match only if both of its (n-1)-grams do: each order works on what is left of the one before.
No text is known here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._groups import group

Ints = NDArray[np.int64]
_HALF = np.uint64(32)  # a text or a group is numbered below 2**32, so two of them make one key


def _pair(left: Ints, right: Ints) -> NDArray[np.uint64]:
    key: NDArray[np.uint64] = left.view(np.uint64) << _HALF
    key |= right.view(np.uint64)
    return key


def _sums(values: Ints, bounds: Ints) -> Ints:
    """Sum the values between each two neighbouring bounds; an empty stretch sums to 0."""
    running = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=running[1:])
    return np.diff(running.take(bounds))


def _most_in_one_reference(groups: Ints, text: Ints, size: int) -> Ints:
    """For each group: the largest number of times that one single reference has it."""
    same = group(_pair(groups, text))
    times = np.bincount(same)
    one_of_each = times.nonzero()[0]
    most = np.zeros(size, np.int64)
    np.maximum.at(most, groups.take(one_of_each), times.take(one_of_each))
    return most


def clipped_matches(ids: Ints, lengths: Ints, references_per_segment: Ints, max_order: int) -> Ints:
    """Count the clipped matches of every segment and order.

    `ids`: for each token the last position of an equal one in its segment; all references first, in the order of
    their segments, then all predictions. `lengths`: tokens per text, shape (references + segments,).
    `references_per_segment`: shape (segments,). Returns int64 of shape (segments, max_order).
    """
    segments = len(references_per_segment)
    n_references = len(lengths) - segments
    matches = np.zeros((segments, max_order), np.int64)
    ends = np.concatenate(([0], np.cumsum(lengths)))
    last_reference = np.concatenate(([0], np.cumsum(references_per_segment)))
    bounds = np.concatenate((ends[last_reference], ends[n_references + 1 :]))  # references by segment, predictions
    several = n_references > segments
    text = np.repeat(np.arange(n_references), lengths[:n_references]) if several else None
    groups = ids
    inside = np.ones(len(ids) + 1, bool)  # whether a token and its left neighbour are in one text
    inside[ends] = False
    position = None  # of the n-gram's first token; None: 0, 1, 2, …
    for order in range(max_order):
        split = bounds[segments]  # where the predictions' n-grams start
        size = len(groups)
        of_references, of_predictions = groups[:split], groups[split:] - split
        # A group's number is its last position: one of the prediction, if the prediction has it
        if text is not None:
            most = _most_in_one_reference(of_references, text, size)[split:]
        else:
            most = np.bincount(of_references, minlength=size)[split:]
        clipped = np.minimum(np.bincount(of_predictions, minlength=size - split), most)
        matches[:, order] = _sums(clipped, bounds[segments:] - split)
        if order == max_order - 1:
            break
        alive = np.concatenate((of_references >= split, (most > 0).take(of_predictions)))
        both = alive[1:] & alive[:-1]
        both &= inside[1:-1] if position is None else np.diff(position) == 1
        kept = both.nonzero()[0]
        if not len(kept):
            break
        position = kept if position is None else position.take(kept)
        kept_before = np.zeros(size + 1, np.int64)
        np.cumsum(both, out=kept_before[1:-1])
        kept_before[-1] = kept_before[-2]
        if text is not None:
            text = text.take(kept[: kept_before[split]])
        bounds = kept_before.take(bounds)
        groups = group(_pair(groups.take(kept), groups.take(kept + 1)))
    return matches
