"""A corpus that the tests of Spark and Ray share, a tokenizer that dies once, and what one machine says."""

from __future__ import annotations

import doctest
import inspect
import os
import shutil
import signal
from pathlib import Path
from typing import Any

import numpy as np
from corpora import random_corpus

from bleu_metric import BleuStatistics, corpus_statistics

Rows = list[dict[str, Any]]

KINDS: list[tuple[str, str, dict[str, Any]]] = [  # columns, and options to count them with
    ("predictions", "references", {}),
    ("predictions", "first", {"dialect": "nltk", "smoothing": "method2", "max_order": 6}),
    ("predictions", "references", {"reference_length": "average", "tokenizer": "char", "lowercase": True}),
    ("tokens", "reference_tokens", {}),
    ("ids", "reference_ids", {"weights": [[1.0], [0.5, 0.5]]}),
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
            rows.append({**row, "system": system, "number": len(rows) % 3, "flag": len(rows) % 2 == 0})
    return rows[:segments]


def has_java() -> bool:
    return bool(shutil.which("java") or os.environ.get("JAVA_HOME"))


def on_one_machine(rows: Rows, predictions: str, references: str, **options: Any) -> BleuStatistics:
    return corpus_statistics([row[predictions] for row in rows], [row[references] for row in rows], **options).total()


def grouped(rows: Rows, by: str) -> dict[Any, BleuStatistics]:
    labels = sorted({row[by] for row in rows if row[by] is not None}) + [None] * any(row[by] is None for row in rows)
    of_label = {label: [row for row in rows if row[by] == label] for label in labels}
    return {label: on_one_machine(some, "predictions", "references") for label, some in of_label.items()}


def same(one: BleuStatistics, other: BleuStatistics) -> bool:
    """Whether integers, options and numbers of references are the same."""
    facts = [(s.table.tolist(), s.config, s.nrefs, s.is_total) for s in (one, other)]
    return facts[0] == facts[1]


class DiesOnce:
    """Splits texts at spaces. Kills its process the first time that it meets the word, and never again."""

    def __init__(self, word: str, marker: Path) -> None:
        self.word = word
        self.marker = str(marker)

    def __call__(self, text: str) -> list[str]:
        if self.word in text:
            self._die_unless_done()
        return text.split()

    def _die_unless_done(self) -> None:
        try:
            os.close(os.open(self.marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return
        os.kill(os.getpid(), signal.SIGKILL)


def run_example(function: Any, **names: Any) -> None:
    """Run the example of a docstring, which is skipped as a doctest: it needs an engine, which is in `names`."""
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(function), {**names}, function.__name__, None, None)
    for line in example.examples:
        line.options.pop(doctest.SKIP, None)
    assert doctest.DocTestRunner().run(example) == doctest.TestResults(failed=0, attempted=3)
