"""Draw one figure about one or more systems. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._display import amount, escape_controls, percent
from .._names import TestName
from .._statistics import BleuStatistics
from ..comparison.paired import compare_all_pairs
from ..comparison.result import Comparison
from .figures import check_path, finish_figure, new_figure
from .lengths import compare_lengths
from .panels import PANELS, QUIET, TEXT, PlotData

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Sizes of the figure in inches
_WIDTH = 12.5
_TITLE_HEIGHT = 1.1  # height of the title and the signatures together
_LABELS_HEIGHT = 1.2  # height of a panel's heading, ticks and label together
_HEIGHTS_PER_SYSTEM = (0.3, 0.55)  # height of a system's row in the upper and in the lower panels


def plot(
    systems: BleuStatistics | Mapping[str, BleuStatistics],
    path: str | Path | None = None,
    *,
    title: str | None = None,
    baseline: str | None = None,
    test: TestName = "bootstrap",
    n_resamples: int | None = None,
    seed: int = 12345,
    confidence: float = 0.95,
) -> Figure:
    """Draw one figure with scores, precisions by n-gram order, sentence scores, and scores by reference length.

    Each chart has one row per system, in descending order of scores. The charts show scores with
    bootstrap intervals and, if there are several systems, the differences from the best one or from `baseline`. A
    filled point is a significant difference.

    Args:
        systems: counts with one row per segment, as `corpus_statistics` returns them. For several systems (up to about
            15), a mapping from names to such counts of the same segments.
        path: the file to write, as ``.png``, ``.svg`` or ``.pdf``. An existing file is replaced only after the new
            one is complete. By default nothing is written.
        title: title of the figure.
        baseline: the name of the system from which differences are computed. By default the one with the best score.
        test: "bootstrap", "approximate-randomization" or "none". With "none", there are neither tests nor intervals.
        n_resamples: number of resamples, as for `paired_bootstrap`.
        seed: seed of the random numbers.
        confidence: confidence level of the intervals and tests, between 0 and 1.

    Returns:
        A matplotlib ``Figure`` that is not registered with pyplot. Scores and precisions are in percent. If Noto fonts
        are installed, names may be in scripts that matplotlib's own font lacks. Before version 3.11, matplotlib does
        not join Arabic letters.

    Raises:
        ImportError: matplotlib is not installed.
        OSError: the file cannot be written, e.g. because it exists and is write-protected.
        TypeError: `systems` is neither counts nor a mapping from names to counts.
        ValueError: there is no system; counts are sums or have no rows; systems have different settings or different
            segments; an argument of the test is out of range; or `path` does not end in ``.png``, ``.svg`` or ``.pdf``.

    >>> from bleu_metric import corpus_statistics
    >>> figure = plot(corpus_statistics(["the cat sat on the mat"], ["the cat sat on a mat"]))
    >>> [axes.get_title(loc="left") for axes in figure.axes][1:5]
    ['1-grams', '2-grams', '3-grams', '4-grams']
    """
    target = None if path is None else check_path(path)
    named = {"": systems} if isinstance(systems, BleuStatistics) else systems
    settings = {"n_resamples": n_resamples, "seed": seed, "confidence": confidence}
    return draw(named, target, title, compare_all_pairs(named, test, baseline, **settings), test, **settings)


def draw(
    named: Mapping[str, BleuStatistics],
    target: Path | None,
    title: str | None,
    comparison: Comparison,
    test: TestName,
    **settings: Any,
) -> Figure:
    """Draw a figure of compared systems as `plot` does."""
    baseline = comparison.baseline.name
    lengths = compare_lengths({baseline: named[baseline], **named}, test, **settings)
    data = PlotData(comparison, dict(named), lengths)
    figure = _draw_figure(data, escape_controls(title) if title else _default_title(data))
    finish_figure(figure, target)
    return figure


def _draw_figure(data: PlotData, title: str) -> Figure:
    n_systems = len(data.systems)
    # The figure has two rows of panels
    row_heights = [_LABELS_HEIGHT + n_systems * height for height in _HEIGHTS_PER_SYSTEM]
    figure = new_figure(_WIDTH, sum(row_heights) + _TITLE_HEIGHT)
    figure.suptitle(title, fontsize="x-large", color=TEXT)
    figure.supxlabel(data.comparison.signature, fontsize=7, color=QUIET)

    panels: Any = figure.subfigures(2, 2, height_ratios=row_heights)
    for panel, (heading, draw) in zip(panels.flat, PANELS.items(), strict=True):
        panel.suptitle(heading, x=0.02, ha="left", fontsize="large", color=TEXT)
        draw(panel, data)
    return figure


def _default_title(data: PlotData) -> str:
    """Return a title such as "3 systems, 100 segments" or, for one system, "BLEU 34.5, 100 segments"."""
    best, *others = data.systems
    subject = f"{len(data.systems)} systems" if others else f"BLEU {percent(best.interval.score)}"
    return f"{subject}, {amount(data.comparison.segments, 'segment')}"
