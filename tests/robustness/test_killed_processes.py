"""A process that is killed while others wait for its rows is named, and the experiment can be run again."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest
from faulty_runs import start
from waiting import HANGS

pytestmark = pytest.mark.heavy

RANK = """
how, rank = sys.argv[3], int(sys.argv[4])
texts = [f"a b c w{n} d e f g" for n in range(20_000)]
patience = 3 if how == "before" else HANGS  # seconds; two processes may start long after each other
metric = load(num_process=2, process_id=rank, experiment_id="test", timeout=patience)
def kill():
    os.kill(os.getpid(), signal.SIGKILL)
if how == "before" and rank == 1:
    kill()
if how == "writing" and rank == 1:
    from datasets.arrow_writer import ArrowWriter
    ArrowWriter.finalize = lambda *_: kill()
def score():
    for at in range(0, 20_000, 1000):
        metric.add_batch(predictions=texts[at : at + 1000], references=texts[at : at + 1000])
    return metric.compute()
for attempt in range(2 if how == "before" else 1):
    try:
        result = score()
        print("none" if result is None else (result["bleu"], result["totals"][0]))
    except (OSError, ValueError) as error:
        print(type(error).__name__, error)
if rank == 0 and how != "whole":
    right(load())
    assert len(metric) == 0
"""


def _ranks(how: str, cache: Path) -> list[tuple[int, str]]:
    started = [start(RANK, cache, how, str(rank)) for rank in (0, 1)]
    return [(process.returncode, out) for process in started for out, _ in [process.communicate(timeout=HANGS)]]


@pytest.mark.parametrize("how", ["before", "writing"])
def test_a_killed_rank(how: str, tmp_path: Path) -> None:
    """Rank 0 says so in bounded time; the same experiment then runs again in the same cache."""
    (status, printed), (killed, _) = _ranks(how, tmp_path)
    assert (status, killed) == (0, -signal.SIGKILL)
    if how == "before":
        assert len(re.findall("Expected to find locked file .*test-2-1.arrow.lock", printed)) == 2
    else:
        assert "Error" in printed or "ArrowInvalid" in printed
    assert not list(tmp_path.rglob("test-2-0.arrow"))
    assert _ranks("whole", tmp_path) == [(0, "(1.0, 320000)\n"), (0, "none\n")]
