"""What two scores, and two statistics, have to share to be the same."""

from __future__ import annotations

from typing import Any

from bleu_metric import BleuStatistics


def facts(statistics: Any) -> Any:
    """All that statistics say, or groups of them."""
    if isinstance(statistics, dict):
        return [(label, facts(of_label)) for label, of_label in statistics.items()]
    return statistics.table.tolist(), statistics.config, statistics.nrefs, statistics.is_sum


def same(one: BleuStatistics, other: BleuStatistics) -> bool:
    return bool(facts(one) == facts(other))
