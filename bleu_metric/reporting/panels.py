"""Draw the panels of a figure: scores, precisions, sentence scores, scores by reference length. Needs matplotlib.

Each system has a row with its name, so readers need neither a legend nor colours. The panels are dot plots (Cleveland
and McGill 1984, https://doi.org/10.1080/01621459.1984.10478080) and small multiples (Tufte 1983). Differences have
intervals and a line at 0, as in forest plots (Lewis and Clarke 2001, https://doi.org/10.1136/bmj.322.7300.1479).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._bootstrap import MIN_SEGMENTS
from .._display import level_text, percent, signed_percent, significance_level
from .._score import BleuScore
from .._statistics import BleuStatistics, score
from .._validation import Floats
from ..comparison.result import NOT_TESTED, TOO_FEW, Compared, Comparison
from .figures import drawn_name
from .lengths import BINS, distribution

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase

# The colours of the reports' style sheet in light mode
TEXT, QUIET, LINE, BAR, WORSE, PAPER = "#1a1d21", "#59626d", "#d5dae0", "#2a5d9f", "#b3401a", "#ffffff"
Style = dict[str, Any]  # keyword arguments of a matplotlib function
_VALUE: Style = {"color": TEXT, "fontsize": 9}
_LABEL: Style = {"color": QUIET, "fontsize": 9}
# Hide grid lines behind a text
_OVER_GRID: Style = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}
# A point shows a tested difference. A significant difference has a filled point. A line shows any other number
_MARK: Style = {"marker": "|", "markersize": 9, "color": BAR, "markeredgewidth": 2.5}
_POINT: Style = {"marker": "o", "markersize": 5.5, "color": BAR, "markeredgewidth": 1.5}
_OPEN_POINT: Style = {**_POINT, "color": QUIET, "markerfacecolor": PAPER}
_WORSE_POINT: Style = {**_POINT, "marker": "D", "color": WORSE}
_ZERO: Style = {**_MARK, "color": QUIET}  # the baseline's difference from itself
# `Comparison.outcome` -> style of the point that shows its difference
_POINTS = {"better": _POINT, "worse": _WORSE_POINT, "not significant": _OPEN_POINT, TOO_FEW: _OPEN_POINT}
_POINTS |= {NOT_TESTED: _MARK, "baseline": _ZERO}

# Vertical distances from the centre of a row. The centre of row i is at i, and the axis points down.
_TEXT_ABOVE, _POINT_BELOW = -0.2, 0.15
_BASE_LINE = 0.3  # of a histogram; also the end of the line at 0
_HISTOGRAM_HEIGHT = 0.75  # height of the tallest bar
_HEADINGS_ABOVE = 0.75  # the headings of the medians and zeros, above the first row
# Horizontal positions of texts, as `_write` expects them
_CENTRE, _BESIDE_AXIS = 0.5, 1.08
_MEDIANS, _ZEROS = 1.04, 1.2  # two columns of texts beside the histograms


class PlotData(NamedTuple):
    """The data that all panels draw."""

    comparison: Comparison
    statistics: dict[str, BleuStatistics]
    lengths: dict[str, Comparison]
    """A range of reference lengths -> the comparison of its segments."""

    @property
    def systems(self) -> list[Compared]:
        """Return the systems in descending order of the scores. Each has a row of each panel."""
        return self.comparison.ranked

    @property
    def is_one(self) -> bool:
        """Return whether there is only one system."""
        return not self.comparison.pairs

    @property
    def score_label(self) -> str:
        """Return the axis label of scores, such as "BLEU, 95 % intervals"."""
        has_intervals = self.comparison.n_resamples
        return f"BLEU, {level_text(self.comparison.confidence)} intervals" if has_intervals else "BLEU"

    @property
    def difference_label(self) -> str:
        """Return the axis label of differences, such as "difference from baseline"."""
        return f"difference from {drawn_name(self.comparison.baseline.name)}"

    @property
    def point_label(self) -> str:
        """Return what filled points mean, or why all points are open."""
        comparison = self.comparison
        if comparison.is_tested and not comparison.has_too_few_segments:
            return f"filled: p < {significance_level(comparison.confidence)} (Holm)"
        return comparison.outcome(comparison.systems[0])


Point = tuple[float, float, float]  # a value and the ends of its interval


class Cell(NamedTuple):
    """One system's entry in a column of a panel: a text, and a point with an interval."""

    text: str
    point: Point
    style: Style = _MARK
    colour: str = TEXT


def _score_point(system: Compared) -> Point:
    return system.interval.score, system.interval.low, system.interval.high


def _difference_point(system: Compared) -> Point:
    return system.delta or 0.0, system.delta_low or 0.0, system.delta_high or 0.0


Columns = Mapping[str, Sequence[Cell]]  # heading -> one cell per system


