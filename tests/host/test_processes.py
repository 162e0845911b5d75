"""Several processes that stage rows for one score, as evaluate has them."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import evaluate
import pytest
from corpora import PREDICTIONS, REFERENCES
from waiting import HANGS

import bleu_metric
from bleu_metric import corpus_bleu

FOLDER = Path(bleu_metric.__file__).parent


pytestmark = pytest.mark.usefixtures("own_cache")


EXPECTED = corpus_bleu(PREDICTIONS, REFERENCES).to_dict()


RANK = """
import sys
sys.modules["transformers"] = None  # evaluate would import it, which takes seconds
import evaluate
folder, cache, rank, ranks = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
metric = evaluate.load(folder, num_process=ranks, process_id=rank, experiment_id="test", cache_dir=cache, timeout=1800)
rows = [(f"the cat number {i} sat on the mat", [f"the cat number {i} sat on a mat", "x"]) for i in range(rank, 30, ranks)]
metric.add_batch(predictions=[hyp for hyp, _ in rows], references=[refs for _, refs in rows])
result = metric.compute()
print("none" if result is None else result["bleu"])
"""


def _start(cache: Path, rank: int, ranks: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", RANK, str(FOLDER), str(cache), str(rank), str(ranks)]
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent)}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_processes(tmp_path: Path) -> None:
    running = [_start(tmp_path, rank, 2) for rank in range(2)]
    outputs = [process.communicate(timeout=HANGS) for process in running]
    printed = [out.strip() for out, _ in outputs]
    assert printed[1] == "none", outputs
    texts = [f"the cat number {i} sat on the mat" for i in range(30)]
    references = [[f"the cat number {i} sat on a mat", "x"] for i in range(30)]
    assert float(printed[0]) == corpus_bleu(texts, references).bleu


def _compute(cache: Path, rows: list[list[Any]]) -> list[Any]:
    """Return what `compute` returns or raises in each rank: a thread of its own, for processes take seconds to start."""

    def compute(rank: int) -> Any:
        ranks = {"num_process": len(rows), "process_id": rank, "experiment_id": "test"}
        metric = evaluate.load(str(FOLDER), cache_dir=str(cache), timeout=HANGS, **ranks)
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
    assert _compute(tmp_path, [texts[:3], [], texts[3:]]) == [corpus_bleu(texts, texts).to_dict(), None, None]
    ids = [[1, 2, 3], [4, 5]]
    assert _compute(tmp_path, [[[]], [], ids]) == [
        corpus_bleu([[], *ids], [[[]], *([row] for row in ids)]).to_dict(),
        None,
        None,
    ]


def test_a_process_without_a_token(tmp_path: Path) -> None:
    """Its empty lists take the type of the other process's tokens."""
    expected = corpus_bleu([[], [1, 2, 3]], [[[]], [[1, 2, 3]]]).to_dict()
    assert _compute(tmp_path, [[[]], [[1, 2, 3]]]) == [expected, None]
    error, none = _compute(tmp_path, [[["a"]], [[1, 2, 3]]])
    assert isinstance(error, TypeError)
    assert "rows of list<item: string> and rows of list<item: int64> were staged" in str(error)
    assert none is None
    assert not list(tmp_path.rglob("*.arrow"))
