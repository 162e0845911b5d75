"""The pictures show the numbers, in any script, and leave matplotlib's global state alone."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpora import REFERENCES_OF_SYSTEMS as REFERENCES
from corpora import SYSTEMS, VERDICTS, one_sided
from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from bleu_metric import bootstrap, corpus_statistics, paired_bootstrap, plot, sentence_bleu, system_statistics
from bleu_metric.reporting.panels import BAR

ONE, TWO = system_statistics(SYSTEMS, REFERENCES).values()


def texts(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text)]


def points(axes: Any) -> list[float]:
    """The values of a panel: short lines are numbers, and points are differences that were tested."""
    return [float(line.get_xdata()[0]) for line in axes.lines if line.get_marker() in ("o", "|")]


def signatures(figure: Any) -> list[str]:
    [shown] = [text for text in texts(figure) if "version:" in text]
    return shown.split("\n")


def test_one_system() -> None:
    """It is several systems with one row."""
    statistics = corpus_statistics(SYSTEMS["one"], REFERENCES, "papineni")
    figure, score = plot(statistics), statistics.score()
    total, *rest = figure.axes
    precisions, (sentences,) = rest[:4], rest[4:]
    interval: Any = bootstrap(statistics)
    assert points(total) == [100 * interval.score]
    assert list(total.lines[0].get_xdata()) == [100 * interval.low, 100 * interval.high]
    assert [*chain(*map(points, precisions))] == [100 * precision for precision in score.precisions]
    scores = sentence_bleu(SYSTEMS["one"], REFERENCES, "papineni")
    (bins, _) = (patch.get_data() for patch in sentences.patches)
    heights = (0.3 - bins.values) / 0.75
    counted, _ = np.histogram(100 * scores[scores > 0], bins.edges)
    assert heights == pytest.approx(counted / counted.max())
    median = 100 * float(np.median(scores))
    assert points(sentences) == [median]
    assert {f"{median:.1f}", "60 %", f"BLEU {100 * interval.score:.1f}, 5 segments"} <= set(texts(figure))
    assert signatures(figure) == [interval.signature]
    assert {f"{100 * precision:.1f}" for precision in score.precisions} <= set(texts(figure))
    assert "no range of lengths has 30 segments" in texts(figure)
    assert not any("difference" in text for text in texts(figure))


def test_two_systems() -> None:
    one, two = (counts[np.arange(30) % len(counts)] for counts in (ONE, TWO))
    figure = plot({"one": one, "two": two}, title="A title", baseline="one")
    totals, differences, *precisions = figure.axes[:6]
    intervals: Any = [bootstrap(of_system) for of_system in (one, two)]
    assert points(totals) == [100 * interval.score for interval in intervals]
    ends = [[100 * interval.low, 100 * interval.high] for interval in intervals]
    assert [list(line.get_xdata()) for line in totals.lines[::2]] == ends
    compared: Any = paired_bootstrap(one, two).systems[0]
    assert [100 * compared.delta] in [list(line.get_xdata()) for line in differences.lines]
    gains = np.subtract(two.score().precisions, one.score().precisions)
    assert [points(axes) for axes in precisions] == [[0, gain] for gain in (100 * gains).tolist()]
    assert {"one", "two", "A title", f"{100 * intervals[1].score:.1f}", "baseline"} <= set(texts(figure))
    for axes in figure.axes:
        left, right = axes.get_xlim()
        drawn = [line for line in axes.lines if line.get_transform() == axes.transData]
        assert all(left <= end <= right for line in drawn for end in line.get_xdata())


@pytest.mark.parametrize(("segments", "label"), [(29, "too few segments"), (30, "filled: p < 0.05 (Holm)")])
def test_few_segments_fill_no_point(segments: int, label: str) -> None:
    figure = plot(system_statistics(*one_sided(segments)), baseline="base")
    differences = figure.axes[1]
    (point,) = [line for line in differences.lines if line.get_marker() == "o"]
    assert (point.get_markerfacecolor() in (BAR, "auto")) == (segments == 30)
    assert differences.get_title(loc="left") == "difference from base"
    assert label in texts(figure)
    assert not VERDICTS.search(" ".join(texts(figure)))


def test_the_picture_has_the_settings_of_its_test() -> None:
    systems = system_statistics(*one_sided(40))
    options: Any = {"n_resamples": 500, "seed": 3, "confidence": 0.9}
    figure = plot(systems, **options)
    comparison: Any = paired_bootstrap(systems, **options)
    assert signatures(figure) == [comparison.signature]
    assert {"BLEU, 90 % intervals", "filled: p < 0.1 (Holm)"} <= set(texts(figure))
    untested = plot(systems, test="none")
    assert signatures(untested)[0] == systems["base"].score().signature
    assert {"BLEU", "not tested"} <= set(texts(untested))
    assert not any(line.get_marker() == "o" for axes in untested.axes for line in axes.lines)
    with pytest.raises(ValueError, match=r"unknown test 'bootstap' \(did you mean 'bootstrap'\?\)"):
        plot(systems, test="bootstap")
    with pytest.raises(ValueError, match="test='approximate-randomization' compares systems; give two or more"):
        plot(ONE, test="approximate-randomization")


def test_an_order_without_a_match_is_0_although_it_is_smoothed() -> None:
    figure = plot(system_statistics({"A": ["a b c d"], "B": ["a x b y"]}, ["a b c d"], smoothing="exp"))
    assert {"0 of 3", "0 of 2", "0 of 1"} <= set(texts(figure))
    assert [points(axes) for axes in figure.axes[3:6]] == [[0, -100]] * 3


@pytest.mark.parametrize(
    ("name", "numbers"), [("system", (60, 120, 180)), ("a long name of a system", (0, 100)), ("one", (100,))]
)
def test_labels_of_axes_are_percentages_and_do_not_touch(name: str, numbers: Sequence[int]) -> None:
    rng = np.random.default_rng(3)
    references = [" ".join(rng.choice(list("abcdefgh"), 1 + row % 70)) for row in range(210)]
    worse = [" ".join(rng.permutation(text.split())) for text in references]
    systems = {f"{name} {number}": [*worse[:number], *references[number:]] for number in numbers}
    figure = plot(system_statistics(systems, references))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    boxes = []
    for axes in figure.axes:
        low, high = axes.get_xlim()
        labels = [label for label in axes.get_xticklabels() if low <= label.get_position()[0] <= high]
        shown = [float(label.get_text().replace("−", "-")) for label in labels]
        assert shown == pytest.approx([label.get_position()[0] for label in labels])
        boxes += [label.get_window_extent(canvas.get_renderer()) for label in labels]
    for box in boxes:
        right = [other for other in boxes if other.x0 > box.x0 and abs(other.y0 - box.y0) < 5]
        assert all(other.x0 > box.x1 + 4 for other in right)


def test_lengths_are_labelled_whole() -> None:
    """Ranges such as 10–19 with their numbers of segments; no panel without content."""
    long = [f"{' '.join('abcdefghijkl'[: 3 + number])}" for number in range(9)] * 15
    figure = plot(system_statistics({"one": long, "two": long[::-1], "three": ["q"] * 135, "four": long}, long))
    assert {"10–11\nn = 30", "difference from one"} <= set(texts(figure))
    assert all(axes.lines or axes.patches or axes.texts for axes in figure.axes)


@pytest.mark.parametrize(
    ("suffix", "start"), [(".svg", b"<?xml"), pytest.param(".PDF", b"%PDF", marks=pytest.mark.heavy)]
)
def test_files_show_names_as_they_are(suffix: str, start: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"picture{suffix}"
    figure = plot({"机器翻译": ONE, "_$x^2$ <b>\x00": TWO, "n" * 99 + "7": ONE}, path, title="$ 5")
    assert path.read_bytes().startswith(start)
    assert "_$x^2$ <b>␀" in texts(figure)
    assert "n" * 13 + "…" + "n" * 13 + "7" in texts(figure)
    assert not any(text.get_parse_math() for text in figure.findobj(Text))


@pytest.fixture
def only_dejavu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose only fonts are those that come with matplotlib: they lack Chinese."""
    manager = font_manager.fontManager
    shipped = [font for font in manager.ttflist if "DejaVu" in font.name and "mpl-data" in font.fname]
    assert shipped
    monkeypatch.setattr(manager, "ttflist", shipped)


def test_characters_without_a_font(only_dejavu: None, tmp_path: Path) -> None:
    """One line says so."""
    with pytest.warns(UserWarning, match="no installed font has some characters .* apt install fonts-noto") as caught:
        figure = plot({"机器": ONE, "نظام": TWO}, tmp_path / "systems.png")
    assert (tmp_path / "systems.png").read_bytes().startswith(b"\x89PNG")
    assert len(caught) == 1
    assert "机器" in texts(figure)


@pytest.mark.parametrize(
    ("systems", "error", "text"),
    [
        ([1], TypeError, r"systems must be a dict of name -> BleuStatistics, got \[1\]"),
        ({}, ValueError, "there is no system to rank"),
        ({"a": 3}, TypeError, r"systems\['a'\] must be BleuStatistics, got int"),
        ({1: ONE}, TypeError, "the name 1 must be a string"),
        (ONE.sum(), ValueError, "cannot rank systems: these statistics are a sum"),
        (ONE[:0], ValueError, "there are no segments to rank"),
        ({"a": ONE, "b": ONE[:2]}, ValueError, "'a' and 'b' have 5 and 2 segments; pass the same segments"),
    ],
)
def test_errors(systems: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        plot(systems)


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        plot(ONE)
