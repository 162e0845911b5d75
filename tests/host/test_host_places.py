"""The other places of evaluate that a metric is used in: combine, evaluator, suite, save, processes, copies."""

from __future__ import annotations

import copy
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import evaluate
import pyarrow as pa
import pytest
from corpora import PREDICTIONS, REFERENCES

import bleu_metric
from bleu_metric import corpus_bleu
from bleu_metric._staging import check_files_complete

FOLDER = Path(bleu_metric.__file__).parent
pytestmark = pytest.mark.usefixtures("own_cache")
EXPECTED = corpus_bleu(PREDICTIONS, REFERENCES).to_dict()

LENGTHS = '''
import datasets
import evaluate
class Lengths(evaluate.Metric):
    """A second metric, written as evaluate's own are."""
    def _info(self):
        features = [datasets.Features({"predictions": datasets.Value("string"),
                                       "references": datasets.Sequence(datasets.Value("string"))})]
        return evaluate.MetricInfo(description="d", citation="c", inputs_description="i", features=features)
    def _compute(self, predictions, references, smoothing=None):
        return {"characters": sum(map(len, predictions))}
'''

RANK = """
import sys, time
import evaluate
folder, cache, rank, ranks = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
metric = evaluate.load(folder, num_process=ranks, process_id=rank, experiment_id="test", cache_dir=cache, timeout=20)
rows = [(f"the cat number {i} sat on the mat", [f"the cat number {i} sat on a mat", "x"]) for i in range(rank, 30, ranks)]
if "ids" in sys.argv:
    rows = [([], [[]])] if rank == 0 else [([1, 2, 3], [[1, 2, 3]])]
if "idle" in sys.argv and rank == 1:
    rows = []
if "mixed" in sys.argv and rank == 0:
    rows = [(["a"], [["a"]])]
metric.add_batch(predictions=[hyp for hyp, _ in rows], references=[refs for _, refs in rows])
if "die" in sys.argv:
    print("staged", flush=True)
    time.sleep(60)
result = metric.compute()
print("none" if result is None else result["bleu"])
"""


def test_combine(metric: Any, tmp_path: Path) -> None:
    """With a metric written as evaluate's own are; every option goes to every metric."""
    (tmp_path / "lengths").mkdir()
    (tmp_path / "lengths" / "lengths.py").write_text(LENGTHS)
    combined = evaluate.combine([metric, evaluate.load(str(tmp_path / "lengths"))])
    scored = corpus_bleu(PREDICTIONS, REFERENCES, smoothing="exp").to_dict()
    expected = {**scored, "characters": sum(map(len, PREDICTIONS))}
    assert combined.compute(predictions=PREDICTIONS, references=REFERENCES, smoothing="exp") == expected
    for text, refs in zip(PREDICTIONS, REFERENCES, strict=True):
        combined.add(prediction=text, reference=refs)
    assert combined.compute()["bleu"] == EXPECTED["bleu"]
    combined.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    assert combined.compute()["bleu"] == EXPECTED["bleu"]


def test_combine_two_dialects() -> None:
    dialects = {name: evaluate.load(str(FOLDER), name) for name in ("nltk", "sacrebleu")}
    result = evaluate.combine(dialects, force_prefix=True).compute(predictions=PREDICTIONS, references=REFERENCES)
    for name in dialects:
        assert result[f"{name}_bleu"] == corpus_bleu(PREDICTIONS, REFERENCES, name).bleu


def test_save(metric: Any, tmp_path: Path) -> None:
    path = evaluate.save(tmp_path, **metric.compute(predictions=PREDICTIONS, references=REFERENCES))
    saved = json.loads(Path(path).read_text())
    assert {key: saved[key] for key in EXPECTED} == EXPECTED


def test_copies_are_metrics_of_their_own(metric: Any) -> None:
    for other in (pickle.loads(pickle.dumps(metric)), copy.copy(metric), copy.deepcopy(metric)):
        metric.add_batch(predictions=["x"], references=["y"])
        assert other.compute(predictions=PREDICTIONS, references=REFERENCES) == EXPECTED
        assert metric.compute()["counts"] == [0, 0, 0, 0]


