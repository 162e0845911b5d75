"""What the tests of Spark and Ray share: tests, their corpus, a tokenizer that dies once, and what one machine says."""

from __future__ import annotations

import doctest
import inspect
import os
import shutil
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpora import random_corpus
from project.test_documents import FRAMEWORK_BLOCKS
from same_scores import same

from bleu_metric import BleuStatistics, corpus_statistics, score

Rows = list[dict[str, Any]]

KINDS: list[tuple[str, str, dict[str, Any]]] = [  # columns, and options to count them with
    ("predictions", "references", {}),
    ("predictions", "first", {"dialect": "nltk", "smoothing": "method2", "max_order": 6}),
    ("predictions", "references", {"reference_length": "average", "tokenizer": "char", "lowercase": True}),
    ("tokens", "reference_tokens", {}),
    ("ids", "reference_ids", {"weights": [0.6, 0.4]}),
]


def corpus(segments: int = 1200) -> Rows:
    """Make rows with strings, arrays, nested fields and labels; one label has most of the rows."""
    rng = np.random.default_rng(7)
    rows: Rows = []
    while len(rows) < segments:
        for text, references in zip(*random_corpus(rng, "text"), strict=True):
            system = "big" if rng.random() < 0.9 else f"s{rng.integers(5)}"
            row = {"predictions": text, "references": references, "first": references[0], "last": references[-1]}
            row["tokens"], row["reference_tokens"] = text.split(), [one.split() for one in references]
            row["ids"], row["reference_ids"] = ([len(word) for word in one.split()] for one in (text, references[0]))
            row["translation"] = {"en": text, "de": {"first": references[0]}}
            rows.append({**row, "system": system, "number": len(rows) % 3})
    return rows[:segments]


def has_java() -> bool:
    return bool(shutil.which("java") or os.environ.get("JAVA_HOME"))


def on_one_machine(rows: Rows, predictions: str, references: str, **options: Any) -> BleuStatistics:
    return corpus_statistics([row[predictions] for row in rows], [row[references] for row in rows], **options).sum()


def grouped(rows: Rows, by: str, **options: Any) -> dict[Any, BleuStatistics]:
    of_label = {label: [row for row in rows if row[by] == label] for label in sorted({row[by] for row in rows})}
    nrefs = on_one_machine(rows, "predictions", "references").nrefs  # those of all rows, as in `BleuStatistics.by`
    totals = {label: on_one_machine(some, "predictions", "references", **options) for label, some in of_label.items()}
    return {label: BleuStatistics(total.table, total.config, nrefs, total.is_sum) for label, total in totals.items()}


ROWS = corpus()


class EngineTests:
    """Tests of both engines. The fixture `frame` holds `ROWS`."""

    count: Any  # `spark_statistics` or `ray_statistics`

    @pytest.mark.parametrize(("predictions", "references", "options"), KINDS)
    def test_columns(self, frame: Any, predictions: str, references: str, options: dict[str, Any]) -> None:
        counted = self.count(frame, predictions, references, **options)
        expected = on_one_machine(ROWS, predictions, references, **options)
        assert same(counted, expected)
        assert score(counted) == score(expected)

    def test_fields_and_several_columns(self, frame: Any) -> None:
        fields = self.count(frame, "translation.en", "translation.de.first")
        assert same(fields, on_one_machine(ROWS, "predictions", "first"))
        both = [{**row, "both": [row["first"], row["last"]]} for row in ROWS]
        several = self.count(frame, references=["first", "last"])
        assert same(several, on_one_machine(both, "predictions", "both"))

    @pytest.mark.parametrize("groups", ["system", "number"])
    def test_groups(self, frame: Any, groups: str) -> None:
        assert_same_groups(self.count(frame, groups=groups), grouped(ROWS, groups))

    @pytest.mark.parametrize(
        ("arguments", "text"),
        [
            ({"predictions": "prediction"}, "prediction.*did you mean .*predictions"),
            ({"groups": "ids"}, r"groups.*list.*every segment needs a label that is a string or an"),
        ],
        ids=str,
    )
    def test_errors(self, frame: Any, arguments: dict[str, Any], text: str) -> None:
        """They are those of the engine, which contain ours."""
        with pytest.raises(Exception, match=f"(?is){text}"):
            self.count(frame, **arguments)

    def test_tokenizer_that_is_a_lambda(self, frame: Any) -> None:
        counted = self.count(frame, tokenizer=lambda text: text.split())
        expected = on_one_machine(ROWS, "predictions", "references", tokenizer="whitespace")
        assert counted.table.tolist() == expected.table.tolist()

    def test_a_worker_that_dies(self, frame: Any, tmp_path: Path) -> None:
        """The engine counts the rows of the process that died again, and only those."""
        tokenizer = DiesOnce(tmp_path / "died")
        counted = self.count(frame, tokenizer=tokenizer, groups="system")
        assert Path(tokenizer.marker).exists()
        for label, total in grouped(ROWS, "system", tokenizer="whitespace").items():
            assert counted[label].table.tolist() == total.table.tolist()

    def test_what_is_no_frame(self) -> None:
        with pytest.raises(TypeError, match=r"(df|dataset) must be a (Spark DataFrame|Ray Dataset), got list"):
            self.count([1])


def assert_same_groups(counted: dict[Any, BleuStatistics], expected: dict[Any, BleuStatistics]) -> None:
    assert list(counted) == list(expected)
    assert all(same(counted[label], expected[label]) for label in expected)


class DiesOnce:
    """Splits texts at spaces. Kills its process at the longest text of the second half, and never again."""

    def __init__(self, marker: Path) -> None:
        self.word = max((row["predictions"] for row in ROWS[600:]), key=len)
        self.marker = str(marker)

    def __call__(self, text: str) -> list[str]:
        if self.word in text and not Path(self.marker).exists():
            Path(self.marker).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return text.split()


def run_block(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Run the block of the documents in the cluster of the tests, because another one takes long to start."""
    code, output = FRAMEWORK_BLOCKS[library]
    exec(compile(code, f"<{library}>", "exec"), {})
    assert capsys.readouterr().out == output


def run_example(function: Any, **names: Any) -> None:
    """Run the example of a docstring, which is skipped as a doctest: it needs an engine, which is in `names`."""
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(function), {**names}, function.__name__, None, None)
    for line in example.examples:
        line.options.pop(doctest.SKIP, None)
    assert doctest.DocTestRunner().run(example) == doctest.TestResults(failed=0, attempted=3)
