"""Files of texts that are damaged end in an error that names them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from bleu_metric.cli.main import run


def test_names_in_a_damaged_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rows.parquet"
    parquet.write_table(pa.table({"p": [["a b"]]}), path)
    path.write_bytes(path.read_bytes().replace(b"list", b"\x80ist"))
    assert run(["score", f"{path}:p", f"{path}:p"]) == 1
    error = capsys.readouterr().err
    assert "rows.parquet: the Parquet file cannot be read: 'utf-8' codec" in error
