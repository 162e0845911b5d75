"""The pictures show the numbers, in any script, and leave matplotlib's global state alone."""

from __future__ import annotations

import builtins
import subprocess
import sys
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.text import Text

from bleu_metric import BleuStatistics, corpus_bleu, corpus_statistics, plot
from bleu_metric.reporting.fonts import families
from bleu_metric.reporting.panels import length_buckets

PREDICTIONS = ["the cat sat on the mat", "a dog barks", "x", "one two three four five"]
REFERENCES = [["the cat sat on a mat"], ["a dog barked at"], ["y"], ["one two three four five"]]
OTHERS = ["the cat sat on the mat", "the dog barks", "y", "one two three four six"]


def counts(predictions: list[str] = PREDICTIONS, **options: Any) -> BleuStatistics:
    return corpus_statistics(predictions, REFERENCES, **options)


def texts(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text)]


def test_one_system() -> None:
    figure = plot(counts())
    score = corpus_bleu(PREDICTIONS, REFERENCES)
    precisions, sentences, lengths = figure.axes
    assert [bar.get_height() for bar in precisions.patches] == [100 * precision for precision in score.precisions]
    assert [bar.get_height() for bar in sentences.patches] == [50, 0, 0, 0, 0, 0, 25, 0, 0, 0, 25]
    assert sum(bar.get_height() > 0 for bar in lengths.patches) >= 1
    assert f"BLEU {100 * score.bleu:.1f}, 4 segments" in texts(figure)
    assert score.signature in texts(figure)


def test_two_systems() -> None:
    figure = plot({"one": counts(), "two": counts(OTHERS)}, title="A title")
    totals, *_ = figure.axes
    expected = [100 * float(corpus_bleu(predictions, REFERENCES).bleu) for predictions in (PREDICTIONS, OTHERS)]  # type: ignore[arg-type]
    assert [bar.get_width() for bar in totals.patches] == expected
    assert {"one", "two", "A title", f"{expected[0]:.1f}"} <= set(texts(figure))


def test_many_systems_by_falling_score() -> None:
    systems = {"best": PREDICTIONS, **{f"s{i}": OTHERS for i in range(13)}, "worst": ["q"] * 4}
    figure = plot({name: counts(predictions) for name, predictions in reversed(systems.items())})
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert (names[0], names[-1], len(names)) == ("best", "worst", 15)
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == names


def test_length_buckets_hold_the_segments() -> None:
    lengths = [3, 9, 10, 25, 300]
    sentences = [" ".join("a" * length) for length in lengths]
    buckets, labels = length_buckets([corpus_statistics(sentences, sentences)])
    for length, bucket in zip(lengths, buckets, strict=True):
        low, _, high = labels[bucket].removeprefix("≥").partition("–")
        assert int(low) <= length <= int(high or length)


def test_score_of_a_bucket() -> None:
    statistics = counts()
    buckets, labels = length_buckets([statistics])
    heights = [bar.get_height() for bar in plot(statistics).axes[2].patches]
    for bucket in np.unique(buckets):
        rows = np.flatnonzero(buckets == bucket)
        score = corpus_bleu([PREDICTIONS[row] for row in rows], [REFERENCES[row] for row in rows])
        assert heights[bucket] == pytest.approx(100 * score.bleu)
    assert len(heights) == len(labels)


@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".PDF", b"%PDF")])
def test_files(suffix: str, start: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"picture{suffix}"
    plot({"机器翻译": counts(), "نظام": counts(OTHERS), "_$x^2$ <b>\x00": counts()}, path, title="$ 5")
    assert path.read_bytes().startswith(start)


def test_names_are_shown_as_they_are() -> None:
    figure = plot({"_$x^2$ <b>\x00": counts(), "n" * 99 + "7": counts()})
    assert "_$x^2$ <b>␀" in texts(figure)
    assert "n" * 13 + "…" + "n" * 13 + "7" in texts(figure)
    assert not any(text.get_parse_math() for text in figure.findobj(Text))


def test_fonts_for_missing_characters() -> None:
    usual = families(["plain"])
    assert families(["\u0378"]) == usual  # not assigned to a character, so that no font has it
    chosen = families(["机器"])
    if len(chosen) > len(usual):
        assert "Last Resort" not in "".join(chosen)


def test_global_state_is_left_alone() -> None:
    code = (
        "import sys, matplotlib; from bleu_metric import corpus_statistics, plot; before = matplotlib.rcParams.copy();"
        "plot(corpus_statistics(['a b'], ['a b'])); assert matplotlib.rcParams.copy() == before;"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"
    assert matplotlib.rcParams["svg.fonttype"] == "path"


def test_one_segment_without_a_match() -> None:
    plot({"a": corpus_statistics(["x"], ["y"]), "b": corpus_statistics([""], ["y"])})


@pytest.mark.parametrize("dialect", ["nltk", "ignite", "fast-bleu", "mteval-v13a"])
def test_dialects(dialect: str) -> None:
    figure = plot(corpus_statistics(PREDICTIONS, REFERENCES, dialect))
    assert f"BLEU {100 * corpus_bleu(PREDICTIONS, REFERENCES, dialect).bleu:.1f}, 4 segments" in texts(figure)


@pytest.mark.parametrize(
    ("systems", "error", "text"),
    [
        ([1], TypeError, r"plot takes BleuStatistics or a mapping of names to them, got list"),
        ({}, ValueError, "there is no system to draw"),
        ({"a": 3}, TypeError, "systems must map names to BleuStatistics, got str -> int for 'a'"),
        ({1: counts()}, TypeError, "got int -> BleuStatistics for 1"),
        (counts().total(), ValueError, "the counts of '' are a total: a picture needs a row per segment"),
        (counts()[:0], ValueError, "are empty"),
        ({"a": counts(), "b": counts(max_order=2)}, ValueError, "'a' and 'b' were counted in different ways"),
        ({"a": counts(), "b": counts()[:2]}, ValueError, "'a' has 4 segments, 'b' has 2"),
        (counts(weights=[[1.0], [0.5, 0.5]]), ValueError, "a picture shows one list of weights"),
    ],
)
def test_errors(systems: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        plot(systems)


def test_other_suffix(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"written as \.png, \.svg, \.pdf; got '.*bleu\.bmp': try bleu\.png"):
        plot(counts(), tmp_path / "bleu.bmp")


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    import_module = builtins.__import__

    def missing(name: str, *args: Any) -> Any:
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return import_module(name, *args)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ImportError, match=r'pip install "bleu_metric\[plot\]"'):
        plot(counts())
