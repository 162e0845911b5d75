"""The report: what it holds, that no text of the data is markup, and that nothing is loaded for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpora import REFERENCES_OF_SYSTEMS as REFERENCES
from corpora import SYSTEMS
from html_of import Page, Sentence, sentences_of

from bleu_metric import corpus_bleu, corpus_statistics, report

PREDICTIONS = SYSTEMS["one"]
HOSTILE = "<script>alert(1)</script></style><b onclick='x'>\"&amp;\x00\u202e]]>-->"
SHOWN = "<script>alert(1)</script></style><b onclick='x'>\"&amp;␀[U+202E]]]>-->"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "report.html"


def read_report(path: Path, predictions: Any = PREDICTIONS, references: Any = REFERENCES, **options: Any) -> Page:
    report(path, predictions, references, **options)
    return Page(path.read_text(encoding="utf-8"))


def texts_in(page: Page, *tags: str) -> list[str]:
    return [text for tag, text in page.texts if tag in tags]


def sentences(path: Path) -> list[Sentence]:
    return sentences_of(path.read_text(encoding="utf-8"))


def numbers(path: Path) -> list[int]:
    return [sentence.number for sentence in sentences(path)]


def test_one_segment_has_no_interval(path: Path) -> None:
    text = read_report(path, {"one": ["a b c d"], "two": ["a b c d"]}, ["a b c d"]).text()
    assert "one and two match the references equally in every segment" in text
    assert "BLEU and its 95 % interval" not in text


def effects(predictions: list[str], references: list[str], **options: Any) -> list[float]:
    """Each sentence's effect by its definition: the corpus score with it minus the corpus score without it."""

    def score_of(rows: list[int]) -> float:
        chosen = [predictions[row] for row in rows], [references[row] for row in rows]
        return 100 * float(corpus_bleu(*chosen, **options))

    every = list(range(len(predictions)))
    return [score_of(every) - score_of([*every[:row], *every[row + 1 :]]) for row in every]


LONG = [f"a b c d {'e ' * (i % 3)}{'f ' * (i % 7)}" for i in range(30)]
SHORT = ["a b c d e f"] * 30


OPTIONS = [{}, {"average": "sentence"}, {"dialect": "nltk", "smoothing": "method5"}, {"reference_length": "average"}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_effects_are_those_of_their_definition(options: dict[str, Any], path: Path) -> None:
    read_report(path, {"one": LONG, "two": SHORT}, SHORT, baseline="one", **options)
    shown = np.transpose([sentence.effects for sentence in sentences(path)])
    expected = [effects(predictions, SHORT, **options) for predictions in (LONG, SHORT)]
    np.testing.assert_allclose(shown, expected, atol=2e-6)


def test_the_largest_effects_of_many_are_shown(path: Path) -> None:
    page = read_report(path, LONG, SHORT, max_sentences=7)
    by_size = sorted(map(abs, effects(LONG, SHORT)))
    assert sorted(abs(sentence.effects[0]) for sentence in sentences(path)) == pytest.approx(by_size[-7:], abs=1e-6)
    assert numbers(path) == sorted(numbers(path))
    note = "Only 7 of 30 segments are listed: those with the largest effects on the score."
    assert note in page.text()
    read_report(path, {"one": LONG, "two": [*LONG[:9], SHORT[9], *LONG[10:]]}, SHORT, max_sentences=1)
    assert numbers(path) == [10]  # the other sentences change both scores alike


def test_many_groups(path: Path) -> None:
    page = read_report(path, ["a"] * 400, ["a"] * 400, groups=[*range(150, 350), *range(200)])
    assert "The 200 largest of 350 groups are shown." in page.text()
    assert len(page.all("th", scope="row")) == 200 + 1
    assert {"150", "199"} <= set(texts_in(page, "bdi"))


def test_a_write_protected_file_is_kept(path: Path) -> None:
    path.write_text("old")
    path.chmod(0o444)
    for write in (corpus_statistics(PREDICTIONS, REFERENCES).save, lambda path: report(path, PREDICTIONS, REFERENCES)):
        with pytest.raises(PermissionError, match=r"This file is write-protected; pass another path.*report.html"):
            write(path)
    assert path.read_text() == "old"
    path.chmod(0o644)
    report(path, PREDICTIONS, REFERENCES)
    assert "<html" in path.read_text()


def test_nothing_of_the_data_is_markup(path: Path) -> None:
    systems = {HOSTILE: [HOSTILE, "a"], "_$x^2$": ["b", HOSTILE]}
    page = read_report(path, systems, [[HOSTILE], [HOSTILE, "a"]], title=HOSTILE)
    assert (len(page.all("script")), len(page.all("style"))) == (1, 2)  # one style for browsers without scripts
    assert not page.all("b", onclick="x")
    assert not {"\x00", "\u202e"} & set(path.read_text(encoding="utf-8"))
    assert texts_in(page, "title") == [SHOWN]
    assert page.text().count(SHOWN) >= 10
    assert sum("␀[U+202E]" in text for sentence in sentences(path) for text in sentence.outputs) == 2


def rating(**systems: Any) -> dict[str, Any]:
    return {"segment_scores": {"rating": systems}}


BAD: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
    (PREDICTIONS, {"max_sentences": 0}, ValueError, "max_sentences must be at least 1, got 0"),
    (PREDICTIONS, {"test": "ttest"}, ValueError, "unknown test 'ttest'; accepted: 'bootstrap', 'approximate"),
    (SYSTEMS, {"n_resamples": 10}, ValueError, "an interval of 95 % needs at least 40 resamples, got 10"),
    (PREDICTIONS, {"digits": 3}, ValueError, "digits must be at most 2, got 3"),
    (PREDICTIONS, {"source": ["a"]}, ValueError, "1 source text but 5 segments: give one per segment"),
    (PREDICTIONS, {"source": ["a", None, "b", "c", "d"]}, TypeError, r"source\[1\] holds None .* where strings are"),
    (PREDICTIONS, {"source": ["a", 5, "b", "c", "d"]}, TypeError, r"source\[1\] holds 5 \(int\) where strings are"),
    (PREDICTIONS, {"source": "abcde"}, TypeError, r"source must be a list, .* got a string \('abcde'\)"),
    (PREDICTIONS, {"groups": ["a", "b"]}, ValueError, "groups has 2 labels for 5 segments: pass one label per segment"),
    ({}, {}, ValueError, "there is no system"),
    ({3: PREDICTIONS}, {}, TypeError, "the name 3 must be a string"),
    (SYSTEMS, {"baseline": "tow"}, ValueError, r"unknown baseline 'tow' \(did you mean 'two'\?\); accepted: 'one'"),
    (SYSTEMS | {"": PREDICTIONS}, {}, ValueError, "one of several systems has the name ''; give each a name"),
    (SYSTEMS | {"two": ["a", 5, "b", "c", "d"]}, {}, TypeError, r"system 'two': predictions\[1\] holds 5"),
    (SYSTEMS, rating(one=[1.0, 2.0]), ValueError, "only one of the metrics"),
    (SYSTEMS, rating(one=[1.0, None, 2.0, 3.0, 4.0], two=[1.0] * 5), ValueError, r"scores\[1\] of 'one' is missing"),
    (SYSTEMS, rating(one=[1.0], two=[1.0]), ValueError, "all metrics must have the same number of segments"),
]


@pytest.mark.parametrize(("predictions", "options", "error", "text"), BAD)
def test_errors(predictions: Any, options: dict[str, Any], error: type[Exception], text: str, path: Path) -> None:
    with pytest.raises(error, match=text):
        report(path, predictions, REFERENCES, **options)
    assert not path.exists()
