"""Sums of groups (systems, documents, language pairs) as a dict from label to sum, and the file that stores them.

The file is that of `BleuStatistics.save` with one row per group, and with a column of labels in front.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from .._config import BleuConfig
from .._counts import CountTable, References, column_names
from .._statistics import (
    BleuStatistics,
    check_statistics,
    merge_statistics,
)
from .._storage import (
    column_names_in,
    config_of_table,
    from_arrow,
    read_table,
    refuse_changed,
    seal_table,
    table_facts,
    to_arrow,
    write_table,
)
from .._validation import Ints, as_int, check_type, short_repr

Label = str | int | bool | None
_GROUP = "group"
_LABEL_TYPES = (pa.string(), pa.int64(), pa.bool_())


def require_sums(config: BleuConfig, what: str) -> None:
    """Raise ``ValueError`` if sums of counts are not enough for the score. `what`: the subject of the error message."""
    if config.average == "sentence":
        reason = "average='sentence' is the mean of sentence scores"
    elif config.depends_on_segment_order:
        reason = f"smoothing={config.smoothing!r} looks at the segment that comes last"
    else:
        return
    raise ValueError(
        f"{reason}, and {what} adds up counts in any order: change this option, or use corpus_bleu or evaluate_dataset"
    )


def sums_of_groups(
    labels: Iterable[Label], nrefs: Iterable[References], rows: Ints, config: BleuConfig
) -> dict[Label, BleuStatistics]:
    """Return a dict from label to sum. `rows`: the counts of the sums; `nrefs`: their fewest and most references."""
    return {
        label: BleuStatistics(row[np.newaxis], config, own_nrefs, is_sum=True)
        for label, own_nrefs, row in zip(labels, nrefs, rows, strict=True)
    }


def save_groups(groups: Mapping[Any, BleuStatistics], path: str | os.PathLike[str]) -> None:
    """Write the sums of groups to one Parquet file. A file of the same name is replaced.

    If an error occurs, no incomplete file is left behind.

    Args:
        groups: label -> sum. Labels are all strings, all integers or all booleans; one may be ``None``.
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
    check_type("groups", groups, Mapping, "a dict from label to sum")
    if not groups:
        raise ValueError("there are no groups to save")
    for label, statistics in groups.items():
        name = f"groups[{label!r}]"
        check_statistics(name, statistics)
        if not statistics.is_sum:
            raise ValueError(f"{name} must be the sum of one segment or more; pass {name}.sum()")
    config = merge_statistics(list(groups.values())).config
    rows = np.concatenate([statistics.table for statistics in groups.values()])
    counts = to_arrow(rows, column_names(config))
    table = counts.add_column(0, _GROUP, _label_column(list(groups)))
    nrefs = " ".join(statistics.nrefs.to_text() for statistics in groups.values())
    write_table(seal_table(table, config, groups=True, nrefs=nrefs), path)


def _label_column(labels: list[Any]) -> pa.Array:
    """Return the labels as a column of one type; one label may be None. Raise ``TypeError`` for several types."""
    label_type = next((_label_type(label) for label in labels if label is not None), pa.string())
    for label in labels:
        if label is not None and (label_type is None or _label_type(label) != label_type):
            raise TypeError(
                "labels must be all strings without surrogates, all integers of up to 64 bits, or all booleans; "
                f"got {short_repr(label)} ({type(label).__name__})"
            )
    return pa.array(labels, label_type)


def _label_type(label: Any) -> pa.DataType | None:
    """Return the type of a column that can store the label, or None if no column can."""
    if isinstance(label, (bool, np.bool_)):
        return pa.bool_()
    if isinstance(label, str):
        has_surrogate = label != label.encode(errors="ignore").decode()
        return None if has_surrogate else pa.string()
    number = as_int(label)
    fits = number is not None and -(2**63) <= number < 2**63
    return pa.int64() if fits else None


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
    facts = table_facts(table)
    own_config = config_of_table(table, config)
    if "groups" not in facts:
        raise ValueError("this file does not hold sums of groups: read it with BleuStatistics.load")
    labels = _labels_in(table)
    rows = from_arrow(table.drop_columns([_GROUP]), column_names_in(table, own_config))
    CountTable(rows, own_config).check(are_sums=True)
    refuse_changed(table)
    nrefs = [References.parse(text) for text in facts.get("nrefs", "").split(" ")]
    if len(nrefs) != len(labels):
        raise ValueError(
            f"the metadata has the numbers of references of {len(nrefs)} groups, but there are {len(labels)}"
        )
    return sums_of_groups(labels, nrefs, rows, own_config)


def _labels_in(table: pa.Table) -> list[Label]:
    """Return the labels in the first column of the table; raise ``ValueError`` if it is not a column of labels."""
    has_column = table.column_names[:1] == [_GROUP] and table.column_names.count(_GROUP) == 1
    if has_column and table.schema.types[0] in _LABEL_TYPES:
        labels: list[Label] = table[_GROUP].to_pylist()
        if len(set(labels)) == len(labels):
            return labels
    raise ValueError(
        f"the first column must be the only one named {_GROUP!r}: strings, int64 or booleans, each label once; got "
        f"{table.schema.to_string(show_schema_metadata=False)}"
    )
