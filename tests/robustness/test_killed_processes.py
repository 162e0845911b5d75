"""A process that is killed while another waits for its rows: that one says so, and the experiment can be run again."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from faulty_runs import start
from waiting import HANGS

RANK = """
how, rank = sys.argv[3], int(sys.argv[4])
texts = [f"a b c w{n} d e f g" for n in range(20_000)]
metric = load(num_process=2, process_id=rank, experiment_id="test", timeout=HANGS)
if how == "killed" and rank == 1:
    from datasets.arrow_writer import ArrowWriter
    ArrowWriter.finalize = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
metric.add_batch(predictions=texts, references=texts)
try:
    result = metric.compute()
    print("none" if result is None else (result["bleu"], result["totals"][0]))
except (OSError, ValueError) as error:
    print(type(error).__name__, error)
    right(load())
    assert len(metric) == 0
"""


def _ranks(how: str, cache: Path) -> list[tuple[int, str]]:
    started = [start(RANK, cache, how, str(rank)) for rank in (0, 1)]
    return [(process.returncode, out) for process in started for out, _ in [process.communicate(timeout=HANGS)]]


@pytest.mark.heavy
def test_a_rank_that_is_killed_as_it_writes(tmp_path: Path) -> None:
    (status, printed), (killed, _) = _ranks("killed", tmp_path)
    assert (status, killed) == (0, -signal.SIGKILL)
    assert "Error" in printed or "ArrowInvalid" in printed
    assert not list(tmp_path.rglob("test-2-0.arrow"))
    assert _ranks("whole", tmp_path) == [(0, "(1.0, 320000)\n"), (0, "none\n")]
