"""What a worker of Spark or Ray sends: an Arrow batch in, one row of sums per group out, which add up in any order.

A group's label travels as JSON, so that one schema serves strings, whole numbers, booleans and null. A batch that
cannot be counted is answered by a row that holds the error: the driver raises it, and no engine tries again in vain.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from .._arrow import check_column_names, find_column, find_references
from .._bleu import fit_config
from .._config import BleuConfig
from .._corpus import Corpus, as_corpus
from .._counting import count_corpus
from .._counts import column_names as names_of_counts
from .._statistics import BleuStatistics
from .._storage import from_arrow, to_arrow
from .._validation import short_repr
from .totals import Label, totals

_ROWS = 4000  # read at once
_KEYS = {"label": pa.string(), "text": pa.bool_()}  # text: strings, not ready tokens
_NREFS = {"fewest": pa.int64(), "most": pa.int64()}
_ERROR = {"error": pa.string(), "error_type": pa.string()}
_ERRORS: dict[str, type[Exception]] = {"ValueError": ValueError, "TypeError": TypeError}


class Job(NamedTuple):
    """What to count: columns, or paths to fields of them, and how."""

    predictions: str
    references: str | tuple[str, ...]
    by: str | None
    config: BleuConfig

    def paths(self) -> list[str]:
        """All columns that are read, each once."""
        references = [self.references] if isinstance(self.references, str) else self.references
        return list(dict.fromkeys([self.predictions, *references, *([] if self.by is None else [self.by])]))

    def schema(self) -> pa.Schema:
        """The columns of the answer."""
        counts = dict.fromkeys(names_of_counts(self.config), pa.int64())
        return pa.schema({**_KEYS, **_NREFS, **counts, **_ERROR})


def check_job(predictions: Any, references: Any, by: Any, config: BleuConfig) -> Job:
    """Refuse what no engine can do, before it starts."""
    if isinstance(references, (list, tuple)):
        references = tuple(references)
        if not references:
            raise ValueError("references is an empty list; name one column or more")
    check_column_names(references, predictions, *([] if by is None else [by]))
    job = Job(predictions, references, by, config)
    if config.depends_on_segment_order:
        raise ValueError(
            f"smoothing={config.smoothing!r} looks at the segment that comes last, and the partitions of a cluster "
            "have no order: use evaluate_dataset or corpus_bleu on rows in order, or take another smoothing"
        )
    if config.average == "sentence":
        raise ValueError(
            "average='sentence' is the mean of sentence scores, which sums of counts do not give: use "
            "evaluate_dataset or corpus_bleu, or take average='corpus'"
        )
    return job


def count_table(job: Job, table: pa.Table, first_row: int = 0) -> pa.Table:
    """Count the rows of a table: one row of sums, or one per group.

    `first_row`: the number that errors give to the first row.
    """
    labels = None if job.by is None else _as_json(find_column(table, job.by), job.by)
    batch = as_corpus(find_column(table, job.predictions), find_references(table, job.references), first_row)
    (statistics,) = count_corpus(batch, [fit_config(job.config, batch)], keep_rows=labels is not None, workers=1)
    counts = to_arrow(statistics.table, names_of_counts(job.config))
    if labels is None:
        nrefs = np.array([statistics.nrefs])
        labels = pa.array(["null"])
    else:
        nrefs = np.repeat(_numbers_of_references(batch), 2).reshape(-1, 2)
    keys = [labels, pa.array(np.full(len(counts), batch.layout.kind == "text"))]
    arrays = [*keys, *to_arrow(nrefs, list(_NREFS)).columns, *counts.columns]
    arrays += [pa.nulls(len(counts), kind) for kind in _ERROR.values()]
    return add_up(job, [pa.table(arrays, schema=job.schema())])


def _as_json(column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    """Write labels as JSON, each different one once."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if any(check(kind) for check in (pa.types.is_large_string, pa.types.is_string_view)):
        kind = pa.string()
    checks = (pa.types.is_string, pa.types.is_integer, pa.types.is_boolean, pa.types.is_null)
    if not any(check(kind) for check in checks):
        raise TypeError(f"column {short_repr(name)} is {kind}: groups are named by strings, whole numbers or booleans")
    encoded = column.cast(kind).combine_chunks().dictionary_encode("encode")
    words = pa.array([json.dumps(label) for label in encoded.dictionary.to_pylist()], pa.string())
    return words.take(encoded.indices)


def _numbers_of_references(batch: Corpus) -> Any:
    return np.concatenate([batch.sides(*stretch)[1].per_row for stretch in batch.batches(_ROWS)])


def add_up(job: Job, parts: Iterable[pa.Table]) -> pa.Table:
    """Add up rows of the same group."""
    schema = job.schema()
    table = pa.concat_tables(parts)
    how = {"fewest": "min", "most": "max", **dict.fromkeys(_ERROR, "min")}
    wanted = [(name, how.get(name, "sum")) for name in schema.names if name not in _KEYS]
    added = table.group_by(list(_KEYS), use_threads=False).aggregate(wanted)
    return added.rename_columns(schema.names)


def error_row(job: Job, error: Exception, where: str) -> pa.Table:
    """Answer with an error; `where`: which rows the numbers in it are counted from."""
    kind = next(name for name, type_ in _ERRORS.items() if isinstance(error, type_))
    row = {"label": "null", "text": True, "error": f"{where}: {error}", "error_type": kind}
    return pa.Table.from_pylist([row], schema=job.schema())


def to_totals(job: Job, answers: pa.Table) -> dict[Label, BleuStatistics]:
    """Make the totals of all groups, sorted by label, null last.

    Raises the error of a worker, and ``TypeError`` if some rows are strings and others ready tokens.
    """
    errors = [row for row in answers.select(list(_ERROR)).to_pylist() if row["error"] is not None]
    if errors:
        first = min(errors, key=lambda row: list(map(int, re.findall("[0-9]+", row["error"]))))
        others = f" ({len(errors)} partitions have such rows)" if len(errors) > 1 else ""
        raise _ERRORS[first["error_type"]](first["error"] + others)
    if not len(answers):
        raise ValueError("there are no rows to score")
    kinds = set(answers["text"].to_pylist())
    if len(kinds) > 1:
        raise TypeError("some partitions hold strings and others lists of tokens: give one kind of rows")
    config = job.config if kinds.pop() else job.config.with_options({"tokenizer": "none"})
    added = add_up(job, [answers])
    labels = [json.loads(label) for label in added["label"].to_pylist()]
    found = sorted({type(label).__name__ for label in labels if label is not None})
    if len(found) > 1:  # 1 == True would be one group, and 1 < "1" no order
        kinds_found = " in some partitions and ".join(found)
        raise TypeError(f"column {job.by!r} is {kinds_found} in others: give labels of one kind")
    rows = from_arrow(added.select(names_of_counts(job.config)), names_of_counts(job.config))
    nrefs = from_arrow(added.select(list(_NREFS)), list(_NREFS))
    of_label = totals(labels, nrefs, rows, config)
    return dict(sorted(of_label.items(), key=lambda group: (group[0] is None, group[0])))


Answer = BleuStatistics | dict[Label, BleuStatistics]


def _answer(job: Job, answers: pa.Table) -> Answer:
    found = to_totals(job, answers)
    return found[None] if job.by is None else found
