"""The examples of NLTK's and torchmetrics' own documentation, from the installed packages, with our imports."""

from __future__ import annotations

import doctest
import importlib
import re
import warnings
from pathlib import Path
from typing import Any

import pytest

from bleu_metric.compat import nltk as compat

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
OUR_NLTK = r"from bleu_metric.compat.nltk\1 import"


def run(test: doctest.DocTest, names: dict[str, Any]) -> int:
    """Run the examples, and return how many there are."""
    test.globs = names
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scores of 0, what torch deprecates, and plots without a legend
        failed, examples = doctest.DocTestRunner(optionflags=FLAGS).run(test)
    assert not failed, test.name
    return examples


def test_examples_of_nltk() -> None:
    theirs: Any = pytest.importorskip("nltk.translate.bleu_score", reason="pip install '.[test]'")
    names: dict[str, Any] = {}
    exec("from bleu_metric.compat.nltk.translate.bleu_score import *", names)
    assert sum(run(test, names.copy()) for test in doctest.DocTestFinder().find(theirs)) > 50


def test_examples_of_nltks_test_file() -> None:
    nltk: Any = pytest.importorskip("nltk", reason="pip install '.[test]'")
    text = (Path(nltk.__file__).parent / "test" / "bleu.doctest").read_text()
    text, replaced = re.subn(r"from nltk(\S*) import", OUR_NLTK, text)
    test = doctest.DocTestParser().get_doctest(text, {}, "bleu.doctest", None, 0)
    assert (replaced, run(test, {})) == (2, 4)


@pytest.mark.parametrize("name", ["text.bleu", "text.sacre_bleu", "functional.text.bleu", "functional.text.sacre_bleu"])
def test_examples_of_torchmetrics(name: str) -> None:
    theirs = pytest.importorskip(f"torchmetrics.{name}", reason="pip install --group test-all")
    if not name.startswith("functional"):
        pytest.importorskip("matplotlib", reason="pip install --group test-all")
    replaced = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what torch deprecates
        importlib.import_module("bleu_metric.compat.torchmetrics")
    for test in doctest.DocTestFinder(exclude_empty=True).find(theirs):
        for example in test.examples:
            ours = r"from bleu_metric.compat.torchmetrics\1 import"
            example.source, count = re.subn(r"^from torchmetrics(\S*) import", ours, example.source)
            replaced += count
        run(test, {})
    assert replaced >= 1


REFERENCES, HYPOTHESIS = ["let it go".split()], "let go it".split()


def test_warnings_are_found_by_filters_written_for_nltk() -> None:
    with pytest.warns(UserWarning, match=r"\nThe hypothesis contains 0 counts of [234]-gram overlaps") as caught:
        assert compat.sentence_bleu(REFERENCES, HYPOTHESIS) < 1e-200
    assert len(caught) == 3
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="nltk.translate.bleu_score")
        compat.sentence_bleu(REFERENCES, HYPOTHESIS)
