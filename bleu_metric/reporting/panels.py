"""The panels of a figure: scores, precisions, sentence scores, scores by reference length. Needs matplotlib.

Each system has a row with its name, so readers need neither a legend nor colours to tell systems apart. The panels are
dot plots (Cleveland and McGill 1984, https://doi.org/10.1080/01621459.1984.10478080) and small multiples (Tufte 1983).
Differences are drawn with their intervals beside a line at 0, like the forest plots of meta-analyses (Lewis and Clarke
2001, https://doi.org/10.1136/bmj.322.7300.1479).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._display import percent, signed_percent
from .._statistics import BleuStatistics, score_sentences
from .._validation import Floats
from ..comparison.ranking import RankedSystem, Ranking, verdict
from ..comparison.result import TOO_FEW
from .axis import Axis
from .lengths import Bounded, bin_scores, score_lengths

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


def style_axes(axes: Axes, grid: str) -> None:
    """Remove the frame and the tick marks of a plot. Draw thin grid lines for the axis `grid`: ``"x"`` or ``"y"``."""
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, colors=QUIET, labelsize=_SMALL)
    axes.grid(axis=grid, color=LINE, linewidth=0.8)  # type: ignore[arg-type]
    axes.set_axisbelow(True)
    axes.xaxis.label.set(color=QUIET, fontsize=_SMALL)
    axes.yaxis.label.set(color=QUIET, fontsize=_SMALL)
    axes.patch.set_alpha(0)


def _list_systems(axes: Axes, data: PlotData) -> None:
    """Write the names of the systems along the vertical axis, the first name at the top."""
    style_axes(axes, "x")
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
    axes.plot([value], [row], **point)


def _set_scale(axes: Axes, shown: Sequence[Bounded], room: float, ticks: Sequence[float] | None = None) -> None:
    """Set the range and the labels of the horizontal axis, in percent.

    `room` is the width to leave free at the right for numbers, as a share of the range.
    """
    axis = Axis.of(shown)
    assert axis is not None  # noqa: S101 (every system has a score)
    labelled = axis.ticks if ticks is None else ticks
    axes.set_xticks([100 * tick for tick in labelled], labels=[axis.label(tick) for tick in labelled])
    axes.set_xlim(100 * axis.low, 100 * (axis.high + room * (axis.high - axis.low)))


def _draw_scores(figure: FigureBase, data: PlotData) -> None:
    """Draw the scores with their intervals and, beside them, the differences from the baseline."""
    has_differences = bool(data.ranking.differences())
    columns = figure.subplots(1, 1 + has_differences, sharey=True, squeeze=False)[0]
    axes = columns[0]
    shown = []
    for row, system in enumerate(data.systems):
        interval = system.interval
        low, high = (float(interval.low), float(interval.high)) if interval else (system.bleu, system.bleu)
        shown.append(Bounded(low, system.bleu, high))
        _draw_interval(axes, row, shown[-1], _POINT)
        _write_in_column(axes, percent(system.bleu), row)
    _list_systems(axes, data)
    _set_scale(axes, shown, 0.25)
    axes.set_xlabel(f"BLEU, {100 * data.confidence:g} % intervals" if data.systems[0].interval else "BLEU")
    if has_differences:
        _draw_differences(columns[1], data)


def _draw_differences(axes: Axes, data: PlotData) -> None:
    axes.axvline(0, color=QUIET, linewidth=1)
    shown = [Bounded(0, 0, 0)]
    for row, system in enumerate(data.systems):
        difference = system.difference
        if difference is None:
            _write_in_column(axes, "baseline", row, color=QUIET)
            continue
        shown.append(Bounded(difference.low, difference.value, difference.high))
        point = _POINTS[verdict(difference)]
        _draw_interval(axes, row, shown[-1], point)
        _write_in_column(axes, signed_percent(difference.value), row, color=point["color"])
    _list_systems(axes, data)
    axes.tick_params(axis="y", labelleft=False)
    _set_scale(axes, shown, 0.35)
    comparison = data.ranking.comparison
    is_too_few = comparison is not None and comparison.has_too_few_segments
    legend = TOO_FEW if is_too_few else f"filled: p < {1 - data.confidence:.2g} (Holm)"
    axes.set_xlabel(f"difference from {data.names[data.baseline]}\n{legend}")


Cell = tuple[float, Bounded | None]  # the value to write, and what to draw beside it


def _draw_columns(
    figure: FigureBase, data: PlotData, heads: Sequence[str], cells: Sequence[Sequence[Cell]], is_narrow: bool = False
) -> None:
    """Draw one column for each of `heads`. `cells`: one list per column, with one cell per system.

    Values are written in percent. All columns have the same scale, so that points can be compared. In narrow columns, a
    value is above its point instead of beside it. The scale has 0, except for scores of one system in narrow columns.
    """
    shown = [bounded for column in cells for _, bounded in column if bounded]
    if not (data.is_one and is_narrow):
        shown.append(Bounded(0, 0, 0))
    axis = Axis.of(shown)
    assert axis is not None  # noqa: S101 (there is a system or 0)
    by_size = sorted(axis.ticks, key=abs)
    ticks = sorted({*by_size[:1], *by_size[-1:]})
    columns = figure.subplots(1, len(heads), sharey=True, squeeze=False)[0]
    draw_cell = _draw_narrow_cell if is_narrow else _draw_cell
    for axes, head, column in zip(columns, heads, cells, strict=True):
        for row, (value, bounded) in enumerate(column):
            draw_cell(axes, row, percent(value), bounded)
        _list_systems(axes, data)
        axes.tick_params(axis="x", labelsize=8)
        if is_narrow and not data.is_one:
            axes.grid(visible=False)
        if not is_narrow:
            axes.axvline(0, color=QUIET, linewidth=1)
        _set_scale(axes, shown, 0.0 if is_narrow else 1.0, ticks)
        axes.set_title(head, fontsize=_SMALL, color=QUIET, loc="center" if is_narrow else "left")
    points = f"BLEU, {100 * data.confidence:g} % intervals" if is_narrow else ""
    label = points if data.is_one else f"difference from {data.names[data.baseline]}"
    figure.supxlabel(label, color=QUIET, fontsize=_SMALL)


def _draw_cell(axes: Axes, row: int, value: str, bounded: Bounded | None) -> None:
    if bounded is not None:
        _draw_interval(axes, row, bounded, _SMALL_POINT)
    _write_in_column(axes, value, row)


def _draw_narrow_cell(axes: Axes, row: int, value: str, bounded: Bounded | None) -> None:
    if bounded is not None:
        axes.vlines(0, row, row + 0.3, color=QUIET, linewidth=1)  # one line through all rows would cross the values
        _draw_interval(axes, row + 0.15, bounded, _SMALL_POINT)
    paper = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}  # no grid line crosses the value
    _write_in_column(axes, value, row - 0.2, x=0.5, ha="center", bbox=paper)


def _draw_precisions(figure: FigureBase, data: PlotData) -> None:
    """Draw each system's precisions, and their differences from the baseline's. One system has points for its own."""
    precisions = np.array([system.score.precisions for system in data.systems])
    points = precisions if data.is_one else precisions - precisions[data.baseline]
    cells: list[list[Cell]] = [
        [(value, Bounded(point, point, point)) for value, point in zip(*column, strict=True)]
        for column in zip(precisions.T.tolist(), points.T.tolist(), strict=True)
    ]
    if not data.is_one:
        for column in cells:
            column[data.baseline] = (column[data.baseline][0], None)
    _draw_columns(figure, data, [f"{order}-grams" for order in range(1, len(cells) + 1)], cells)


def _draw_lengths(figure: FigureBase, data: PlotData) -> None:
    """Draw each system's score by reference length, and its difference from the baseline with an interval.

    For one system, draw the score itself with its interval.
    """
    buckets = score_lengths(data.statistics, data.baseline, data.confidence)
    heads = [f"{bucket.label}\nn = {bucket.segments:,}" for bucket in buckets]
    cells = []
    for bucket in buckets:
        values = [bounded.value for bounded in bucket.scores]
        points = bucket.scores if data.is_one else bucket.differences
        cells.append(list(zip(values, points, strict=True)))
    _draw_columns(figure, data, heads, cells, is_narrow=True)


def _draw_sentences(figure: FigureBase, data: PlotData) -> None:
    """Draw each system's sentence scores: a histogram of the scores above 0, the median, and the percentage of 0s."""
    scores = [score_sentences(statistics) for statistics in data.statistics]
    percents = [bin_scores(values) for values in scores]
    tallest = max(float(heights.max()) for heights in percents) or 1.0
    axes = figure.subplots()
    for row, (values, heights) in enumerate(zip(scores, percents, strict=True)):
        _draw_histogram(axes, row + 0.3, 0.75 * heights / tallest)
        median = 100 * float(np.median(values))
        axes.plot([median], [row + 0.3], clip_on=False, **_POINT)
        _write_right(axes, 120, row, f"{median:.1f}")
        _write_right(axes, 137, row, f"{100 * (values == 0).mean():.0f} %")
    _list_systems(axes, data)
    _write_right(axes, 120, -0.75, "median", color=QUIET)
    _write_right(axes, 137, -0.75, "at 0", color=QUIET)
    axes.set_ylim(len(data.names) - 0.5, -0.95)
    axes.set_xlim(0, 138)
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.set_xlabel("sentence BLEU; point: median")


def _draw_histogram(axes: Axes, bottom: float, heights: Floats) -> None:
    tops = bottom - heights  # the vertical axis points down
    axes.stairs(tops, _EDGES, baseline=bottom, fill=True, color=LINE)
    axes.stairs(tops, _EDGES, baseline=None, color=BAR, linewidth=1.2)
    axes.plot([0, 100], [bottom, bottom], color=BAR, linewidth=0.8)


def _write_right(axes: Axes, right: float, row: float, text: str, color: str = TEXT) -> None:
    """Write a text that ends at `right`, in the units of the horizontal axis."""
    axes.text(right, row, text, va="center", ha="right", color=color, fontsize=_SMALL)
