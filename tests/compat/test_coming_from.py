"""The pages for users of other libraries: each block prints the same with the library's own import."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from compat.calls import LIBRARIES

import bleu_metric.compat
from bleu_metric import corpus_bleu, sentence_bleu

PAGES = {
    page.stem: page.read_text() for page in sorted((Path(__file__).parents[2] / "docs" / "migration").glob("*.md"))
}
PAGE = "\n".join(PAGES.values())
BLOCK = re.compile(r"```diff\n-([^\n]*)\n\+([^\n]*)\n```\n\n```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
BLOCKS = [(re.split(r"[ .]", match[1])[1], *match.groups()) for match in BLOCK.finditer(PAGE)]
_NOT_RUN = {"bleu", "smooth_bleu", "evaluate"}  # files that people copy, and evaluate's metrics, which are downloaded
# torchtext is imported beside a torch newer than its native library, which only `_extension` loads
BEFORE = {"torchtext": "import sys, types; sys.modules['torchtext._extension'] = types.ModuleType('_extension')\n"}


@pytest.mark.heavy
@pytest.mark.parametrize("block", [block for block in BLOCKS if block[0] not in _NOT_RUN], ids=lambda block: block[0])
def test_the_library_prints_the_same(block: tuple[str, ...], tmp_path: Path) -> None:
    """`test_documents.py` runs the blocks as they stand."""
    library, before, after, code, output = block
    assert code.startswith(f"{after}\n")
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed: pip install --group test-all")
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
TENSOR2TENSOR = [0.6667112112045288, 0.31239399313926697, 0.079867884516716, 1.0, 0.6065306663513184]
# The code itself, run on CORPORA: tensor2tensor bafdc1b6, CodeXGLUE ac74a628 with NLTK 3.10.4, fairseq 3d262bb2 with
# its libbleu.cpp, allennlp 80fb6061, sacrebleu 1.4.14 and 1.5.1, NLTK 3.10.4 as HELM and DeepEval call it. Restated, as
# they stand in large packages: paddlenlp/metrics/bleu.py of 16ee7682, and tensorflow/nmt's formula of `datasets`.
RECORDED: dict[str, list[Any]] = {
    "tensor2tensor `bleu_hook.compute_bleu`": TENSOR2TENSOR,
    "`t2t-bleu`, BLEU_uncased": TENSOR2TENSOR,
    "CodeBLEU `bleu.py`": [0.6667112305445209, 0.13970684113160195, 0, 0.1778279410038923, 0.19180183554164504],
    "fairseq `Scorer`, `fairseq-score`": [66.67112305445208, 0.0, 0.0, 0.0, 0.0],
    "`fairseq-score --sentence-bleu`": [
        [83.6572897136744, 54.085366098934806, 66.33400689531749],
        [45.18010018049224, 68.65890479690393],
        *([0.0], [100.0], [60.653065971263345]),
    ],
    "sacrebleu 1.4 and 1.5 `corpus_bleu`": [66.6711230544521, 31.239399369202566, 7.986788803078408, 0.0, 0.0],
    "sacrebleu 1.5 `sentence_bleu`": [
        [80.91067115702207, 45.48019047027906, 61.29752413741059],
        [31.947155212313625, 55.03212081491043],
        *([7.986788803078408], [100.00000000000004], [60.653065971263366]),
    ],
    "sacrebleu 1.4 `sentence_bleu`": [
        [80.91067115702207, 45.48019047027906, 61.29752413741059],
        *([0.0, 0.0], [0.0], [100.00000000000004], [60.653065971263366]),
    ],
    # Its corpora have one segment each, and it adds 1e-13 to matches and totals
    "allennlp `BLEU`": [0.8091067115702251, 1.6990442448470946e-07, 4.518010018048979e-14, 1.0, 0.6065306597126334],
    "PaddleNLP `BLEU`": [
        *(0.6667112305445209, 1.031401363887017e-154, 2.2250738585072626e-308, 1.821831989445342e-231),
        9.047424648113057e-155,
    ],
    "HELM `bleu_4`, DeepEval `bleu4`": [
        [0.75, 0.28216057496353797, 0.43343894987509085],
        [2.2250738585072626e-308, 2.2250738585072626e-308],
        *([0.0], [2.2250738585072626e-308], [1.3495755153097447e-308]),
    ],
    '`datasets.load_metric("bleu")`': [0.6667112305445209, 0.0, 0.0, 0.0, 0.0],
}
TOLERANCES = {"tensor2tensor `bleu_hook.compute_bleu`": (1e-7, 0), "`t2t-bleu`, BLEU_uncased": (1e-7, 0)}
TOLERANCES |= {"allennlp `BLEU`": (0, 5e-4)}


@pytest.mark.filterwarnings("ignore")  # a score of 0
@pytest.mark.parametrize("code", OTHER_CODE)
def test_numbers_of_other_code(code: str) -> None:
    relative, absolute = TOLERANCES.get(code, (1e-12, 0))
    for (predictions, references), expected in zip(CORPORA.values(), RECORDED[code], strict=True):
        n_rows = 1 if code == "allennlp `BLEU`" else len(predictions)
        names = {"predictions": predictions[:n_rows], "references": references[:n_rows]}
        number = eval(OTHER_CODE[code], {**names, "corpus_bleu": corpus_bleu, "sentence_bleu": sentence_bleu})
        number = number.tolist() if hasattr(number, "tolist") else number
        assert number == pytest.approx(expected, rel=relative, abs=absolute), predictions


# --- imports -------------------------------------------------------------------------------------------------------

SHOWN = re.findall(r"^ *\| `((?:from|import) [^`]+)` \| `([^`]+)` \|$", PAGE, re.MULTILINE)
STATEMENTS = [
    *(after for _before, after in SHOWN),
    "from bleu_metric.compat.nltk.translate.bleu_score import sentence_bleu",
    "from bleu_metric.compat.sacrebleu.metrics.bleu import BLEU",
    "from bleu_metric.compat.pycocoevalcap.bleu.bleu import Bleu",
    "from bleu_metric.compat.torchtext.data.metrics import bleu_score",
    "from bleu_metric.compat.ignite.metrics.nlp import Bleu",
    "from bleu_metric.compat import evaluate",
]
ATTRIBUTES = """
    nltk.translate.bleu_score.corpus_bleu nltk.translate.corpus_bleu nltk.bleu_score.sentence_bleu
    sacrebleu.metrics.BLEU sacrebleu.metrics.bleu.BLEU sacrebleu.metrics.METRICS['BLEU'] sacrebleu.compat.corpus_bleu
    torchmetrics.functional.bleu_score torchmetrics.functional.text.bleu_score torchmetrics.text.BLEUScore
    ignite.metrics.Bleu ignite.metrics.nlp.Bleu pycocoevalcap.bleu.bleu.Bleu torchtext.data.metrics.bleu_score
    evaluate.loading.load
