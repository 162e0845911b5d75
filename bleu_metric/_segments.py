"""What was counted in a batch of segments -> a row of statistics for each, by the configuration's choices."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._config import BleuConfig
from ._lengths import REFERENCE_LENGTHS
from ._sealed import counted_orders
from ._statistics import BleuStatistics

Ints = NDArray[np.int64]


class SegmentCounts(NamedTuple):
    """What was counted in a batch of segments, before any choice but the tokens."""

    matches: Ints  # (segments, orders)
    translation_lengths: Ints  # (segments,)
    reference_lengths: Ints  # (references,), those of each segment together
    first_reference: Ints  # (segments,)


def to_statistics(counts: SegmentCounts, config: BleuConfig) -> BleuStatistics:
    """Apply the configuration's choices about lengths: one row per segment."""
    lengths = counts.translation_lengths
    references = REFERENCE_LENGTHS[config.reference_length](lengths, counts.reference_lengths, counts.first_reference)
    orders = np.arange(counted_orders(config))
    totals = np.maximum(lengths[:, np.newaxis] - orders, 1 if config.total_floor == "segment" else 0)
    used = slice(config.max_order)
    parts = [counts.matches[:, used], totals[:, used], lengths[:, np.newaxis], references[:, np.newaxis]]
    if config.depends_on_segment_order:
        parts += [counts.matches[:, 4:5], totals[:, 4:5], lengths[:, np.newaxis]]
    counted = np.diff(counts.first_reference, append=len(counts.reference_lengths))
    nrefs = (int(counted.min()), int(counted.max()))
    return BleuStatistics(np.concatenate(parts, axis=1), config, nrefs)
