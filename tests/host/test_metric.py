"""The metric as evaluate loads it: dialects, arguments of evaluate's own metrics, and its result."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import evaluate
import pytest
from corpora import PREDICTIONS, REFERENCES, corpus_of_two_references

import bleu_metric
from bleu_metric import DIALECTS, bootstrap, corpus_bleu, corpus_statistics

pytestmark = pytest.mark.usefixtures("own_cache")


LOADED_OFFLINE = """
import json, socket, sys
def reject(*_): raise AssertionError("the network was asked for")
socket.socket.connect = reject
sys.modules["transformers"] = None  # evaluate would import it, which takes seconds
import evaluate
folder, *dialects = sys.argv[1:]
scores = {}
for dialect in dialects:
    bleu = evaluate.load(folder, dialect)
    scores[dialect] = bleu.compute(predictions=["the cat sat on the mat"], references=[["the cat sat on a mat"]])["bleu"]
no_dialect = evaluate.load(folder)
assert no_dialect.compute(predictions=["a b c d"], references=["a b c d"])["bleu"] == 1
assert "bleu_metric" not in sys.modules or not sys.modules["bleu_metric"].__file__.startswith(folder)
print(json.dumps(scores))
"""


def test_loads_from_a_bare_copy_offline(tmp_path: Path) -> None:
    """A copy of the folder, an empty cache, no network, and the package itself hidden."""
    copy = tmp_path / "copy" / "bleu_metric"
    shutil.copytree(bleu_metric.PATH, copy, ignore=shutil.ignore_patterns("__pycache__"))
    offline = {"HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "bleu_metric.py").write_text("raise ImportError('hidden')")
    environment = {**os.environ, **offline, "PYTHONPATH": str(tmp_path / "hidden")}
    dialects = ("sacrebleu", "nltk", "evaluate")
    command = [sys.executable, "-c", LOADED_OFFLINE, str(copy), *dialects]
    printed = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert printed.returncode == 0, printed.stderr
    assert json.loads(printed.stdout) == {
        dialect: corpus_bleu(["the cat sat on the mat"], [["the cat sat on a mat"]], dialect).bleu
        for dialect in dialects
    }


SACREBLEU_ARGUMENTS: list[dict[str, Any]] = [
    {},
    {"smooth_method": "floor", "smooth_value": 0.3, "tokenize": "intl", "lowercase": True},
    {"smooth_method": "add-k", "tokenize": "char", "use_effective_order": True},
    {"smooth_method": "none", "force": True, "tokenize": None, "smooth_value": None},
]


@pytest.mark.parametrize("arguments", SACREBLEU_ARGUMENTS)
def test_arguments_and_results_of_the_sacrebleu_metric(arguments: dict[str, Any]) -> None:
    """Code written for evaluate's own sacrebleu metric, 0.4.6, which passes its arguments on to the library."""
    library = pytest.importorskip("sacrebleu", reason="pip install '.[test]'")
    references = [[row[0], row[-1]] for row in REFERENCES]
    given = {name: value for name, value in arguments.items() if value is not None}
    theirs = library.corpus_bleu(PREDICTIONS, [list(stream) for stream in zip(*references, strict=True)], **given)
    metric = evaluate.load(bleu_metric.PATH, "sacrebleu")
    result = metric.compute(predictions=PREDICTIONS, references=references, **arguments)
    assert result["score"] == pytest.approx(theirs.score, rel=1e-12)
    assert result["bp"] == pytest.approx(theirs.bp, rel=1e-12)
    assert (result["sys_len"], result["ref_len"]) == (theirs.sys_len, theirs.ref_len)
    if arguments.get("smooth_method") != "add-k":  # sacrebleu adds k to its counts
        assert (result["counts"], result["totals"]) == (theirs.counts, theirs.totals)
    metric.add_batch(predictions=PREDICTIONS, references=references)
    assert metric.compute(**arguments) == result
    assert bleu_metric.load().compute(predictions=PREDICTIONS, references=references, **arguments) == result


def test_the_smooth_argument_of_the_bleu_metric() -> None:
    metric = evaluate.load(bleu_metric.PATH, "evaluate")
    for smooth, smoothing in ((True, "add-one"), (False, "none")):
        result = metric.compute(predictions=PREDICTIONS, references=REFERENCES, smooth=smooth)
        assert result == corpus_bleu(PREDICTIONS, REFERENCES, "evaluate", smoothing=smoothing).to_dict()
    with pytest.raises(TypeError, match="smooth must be True or False, got 1"):
        metric.compute(predictions=PREDICTIONS, references=REFERENCES, smooth=1)
    with pytest.raises(TypeError, match="smooth and smoothing are the same option: pass one of them"):
        metric.compute(predictions=PREDICTIONS, references=REFERENCES, smooth=True, smoothing="none")


def test_options_of_an_interval(metric: Any) -> None:
    predictions, references = corpus_of_two_references()
    for options in ({}, {"n_resamples": 50, "seed": 2}):
        interval = bootstrap(corpus_statistics(predictions, references), confidence=0.9, **options)
        found = metric.compute(predictions=predictions, references=references, confidence=0.9, **options)
        assert found["confidence_interval"] == [interval.low, interval.high]
    for name in ("seed", "n_resamples"):
        with pytest.raises(ValueError, match=rf"{name} does nothing without confidence; for an interval of 95 %, pass"):
            metric.compute(predictions=["a"], references=["a"], **{name: 7})


@pytest.mark.parametrize("dialect", DIALECTS)
def test_all_orders_are_the_scores_of_lower_orders(dialect: str) -> None:
    predictions, references = corpus_of_two_references()
    labels = [index % 2 for index in range(len(predictions))]
    metric = bleu_metric.load(dialect)
    found = metric.compute(predictions=predictions, references=references, all_orders=True, groups=labels)
    for order in range(1, 5):
        alone = metric.compute(predictions=predictions, references=references, max_order=order, groups=labels)
        assert found[f"bleu_{order}"] == alone["bleu"]
        for label, group in alone["groups"].items():
            assert found["groups"][label][f"bleu_{order}"] == group["bleu"]
    with pytest.raises(ValueError, match="all_orders has equal weights: leave out weights"):
        metric.compute(predictions=predictions, references=references, all_orders=True, weights=[0.5, 0.5])


def test_a_dialect_in_compute(metric: Any) -> None:
    with pytest.raises(TypeError, match=r"unknown option 'dialect'; pass it to load, as in load\(PATH, 'nltk'\)"):
        metric.compute(predictions=["a"], references=["a"], dialect="nltk")
    with pytest.raises(TypeError, match="unknown argument 'dialect' of load; pass it as config_name"):
        evaluate.load(bleu_metric.PATH, dialect="nltk")


def test_features_describe_the_input(metric: Any) -> None:
    assert len(metric.features) == 6
    assert all(set(features) == {"predictions", "references"} for features in metric.features)
    assert "Papineni" in metric.citation
    assert "predictions" in metric.compute.__doc__


def test_a_path_in_place_of_a_dialect() -> None:
    with pytest.raises(TypeError, match=r"as in load\('nltk'\), not the folder of the metric"):
        bleu_metric.load(Path(bleu_metric.PATH))  # type: ignore[arg-type]
