"""Count n-grams with Spark: executors count the rows of their partitions, and the driver adds up the counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Unpack

from .._config import DEFAULT, BleuOptions, Dialect, config_of
from .._lazy import pa
from .._validation import check_methods
from .partial import add_up, check_job, count_tables


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
        ValueError, TypeError: a column name is no string, there are no rows, ``average`` is ``"sentence"``, or the
            smoothing is one of NLTK's methods 5 to 7, which depend on the order of the rows. If a row cannot be scored,
            Spark's own exception contains the error of `corpus_bleu`, with the row's number within its partition. For
            an unknown column, Spark's own exception names similar columns.

    >>> from bleu_metric import spark_statistics
    >>> df = spark.createDataFrame([("a b c d", "a b c d")], ["mt", "en"])  # doctest: +SKIP
    >>> spark_statistics(df, "mt", "en").table.tolist()  # doctest: +SKIP
    [[4, 3, 2, 1, 4, 3, 2, 1, 4, 4]]
    """
    check_methods("df", df, ["mapInArrow"], "a Spark DataFrame")
    job = check_job(predictions, references, groups, config_of(dialect, options))
    paths = job.paths()

    def count(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        tables = (pa.Table.from_batches([batch]).rename_columns(paths) for batch in batches)
        yield from count_tables(job, tables).to_batches()

    # mapInArrow accepts no dots in the names of columns
    selected = [f"{_quoted(path, df.columns)} AS column_{index}" for index, path in enumerate(paths)]
    sums = df.selectExpr(*selected).mapInArrow(count, "sums string")
    return add_up(job, (row["sums"] for row in sums.collect()))


def _quoted(path: str, columns: Sequence[str]) -> str:
    """Quote the path of a column for SQL: "translation.en" -> "`translation`.`en`"."""
    names = [path] if path in columns else path.split(".")
    return ".".join("`" + name.replace("`", "``") + "`" for name in names)
