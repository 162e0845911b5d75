"""Without memory there is an error, and the next score is right."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from faulty_runs import run

from bleu_metric import corpus_statistics

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep to RLIMIT_AS"),
]

USED = """
def used():
    "Bytes of memory that the process uses."
    return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
"""

MEMORY = """
os.environ["BLEU_METRIC_THREADS"] = "1"
huge = ["a b c d e f g h " * 2_000_000] * 2
errors = []
for room in (20, 150, 400):
    limit = resource.RLIMIT_AS, used() + (room << 20)
    errors.append(limited(limit, lambda: bleu_metric.corpus_bleu(huge, huge)))
    assert errors[-1] is None or isinstance(errors[-1], MemoryError), errors
    assert metric_result(predictions, references) == expected
assert isinstance(errors[0], MemoryError), errors
"""


def test_no_memory(tmp_path: Path) -> None:
    run(USED + MEMORY, tmp_path / "cache")


BOMB = """
import pyarrow
import pyarrow.parquet  # loading it needs more memory than the limit leaves
pyarrow.set_memory_pool(pyarrow.system_memory_pool())  # the default pool reserves address space before it needs it
pyarrow.set_cpu_count(1)  # a thread that cannot be started for lack of memory ends the process
pyarrow.set_io_thread_count(1)
room = resource.RLIMIT_AS, used() + (200 << 20)
print(limited(room, lambda: bleu_metric.BleuStatistics.load(sys.argv[3])))
"""


def test_a_small_file_of_many_rows_ends_in_an_error(tmp_path: Path) -> None:
    """It takes 8 bytes a number, as docs/security.md says; where they are not there, the error names the file."""
    path = tmp_path / "bomb.parquet"
    table = corpus_statistics(["a b c d e"], ["a b c d e"]).to_table()
    many = {name: np.repeat(table[name].to_numpy(), 8_000_000) for name in table.column_names}
    parquet.write_table(pa.table(many), path, compression="zstd")
    assert path.stat().st_size < 1 << 20
    printed = run(USED + BOMB, tmp_path / "cache", str(path))
    assert f"{path} is not a complete file of BLEU statistics" in printed
