"""Helpers for Spark and Ray. A worker counts an Arrow batch and returns one row of sums per group.

A group is the rows with the same label. Without labels, all rows are one group. The driver adds up the workers' rows in
any order. Labels are sent as JSON, so that one schema is enough for strings, integers, booleans and null. If a
batch cannot be counted, the worker returns a row with the error, and the driver raises this error. If the worker itself
raised the error, Spark or Ray would count the batch again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from .._columns import check_column_names, find_column, find_references
from .._config import BleuConfig, fit_to_kind
from .._corpus import as_corpus
from .._counting import count_corpus
from .._counts import References, column_names
from .._storage import from_arrow, to_arrow
from .._validation import short_repr
from .totals import require_sums, sums_of_groups

# Columns of the table that a worker returns, in addition to the columns of the counts
_LABEL = {"label": pa.string()}
_KINDS = {"first_kind": pa.string(), "last_kind": pa.string()}  # kinds of the rows, alphabetically
_PLURALS = {"text": "strings", "tokens": "lists of tokens", "ids": "lists of token ids"}
_NREFS = {"fewest": pa.int64(), "most": pa.int64()}
_ERROR = {"error": pa.string(), "error_type": pa.string(), "error_partition": pa.int64()}
# How the columns of a group's rows are combined; all other columns are counts, which are added up
_AGGREGATIONS = {
    "first_kind": "min",
    "last_kind": "max",
    "fewest": "min",
    "most": "max",
    **dict.fromkeys(_ERROR, "min"),
}
_ERROR_TYPES: dict[str, type[Exception]] = {"ValueError": ValueError, "TypeError": TypeError}


class Job(NamedTuple):
    """The configuration and the columns to count. A column is given by its name, or by the path to a field in it."""

    predictions: str
    references: str | tuple[str, ...]
    groups: str | None
    config: BleuConfig

    def paths(self) -> list[str]:
        """Return the names or paths of all columns to read, without duplicates."""
        references = [self.references] if isinstance(self.references, str) else self.references
        groups = [] if self.groups is None else [self.groups]
        return list(dict.fromkeys([self.predictions, *references, *groups]))

    def columns(self, known: Sequence[str]) -> list[str]:
        """Return the names of the columns to read, without duplicates. `known`: the names of the table's columns."""
        names = (path if path in known else path.split(".")[0] for path in self.paths())
        return list(dict.fromkeys(names))

    def schema(self) -> pa.Schema:
        """Return the schema of the table that a worker returns."""
        counts = dict.fromkeys(column_names(self.config), pa.int64())
        return pa.schema({**_LABEL, **_KINDS, **_NREFS, **counts, **_ERROR})


def check_job(predictions: Any, references: Any, groups: Any, config: BleuConfig) -> Job:
    """Check the arguments before Spark or Ray starts, and return them as a `Job`."""
    references = tuple(references) if isinstance(references, list) else references
    check_column_names(references, predictions, *([] if groups is None else [groups]))
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
    has_groups = job.groups is not None
    labels = _as_json(find_column(table, job.groups), job.groups) if job.groups is not None else ["null"]
    (statistics,) = count_corpus(corpus, [config], keep_rows=has_groups, workers=1)
    counts = to_arrow(statistics.table, column_names(config))
    kind = corpus.layout.kind if corpus.shows_kind else None
    same_in_all_rows = {
        "first_kind": kind,
        "last_kind": kind,
        "fewest": statistics.nrefs.fewest,
        "most": statistics.nrefs.most,
        **dict.fromkeys(_ERROR),
    }
    columns = {"label": labels, **dict(zip(counts.column_names, counts.columns, strict=True))}
    for name, value in same_in_all_rows.items():
        columns[name] = [value] * len(counts)
    return add_up(job, [pa.table(columns, schema=job.schema())])


