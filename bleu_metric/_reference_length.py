"""The rules for the effective reference length of each segment, one function per rule.

Every rule has three arguments: the lengths of the predictions, shape (segments,); the lengths of all references,
segment by segment, shape (references,); and the start of each segment's references, shape (segments,). A segment has at
least one reference. The result is int64 of shape (segments,). Its unit is 1 / `units_per_token(rule)` of a token.
"""

from __future__ import annotations

from collections.abc import Callable

from ._lazy import np
from ._validation import Ints

Rule = Callable[[Ints, Ints, Ints], Ints]
_LOW = 1 << 31  # difference * _LOW + length packs both numbers into one; a length is below 2**31 tokens
_MOSES_LIMIT = 9999  # multi-bleu.perl begins its search with a reference length and a difference of 9999 tokens
_PARTS = 720_720  # units per token: lcm(1, …, 16), so that the mean of up to 16 lengths is an integer number of units


def _sizes(references: Ints, starts: Ints) -> Ints:
    """Return the number of references of each segment. For one segment, `np.diff` takes 10 times as long."""
    sizes = np.empty_like(starts)
    sizes[:-1] = starts[1:] - starts[:-1]
    sizes[-1:] = len(references) - starts[-1:]
    return sizes


def _differences(predictions: Ints, references: Ints, starts: Ints) -> Ints:
    differences: Ints = np.abs(references - np.repeat(predictions, _sizes(references, starts)))
    return differences


def _closest(predictions: Ints, references: Ints, starts: Ints) -> Ints:
    """Return the reference length closest to the prediction's length. If two are equally close, return the shorter."""
    return _nearest(predictions, references, starts) % _LOW


def _nearest(predictions: Ints, references: Ints, starts: Ints) -> Ints:
    """Return ``difference * _LOW + length`` of the reference closest to each prediction in length.

    If two references are equally close, the shorter one counts.
    """
    ranked = _differences(predictions, references, starts) * _LOW + references
    nearest: Ints = np.minimum.reduceat(ranked, starts)
    return nearest


def _closest_first(predictions: Ints, references: Ints, starts: Ints) -> Ints:
    """Return the reference length closest to the prediction's length. If two are equally close, return the earlier."""
    ranked = _differences(predictions, references, starts) * _LOW + np.arange(len(references))
    first = np.minimum.reduceat(ranked, starts) % _LOW
    return references.take(first)


def _closest_below_9999(predictions: Ints, references: Ints, starts: Ints) -> Ints:
    """Return the closest reference length as multi-bleu.perl computes it.

    The result is 9999 if every reference length differs from the prediction's length by more than 9999 tokens. It is
    also 9999 if the closest reference length differs by exactly 9999 tokens and is larger than 9999.
    """
    where_the_search_starts = _MOSES_LIMIT * _LOW + _MOSES_LIMIT
    nearest: Ints = np.minimum(_nearest(predictions, references, starts), where_the_search_starts)
    return nearest % _LOW


def _shortest(_predictions: Ints, references: Ints, starts: Ints) -> Ints:
    lengths: Ints = np.minimum.reduceat(references, starts)
    return lengths


def _longest(_predictions: Ints, references: Ints, starts: Ints) -> Ints:
    lengths: Ints = np.maximum.reduceat(references, starts)
    return lengths


def _average(_predictions: Ints, references: Ints, starts: Ints) -> Ints:
    """Return the mean length in 720720ths of a token, rounded down. It is exact for up to 16 references."""
    sums = np.add.reduceat(references, starts)
    lengths: Ints = sums * _PARTS // _sizes(references, starts)
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


def effective_lengths(rule: str, predictions: Ints, references: Ints, starts: Ints) -> Ints:
    """Compute the effective reference lengths by the named rule. The module docstring explains the arguments."""
    if len(references) == len(starts) and rule in SAME_FOR_ONE_REFERENCE:
        return references
    return REFERENCE_LENGTHS[rule](predictions, references, starts)


def units_per_token(rule: str) -> int:
    """Return how many units make one token in the rule's results: 720720 for "average", else 1."""
    return _PARTS if rule == "average" else 1
