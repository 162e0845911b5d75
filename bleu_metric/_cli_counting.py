"""Corpora from files -> counts, with a progress bar where it takes long."""

from __future__ import annotations

import sys
from typing import Any

from ._bleu import of_kind
from ._columns import columns
from ._config import BleuConfig
from ._count import count_columns
from ._files import Corpus
from ._statistics import BleuStatistics, merge

_ROWS_BETWEEN_PROGRESS = 50_000


def counted(corpus: Corpus, config: BleuConfig, keep_rows: bool) -> dict[str, BleuStatistics]:
    """Count every system of a corpus."""
    return {name: count(outputs, corpus.references, [config], keep_rows)[0] for name, outputs in corpus.systems.items()}


def count(predictions: Any, references: Any, configs: list[BleuConfig], keep_rows: bool) -> list[BleuStatistics]:
    """Count rows, stretch by stretch; a bar on standard error shows when it takes long."""
    rows = len(predictions)
    if rows <= _ROWS_BETWEEN_PROGRESS:
        corpus = columns(predictions, references)
        return count_columns(corpus, [of_kind(corpus, config) for config in configs], keep_rows)
    from tqdm import tqdm

    parts = []
    with tqdm(total=rows, unit=" segments", delay=1, leave=False, disable=not sys.stderr.isatty()) as progress:
        for first in range(0, rows, _ROWS_BETWEEN_PROGRESS):
            stretch = slice(first, first + _ROWS_BETWEEN_PROGRESS)
            corpus = columns(predictions[stretch], references[stretch], first)
            parts.append(count_columns(corpus, [of_kind(corpus, config) for config in configs], keep_rows))
            progress.update(len(corpus.predictions))
    return [merge(of_one) for of_one in zip(*parts, strict=True)]
