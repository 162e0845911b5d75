"""The panels of a figure: scores, precisions, sentence scores, scores by reference length. Needs matplotlib.

Each system has a row or a small panel of its own, with its name beside it: no legend, and no colour that tells systems
apart. The forms are known ones: dot plots (Cleveland and McGill 1984, https://doi.org/10.1080/01621459.1984.10478080),
small multiples (Tufte 1983), and, for scores with intervals beside a line of no difference, the forest plots of
meta-analyses (Lewis and Clarke 2001, https://doi.org/10.1136/bmj.322.7300.1479).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._bootstrap import bootstrap
from .._reference_length import units_per_token
from .._statistics import BleuStatistics, score, score_sentences
from .._validation import Floats, Ints
from ..comparison.ranking import Difference, RankedSystem, Ranking
from ..comparison.result import TOO_FEW

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase

_BUCKETS = 6  # of reference lengths; one more holds the longest
_SIDE_BY_SIDE = 2  # small panels
_ROW_HEIGHT = 0.26  # inches
_TALL_ROW_HEIGHT = 0.5
_SMALL_HEIGHT = 1.55  # inches, of a small panel
_AXIS_HEIGHT = 0.7  # inches, of ticks and label below an axis

_SMALL = 9.0  # points
# The light colours of the style sheet, by the names of its variables.
TEXT, QUIET, LINE, BAR = "#1a1d21", "#59626d", "#d5dae0", "#2a5d9f"
VARIABLES = {TEXT: "--text", QUIET: "--quiet", LINE: "--line", BAR: "--bar"}
PAPER = "#ffffff"
_POINT: dict[str, Any] = {"marker": "o", "markersize": 5, "color": BAR}
_BIN = 5  # width in percent, of sentence scores


class PlotData(NamedTuple):
    """What the panels show, with one entry per system, in order of falling score."""

    names: list[str]  # as they are shown
    statistics: list[BleuStatistics]
    ranking: Ranking
    baseline: int  # which of them
    confidence: float  # of the intervals

    @property
    def systems(self) -> list[RankedSystem]:
        """The scores of the systems."""
        return self.ranking.systems

    @property
    def compared(self) -> list[int]:
        """The systems that have a small panel: all but the baseline, which is drawn in each; or the only one."""
        return [index for index in range(len(self.names)) if index != self.baseline] or [0]


class Panel(NamedTuple):
    """One picture."""

    heading: str
    note: str
    draw: Callable[[FigureBase, PlotData], None]
    height: float  # inches


def page_panels(data: PlotData) -> list[Panel]:
    """Choose the panels for a page, which shows the scores, and the precisions of a single system, itself."""
    systems = len(data.names)
    lengths = Panel("BLEU by reference length", "Segments of similar length, scored together", _draw_lengths, 3.4)
    if systems == 1:
        note = "How many of the segments score at most so much"
        return [Panel("Sentence scores", note, _draw_one_distribution, 3.4), lengths]
    small_rows = -(-len(data.compared) // _SIDE_BY_SIDE)
    return [
        Panel(
            "Precision by n-gram order",
            "In percent, each order on a scale of its own",
            _draw_precisions,
            _ROW_HEIGHT * systems + _AXIS_HEIGHT,
        ),
        Panel(
            "Sentence scores",
            "How they are distributed above 0, and how many are 0",
            _draw_sentences,
            _TALL_ROW_HEIGHT * systems + _AXIS_HEIGHT,
        ),
        lengths._replace(height=_SMALL_HEIGHT * small_rows + _AXIS_HEIGHT),
    ]


def all_panels(data: PlotData) -> list[Panel]:
    """Choose the panels of a whole figure."""
    if len(data.names) == 1:
        precisions = Panel("Precision by n-gram order", "", _draw_one_precision, 3.4)
        return [precisions, *page_panels(data)]
    scores = Panel("Corpus BLEU", "", _draw_scores, _ROW_HEIGHT * len(data.names) + _AXIS_HEIGHT)
    return [scores, *page_panels(data)]


def style_axes(axes: Axes, grid: str) -> None:
    """Remove the box and the ticks; draw thin lines for the values of the axis `grid`, ``"x"`` or ``"y"``."""
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, colors=QUIET, labelsize=_SMALL)
    axes.grid(axis=grid, color=LINE, linewidth=0.8)  # type: ignore[arg-type]
    axes.set_axisbelow(True)
    axes.xaxis.label.set(color=QUIET, fontsize=_SMALL)
    axes.yaxis.label.set(color=QUIET, fontsize=_SMALL)
    axes.patch.set_alpha(0)


def _list_systems(axes: Axes, data: PlotData) -> None:
    """Name the systems along the vertical axis, the first at the top."""
    style_axes(axes, "x")
    axes.set_yticks(np.arange(len(data.names)), labels=data.names)
    axes.tick_params(axis="y", colors=TEXT, labelsize=10)
    axes.set_ylim(len(data.names) - 0.4, -0.6)


def _annotate(
    axes: Axes, text: str, at: tuple[float, float], offset: tuple[float, float] = (5, 0), **style: Any
) -> None:
    """Write a text beside a point; `offset` is in points."""
    style = {"va": "center", "color": TEXT, "fontsize": _SMALL, **style}
    axes.annotate(text, at, offset, textcoords="offset points", **style)


def _write_at_right(axes: Axes, text: str, row: float) -> None:
    axes.text(1, row, text, transform=axes.get_yaxis_transform(), va="center", ha="right", color=TEXT, fontsize=_SMALL)


def _draw_scores(figure: FigureBase, data: PlotData) -> None:
    """Draw the scores with their intervals and, beside them, the differences to the baseline."""
    differences = [system.difference for system in data.systems]
    has_differences = any(differences)
    columns = figure.subplots(1, 1 + has_differences, sharey=True, squeeze=False)[0]
    axes = columns[0]
    for row, system in enumerate(data.systems):
        interval = system.interval
        bounds = (float(interval.low), float(interval.high)) if interval else (system.bleu, system.bleu)
        _draw_interval(axes, row, system.bleu, bounds, f"{100 * system.bleu:.1f}")
    _list_systems(axes, data)
    axes.set_xlabel(f"BLEU, {100 * data.confidence:g} % intervals" if data.systems[0].interval else "BLEU")
    if has_differences:
        _draw_differences(columns[1], data, differences)


def _draw_differences(axes: Axes, data: PlotData, differences: Sequence[Difference | None]) -> None:
    axes.axvline(0, color=QUIET, linewidth=1)
    for row, difference in enumerate(differences):
        if difference is None:
            _annotate(axes, "baseline", (0, row), color=QUIET)
            continue
        bounds = difference.low, difference.high
        text = f"{100 * difference.value:+.1f}"
        _draw_interval(axes, row, difference.value, bounds, text, fill=BAR if difference.is_significant else PAPER)
    _list_systems(axes, data)
    axes.tick_params(axis="y", labelleft=False)
    comparison = data.ranking.comparison
    is_too_few = comparison is not None and comparison.has_too_few_segments
    legend = TOO_FEW if is_too_few else f"filled: p < {1 - data.confidence:.2g} (Holm)"
    axes.set_xlabel(f"difference to {data.names[data.baseline]}\n{legend}")


def _draw_interval(axes: Axes, row: int, value: float, bounds: tuple[float, float], text: str, fill: str = BAR) -> None:
    """Draw a value with its interval, and write it beside the interval."""
    low, high = bounds
    axes.plot([100 * low, 100 * high], [row, row], color=BAR, linewidth=1.5, solid_capstyle="butt")
    axes.plot([100 * value], [row], marker="o", markersize=6, color=BAR, markerfacecolor=fill, markeredgewidth=1.5)
    _annotate(axes, text, (100 * high, row))
    axes.margins(x=0.12)


def _draw_precisions(figure: FigureBase, data: PlotData) -> None:
    """Draw a column of points for each order, with its own scale: the orders differ more than the systems do."""
    percents = 100 * np.array([system.score.precisions for system in data.systems])
    orders = percents.shape[1]
    columns = figure.subplots(1, orders, sharey=True, squeeze=False)[0]
    rows = range(len(data.names))
    for order, (axes, values) in enumerate(zip(columns, percents.T, strict=True), 1):
        axes.axvline(values[data.baseline], color=LINE, linewidth=1.2)
        axes.plot(values, rows, linestyle="none", **_POINT)
        for row, value in zip(rows, values, strict=True):
            _write_at_right(axes, f"{value:.1f}", row)
        style_axes(axes, "x")
        axes.grid(visible=False)
        width = float(np.ptp(values)) or 1.0
        axes.set_xlim(values.min() - 0.35 * width, values.max() + 2.2 * width)
        axes.set_xticks([])
        axes.set_xlabel(f"{order}-grams")
    _list_systems(columns[0], data)
    columns[0].grid(visible=False)
    figure.supxlabel(f"line: {data.names[data.baseline]}", color=QUIET, fontsize=_SMALL)


def _draw_one_precision(figure: FigureBase, data: PlotData) -> None:
    percents = [100 * precision for precision in data.systems[0].score.precisions]
    orders = range(1, len(percents) + 1)
    axes = figure.subplots()
    axes.plot(orders, percents, marker="o", markersize=6, color=BAR, linewidth=1.5)
    for order, percent in zip(orders, percents, strict=True):
        _annotate(axes, f"{percent:.1f}", (order, percent), (7, 4), va="baseline")
    style_axes(axes, "y")
    axes.set_xticks(orders)
    axes.set_xlim(0.7, len(percents) + 0.6)
    axes.set_ylim(0, max(1.0, 1.1 * max(percents)))
    axes.set_xlabel("order")
    axes.set_ylabel("precision, %")


def _small_panels(figure: FigureBase, data: PlotData) -> Iterator[tuple[Axes, int]]:
    """Yield the axes of a small panel for each system that is compared, and the system; its name stands above."""
    compared = data.compared
    columns = min(_SIDE_BY_SIDE, len(compared))
    rows = -(-len(compared) // columns)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for unused in grid[len(compared) :]:
        unused.set_visible(False)
    for index, system in enumerate(compared):
        axes = grid[index]
        yield axes, system
        style_axes(axes, "y")
        if len(data.names) > 1:
            axes.set_title(data.names[system], loc="left", fontsize=10, color=TEXT)
        is_last_in_column = index + columns >= len(compared)
        axes.tick_params(axis="x", labelbottom=is_last_in_column)


def _draw_sentences(figure: FigureBase, data: PlotData) -> None:
    """Draw a row for each system: the distribution of its sentence scores above 0, its median, and the share of 0."""
    edges = np.arange(0, 101, _BIN)
    scores = [100 * score_sentences(statistics) for statistics in data.statistics]
    percents = [_percents_in_bins(values, edges) for values in scores]
    tallest = max(float(heights.max()) for heights in percents) or 1.0
    axes = figure.subplots()
    for row, (values, heights) in enumerate(zip(scores, percents, strict=True)):
        tops = row - 0.75 * heights / tallest
        axes.stairs(tops, edges, baseline=row, fill=True, color=LINE)
        axes.stairs(tops, edges, baseline=None, color=BAR, linewidth=1.2)
        axes.plot([0, 100], [row, row], color=BAR, linewidth=0.8)
        median = float(np.median(values))
        axes.plot([median], [row], clip_on=False, **_POINT)
        is_at_end = median > 90
        side = "right" if is_at_end else "center"
        _annotate(axes, f"{median:.1f}", (median, row), (4 * is_at_end, 5), va="bottom", ha=side)
        _write_at_right(axes, f"{100 * (values == 0).mean():.0f} %", row - 0.17)
    _list_systems(axes, data)
    axes.set_ylim(len(data.names) - 0.5, -1.05)
    axes.set_xlim(0, 118)
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.text(1, 0, "at 0", transform=axes.transAxes, ha="right", va="bottom", color=QUIET, fontsize=_SMALL)
    axes.set_xlabel("sentence BLEU; point: median")


def _percents_in_bins(values: Floats, edges: Ints) -> Floats:
    """Compute how many percent of the values are above one edge and up to the next; a value of 0 is in none."""
    bins = np.searchsorted(edges, values.round(9), side="left")
    bins = np.minimum(bins, len(edges) - 1)  # what rounding lifts above the last edge
    percents: Floats = 100 * np.bincount(bins, minlength=len(edges))[1:] / len(values)
    return percents


def _draw_one_distribution(figure: FigureBase, data: PlotData) -> None:
    """Draw the empirical distribution of one system's sentence scores."""
    grid = np.arange(0, 101)
    scores = 100 * score_sentences(data.statistics[0])
    percents = _percents_up_to(scores, grid)
    axes = figure.subplots()
    axes.plot(grid, percents, color=BAR, linewidth=1.8, drawstyle="steps-post")
    zeros = 100 * float((scores == 0).mean())
    labels = [(0.0, zeros, f"{zeros:.0f} % at 0")] if zeros else []
    for share in (25, 50, 75):
        score_there = float(np.quantile(scores, share / 100))
        if score_there > 0:
            labels.append((score_there, share, f"{share} % up to {score_there:.1f}"))
    for score_there, height, text in labels:
        axes.plot([score_there], [height], **_POINT)
        side, offset = ("right", -8) if score_there > 70 else ("left", 8)
        _annotate(axes, text, (score_there, height), (offset, -4), va="top", ha=side)
    style_axes(axes, "y")
    axes.set_xlim(-2, 102)
    axes.set_ylim(0, 103)
    axes.set_yticks([0, 25, 50, 75, 100])
    axes.set_xlabel("sentence BLEU")
    axes.set_ylabel("segments up to there, %")


