"""The page for users of other libraries: each block prints the same with the library's own import."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compat.calls import LIBRARIES

from bleu_metric import corpus_bleu

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "coming_from.md").read_text()
BLOCK = re.compile(r"```diff\n-([^\n]*)\n\+([^\n]*)\n```\n\n```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
BLOCKS = [(re.split(r"[ .]", match[1])[1], *match.groups()) for match in BLOCK.finditer(PAGE)]
_NOT_RUN = {"bleu", "="}  # a file that people copy, and evaluate's metrics, which are downloaded
# torchtext is imported beside a torch newer than its native library, which only `_extension` loads
BEFORE = {"torchtext": "import sys, types; sys.modules['torchtext._extension'] = types.ModuleType('_extension')\n"}


def test_every_library_has_a_block() -> None:
    assert len(BLOCKS) == PAGE.count("```diff") == 10


@pytest.mark.parametrize("block", [block for block in BLOCKS if block[0] not in _NOT_RUN], ids=lambda block: block[0])
def test_the_library_prints_the_same(block: tuple[str, ...], tmp_path: Path) -> None:
    """`test_documents.py` runs the blocks as they stand."""
    library, before, after, code, output = block
    assert code.startswith(f"{after}\n")
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed: pip install '.[test-all]'")
    code = BEFORE.get(library, "") + code.replace(after, before, 1)
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, output), ran.stderr


# --- recipes ------------------------------------------------------------------------------------------------------


def _defined(name: str) -> Any:
    """A function of the page's blocks."""
    code = next(code for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if f"def {name}(" in code)
    names: dict[str, Any] = {}
    exec(code, names)
    return names[name]


# pred, label -> bleu-4: the formula of LLaMA-Factory ff6d4d12, src/llamafactory/train/sft/metric.py, with NLTK 3.10.4
LLAMA_FACTORY = {
    ("今天天气很好", "今天天气真好"): 53.7285,
    ("abc", "abc"): 84.0896,
    ("a", "a"): 35.3553,
    ("ab", "ab"): 59.4604,
    ("the cat is on the mat", "the cat sat on the mat"): 78.5921,
    ("the cat sat", "the cat sat"): 100.0,
    ("", "abc"): 0.0,
    ("abc", ""): 0.0,
    ("", ""): 0.0,
    ("xyz", "abc"): 0.0,
}


def test_llama_factory() -> None:
    bleu_4 = _defined("bleu_4")
    for (prediction, label), expected in LLAMA_FACTORY.items():
        assert bleu_4([prediction], [label]) == expected, prediction
    predictions, labels = zip(*LLAMA_FACTORY, strict=True)
    assert bleu_4(predictions, labels) == pytest.approx(sum(LLAMA_FACTORY.values()) / len(LLAMA_FACTORY), rel=1e-14)


def test_llama_factory_on_random_texts() -> None:
    theirs: Any = pytest.importorskip("nltk.translate.bleu_score", reason="pip install '.[test]'")
    rng = np.random.default_rng(5)
    texts = ["".join(rng.choice(list("ab 今天"), int(rng.integers(0, 15)))) for _ in range(600)]
    smoothing = theirs.SmoothingFunction().method3
    bleu_4 = _defined("bleu_4")
    for prediction, label in zip(texts[::2], texts[1::2], strict=True):
        expected = theirs.sentence_bleu([list(label)], list(prediction), smoothing_function=smoothing)
        assert bleu_4([prediction], [label]) == round(expected * 100, 4), (prediction, label)


# keras-hub 0.32.0, Bleu(dtype="float64"), run with tensorflow 2.21.0
KERAS_HUB: list[tuple[list[list[str]], list[str], dict[str, Any], float]] = [
    ([["the cat sat on the mat", "there is a cat on the mat"]], ["the cat is on the mat"], {}, 0.0),
    (
        [["the cat sat on the mat", "there is a cat on the mat"]],
        ["the cat is on the mat"],
        {"smoothing": "add-one"},
        0.5081327481546147,
    ),
    ([["a b c d e f g h"]], ["a b c d e"], {}, 0.5488116360940264),
    ([["a b c"]], ["a b c"], {"smoothing": "add-one"}, 1.0),
]


def test_keras_hub() -> None:
    for references, predictions, options, expected in KERAS_HUB:
        score = corpus_bleu(predictions, references, "keras-hub", **options)
        assert score.bleu == pytest.approx(expected, rel=1e-12)


# --- the table ----------------------------------------------------------------------------------------------------

ROWS = {
    row[0].strip("` "): (re.findall(r"`(\w+)`", row[1]), re.findall(r"`(\w+)`", row[2]))
    for row in re.findall(r"^\|([^|]+)\|([^|]+)\|([^|]+)\|$", PAGE.split("| module | has |")[1], re.MULTILINE)[1:]
}
# Where a library keeps its BLEU
HOMES = {
    "nltk": ["nltk.translate.bleu_score"],
    "sacrebleu": ["sacrebleu", "sacrebleu.metrics.bleu"],
    "torchtext": ["torchtext.data.metrics"],
    "torchmetrics": ["torchmetrics.text", "torchmetrics.functional.text"],
    "ignite": ["ignite.metrics.nlp"],
    "bleuscore": ["bleuscore"],
    "pycocoevalcap": ["pycocoevalcap.bleu.bleu", "pycocoevalcap.bleu.bleu_scorer"],
}


def _public_names(module: Any) -> set[str]:
    """What a module lists as its own, or defines."""
    listed = getattr(module, "__all__", None)
    if listed is None:
        listed = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    return {name for name in listed if not name.startswith("_")}


def test_the_table_has_every_module() -> None:
    assert [*ROWS] == [*[*HOMES][:6], "nmt", "pycocoevalcap"]


@pytest.mark.parametrize("name", HOMES)
def test_the_table_names_all_of_a_library(name: str) -> None:
    library = LIBRARIES[name]
    try:
        library.import_theirs()
        ours = library.import_ours()
    except ImportError as error:
        pytest.skip(f"{name} is not installed ({error}): {library.install}")
    has, left_out = map(set, ROWS[name])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it or torch deprecates
        names = set().union(*(_public_names(importlib.import_module(home)) for home in HOMES[name]))
    if name == "torchmetrics":
        names = {each for each in names if "bleu" in each.lower()}
    assert names <= has | left_out
    assert all(hasattr(ours, each) for each in has)
    assert set(ours.__all__) <= has
