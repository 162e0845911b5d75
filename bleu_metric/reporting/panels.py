"""The panels of a figure: scores, precisions, sentence scores, scores by reference length. Needs matplotlib.

Each system has a row with its name, so readers need neither a legend nor colours to tell systems apart. The panels are
dot plots (Cleveland and McGill 1984, https://doi.org/10.1080/01621459.1984.10478080) and small multiples (Tufte 1983).
Differences are drawn with their intervals beside a line at 0, like the forest plots of meta-analyses (Lewis and Clarke
2001, https://doi.org/10.1136/bmj.322.7300.1479).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._display import percent, signed_percent
from .._statistics import BleuStatistics, score_sentences
from .._validation import Floats
from ..comparison.ranking import RankedSystem, Ranking, verdict
from ..comparison.result import TOO_FEW
from .axis import Axis, Bounded
from .lengths import bin_scores, score_lengths

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase

_ROW_HEIGHT = 0.3  # inches
_TALL_ROW_HEIGHT = 0.55
_AXIS_HEIGHT = 0.8  # inches, for the ticks and labels of an axis
_SMALL = 9.0  # font size in points
# The colours of the reports' style sheet in light mode
TEXT, QUIET, LINE, BAR, WORSE, PAPER = "#1a1d21", "#59626d", "#d5dae0", "#2a5d9f", "#b3401a", "#ffffff"
_POINT: dict[str, Any] = {"marker": "o", "markersize": 6, "color": BAR, "markeredgewidth": 1.5}
_SMALL_POINT = {**_POINT, "markersize": 4.5}
_POINTS = {  # verdict on a difference -> style of its point
    "better": _POINT,
    "worse": {**_POINT, "marker": "D", "color": WORSE},
    "not significant": {**_POINT, "color": QUIET, "markerfacecolor": PAPER},
    TOO_FEW: {**_POINT, "color": QUIET, "markerfacecolor": PAPER},
}
_HIDE_GRID = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}  # so that no grid line crosses a value
_ZERO = Bounded(0, 0, 0)
_EDGES = np.arange(0, 101, 5)  # edges of the bins of sentence scores, in percent


class PlotData(NamedTuple):
    """The data of the panels, with one entry per system in order of descending score."""

    names: list[str]  # as drawn: long names are shortened
    statistics: list[BleuStatistics]
    ranking: Ranking
    baseline: int  # index of the baseline in the lists
    confidence: float  # confidence level of the intervals

    @property
    def systems(self) -> list[RankedSystem]:
        """Return the systems with their scores and differences, from best to worst."""
        return self.ranking.systems

    @property
    def is_one(self) -> bool:
        """Return whether there is only one system, so that nothing is compared."""
        return len(self.names) == 1

    @property
    def interval_label(self) -> str:
        """Return the label of an axis with scores and their intervals."""
        return f"BLEU, {100 * self.confidence:g} % intervals"

    @property
    def difference_label(self) -> str:
        """Return the label of an axis with differences."""
        return f"difference from {self.names[self.baseline]}"


class Panel(NamedTuple):
    """One panel of a figure: its heading, the function that draws it, and its height."""

    heading: str
    draw: Callable[[FigureBase, PlotData], None]
    height: float  # inches


def all_panels(data: PlotData) -> list[Panel]:
    """Return the four panels of a figure. Each has one row per system."""
    low = _ROW_HEIGHT * len(data.names) + _AXIS_HEIGHT
    high = _TALL_ROW_HEIGHT * len(data.names) + _AXIS_HEIGHT
    return [
        Panel("Corpus BLEU", _draw_scores, low),
        Panel("Precision by n-gram order, %", _draw_precisions, low),
        Panel("Sentence scores", _draw_sentences, high),
        Panel("BLEU by reference length in tokens", _draw_lengths, high),
    ]


def _style_axes(axes: Axes) -> None:
    """Remove the frame and the tick marks of a plot. Draw thin vertical grid lines."""
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, colors=QUIET, labelsize=_SMALL)
    axes.grid(axis="x", color=LINE, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.xaxis.label.set(color=QUIET, fontsize=_SMALL)
    axes.yaxis.label.set(color=QUIET, fontsize=_SMALL)
    axes.patch.set_alpha(0)


def _list_systems(axes: Axes, data: PlotData) -> None:
    """Write the names of the systems along the vertical axis, the first name at the top."""
    _style_axes(axes)
    axes.set_yticks(np.arange(len(data.names)), labels=data.names)
    axes.tick_params(axis="y", colors=TEXT, labelsize=10)
    axes.set_ylim(len(data.names) - 0.4, -0.6)


def _write_in_column(axes: Axes, text: str, row: float, x: float = 1, **style: Any) -> None:
    """Write a text in the row of a system.

    `x` is the position as a share of the plot's width. The default is the right edge, where there are no points.
    """
    style = {"va": "center", "ha": "right", "color": TEXT, "fontsize": _SMALL, **style}
    axes.text(x, row, text, transform=axes.get_yaxis_transform(), **style)


def _draw_interval(axes: Axes, row: float, bounded: Bounded, point: dict[str, Any]) -> None:
    low, value, high = (100 * number for number in bounded)
    axes.plot([low, high], [row, row], color=point["color"], linewidth=1.5, solid_capstyle="butt")
    axes.plot([value], [row], clip_on=False, **point)


def _set_scale(axes: Axes, shown: Sequence[Bounded], room: float, has_two_ticks: bool = False) -> None:
    """Set the range and the labels of the horizontal axis, in percent.

    `room` is the width to leave free at the right for numbers, as a share of the range. With two ticks, only the ticks
    nearest to 0 and farthest from 0 are labelled.
    """
    axis = Axis.of(shown)
    ticks = axis.ticks
    if has_two_ticks:
        by_size = sorted(ticks, key=abs)
        ticks = sorted({*by_size[:1], *by_size[-1:]})
    free = room * (axis.high - axis.low)
    axes.set_xticks([100 * tick for tick in ticks], labels=[axis.label(tick) for tick in ticks])
    axes.set_xlim(100 * axis.low, 100 * (axis.high + free))


def _draw_scores(figure: FigureBase, data: PlotData) -> None:
    """Draw the scores with their intervals and, beside them, the differences from the baseline."""
    has_differences = bool(data.ranking.differences())
    columns = figure.subplots(1, 1 + has_differences, sharey=True, squeeze=False)[0]
    axes = columns[0]
    shown = []
    for row, system in enumerate(data.systems):
        bounded = _score_with_interval(system)
        shown.append(bounded)
        _draw_interval(axes, row, bounded, _POINT)
        _write_in_column(axes, percent(system.bleu), row)
    _list_systems(axes, data)
    _set_scale(axes, shown, 0.25)
    axes.set_xlabel(data.interval_label if data.systems[0].interval else "BLEU")
    if has_differences:
        _draw_differences(columns[1], data)


def _score_with_interval(system: RankedSystem) -> Bounded:
    """Return a system's score with its interval. A score without an interval is its own interval."""
    if system.interval is None:
        return Bounded(system.bleu, system.bleu, system.bleu)
    return Bounded(float(system.interval.low), system.bleu, float(system.interval.high))


