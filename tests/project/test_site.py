"""The pages of the site have every public name, dialect and option."""

from __future__ import annotations

import importlib
import importlib.util
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


def test_the_reference_has_every_public_name_and_compat_module_once() -> None:
    names = [name for name in DOCUMENTED if "." not in name or ".compat." in name]
    modules = [f"bleu_metric.compat.{path.stem}" for path in Path(compat.__file__).parent.glob("[a-z]*.py")]
    assert sorted(names) == sorted([*bleu_metric.__all__, *modules])


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
