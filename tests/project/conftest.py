"""The built site, which several modules test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for package in ("sphinx", "myst_nb", "furo", "sphinx_copybutton", "sphinx_llms_txt"):
        pytest.importorskip(package, reason="builds the site: pip install --group docs")
    folder = tmp_path_factory.mktemp("site")
    doctrees = tmp_path_factory.mktemp("doctrees")
    command = [sys.executable, "-m", "sphinx", "-q", "-d", str(doctrees), str(ROOT / "docs"), str(folder)]
    subprocess.run(command, check=True)
    return folder
