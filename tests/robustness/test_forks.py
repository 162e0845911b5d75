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
metric = load()
metric.compute(predictions=predictions, references=references)
other = load()
metric.add_batch(predictions=predictions[:2], references=references[:2])
stop = threading.Event()
def count():
    while not stop.is_set():
        assert bleu_metric.corpus_bleu(texts, texts[::-1]).bleu == whole
background = threading.Thread(target=count)
background.start()

def child():
    signal.alarm(HANGS)  # a child that hangs dies
    for rows in ({}, {"predictions": predictions, "references": references}):
        try:
            metric.compute(**rows)
        except RuntimeError as error:
            assert "another thread or process has added rows" in str(error), error
        else:
            raise AssertionError("scored the rows of the parent")
    right(other)
    right(load())
    assert bleu_metric.corpus_bleu(texts, texts[::-1]).bleu == whole
    other.add_batch(predictions=["left"], references=["behind"])

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
started.join(HANGS)
assert started.exitcode == 0, started.exitcode
metric.add_batch(predictions=predictions[2:], references=references[2:])
assert metric.compute() == expected
stop.set()
background.join(HANGS)
right(metric)
right(other)
print("forked")
"""


MERGES = """
import warnings
warnings.simplefilter("ignore")
counted = bleu_metric.corpus_statistics(predictions, references)
shared = bleu_metric.Accumulator()
stop = threading.Event()
def merge():
    while not stop.is_set():
        shared.merge(counted)
        time.sleep(0.0005)  # so that the forking thread gets the lock soon, also on a busy machine
threads = [threading.Thread(target=merge, daemon=True) for _ in range(2)]  # an error below ends the process
for thread in threads:
    thread.start()
for _ in range(30):
    pid = os.fork()
    if not pid:
        signal.alarm(HANGS)  # a child that hangs dies
        own = bleu_metric.Accumulator()
        own.update(predictions, references)
        assert own.score().bleu == expected["bleu"]
        assert shared.statistics.lengths[0] % counted.lengths.sum() == 0
        bleu_metric.BleuConfig(max_order=3).signature()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
stop.set()
print("forked")
"""


def test_forks_while_threads_add_counts(tmp_path: Path) -> None:
    assert run(MERGES, tmp_path / "cache") == "forked\n"


def test_forks_while_threads_count_and_rows_are_staged(tmp_path: Path) -> None:
    assert run(FORK, tmp_path / "cache") == "forked\n"
