"""Count a corpus with Spark and with Ray, and compare the counts with those of one process. Print times and memory.

    python scripts/maintenance/scale.py [--rows 1000000] [--partitions 16] [--engines spark ray]

Distinct texts are generated and written to Parquet files. One process counts them first. Spark and Ray then count them
with two workers: in total, by group, and (at the largest size) while one worker is killed by SIGKILL. The script fails
unless all counts are equal. Two further times explain the costs: that of a function that only reads the batches, and
the processor time of counting. Each engine counts each size in a separate process, the driver, whose memory
is printed. On shared cores, wall-clock times vary by seconds; processor times do not.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # benchmark and workloads are in scripts/

from benchmark import cpu
from growth import resident
from workloads import generated

from bleu_metric import BleuConfig, BleuStatistics, corpus_statistics, ray_statistics, spark_statistics

GROUPS = 10
Totals = dict[str, list[int]]


class Engine(NamedTuple):
    """The functions of an engine. `measure` calls a function on every batch and adds up its results, in seconds."""

    start: Callable[[], Any]
    read: Callable[[Any, str, int], Any]
    count: Callable[..., Any]
    measure: Callable[[Any, Callable[[pa.Table], float]], float]
    is_worker: Callable[[str], bool]


def write(folder: Path, rows: int, partitions: int) -> None:
    """Write one Parquet file per partition. About nine tenths of the rows belong to one of the systems."""
    texts, references = generated(min(rows, 20_000))
    rng = np.random.default_rng(5)
    for part, places in enumerate(np.array_split(np.arange(rows), partitions)):
        chosen = places % len(texts)
        systems = np.where(rng.random(len(places)) < 0.9, 0, rng.integers(1, GROUPS, len(places)))
        columns = {
            "predictions": [f"{texts[i]} {place}" for i, place in zip(chosen, places, strict=True)],
            "references": [[f"{references[i][0]} {place}"] for i, place in zip(chosen, places, strict=True)],
            "system": [f"system-{system}" for system in systems],
        }
        parquet.write_table(pa.table(columns), folder / f"{part:04}.parquet")


def on_one_machine(folder: Path) -> Totals:
    """Return the counts of all files, in total and by system. This process counts them."""
    found: dict[str, BleuStatistics] = {}
    for path in sorted(folder.glob("*.parquet")):
        table = parquet.read_table(path)
        rows = corpus_statistics(table["predictions"], table["references"])
        systems = np.asarray(table["system"])
        for system in sorted(set(systems)):
            total = rows[systems == system].sum()
            found[system] = found[system] + total if system in found else total
    return as_lists(found) | {"all": sum(found.values()).table[0].tolist()}  # type: ignore[attr-defined]


def seconds_on_one_machine(folder: Path, threads: int) -> list[float]:
    """Return the wall-clock and processor seconds in which a new process reads and counts all files."""
    code = f"""
import time
from pathlib import Path
import pyarrow.parquet as parquet
from bleu_metric import corpus_statistics
corpus_statistics(["a"], ["a"])
started, used = time.perf_counter(), time.process_time()
for path in Path({str(folder)!r}).glob("*.parquet"):
    table = parquet.read_table(path, columns=["predictions", "references"])
    corpus_statistics(table["predictions"], table["references"]).sum()
