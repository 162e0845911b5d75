"""Pages of the built site in a real browser: accessible, and no wider than the screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import Browser, browser

__all__ = ["browser"]

PAGES = "index start recipes guide/dialects reference/signatures integrations migration/index metric_card".split()
PAGES += ["reference/scores", "notebooks/comparing_systems"]


@pytest.mark.heavy
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("page", PAGES)
def test_page(page: str, width: int, browser: Browser, site: Path) -> None:
    pytest.importorskip("selenium_axe_python", reason="needs axe-core: pip install --group test-all")
    browser.size(width)
    browser.open(site / f"{page}.html")
    assert browser.overflow() <= 0
    assert browser.axe_violations() == []
