"""Totals of groups (systems, documents, language pairs): a dict from label to total, kept in one file.

The file is a Parquet table with a row per group: its label, its fewest and most references, its counts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from .._config import BleuConfig
from .._counts import check_counts, column_names
from .._statistics import BleuStatistics, column_names_in, config_of_table, is_nrefs, merge_statistics
from .._storage import from_arrow, read_table, refuse_changed, seal_table, table_facts, to_arrow, write_table
from .._validation import Ints

Label = str | int | bool | None
_GROUP = "group"
_NREFS = ("fewest_references", "most_references")


def totals(labels: Iterable[Any], nrefs: Ints, rows: Ints, config: BleuConfig) -> dict[Label, BleuStatistics]:
    """Make a total of each row of counts; `nrefs`: fewest and most references, shape (rows, 2)."""
    by_label = {}
    for label, (fewest, most), row in zip(labels, nrefs.tolist(), rows, strict=True):
        by_label[label] = BleuStatistics(row[np.newaxis], config, (fewest, most), is_total=True)
    return by_label


def save_groups(groups: Mapping[Any, BleuStatistics], path: str | os.PathLike[str]) -> None:
    """Write the totals of groups to one Parquet file, whole or not at all; a file of that name is replaced.

    Args:
        groups: label (all strings, all whole numbers or all booleans; one may be ``None``) -> total.
        path: the file.

    Raises:
        TypeError: labels of another type or of several types, or values that are not statistics.
        ValueError: no groups, rows that are not totals, totals counted in different ways, or labels that a file cannot
            hold: numbers of more than 64 bits, surrogates.
        OSError: the file cannot be written.

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
        _check_total(label, total)
    if not groups:
        raise ValueError("there are no groups to save")
    config = merge_statistics(list(groups.values())).config
    counts = to_arrow(np.concatenate([total.table for total in groups.values()]), column_names(config))
    nrefs = to_arrow(np.array([total.nrefs for total in groups.values()]), _NREFS)
    arrays = [_label_column(list(groups)), *nrefs.columns, *counts.columns]
    table = pa.table(dict(zip([_GROUP, *_NREFS, *counts.column_names], arrays, strict=True)))
    write_table(seal_table(table, config, groups=True), path)


def _check_total(label: Any, total: Any) -> None:
    name = f"groups[{label!r}]"
    if not isinstance(total, BleuStatistics):
        raise TypeError(f"{name} must be BleuStatistics, got {type(total).__name__}")
    if total.config.average == "sentence":
        raise ValueError(
            f"{name} is scored by the mean of its sentences' scores, which has no total; keep its rows with "
            "BleuStatistics.save, in a file of its own"
        )
    if not len(total):
        raise ValueError(f"{name} has no segments; leave it out")
    if not total.is_total:
        raise ValueError(f"{name} has a row per segment; give {name}.total()")


def _label_column(labels: list[Any]) -> pa.Array:
    """Make a column of labels of one type; None is allowed among them."""
    types = {_arrow_type(label) for label in labels if label is not None}
    if len(types) > 1 or None in types:
        names = ", ".join(sorted({type(label).__name__ for label in labels}))
        raise TypeError(f"labels must be all strings, all whole numbers or all booleans, got {names}")
    try:
        return pa.array(labels, types.pop() if types else pa.string())
    except OverflowError as error:
        wrong = next(label for label in labels if label is not None and not -(2**63) <= int(label) < 2**63)
        raise ValueError(
            f"labels must be numbers of up to 64 bits, got {wrong!r}; use strings, e.g. '{wrong}'"
        ) from error
    except UnicodeEncodeError as error:
        raise ValueError(
            f"labels must be whole characters, got {error.object!r}, which has a lone surrogate"
        ) from error


def _arrow_type(label: Any) -> pa.DataType | None:
    if isinstance(label, (bool, np.bool_)):
        return pa.bool_()
    if isinstance(label, (int, np.integer)):
        return pa.int64()
    return pa.string() if isinstance(label, str) else None


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
    facts = table_facts(table)
    own_config = config_of_table(facts, config)
    if "groups" not in facts:
        raise ValueError("this file does not hold totals of groups: read it with BleuStatistics.load")
    if table.column_names[:1] != [_GROUP]:
        raise ValueError(f"the first column must be {_GROUP!r}, got {table.column_names[:1]}")
    label_type = table.schema.types[0]
    is_unique = table.column_names.count(_GROUP) == 1
    if label_type not in (pa.string(), pa.int64(), pa.bool_()) or not is_unique:
        raise ValueError(f"the labels must be one column of strings, int64 or booleans, got {label_type}")
    numbers = from_arrow(table.drop_columns([_GROUP]), [*_NREFS, *column_names_in(table, own_config)])
    nrefs, rows = numbers[:, :2], numbers[:, 2:]
    check_counts(rows, own_config, are_sums=True)
    refuse_changed(table)
    labels = table[_GROUP].to_pylist()
    if len(set(labels)) < len(labels):
        raise ValueError("a label stands twice in this table")
    if not is_nrefs(*nrefs.T).all():
        raise ValueError("a group has fewer references than one, or a fewest number above the most")
    return totals(labels, nrefs, np.ascontiguousarray(rows), own_config)
