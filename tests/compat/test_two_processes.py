"""Metrics of torchmetrics in two processes give the score of all texts."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from torch_run import run_script

from bleu_metric import corpus_bleu


@pytest.mark.heavy
def test_two_processes_score_as_one() -> None:
    for module, package in (("torch", "torch==2.13.0"), ("torchmetrics", "torchmetrics")):
        if find_spec(module) is None:
            pytest.skip(f"{module} is not installed: pip install {package}")
    from compat.two_processes import TARGETS, TEXTS

    alone, together = (run_script("compat/two_processes.py", processes) for processes in (1, 2))
    assert together == pytest.approx(alone, rel=1e-12)
    assert together["bleu"] == pytest.approx(corpus_bleu(TEXTS, TARGETS, "torchmetrics").bleu, rel=1e-6)
    assert len(set(together.values())) == 2
