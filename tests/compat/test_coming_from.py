"""The pages for users of other libraries: each block prints the same with the library's own import."""

from __future__ import annotations

import importlib
import json
import math
import re
import subprocess
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from compat.calls import LIBRARIES
from oracle import add_up, count_rows

from bleu_metric import BleuConfig, corpus_bleu, sentence_bleu
from bleu_metric.compat import nmt

PAGES = {
    page.stem: page.read_text() for page in sorted((Path(__file__).parents[2] / "docs" / "migration").glob("*.md"))
}
PAGE = "\n".join(PAGES.values())
BLOCK = re.compile(r"```diff\n-([^\n]*)\n\+([^\n]*)\n```\n\n```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
BLOCKS = [(re.split(r"[ .]", match[1])[1], *match.groups()) for match in BLOCK.finditer(PAGE)]
_NOT_RUN = {"bleu", "smooth_bleu", "evaluate"}  # files that people copy, and evaluate's metrics, which are downloaded
# torchtext is imported beside a torch newer than its native library, which only `_extension` loads
BEFORE = {"torchtext": "import sys, types; sys.modules['torchtext._extension'] = types.ModuleType('_extension')\n"}


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


# --- numbers of other code ----------------------------------------------------------------------------------------

OTHER_CODE = {
    row[0].strip(): re.findall(r"`([^`]+)`", row[1])[0]
    for row in re.findall(
        r"^\|([^|]+)\|([^|]+)\|[^|]+\|$", PAGE.split("| code | call | differences |")[1], re.MULTILINE
    )[1:]
    if "_bleu(predictions" in row[1]
}
CORPORA = {
    "matches": (
        ["the cat sat on the mat today", "a dog barks at me loudly", "it is 3.5 km to town ."],
        ["the cat sat on the mat", "the dog barks at me very loudly", "it is 3.5 km to the town ."],
    ),
    "no 4-gram": (["the cat sat here", "a b c"], ["the cat is there", "a b d"]),
    "no match": (["x y z w"], ["a b c d"]),
    "one word": (["hello"], ["hello"]),
    "short": (["a b"], ["a b c"]),
}
TENSOR2TENSOR = (1e-7, [0.6667112112045288, 0.31239399313926697, 0.079867884516716, 1.0, 0.6065306663513184])
# The code itself, run on CORPORA: tensor2tensor bafdc1b6, CodeXGLUE ac74a628 with NLTK 3.10.4, fairseq 3d262bb2 with
# its libbleu.cpp, allennlp 80fb6061, sacrebleu 1.4.14 and 1.5.1
RECORDED: dict[str, tuple[float, list[Any]]] = {
    "tensor2tensor `bleu_hook.compute_bleu`": TENSOR2TENSOR,
    "`t2t-bleu`, BLEU_uncased": TENSOR2TENSOR,
    "CodeBLEU `bleu.py`": (
        *(1e-12, [0.6667112305445209, 0.13970684113160195, 0, 0.1778279410038923, 0.19180183554164504]),
    ),
    "fairseq `Scorer`, `fairseq-score`": (1e-12, [66.67112305445208, 0.0, 0.0, 0.0, 0.0]),
    "`fairseq-score --sentence-bleu`": (
        1e-12,
        [
            [83.6572897136744, 54.085366098934806, 66.33400689531749],
            [45.18010018049224, 68.65890479690393],
            *([0.0], [100.0], [60.653065971263345]),
        ],
    ),
    "sacrebleu 1.4 and 1.5 `corpus_bleu`": (
        *(1e-12, [66.6711230544521, 31.239399369202566, 7.986788803078408, 0.0, 0.0]),
    ),
    "sacrebleu 1.5 `sentence_bleu`": (
        1e-12,
        [
            [80.91067115702207, 45.48019047027906, 61.29752413741059],
            [31.947155212313625, 55.03212081491043],
            *([7.986788803078408], [100.00000000000004], [60.653065971263366]),
        ],
    ),
    "sacrebleu 1.4 `sentence_bleu`": (
        1e-12,
        [
            [80.91067115702207, 45.48019047027906, 61.29752413741059],
            *([0.0, 0.0], [0.0], [100.00000000000004], [60.653065971263366]),
        ],
    ),
}
# allennlp adds 1e-13 to matches and totals; a corpus of one segment each
ALLENNLP = {
    "matches": [0.8091067115702251, 0.4548019047028029, 0.612975241374112],
    "no 4-gram": [1.6990442448470946e-07, 0.0004272870063962305],
    "no match": [4.518010018048979e-14],
    "one word": [1.0],
    "short": [0.6065306597126334],
}


def _number_of(code: str, predictions: Any, references: Any) -> Any:
    names = {"predictions": predictions, "references": references, "corpus_bleu": corpus_bleu}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a score of 0
        number = eval(OTHER_CODE[code], {**names, "sentence_bleu": sentence_bleu})
    return number.tolist() if hasattr(number, "tolist") else number


@pytest.mark.parametrize("code", RECORDED)
def test_numbers_of_other_code(code: str) -> None:
    tolerance, recorded = RECORDED[code]
    for corpus, expected in zip(CORPORA.values(), recorded, strict=True):
        assert _number_of(code, *corpus) == pytest.approx(expected, rel=tolerance, abs=0), corpus


def test_the_number_of_allennlp() -> None:
    for name, recorded in ALLENNLP.items():
        for prediction, reference, expected in zip(*CORPORA[name], recorded, strict=True):
            assert _number_of("allennlp `BLEU`", [prediction], [reference]) == pytest.approx(expected, abs=5e-4)


def _paddlenlp(predictions: list[list[str]], references: list[list[str]]) -> float:
    """The formula of PaddleNLP's BLEU, restated: paddlenlp/metrics/bleu.py of 16ee7682."""
    counts = add_up(count_rows(predictions, [[reference] for reference in references], BleuConfig(tokenizer="none")))
    tiny = sys.float_info.min
    precisions = [m / total if m else tiny for m, total in zip(counts.matches, counts.totals, strict=True)]
    return math.exp(min(1 - counts.reference_length / counts.length, 0)) * math.exp(
        math.fsum(math.log(p) / 4 for p in precisions)
    )


def test_the_numbers_of_paddlenlp_nltk_and_load_metric() -> None:
    theirs, _ = LIBRARIES["nltk"].import_both()
    for predictions, references in CORPORA.values():
        words, others = ([text.split() for text in texts] for texts in (predictions, references))
        expected = _paddlenlp(words, others)
        assert _number_of("PaddleNLP `BLEU`", predictions, references) == pytest.approx(expected, rel=1e-12, abs=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # orders without a match
            bleu_4 = [theirs.sentence_bleu([o], w, (0, 0, 0, 1)) for w, o in zip(words, others, strict=True)]
        assert _number_of("HELM `bleu_4`, DeepEval `bleu4`", predictions, references) == pytest.approx(
            bleu_4, rel=1e-12
        )
        expected = nmt.compute_bleu([[other] for other in others], words)[0]
        assert _number_of('`datasets.load_metric("bleu")`', predictions, references) == pytest.approx(expected)


SHOWN = re.findall(r"^ *\| `((?:from|import) [^`]+)` \| `([^`]+)` \|$", PAGE, re.MULTILINE)
STYLES = [
    *(after for _before, after in SHOWN),
    "from bleu_metric.compat.nltk.translate.bleu_score import sentence_bleu",
    "from bleu_metric.compat.sacrebleu.metrics.bleu import BLEU",
    "from bleu_metric.compat.pycocoevalcap.bleu.bleu import Bleu",
    "from bleu_metric.compat.torchtext.data.metrics import bleu_score",
    "from bleu_metric.compat.ignite.metrics.nlp import Bleu",
    "from bleu_metric.compat import evaluate",
]


ATTRIBUTES = [
    "nltk.translate.bleu_score.corpus_bleu",
    "nltk.translate.corpus_bleu",
    "nltk.bleu_score.sentence_bleu",
    "sacrebleu.metrics.BLEU",
    "sacrebleu.metrics.bleu.BLEU",
    "sacrebleu.metrics.METRICS['BLEU']",
    "sacrebleu.compat.corpus_bleu",
    "torchmetrics.functional.bleu_score",
    "torchmetrics.functional.text.bleu_score",
    "torchmetrics.text.BLEUScore",
    "ignite.metrics.Bleu",
    "ignite.metrics.nlp.Bleu",
    "pycocoevalcap.bleu.bleu.Bleu",
    "torchtext.data.metrics.bleu_score",
    "evaluate.loading.load",
]
WHERE = """
import json, sys
import bleu_metric.compat
found = {}
for statement, expression in json.loads(sys.argv[1]):
    # An import of a submodule changes its package, so each statement begins without our modules
    for module in [module for module in sys.modules if module.startswith("bleu_metric.compat.")]:
        vars(bleu_metric.compat).pop(module.split(".")[2], None)
        del sys.modules[module]
    names = {}
    try:
        exec(statement, names)
        found[statement + expression] = eval(expression, names).__module__
    except ImportError as error:
        found[statement + expression] = str(error)
print(json.dumps(found))
"""


# Name -> a statement, and an expression that is a function or a class; of a module, one of its functions
WAYS = {f"{name} of a library": (f"from bleu_metric.compat import {name.split('.')[0]}", name) for name in ATTRIBUTES}
for _statement in STYLES:
    _name = _statement.split()[-1]
    WAYS[_statement] = (_statement, f"getattr({_name}, 'corpus_bleu', getattr({_name}, 'load', {_name}))")


@pytest.fixture(scope="module")
def modules_of_bleu() -> dict[str, str]:
    """For each way to import BLEU, the module in which it is defined, found by a new process."""
    command = [sys.executable, "-c", WHERE, json.dumps([*WAYS.values()])]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    return {way: found["".join(parts)] for way, parts in WAYS.items()}


@pytest.mark.parametrize("way", WAYS)
def test_every_style_of_import_brings_our_bleu(way: str, modules_of_bleu: dict[str, str]) -> None:
    assert len(SHOWN) == 4
    module = modules_of_bleu[way]
    if "cannot be imported" in module and re.search(r"torchmetrics|ignite", way):
        pytest.skip("needs a library: pip install '.[test-all]'")
    assert module.startswith("bleu_metric.")


@pytest.mark.parametrize(
    "module",
    ["nltk.translate", "nltk.translate.bleu_score", "sacrebleu.metrics", "torchmetrics.text", "ignite.metrics"],
)
def test_a_star_import_brings_the_names_that_the_librarys_brings(module: str) -> None:
    module_of(module.split(".")[0])
    theirs: dict[str, Any] = {}
    names: dict[str, Any] = {}
    exec(f"from {module} import *", theirs)
    exec(f"from bleu_metric.compat.{module} import *", names)
    assert names.keys() == theirs.keys()


def module_of(library: str) -> Any:
    """Import our module, or skip the test if the module builds on a library that is not installed."""
    if library in ("torchmetrics", "ignite"):
        pytest.importorskip(library, reason="pip install '.[test-all]'")
    return importlib.import_module(f"bleu_metric.compat.{library}")


# --- what each module has --------------------------------------------------------------------------------------------