def test_cache_dir_and_length(tmp_path: Path) -> None:
    metric = evaluate.load(str(FOLDER), cache_dir=str(tmp_path / "here"))
    metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    metric.add(prediction="a", reference=["a"])
    assert len(metric) == 4
    assert list((tmp_path / "here").rglob("*.arrow"))
    assert metric.compute()["translation_length"] == EXPECTED["translation_length"] + 1
    assert not list((tmp_path / "here").rglob("*.arrow"))
    assert "tokenizer" in repr(metric)


def _start(cache: Path, rank: int, ranks: int, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", RANK, str(FOLDER), str(cache), str(rank), str(ranks), *more]
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent)}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_three_processes(tmp_path: Path) -> None:
    running = [_start(tmp_path, rank, 3) for rank in range(3)]
    outputs = [process.communicate(timeout=120) for process in running]
    printed = [out.strip() for out, _ in outputs]
    assert printed[1:] == ["none", "none"], outputs
    texts = [f"the cat number {i} sat on the mat" for i in range(30)]
    references = [[f"the cat number {i} sat on a mat", "x"] for i in range(30)]
    assert float(printed[0]) == corpus_bleu(texts, references).bleu


@pytest.mark.parametrize("ids", [[], ["ids"]])
def test_a_process_without_rows(ids: list[str], tmp_path: Path) -> None:
    """Two rows among three processes leave one with nothing, and the others wait for its file."""
    running = [_start(tmp_path, rank, 3, "idle", *ids) for rank in range(3)]
    outputs = [process.communicate(timeout=120) for process in running]
    rows = [i for i in range(30) if i % 3 != 1]
    texts = [f"the cat number {i} sat on the mat" for i in rows]
    expected = corpus_bleu(texts, [[f"the cat number {i} sat on a mat", "x"] for i in rows]).bleu
    if ids:
        expected = corpus_bleu([[], [1, 2, 3]], [[[]], [[1, 2, 3]]]).bleu
    assert float(outputs[0][0]) == expected, outputs


def test_a_process_without_a_token(tmp_path: Path) -> None:
    """Its empty lists are of the kind of the other process's tokens."""
    running = [_start(tmp_path, rank, 2, "ids") for rank in range(2)]
    outputs = [process.communicate(timeout=120) for process in running]
    assert float(outputs[0][0]) == corpus_bleu([[], [1, 2, 3]], [[[]], [[1, 2, 3]]]).bleu, outputs
    running = [_start(tmp_path, rank, 2, "ids", "mixed") for rank in range(2)]
    outputs = [process.communicate(timeout=120) for process in running]
    assert "TypeError: rows of list<item: string> and rows of list<item: int64> were staged" in outputs[0][1]
    assert not list(tmp_path.rglob("*.arrow"))


def test_a_killed_process_leaves_nothing_behind(tmp_path: Path) -> None:
    """The next computation in the same cache is right and starts at once."""
    process = _start(tmp_path, 0, 1, "die")
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "staged\n"
        process.send_signal(signal.SIGKILL)
    metric = evaluate.load(str(FOLDER), experiment_id="test", cache_dir=str(tmp_path))
    started = time.perf_counter()
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == EXPECTED
    assert time.perf_counter() - started < 0.5


def test_a_stream_cut_anywhere_is_refused(tmp_path: Path) -> None:
    """Arrow reads a stream that is cut between two batches without a word; rows may hold what ends a stream."""
    path = tmp_path / "rows.arrow"
    table = pa.table({"texts": [["a"]] * 5, "ids": [0xFFFFFFFF] * 5})
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        for _ in range(3):
            writer.write_table(table)
    whole = path.read_bytes()
    check_files_complete([str(path)])
    silent = 0
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(ValueError, match=r"the rows of process 0 are not whole"):
            check_files_complete([str(path)])
        try:
            silent += pa.ipc.open_stream(whole[:size]).read_all().num_rows < 15
        except (pa.ArrowInvalid, OSError):
            continue
    assert silent
    path.unlink()
    with pytest.raises(ValueError, match=r"the rows that were staged are gone, .*rows.arrow was deleted"):
        check_files_complete([str(path)])
