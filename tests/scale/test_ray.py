"""Statistics on Ray Data itself: several worker processes give the integers of one machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from patient_ray import patient
from shards import ROWS, EngineTests, on_one_machine, run_block, run_example, same

from bleu_metric import corpus_statistics, ray_statistics

pytest.importorskip("ray.data", reason='Ray is not installed: pip install "bleu_metric[ray]"')

# Ray's own: deprecations inside it, sockets and processes that it leaves to the garbage collector
pytestmark = [
    pytest.mark.heavy,  # a cluster takes long to start; `test_partial` proves the sums without one
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore:Use 'expr' instead:UserWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    """A cluster on this machine: two workers, one core each."""
    import ray

    here = str(Path(__file__).resolve().parents[1])
    paths = os.pathsep.join([here, *filter(None, sys.path)])
    patient(ray.init)(
        num_cpus=2,
        object_store_memory=300_000_000,
        include_dashboard=False,
        _node_ip_address="127.0.0.1",
        log_to_driver=False,
        logging_level="ERROR",
        runtime_env={"env_vars": {"PYTHONPATH": paths}},
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray
    ray.shutdown()


@pytest.fixture(scope="module")
def table() -> pa.Table:
    return pa.Table.from_pylist(ROWS)


@pytest.fixture
def frame(ray: Any, table: pa.Table) -> Any:
    return ray.data.from_arrow(table).repartition(6)


class TestRay(EngineTests):
    count = staticmethod(ray_statistics)


def test_forms_of_data(ray: Any, table: pa.Table, tmp_path: Path) -> None:
    """Files, whose other columns are not read; Python rows; pandas blocks; a lazy transform."""
    expected = on_one_machine(ROWS, "predictions", "references")
    for place in range(3):
        parquet.write_table(table.slice(400 * place, 400), tmp_path / f"{place}.parquet")
    files = ray.data.read_parquet(str(tmp_path), override_num_blocks=3)
    assert same(ray_statistics(files), expected)
    assert same(ray_statistics(files, "translation.en"), expected)
    texts = [{name: row[name] for name in ("predictions", "references")} for row in ROWS]
    assert same(ray_statistics(ray.data.from_items(texts, override_num_blocks=3)), expected)
    frame = table.select(["predictions", "first"]).to_pandas()
    assert same(
        ray_statistics(ray.data.from_pandas(frame), references="first"), on_one_machine(ROWS, "predictions", "first")
    )
    lazy = files.map_batches(lambda batch: batch, batch_format="pyarrow")
    assert same(ray_statistics(lazy), expected)


def test_empty_blocks_and_skew(ray: Any, frame: Any, table: pa.Table) -> None:
    expected = on_one_machine(ROWS, "predictions", "references")
    skewed = ray.data.from_arrow(
        [table.slice(0, 1000), table.slice(0, 0), *(table.slice(i, 20) for i in range(1000, 1200, 20))]
    )
    assert same(ray_statistics(skewed), expected)
    with pytest.raises(ValueError, match=r"there are no rows to score"):
        ray_statistics(frame.filter(lambda row: row["predictions"] == "none such"), groups="system")


@pytest.mark.parametrize("groups", [None, "number"])
def test_a_null_is_named_by_its_row(ray: Any, groups: str | None) -> None:
    rows = {"predictions": [f"w{i}" if i != 33 else None for i in range(40)], "references": [["w"]] * 40}
    data = ray.data.from_arrow(pa.table({**rows, "number": list(range(40))}))
    with pytest.raises(Exception, match=r"TypeError: predictions\[33\] holds None \(NoneType\)"):
        ray_statistics(data, groups=groups)


def test_what_numpy_batches_become(ray: Any) -> None:
    """Arrays of one length are tensors to Ray; lists that come as arrays, and go back so, are pickled."""
    rows = [{"text": f"a b c {number}", "refs": ["a b c d", "a b"][: 1 + number % 2]} for number in range(6)]
    data = ray.data.from_items(rows)

    def as_ids(batch: Any) -> Any:
        ids = np.array([[1, 2, 3, 4 + len(text) % 2] for text in batch["text"]])
        return {"ids": ids, "refs": np.stack([ids, ids[:, ::-1]], axis=1)}

    expected = corpus_statistics([[1, 2, 3, 5]] * 6, [[[1, 2, 3, 5], [5, 3, 2, 1]]] * 6).sum()
    assert (ray_statistics(data.map_batches(as_ids), "ids", "refs").table == expected.table).all()

    def as_given(batch: Any) -> Any:
        return {**batch, "mt": np.array([text[:5] for text in batch["text"]])}

    with pytest.raises(Exception, match=r"Ray keeps column 'refs' as pickled objects.*with batch\['"):
        ray_statistics(data.map_batches(as_given), "mt", "refs")


def test_example(ray: Any) -> None:
    run_example(ray_statistics, ray=ray)


def test_block_of_the_documents(ray: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(ray, "init", lambda **_: None)
    monkeypatch.setattr(ray, "shutdown", lambda: None)
    run_block("ray", capsys)
