"""Threads that share a metric object, a cache, or the first call: every number right, no file left open."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import evaluate
import pytest
from corpora import PREDICTIONS, REFERENCES
from datasets.utils.filelock import FileLock
from faulty_runs import FOLDER, together
from waiting import HANGS, no_waiting

from bleu_metric import (
    corpus_bleu,
)

pytestmark = pytest.mark.usefixtures("staged_in_files")


EXPECTED = corpus_bleu(PREDICTIONS, REFERENCES).to_dict()


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

    for results, right in zip(together(work, 16), expected, strict=True):
        assert all(result == right for result in results)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == (
        [] if in_memory else ["default_experiment-1-0.arrow.lock"]
    )


def test_rows_of_another_thread_are_an_error_and_stay(metric: Any) -> None:
    metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    with ThreadPoolExecutor(1) as executor:
        with pytest.raises(ValueError, match=r"nothing to score: .* call add_batch first, in this thread"):
            executor.submit(metric.compute).result(timeout=HANGS)
        other = executor.submit(metric.compute, predictions=["x"], references=["x"]).result(timeout=HANGS)
    assert other["totals"] == [1, 0, 0, 0]
    assert metric.compute() == EXPECTED


def test_threads_that_end_leave_no_open_files(metric: Any) -> None:
    def opened() -> int:
        return len(os.listdir("/proc/self/fd" if Path("/proc/self/fd").exists() else "/dev/fd"))  # noqa: PTH208

    before = opened()
    for _ in range(5):
        thread = threading.Thread(target=metric.add_batch, kwargs={"predictions": ["a"], "references": ["b"]})
        thread.start()
        thread.join(HANGS)
    assert opened() <= before
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == EXPECTED


def test_a_wait_for_a_lock_is_noticed(tmp_path: Path) -> None:
    """Other tests rely on it."""
    with FileLock(str(tmp_path / "lock")), no_waiting(), pytest.raises(AssertionError, match="waited for"):
        FileLock(str(tmp_path / "lock")).acquire(timeout=1)


def test_two_objects_in_one_cache_do_not_wait(metric: Any) -> None:
    """Evaluate waits a second for the file of the other."""
    other = evaluate.load(str(FOLDER))
    other.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    with no_waiting():
        assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == EXPECTED
    assert other.compute() == EXPECTED


def test_an_error_leaves_the_files_of_other_objects(metric: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a score, an object has no claim on the file it used: the next owner's stays."""
    metric.compute(predictions=PREDICTIONS, references=REFERENCES)
    other = evaluate.load(str(FOLDER))
    other.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    with monkeypatch.context() as patched:
        patched.setattr("datasets.arrow_writer.ArrowWriter.write_table", Mock(side_effect=OSError("disk full")))
        with pytest.raises(OSError, match="disk full"):
            metric.add_batch(predictions=["a"], references=["a"])
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
        barrier.wait(1800)
        results[place] = work(ways[place % len(ways)])
    workers = [threading.Thread(target=started, args=(place,)) for place in range(16)]
    for one in workers: one.start()
    for one in workers: one.join(1800)
else:
    results = [work(ways[place % len(ways)]) for place in range(16)]
print(results)
"""


def test_first_calls_of_16_threads(tmp_path: Path) -> None:
    """Tables that a first call builds are whole before another thread reads them."""
    bare = "import sys, threading\n" + FIRST_CALLS
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent)}
    alone, *others = [
        subprocess.check_output([sys.executable, "-c", bare, *how], env=environment, text=True, timeout=HANGS)
        for how in ([], ["together"], ["together"])
    ]
    assert "'bleu'" in alone
    assert others == [alone, alone]
