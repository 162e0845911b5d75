"""Full and read-only disks: the old file stays, the error names the goal, and the next score is right."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import faulty_runs
import pytest
from faulty_runs import FOLDER, run

WRITES = """
from bleu_metric import corpus_statistics, plot, report
from bleu_metric.cli.main import run
goals = Path(cache)
goals.mkdir()
rows = corpus_statistics(predictions * 2000, references * 2000)
text, same = str(goals / "hyp.txt"), str(goals / "ref.txt")
for file in (text, same):
    Path(file).write_text("".join(f"a b {n}\\n" for n in range(500)))
writers = {
    "rows.parquet": rows.save,
    "report.html": lambda goal: report(goal, predictions, references),
    "plot.png": lambda goal: plot(rows, goal),
    "cli.html": lambda goal: run(["report", text, "-r", same, "-o", goal]),
    "cli.png": lambda goal: run(["score", text, same, "--plot", goal]),
}
names = sorted([*writers, "hyp.txt", "ref.txt"])
for name in writers:
    (goals / name).write_bytes(b"old")
for limit in (0, 2000):
    for name, write in writers.items():
        goal, status = str(goals / name), []
        error = limited((resource.RLIMIT_FSIZE, limit), lambda: status.append(write(goal)))
        if name.startswith("cli"):
            assert status == [1], (name, status, error)
        else:
            assert isinstance(error, OSError) and error.filename == goal, (name, error)
        assert (goals / name).read_bytes() == b"old", name
        assert sorted(os.listdir(goals)) == names, os.listdir(goals)
for name, write in writers.items():
    write(str(goals / name))
    assert (goals / name).stat().st_size > 2000, name
goals.chmod(0o555)  # nothing can be made in here
if os.geteuid() == 0:  # whom modes do not bind
    for path in goals.iterdir():
        path.chmod(0o644)
    os.seteuid(65534)
before = {name: (goals / name).read_bytes() for name in names}
for name, write in writers.items():
    try:
        assert write(str(goals / name)) == 1, name
    except PermissionError as error:
        assert error.filename == str(goals / name), error
assert before == {name: (goals / name).read_bytes() for name in names}
"""


@pytest.fixture
def for_anyone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a copy of the package that every user may read, because a checkout may be private."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        shutil.copytree(FOLDER, Path(folder, "bleu_metric"))
        monkeypatch.setattr(faulty_runs, "PATHS", os.pathsep.join([folder, faulty_runs.PATHS]))
        yield Path(folder)


@pytest.mark.heavy
def test_writing_to_full_and_read_only_places(for_anyone: Path) -> None:
    """Files of every kind: the old one stays, without a draft beside it; the error names the goal."""
    run(WRITES, for_anyone / "goals")


CACHE = """
import shutil
from concurrent.futures import ThreadPoolExecutor

def score(metric):
    metric.add_batch(predictions=predictions, references=references)
    try:
        return metric.compute()
    except Exception as error:
        return error

def ranks(timeout=HANGS):
    "What the metric of each of two processes, here threads, returns or raises."
    metrics = [load(num_process=2, process_id=rank, experiment_id="test", timeout=timeout) for rank in (0, 1)]
    with ThreadPoolExecutor(2) as executor:
        return list(executor.map(score, metrics))

metric, found, both = load(), [], [metric_result(predictions * 2, references * 2), None]
full = (resource.RLIMIT_FSIZE, 100)  # bytes that a file may have: writing more fails as on a full disk
assert limited(full, lambda: found.extend([score(metric), *ranks(timeout=10)])) is None
assert found[0] == expected, found  # a single process writes nothing
assert all(isinstance(error, (OSError, ValueError)) for error in found[1:]), found  # the other is gone or fails, too
assert any("File too large" in str(error) for error in found[1:]), found
assert left() == [], left()
assert ranks() == both
assert left() == [], left()

place, root = Path(metric.data_dir), os.geteuid() == 0
rank = load(num_process=2, process_id=1, experiment_id="test", timeout=1)
place.chmod(0o555)
os.seteuid(65534) if root else None  # whom modes bind
right(metric)
error = score(rank)
assert isinstance(error, PermissionError) and str(place) in str(error), error
assert len(rank) == 0
os.seteuid(0) if root else None
place.chmod(0o755)
assert ranks() == both

metric.add_batch(predictions=predictions, references=references)
shutil.rmtree(cache)  # somebody tidies up
assert metric.compute() == expected
right(metric)
"""


@pytest.mark.heavy
def test_a_cache_that_is_full_or_read_only_or_deleted(for_anyone: Path) -> None:
    run(CACHE, for_anyone / "cache")


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
def test_a_standard_output_that_is_cut_off(unbuffered: str, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="only POSIX limits the size of files")
    for name in ("text", "same"):
        (tmp_path / name).write_text("a b c d\n" * 3000)
    command = [sys.executable, "-m", "bleu_metric", "score", "-s", "-f", "csv", "text", "same"]
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent), "PYTHONUNBUFFERED": unbuffered}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"  # the limit would cut these files off, too
    with (tmp_path / "out").open("wb") as out:
        ran = subprocess.run(
            command,
            env=environment,
            cwd=tmp_path,
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)),
        )
    assert (tmp_path / "out").stat().st_size == 5000
    assert (ran.returncode, ran.stderr) == (1, "bleu-metric: File too large\n")