def _draw_differences(axes: Axes, data: PlotData) -> None:
    axes.axvline(0, color=QUIET, linewidth=1)
    shown = [_ZERO]
    for row, system in enumerate(data.systems):
        difference = system.difference
        if difference is None:
            _write_in_column(axes, "baseline", row, color=QUIET)
            continue
        bounded = Bounded(difference.low, difference.value, difference.high)
        shown.append(bounded)
        point = _POINTS[verdict(difference)]
        _draw_interval(axes, row, bounded, point)
        _write_in_column(axes, signed_percent(difference.value), row, color=point["color"])
    _list_systems(axes, data)
    axes.tick_params(axis="y", labelleft=False)
    _set_scale(axes, shown, 0.35)
    comparison = data.ranking.comparison
    is_too_few = comparison is not None and comparison.has_too_few_segments
    legend = TOO_FEW if is_too_few else f"filled: p < {1 - data.confidence:.2g} (Holm)"
    axes.set_xlabel(f"{data.difference_label}\n{legend}")


class Column(NamedTuple):
    """One column of a panel, with one entry per system. All columns of a panel have the same scale."""

    heading: str
    values: Sequence[float]  # the numbers to write, in percent
    points: Sequence[Bounded | None]  # what to draw: differences from the baseline; for one system, the values


