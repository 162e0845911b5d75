"""evaluate's evaluators and suites, with the pipelines' own shapes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import datasets
import evaluate
import pytest

import bleu_metric
from bleu_metric import corpus_bleu

transformers = pytest.importorskip("transformers", reason="needs transformers 4; see docs/integrations.md")
# evaluate 0.4.6 asks transformers for a class that version 5 no longer has
if not transformers.__version__.startswith("4."):
    pytest.skip("evaluators need transformers 4; see docs/integrations.md", allow_module_level=True)


class Pipeline:
    """A pipeline as transformers' are called by the evaluator, without a model."""

    def __init__(self, task: str, key: str) -> None:
        self.task, self._key = task, key

    def __call__(self, inputs: Any, **_: Any) -> list[dict[str, str]]:
        return [{self._key: f"the {text}"} for text in inputs]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("task", "key"),
    [
        ("translation", "translation_text"),
        ("summarization", "summary_text"),
        ("text2text-generation", "generated_text"),
    ],
)
def test_evaluator(task: str, key: str, metric: Any) -> None:
    data = datasets.Dataset.from_dict({"in": ["cat sat here", "dog ran"], "out": ["the cat sat there", "the dog ran"]})
    columns = {"input_column": "in", "label_column": "out"}
    found = evaluate.evaluator(task).compute(model_or_pipeline=Pipeline(task, key), data=data, metric=metric, **columns)
    expected = corpus_bleu(["the cat sat here", "the dog ran"], data["out"])
    assert found["bleu"] == expected.bleu
    assert found["signature"] == expected.signature


@pytest.mark.filterwarnings("ignore")
def test_evaluator_with_a_real_pipeline(metric: Any) -> None:
    """A tiny model, not trained: whatever it writes is scored."""
    from tiny_seq2seq import make_model, make_tokenizer
    from transformers import pipeline

    pipe = pipeline("text2text-generation", model=make_model(), tokenizer=make_tokenizer(), max_new_tokens=20)
    data = datasets.Dataset.from_dict({"in": ["red cat", "blue dog one"], "out": ["red cat", "blue dog one"]})
    columns = {"input_column": "in", "label_column": "out"}
    found = evaluate.evaluator("text2text-generation").compute(pipe, data, metric=metric, **columns)
    written = [answer["generated_text"] for answer in pipe(data["in"][:])]
    assert found["counts"] == corpus_bleu(written, data["out"]).counts


SUITE = """
import datasets
import evaluate
from evaluate.evaluation_suite import SubTask
class Suite(evaluate.EvaluationSuite):
    def __init__(self, name):
        super().__init__(name)
        data = datasets.load_dataset("json", data_files={data!r}, split="train", cache_dir={cache!r})
        arguments = dict(metric=evaluate.load({folder!r}), input_column="in", label_column="out")
        self.suite = [SubTask(task_type="translation", data={data!r}, args_for_task=arguments)]
        self.suite[0].data = data
"""


@pytest.mark.filterwarnings("ignore")
def test_evaluation_suite(tmp_path: Path) -> None:
    data = tmp_path / "data.json"
    data.write_text('{"in": "cat sat here now", "out": "the cat sat here then"}\n')
    (tmp_path / "suite").mkdir()
    text = SUITE.format(data=str(data), cache=str(tmp_path / "cache"), folder=bleu_metric.PATH)
    (tmp_path / "suite" / "suite.py").write_text(text)
    suite = evaluate.EvaluationSuite.load(str(tmp_path / "suite" / "suite.py"))
    (found,) = suite.run(Pipeline("translation", "translation_text"))
    assert found["bleu"] == corpus_bleu(["the cat sat here now"], ["the cat sat here then"]).bleu
