"""Kinds of characters -> where tokens start and end. The rules of the tokenizers, for a whole column at once.

In the regular expressions of 13a and intl a MARK is cut from its left neighbour unless that is a digit, then
from its right neighbour unless that is one, and what one match has used no other match sees. For a run of marks
this comes to: all are cut apart; only the last one can stay glued, to a digit on its right, and then only if the
matches of the first expression, which take the run two by two, did not use it. Whether they did depends on
the run's length and on whether a digit precedes it. `1.5` stays whole, `1..5` is `1 . . 5`, `1...5` is `1 . . .5`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._tokenizers import ALONE, DASH, DIGIT, MARK, SPACE

Kinds = NDArray[np.uint8]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def split(kinds: Kinds, bounds: Ints, padded: bool) -> tuple[Ints, Ints]:
    """Find the tokens of texts that stand one after another.

    `kinds`: one per character (or byte), shape (n,). `bounds`: where the texts start, and n at the end.
    `padded`: whether a text's edges count as spaces. Returns the tokens' starts and ends, two arrays of
    positions in 0 … n.
    """
    size = len(kinds)
    edge = np.zeros(size + 1, bool)  # whether a text starts (or ends) here
    edge[bounds] = True
    cut = edge.copy()  # whether no token crosses from the character on the left to the one here
    cuts_both = (kinds & np.uint8(SPACE | ALONE | MARK)) != 0
    cut[1:] |= cuts_both
    cut[:-1] |= cuts_both
    dashes = (kinds == DASH).nonzero()[0]
    dashes = dashes[(kinds.take(dashes - 1) == DIGIT) & ~edge.take(dashes)]  # (-1 is the array's end, but an edge)
    cut[dashes] = cut[dashes + 1] = True
    _glue_marks(kinds, edge, cut, padded)
    text = (kinds & np.uint8(SPACE)) == 0
    return (text & cut[:-1]).nonzero()[0], (text & cut[1:]).nonzero()[0] + 1


def _glue_marks(kinds: Kinds, edge: Bools, cut: Bools, padded: bool) -> None:
    """Undo the cuts around the marks that stay in a number."""
    marks = (kinds == MARK).nonzero()[0]
    at_end = edge.take(marks + 1)
    digit_follows = kinds.take(marks + 1, mode="clip") == DIGIT
    # Nothing on the right that the second expression could match
    last = marks[digit_follows & ~at_end if padded else digit_follows | at_end]
    if not len(last):
        return
    first = _run_starts(last, kinds, edge)
    at_edge = edge[first]
    unmatched_first = (kinds[first - 1] == DIGIT) & ~at_edge
    if not padded:
        unmatched_first |= at_edge
    odd = (last - first) % 2 == 0  # the run's length is
    free = odd == unmatched_first
    last, first = last[free], first[free]
    cut[last + 1] = edge[last + 1]
    single = last[last == first]
    cut[single] = edge[single]


def _run_starts(last: Ints, kinds: Kinds, edge: Bools) -> Ints:
    """For each mark: where the run of marks that it ends in starts."""
    continues = (kinds[last - 1] == MARK) & ~edge[last]
    if not continues.any():
        return last
    mark = kinds == MARK
    starts = np.arange(len(mark))
    starts[1:][mark[1:] & mark[:-1] & ~edge[1:-1]] = 0
    run: Ints = np.maximum.accumulate(starts).take(last)
    return run
