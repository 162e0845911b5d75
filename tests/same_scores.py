"""What two scores, and two statistics, have to share to be the same."""

from __future__ import annotations

from typing import Any

import numpy as np

from bleu_metric import BleuStatistics


def assert_same_scores(found: Any, expected: Any, tolerance: float) -> None:
    """Scores are equal but for the last bits of their logarithms, whose rounding grows with them."""
    np.testing.assert_array_equal(found == 0, expected == 0)
    logarithms = np.log(np.where(expected == 0, 1.0, expected))
    bounds = tolerance * np.maximum(1, np.abs(logarithms)) * expected
    assert (np.abs(found - expected) <= bounds).all(), (found, expected)


def facts(statistics: Any) -> Any:
    """All that statistics say, or groups of them."""
    if isinstance(statistics, dict):
        return [(label, facts(of_label)) for label, of_label in statistics.items()]
    return statistics.table.tolist(), statistics.config, statistics.nrefs, statistics.is_sum


def same(one: BleuStatistics, other: BleuStatistics) -> bool:
    return bool(facts(one) == facts(other))
