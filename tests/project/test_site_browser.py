"""Pages of the built site in a real browser: accessible, and no wider than the screen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from browser import Browser, browser

__all__ = ["browser"]

ROOT = Path(__file__).resolve().parents[2]
PAGES = "index start recipes guide/dialects guide/signatures integrations migration/index metric_card".split()
PAGES += ["reference/scores", "notebooks/comparing_systems"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for package in ("sphinx", "myst_nb", "furo", "sphinx_copybutton", "selenium_axe_python"):
        pytest.importorskip(package, reason="needs the site and axe-core: pip install '.[docs,test-all]'")
    folder = tmp_path_factory.mktemp("site")
    doctrees = tmp_path_factory.mktemp("doctrees")
    command = [sys.executable, "-m", "sphinx", "-q", "-d", str(doctrees), str(ROOT / "docs"), str(folder)]
    subprocess.run(command, check=True)
    return folder


@pytest.mark.heavy
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("page", PAGES)
def test_page(page: str, width: int, site: Path, browser: Browser) -> None:
    browser.size(width)
    browser.open(site / f"{page}.html")
    assert browser.overflow() <= 0
    assert browser.axe_violations() == []
