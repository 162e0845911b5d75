"""Points, bars and labels of an axis agree with the numbers, in a report and in a picture."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

from bleu_metric import paired_bootstrap, plot, report, system_statistics

WORDS = "the a cat dog sat ran on by mat log".split()
LABEL = re.compile(r'class="tick-label" style="left: (-?[\d.]+)%">([^<]+)<')
RANGE = re.compile(r'class="range[^"]*" style="left: ([\d.]+)%; width: ([\d.]+)%"')
POINT = re.compile(r'class="point[^"]*" style="left: ([\d.]+)%"')


def systems_and_references() -> tuple[dict[str, list[str]], list[str]]:
    """Three systems of 60 segments, with other words in half, a third and a fifth of the places."""
    rng = random.Random(1)
    references = [rng.choices(WORDS, k=12) for _ in range(60)]

    def output(share: float) -> list[str]:
        return [" ".join(rng.choice(WORDS) if rng.random() < share else word for word in words) for words in references]

    systems = {name: output(share) for name, share in (("A", 1 / 2), ("B", 1 / 3), ("C", 1 / 5))}
    return systems, [" ".join(words) for words in references]


def bar_as_drawn(strip: str) -> list[float]:
    """The low end, the point and the high end of a bar, read off the labels below it."""
    places, values = np.array([(float(place), number(label)) for place, label in LABEL.findall(strip)]).T
    assert (places >= 0).all()
    assert (places <= 100).all()
    scale, origin = np.polyfit(places, values, 1)
    [(left, width)], [point] = RANGE.findall(strip), POINT.findall(strip)
    return [origin + scale * place for place in (float(left), float(point), float(left) + float(width))]


def number(label: str) -> float:
    return float(label.replace("−", "-"))


def test_bars_in_a_report_stand_where_the_labels_say(tmp_path: Path) -> None:
    systems, references = systems_and_references()
    report(tmp_path / "report.html", systems, references)
    _, *strips = (tmp_path / "report.html").read_text(encoding="utf-8").split('<span class="strip"')
    bars = [bar_as_drawn(strip) for strip in strips if RANGE.search(strip)]
    counted = system_statistics(systems, references)
    compared = paired_bootstrap(counted["A"], {name: counted[name] for name in "BC"})
    for interval in [compared.baseline.interval, *(system.interval for system in compared.systems)]:
        expected = [100 * interval.low, 100 * interval.score, 100 * interval.high]
        assert any(bar == pytest.approx(expected, abs=0.02) for bar in bars), (expected, bars)


@pytest.mark.parametrize("count", [1, 3])
def test_labels_of_a_picture_are_percentages(count: int) -> None:
    pytest.importorskip("matplotlib")
    systems, references = systems_and_references()
    figure = plot(system_statistics(dict(list(systems.items())[:count]), references))
    labels = [label for axes in figure.axes for label in axes.get_xticklabels()]
    numbers = [label for label in labels if re.fullmatch(r"−?[\d.]+", label.get_text())]
    assert numbers
    for label in numbers:
        assert number(label.get_text()) == pytest.approx(label.get_position()[0])
