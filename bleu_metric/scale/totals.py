"""Totals of groups (systems, documents, language pairs): a dict from label to total, kept in one file.

The file is a Parquet table with a row per group: its label, its fewest and most references, its counts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from .._arrays import Ints
from .._config import BleuConfig
from .._counts import check_counts, column_names
from .._statistics import BleuStatistics, column_names_in, config_of_table, is_nrefs, merge_statistics
from .._storage import from_arrow, read_table, refuse_changed, seal_table, table_facts, to_arrow, write_table

Label = str | int | bool | None
_GROUP = "group"
_NREFS = ("fewest_references", "most_references")


def totals(labels: Iterable[Any], nrefs: Ints, rows: Ints, config: BleuConfig) -> dict[Label, BleuStatistics]:
    """Make a total of each row of counts; `nrefs`: fewest and most references, shape (rows, 2)."""
    return {
        label: BleuStatistics(rows[place : place + 1], config, (int(nrefs[place, 0]), int(nrefs[place, 1])), True)
        for place, label in enumerate(labels)
    }


def save_groups(groups: Mapping[Any, BleuStatistics], path: str | os.PathLike[str]) -> None:
    """Write the totals of groups to one Parquet file, whole or not at all; a file of that name is replaced.

    Args:
        groups: label (all strings, all whole numbers or all booleans; one may be ``None``) -> total.
        path: the file.

    Raises:
        ValueError: no groups, rows that are not totals, totals counted in different ways, or labels that no file
            holds: numbers of more than 64 bits, surrogates. TypeError: labels that are of no such kind, or values that
            are no statistics. OSError: the file cannot be written.

    >>> import os, tempfile
    >>> from bleu_metric import corpus_statistics, score
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "totals.parquet")
    ...     save_groups(corpus_statistics(["a b", "c"], ["a b", "d"], max_order=1).by(["news", "chat"]), path)
    ...     {label: score(total).bleu for label, total in load_groups(path).items()}
    {'news': 1.0, 'chat': 0.0}
    """
    if not isinstance(groups, Mapping):
        raise TypeError(f"groups must be a dict from label to total, got {type(groups).__name__}")
    for label, total in groups.items():
        if not isinstance(total, BleuStatistics):
            raise TypeError(f"groups[{label!r}] must be BleuStatistics, got {type(total).__name__}")
        if total.config.average == "sentence":
            raise ValueError(
                f"groups[{label!r}] is scored by the mean of its sentences' scores, which has no total; keep its rows "
                "with BleuStatistics.save, in a file of its own"
            )
        if not len(total):
            raise ValueError(f"groups[{label!r}] has no segments; leave it out")
        if not total.is_total:
            raise ValueError(f"groups[{label!r}] has a row per segment; give groups[{label!r}].total()")
    if not groups:
        raise ValueError("there are no groups to save")
    config = merge_statistics(list(groups.values())).config
    counts = to_arrow(np.concatenate([total.table for total in groups.values()]), column_names(config))
    nrefs = to_arrow(np.array([total.nrefs for total in groups.values()]), _NREFS)
    arrays = [_labels(list(groups)), *nrefs.columns, *counts.columns]
    table = pa.table(dict(zip([_GROUP, *_NREFS, *counts.column_names], arrays, strict=True)))
    write_table(seal_table(table, config, groups=True), path)


def _labels(labels: list[Any]) -> pa.Array:
    kinds = {bool: pa.bool_(), str: pa.string(), int: pa.int64()}
    found = {kind for label in labels for kind in kinds if label is not None and _is_a(label, kind)}
    if len(found) > 1 or any(label is not None and not any(_is_a(label, kind) for kind in kinds) for label in labels):
        raise TypeError(
            "labels must be all strings, all whole numbers or all booleans, got "
            + ", ".join(sorted({type(label).__name__ for label in labels}))
        )
    try:
        return pa.array(labels, kinds[found.pop()] if found else pa.string())
    except OverflowError as error:
        wrong = next(label for label in labels if label is not None and not -(2**63) <= int(label) < 2**63)
        raise ValueError(
            f"labels must be numbers of up to 64 bits, got {wrong!r}; use strings, e.g. '{wrong}'"
        ) from error
    except UnicodeEncodeError as error:
        raise ValueError(
            f"labels must be whole characters, got {error.object!r}, which has a lone surrogate"
        ) from error


def _is_a(label: Any, kind: type) -> bool:
    if isinstance(label, (bool, np.bool_)):
        return kind is bool
    return isinstance(label, np.integer) if kind is int and not isinstance(label, int) else isinstance(label, kind)


def load_groups(path: str | os.PathLike[str], config: BleuConfig | None = None) -> dict[Label, BleuStatistics]:
    """Read a file that `save_groups` wrote.

    Args:
        path: the file.
        config: how the totals were counted, where the tokenizer is a function.

    Returns:
        Label -> total, in the file's order.

    Raises:
        ValueError: a file that is damaged, was changed, or was written otherwise. OSError: it cannot be opened.

    >>> import os, tempfile
    >>> from bleu_metric import corpus_statistics
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "totals.parquet")
    ...     save_groups(corpus_statistics(["a b", "c"], ["a b", "d"]).by([7, 8]), path)
    ...     list(load_groups(path))
    [7, 8]
    """
    table = read_table(path)
    try:
        return _from_table(table, config)
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}: {error}") from error


def _from_table(table: pa.Table, config: BleuConfig | None) -> dict[Label, BleuStatistics]:
    about = table_facts(table)
    counted = config_of_table(about, config)
    if "groups" not in about:
        raise ValueError("this file holds no totals of groups: read it with BleuStatistics.load")
    if table.column_names[:1] != [_GROUP]:
        raise ValueError(f"the first column must be {_GROUP!r}, got {table.column_names[:1]}")
    kind = table.schema.types[0]
    if kind not in (pa.string(), pa.int64(), pa.bool_()) or table.column_names.count(_GROUP) > 1:
        raise ValueError(f"the labels must be one column of strings, int64 or booleans, got {kind}")
    numbers = from_arrow(table.drop_columns([_GROUP]), [*_NREFS, *column_names_in(table, counted)])
    nrefs, rows = numbers[:, :2], numbers[:, 2:]
    check_counts(rows, counted, are_sums=True)
    refuse_changed(table)
    if len(set(table[_GROUP].to_pylist())) < len(table):
        raise ValueError("a label stands twice in this table")
    if not is_nrefs(*nrefs.T).all():
        raise ValueError("a group has fewer references than one, or a fewest number above the most")
    return totals(table[_GROUP].to_pylist(), nrefs, np.ascontiguousarray(rows), counted)
