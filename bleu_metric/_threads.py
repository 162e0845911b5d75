"""How many threads may work."""

from __future__ import annotations

import os


def threads() -> int:
    """How many threads count: all processors this process may use, or what BLEU_METRIC_THREADS says."""
    chosen = os.environ.get("BLEU_METRIC_THREADS", "")
    if chosen:
        if not (chosen.isascii() and chosen.isdigit() and int(chosen)):
            raise ValueError(
                f"the environment variable BLEU_METRIC_THREADS must be a whole number >= 1, got {chosen!r}"
            )
        return int(chosen)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
