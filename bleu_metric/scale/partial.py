"""What Spark and Ray share. A worker adds up the counts of its rows, and the driver adds up the sums of all workers.

The sums do not depend on the order in which they are added.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .._config import BleuConfig, fit_to_kind
from .._corpus import Corpus, Label, as_corpus
from .._counting import count_corpus
from .._lazy import pa
from .._statistics import BleuStatistics, join_references
from .accumulator import require_sums
from .columns import check_column_names, find_column, find_references


class Job(NamedTuple):
    """The columns to read, as names or as paths such as ``translation.en``, and the BLEU configuration."""

    predictions: str
    references: str | Sequence[str]
    groups: str | None
    config: BleuConfig

    def paths(self) -> list[str]:
        """Return the names or paths of all columns to read, without duplicates."""
        references = [self.references] if isinstance(self.references, str) else self.references
        groups = [] if self.groups is None else [self.groups]
        return list(dict.fromkeys([self.predictions, *references, *groups]))

    def corpus(self, table: pa.Table, first_row: int) -> Corpus:
        """Return the predictions and references in a table. `first_row`: index of the first row in error messages."""
        predictions = find_column(table, self.predictions)
        references = find_references(table, self.references)
        return as_corpus(predictions, references, first_row)


def check_job(predictions: Any, references: Any, groups: Any, config: BleuConfig) -> Job:
    """Check the arguments before Spark or Ray starts, and return them as a `Job`."""
    check_column_names(predictions, references, groups)
    require_sums(config, "a cluster")
    return Job(predictions, references, groups, config)


def count_tables(job: Job, tables: Iterable[pa.Table]) -> pa.Table:
    """Count the rows of all tables of a worker.

    Return a table with the column "sums". Each row is JSON, for one label, or for all rows if there are no labels: the
    label, whether the rows are texts, the fewest and the most references of a segment, and the sum of the counts.
    """
    sums: dict[Label | None, BleuStatistics] = {}
    first_row = 0
    for table in tables:
        if not len(table):
            continue
        corpus = job.corpus(table, first_row)
        config = fit_to_kind(job.config, corpus.kind)
        (statistics,) = count_corpus(corpus, [config], keep_rows=job.groups is not None, workers=1)
        by_label: Mapping[Any, BleuStatistics] = {None: statistics.sum()}
        if job.groups is not None:
            by_label = statistics.group_by(find_column(table, job.groups))
        add_by_label(sums, by_label)
        first_row += len(table)

    rows = [
        json.dumps((label, total.config == job.config, total.nrefs, total.table[0].tolist()))
        for label, total in sums.items()
    ]
    return pa.table({"sums": pa.array(rows, pa.string())})


def add_by_label(sums: dict[Any, BleuStatistics], by_label: Mapping[Any, BleuStatistics]) -> None:
    """Add the counts of each label to its earlier counts."""
    for label, part in by_label.items():
        sums[label] = sums[label] + part if label in sums else part


def with_all_references(sums: Mapping[Any, BleuStatistics]) -> dict[Any, BleuStatistics]:
    """Return the sums with the numbers of references of all rows, not of a group, as in `score_groups`."""
    nrefs = join_references([total.nrefs for total in sums.values()])
    return {label: total._changed(nrefs=nrefs) for label, total in sums.items()}


def add_up(job: Job, rows: Iterable[str]) -> Any:
    """Add up the rows that `count_tables` returned for all workers.

    Return the sum of all rows. With `job.groups`, return a dict from label to sum: integers, then strings, sorted.
    Raise ``ValueError`` if there are no rows, or if some are strings and others are tokens.
    """
    sums: dict[Label | None, BleuStatistics] = {}
    for row in rows:
        label, are_texts, nrefs, counts = json.loads(row)
        config = fit_to_kind(job.config, "text" if are_texts else "tokens")
        total = BleuStatistics(np.array([counts], np.int64), config, tuple(nrefs), is_sum=True)
        add_by_label(sums, {label: total})
    if not sums:
        raise ValueError("there are no rows to score")

    sums = with_all_references(sums)
    if job.groups is None:
        return sums[None]
    labels = sorted(sums, key=lambda label: (isinstance(label, str), label))  # integers first
    return {label: sums[label] for label in labels}
