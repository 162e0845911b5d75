"""Count n-grams with Spark: executors count the rows of their partitions, and the driver adds up the counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Unpack

import pyarrow as pa

from .._config import DEFAULT, BleuOptions, Dialect, config_of
from .._validation import check_methods
from .columns import split_path
from .partial import Job, add_up, check_job, count_table, error_row, to_answer

# Type of a column in Arrow -> the same type in SQL
_SQL = {pa.string(): "string", pa.int64(): "bigint"}
DataFrame = Any  # pyspark.sql.DataFrame, which is not imported: this module must also work without Spark


def spark_statistics(
    df: Any,
    /,
    predictions: str = "predictions",
    references: str | Sequence[str] = "references",
    groups: str | None = None,
    dialect: Dialect = DEFAULT,
    **options: Unpack[BleuOptions],
) -> Any:
    """Count the n-grams of a Spark DataFrame on Spark's executors.

    Args:
        df: the DataFrame. Each partition is counted on the executor that has it.
        predictions: a column of strings, of arrays of tokens or of arrays of token ids; ``"translation.en"`` is the
            field ``en`` of the column ``translation``.
        references: a column of the same kind, with one reference per row; a column of arrays of references; or the
            names of several columns with one reference each.
        groups: a column of strings or integers, without nulls. The result has one sum per value.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        **options: override the dialect's settings.

    Returns:
        The sum of all rows, to be passed to `score`. With `groups`, a dict from label to sum, sorted by label.

    Raises:
        ValueError, TypeError: as for `corpus_bleu`. An error about a row contains the partition's number and the row's
            number within the partition; for a label, within Spark's Arrow batch. ValueError: a column does not
            exist, there are no rows, ``average`` is ``"sentence"``, or the smoothing is one of NLTK's methods 5 to 7.
            These methods depend on the order of the rows, but partitions have no order.

    >>> from bleu_metric import spark_statistics
    >>> df = spark.createDataFrame([("a b c d", "a b c d")], ["mt", "en"])  # doctest: +SKIP
    >>> spark_statistics(df, "mt", "en").table.tolist()  # doctest: +SKIP
    [[4, 3, 2, 1, 4, 3, 2, 1, 4, 4]]
    """
    check_methods("df", df, ["mapInArrow"], "a Spark DataFrame")
    job = check_job(predictions, references, groups, config_of(dialect, options))

    def answer(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return count_partition(job, batches)

    schema = job.schema()
    sql_schema = ", ".join(f"{_quote(field.name)} {_SQL[field.type]}" for field in schema)
    columns = _select_columns(df, job.paths())
    rows = columns.mapInArrow(answer, sql_schema).collect()
    answers = pa.Table.from_pylist([row.asDict() for row in rows], schema=schema)
    return to_answer(job, answers)


def _select_columns(df: DataFrame, paths: Iterable[str]) -> DataFrame:
    """Return a DataFrame with one column per path, called column_0, column_1 and so on.

    The columns are renamed because mapInArrow accepts no dots in names.
    """
    # `split_path` reads an Arrow schema, but only the names of columns and fields
    arrow_schema = pa.schema(list(_names_and_nesting(df.schema)))
    expressions = []
    for index, path in enumerate(paths):
        names = split_path(arrow_schema, path)  # "translation.en" -> the column "translation" and its field "en"
        quoted_path = ".".join(map(_quote, names))
        expressions.append(f"{quoted_path} AS column_{index}")
    return df.selectExpr(*expressions)


def _quote(name: str) -> str:
    """Quote a name for SQL: a`b -> `a``b`."""
    return "`" + name.replace("`", "``") + "`"


def _names_and_nesting(struct: Any) -> Iterator[pa.Field]:
    """Yield the fields of a Spark `StructType` as Arrow fields. A path needs no types, so other types become null."""
    for field in struct.fields:
        arrow_type = pa.null()
        if hasattr(field.dataType, "fields"):
            arrow_type = pa.struct(list(_names_and_nesting(field.dataType)))
        yield pa.field(field.name, arrow_type)


def count_partition(job: Job, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Count one partition on a Spark executor. Yield one row of sums per group, or one row with the first error."""
    from pyspark import TaskContext

    answers = job.schema().empty_table()
    rows_before = 0
    for batch in batches:
        if not len(batch):
            continue

        try:
            # Spark calls the columns column_0, column_1 and so on: see `_select_columns`
            table = pa.Table.from_batches([batch]).rename_columns(job.paths())
            counted = count_table(job, table, rows_before)
            answers = add_up(pa.concat_tables([answers, counted]))
        except (TypeError, ValueError) as error:
            where = f"partition {TaskContext.get().partitionId()}"
            answers = error_row(job, error, where)
            break
        rows_before += len(batch)
    yield from answers.combine_chunks().to_batches()
