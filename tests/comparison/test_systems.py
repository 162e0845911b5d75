"""Several systems in one call count as they do one by one, and errors name the system."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from corpora import long_corpus, near
from inner_doors import limit_batches

from bleu_metric import corpus_bleu, corpus_statistics, score_systems, system_statistics


def _systems(kind: str) -> tuple[dict[str, list[Any]], list[list[Any]]]:
    rng = np.random.default_rng(4)
    first, references = long_corpus(60, kind)
    return {"A": first, "B": [near(rng, text) for text in first], "C": [refs[-1] for refs in references]}, references


@pytest.mark.parametrize(("kind", "dialect"), [("text", "sacrebleu"), ("tokens", "nltk"), ("text", "multi-bleu")])
def test_as_one_by_one(kind: str, dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    systems, references = _systems(kind)
    expected = {name: corpus_statistics(texts, references, dialect) for name, texts in systems.items()}
    for rows in (None, 1, 7, 4000):
        if rows is not None:
            limit_batches(monkeypatch, rows)
        counted = system_statistics(systems, references, dialect)
        assert list(counted) == list(systems)
        for name, one in counted.items():
            assert one.table.tolist() == expected[name].table.tolist()
            assert (one.config, one.nrefs) == (expected[name].config, expected[name].nrefs)
    scores = {name: corpus_bleu(texts, references, dialect) for name, texts in systems.items()}
    assert score_systems(systems, references, dialect) == scores


def test_a_system_of_empty_lists_is_of_the_kind_of_the_others() -> None:
    empty: list[list[int]] = [[], []]
    assert score_systems({"A": empty, "B": [[7], [8, 9]]}, [[[]], [[]]])["B"].totals[:2] == [3, 1]
    assert score_systems({"A": [["a"], []], "B": empty}, [[[]], [[]]])["B"].totals[:2] == [0, 0]


def test_references_are_tokenized_once() -> None:
    tokenized: list[str] = []

    def tokenizer(text: str) -> list[str]:
        tokenized.append(text)
        return text.split()

    systems = {"A": ["a", "b"], "B": ["a", "c"], "C": ["b", "c"]}
    score_systems(systems, [["a", "b"], ["b", "c", "d"]], tokenizer=tokenizer)
    assert len(tokenized) == 5 + 3 * 2


BAD: list[tuple[Any, Any, type[Exception], str]] = [
    ({}, ["a"], ValueError, r"there is no system to score; give at least one, e.g. \{'A': predictions\}"),
    (["a"], ["a"], TypeError, r"systems must be a dict of name -> predictions, got \['a'\] \(list\)"),
    ({"A": ["a"], "B": ["a", "b"]}, ["a"], ValueError, r"system 'B': 2 predictions but 1 reference;"),
    ({"A": "a"}, ["a"], TypeError, r"system 'A': predictions must be a list"),
    ({"A": ["a", 1], "B": ["a", "b"]}, ["a", "b"], TypeError, r"system 'A': predictions\[1\] holds 1 \(int\)"),
    ({"A": ["a", "b"], "B": ["a", 1]}, ["a", "b"], TypeError, r"system 'B': predictions\[1\] holds 1 \(int\)"),
    ({"A": ["a"], "B": [[1]]}, [["a"]], TypeError, r"of system 'A' are text, those of system 'B' are ids: all"),
    ({"A": ["a"], "B": ["b"]}, [[]], ValueError, r"^references\[0\] has no reference"),
]


@pytest.mark.parametrize(("systems", "references", "error", "text"), BAD)
def test_errors(systems: Any, references: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        score_systems(systems, references)