def _as_json(column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    """Return a column of labels as a column of JSON strings. Each different label is encoded only once."""
    label_type = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_large_string(label_type) or pa.types.is_string_view(label_type):
        label_type = pa.string()
    checks = (pa.types.is_string, pa.types.is_integer, pa.types.is_boolean, pa.types.is_null)
    if not any(check(label_type) for check in checks):
        raise TypeError(
            f"column {short_repr(name)} is {label_type}; labels of groups must be strings, integers or booleans"
        )
    encoded = column.cast(label_type).combine_chunks().dictionary_encode("encode")
    try:
        labels = encoded.dictionary.to_pylist()
    except UnicodeDecodeError:
        raise ValueError(f"column {short_repr(name)} has a label that is not UTF-8; decode the bytes first") from None
    words = pa.array([json.dumps(label) for label in labels], pa.string())
    return words.take(encoded.indices)


def add_up(job: Job, parts: Iterable[pa.Table]) -> pa.Table:
    """Join the tables, and add up the rows of each group. Return a table with one row per group."""
    table = pa.concat_tables(parts)
    names = [name for name in table.column_names if name not in _LABEL]
    aggregations = [(name, _AGGREGATIONS.get(name, "sum")) for name in names]
    added = table.group_by(list(_LABEL), use_threads=False).aggregate(aggregations)
    return added.rename_columns([*_LABEL, *names])


def error_row(job: Job, error: Exception, where: str, partition: int = 0) -> pa.Table:
    """Return a table with one row, which contains an error.

    `where`: the name of the partition or block; the error numbers the rows within it. `partition`: the number of the
    partition. If several partitions have errors, the driver raises the error of the lowest number.
    """
    error_type = "TypeError" if isinstance(error, TypeError) else "ValueError"
    row = {"label": "null", "error": f"{where}: {error}", "error_type": error_type, "error_partition": partition}
    return pa.Table.from_pylist([row], schema=job.schema())


def to_answer(job: Job, answers: pa.Table) -> Any:
    """Return the sum of all rows. With `job.groups`, return a dict from label to sum, sorted by label, None last.

    Raise the first error that a worker returned, ``ValueError`` if there are no rows, and ``TypeError`` if the rows or
    the labels are of several kinds.
    """
    _raise_first_error(answers)
    if not len(answers):
        raise ValueError("there are no rows to score")
    kind = _kind_of_all(answers)
    added = add_up(job, [answers])
    labels = [json.loads(label) for label in added["label"].to_pylist()]
    types = {type(label).__name__ for label in labels if label is not None}
    _require_one_kind(f"column {job.groups!r} is", sorted(types))  # one dict cannot have both 1 and True as keys
    names = column_names(job.config)
    rows = from_arrow(added.select(names), names)
    config = fit_to_kind(job.config, kind)
    fewest, most = added["fewest"].to_pylist(), added["most"].to_pylist()
    nrefs = References(min(fewest), max(most))  # those of all rows
    by_label = sums_of_groups(labels, [nrefs] * len(labels), rows, config)
    if job.groups is None:
        return by_label[None]
    in_order = sorted(by_label, key=lambda label: (label is None, label))
    return {label: by_label[label] for label in in_order}


def _kind_of_all(answers: pa.Table) -> str:
    """Return the kind of all rows: "text", "tokens" or "ids". Raise ``TypeError`` if there are several."""
    kinds = {*answers["first_kind"].to_pylist(), *answers["last_kind"].to_pylist()}
    kinds.discard(None)  # the kind of empty lists
    _require_one_kind("the rows are", [plural for kind, plural in _PLURALS.items() if kind in kinds])
    return kinds.pop() if kinds else "tokens"


def _raise_first_error(answers: pa.Table) -> None:
    errors = [row for row in answers.select(list(_ERROR)).to_pylist() if row["error"] is not None]
    if not errors:
        return
    first = min(errors, key=lambda row: row["error_partition"])
    others = f" ({len(errors)} partitions have such rows)" if len(errors) > 1 else ""
    raise _ERROR_TYPES[first["error_type"]](first["error"] + others)


def _require_one_kind(what: str, kinds: Sequence[str]) -> None:
    """Raise ``TypeError`` if the partitions have rows or labels of several kinds."""
    if len(kinds) > 1:
        # For example: "column 'x' holds strings in some partitions and lists of tokens in others: convert …"
        found = " in some partitions and ".join(kinds)
        raise TypeError(f"{what} {found} in others: convert them to one kind")
