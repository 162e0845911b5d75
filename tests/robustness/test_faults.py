"""Threads, forks, interrupts, full disks, killed processes, no memory: no wrong number, no lock or file left."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import evaluate
import pytest
from corpora import PREDICTIONS, REFERENCES

import bleu_metric
from bleu_metric import corpus_bleu

FOLDER = Path(bleu_metric.__file__).parent
pytestmark = pytest.mark.usefixtures("own_cache")
EXPECTED = corpus_bleu(PREDICTIONS, REFERENCES).to_dict()

# What the scripts below start with. `right` scores with an object after a fault: the right number, and at once.
START = """
import os, resource, signal, sys, threading, time
from pathlib import Path
import evaluate
import bleu_metric
folder, cache = sys.argv[1:3]
predictions = ["the cat sat on the mat .", "a dog was here", "hello there , general kenobi"]
references = [["the cat sat on a mat .", "a cat was on the mat ."], ["the dog was here"], ["hello there , general"]]
expected = bleu_metric.corpus_bleu(predictions, references).to_dict()

def load(**options):
    return evaluate.load(folder, cache_dir=cache, **options)

def right(metric):
    started = time.perf_counter()
    assert metric.compute(predictions=predictions, references=references) == expected
    assert time.perf_counter() - started < 0.5, time.perf_counter() - started

def left():
    "Files in the cache but the one lock that evaluate leaves for the next."
    return [path.name for path in Path(cache).rglob("*") if path.is_file() and not path.name.endswith("-1-0.arrow.lock")]

def limited(limit, work):
    "Do the work under a limit of the system; the error that it ends in."
    soft, hard = resource.getrlimit(limit[0])
    resource.setrlimit(limit[0], (limit[1], hard))
    try:
        work()
    except Exception as error:
        return error
    finally:
        resource.setrlimit(limit[0], (soft, hard))
"""


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """Let SIGINT interrupt, which a shell makes the commands in its background ignore, and their children with them."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


def run(code: str, cache: Path, *arguments: str, timeout: float = 120) -> str:
    """Run a script in a process of its own: what it printed."""
    command = [sys.executable, "-c", START + code, str(FOLDER), str(cache), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent), "HF_HOME": str(cache.parent / "home")}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout


# --- Threads --------------------------------------------------------------------------------------------------------


def _together(work: Callable[[int], Any], workers: int) -> list[Any]:
    """Do the work in threads that start at the same moment."""
    barrier = threading.Barrier(workers, timeout=60)

    def started(worker: int) -> Any:
        barrier.wait()
        return work(worker)

    with ThreadPoolExecutor(workers) as executor:
        return list(executor.map(started, range(workers)))


