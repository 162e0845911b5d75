"""Metrics of torchmetrics and ignite in two processes give the score of all texts."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from bleu_metric import corpus_bleu

ROOT = Path(__file__).resolve().parents[2]


def _run(processes: int) -> dict[str, float]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    launch = [sys.executable, "-m", "torch.distributed.run", f"--nproc_per_node={processes}"]
    launch += ["--master_addr=127.0.0.1", f"--master_port={port}", str(ROOT / "tests" / "compat" / "two_processes.py")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(launch, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return json.loads(next(line for line in ran.stdout.splitlines() if line.startswith("{")))


def test_two_processes_score_as_one() -> None:
    for module, package in (("torch", "torch==2.13.0"), ("torchmetrics", "torchmetrics"), ("ignite", "pytorch-ignite")):
        if find_spec(module) is None:
            pytest.skip(f"{module} is not installed: pip install {package}")
    from compat.two_processes import TARGETS, TEXTS

    alone, together = _run(1), _run(2)
    assert together == pytest.approx(alone, rel=1e-12)
    assert together["bleu"] == pytest.approx(corpus_bleu(TEXTS, TARGETS, "torchmetrics").bleu, rel=1e-6)
    micro = corpus_bleu(TEXTS, TARGETS, "ignite-micro", max_order=3, smoothing="method1").bleu
    assert together["ignite micro"] == pytest.approx(micro, rel=1e-12)
    assert len(set(together.values())) == 4
