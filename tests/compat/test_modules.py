"""What random calls do not reach: mistakes, names that are passed on, hooks, states, files and logs."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from compat.calls import LIBRARIES

from bleu_metric.compat import nltk, nmt, sacrebleu

TEXTS = ["the cat sat on the mat", "a dog barks", "it rains"]
REFERENCES = [["the cat sat on a mat"], ["the dog barks", "a dog barked"], ["it rained"]]
TOKENS = [text.split() for text in TEXTS]
REFERENCE_TOKENS = [[text.split() for text in texts] for texts in REFERENCES]


# --- what is surely a mistake -----------------------------------------------------------------------------------

# What is called, a word of the warning. The score is the library's own
MISTAKES: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    "fewer references": ("sacrebleu", lambda m: m.corpus_bleu(TEXTS, [TEXTS[:2]]).score, "the first 2"),
    "streams that differ": ("sacrebleu", lambda m: m.corpus_bleu(TEXTS, [TEXTS, TEXTS[:1]]).score, "have 1 to 3 segm"),
    "transposed": (
        "sacrebleu",
        lambda m: m.corpus_bleu(TEXTS, [*map(list, REFERENCES)]).score,
        r"pass list\(zip\(\*ref",
    ),
    "one hypothesis": ("sacrebleu", lambda m: m.corpus_bleu("the cat", [[*"the cut"]]).score, "hypotheses is one"),
    "flat references": ("sacrebleu", lambda m: m.corpus_bleu(["a b", "c"], ["a b", "c"]).score, r"pass \[references\]"),
    "a cache": ("sacrebleu", lambda m: m.BLEU(references=[TEXTS]).corpus_score(TEXTS[:2], None).score, "for 3"),
    "strings": ("nltk", lambda m: m.sentence_bleu(["the cat sat"], "the cat sam"), r"hypothesis\.split\(\)"),
    "no list of references": ("nltk", lambda m: m.sentence_bleu("a cat sat".split(), ["cat", "a"]), r"\[reference\]"),
    "a string of references": ("nltk", lambda m: m.sentence_bleu("a cat sat", ["a", "cat"]), r"\[references\.split"),
    "a flat target": ("torchmetrics", lambda m: float(m.sacre_bleu_score(["a"], ["b a"], 1)), "characters"),
    "one prediction": ("torchmetrics", lambda m: _updated(m.BLEUScore(1), "ab", [["a"], ["b"]]), r"pass \[text\]"),
    "fewer targets": ("torchmetrics", lambda m: _updated(m.BLEUScore(1), TEXTS, REFERENCES[:2]), "the first 2"),
    "fewer references, macro": ("ignite", lambda m: _updated(m.Bleu(2), (TOKENS, REFERENCE_TOKENS[:2])), "the first 2"),
    "strings of words": ("torchtext", lambda m: m.bleu_score(["cat in"], [["cat-in"]], 1, [1.0]), "its characters"),
}


def _updated(metric: Any, *batch: Any) -> float:
    metric.update(*batch)
    return float(metric.compute())


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_has_the_librarys_score_and_a_warning(name: str) -> None:
    library, score, words = MISTAKES[name]
    theirs, ours = LIBRARIES[library].import_both()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = score(theirs)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert score(ours) == pytest.approx(expected, rel=1e-6)
    found = [each for each in caught if each.category is UserWarning and "0 counts" not in str(each.message)]
    assert bool(found) == bool(words)
    assert not words or re.search(words, str(found[-1].message)) or re.search(words, str(found[0].message))
    assert all(each.filename == __file__ for each in found), "it is the caller's line that is wrong"


def test_a_segment_without_a_reference_is_an_error() -> None:
    for hypothesis, error in ((TOKENS[1], KeyError), ([], ValueError)):
        with pytest.raises(error, match="segment 1 has no reference"):
            nltk.corpus_bleu([REFERENCE_TOKENS[0], []], [TOKENS[0], hypothesis])
    with pytest.raises(TypeError, match="'a dog barks' has no reference"):
        sacrebleu.corpus_bleu(TEXTS[:2], [["the cat", None]])
    with pytest.raises(ValueError, match=r"references\[1\]"):
        nmt.compute_bleu([REFERENCE_TOKENS[0], []], TOKENS[:2])


# --- what is not BLEU's -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("library", "home", "names"),
    [
        ("sacrebleu", "sacrebleu.metrics.bleu", "_get_tokenizer MAX_NGRAM_ORDER"),
        ("nltk", "nltk.translate.bleu_score", "ngrams Counter"),
        ("torchmetrics", "torchmetrics.text", "WordErrorRate CharErrorRate"),
        ("ignite", "ignite.metrics", "Rouge Accuracy"),
        ("pycocoevalcap", "pycocoevalcap.bleu.bleu_scorer", "BleuScorer"),
        ("torchtext", "torchtext.data.metrics", "_compute_ngram_counter"),
    ],
)
def test_other_names_are_the_librarys_own(library: str, home: str, names: str) -> None:
    theirs, ours = LIBRARIES[library].import_both()
    for name in names.split():
        assert getattr(ours, name) is getattr(importlib.import_module(home), name)
    # Modules with BLEU become attributes when they are imported
    values = {name: value for name, value in vars(ours).items() if not isinstance(value, ModuleType)}
    passed_on = {name for name in values if not name.startswith("_")} - {*ours.__all__, "Callable", "Sequence"}
    for module in (theirs, sys.modules[library]):
        assert all(getattr(ours, name) is getattr(module, name) for name in passed_on & {*dir(module)})
    with pytest.raises(AttributeError, match=f"no attribute 'spacy', nor is it in {library}"):
        ours.spacy  # noqa: B018


def test_other_submodules_are_the_librarys_own() -> None:
    from bleu_metric.compat.nltk.translate.gleu_score import sentence_gleu
    from bleu_metric.compat.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    from bleu_metric.compat.sacrebleu import significance

    assert sentence_gleu.__module__ == "nltk.translate.gleu_score"
    assert significance is importlib.import_module("sacrebleu.significance")
    assert Tokenizer13a.__module__ == "sacrebleu.tokenizers.tokenizer_13a"
    with pytest.raises(ImportError, match=r"No module named 'bleu_metric.compat.nltk.spacy'"):
        importlib.import_module("bleu_metric.compat.nltk.spacy")


MISSING = """
import sys
sys.modules[{library!r}] = None
try:
    {code}
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("library", "code", "words"),
    [
        ("nltk", "import bleu_metric.compat.nltk", "pip install nltk"),
        ("sacrebleu", "from bleu_metric.compat.sacrebleu.metrics import TER", "pip install sacrebleu"),
        ("pycocoevalcap", "from bleu_metric.compat.pycocoevalcap import Cider", "Cider' needs pycocoevalcap, which"),
        ("pycocoevalcap", "from bleu_metric.compat.pycocoevalcap.bleu.bleu import *; Bleu(); print('ours')", "ours"),
    ],
)
def test_a_library_that_is_not_installed_is_named(library: str, code: str, words: str) -> None:
    code = MISSING.format(library=library, code=code)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert words in ran.stdout


# --- files ------------------------------------------------------------------------------------------------------


def test_codexglues_files(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("the cat sat on the mat\na b c d\n", encoding="utf-8")
    (tmp_path / "output").write_text("the cat is on the mat\na b c\n", encoding="utf-8")
    assert nmt._bleu(tmp_path / "gold", str(tmp_path / "output")) == 48.23  # PEERS: CodeXGLUE ac74a62, run


# --- a metric with a state --------------------------------------------------------------------------------------


def test_counts_beyond_float32() -> None:
    _, torchmetrics = LIBRARIES["torchmetrics"].import_both()
    metric = torchmetrics.BLEUScore(n_gram=1)
    metric.update(["a"], [["a"]])
    for state in (metric.numerator, metric.denominator, metric.preds_len, metric.target_len):
        state += 2**24
    metric.update(["a a a"], [["a b"]])
    assert metric.numerator.tolist() == [2**24 + 2]
    assert metric.denominator.tolist() == [2**24 + 4]