def _percents_up_to(values: Floats, limits: Ints) -> Floats:
    """Compute how many percent of the values are at most as large as each limit; rounding lifts none above it."""
    in_order = np.sort(values.round(9))
    percents: Floats = 100 * np.searchsorted(in_order, limits, side="right") / len(values)
    return percents


def _draw_lengths(figure: FigureBase, data: PlotData) -> None:
    """Draw the score of the segments of each length, with its interval."""
    buckets, labels = length_buckets(data.statistics)
    filled, sizes = np.unique(buckets, return_counts=True)
    positions = np.arange(len(filled))
    bounds = [_scores_of_buckets(statistics, buckets, data.confidence) for statistics in data.statistics]
    for axes, system in _small_panels(figure, data):
        if system != data.baseline:
            axes.plot(positions, bounds[data.baseline][1], color=QUIET, linewidth=1.2)
        low, values, high = bounds[system]
        axes.vlines(positions, low, high, color=BAR, linewidth=1.5)
        axes.plot(positions, values, linewidth=1.2, **_POINT)
        axes.set_xlim(-0.5, len(filled) - 0.5)
        texts = [f"{_label(labels[bucket], data)}\n{size:,}" for bucket, size in zip(filled, sizes, strict=True)]
        axes.set_xticks(positions, labels=texts, fontsize=7.5 if len(data.compared) > 1 else _SMALL)
    start = ", from" if len(data.compared) > 1 else ""
    grey = f"; grey: {data.names[data.baseline]}" if len(data.names) > 1 else ""
    figure.supxlabel(f"reference length in tokens{start}; segments{grey}", color=QUIET, fontsize=_SMALL)
    figure.supylabel("BLEU", color=QUIET, fontsize=_SMALL)