def _draw_scores(figure: FigureBase, data: PlotData) -> None:
    """Draw scores with intervals and, if there are several systems, their differences from the baseline."""
    columns = {
        data.score_label: [Cell(percent(system.interval.score), _score_point(system)) for system in data.systems]
    }
    label = ""
    if not data.is_one:
        columns[data.difference_label] = [_difference_cell(data.comparison, system) for system in data.systems]
        label = data.point_label
    _draw_columns(figure, data, columns, label, draw_column=_draw_beside_points)


def _difference_cell(comparison: Comparison, system: Compared) -> Cell:
    """Return a cell with a system's difference from the baseline. The style of the point shows the test's outcome."""
    style = _POINTS[comparison.outcome(system)]
    text = "baseline" if style is _ZERO else signed_percent(system.delta or 0.0)
    return Cell(text, _difference_point(system), style, colour=style["color"])


def _draw_precisions(figure: FigureBase, data: PlotData) -> None:
    """Draw the systems' precisions, with one column per n-gram order."""
    scores = [score(data.statistics[system.name]) for system in data.systems]
    baseline = score(data.statistics[data.comparison.baseline.name])
    columns = {}
    for index in range(len(baseline.precisions)):
        cells = []
        for system, own in zip(data.systems, scores, strict=True):
            precision = _precision(own, index)
            shown = precision if data.is_one else precision - _precision(baseline, index)
            text = percent(precision) if own.counts[index] else f"0 of {own.totals[index]:,}"
            cells.append(Cell(text, (shown, shown, shown), _MARK if data.is_one or system.baseline else _ZERO))
        columns[f"{index + 1}-grams"] = cells

    label = "" if data.is_one else data.difference_label
    _draw_columns(figure, data, columns, label, draw_column=_draw_beside_points)


def _precision(own_score: BleuScore, index: int) -> float:
    """Return a precision, or 0 without a match, even if smoothing raises the precision."""
    return own_score.precisions[index] if own_score.counts[index] else 0.0


def _draw_lengths(figure: FigureBase, data: PlotData) -> None:
    """Draw the systems' scores, with one column per range of reference lengths."""
    columns = {}
    for label, comparison in data.lengths.items():
        by_name = {system.name: system for system in comparison.ranked}
        cells = [_length_cell(data, comparison, by_name[system.name]) for system in data.systems]
        columns[f"{label}\nn = {comparison.segments:,}"] = cells
    if not columns:
        figure.text(0.5, 0.5, f"no range of lengths has {MIN_SEGMENTS} segments", ha="center", **_LABEL)
        return
    label = data.score_label if data.is_one else data.difference_label
    _draw_columns(figure, data, columns, label, draw_column=_draw_above_points)


def _length_cell(data: PlotData, comparison: Comparison, system: Compared) -> Cell:
    """Return a cell with a score as text. The point shows the difference or, for a single system, the score."""
    text = percent(system.interval.score)
    if data.is_one:
        return Cell(text, _score_point(system))
    return Cell(text, _difference_point(system), _POINTS[comparison.outcome(system)])


def _draw_columns(
    figure: FigureBase,
    data: PlotData,
    columns: Columns,
    label: str,
    draw_column: Callable[[Axes, str, Sequence[Cell]], None],
) -> None:
    """Draw columns side by side, with one row per system. `label`: the label below the columns."""
    from matplotlib.ticker import MaxNLocator

    # Two columns are scores and differences, which have different scales
    has_one_scale = len(columns) > 2
    # Many columns are narrow, with space for fewer labels
    most_steps = 2 if has_one_scale else 3
    [plots] = figure.subplots(1, len(columns), sharex=has_one_scale, sharey=True, squeeze=False)
    for axes, (heading, cells) in zip(plots, columns.items(), strict=True):
        _list_systems(axes, data.systems)
        draw_column(axes, heading, cells)
        # Leave space at both ends
        axes.margins(x=0.1)
        axes.tick_params(axis="x", labelsize=8)
        axes.xaxis.set_major_locator(MaxNLocator(most_steps, steps=[1, 2, 5, 10]))
        # Write complete numbers, not differences from an offset
        axes.ticklabel_format(axis="x", useOffset=False)
    if has_one_scale:
        low, high = plots[0].get_xlim()
        ticks = [tick for tick in plots[0].get_xticks() if low <= tick <= high]
        plots[0].set_xticks([ticks[0], ticks[-1]])  # of all columns, which are narrow
    figure.supxlabel(label, **_LABEL)


def _draw_beside_points(axes: Axes, heading: str, cells: Sequence[Cell]) -> None:
    """Draw a column's points, and write the texts to the right of the axis."""
    axes.set_title(heading, loc="left", **_LABEL)
    for row, cell in enumerate(cells):
        _write(axes, cell.text, _BESIDE_AXIS, row, color=cell.colour)
        _draw_point(axes, cell, row)
    if _are_differences(cells):
        axes.axvline(0, color=QUIET, linewidth=1)