@pytest.mark.parametrize("in_memory", [False, True])
def test_each_thread_scores_its_own_rows(in_memory: bool, tmp_path: Path) -> None:
    """One object, 16 threads, every mix of add, add_batch and compute."""
    metric = evaluate.load(str(FOLDER), keep_in_memory=in_memory, cache_dir=str(tmp_path))
    corpora = [([f"a b c w{n} d e"] * (n + 1), [f"a b c w{n} e"] * (n + 1)) for n in range(16)]
    expected = [corpus_bleu(*corpus).to_dict() for corpus in corpora]

    def work(worker: int) -> list[dict[str, Any]]:
        predictions, references = corpora[worker]
        results = []
        for ready in (0, 1, worker // 2, worker + 1) * 3:  # rows staged before compute is called
            for at in range(min(ready, 2)):
                metric.add(prediction=predictions[at], reference=references[at])
            if ready > 2:
                metric.add_batch(predictions=predictions[2:ready], references=references[2:ready])
            rest = {"predictions": predictions[ready:], "references": references[ready:]} if ready <= worker else {}
            assert len(metric) == min(ready, worker + 1)
            results.append(metric.compute(**rest))
        return results

    for results, right in zip(_together(work, 16), expected, strict=True):
        assert all(result == right for result in results)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == (
        [] if in_memory else ["default_experiment-1-0.arrow.lock"]
    )


def test_rows_of_another_thread_are_an_error_and_stay(metric: Any) -> None:
    metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    with ThreadPoolExecutor(1) as executor:
        with pytest.raises(ValueError, match=r"nothing to score: .* call add_batch first, in this thread"):
            executor.submit(metric.compute).result(timeout=20)
        other = executor.submit(metric.compute, predictions=["x"], references=["x"]).result(timeout=20)
    assert other["totals"] == [1, 0, 0, 0]
    assert metric.compute() == EXPECTED


def test_threads_that_end_leave_no_open_files(metric: Any) -> None:
    def opened() -> int:
        return len(os.listdir("/proc/self/fd" if Path("/proc/self/fd").exists() else "/dev/fd"))  # noqa: PTH208

    before = opened()
    for _ in range(5):
        thread = threading.Thread(target=metric.add_batch, kwargs={"predictions": ["a"], "references": ["b"]})
        thread.start()
        thread.join(20)
    assert opened() <= before
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == EXPECTED


def test_two_objects_in_one_cache_do_not_wait(metric: Any) -> None:
    """Evaluate waits a second for the file of the other."""
    other = evaluate.load(str(FOLDER))
    other.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    started = time.perf_counter()
    for _ in range(5):
        assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == EXPECTED
    assert time.perf_counter() - started < 0.9
    assert other.compute() == EXPECTED


def test_an_error_leaves_the_files_of_other_objects(metric: Any) -> None:
    """After a score, an object has no claim on the file it used: the next owner's stays."""
    metric.compute(predictions=PREDICTIONS, references=REFERENCES)
    other = evaluate.load(str(FOLDER))
    other.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    metric._release()  # as a batch does that cannot be written
    with pytest.raises(ZeroDivisionError):  # under a name of its own
        metric.compute(predictions=["a"], references=["a"], tokenizer=lambda _: 1 / 0)
    assert other.compute() == EXPECTED
    assert [path.name for path in Path(metric.data_dir).iterdir()] == ["default_experiment-1-0.arrow.lock"]


FIRST_CALLS = """
from bleu_metric import bootstrap, corpus_bleu, corpus_statistics, sentence_bleu
texts = ["The cat's £5, isn't — 今天 天气 很好 . 𝔘ber 1,000.5 &quot;x&quot;", "Ünï cödé Straße №5 ¿qué?"] * 600
ways = [dict(tokenizer=name) for name in ("13a", "intl", "zh", "char", "whitespace")]
ways += [dict(dialect=name) for name in ("nltk", "bleuscore", "mteval-v13a", "torchmetrics")]
def work(way):
    rows = corpus_statistics(texts, texts[::-1], **way)
    return (corpus_bleu(texts, texts[::-1], **way).to_dict(), sentence_bleu(texts, texts[::-1], **way).sum(),
            None if rows.config.average == "sentence" else bootstrap(rows, 50).to_dict())
if "together" in sys.argv:
    barrier, results = threading.Barrier(16), [None] * 16
    def started(place):
        barrier.wait(60)
        results[place] = work(ways[place % len(ways)])
    workers = [threading.Thread(target=started, args=(place,)) for place in range(16)]
    for one in workers: one.start()
    for one in workers: one.join(100)
else:
    results = [work(ways[place % len(ways)]) for place in range(16)]
print(results)
"""


def test_first_calls_of_16_threads(tmp_path: Path) -> None:
    """Tables that a first call builds are whole before another thread reads them."""
    bare = "import sys, threading\n" + FIRST_CALLS
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent)}
    alone, *others = [
        subprocess.check_output([sys.executable, "-c", bare, *how], env=environment, text=True, timeout=120)
        for how in ([], ["together"], ["together"])
    ]
    assert "'bleu'" in alone
    assert others == [alone, alone]


# --- Forks ----------------------------------------------------------------------------------------------------------

FORK = """
import multiprocessing
import warnings
warnings.simplefilter("ignore")  # newer Pythons warn of any fork beside threads
os.environ["BLEU_METRIC_THREADS"] = "4"
texts = [f"a b c w{n} d" for n in range(10_000)]
whole = bleu_metric.corpus_bleu(texts, texts[::-1]).bleu
metric = load()
metric.compute(predictions=predictions, references=references)
metric.add_batch(predictions=predictions[:2], references=references[:2])  # buffered, not yet in the file
stop = threading.Event()
def count():
    while not stop.is_set():
        assert bleu_metric.corpus_bleu(texts, texts[::-1]).bleu == whole
background = threading.Thread(target=count)
background.start()

def child():
    signal.alarm(60)  # a child that hangs dies
    assert len(metric) == 0  # what is staged stays its parent's
    right(metric)
    right(load())
    assert bleu_metric.corpus_bleu(texts, texts[::-1]).bleu == whole
    metric.add_batch(predictions=["left"], references=["behind"])

children = []
for _ in range(2):
    pid = os.fork()
    if not pid:
        child()
        sys.exit(0)  # with all that Python frees and writes at its end
    children.append(pid)
assert [os.waitpid(pid, 0)[1] for pid in children] == [0] * 2
started = multiprocessing.get_context("fork").Process(target=child)
started.start()
started.join(90)
assert started.exitcode == 0, started.exitcode
metric.add_batch(predictions=predictions[2:], references=references[2:])
assert metric.compute() == expected
stop.set()
background.join(60)
right(metric)
print("forked")
"""


