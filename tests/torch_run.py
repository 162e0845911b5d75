"""Run a script of the tests in several processes of torch.distributed."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from waiting import HANGS

ROOT = Path(__file__).resolve().parents[1]


def run_script(script: str, processes: int, *arguments: str) -> dict[str, Any]:
    """Read the JSON that the script prints in one of its processes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    launch = [sys.executable, "-m", "torch.distributed.run", f"--nproc_per_node={processes}"]
    launch += ["--master_addr=127.0.0.1", f"--master_port={port}", str(ROOT / "tests" / script), *arguments]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")]),
        "OMP_NUM_THREADS": "1",
    }
    ran = subprocess.run(launch, env=environment, capture_output=True, text=True, timeout=HANGS, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    answer: dict[str, Any] = json.loads(next(line for line in ran.stdout.splitlines() if line.startswith('{"')))
    return answer


def print_once(answers: dict[str, Any]) -> None:
    """Print the answers as JSON in one process, after comparing them with those of all others; called by a script."""
    import torch.distributed as dist

    every: list[Any] = [None] * dist.get_world_size()
    dist.all_gather_object(every, answers)
    assert all(other == answers for other in every), "every process has the same score"
    if dist.get_rank() == 0:
        print(json.dumps(answers))
    dist.destroy_process_group()