def _draw_above_points(axes: Axes, heading: str, cells: Sequence[Cell]) -> None:
    """Draw the points of a narrow column, and write the text of each point above it."""
    axes.set_title(heading, **_LABEL)
    for row, cell in enumerate(cells):
        _write(axes, cell.text, _CENTRE, row + _TEXT_ABOVE, ha="center", bbox=_OVER_GRID)
        _draw_point(axes, cell, row + _POINT_BELOW)

    if _are_differences(cells):
        axes.grid(visible=False)
        # Texts are above the centre of a row, so draw the line at 0 only below the centre
        for row in range(len(cells)):
            axes.vlines(0, row, row + _BASE_LINE, color=QUIET, linewidth=1)


def _are_differences(cells: Sequence[Cell]) -> bool:
    return any(cell.style is _ZERO for cell in cells)


def _draw_point(axes: Axes, cell: Cell, height: float) -> None:
    """Draw a cell's point on a horizontal line, the interval."""
    value, low, high = [100 * number for number in cell.point]  # in percent
    axes.plot((low, high), (height, height), color=cell.style["color"], linewidth=1.5, solid_capstyle="butt")
    # A point at an end of the axis is not cut off
    axes.plot(value, height, clip_on=False, **cell.style)


def _write(axes: Axes, text: str, x: float, height: float, **style: Any) -> None:
    """Write a text at (`x`, `height`). For `x`, 0 is the left end of the axis, and 1 is the right end."""
    x_in_axes_y_in_data = axes.get_yaxis_transform()
    axes.text(x, height, text, transform=x_in_axes_y_in_data, va="center", **_VALUE | style)


def _list_systems(axes: Axes, systems: Sequence[Compared], space_above: float = 0.6, space_below: float = 0.6) -> None:
    """Write the systems' names along the vertical axis. Replace the frame with vertical grid lines.

    `space_above`: height above the centre of the first row. `space_below`: height below the centre of the last row.
    """
    last_row = len(systems) - 1
    # The larger end comes first, so that the axis points down
    axes.set_ylim(last_row + space_below, -space_above)
    axes.set_yticks(range(len(systems)), labels=[drawn_name(system.name) for system in systems])
    axes.tick_params(axis="x", length=0, colors=QUIET, labelsize=9)
    axes.tick_params(axis="y", length=0, colors=TEXT, labelsize=10)

    axes.spines[:].set_visible(False)
    # A transparent background cannot hide texts beside the column to the left
    axes.patch.set_alpha(0)
    axes.grid(axis="x", color=LINE, linewidth=0.8)
    axes.set_axisbelow(True)


def _draw_sentences(figure: FigureBase, data: PlotData) -> None:
    """Draw sentence scores: for each system, a histogram of scores above 0, the median, and the percentage of zeros."""
    axes = figure.subplots()
    _list_systems(axes, data.systems, space_above=_HEADINGS_ABOVE + 0.2, space_below=0.5)
    distributions = [distribution(data.statistics[system.name]) for system in data.systems]
    counts = np.array([system.sentences for system in distributions])
    # If all scores are 0, all counts are 0
    heights = _HISTOGRAM_HEIGHT * counts / max(counts.max(), 1)

    for row, system in enumerate(distributions):
        base_line = row + _BASE_LINE
        _draw_histogram(axes, base_line, heights[row])
        axes.plot(100 * system.median, base_line, clip_on=False, **_MARK)
        _write(axes, percent(system.median), _MEDIANS, row)
        zeros = percent(system.zeros / data.comparison.segments, 0)
        _write(axes, f"{zeros} %", _ZEROS, row)

    _write(axes, "median", _MEDIANS, -_HEADINGS_ABOVE, **_LABEL)
    _write(axes, "at 0", _ZEROS, -_HEADINGS_ABOVE, **_LABEL)
    axes.set(xlim=(0, 100), xticks=[0, 25, 50, 75, 100])
    axes.set_xlabel("sentence BLEU; mark: median", **_LABEL)


def _draw_histogram(axes: Axes, base_line: float, heights: Floats) -> None:
    edges = np.linspace(0, 100, BINS + 1)
    tops = base_line - heights  # minus, because the axis points down
    axes.stairs(tops, edges, baseline=base_line, fill=True, color=LINE)
    axes.stairs(tops, edges, baseline=None, color=BAR, linewidth=1.2)
    axes.hlines(base_line, xmin=0, xmax=100, color=BAR, linewidth=0.8)


# Heading of a panel -> function that draws the panel. A row of the figure has two panels
PANELS = {
    "Corpus BLEU": _draw_scores,
    "Precision by n-gram order, %": _draw_precisions,
    "Sentence scores": _draw_sentences,
    "BLEU by reference length in tokens": _draw_lengths,
}
