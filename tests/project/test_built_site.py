"""The built site: no link leads nowhere; in a real browser, pages are accessible, and no wider than the screen."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
from browser import Browser, browser
from inner_doors import OPTIONS

import bleu_metric

__all__ = ["browser"]

pytestmark = pytest.mark.heavy
DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = "index start recipes guide/dialects reference/signatures integrations migration/index metric_card".split()
PAGES += ["reference/scores", "notebooks/comparing_systems"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site; a warning is an error."""
    for package in ("sphinx", "myst_nb", "furo", "sphinx_copybutton", "sphinx_llms_txt"):
        pytest.importorskip(package, reason="builds the site: pip install --group docs")
    folder, doctrees = (str(tmp_path_factory.mktemp(name)) for name in ("site", "doctrees"))
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d", doctrees, str(DOCS), folder]
    subprocess.run(command, check=True)
    return Path(folder)


def test_the_texts_for_language_models_have_every_page_and_what_it_includes(site: Path) -> None:
    listed = re.findall(r"^- \[.+\]\((.+)\)$", (site / "llms.txt").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(f"_sources/{path.relative_to(DOCS).as_posix()}.txt" for path in DOCS.rglob("*.md"))
    text = (site / "llms-full.txt").read_text()
    functions = [name for name in bleu_metric.__all__ if inspect.isfunction(getattr(bleu_metric, name))]
    assert [name for name in functions if f"\nbleu_metric.{name}(" not in text] == []
    assert [name for name in OPTIONS if f"\n| `{name}` | " not in text] == []
    for left in ("{eval-rst}", "{include}", "{toctree}", "image/png"):
        assert left not in text


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("page", PAGES)
def test_page(page: str, width: int, browser: Browser, site: Path) -> None:
    pytest.importorskip("selenium_axe_python", reason="needs axe-core: pip install --group test-all")
    browser.size(width)
    browser.open(site / f"{page}.html")
    assert browser.overflow() <= 0
    assert browser.axe_violations() == []
