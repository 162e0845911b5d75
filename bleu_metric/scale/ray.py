"""Count n-grams with Ray Data: tasks count blocks, and the driver adds up the counts. This module never imports Ray."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import pyarrow as pa

from .._config import DEFAULT, BleuOptions, Dialect, config_of
from .._display import amount
from .._validation import check_methods
from .partial import Job, add_up, check_job, count_table, error_row, to_answer


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
        ValueError, TypeError: as for `spark_statistics`. An error about a row contains the row's number within its
            block and the number of rows in the block, because Ray does not number blocks.

    >>> from bleu_metric import ray_statistics
    >>> dataset = ray.data.from_items([{"mt": "a b c d", "en": "a b c d"}])  # doctest: +SKIP
    >>> ray_statistics(dataset, "mt", "en").table.tolist()  # doctest: +SKIP
    [[4, 3, 2, 1, 4, 3, 2, 1, 4, 4]]
    """
    check_methods("dataset", dataset, ["map_batches"], "a Ray Dataset")
    job = check_job(predictions, references, groups, config_of(dialect, options))
    dataset = _select_columns(dataset, job)

    def count(block: pa.Table) -> pa.Table:
        return count_block(job, block)

    # `batch_size=None` passes one whole block to each call
    counted = dataset.map_batches(count, batch_size=None, batch_format="pyarrow", zero_copy_batch=True)

    # Add up block by block, so that only the sums stay in memory. `to_answer` raises the error of a row with `error`
    sums = job.schema().empty_table()
    for sums_of_block in counted.iter_batches(batch_size=None, batch_format="pyarrow"):
        # `concat_tables` needs equal schemas, which Ray may not keep
        with_schema = sums_of_block.cast(job.schema())
        sums = add_up(pa.concat_tables([sums, with_schema]))
        has_error = sums["error"].null_count < len(sums)  # `error` is null in all other rows
        if has_error:
            break
    return to_answer(job, sums)


def _select_columns(dataset: Any, job: Job) -> Any:
    """Return the dataset with only the columns to read. If such a column is missing or unknown, return all columns."""
    existing = dataset.columns(fetch_if_missing=False) or []  # None if Ray must run the dataset to know them
    needed = job.columns(existing)
    has_all = set(needed) <= set(existing)
    return dataset.select_columns(needed) if has_all else dataset


def count_block(job: Job, block: pa.Table) -> pa.Table:
    """Count one block in a Ray task. Return the table of `count_table`, or of `error_row` if a row cannot be scored."""
    if not len(block):
        return job.schema().empty_table()
    needed = job.columns(block.column_names)
    try:
        for index, name in enumerate(block.column_names):
            if name in needed:
                column = _without_tensors(block.column(index), name)
                block = block.set_column(index, name, column)
        return count_table(job, block)
    except (TypeError, ValueError) as error:
        return error_row(job, error, f"a block of {amount(len(block), 'row')}")


def _without_tensors(column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    """Convert a column of tensors, Ray's type for NumPy arrays, to lists. Return other columns unchanged.

    Raise ``TypeError`` for a column of pickled objects, because unpickling untrusted data runs code.
    """
    extension = getattr(column.type, "extension_name", "")
    if extension.endswith("pickled_object"):
        batch = f"batch[{name!r}]"
        raise TypeError(
            f"Ray keeps column {name!r} as pickled objects. Probably map_batches returned its lists as NumPy arrays. "
            f"Convert them in your function, with {batch} = [list(row) for row in {batch}], or pass "
            "batch_format='pyarrow' or 'pandas' to map_batches"
        )
    if "tensor" not in extension:
        return column
    return pa.chunked_array(map(_as_lists, column.chunks))


def _as_lists(tensors: pa.Array) -> pa.Array:
    """Convert a column of tensors to a column of nested lists. Tensors of one shape are converted without a copy."""
    is_arrows_own = hasattr(tensors, "to_numpy_ndarray")  # otherwise, the type is Ray's
    values = tensors.to_numpy_ndarray() if is_arrows_own else tensors.to_numpy(zero_copy_only=False)

    has_several_shapes = values.dtype == object
    if has_several_shapes or 0 in values.shape:  # from_arrays cannot make lists of 0 items
        return pa.array([row if row is None else row.tolist() for row in values])

    # For the shape (2, 3, 4), 24 numbers become 6 lists of 4 numbers, then 2 lists of 3 lists
    lists = pa.array(values.ravel())
    for size in reversed(values.shape[1:]):
        lists = pa.FixedSizeListArray.from_arrays(lists, size)
    return lists
