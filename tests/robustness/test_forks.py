"""Forked processes score right. Rows that a parent staged stay its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from faulty_runs import run

pytestmark = pytest.mark.heavy

FORK = """
import multiprocessing
import warnings
warnings.simplefilter("ignore")  # newer Pythons warn of any fork beside threads
os.environ["BLEU_METRIC_THREADS"] = "4"
texts = [f"a b c w{n} d" for n in range(10_000)]
whole = bleu_metric.corpus_bleu(texts, texts[::-1]).bleu
counted, shared = bleu_metric.corpus_statistics(predictions, references), bleu_metric.Accumulator()
metric = load()
metric.compute(predictions=predictions, references=references)
other = load()
metric.add_batch(predictions=predictions[:2], references=references[:2])
stop = threading.Event()

def count():
    assert bleu_metric.corpus_bleu(texts, texts[::-1]).bleu == whole

def merge():
    shared.merge(counted)
    time.sleep(0.0005)  # so that the forking thread gets the lock soon, also on a busy machine

def repeat(work):
    while not stop.is_set():
        work()

threads = [threading.Thread(target=repeat, args=(work,), daemon=True) for work in (count, merge, merge)]
for thread in threads:
    thread.start()

def add():
    own = bleu_metric.Accumulator()
    own.update(predictions, references)
    assert own.score().bleu == expected["bleu"]
    assert shared.statistics.lengths[0] % counted.lengths.sum() == 0
    bleu_metric.BleuConfig(max_order=3).signature()

def child():
    for rows in ({}, {"predictions": predictions, "references": references}):
        try:
            metric.compute(**rows)
        except RuntimeError as error:
            assert "another thread or process has added rows" in str(error), error
        else:
            raise AssertionError("scored the rows of the parent")
    right(other)
    right(load())
    count()
    other.add_batch(predictions=["left"], references=["behind"])

for attempt in range(32):
    pid = os.fork()
    if not pid:
        signal.alarm(HANGS)  # a child that hangs dies
        add()
        if attempt > 1:
            os._exit(0)
        child()
        sys.exit(0)  # with all that Python frees and writes at its end
    assert os.waitpid(pid, 0)[1] == 0
started = multiprocessing.get_context("fork").Process(target=child)
started.start()
started.join(HANGS)
assert started.exitcode == 0, started.exitcode
metric.add_batch(predictions=predictions[2:], references=references[2:])
assert metric.compute() == expected
stop.set()
for thread in threads:
    thread.join(HANGS)
right(metric)
right(other)
"""


def test_forks_while_threads_count_and_add_and_rows_are_staged(tmp_path: Path) -> None:
    run(FORK, tmp_path / "cache")
