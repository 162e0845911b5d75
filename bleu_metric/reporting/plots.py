"""Draw one figure about one or more systems. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._display import escape_controls, percent, segments_note, shorten
from .._statistics import BleuStatistics
from ..comparison.checks import check_systems
from ..comparison.ranking import rank_systems
from .figures import LONGEST_NAME, check_path, finish_figure, import_matplotlib, new_figure
from .panels import PANELS, QUIET, TEXT, PlotData

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LABELS_HEIGHT = 1.2  # inches that a panel needs for its heading, ticks and label


def plot(
    systems: BleuStatistics | Mapping[str, BleuStatistics],
    path: str | Path | None = None,
    *,
    title: str | None = None,
) -> Figure:
    """Draw one figure with scores, precisions by n-gram order, sentence scores, and scores by reference length.

    Each of the four charts has one row per system, in descending order of the scores. The charts show scores with
    bootstrap intervals and, if there are several systems, the differences from the first system of the mapping.

    Args:
        systems: counts with one row per segment, as `corpus_statistics` returns them. For several systems (up to about
            15), a mapping from names to such counts of the same segments.
        path: the file to write, as ``.png``, ``.svg`` or ``.pdf``. An existing file is replaced only after the new
            one is complete. By default nothing is written.
        title: title of the figure.

    Returns:
        A matplotlib ``Figure`` that is not registered with pyplot. Scores and precisions are in percent. If Noto fonts
        are installed, names may be in scripts that matplotlib's own font lacks. Before version 3.11, matplotlib does
        not join Arabic letters.

    Raises:
        ImportError: matplotlib is not installed.
        OSError: the file cannot be written, for example because it exists and is write-protected.
        TypeError: `systems` is neither counts nor a mapping from names to counts.
        ValueError: there is no system; counts are sums or have no rows; systems have different settings or different
            segments; `weights` is a list of lists; or `path` does not end in ``.png``, ``.svg`` or ``.pdf``.

    >>> from bleu_metric import corpus_statistics
    >>> figure = plot(corpus_statistics(["the cat sat on the mat"], ["the cat sat on a mat"]))
    >>> [axes.get_title(loc="left") for axes in figure.axes][1:5]
    ['1-grams', '2-grams', '3-grams', '4-grams']
    """
    target = None if path is None else check_path(path)
    import_matplotlib()
    data = plot_data(systems)
    figure = _draw_figure(data, title)
    finish_figure(figure, target)
    return figure


def plot_data(systems: BleuStatistics | Mapping[str, BleuStatistics], confidence: float = 0.95) -> PlotData:
    """Check the systems, score them, compare each with the first one, and return the data that the panels draw."""
    named = {"": systems} if isinstance(systems, BleuStatistics) else systems
    check_systems(named, "draw")
    ranking = rank_systems(named, confidence)
    names = [shorten(escape_controls(name), LONGEST_NAME) for name in ranking.names]
    return PlotData(names, ranking, dict(named), confidence)


def _draw_figure(data: PlotData, title: str | None) -> Figure:
    heights = [height * len(data.names) + _LABELS_HEIGHT for height, _ in PANELS]
    figure = new_figure(12.5, sum(heights) + 0.9)
    heading = escape_controls(title) if title else _default_title(data)
    signature = data.ranking.systems[0].score.signature
    figure.suptitle(heading, fontsize="x-large", color=TEXT)
    figure.supxlabel(signature, fontsize=7, color=QUIET)
    rows: Any = figure.subfigures(len(PANELS), 1, height_ratios=heights)
    for row, (_, panels) in zip(rows, PANELS, strict=True):
        parts = row.subfigures(1, len(panels))
        for part, (name, draw) in zip(parts, panels.items(), strict=True):
            part.suptitle(name, x=0.02, ha="left", fontsize="large", color=TEXT)
            draw(part, data)
    return figure


def _default_title(data: PlotData) -> str:
    best, *others = data.ranking.systems
    subject = f"{len(data.names)} systems" if others else f"BLEU {percent(best.bleu.value)}"
    segments = len(data.statistics[best.name])
    return f"{subject}, {segments_note(segments)}"
