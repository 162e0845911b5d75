"""Sums of groups (systems, documents, language pairs) as a dict from label to sum, and the file that stores them.

The file has the format of `BleuStatistics.save`, with one row per group and with the labels as the first column.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from .._config import BleuConfig, depends_on_segment_order
from .._counts import CountTable, References
from .._statistics import BleuStatistics, check_statistics, merge_statistics
from .._storage import (
    config_of_table,
    from_arrow,
    read_table,
    refuse_changed,
    seal_table,
    table_facts,
    to_arrow,
    write_table,
)
from .._validation import Ints, check_type, short_repr

Label = str | int | bool | None
_GROUP = "group"
_LABEL_TYPES = (pa.string(), pa.int64(), pa.bool_(), pa.null())


def require_sums(config: BleuConfig, what: str) -> None:
    """Raise ``ValueError`` if the score cannot be computed from sums. `what` adds up counts, e.g. "a cluster"."""
    if config.average == "sentence":
        option, segments = "average='sentence'", "each segment"
    elif depends_on_segment_order(config):
        option, segments = f"smoothing={config.smoothing!r}", "the last segment"
    else:
        return
    raise ValueError(
        f"{option} needs the counts of {segments}, but {what} adds up the counts of segments in any order: pass "
        "another value, or use corpus_bleu or evaluate_dataset"
    )


def sums_of_groups(
    labels: Iterable[Label], nrefs: Iterable[References], rows: Ints, config: BleuConfig
) -> dict[Label, BleuStatistics]:
    """Return a dict from the label of each group to its statistics.

    `labels`, `nrefs` (numbers of references) and `rows` (summed counts) have one item per group.
    """
    sums = {}
    for label, references, row in zip(labels, nrefs, rows, strict=True):
        sums[label] = BleuStatistics(row[np.newaxis], config, references, is_sum=True)
    return sums


def save_groups(groups: Mapping[Any, BleuStatistics], path: str | os.PathLike[str]) -> None:
    """Write the sums of groups to one Parquet file. A file of the same name is replaced.

    If an error occurs, no incomplete file is left behind.

    Args:
        groups: a dict from label to sum. Labels are all strings, all integers or all booleans; one may be ``None``.
        path: the file.

    Raises:
        TypeError: the labels have another type or several types; a label cannot be stored, because it is a number of
            more than 64 bits, or a string with a surrogate; or a value is not `BleuStatistics`.
        ValueError: there are no groups, a value is not a sum, or the sums were counted with different options.
        OSError: the file cannot be written.

    >>> import os, tempfile
    >>> from bleu_metric import corpus_statistics, score
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "groups.parquet")
    ...     save_groups(corpus_statistics(["a b", "c"], ["a b", "d"], max_order=1).group_by(["news", "chat"]), path)
    ...     {label: score(statistics).bleu for label, statistics in load_groups(path).items()}
    {'news': 1.0, 'chat': 0.0}
    """
    _check_groups(groups)
    sums = list(groups.values())
    config = merge_statistics(sums).config  # raises an error if the options differ
    rows = np.concatenate([statistics.table for statistics in sums])
    labels = _label_column(list(groups))
    table = to_arrow(rows, config).add_column(0, _GROUP, labels)
    nrefs = " ".join(statistics.nrefs.to_text() for statistics in sums)
    write_table(seal_table(table, config, groups=True, nrefs=nrefs), path)


def _check_groups(groups: Mapping[Any, BleuStatistics]) -> None:
    """Raise ``TypeError`` if a value is not `BleuStatistics`, or ``ValueError`` if there is none or it is not a sum."""
    check_type("groups", groups, Mapping, "a dict from label to sum")
    if not groups:
        raise ValueError("there are no groups to save")
    for label, statistics in groups.items():
        name = f"groups[{label!r}]"
        check_statistics(name, statistics)
        if not statistics.is_sum:
            raise ValueError(f"{name} is not a sum over segments: pass {name}.sum(); leave out groups without segments")


def _label_column(labels: list[Any]) -> pa.Array:
    """Return the labels as a column; one label may be None. Raise ``TypeError`` if no accepted type can store them."""
    message = (
        "labels must be all strings without surrogates, all integers of up to 64 bits, or all booleans; got "
        f"{short_repr(labels)}"
    )
    try:
        column = pa.array(labels)
    except (pa.ArrowException, OverflowError, UnicodeError) as error:
        raise TypeError(f"{message}: {error}") from None
    if column.type not in _LABEL_TYPES:
        raise TypeError(message)
    return column


def load_groups(path: str | os.PathLike[str], config: BleuConfig | None = None) -> dict[Label, BleuStatistics]:
    """Read a file that `save_groups` wrote.

    Args:
        path: the file.
        config: the configuration that counted the sums; needed if the tokenizer is a function.

    Returns:
        A dict from label to sum, in the order of the file's rows.

    Raises:
        ValueError: the file is damaged, was changed, or was not written by `save_groups`. OSError: the file cannot be
            opened.

    >>> import os, tempfile
    >>> from bleu_metric import corpus_statistics
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "groups.parquet")
    ...     save_groups(corpus_statistics(["a b", "c"], ["a b", "d"]).group_by([7, 8]), path)
    ...     list(load_groups(path))
    [7, 8]
    """
    table = read_table(path)
    try:
        return _from_table(table, config)
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}: {error}") from error


def _from_table(table: pa.Table, config: BleuConfig | None) -> dict[Label, BleuStatistics]:
    """Return the groups of a table. Raise ``ValueError`` if it is damaged or if `save_groups` did not write it."""
    facts = table_facts(table)
    own_config = config_of_table(table, config)
    if "groups" not in facts:
        raise ValueError("this file was not written by save_groups: read it with BleuStatistics.load")
    labels = table.column(0).to_pylist()
    if table.schema.types[0] not in _LABEL_TYPES or len(set(labels)) < len(labels):
        raise ValueError(f"the first column must have distinct labels (strings, int64 or booleans); got {labels[:5]}")
    counts = table.remove_column(0)
    rows = from_arrow(counts, own_config)
    CountTable(rows, own_config).check(are_sums=True)
    refuse_changed(table)
    nrefs = map(References.parse, facts.get("nrefs", "").split(" "))
    return sums_of_groups(labels, nrefs, rows, own_config)