def test_forks_while_threads_count_and_rows_are_staged(tmp_path: Path) -> None:
    assert run(FORK, tmp_path / "cache") == "forked\n"


SPAWN = """
import concurrent.futures, json, multiprocessing, os, sys
from pathlib import Path
import evaluate
import bleu_metric

def work(metric, rows):
    print(os.getpid(), file=sys.stderr)
    predictions, references = rows
    return metric.compute(predictions=predictions, references=references)["bleu"]

if __name__ == "__main__":
    folder, cache = sys.argv[1:3]
    metric = evaluate.load(folder, cache_dir=cache)
    corpora = [([f"a b c w{n} d e"] * 50, [f"a b c w{n} e"] * 50) for n in range(4)]
    expected = [bleu_metric.corpus_bleu(*corpus).bleu for corpus in corpora]
    metric.add_batch(predictions=["x"], references=["y"])
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(work, [metric] * 4, corpora)) == expected
    assert metric.compute()["counts"] == [0, 0, 0, 0]
    print("spawned")
"""


def test_spawned_processes(tmp_path: Path) -> None:
    """The object travels by pickle, without what is staged."""
    script = tmp_path / "script.py"
    script.write_text(SPAWN)
    command = [sys.executable, str(script), str(FOLDER), str(tmp_path / "cache")]
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent), "HF_HOME": str(tmp_path / "home")}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200, check=False)
    assert (ran.returncode, ran.stdout) == (0, "spawned\n"), ran.stderr[-3000:]


# --- Interrupts -----------------------------------------------------------------------------------------------------

INTERRUPT = """
import random
from types import SimpleNamespace
import numpy as np
what, rounds = sys.argv[3], int(sys.argv[4])
texts = [f"a b c w{n} d e f g" for n in range(20_000)]
metric = load(keep_in_memory="memory" in what)

class Decoder:
    pad_token_id = 0
    def batch_decode(self, ids, skip_special_tokens):
        return [" ".join(f"w{one}" for one in row if one > 0) for row in ids.tolist()]

hook = bleu_metric.compute_metrics(Decoder(), "default")
ids = np.arange(16_000).reshape(2000, 8) % 97 + 1
batch = SimpleNamespace(predictions=ids, label_ids=ids)

def count():
    bleu_metric.corpus_bleu(texts, texts[::-1])

def compute():
    metric.compute(predictions=texts, references=texts[::-1])

def add_batch():
    for at in range(0, 20_000, 500):
        metric.add_batch(predictions=texts[at : at + 500], references=texts[at : at + 500])
    metric.compute()

def train():
    for _ in range(5):
        hook(batch, compute_result=False)
    hook(batch, compute_result=True)

def check_hook():
    assert hook._seen % 2000 == 0  # interrupted within a call, it forgets all; between calls, it cannot know
    assert (hook._counted is None) == (hook._seen == 0)
    hook.reset()
    started = time.perf_counter()
    assert hook(batch, compute_result=True)["bleu"] == 1.0
    assert hook._seen == 0
    assert time.perf_counter() - started < 0.5

works = {"count": count, "compute": compute, "compute in memory": compute, "add_batch": add_batch, "hook": train}
work = works[what]
for _ in range(2):
    started = time.perf_counter()
    work()
    usual = time.perf_counter() - started
interrupted = kept = 0
draw = random.Random(what)
for _ in range(rounds):
    timer = threading.Timer(draw.uniform(0, usual), os.kill, (os.getpid(), signal.SIGINT))
    try:
        try:
            timer.start()
            work()
        finally:
            timer.join()
            time.sleep(0.001)  # the signal of a timer that was late comes in here
    except KeyboardInterrupt:
        interrupted += 1
    kept += bool(len(metric))
    check_hook() if what == "hook" else None
    if len(metric):  # whole batches that were staged before a check of rows was interrupted
        assert what == "add_batch" and len(metric) % 500 == 0, len(metric)
        rows = len(metric)
        started = time.perf_counter()
        result = metric.compute()
        assert result["bleu"] == 1.0 and result["totals"][0] == 8 * rows, result
        assert time.perf_counter() - started < 0.5
    right(metric)
    for thread in threading.enumerate():
        if thread.name.startswith("ThreadPool") and thread.ident:  # started; it was interrupted while it waited
            thread.join(5)
            assert not thread.is_alive()
assert interrupted > rounds / 2, interrupted
assert left() == [], left()
print(f"{interrupted} of {rounds} interrupted, {kept} with rows kept")
"""


