"""Helpers for Spark and Ray. A worker counts an Arrow batch and returns one row of sums per group.

A group is all rows with the same label. Without labels, all rows are one group. The driver adds up the workers' rows in
any order. Labels are sent as JSON, so that one schema is enough for strings, integers, booleans and null. If a batch
cannot be counted, the worker returns a row with the error, and the driver raises the error. The worker does not raise
it, because Spark and Ray would then try the batch again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from .._arrow import one_array, without_encodings
from .._columns import check_column_names, find_column, find_references
from .._config import BleuConfig, fit_to_kind
from .._corpus import as_corpus
from .._counting import count_corpus
from .._counts import References, column_names
from .._lists import EXPECTED
from .._reading import Kind
from .._storage import from_arrow
from .._validation import short_repr
from .totals import require_sums, sums_of_groups

# The text columns of a worker's table. Rows that are equal in all of them are added up
_TEXTS = {
    "label": pa.string(),  # as JSON
    "kind": pa.string(),  # "text", "tokens" or "ids"; null if all rows are empty lists
    "error": pa.string(),  # null, or a JSON list: [number of the partition, whether it is a TypeError, message]
    "nrefs": pa.string(),  # the fewest and the most references of a segment, such as "1-4"; null in a row with an error
}
_LABEL_TYPES = (pa.string(), pa.large_string(), pa.bool_(), pa.null())


class Job(NamedTuple):
    """The BLEU configuration, and the columns to read, given by name or by path, such as ``translation.en``."""

    predictions: str
    references: str | Sequence[str]
    groups: str | None
    config: BleuConfig

    def paths(self) -> list[str]:
        """Return the names or paths of all columns to read, without duplicates."""
        references = [self.references] if isinstance(self.references, str) else self.references
        paths = [self.predictions, *references]
        if self.groups is not None:
            paths.append(self.groups)
        return list(dict.fromkeys(paths))

    def columns(self, existing: Sequence[str]) -> list[str]:
        """Return the names of the columns to read, without duplicates: ``translation`` for ``translation.en``.

        `existing`: the names of the table's columns.
        """
        names = (path if path in existing else path.split(".")[0] for path in self.paths())
        return list(dict.fromkeys(names))

    def schema(self) -> pa.Schema:
        """Return the schema of the table that a worker returns."""
        counts = dict.fromkeys(column_names(self.config), pa.int64())
        return pa.schema({**_TEXTS, **counts})


def check_job(predictions: Any, references: Any, groups: Any, config: BleuConfig) -> Job:
    """Check the arguments before Spark or Ray starts, and return them as a `Job`."""
    columns = [predictions] if groups is None else [predictions, groups]
    check_column_names(references, *columns)
    require_sums(config, "a cluster")
    return Job(predictions, references, groups, config)


def count_table(job: Job, table: pa.Table, first_row: int = 0) -> pa.Table:
    """Count the rows of a table. Return a table with one row of sums per group.

    `first_row`: the number that error messages give to the first row.
    """
    predictions = find_column(table, job.predictions)
    references = find_references(table, job.references)
    corpus = as_corpus(predictions, references, first_row)
    config = fit_to_kind(job.config, corpus.layout.kind)
    labels: Any = ["null"]
    if job.groups is not None:
        labels = _as_json(find_column(table, job.groups), job.groups)
    (statistics,) = count_corpus(corpus, [config], keep_rows=job.groups is not None, workers=1)
    same_in_all_rows = {
        "kind": corpus.layout.kind if corpus.shows_kind else None,
        "error": None,
        "nrefs": statistics.nrefs.to_text(),
    }
    columns = {name: [value] * len(labels) for name, value in same_in_all_rows.items()}
    counts = dict(zip(column_names(config), statistics.table.T, strict=True))
    return add_up([pa.table({"label": labels, **columns, **counts}, schema=job.schema())])


def _as_json(column: pa.ChunkedArray, path: str) -> pa.Array:
    """Return labels as JSON strings. Each distinct label is encoded only once. `path`: the column, for errors."""
    labels = without_encodings(one_array(column))
    if labels.type not in _LABEL_TYPES and not pa.types.is_integer(labels.type):
        raise TypeError(
            f"column {short_repr(path)} is {labels.type}; labels of groups must be strings, integers or booleans"
        )
    try:
        labels.validate(full=True)
    except pa.ArrowInvalid:
        raise ValueError(f"column {short_repr(path)} has a label that is not UTF-8; decode the bytes first") from None
    encoded = labels.dictionary_encode("encode")  # "encode" makes null a label like the others
    distinct = [json.dumps(label) for label in encoded.dictionary.to_pylist()]
    return pa.array(distinct, pa.string()).take(encoded.indices)


def add_up(parts: Iterable[pa.Table], by: Iterable[str] = tuple(_TEXTS)) -> pa.Table:
    """Concatenate the tables, then sum the counts of the rows that have equal values in the columns `by`."""
    table = pa.concat_tables(parts)
    counts = [name for name in table.column_names if name not in _TEXTS]
    groups = table.group_by(list(by), use_threads=False)
    added = groups.aggregate([(name, "sum") for name in counts])
    return added.rename_columns([*by, *counts])


def error_row(job: Job, error: Exception, where: str, partition: int = 0) -> pa.Table:
    """Return a table with a single row that contains an error.

    `where`: the name of the partition or block, which begins the message. `partition`: the number of the partition. If
    several partitions have errors, the driver raises the error of the partition with the lowest number.
    """
    as_json = json.dumps([partition, isinstance(error, TypeError), f"{where}: {error}"])
    return pa.Table.from_pylist([{"label": "null", "error": as_json}], schema=job.schema())


def to_answer(job: Job, answers: pa.Table) -> Any:
    """Return the sum of all rows. With `job.groups`, return a dict from label to sum, sorted by label, None last.

    Raise the first error that a worker returned, ``ValueError`` if there are no rows, and ``TypeError`` if the rows are
    of several kinds (such as strings and lists of tokens) or the labels of several types.
    """
    _raise_first_error(answers)
    if not len(answers):
        raise ValueError("there are no rows to score")
    config = fit_to_kind(job.config, _kind_of_all(answers))
    sums = add_up([answers], by=["label"])
    labels = _read_labels(sums, job.groups)
    rows = from_arrow(sums.select(column_names(config)), config)
    nrefs_of_workers = [References.parse(text) for text in answers["nrefs"].unique().to_pylist()]
    nrefs = References.of_parts(nrefs_of_workers)  # the range in all rows together, not in each group
    by_label = sums_of_groups(labels, [nrefs] * len(labels), rows, config)
    if job.groups is None:
        return by_label[None]
    labels.sort(key=lambda label: (label is None, label))
    return {label: by_label[label] for label in labels}


def _read_labels(sums: pa.Table, groups: str | None) -> list[Any]:
    """Return the labels in `sums`. Raise ``TypeError`` for several types: a dict cannot have both 1 and True."""
    labels = list(map(json.loads, sums["label"].to_pylist()))
    types = {type(label).__name__ for label in labels if label is not None}
    _require_one_kind(f"column {groups!r} is", sorted(types))
    return labels


def _kind_of_all(answers: pa.Table) -> Kind:
    """Return the kind of all rows: "text", "tokens" or "ids". Raise ``TypeError`` if there are several."""
    found = answers["kind"].unique().to_pylist()
    kinds = [kind for kind in EXPECTED if kind in found]  # without null, in a fixed order
    _require_one_kind("the rows are", [EXPECTED[kind] for kind in kinds])
    return kinds[0] if kinds else "tokens"


def _raise_first_error(answers: pa.Table) -> None:
    """Raise the error of the partition with the lowest number, if a worker returned an error."""
    errors = answers["error"].drop_null().to_pylist()
    if errors:
        _, is_type_error, message = min(map(json.loads, errors))  # the lists begin with the number of the partition
        if len(errors) > 1:
            message += f" ({len(errors)} partitions have such rows)"
        raise TypeError(message) if is_type_error else ValueError(message)


def _require_one_kind(what: str, kinds: Sequence[str]) -> None:
    """Raise ``TypeError`` if there are several kinds of rows or labels. The message begins with `what`."""
    if len(kinds) > 1:
        # For example: "the rows are strings in some partitions and lists of tokens in others: convert …"
        found = " in some partitions and ".join(kinds)
        raise TypeError(f"{what} {found} in others: convert them to one kind")
