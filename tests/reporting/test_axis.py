"""The bars of a report stand where the labels below them say."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from corpora import one_sided

from bleu_metric import paired_bootstrap, report, system_statistics

LABEL = re.compile(r'class="tick-label" style="left: (-?[\d.]+)%">([^<]+)<')
RANGE = re.compile(r'class="range[^"]*" style="left: ([\d.]+)%; width: ([\d.]+)%"')
POINT = re.compile(r'class="(?:point|mark)[^"]*" style="left: ([\d.]+)%"')


def bar_as_drawn(strip: str) -> list[float]:
    """Return the low end, the point and the high end of a bar, read off the labels below it."""
    labels = [(float(place), float(label.replace("−", "-"))) for place, label in LABEL.findall(strip)]
    places, values = np.transpose(labels)
    assert all(0 <= place <= 100 for place in places)
    scale, origin = np.polyfit(places, values, 1)
    [(left, width)], [point] = RANGE.findall(strip), POINT.findall(strip)
    return [origin + scale * place for place in (float(left), float(point), float(left) + float(width))]


def test_bars_stand_where_the_labels_say(tmp_path: Path) -> None:
    systems, references = one_sided(60)
    systems["half"] = [*systems["base"][:30], *references[30:]]
    report(tmp_path / "report.html", systems, references, baseline="base")
    _, *strips = (tmp_path / "report.html").read_text(encoding="utf-8").split('<span class="strip"')
    bars = [bar_as_drawn(strip) for strip in strips if RANGE.search(strip)]
    base, *others = system_statistics(systems, references).values()
    compared = paired_bootstrap(base, others)
    expected = [
        (one.interval.low, one.interval.score, one.interval.high) for one in (compared.baseline, *compared.systems)
    ]
    expected += [(one.delta_low, one.delta, one.delta_high) for one in compared.systems]
    for numbers in 100 * np.array(expected):
        assert any(bar == pytest.approx(numbers, abs=0.02) for bar in bars), (numbers, bars)
