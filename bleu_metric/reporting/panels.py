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

from .._display import level_text, percent, signed_percent
from .._statistics import BleuStatistics
from ..comparison.ranking import Bounded, Ranking
from ..comparison.result import TOO_FEW
from .lengths import BINS, distribution, score_lengths

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
_OPEN_POINT = {**_POINT, "color": QUIET, "markerfacecolor": PAPER}
_POINTS: dict[str, dict[str, Any] | None] = {  # verdict on a difference -> style of its point
    "baseline": None,
    "better": _POINT,
    "worse": {**_POINT, "marker": "D", "color": WORSE},
    "not significant": _OPEN_POINT,
    TOO_FEW: _OPEN_POINT,
}
_HIDE_GRID = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}  # so that no grid line crosses a text


class PlotData(NamedTuple):
    """The data of the panels, with one entry per system in order of descending score."""

    names: list[str]  # as drawn: long names are shortened
    ranking: Ranking
    statistics: dict[str, BleuStatistics]  # the baseline first
    confidence: float  # confidence level of the intervals

    @property
    def interval_label(self) -> str:
        """Return the label of scores with their intervals."""
        return f"BLEU, {level_text(self.confidence)} intervals"

    @property
    def difference_label(self) -> str:
        """Return the label of differences."""
        baseline = self.ranking.names.index(self.ranking.baseline)
        return f"difference from {self.names[baseline]}"

    @property
    def point_label(self) -> str:
        """Return the label of points: differences from the baseline or, for one system, its scores."""
        return self.interval_label if self.ranking.is_one else self.difference_label


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


class Column(NamedTuple):
    """One column of a panel, with one entry per system: a point on an axis, and a text beside the axis."""

    heading: str
    texts: Sequence[str]
    colours: Sequence[str]  # of the texts
    points: Sequence[Bounded]
    styles: Sequence[dict[str, Any] | None]
    """How the points are drawn. None: there is no point, because the baseline is not compared with itself."""


def _draw_scores(figure: FigureBase, data: PlotData) -> None:
    """Draw the scores with their intervals and, beside them, the differences from the baseline."""
    systems = data.ranking.systems
    scores = Column(
        heading=data.interval_label if data.ranking.comparison else "BLEU",
        texts=[percent(system.bleu.value) for system in systems],
        colours=[TEXT] * len(systems),
        points=[system.bleu for system in systems],
        styles=[_POINT] * len(systems),
    )
    if data.ranking.is_one:
        _draw_columns(figure, data, [scores], "", is_tall=False)
        return
    texts, colours, styles = [], [], []
    for system in systems:
        style = _POINTS[system.verdict]
        texts.append(signed_percent(system.difference.value) if style else "baseline")
        colours.append(style["color"] if style else QUIET)
        styles.append(style)
    points = [system.difference for system in systems]
    differences = Column(data.difference_label, texts, colours, points, styles)
    is_too_few = any(system.verdict == TOO_FEW for system in systems)
    legend = TOO_FEW if is_too_few else f"filled: p < {1 - data.confidence:.2g} (Holm)"
    _draw_columns(figure, data, [scores, differences], legend, is_tall=False)


def _draw_precisions(figure: FigureBase, data: PlotData) -> None:
    """Draw each system's precisions, as points for their differences from the baseline's."""
    precisions = np.array([system.score.precisions for system in data.ranking.systems])
    baseline = precisions[data.ranking.names.index(data.ranking.baseline)]
    shown = precisions if data.ranking.is_one else precisions - baseline
    columns = []
    for order, (values, points) in enumerate(zip(precisions.T.tolist(), shown.T.tolist(), strict=True), 1):
        columns.append(_small_column(data, f"{order}-grams", values, [Bounded(x, x, x) for x in points]))
    _draw_columns(figure, data, columns, "" if data.ranking.is_one else data.difference_label, is_tall=False)


def _draw_lengths(figure: FigureBase, data: PlotData) -> None:
    """Draw each system's scores by reference length, as points for their differences from the baseline's."""
    columns = []
    for bucket in score_lengths(data.statistics, data.ranking.names, data.confidence):
        heading = f"{bucket.label}\nn = {bucket.segments:,}"
        scores = [system.bleu.value for system in bucket.systems]
        points = [system.bleu if data.ranking.is_one else system.difference for system in bucket.systems]
        columns.append(_small_column(data, heading, scores, points))
    _draw_columns(figure, data, columns, data.point_label, is_tall=True)


