"""The blocks of the documents about frameworks run, where the framework is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from project.test_documents import ENVIRONMENT, FRAMEWORK_BLOCKS


def test_block(tmp_path: Path) -> None:
    pytest.importorskip("lighteval", reason="lighteval is not installed: its pip command is in the documents")
    code, output = FRAMEWORK_BLOCKS["lighteval"]
    run_code = [sys.executable, "-c", code]
    ran = subprocess.run(run_code, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == (output or "")
