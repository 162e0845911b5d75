"""Helpers for Spark and Ray. A worker counts an Arrow batch and returns one row of sums per group.

A group is all rows with the same label, or all rows if there are no labels. The driver adds up the workers' rows in any
order. Labels are sent as JSON, so that one schema is enough for strings and integers. If a batch cannot be counted,
the worker returns a row with the error, and the driver raises the error. If the worker raised the error, Spark and Ray
would try the batch again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from .._config import BleuConfig, fit_to_kind
from .._corpus import EXPECTED, Corpus, Kind, Label, as_corpus, factorize_labels
from .._counting import count_corpus
from .._statistics import BleuStatistics, column_names, from_arrow, join_references, parse_references, references_text
from .._validation import short_repr
from .accumulator import require_sums
from .columns import check_column_names, find_column, find_references

# The text columns of a worker's table. Rows with equal texts are added up
_TEXTS = {
    "label": pa.string(),  # as JSON
    "kind": pa.string(),  # "text", "tokens" or "ids"; null if all rows are empty lists
    "error": pa.string(),  # null, or a JSON list: [whether it is a TypeError, message]
    "nrefs": pa.string(),  # the fewest and the most references of a segment, such as "1-4"; null in a row with an error
}


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
        paths = [self.predictions, *references, *groups]
        return list(dict.fromkeys(paths))

    def columns(self, existing: Sequence[str]) -> list[str]:
        """Return the names of the columns to read, without duplicates: ``translation`` for ``translation.en``.

        `existing`: the names of the table's columns. A column whose own name is ``translation.en`` has precedence.
        """
        names = (path if path in existing else path.split(".")[0] for path in self.paths())
        return list(dict.fromkeys(names))

    def corpus(self, table: pa.Table, first_row: int) -> Corpus:
        """Return the predictions and references in a table. `first_row`: index of the first row in error messages."""
        predictions = find_column(table, self.predictions)
        references = find_references(table, self.references)
        return as_corpus(predictions, references, first_row)

    def schema(self) -> pa.Schema:
        """Return the schema of the table that a worker returns."""
        counts = dict.fromkeys(column_names(self.config), pa.int64())
        return pa.schema({**_TEXTS, **counts})


def check_job(predictions: Any, references: Any, groups: Any, config: BleuConfig) -> Job:
    """Check the arguments before Spark or Ray starts, and return them as a `Job`."""
    check_column_names(predictions, references, groups)
    require_sums(config, "a cluster")
    return Job(predictions, references, groups, config)


def count_table(job: Job, table: pa.Table, first_row: int = 0) -> pa.Table:
    """Count the rows of a table. Return a table with one row of sums per group.

    `first_row`: index of the first row in error messages.
    """
    corpus = job.corpus(table, first_row)
    config = fit_to_kind(job.config, corpus.kind)
    # Without groups, the statistics are a single row: the sum
    (statistics,) = count_corpus(corpus, [config], keep_rows=job.groups is not None, workers=1)

    same_in_all_rows = {
        "kind": corpus.kind if corpus.shows_kind else None,
        "error": None,
        "nrefs": references_text(statistics.nrefs),
    }
    texts = {name: [value] * len(statistics) for name, value in same_in_all_rows.items()}
    texts["label"] = _json_labels(table, job.groups)
    counts = dict(zip(column_names(config), statistics.table.T, strict=True))
    return add_up(pa.table({**texts, **counts}, schema=job.schema()))


def _json_labels(table: pa.Table, groups: str | None) -> pa.Array:
    """Return the labels of the rows as JSON strings. If `groups` is None, return only ["null"]."""
    if groups is None:
        return pa.array(["null"])
    column = find_column(table, groups)
    labels, label_of_row = factorize_labels(column, len(table), f"column {short_repr(groups)}")
    as_json = pa.array(map(json.dumps, labels), pa.string())
    return as_json.take(pa.array(label_of_row))


def add_up(table: pa.Table, by: Sequence[str] = tuple(_TEXTS)) -> pa.Table:
    """Sum the counts of the rows that have equal values in the columns `by`."""
    counts = [name for name in table.column_names if name not in _TEXTS]
    groups = table.group_by(list(by), use_threads=False)
    sums = groups.aggregate([(name, "sum") for name in counts])
    return sums.rename_columns([*by, *counts])  # from "matches_1_sum" to "matches_1"


def error_row(job: Job, error: Exception, where: str) -> pa.Table:
    """Return a table with one row, which contains an error. `where`: the start of the message, e.g. "partition 3"."""
    as_json = json.dumps([isinstance(error, TypeError), f"{where}: {error}"])
    return pa.Table.from_pylist([{"label": "null", "error": as_json}], schema=job.schema())


def to_answer(job: Job, answers: pa.Table) -> Any:
    """Return the sum of all rows. With `job.groups`, return a dict from label to sum: integers, then strings, sorted.

    Raise the first error that a worker returned. Raise ``ValueError`` if there are no rows, and ``TypeError`` if the
    rows are of several kinds, such as strings and lists of tokens.
    """
    _raise_first_error(answers)
    if not len(answers):
        raise ValueError("there are no rows to score")
    config = fit_to_kind(job.config, _kind_of_all(answers))
    # Merge the numbers of references of all rows, not of each group
    parts = [parse_references(text) for text in answers["nrefs"].unique().to_pylist()]
    references_per_row = join_references(parts)

    sums = add_up(answers, by=["label"])
    rows = from_arrow(sums.select(column_names(config)), config)
    by_label: dict[Label, BleuStatistics] = {}
    for label, row in zip(sums["label"].to_pylist(), rows, strict=True):
        one_row = row[np.newaxis]
        by_label[json.loads(label)] = BleuStatistics(one_row, config, references_per_row, is_sum=True)

    if job.groups is None:
        (total,) = by_label.values()
        return total
    labels = sorted(by_label, key=lambda label: (isinstance(label, str), label))  # integers first
    return {label: by_label[label] for label in labels}


def _kind_of_all(answers: pa.Table) -> Kind:
    """Return the kind of all rows: "text", "tokens" or "ids". Raise ``TypeError`` if there are several."""
    found = answers["kind"].unique().to_pylist()
    kinds = [kind for kind in EXPECTED if kind in found]  # without null, in a fixed order
    if len(kinds) > 1:
        # For example: "the rows are strings in some partitions and lists of tokens in others: convert …"
        several = " in some partitions and ".join(EXPECTED[kind] for kind in kinds)
        raise TypeError(f"the rows are {several} in others: convert them to one kind")
    return kinds[0] if kinds else "tokens"


def _raise_first_error(answers: pa.Table) -> None:
    """Raise the first error that a worker returned, if there is one. Spark returns the rows in order of partitions."""
    errors = answers["error"].drop_null().to_pylist()
    if not errors:
        return

    is_type_error, message = json.loads(errors[0])
    if len(errors) > 1:
        message += f" ({len(errors)} partitions have such rows)"
    raise TypeError(message) if is_type_error else ValueError(message)
