"""Count n-grams with Ray Data: tasks count blocks, and the driver adds up the counts. This module never imports Ray."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from .._config import DEFAULT, BleuOptions, Dialect, config_of
from .._lazy import pa
from .._validation import check_methods
from .partial import Job, add_up, check_job, count_tables


def ray_statistics(
    dataset: Any,
    /,
    predictions: str = "predictions",
    references: str | Sequence[str] = "references",
    groups: str | None = None,
    dialect: Dialect = DEFAULT,
    **options: Unpack[BleuOptions],
) -> Any:
    """Count the n-grams of a Ray `Dataset` in Ray tasks, block by block. The dataset is streamed, not materialized.

    The arguments are as for `spark_statistics`, which describes the types of the columns.

    Args:
        dataset: the dataset.
        predictions: the name of the column of predictions.
        references: the name of the column of references, or the names of several columns with one reference each.
        groups: the name of the column of labels. The result has one sum per label.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        **options: override the dialect's settings.

    Returns:
        The same as `spark_statistics`.

    Raises:
        ValueError, TypeError: as for `spark_statistics`. If a column is unknown or a row cannot be scored, Ray's own
            exception contains the error, with the row's number within its block.

    >>> from bleu_metric import ray_statistics
    >>> dataset = ray.data.from_items([{"mt": "a b c d", "en": "a b c d"}])  # doctest: +SKIP
    >>> ray_statistics(dataset, "mt", "en").table.tolist()  # doctest: +SKIP
    [[4, 3, 2, 1, 4, 3, 2, 1, 4, 4]]
    """
    check_methods("dataset", dataset, ["map_batches"], "a Ray Dataset")
    job = check_job(predictions, references, groups, config_of(dialect, options))

    def count(block: pa.Table) -> pa.Table:
        return count_tables(job, [_without_tensors(block, job)])

    # Other columns need not be read. Ray may know the names of columns only after running the dataset
    existing = dataset.columns(fetch_if_missing=False) or []
    needed = _columns_to_read(job, existing)
    if set(needed) <= set(existing):
        dataset = dataset.select_columns(needed)
    # `batch_size=None` passes one whole block to each call
    sums = dataset.map_batches(count, batch_size=None, batch_format="pyarrow", zero_copy_batch=True)
    return add_up(job, (row["sums"] for row in sums.iter_rows()))


def _columns_to_read(job: Job, existing: Sequence[str]) -> list[str]:
    """Return the names of columns, without duplicates: ``translation`` for ``translation.en``, if this is no column."""
    return list(dict.fromkeys(path if path in existing else path.split(".")[0] for path in job.paths()))


def _without_tensors(block: pa.Table, job: Job) -> pa.Table:
    """Convert columns of tensors, Ray's type for NumPy arrays, to lists. Columns that are not read stay as they are.

    Raise ``TypeError`` for a column of pickled objects, because unpickling untrusted data runs code.
    """
    needed = _columns_to_read(job, block.column_names)
    for index, name in enumerate(block.column_names):
        if name not in needed:
            continue
        column = block.column(index)
        extension = getattr(column.type, "extension_name", "")
        if extension.endswith("pickled_object"):
            batch = f"batch[{name!r}]"
            raise TypeError(
                f"Ray keeps column {name!r} as pickled objects. Probably map_batches returned its lists as NumPy "
                f"arrays. Convert them in your function, with {batch} = [list(row) for row in {batch}], or pass "
                "batch_format='pyarrow' or 'pandas' to map_batches"
            )
        if "tensor" in extension:
            lists = pa.chunked_array(map(_as_lists, column.chunks))
            block = block.set_column(index, name, lists)
    return block


def _as_lists(tensors: pa.Array) -> pa.Array:
    """Convert a column of tensors to a column of nested lists."""
    is_arrows_own = hasattr(tensors, "to_numpy_ndarray")  # otherwise, the type is Ray's
    values = tensors.to_numpy_ndarray() if is_arrows_own else tensors.to_numpy(zero_copy_only=False)
    return pa.array([row if row is None else row.tolist() for row in values])
