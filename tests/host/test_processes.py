"""Several processes that stage rows for one score, as evaluate has them: here threads, which start faster."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import evaluate
import pytest
from corpora import metric_result
from waiting import HANGS

import bleu_metric

pytestmark = pytest.mark.usefixtures("own_cache")


def _compute(cache: Path, rows: list[list[Any]]) -> list[Any]:
    """Return what `compute` returns or raises in each rank: a thread of its own, for processes take seconds to start."""

    def compute(rank: int) -> Any:
        ranks = {"num_process": len(rows), "process_id": rank, "experiment_id": "test"}
        metric = evaluate.load(bleu_metric.PATH, cache_dir=str(cache), timeout=HANGS, **ranks)
        metric.add_batch(predictions=rows[rank], references=[[row] for row in rows[rank]])
        try:
            return metric.compute()
        except TypeError as error:
            return error

    with ThreadPoolExecutor(len(rows)) as executor:
        return list(executor.map(compute, range(len(rows))))


def test_a_process_without_rows(tmp_path: Path) -> None:
    """The others wait for its file."""
    texts = [f"the cat number {i} sat on the mat" for i in range(4)]
    assert _compute(tmp_path, [texts[:3], [], texts[3:]]) == [metric_result(texts, texts), None, None]
    ids = [[1, 2, 3], [4, 5]]
    expected = metric_result([[], *ids], [[[]], *([row] for row in ids)])
    assert _compute(tmp_path, [[[]], [], ids]) == [expected, None, None]


def test_a_process_that_never_starts(tmp_path: Path) -> None:
    for rank in (0, 1):
        metric = bleu_metric.load(num_process=2, process_id=rank, cache_dir=str(tmp_path), timeout=0.2)
        with pytest.raises(ValueError, match=r"Expected to find locked file .*2-[01].arrow.lock"):
            metric.compute(predictions=["a"], references=["a"])


def test_a_process_without_a_token(tmp_path: Path) -> None:
    """Its empty lists take the type of the other process's tokens."""
    expected = metric_result([[], [1, 2, 3]], [[[]], [[1, 2, 3]]])
    assert _compute(tmp_path, [[[]], [[1, 2, 3]]]) == [expected, None]
    error, none = _compute(tmp_path, [[["a"]], [[1, 2, 3]]])
    assert isinstance(error, TypeError)
    assert "Unable to merge: Field predictions has incompatible types" in str(error)
    assert none is None
    assert not list(tmp_path.rglob("test-2-0.arrow"))