@pytest.mark.parametrize("what", ["count", "compute", "compute in memory", "add_batch", "hook"])
def test_interrupts_at_any_moment(what: str, tmp_path: Path) -> None:
    printed = run(INTERRUPT, tmp_path / "cache", what, "40")
    assert "interrupted" in printed


def test_interrupts_of_the_command_line(tmp_path: Path) -> None:
    """At any moment after its modules are found: status 130, one line, the old file, no draft."""
    texts, report = tmp_path / "texts", tmp_path / "report.html"
    texts.write_text("".join(f"a b c w{n} d e f g\n" for n in range(60_000)))
    report.write_text("old")
    commands = [
        ["score", str(texts), str(texts), "--confidence", "0.95", "--resamples", "5000"],
        ["report", str(texts), "-r", str(texts), "-o", str(report)],
    ]
    draw = random.Random(1)
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent), "PYTHONFAULTHANDLER": "1"}
    statuses = []
    for command in commands * 6:
        process = subprocess.Popen(
            [sys.executable, "-m", "bleu_metric", *command],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(draw.uniform(0.3, 1.6))
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=60)
        statuses.append(process.returncode)
        if process.returncode == 130:
            assert error.strip() == "bleu-metric: interrupted"
            assert out == ""
            assert report.read_text() == "old"
        else:
            assert process.returncode in (0, -signal.SIGINT), error  # it was done, or had not begun
        assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "texts"]
        report.write_text("old")
    assert statuses.count(130) >= 6, statuses


# --- Disks ----------------------------------------------------------------------------------------------------------

FULL = """
full = (resource.RLIMIT_FSIZE, 65536)  # bytes that a file may have: writing more fails as on a full disk
texts = [f"a b c w{n} d e f g" for n in range(20_000)]
metric = load()

def fill():
    for at in range(0, 20_000, 2000):
        metric.add_batch(predictions=texts[at : at + 2000], references=texts[at : at + 2000])
    metric.compute()

def few():  # few enough to be buffered: they are written, and fail, when the score is asked for
    metric.add_batch(predictions=predictions, references=references)
    metric.compute()

for limit, work in [(full, fill), ((resource.RLIMIT_FSIZE, 100), few)]:
    error = limited(limit, work)
    assert isinstance(error, OSError), repr(error)
    assert "File too large" in str(error), error
    assert len(metric) == 0
    right(metric)
    right(load())
    assert left() == [], left()
print("disk")
"""


def test_a_full_disk_under_the_cache(tmp_path: Path) -> None:
    assert run(FULL, tmp_path / "cache") == "disk\n"


WRITES = """
from bleu_metric import corpus_statistics, plot, report, save_groups
from bleu_metric.cli.main import run
goals = Path(cache)
goals.mkdir()
rows = corpus_statistics(predictions * 2000, references * 2000)
(goals / "hyp.txt").write_text("".join(f"a b {n}\\n" for n in range(500)))
text = str(goals / "hyp.txt")
writers = {
    "rows.parquet": rows.save,
    "groups.parquet": lambda goal: save_groups({n: rows[n : n + 1].total() for n in range(3000)}, goal),
    "report.html": lambda goal: report(goal, predictions, references),
    "plot.png": lambda goal: plot(rows, goal),
    "plot.svg": lambda goal: plot(rows, goal),
    "plot.pdf": lambda goal: plot(rows, goal),
    "cli.html": lambda goal: run(["report", text, "-r", text, "-o", goal]),
    "cli.png": lambda goal: run(["score", text, text, "--plot", goal]),
}
names = sorted([*writers, "hyp.txt"])
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
def for_anyone() -> Iterator[Path]:
    """Give a folder that any user may look into; those of pytest belong to the one who runs it."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_writing_to_full_and_read_only_places(for_anyone: Path) -> None:
    """Files of every kind: the old one stays, without a draft beside it; the error names the goal."""
    run(WRITES, for_anyone / "goals")


