"""Corpora from files -> counts, with a progress bar where it takes long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ._bleu import of_kind
from ._config import BleuConfig
from ._count import count_columns
from ._files import Corpus
from ._statistics import BleuStatistics
from ._systems import system_columns, together


def counted(corpus: Corpus, config: BleuConfig, keep_rows: bool) -> dict[str, BleuStatistics]:
    """Count every system of a corpus."""
    return dict(zip(corpus.systems, count(corpus, [config], keep_rows), strict=True))


def count(corpus: Corpus, configs: list[BleuConfig], keep_rows: bool) -> list[BleuStatistics]:
    """Count rows, one answer for each configuration and system in turn; a bar shows when it takes long."""
    rows = together(system_columns(corpus.systems, corpus.references))
    with progress("segments") as tell:
        return count_columns(rows, [of_kind(rows, config) for config in configs], keep_rows, report=tell)


@contextmanager
def progress(unit: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function to be told (done, total): a bar on standard error, if that is a terminal, after a second."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from tqdm import tqdm

    with tqdm(unit=f" {unit}", delay=1, leave=False) as bar:

        def tell(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield tell