""".split()
# A statement, and an expression that is a function or a class; of a module, one of its functions
WAYS = [(f"from bleu_metric.compat import {name.split('.')[0]}", name) for name in ATTRIBUTES]
for _statement in STATEMENTS:
    _name = _statement.split()[-1]
    WAYS.append((_statement, f"getattr({_name}, 'corpus_bleu', getattr({_name}, 'load', {_name}))"))


def _forget_our_modules() -> None:
    for name in [name for name in sys.modules if name.startswith("bleu_metric.compat.")]:
        vars(bleu_metric.compat).pop(name.split(".")[2], None)
        del sys.modules[name]


@pytest.mark.filterwarnings("ignore")  # what libraries deprecate
def test_every_style_of_import_brings_our_bleu() -> None:
    assert len(SHOWN) == 4
    modules, attributes = dict(sys.modules), dict(vars(bleu_metric.compat))
    for statement, expression in WAYS:
        if all(map(find_spec, re.findall("torchmetrics|ignite", statement + expression))):  # which ours build on
            _forget_our_modules()  # an import of a submodule changes its package
            names: dict[str, Any] = {}
            exec(statement, names)
            assert eval(expression, names).__module__.startswith("bleu_metric."), (statement, expression)
    _forget_our_modules()
    sys.modules.update(modules)
    vars(bleu_metric.compat).update(attributes)


@pytest.mark.parametrize(
    "module",
    ["nltk.translate", "nltk.translate.bleu_score", "sacrebleu.metrics", "torchmetrics.text", "ignite.metrics"],
)
def test_a_star_import_brings_the_names_that_the_librarys_brings(module: str) -> None:
    LIBRARIES[module.split(".")[0]].import_both()
    theirs: dict[str, Any] = {}
    names: dict[str, Any] = {}
    exec(f"from {module} import *", theirs)
    exec(f"from bleu_metric.compat.{module} import *", names)
    assert names.keys() == theirs.keys()
