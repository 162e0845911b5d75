"""The rules for the effective reference length of each segment, one function per rule.

Every rule has the arguments and the result of `effective_lengths`.
"""

from __future__ import annotations

from collections.abc import Callable

from ._lazy import np
from ._validation import Ints

Rule = Callable[[Ints, Ints, Ints], Ints]
# A pair (first, second) is packed into the number first * _PAIR_BASE + second, because these numbers sort by `first`,
# then by `second`. The remainder number % _PAIR_BASE is `second`. Every length is smaller than _PAIR_BASE.
_PAIR_BASE = 1 << 31
_MOSES_LIMIT = 9999  # multi-bleu.perl begins its search with a reference length and a difference of 9999 tokens
_UNITS_PER_TOKEN = 720_720  # lcm(1, …, 16), so that the mean of up to 16 lengths is an integer number of units


def _closest(prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return the reference length closest to the prediction's length. If two are equally close, return the shorter."""
    pairs = _closest_pairs(reference_lengths, prediction_lengths, reference_lengths, bounds)
    # Each pair (difference, length) is the number difference * _PAIR_BASE + length
    return pairs % _PAIR_BASE


def _closest_first(prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return the reference length closest to the prediction's length. If two are equally close, return the earlier."""
    indices = np.arange(len(reference_lengths))
    pairs = _closest_pairs(indices, prediction_lengths, reference_lengths, bounds)
    # Each pair (difference, index) is the number difference * _PAIR_BASE + index
    closest = pairs % _PAIR_BASE
    return reference_lengths.take(closest)


def _closest_below_9999(prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return the closest reference length as multi-bleu.perl computes it.

    The result is 9999 if every reference length differs from the prediction's length by more than 9999 tokens. It is
    also 9999 if the closest reference length differs by exactly 9999 tokens and is larger than 9999.
    """
    pairs = _closest_pairs(reference_lengths, prediction_lengths, reference_lengths, bounds)
    # Each pair (difference, length) is the number difference * _PAIR_BASE + length. The first pair is (9999, 9999)
    start_of_search = _MOSES_LIMIT * _PAIR_BASE + _MOSES_LIMIT
    return np.minimum(pairs, start_of_search) % _PAIR_BASE


def _closest_pairs(labels: Ints, prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return, for each segment, the smallest of the pairs (difference, label) of its references.

    The difference is the absolute difference between the lengths of the reference and the prediction. `labels`: one
    number below 2**31 for each reference, which decides between equal differences. A pair is the number
    difference * `_PAIR_BASE` + label.

    For example, a prediction of 5 tokens has references of 4, 6 and 9 tokens. If the labels are these lengths, the
    pairs are (1, 4), (1, 6) and (4, 9). The smallest one is (1, 4).
    """
    references_per_segment = np.diff(bounds)
    lengths_to_match = np.repeat(prediction_lengths, references_per_segment)
    differences = np.abs(reference_lengths - lengths_to_match)
    pairs = differences * _PAIR_BASE + labels
    # `bounds[:-1]`: index of each segment's first reference
    smallest: Ints = np.minimum.reduceat(pairs, bounds[:-1])
    return smallest


def _shortest(_prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return the shortest reference length of each segment."""
    # `bounds[:-1]`: index of each segment's first reference
    lengths: Ints = np.minimum.reduceat(reference_lengths, bounds[:-1])
    return lengths


def _longest(_prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return the longest reference length of each segment."""
    # `bounds[:-1]`: index of each segment's first reference
    lengths: Ints = np.maximum.reduceat(reference_lengths, bounds[:-1])
    return lengths


def _average(_prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Return the mean length in 720720ths of a token, rounded down. It is exact for up to 16 references."""
    # `bounds[:-1]`: index of each segment's first reference. `np.diff(bounds)`: number of references of each segment
    sums = np.add.reduceat(reference_lengths, bounds[:-1])
    lengths: Ints = sums * _UNITS_PER_TOKEN // np.diff(bounds)
    return lengths


REFERENCE_LENGTHS: dict[str, Rule] = {
    "closest": _closest,
    "closest-first": _closest_first,
    "closest-below-9999": _closest_below_9999,
    "shortest": _shortest,
    "longest": _longest,
    "average": _average,
}

# For a segment with one reference, these rules return the length of this reference in tokens, for any prediction
SAME_FOR_ONE_REFERENCE = ("closest", "closest-first", "shortest", "longest")


def effective_lengths(rule: str, prediction_lengths: Ints, reference_lengths: Ints, bounds: Ints) -> Ints:
    """Compute the effective reference length of each segment by the named rule: int64, shape (segments,).

    The lengths are in tokens, except with the rule "average": see `units_per_token`.

    Args:
        rule: a name in `REFERENCE_LENGTHS`.
        prediction_lengths: number of tokens of each prediction, shape (segments,).
        reference_lengths: number of tokens of each reference, segment by segment, shape (references,).
        bounds: index of each segment's first reference, then the number of all references, shape (segments + 1,). Each
            segment has at least one reference.

    >>> effective_lengths("closest", np.array([3, 5]), np.array([4, 9, 7]), np.array([0, 2, 3]))
    array([4, 7])
    """
    # Each segment has at least one reference, so equal numbers mean one reference each
    has_one_each = len(reference_lengths) == len(prediction_lengths)
    if has_one_each and rule in SAME_FOR_ONE_REFERENCE:
        return reference_lengths
    return REFERENCE_LENGTHS[rule](prediction_lengths, reference_lengths, bounds)


def units_per_token(rule: str) -> int:
    """Return the number of units per token in the lengths that a rule returns: 720720 for "average", else 1."""
    return _UNITS_PER_TOKEN if rule == "average" else 1
