"""Forked and spawned processes score right. Rows that a parent staged stay its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from faulty_runs import FOLDER, run
from waiting import HANGS

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
            assert "another thread or process staged rows" in str(error), error
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


def test_forks_while_threads_count_and_rows_are_staged(tmp_path: Path) -> None:
    assert run(FORK, tmp_path / "cache") == "forked\n"


SPAWN = """
import concurrent.futures, json, multiprocessing, os, sys
from pathlib import Path
sys.modules["transformers"] = None  # evaluate would import it, which takes seconds
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
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=HANGS, check=False)
    assert (ran.returncode, ran.stdout) == (0, "spawned\n"), ran.stderr[-3000:]