def _label(label: str, data: PlotData) -> str:
    """Return a label, or the start of its range alone, for which a small panel has room."""
    return label.split("–")[0].removeprefix("≥") if len(data.compared) > 1 else label


def _scores_of_buckets(statistics: BleuStatistics, buckets: Ints, confidence: float) -> Floats:
    """Score the segments of each bucket that has any: low, value and high of each, in percent."""
    rows = []
    for bucket in np.unique(buckets):
        in_bucket = statistics[buckets == bucket]
        low = high = bleu = float(np.ravel(score(in_bucket).bleu)[0])
        if len(in_bucket) > 1:
            interval = bootstrap(in_bucket, confidence=confidence)
            low, high = float(interval.low), float(interval.high)
        rows.append((low, bleu, high))
    percents: Floats = 100 * np.array(rows).T
    return percents


def length_buckets(statistics: Sequence[BleuStatistics]) -> tuple[Ints, list[str]]:
    """Put segments of similar reference length into one bucket: the bucket of each segment, and the buckets' labels.

    The length is the mean over the systems: of several references, each system may be compared with another one.
    """
    stored = np.mean([counts.reference_lengths for counts in statistics], axis=0)
    lengths = stored / units_per_token(statistics[0].config.reference_length)
    width = _bucket_width(lengths)
    buckets = np.minimum(lengths // width, _BUCKETS).astype(np.int64)
    starts = range(0, width * (int(buckets.max()) + 1), width)
    labels = [str(start) if width == 1 else f"{start}–{start + width - 1}" for start in starts]
    if len(labels) > _BUCKETS:
        labels[-1] = f"≥{width * _BUCKETS}"
    return buckets, labels


def _bucket_width(lengths: Floats) -> int:
    """Return the least of 1, 2, 5, 10, 20, 50, … with which nearly all lengths fit into the buckets."""
    nearly_longest = float(np.quantile(lengths, 0.95))
    widths = (step * int(10**power) for power in count() for step in (1, 2, 5))
    return next(width for width in widths if nearly_longest < _BUCKETS * width)
