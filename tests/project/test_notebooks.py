"""The notebooks of the site run, and give the outputs that they keep."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.heavy
ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path) -> None:
    for module in ("nbclient", "ipykernel"):
        pytest.importorskip(module, reason="pip install --group test-all")
    script = ROOT / "scripts" / "maintenance" / "run_notebooks.py"
    command = [sys.executable, str(script), "--check", str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