def _draw_precisions(figure: FigureBase, data: PlotData) -> None:
    """Draw each system's precisions, and their differences from the baseline's. One system has points for its own."""
    columns = []
    precisions = np.array([system.score.precisions for system in data.systems])
    for order, values in enumerate(precisions.T, 1):
        numbers = values if data.is_one else values - values[data.baseline]
        points: list[Bounded | None] = [Bounded(number, number, number) for number in numbers.tolist()]
        if not data.is_one:
            points[data.baseline] = None
        columns.append(Column(f"{order}-grams", values.tolist(), points))
    shown = [_ZERO, *_points_of(columns)]
    for axes, column in _subplots(figure, data, columns):
        axes.axvline(0, color=QUIET, linewidth=1)
        for row, (value, point) in enumerate(zip(column.values, column.points, strict=True)):
            if point is not None:
                _draw_interval(axes, row, point, _SMALL_POINT)
            _write_in_column(axes, percent(value), row)
        _set_scale(axes, shown, 1.0, has_two_ticks=True)
        axes.set_title(column.heading, fontsize=_SMALL, color=QUIET, loc="left")
    figure.supxlabel("" if data.is_one else data.difference_label, color=QUIET, fontsize=_SMALL)


def _draw_lengths(figure: FigureBase, data: PlotData) -> None:
    """Draw each system's score by reference length, and its difference from the baseline with an interval.

    The columns are narrow, so a value is above its point. For one system, draw the score itself with its interval.
    """
    columns = []
    for bucket in score_lengths(data.statistics, data.baseline, data.confidence):
        heading = f"{bucket.label}\nn = {bucket.segments:,}"
        values = [score.value for score in bucket.scores]
        columns.append(Column(heading, values, bucket.scores if data.is_one else bucket.differences))
    shown = _points_of(columns)
    if not data.is_one:
        shown.append(_ZERO)
    for axes, column in _subplots(figure, data, columns):
        for row, (value, point) in enumerate(zip(column.values, column.points, strict=True)):
            if point is not None:
                axes.vlines(0, row, row + 0.3, color=QUIET, linewidth=1)  # a line at 0 that crosses no value
                _draw_interval(axes, row + 0.15, point, _SMALL_POINT)
            _write_in_column(axes, percent(value), row - 0.2, x=0.5, ha="center", bbox=_HIDE_GRID)
        if not data.is_one:
            axes.grid(visible=False)
        _set_scale(axes, shown, 0.0, has_two_ticks=True)
        axes.set_title(column.heading, fontsize=_SMALL, color=QUIET)
    label = data.interval_label if data.is_one else data.difference_label
    figure.supxlabel(label, color=QUIET, fontsize=_SMALL)


def _points_of(columns: Sequence[Column]) -> list[Bounded]:
    """Return the points of all systems in the chart. The baseline has none: it is not compared with itself."""
    points = chain.from_iterable(column.points for column in columns)
    return [point for point in points if point is not None]


def _subplots(figure: FigureBase, data: PlotData, columns: Sequence[Column]) -> Iterator[tuple[Axes, Column]]:
    """Yield each column with its plot. The plots stand side by side, and list the systems from top to bottom."""
    plots = figure.subplots(1, len(columns), sharey=True, squeeze=False)[0]
    for axes, column in zip(plots, columns, strict=True):
        _list_systems(axes, data)
        axes.tick_params(axis="x", labelsize=8)
        yield axes, column


def _draw_sentences(figure: FigureBase, data: PlotData) -> None:
    """Draw each system's sentence scores: a histogram of the scores above 0, the median, and the percentage of 0s."""
    scores = [score_sentences(statistics) for statistics in data.statistics]
    percents = [bin_scores(of_system) for of_system in scores]
    tallest = np.max(percents) or 1.0
    axes = figure.subplots()
    for row, (of_system, heights) in enumerate(zip(scores, percents, strict=True)):
        bottom = row + 0.3
        _draw_histogram(axes, bottom, 0.75 * heights / tallest)
        median = float(np.median(of_system))
        axes.plot([100 * median], [bottom], clip_on=False, **_POINT)
        _write_in_column(axes, percent(median), row, x=0.87)
        at_zero = float(np.mean(of_system == 0))
        _write_in_column(axes, f"{percent(at_zero, 0)} %", row, x=0.99)
    _list_systems(axes, data)
    _write_in_column(axes, "median", -0.75, x=0.87, color=QUIET)
    _write_in_column(axes, "at 0", -0.75, x=0.99, color=QUIET)
    axes.set_ylim(len(data.names) - 0.5, -0.95)
    axes.set_xlim(0, 138)
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.set_xlabel("sentence BLEU; point: median")


def _draw_histogram(axes: Axes, bottom: float, heights: Floats) -> None:
    tops = bottom - heights  # the vertical axis points down
    axes.stairs(tops, _EDGES, baseline=bottom, fill=True, color=LINE)
    axes.stairs(tops, _EDGES, baseline=None, color=BAR, linewidth=1.2)
    axes.plot([0, 100], [bottom, bottom], color=BAR, linewidth=0.8)
