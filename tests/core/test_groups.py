"""Scores of documents, systems and domains equal those of each alone."""

from __future__ import annotations

from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from corpora import corpus_of_two_references

from bleu_metric import bootstrap, corpus_statistics, score_groups

PREDICTIONS, REFERENCES = corpus_of_two_references()


LABELS = [("news", "chat", "médecine", "law")[index] for index in np.random.default_rng(2).integers(0, 4, 90)]


OPTIONS = [
    ("sacrebleu", {}),
    ("nltk", {"smoothing": "method7"}),
    ("ignite", {"weights": [0.1, 0.2, 0.7]}),
    ("papineni", {"reference_length": "average", "weights": [0.5, 0.5]}),
]


@pytest.mark.parametrize(("dialect", "options"), OPTIONS)
def test_an_interval_for_each_group(dialect: str, options: dict[str, Any]) -> None:
    statistics = corpus_statistics(PREDICTIONS, REFERENCES, dialect, **options)
    labels = ["alone"] + ["few"] * 29 + ["enough"] * 30 + ["rest"] * 30
    scores = score_groups(statistics, labels, confidence=0.9, n_resamples=30, seed=4)
    for label in ("alone", "few"):
        assert scores[label].interval is None
        assert "interval" not in scores[label].to_dict()
    assert str(scores).count("too few") == 2
    for label in ("enough", "rest"):
        rows = [row for row, other in enumerate(labels) if other == label]
        assert scores[label].interval == bootstrap(statistics[rows], 30, seed=4, confidence=0.9)
        assert scores[label].interval.score == scores[label].bleu
        assert scores[label].to_dict()["interval"] == scores[label].interval.to_dict()
        assert scores[label].citation(digits=2) == scores[label].citation(scores[label].interval, 2)
    assert "90 % interval" in str(scores)
    assert "bs:30|seed:4|conf:0.9" in str(scores)
    with pytest.raises(ValueError, match=r"an interval of 90 % needs at least 20 resamples, got 19"):
        score_groups(statistics[:1], ["a"], confidence=0.9, n_resamples=19)


def test_tables_of_groups() -> None:
    scores = score_groups(corpus_statistics(PREDICTIONS, REFERENCES), LABELS)
    markdown, latex = scores.to_markdown(2).splitlines(), scores.to_latex().splitlines()
    assert [line.split("|")[1].strip() for line in markdown[2:]] == list(scores)
    assert f"{100 * scores['news'].bleu:.2f} " in next(line for line in markdown if "news" in line)
    assert latex[0] == "\\begin{tabular}{lr}"
    assert "*" not in scores.to_markdown() + scores.to_latex()
    assert repr(scores).startswith(f"<GroupScores {LABELS[0]} {100 * scores[LABELS[0]].bleu:.1f}, ")
    assert str(scores).startswith("BLEU of 4 groups\n")


def test_totals_cannot_be_grouped() -> None:
    total = corpus_statistics(["a", "b"], ["a", "b"]).sum()
    for function in (lambda: total.group_by(["a"]), lambda: score_groups(total, ["a"])):
        with pytest.raises(ValueError, match=r"cannot group segments.*: these statistics are a sum"):
            function()
    none = corpus_statistics(["a"], ["a"])[:0]
    assert (none.group_by([]), score_groups(none, [])) == ({}, {})


def test_containers_of_labels() -> None:
    statistics, numbers = corpus_statistics(PREDICTIONS, REFERENCES), [len(label) for label in LABELS]
    expected, by_number = score_groups(statistics, LABELS), score_groups(statistics, numbers)
    data = datasets.Dataset.from_dict({"label": LABELS, "number": numbers})
    strings = [tuple(LABELS), np.array(LABELS), pd.Series(LABELS), pd.Series(LABELS, dtype="category"), data["label"]]
    strings += [pa.array(LABELS), pa.array(LABELS).dictionary_encode(), pa.chunked_array([LABELS[:5], LABELS[5:]])]
    for labels in strings:
        assert score_groups(statistics, labels) == expected
    for labels in (np.array(numbers), np.array(numbers, np.uint8), pa.array(numbers), data["number"]):
        assert score_groups(statistics, labels) == by_number
    of_numpy = score_groups(statistics, list(map(np.int64, numbers)))
    assert {type(label) for label in (*by_number, *of_numpy)} == {int}


def test_empty_labels() -> None:
    counts = corpus_statistics(["a", "b", "a"], ["a", "a", "b"], max_order=1)
    with pytest.warns(UserWarning, match=r"groups has 2 empty labels, .* the first is labels\[1\]"):
        assert score_groups(counts, ["news", "", ""])[""].segments == 2


BAD: list[tuple[Any, type[Exception], str]] = [
    (["a"], ValueError, r"groups has 1 label for 2 segments: pass one label per segment"),
    (["a", "b", "c"], ValueError, r"groups has 3 labels for 2 segments: pass one label per segment"),
    ([1, "1"], ValueError, r"groups has the labels 1 and '1', which look alike; pass only strings"),
    (["a", None], TypeError, r"groups\[1\] is None \(NoneType\); every segment needs a label"),
    (pa.array(["a", None]), TypeError, r"groups\[1\] is None \(NoneType\)"),
    ([1, 2.5], TypeError, r"groups\[1\] is 2.5 \(float\)"),
    ([True, 1], TypeError, r"groups\[0\] is True \(bool\)"),
    (np.array([1.0, float("nan")]), TypeError, r"groups\[0\] is 1.0 \(float\)"),
    ("ab", TypeError, r"groups must be a list, .* got a string \('ab'\)"),
    (np.array([["a"], ["b"]]), TypeError, r"groups\[0\] is \[\'a\'\] \(list\)"),
    (7, TypeError, r"groups must be a list, .* got int"),
    # A label for each of 100,000 segments took minutes: Python hashes all of these to 0
    (["a", 2**61 * 2**61], ValueError, r"groups\[1\] is <?\d.* does not fit into 64 bits; pass"),
]


@pytest.mark.parametrize(("groups", "error", "text"), BAD)
def test_wrong_labels(groups: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        score_groups(corpus_statistics(["a", "b"], ["a", "b"]), groups)