READ_ONLY = """
metric = load()
right(metric)
place = Path(metric.data_dir)
for path in place.iterdir():
    path.unlink()
place.chmod(0o555)
root = os.geteuid() == 0
os.seteuid(65534) if root else None  # whom modes bind
for _ in range(2):
    try:
        metric.add_batch(predictions=predictions, references=references)
    except PermissionError as error:
        assert str(place) in str(error), error
    else:
        raise AssertionError("written into a folder that nobody may write into")
    assert len(metric) == 0
os.seteuid(0) if root else None
place.chmod(0o755)
right(metric)
assert left() == [], left()

metric.add_batch(predictions=predictions, references=references)
import shutil
shutil.rmtree(cache)  # somebody tidies up
try:
    metric.compute()
except ValueError as error:
    assert "rows that were staged are gone" in str(error) and str(place) in str(error), error
else:
    raise AssertionError("scored without a file")
right(metric)
assert left() == [], left()

shutil.rmtree(cache)
Path(cache).write_text("a file where the folder should be")
for call in (lambda: right(metric), lambda: load()):
    try:
        call()
    except OSError as error:
        assert cache in str(error), error
    else:
        raise AssertionError("written")
Path(cache).unlink()
right(metric)
print("disk")
"""


def test_a_cache_that_is_read_only_or_deleted(for_anyone: Path) -> None:
    assert run(READ_ONLY, for_anyone / "cache") == "disk\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux alone has /dev/full")
def test_a_full_standard_output(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a b c\n")
    command = [sys.executable, "-m", "bleu_metric", "score", str(tmp_path / "text"), str(tmp_path / "text")]
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent)}
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(command, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (1, "bleu-metric: No space left on device\n")


# --- Killed processes -----------------------------------------------------------------------------------------------

RANK = """
how, rank = sys.argv[3], int(sys.argv[4])
texts = [f"a b c w{n} d e f g" for n in range(20_000)]
patience = 3 if how == "before" else 60  # seconds; two processes may start long after each other
metric = load(num_process=2, process_id=rank, experiment_id="test", timeout=patience)
def kill():
    os.kill(os.getpid(), signal.SIGKILL)
if how == "before" and rank == 1:
    kill()
def score():
    for at in range(0, 20_000, 1000):
        metric.add_batch(predictions=texts[at : at + 1000], references=texts[at : at + 1000])
        if how == "between" and rank == 1 and at == 15_000:
            kill()  # most rows are in the file, in whole batches, which Arrow reads without a word
    return metric.compute()
for attempt in range(2 if how == "before" else 1):
    started = time.perf_counter()
    try:
        result = score()
        print("none" if result is None else (result["bleu"], result["totals"][0]))
    except ValueError as error:
        print(error)
    assert time.perf_counter() - started < 5 * patience
if rank == 0 and how != "whole":
    right(load())
    assert len(metric) == 0
"""


def _ranks(how: str, cache: Path) -> list[tuple[int, str]]:
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent), "HF_HOME": str(cache.parent / "home")}
    command = [sys.executable, "-c", START + RANK, str(FOLDER), str(cache), how]
    started = [
        subprocess.Popen([*command, str(rank)], env=environment, stdout=subprocess.PIPE, text=True) for rank in (0, 1)
    ]
    return [(process.returncode, out) for process in started for out, _ in [process.communicate(timeout=120)]]


@pytest.mark.parametrize("how", ["before", "between"])
def test_a_killed_rank(how: str, tmp_path: Path) -> None:
    """Rank 0 says so in bounded time; the same experiment then runs again in the same cache."""
    (status, printed), (killed, _) = _ranks(how, tmp_path)
    assert (status, killed) == (0, -signal.SIGKILL)
    if how == "before":
        assert printed.count("test-2-1.arrow.lock from process 0 but it doesn't exist") == 2
    else:
        assert "the rows of process 1 are not whole" in printed
    assert not list(tmp_path.rglob("test-2-0.arrow"))
    assert _ranks("whole", tmp_path) == [(0, "(1.0, 320000)\n"), (0, "none\n")]


# --- Memory ---------------------------------------------------------------------------------------------------------

MEMORY = """
metric = load()
def used():
    return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
os.environ["BLEU_METRIC_THREADS"] = "1"
right(metric)
huge = ["a b c d e f g h " * 2_000_000] * 2
errors = []
for work in [
    lambda: bleu_metric.corpus_bleu(huge, huge),
    lambda: metric.compute(predictions=huge, references=huge),
    lambda: metric.add_batch(predictions=huge, references=huge),
]:
    for room in (20, 150, 400):
        error = limited((resource.RLIMIT_AS, used() + (room << 20)), work)
        memory = isinstance(error, MemoryError) or "Cannot allocate memory" in str(error)  # evaluate maps its file
        assert error is None or memory, repr(error)
        errors.append(error)
        metric._release() if error is None else None
        right(metric)
        assert bleu_metric.corpus_bleu(predictions, references).to_dict() == expected
assert sum(error is not None for error in errors) >= 3, errors
assert left() == [], left()
print("memory")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep to RLIMIT_AS")
def test_no_memory(tmp_path: Path) -> None:
    assert run(MEMORY, tmp_path / "cache") == "memory\n"
