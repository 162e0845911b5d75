"""The metric in its host: loaded, staged, scored and combined by the installed evaluate."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import datasets
import evaluate
import pytest

import bleu_metric
from bleu_metric import DIALECTS, corpus_bleu, sentence_bleu

FOLDER = Path(bleu_metric.__file__).parent
pytestmark = pytest.mark.usefixtures("own_cache")
PREDICTIONS = ["the cat sat on the mat .", "a dog", "hello there , general"]
REFERENCES = [["the cat sat on a mat .", "a cat was on the mat ."], ["the dog"], ["hello there , general", "hi"]]
LOADED_OFFLINE = """
import evaluate, sys
bleu = evaluate.load(sys.argv[1], *sys.argv[2:])
print(bleu.compute(predictions=["the cat sat on the mat"], references=[["the cat sat on a mat"]])["bleu"])
assert "bleu_metric" not in sys.modules or not sys.modules["bleu_metric"].__file__.startswith(sys.argv[1])
"""


@pytest.mark.parametrize("dialect", [[], ["nltk"]])
def test_loads_from_a_bare_copy_offline(dialect: list[str], tmp_path: Path) -> None:
    """A copy of the folder, an empty cache, no network, and the package itself hidden."""
    copy = tmp_path / "copy" / "bleu_metric"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    offline = {"HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "bleu_metric.py").write_text("raise ImportError('hidden')")
    environment = {**os.environ, **offline, "PYTHONPATH": str(tmp_path / "hidden")}
    command = [sys.executable, "-c", LOADED_OFFLINE, str(copy), *dialect]
    printed = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert printed.returncode == 0, printed.stderr
    expected = corpus_bleu(["the cat sat on the mat"], [["the cat sat on a mat"]], *dialect).bleu
    assert float(printed.stdout) == expected


def _relative_imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    return {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level and node.module}


def test_main_lists_every_module_it_needs() -> None:
    """Evaluate copies what it sees imported in main, and does not look into the modules it copies."""
    main = FOLDER / "bleu_metric.py"
    seen = {name for kind, name, *_ in evaluate.loading.get_imports(str(main)) if kind == "internal"}
    closure = todo = _relative_imports(main)
    while todo:
        todo = set().union(*(_relative_imports(FOLDER / f"{name}.py") for name in todo)) - closure
        closure = closure | todo
    assert seen == closure


@pytest.mark.parametrize("dialect", DIALECTS)
def test_config_name_is_the_dialect(dialect: str) -> None:
    metric = evaluate.load(str(FOLDER), dialect)
    result = metric.compute(predictions=PREDICTIONS, references=REFERENCES)
    assert result == corpus_bleu(PREDICTIONS, REFERENCES, dialect).to_dict()


def test_unknown_dialect() -> None:
    with pytest.raises(ValueError, match=r"unknown dialect 'nlkt' \(did you mean 'nltk'\?\)"):
        evaluate.load(str(FOLDER), "nlkt")


def test_options(metric: Any) -> None:
    options = {"tokenizer": str.split, "smoothing": "floor", "smoothing_value": 0.5, "weights": [[0.5, 0.5], [1.0]]}
    result = metric.compute(predictions=PREDICTIONS, references=REFERENCES, **options)
    assert result == corpus_bleu(PREDICTIONS, REFERENCES, **options).to_dict()


def test_keys_of_evaluates_own_bleu(metric: Any) -> None:
    result = metric.compute(predictions=PREDICTIONS, references=REFERENCES)
    own = {"bleu", "precisions", "brevity_penalty", "length_ratio", "translation_length", "reference_length"}
    assert own < set(result)
    assert type(result["bleu"]) is float
    assert {type(precision) for precision in result["precisions"]} == {float}


def test_sentence_scores(metric: Any) -> None:
    result = metric.compute(predictions=PREDICTIONS, references=REFERENCES, smoothing="exp", sentence_scores=True)
    assert result["sentence_bleu"] == sentence_bleu(PREDICTIONS, REFERENCES, smoothing="exp").tolist()
    assert result["bleu"] == corpus_bleu(PREDICTIONS, REFERENCES, smoothing="exp").bleu


TOKENS = [text.split() for text in PREDICTIONS]
IDS = [[len(token) for token in tokens] for tokens in TOKENS]


@pytest.mark.parametrize(
    ("predictions", "references"),
    [
        (PREDICTIONS, REFERENCES),
        (PREDICTIONS, PREDICTIONS[::-1]),
        (PREDICTIONS, [[None, *refs] for refs in REFERENCES]),
        (TOKENS, [[ref.split() for ref in refs] for refs in REFERENCES]),
        (TOKENS, TOKENS[::-1]),
        (IDS, IDS[::-1]),
        (IDS, [[ids, [1, 2]] for ids in IDS]),
    ],
)
@pytest.mark.parametrize("in_memory", [False, True])
def test_every_form_of_input(predictions: Any, references: Any, in_memory: bool) -> None:
    metric = evaluate.load(str(FOLDER), keep_in_memory=in_memory)
    expected = corpus_bleu(predictions, references).to_dict()
    for _ in range(2):
        assert metric.compute(predictions=predictions, references=references) == expected
    metric.add_batch(predictions=predictions[:1], references=references[:1])
    for prediction, reference in zip(predictions[1:], references[1:], strict=True):
        metric.add(prediction=prediction, reference=reference)
    assert metric.compute() == expected
    metric.add_batch(predictions=predictions[:2], references=references[:2])
    assert metric.compute(predictions=predictions[2:], references=references[2:]) == expected


def test_features_describe_the_input(metric: Any) -> None:
    assert len(metric.features) == 6
    assert all(set(features) == {"predictions", "references"} for features in metric.features)
    assert "Papineni" in metric.citation
    assert "predictions" in metric.compute.__doc__


def test_datasets_columns(metric: Any) -> None:
    data = datasets.Dataset.from_dict({"p": PREDICTIONS, "r": REFERENCES})
    expected = corpus_bleu(PREDICTIONS, REFERENCES).to_dict()
    assert metric.compute(predictions=data["p"], references=data["r"]) == expected
    picked = data.select([2, 0])
    expected = corpus_bleu([PREDICTIONS[2], PREDICTIONS[0]], [REFERENCES[2], REFERENCES[0]]).to_dict()
    assert metric.compute(predictions=picked["p"], references=picked["r"]) == expected


BAD_CALLS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"predictions": ["a", 1], "references": ["a", "b"]}, TypeError, r"predictions\[1\] holds 1 \(int\)"),
    ({"predictions": ["a"], "references": ["a", "b"]}, ValueError, r"1 predictions but 2 references"),
    ({"predictions": "a", "references": ["a"]}, TypeError, r"predictions must be a list"),
    ({"predictions": ["a"]}, TypeError, r"references must be a list.* got NoneType"),
    ({"predictions": ["a"], "references": ["a"], "smooth": True}, TypeError, r"unknown option 'smooth'"),
    ({"predictions": ["a"], "references": ["a"], "smoothing": "x"}, ValueError, r"unknown smoothing 'x'"),
    ({"predictions": ["a"], "references": ["a"], "tokenizer": lambda _: 1 / 0}, ZeroDivisionError, "division by zero"),
    ({}, ValueError, r"there is nothing to score: pass predictions and references"),
]


@pytest.mark.parametrize(("arguments", "error", "text"), BAD_CALLS)
@pytest.mark.parametrize("in_memory", [False, True])
def test_a_metric_that_raised_scores_again_at_once(
    arguments: dict[str, Any], error: type[Exception], text: str, in_memory: bool
) -> None:
    metric = evaluate.load(str(FOLDER), keep_in_memory=in_memory)
    expected = corpus_bleu(PREDICTIONS, REFERENCES).to_dict()
    for one in (metric, evaluate.load(str(FOLDER), keep_in_memory=in_memory)):
        with pytest.raises(error, match=text):
            metric.compute(**arguments)
        started = time.perf_counter()
        assert one.compute(predictions=PREDICTIONS, references=REFERENCES) == expected
        assert time.perf_counter() - started < 0.5  # a kept lock costs a second


def test_a_metric_that_raised_leaves_no_file(metric: Any, tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        metric.compute(predictions=["a"], references=["a"], tokenizer=lambda _: 1 / 0)
    assert not list((tmp_path / "metrics").rglob("*.arrow"))


def test_a_bad_batch_leaves_the_good_ones(metric: Any) -> None:
    metric.add_batch(predictions=PREDICTIONS[:2], references=REFERENCES[:2])
    with pytest.raises(TypeError, match=r"predictions\[1\] holds 3"):
        metric.add_batch(predictions=["a", 3], references=["a", "b"])
    with pytest.raises(TypeError, match=r"rows of string and rows of list<.*string> were staged: one"):
        metric.add_batch(predictions=[["a"]], references=[["a"]])
    with pytest.raises(TypeError, match=r"unknown input 'prediction' \(did you mean 'predictions'\?\)"):
        metric.add_batch(prediction=["a"], references=["a"])
    metric.add_batch(predictions=PREDICTIONS[2:], references=REFERENCES[2:])
    assert metric.compute() == corpus_bleu(PREDICTIONS, REFERENCES).to_dict()


def test_a_batch_of_empty_lists_goes_with_any_tokens(metric: Any) -> None:
    """Its rows show no kind, and are not taken for tokens that are strings."""
    predictions, references = [*IDS, [], []], [*([ids] for ids in IDS[::-1]), [[], []], [[]]]
    metric.add_batch(predictions=predictions[:3], references=references[:3])
    metric.add_batch(predictions=predictions[3:], references=references[3:])
    assert metric.compute() == corpus_bleu(predictions, references).to_dict()
    metric.add_batch(predictions=IDS, references=IDS)
    with pytest.raises(TypeError, match=r"rows of list<.*int64> and rows of list<.*string> were staged: one"):
        metric.add_batch(predictions=[[]], references=[[["5"]]])
    assert metric.compute() == corpus_bleu(IDS, IDS).to_dict()
    metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(TypeError, match=r"rows of string and rows of list<.*string> were staged: one"):
        metric.add_batch(predictions=[[]], references=[[[]]])
    assert metric.compute() == corpus_bleu(PREDICTIONS, REFERENCES).to_dict()


def test_the_first_batches_are_empty_lists(metric: Any) -> None:
    """They are kept until a batch shows of which kind the tokens are."""
    predictions, references = [[], [], *IDS], [[[]], [[], []], *([ids] for ids in IDS[::-1])]
    for prediction, of_one in zip(predictions, references, strict=True):
        metric.add(prediction=prediction, reference=of_one)
    assert metric.compute() == corpus_bleu(predictions, references).to_dict()
    metric.add_batch(predictions=predictions[:2], references=references[:2])
    assert len(metric) == 2
    with pytest.raises(TypeError, match=r"rows of string and rows of list<.*string> were staged: one score is made of"):
        metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    metric.add(prediction=["a"], reference=["a"])
    assert metric.compute()["translation_length"] == 1
    metric.add_batch(predictions=predictions[:2], references=references[:2])
    assert metric.compute() == corpus_bleu(predictions[:2], references[:2]).to_dict()
    with pytest.raises(ValueError, match=r"there is nothing to score"):
        metric.compute()


def test_documented_example() -> None:
    import doctest

    example = doctest.DocTestParser().get_doctest(
        evaluate.load(str(FOLDER)).inputs_description, {}, "inputs_description", None, None
    )
    os_folder = Path.cwd()
    try:
        os.chdir(FOLDER.parent)  # the example loads "bleu_metric" from the current folder
        assert doctest.DocTestRunner().run(example) == doctest.TestResults(failed=0, attempted=6)
    finally:
        os.chdir(os_folder)
