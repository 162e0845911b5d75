"""A whole data set in one call: in memory, memory-mapped or streamed, by Arrow batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ._bleu import of_kind
from ._columns import columns
from ._count import count_columns
from ._dialects import config_of
from ._names import unknown
from ._score import BleuScore, score
from ._statistics import BleuStatistics

_SECONDS_UNTIL_PROGRESS = 2


def evaluate_dataset(
    dataset: Any,
    predictions: str = "predictions",
    references: str | Sequence[str] = "references",
    dialect: str = "default",
    batch_size: int = 20_000,
    **options: Any,
) -> BleuScore | dict[str, BleuScore]:
    """Score columns of a `datasets` data set, without turning them into Python objects.

    Args:
        dataset: a `Dataset`, an `IterableDataset` (streamed, in bounded memory), or a dict of them by split.
        predictions: a column of strings, tokens or token ids; ``"translation.en"`` is a field of a column.
        references: a column of the same kind or of lists of it; or the names of several columns, one reference each.
        dialect: name in `DIALECTS`.
        batch_size: rows read at once.
        **options: override the dialect's choices.

    Returns:
        The score, or one per split. A progress bar shows on long work; `datasets.disable_progress_bars` hides it.

    Raises:
        ValueError: no such column, or no rows. TypeError: no data set. Else the errors of `corpus_bleu`, whose row
            numbers are counted from the start of the data set.
    """
    if isinstance(dataset, Mapping):
        names = (predictions, references, dialect, batch_size)
        scores: Any = {split: evaluate_dataset(one, *names, **options) for split, one in dataset.items()}
        return dict(scores)
    if not hasattr(dataset, "with_format") or not hasattr(dataset, "iter"):
        raise TypeError(
            f"dataset must be a Dataset, an IterableDataset or a dict of them, got {type(dataset).__name__}"
        )
    if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
        raise ValueError(f"batch_size must be a whole number >= 1, got {batch_size!r}")
    if (getattr(dataset, "format", None) or {}).get("type") == "custom":
        raise ValueError("the data set has a transform, which makes Python objects: use dataset.map instead of it")
    from datasets.utils import tqdm

    config = config_of(dialect, options)
    rows = len(dataset) if hasattr(dataset, "__len__") else None
    counted: BleuStatistics | None = None
    first = 0
    with tqdm(total=rows, unit=" rows", desc="BLEU", delay=_SECONDS_UNTIL_PROGRESS) as progress:
        for table in dataset.with_format("arrow").iter(batch_size):
            batch = columns(_column(table, predictions), _references(table, references), first)
            (statistics,) = count_columns(batch, [of_kind(batch, config)], keep_rows=False)
            counted = statistics if counted is None else counted + statistics
            first += len(table)
            progress.update(len(table))
    if counted is None:
        raise ValueError("the data set has no rows to score")
    return score(counted)


def _column(table: pa.Table, path: str) -> pa.ChunkedArray:
    """Find a column by its name, or by the path to a field of it."""
    if path in table.column_names:
        return table[path]
    name, *fields = path.split(".")
    column = table[name] if name in table.column_names else None
    for field in fields:
        column = pc.struct_field(column, field) if column is not None and field in _fields(column.type) else None
    if column is None:
        paths = [path for field in table.schema for path in _paths(field)]
        raise ValueError(unknown("column", path, paths))
    return column


def _fields(kind: pa.DataType) -> dict[str, pa.Field]:
    return {kind[place].name: kind[place] for place in range(kind.num_fields)} if pa.types.is_struct(kind) else {}


def _paths(field: pa.Field) -> list[str]:
    inner = _fields(field.type).values()
    return [f"{field.name}.{path}" for one in inner for path in _paths(one)] if inner else [field.name]


def _references(table: pa.Table, paths: str | Sequence[str]) -> pa.Array | pa.ChunkedArray:
    """One column as it is, or several put together as lists."""
    if isinstance(paths, str):
        return _column(table, paths)
    parts = [_column(table, path).combine_chunks() for path in paths]
    rows, several = len(table), len(parts)
    if not several:
        raise ValueError("references is an empty list; name one column or more")
    for path, part in zip(paths, parts, strict=True):
        if part.type != parts[0].type:
            raise TypeError(
                f"column {path!r} is {part.type}, column {paths[0]!r} is {parts[0].type}: they must be alike"
            )
    in_turn = np.arange(rows * several).reshape(several, rows).T.ravel()
    values = pa.concat_arrays([part if isinstance(part, pa.Array) else part.chunk(0) for part in parts])
    return pa.ListArray.from_arrays(
        pa.array(np.arange(rows + 1, dtype=np.int32) * several), values.take(pa.array(in_turn))
    )
