"""The site has every public name, dialect and option; `.ci/run` builds it and fails at a link that leads nowhere."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest
from inner_doors import ABOUT_THE_DATA, OPTIONS

import bleu_metric
from bleu_metric import compat

DOCS = Path(__file__).resolve().parents[2] / "docs"
REFERENCE = "\n".join(path.read_text() for path in sorted((DOCS / "reference").glob("*.md")))
DOCUMENTED = re.findall(r"^\.\. auto(?:function|class|data|module):: (\S+)$", REFERENCE, re.MULTILINE)


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    """The module that makes the site's tables."""
    place = importlib.util.spec_from_file_location("tables", DOCS / "tables.py")
    assert place is not None
    assert place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


def test_the_reference_has_every_public_name_once() -> None:
    names = [name for name in DOCUMENTED if "." not in name]
    assert sorted(names) == sorted(bleu_metric.__all__)


def test_the_reference_has_every_compat_module() -> None:
    modules = [name.removeprefix("bleu_metric.compat.") for name in DOCUMENTED if ".compat." in name]
    files = [path.stem for path in Path(compat.__file__).parent.glob("[a-z]*.py")]
    assert sorted(modules) == sorted(files)


def test_the_reference_has_every_function_that_the_documents_import() -> None:
    """Names of sub-packages are public where a document says so."""
    documents = "\n".join(path.read_text() for path in DOCS.glob("*.md"))
    imports = re.findall(r"from (bleu_metric\.integrations\.\w+) import (.*)", documents)
    used = {f"{module}.{name.strip()}" for module, names in imports for name in names.split(",")}
    assert used
    assert used <= {*DOCUMENTED}


def test_the_legend_of_signatures_has_every_key_and_word(tables: ModuleType) -> None:
    keys = {option.key: {*(option.words or {}).values()} for option in OPTIONS.values() if option.key}
    assert tables.MEANINGS.keys() == keys.keys()
    for key, words in keys.items():
        if key not in ("tok", "smooth"):  # their names have pages of their own
            assert words <= tables.MEANINGS[key].keys(), key
    assert tables.ABOUT_THE_DATA.keys() == {*ABOUT_THE_DATA}
    lines = tables.signature_table().splitlines()
    assert len(lines) == 2 + len(keys) + len(tables.ABOUT_THE_DATA)


def test_the_citation_has_the_version() -> None:
    assert f"\nversion: {bleu_metric.__version__}\n" in (DOCS.parent / "CITATION.cff").read_text()


@pytest.mark.heavy
def test_llms_txt_lists_every_page(site: Path) -> None:
    listed = re.findall(r"^- \[.+\]\((.+)\)$", (site / "llms.txt").read_text(), re.MULTILINE)
    pages = [f"_sources/{path.relative_to(DOCS).as_posix()}.txt" for path in DOCS.rglob("*.md")]
    assert sorted(listed) == sorted(pages)
    assert all("\n# " in "\n" + (site / page).read_text() for page in listed)


@pytest.mark.heavy
def test_llms_full_txt_has_docstrings_tables_and_included_documents(site: Path) -> None:
    text = (site / "llms-full.txt").read_text()
    functions = [name for name in bleu_metric.__all__ if inspect.isfunction(getattr(bleu_metric, name))]
    assert [name for name in functions if f"\nbleu_metric.{name}(" not in text] == []
    assert [name for name in OPTIONS if f"\n| `{name}` | " not in text] == []
    for document in ("metric_card.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        assert all(
            heading in text for heading in re.findall("^##.*", (DOCS.parent / document).read_text(), re.MULTILINE)
        )
    for left in ("{eval-rst}", "{include}", "{toctree}", "image/png"):
        assert left not in text