print(time.perf_counter() - started, time.process_time() - used)
"""
    environment = {**os.environ, "BLEU_METRIC_THREADS": str(threads)}
    printed = subprocess.run([sys.executable, "-c", code], env=environment, stdout=-1, check=True).stdout
    return list(map(float, printed.split()))


def as_lists(totals: dict[str, BleuStatistics]) -> Totals:
    return {label: total.table[0].tolist() for label, total in totals.items()}


def start_spark() -> Any:
    from pyspark.sql import SparkSession

    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", SPARK_LOCAL_HOSTNAME="localhost", PYSPARK_PYTHON=sys.executable)
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.executorEnv.PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    spark = builder.config("spark.driver.memory", "1g").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def read_spark(spark: Any, folder: str, _partitions: int) -> Any:
    size = str(max(path.stat().st_size for path in Path(folder).glob("*.parquet")))
    spark.conf.set("spark.sql.files.maxPartitionBytes", size)  # each file becomes a partition
    spark.conf.set("spark.sql.files.openCostInBytes", size)
    return spark.read.parquet(folder)


def measure_spark(frame: Any, clock: Callable[[pa.Table], float]) -> float:
    def take(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        seconds = sum(clock(pa.Table.from_batches([batch])) for batch in batches)
        yield pa.RecordBatch.from_pydict({"seconds": [float(seconds)]})

    counted = frame.select("predictions", "references").mapInArrow(take, "seconds double").collect()
    return sum(row.seconds for row in counted)


def start_ray() -> Any:
    import ray

    environment = {"env_vars": {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}}
    quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    ray.init(num_cpus=2, object_store_memory=10**9, _node_ip_address="127.0.0.1", runtime_env=environment, **quiet)
    ray.data.DataContext.get_current().enable_progress_bars = False
    return ray


def read_ray(ray: Any, folder: str, partitions: int) -> Any:
    return ray.data.read_parquet(folder, override_num_blocks=partitions)


def measure_ray(dataset: Any, clock: Callable[[pa.Table], float]) -> float:
    def take(block: pa.Table) -> pa.Table:
        return pa.table({"seconds": [clock(block)]})

    counted = dataset.select_columns(["predictions", "references"])
    counted = counted.map_batches(take, batch_size=None, batch_format="pyarrow", zero_copy_batch=True)
    return sum(row["seconds"] for row in counted.take_all())


def pass_by(_: pa.Table) -> float:
    return 0.0


def count_here(table: pa.Table) -> float:
    """Count a batch as a worker does. Return the processor seconds."""
    from bleu_metric.scale.partial import check_job, count_table

    job = check_job("predictions", "references", None, BleuConfig())
    started = time.thread_time()
    count_table(job, table)
    return time.thread_time() - started


ENGINES = {
    "spark": Engine(start_spark, read_spark, spark_statistics, measure_spark, lambda name: "pyspark.daemon" in name),
    "ray": Engine(start_ray, read_ray, ray_statistics, measure_ray, lambda name: "MapBatches(answer)" in name),
}


def workers(engine: Engine) -> list[int]:
    """Return the ids of the engine's workers that are computing now. Only descendants of this process count."""
    parents, computing = {}, []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (path / "stat").read_text().rsplit(")", 1)[1].split()[:2]
            name = (path / "cmdline").read_text()
        except OSError:  # the process has ended
            continue
        parents[int(path.name)] = int(parent)
        if state == "R" and engine.is_worker(name):
            computing.append(int(path.name))
    return [one for one in computing if os.getpid() in _above(one, parents)]


def _above(process: int, parents: dict[int, int]) -> list[int]:
    chain = []
    while process := parents.get(process, 0):
        chain.append(process)
    return chain


def kill_one(engine: Engine, after: float, killed: list[int]) -> None:
    """Wait `after` seconds, then kill the first worker that is computing, and add its id to `killed`."""
    time.sleep(after)
    while not killed:
        for process in workers(engine)[:1]:
            os.kill(process, signal.SIGKILL)
            killed.append(process)
        time.sleep(0.01)


