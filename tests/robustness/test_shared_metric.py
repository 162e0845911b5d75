"""Threads that share a metric object, a cache, or the first call: every number right, no file left open."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import evaluate
import pytest
from corpora import PREDICTIONS, REFERENCES, metric_result
from datasets.utils.filelock import FileLock
from faulty_runs import FOLDER, together
from waiting import HANGS, no_waiting

pytestmark = pytest.mark.usefixtures("own_cache")


EXPECTED = metric_result(PREDICTIONS, REFERENCES)


def test_threads_score_what_they_pass_to_one_object(metric: Any) -> None:
    corpora = [([f"a b c w{n} d e"] * (n + 1), [f"a b c w{n} e"] * (n + 1)) for n in range(16)]
    expected = [metric_result(*corpus) for corpus in corpora]

    def work(worker: int) -> list[dict[str, Any]]:
        predictions, references = corpora[worker]
        return [metric.compute(predictions=predictions, references=references) for _ in range(20)]

    for results, right in zip(together(work, 16), expected, strict=True):
        assert all(result == right for result in results)


def test_rows_of_another_thread_are_an_error_and_stay(metric: Any) -> None:
    metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    with ThreadPoolExecutor(1) as executor:
        for call, rows in [
            (metric.compute, {}),
            (metric.compute, {"predictions": ["x"], "references": ["x"]}),
            (metric.add_batch, {"predictions": ["x"], "references": ["x"]}),
        ]:
            with pytest.raises(RuntimeError, match=r"another thread or process has added rows .*: load one metric in"):
                executor.submit(call, **rows).result(timeout=HANGS)
        assert metric.compute() == EXPECTED
        other = executor.submit(metric.compute, predictions=["x"], references=["x"]).result(timeout=HANGS)
    assert other["totals"] == [1, 0, 0, 0]


def test_two_objects_in_one_cache_do_not_wait(metric: Any, tmp_path: Path) -> None:
    """Evaluate waits a second for the file of the other."""
    other = evaluate.load(str(FOLDER))
    other.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    with no_waiting():
        assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == EXPECTED
    assert other.compute() == EXPECTED
    # `no_waiting`, on which other tests rely, notices a wait for a lock
    with FileLock(str(tmp_path / "lock")), no_waiting(), pytest.raises(AssertionError, match="waited for"):
        FileLock(str(tmp_path / "lock")).acquire(timeout=1)


FIRST_CALLS = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor
from bleu_metric import bootstrap, corpus_bleu, corpus_statistics, sentence_bleu
texts = ["The cat's £5, isn't — 今天 天气 很好 . 𝔘ber 1,000.5 &quot;x&quot;", "Ünï cödé Straße №5 ¿qué?"] * 600
ways = [dict(tokenizer=name) for name in ("13a", "intl", "zh", "char", "whitespace")]
ways += [dict(dialect=name) for name in ("nltk", "bleuscore", "mteval-v13a", "torchmetrics")]
def work(way):
    rows = corpus_statistics(texts, texts[::-1], **way)
    return (corpus_bleu(texts, texts[::-1], **way).to_dict(), sentence_bleu(texts, texts[::-1], **way).sum(),
            None if rows.config.average == "sentence" else bootstrap(rows, 50).to_dict())
n_threads = int(sys.argv[1])
barrier = threading.Barrier(n_threads)
def started(place):
    if n_threads > 1: barrier.wait(1800)
    return work(ways[place % len(ways)])
with ThreadPoolExecutor(n_threads) as executor:
    print([*executor.map(started, range(16))])
"""


@pytest.mark.heavy
def test_first_calls_of_16_threads(tmp_path: Path) -> None:
    """Tables that a first call builds are whole before another thread reads them."""
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent)}
    alone, *others = [
        subprocess.check_output([sys.executable, "-c", FIRST_CALLS, n], env=environment, text=True, timeout=HANGS)
        for n in ("1", "16", "16")
    ]
    assert "'bleu'" in alone
    assert others == [alone, alone]
