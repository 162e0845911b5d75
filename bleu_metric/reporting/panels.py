"""The panels of a figure: corpus scores, precisions, sentence scores, scores by reference length. Needs matplotlib.

Up to `MOST_WITH_BARS` systems are drawn as bars side by side, more as lines or boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._arrays import Floats, Ints
from .._reference_length import units_per_token
from .._score import BleuScore, score, score_sentences
from .._statistics import BleuStatistics

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_WITH_BARS = 4
_BUCKETS = 6  # of reference lengths; one more holds the longest
_HATCHES = ("", "///", "...", "xxx")
_MARKERS = "osD^vP*X<>ph8d"
_LINES = ("-", "--", "-.", ":")


class PlotData(NamedTuple):
    """What the panels show, with one entry per system; many systems are in order of falling score."""

    names: list[str]  # as they are shown
    statistics: list[BleuStatistics]
    scores: list[BleuScore]
    colours: list[Any]


Panel = Callable[["Axes", PlotData], None]


def panels(data: PlotData) -> dict[str, Panel]:
    """Functions that draw the panels, by heading."""
    totals: dict[str, Panel] = {"Corpus BLEU": _draw_totals} if len(data.names) > 1 else {}
    return {
        **totals,
        "Precision by n-gram order": _draw_precisions,
        "Sentence scores": _draw_sentences,
        "BLEU by reference length": _draw_lengths,
    }


def names_its_axis(draw: Panel, data: PlotData) -> bool:
    """Whether a panel writes the names of the systems along its axis, and needs no legend."""
    draws_boxes = draw is _draw_sentences and len(data.names) > MOST_WITH_BARS
    return draw is _draw_totals or draws_boxes


def bleu_of(result: BleuScore) -> float:
    """Take the score as one number: several lists of weights are refused before."""
    return float(result.bleu)


def bar_style(data: PlotData, place: int) -> dict[str, Any]:
    """How the bars of a system look, as options of matplotlib."""
    hatch = _HATCHES[place % len(_HATCHES)] if len(data.names) <= MOST_WITH_BARS else ""
    return {"facecolor": data.colours[place], "hatch": hatch, "edgecolor": "white", "linewidth": 0.5}


def line_style(place: int) -> dict[str, Any]:
    """How the line of a system looks, as options of matplotlib."""
    return {"marker": _MARKERS[place % len(_MARKERS)], "linestyle": _LINES[place % len(_LINES)]}


def _draw_totals(axes: Axes, data: PlotData) -> None:
    values = [100 * bleu_of(result) for result in data.scores]
    for place, value in enumerate(values):
        axes.barh(place, value, height=0.7, **bar_style(data, place))
        axes.annotate(f"{value:.1f}", (value, place), (4, 0), textcoords="offset points", va="center")
    _list_systems(axes, data)
    axes.set_xlim(0, max(1.0, 1.15 * max(values)))
    axes.set_xlabel("BLEU")


def _draw_precisions(axes: Axes, data: PlotData) -> None:
    percents = 100 * np.array([result.precisions for result in data.scores])
    orders = percents.shape[1]
    _draw_values(axes, data, [str(order) for order in range(1, orders + 1)], percents)
    axes.set_xlabel("order")
    axes.set_ylabel("precision, %")


def _draw_sentences(axes: Axes, data: PlotData) -> None:
    scores = [100 * score_sentences(statistics) for statistics in data.statistics]
    if len(scores) > MOST_WITH_BARS:
        _draw_boxes(axes, data, scores)
    else:
        _draw_histogram(axes, data, scores)


def _draw_histogram(axes: Axes, data: PlotData, scores: list[Floats]) -> None:
    upper_edges = np.arange(0, 101, 10)
    percents = np.array([_percents_in_bins(values, upper_edges) for values in scores])
    _draw_values(axes, data, [str(edge) for edge in upper_edges], percents)
    axes.set_xlabel("sentence BLEU, up to (0: exactly)")
    axes.set_ylabel("segments, %")


def _percents_in_bins(values: Floats, upper_edges: Ints) -> Floats:
    """How many percent of the values are in each bin; what rounding lifts above the last edge is in the last bin."""
    bins = np.searchsorted(upper_edges, values.round(9))
    bins = np.minimum(bins, len(upper_edges) - 1)
    sizes = np.bincount(bins, minlength=len(upper_edges))
    percents: Floats = sizes * 100 / len(values)
    return percents


def _draw_boxes(axes: Axes, data: PlotData, scores: list[Floats]) -> None:
    boxes = axes.boxplot(
        scores,
        positions=np.arange(len(scores)),
        widths=0.6,
        patch_artist=True,
        flierprops={"markersize": 2, "markeredgecolor": "0.5"},
        medianprops={"color": "black", "linewidth": 1.5},
        **_horizontal(),
    )
    for box, colour in zip(boxes["boxes"], data.colours, strict=True):
        box.set(facecolor=(*colour[:3], 0.6))
    _list_systems(axes, data)
    axes.set_xlabel("sentence BLEU: median, quartiles, range")


def _horizontal() -> dict[str, Any]:
    """The option of ``boxplot`` for horizontal boxes, in matplotlib's version."""
    import matplotlib

    return {"orientation": "horizontal"} if matplotlib.__version_info__ >= (3, 10) else {"vert": False}


def _list_systems(axes: Axes, data: PlotData) -> None:
    """Name the systems along the vertical axis, the first at the top."""
    axes.set_yticks(np.arange(len(data.names)), labels=data.names)
    axes.invert_yaxis()


def _draw_lengths(axes: Axes, data: PlotData) -> None:
    buckets, labels = length_buckets(data.statistics)
    values = np.full((len(data.names), len(labels)), np.nan)
    for bucket in np.unique(buckets):
        rows = buckets == bucket
        values[:, bucket] = [100 * bleu_of(score(statistics[rows])) for statistics in data.statistics]
    sizes = np.bincount(buckets, minlength=len(labels))
    labels_with_sizes = [f"{label}\n{size:,}" for label, size in zip(labels, sizes, strict=True)]
    _draw_values(axes, data, labels_with_sizes, values)
    axes.tick_params(axis="x", labelsize=8)
    axes.set_xlabel("reference length in tokens; segments")
    axes.set_ylabel("BLEU")


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
    """The least of 1, 2, 5, 10, 20, 50, … with which nearly all lengths fit into the buckets."""
    nearly_longest = float(np.quantile(lengths, 0.95))
    widths = (step * int(10**power) for power, step in product(range(10), (1, 2, 5)))
    return next(width for width in widths if nearly_longest < _BUCKETS * width)


def _draw_values(axes: Axes, data: PlotData, labels: list[str], values: Floats) -> None:
    """Draw bars side by side, or a line per system; `values` has the shape (systems, labels), NaN is not drawn."""
    places = np.arange(len(labels))
    if len(values) <= MOST_WITH_BARS:
        _draw_bars(axes, data, places, values)
    else:
        for system, row in enumerate(values):
            axes.plot(places, row, color=data.colours[system], markersize=5, linewidth=1.3, **line_style(system))
    axes.set_xticks(places, labels=labels)
    axes.set_xlim(-0.6, len(labels) - 0.4)
    axes.grid(axis="y", color="0.9")
    axes.set_axisbelow(True)


def _draw_bars(axes: Axes, data: PlotData, places: Ints, values: Floats) -> None:
    width = 0.8 / len(values)
    middle = (len(values) - 1) / 2
    for system, row in enumerate(values):
        axes.bar(places + (system - middle) * width, row, width, **bar_style(data, system))
    axes.set_ylim(0, max(1.0, 1.05 * np.nanmax(values)))