def _small_column(data: PlotData, heading: str, values: Sequence[float], points: Sequence[Bounded]) -> Column:
    """Return a column of small points that all look alike. Several systems have no point for the baseline."""
    style = {**_POINT, "markersize": 4.5}
    styles = []
    for name in data.ranking.names:
        has_point = data.ranking.is_one or name != data.ranking.baseline
        styles.append(style if has_point else None)
    texts = [percent(value) for value in values]
    return Column(heading, texts, [TEXT] * len(texts), points, styles)


def _draw_columns(figure: FigureBase, data: PlotData, columns: Sequence[Column], label: str, is_tall: bool) -> None:
    """Draw columns side by side, with the systems from top to bottom. More than two columns have one scale.

    The texts are on the right of the points. If the rows are tall, they are above the points.
    """
    from matplotlib.ticker import MaxNLocator

    has_one_scale = len(columns) > 2
    plots = figure.subplots(1, len(columns), sharex=has_one_scale, sharey=True, squeeze=False)[0]
    for axes, column in zip(plots, columns, strict=True):
        _list_systems(axes, data)
        if None in column.styles:  # differences from the baseline
            axes.axvline(0, color=QUIET, linewidth=1)
        _draw_points(axes, column, is_tall)
        axes.margins(x=0.1)
        axes.tick_params(axis="x", labelsize=8)
        axes.xaxis.set_major_locator(MaxNLocator(2 if has_one_scale else 3, steps=[1, 2, 5, 10]))
        axes.ticklabel_format(axis="x", useOffset=False)
        axes.set_title(column.heading, fontsize=_SMALL, color=QUIET, loc="center" if is_tall else "left")
    figure.supxlabel(label, color=QUIET, fontsize=_SMALL)


def _draw_points(axes: Axes, column: Column, is_tall: bool) -> None:
    rows = zip(column.texts, column.colours, column.points, column.styles, strict=True)
    for row, (text, colour, bounded, style) in enumerate(rows):
        if is_tall:
            _write(axes, text, 0.5, row - 0.2, ha="center", bbox=_HIDE_GRID)
        else:
            _write(axes, text, 1.08, row, color=colour)
        if style is not None:
            value, low, high = (100 * number for number in bounded)
            height = row + 0.15 if is_tall else row
            axes.plot([low, high], [height, height], color=style["color"], linewidth=1.5, solid_capstyle="butt")
            axes.plot([value], [height], clip_on=False, **style)


def _write(axes: Axes, text: str, x: float, row: float, **style: Any) -> None:
    """Write a text in the row of a system. `x` is its position as a share of the axis's width."""
    style = {"va": "center", "color": TEXT, "fontsize": _SMALL, **style}
    axes.text(x, row, text, transform=axes.get_yaxis_transform(), **style)


def _list_systems(axes: Axes, data: PlotData) -> None:
    """Write the names of the systems along the vertical axis. Remove the frame, and draw thin vertical grid lines."""
    axes.spines[:].set_visible(False)
    axes.patch.set_alpha(0)
    axes.grid(axis="x", color=LINE, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_yticks(range(len(data.names)), labels=data.names)
    axes.set_ylim(len(data.names) - 0.4, -0.6)
    axes.tick_params(length=0, colors=QUIET, labelsize=_SMALL)
    axes.tick_params(axis="y", colors=TEXT, labelsize=10)


def _draw_sentences(figure: FigureBase, data: PlotData) -> None:
    """Draw each system's sentence scores: a histogram of the scores above 0, the median, and the percentage of 0s."""
    axes = figure.subplots()
    _list_systems(axes, data)
    distributions = [distribution(data.statistics[name]) for name in data.ranking.names]
    tallest = max(max(shown.percents) for shown in distributions) or 1
    for row, shown in enumerate(distributions):
        bottom = row + 0.3
        heights = 0.75 / tallest * np.array(shown.percents)
        _draw_histogram(axes, bottom, bottom - heights)  # the vertical axis points down
        axes.plot([100 * shown.median], [bottom], clip_on=False, **_POINT)
        _write(axes, percent(shown.median), 1.04, row)
        _write(axes, f"{percent(shown.zero_share, 0)} %", 1.2, row)
    _write(axes, "median", 1.04, -0.75, color=QUIET)
    _write(axes, "at 0", 1.2, -0.75, color=QUIET)
    axes.set_ylim(len(data.names) - 0.5, -0.95)
    axes.set_xlim(0, 100)
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.set_xlabel("sentence BLEU; point: median", color=QUIET, fontsize=_SMALL)


def _draw_histogram(axes: Axes, bottom: float, tops: Any) -> None:
    edges = np.linspace(0, 100, BINS + 1)
    axes.stairs(tops, edges, baseline=bottom, fill=True, color=LINE)
    axes.stairs(tops, edges, baseline=None, color=BAR, linewidth=1.2)
    axes.plot([0, 100], [bottom, bottom], color=BAR, linewidth=0.8)
