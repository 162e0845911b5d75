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


@pytest.mark.heavy
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