def peak(process: int | str = "self") -> float:
    """Return the peak memory of a process, in megabytes."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    answer = function()
    return time.perf_counter() - started, answer


def drive(name: str, folder: str, partitions: int, kill: bool) -> dict[str, Any]:
    """Count a folder with an engine. Return the counts, times and memory. This process is the driver."""
    engine = ENGINES[name]
    session = engine.start()
    data = engine.read(session, folder, partitions)
    engine.count(data)  # not timed, because it starts the workers
    before = resident()
    rounds = [timed(lambda: engine.count(data)) for _ in range(3)]
    above = peak() - before
    counted = min(seconds for seconds, _ in rounds)
    passed = min(timed(lambda: engine.measure(data, pass_by))[0] for _ in range(3))
    by_group, totals = timed(lambda: engine.count(data, groups="system"))
    result = {"seconds": counted, "framework": passed, "by group": by_group, "driver_mb": peak(), "above_mb": above}
    result["engine"] = engine.measure(data, count_here)
    result["partitions"] = data.rdd.getNumPartitions() if name == "spark" else partitions
    if kill:
        killed: list[int] = []
        killer = threading.Thread(target=kill_one, args=(engine, 0.3 * counted, killed), daemon=True)
        killer.start()
        result["seconds when killed"], after = timed(lambda: engine.count(data, groups="system"))
        result["killed"], result["after the kill"] = killed, as_lists(after)
    if name == "spark":
        result["failed tasks"] = failed_tasks(session)
        result["jvm_mb"] = max(peak(child) for child in children())
    return {**result, "totals": as_lists(totals) | {"all": rounds[0][1].table[0].tolist()}}


def failed_tasks(spark: Any) -> int:
    tracker = spark.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup()]
    stages = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
    return sum(stage.numFailedTasks for stage in stages if stage)


def children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


def in_a_process(name: str, folder: Path, partitions: int, kill: bool) -> dict[str, Any]:
    command = [sys.executable, __file__, "--drive", name, str(folder), "--partitions", str(partitions)]
    ran = subprocess.run([*command, *(["--kill"] if kill else [])], capture_output=True, text=True, check=False)
    if ran.returncode:
        raise RuntimeError(ran.stderr[-3000:])
    answer: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return answer


def compare(name: str, found: dict[str, Any], expected: Totals) -> None:
    """Raise ``SystemExit`` unless all integers equal those of one machine."""
    groups = {label: row for label, row in expected.items() if label != "all"}
    if found["totals"] != expected:
        raise SystemExit(f"{name}: the integers differ from one machine's")
    if "killed" in found and (not found["killed"] or found["after the kill"] != groups):
        raise SystemExit(f"{name}: no worker was killed, or the integers differ after the kill")


def report(name: str, rows: int, found: dict[str, Any]) -> None:
    print(
        f"{name}: {rows:,} rows, {found['partitions']} partitions: {found['seconds']:.2f} s, by system "
        f"{found['by group']:.2f} s; without counting {found['framework']:.2f} s; counting took "
        f"{found['engine']:.2f} s of processor time on 2 workers"
    )
    jvm = f", its JVM {found['jvm_mb']:.0f} MB" if "jvm_mb" in found else ""
    print(f"{name}: driver {found['driver_mb']:.0f} MB, {found['above_mb']:.1f} MB of it during the count{jvm}")
    if "killed" in found:
        tasks = f", {found['failed tasks']} task failed and was done again" if "failed tasks" in found else ""
        print(
            f"{name}: worker {found['killed'][0]} killed while it computed{tasks}; by system in "
            f"{found['seconds when killed']:.2f} s: the same integers"
        )


def run(rows: int, partitions: int, engines: list[str]) -> None:
    """Print the measurements of all sizes up to `rows`."""
    sizes = sorted({size for size in (10_000, 100_000) if size < rows} | {rows})
    for size in sizes:
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            write(folder, size, partitions)
            expected = on_one_machine(folder)
            spent = [seconds_on_one_machine(folder, threads) for threads in (1, 2)]
            times = ", ".join(f"{wall:.2f} s ({used:.2f} s of processor time)" for wall, used in spent)
            print(f"one machine: {size:,} rows on 1 and 2 threads, with reading: {times}")
            for name in engines:
                found = in_a_process(name, folder, partitions, kill=size == rows)
                compare(name, found, expected)
                report(name, size, found)
    print(f"all integers are those of one machine, in total and for each of {GROUPS} systems: {expected['all']}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10**6, help="largest number of rows")
    parser.add_argument("--partitions", type=int, default=16)
    parser.add_argument("--engines", nargs="+", choices=list(ENGINES), default=list(ENGINES))
    parser.add_argument("--drive", nargs=2, metavar=("ENGINE", "FOLDER"), help=argparse.SUPPRESS)
    parser.add_argument("--kill", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.drive:
        print(json.dumps(drive(*arguments.drive, arguments.partitions, arguments.kill)))
        return 0
    run(arguments.rows, arguments.partitions, arguments.engines)
    print(f"{cpu()}, {os.cpu_count()} cores, Python {sys.version.split()[0]}, PyArrow {pa.__version__}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
