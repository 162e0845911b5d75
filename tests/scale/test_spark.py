"""Statistics on Spark itself: two executor processes, each with its Python worker, give the integers of one machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from shards import (
    ROWS,
    EngineTests,
    assert_same_groups,
    grouped,
    has_java,
    on_one_machine,
    run_block,
    run_example,
    same,
)

from bleu_metric import spark_statistics

pytest.importorskip("pyspark", reason='Spark is not installed: pip install "bleu_metric[spark]"')
if not has_java():
    pytest.skip("Spark needs Java 17 or newer: install a JRE, or set JAVA_HOME", allow_module_level=True)

# pyspark warns of the installed pandas, which is not used here, and leaves its sockets to the garbage collector
pytestmark = [
    pytest.mark.heavy,  # a cluster takes long to start; `test_partial` proves the sums without one
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

SCHEMA = (
    "predictions string, references array<string>, first string, last string, tokens array<string>, "
    "reference_tokens array<array<string>>, ids array<bigint>, reference_ids array<bigint>, "
    "translation struct<en: string, de: struct<first: string>>, system string, number int"
)


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """A cluster on this machine: two executors in processes of their own, one core each."""
    from pyspark.sql import SparkSession

    here = str(Path(__file__).resolve().parents[1])
    paths = os.pathsep.join([here, *filter(None, sys.path)])
    settings = {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_HOSTNAME": "localhost", "PYSPARK_PYTHON": sys.executable}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("bleu_metric")
        for name, text in {
            "spark.ui.enabled": "false",
            "spark.executorEnv.PYTHONPATH": paths,
            "spark.sql.execution.arrow.maxRecordsPerBatch": "100",
            "spark.sql.shuffle.partitions": "4",
        }.items():
            builder = builder.config(name, text)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()


@pytest.fixture(scope="module")
def frame(spark: Any) -> Any:
    return spark.createDataFrame(ROWS, SCHEMA).repartition(6).persist()


class TestSpark(EngineTests):
    count = staticmethod(spark_statistics)


def test_groups_of_fields(spark: Any) -> None:
    rows = [{**row, "about": {"label": row["system"]}} for row in ROWS[:200]]
    frame = spark.createDataFrame(rows, f"{SCHEMA}, about struct<label: string>").repartition(5)
    assert_same_groups(spark_statistics(frame, groups="about.label"), grouped(rows, "system"))


def test_empty_partitions_and_skew(spark: Any, frame: Any) -> None:
    expected = on_one_machine(ROWS, "predictions", "references")
    assert same(spark_statistics(frame.repartition(6, "system")), expected)  # 90 % of the rows in one
    few = spark.createDataFrame(ROWS[:3], SCHEMA).repartition(16)
    assert same(spark_statistics(few), on_one_machine(ROWS[:3], "predictions", "references"))
    with pytest.raises(ValueError, match=r"there are no rows to score"):
        spark_statistics(frame.where("predictions = 'none such'"), groups="system")


@pytest.mark.parametrize("groups", [None, "number"])
def test_a_null_is_named_by_its_row_in_the_partition(spark: Any, groups: str | None) -> None:
    from pyspark.errors import PythonException

    rows = [{"predictions": f"w{i}" if i != 333 else None, "references": ["w"], "number": i} for i in range(400)]
    frame = spark.createDataFrame(rows, "predictions string, references array<string>, number int").coalesce(1)
    with pytest.raises(PythonException, match=r"TypeError: predictions\[333\] holds None \(NoneType\)"):
        spark_statistics(frame, groups=groups)


def test_example(spark: Any) -> None:
    run_example(spark_statistics, spark=spark)


def test_block_of_the_documents(
    spark: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(spark, "stop", lambda: None)  # the block gets this session
    run_block("pyspark", capsys)
