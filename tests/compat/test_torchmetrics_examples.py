"""The examples of torchmetrics' own documentation, from the installed package, run with their imports replaced."""

from __future__ import annotations

import doctest
import importlib
import re
import warnings

import pytest


@pytest.mark.parametrize("name", ["text.bleu", "text.sacre_bleu", "functional.text.bleu", "functional.text.sacre_bleu"])
def test_examples(name: str) -> None:
    theirs = pytest.importorskip(f"torchmetrics.{name}", reason="pip install '.[test-all]'")
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    replaced = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what torch deprecates, and plots without a legend
        ours = importlib.import_module("bleu_metric.compat.torchmetrics")
        for test in doctest.DocTestFinder(exclude_empty=True).find(theirs):
            for example in test.examples:
                example.source, count = re.subn(
                    r"^from torchmetrics\.(functional\.)?text import", f"from {ours.__name__} import", example.source
                )
                replaced += count
            if not name.startswith("functional"):
                pytest.importorskip("matplotlib", reason="pip install '.[test-all]'")
            test.globs = {}
            assert not runner.run(test).failed, test.name
    assert replaced >= 1
