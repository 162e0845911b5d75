"""Sums of rows of counts: all of them, or those of each group."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._config import BleuConfig
from ._labels import Label, number_labels
from ._sealed import LAST

Ints = NDArray[np.int64]


def summed(table: Ints, config: BleuConfig) -> Ints:
    """Sum rows, shape (…, rows, columns) -> (…, columns); what is known of the last segment is the last row's.

    Raises ``ValueError`` where the sum leaves 64 bits, for counts of files may be as large as these, and for a negative
    count.
    """
    _refuse_huge(table)
    total: Ints = table.sum(axis=-2)
    if config.depends_on_segment_order and table.shape[-2]:
        total[..., -len(LAST) :] = table[..., -1, -len(LAST) :]
    return total


def _refuse_huge(table: Ints) -> None:
    counts = table.view(np.uint64)  # where a negative one is 2**63 or more
    if int(counts.max(initial=0)) * table.shape[-2] >= 2**63 and (counts.astype(object).sum(axis=-2) >= 2**63).any():
        raise ValueError(
            "the counts add up to 2**63 or more, or are negative, which no corpus has: were they read from files?"
        )


def in_groups(groups: Any, segments: int, is_total: bool) -> tuple[list[Label], Ints, Ints]:
    """Put the rows of each group together: the groups' labels, the order of the rows, and where each group starts."""
    if is_total:
        raise ValueError("these statistics are a total: there are no segments left to group")
    labels, codes = number_labels(groups, segments)
    order = np.argsort(codes, kind="stable")
    return labels, order, np.flatnonzero(np.diff(codes.take(order), prepend=-1))


def group_sums(table: Ints, config: BleuConfig, order: Ints, starts: Ints) -> Ints:
    """Sum the rows of each group: shape (groups, columns); ``ValueError`` as for `summed`."""
    _refuse_huge(table)
    table = table.take(order, axis=0)
    sums: Ints = np.add.reduceat(table, starts, axis=0)
    if config.depends_on_segment_order:
        sums[:, -len(LAST) :] = table[np.append(starts[1:], len(table)) - 1, -len(LAST) :]
    return sums
