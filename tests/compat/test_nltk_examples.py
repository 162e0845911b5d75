"""NLTK's own examples, from the installed package, run with their imports replaced and nothing else."""

from __future__ import annotations

import doctest
import warnings
from pathlib import Path
from typing import Any

import pytest

from bleu_metric.compat import nltk as compat

INSTALL = "NLTK is not installed: pip install '.[test]'"


def _run(test: doctest.DocTest) -> doctest.TestResults:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return runner.run(test)


def test_examples_of_the_module() -> None:
    theirs: Any = pytest.importorskip("nltk.translate.bleu_score", reason=INSTALL)
    examples = 0
    names: dict[str, Any] = {}
    exec("from bleu_metric.compat.nltk.translate.bleu_score import *", names)
    for test in doctest.DocTestFinder().find(theirs):
        test.globs = names.copy()
        failed, run = _run(test)
        assert not failed, test.name
        examples += run
    assert examples > 50


def test_examples_of_its_test_file() -> None:
    nltk: Any = pytest.importorskip("nltk", reason=INSTALL)
    path = Path(nltk.__file__).parent / "test" / "bleu.doctest"
    text = path.read_text()
    for module in ("nltk.translate.bleu_score", "nltk.translate"):
        assert f"from {module} import" in text
        text = text.replace(f"from {module} import", "from bleu_metric.compat.nltk import")
    assert "from nltk" not in text
    failed, run = _run(doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0))
    assert (failed, run) == (0, 4)


REFERENCES, HYPOTHESIS = ["let it go".split()], "let go it".split()


def test_warnings_are_found_by_filters_written_for_nltk() -> None:
    with pytest.warns(UserWarning, match=r"\nThe hypothesis contains 0 counts of [234]-gram overlaps") as caught:
        assert compat.sentence_bleu(REFERENCES, HYPOTHESIS) < 1e-200
    assert len(caught) == 3
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="nltk.translate.bleu_score")
        compat.sentence_bleu(REFERENCES, HYPOTHESIS)
