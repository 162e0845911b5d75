"""A heat map of pairwise scores. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._display import escape_controls, shorten
from .._validation import Floats, Ints, short_repr
from .figures import LONGEST_NAME, check_path, finish_figure, import_matplotlib, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_NUMBERS = 14  # with more rows or columns, cells show colours without numbers
_MOST_NAMES = 40  # with more rows or columns, only every n-th has its name
_EMPTY = "#d9dde2"  # colour of the cells of an empty diagonal


def plot_pairwise(
    scores: Floats,
    path: str | Path | None = None,
    *,
    names: Sequence[str] | None = None,
    column_names: Sequence[str] | None = None,
    sort: bool = True,
    title: str | None = None,
) -> Figure:
    """Draw a matrix of `pairwise_bleu` as a heat map, in percent.

    If every score on the diagonal is 1, the rows and the columns are taken to be the same texts. The diagonal is then
    left empty, so that the colours distinguish the other scores. With at most 14 rows and columns, cells show numbers.

    Args:
        scores: array of shape (N, M), on a scale of 0 to 1.
        path: the file to write, as ``.png``, ``.svg`` or ``.pdf``. By default nothing is written.
        names: names of the rows. The default names are indices.
        column_names: names of the columns. The default is `names` if the columns are the same texts, else indices.
        sort: sort rows and columns by descending mean score, so that outliers come last.
        title: title of the figure.

    Returns:
        A matplotlib ``Figure`` that is not registered with pyplot.

    Raises:
        ImportError: matplotlib is not installed.
        TypeError: `scores` is not a two-dimensional array.
        ValueError: `scores` is empty, a list of names has the wrong length, or `path` has another suffix.

    >>> from bleu_metric import pairwise_bleu
    >>> figure = plot_pairwise(pairwise_bleu(["a b c", "a b d", "x b c"], max_order=2))
    >>> [text.get_text() for text in figure.axes[0].texts][:4]
    ['58', '58', '58', '29']
    """
    if not isinstance(scores, np.ndarray) or scores.ndim != 2:
        raise TypeError(f"scores must be an array of shape (N, M), as pairwise_bleu returns; got {short_repr(scores)}")
    if not scores.size:
        raise ValueError("scores is empty; give at least one row and one column")
    target = None if path is None else check_path(path)
    import_matplotlib()
    height, width = scores.shape
    is_square = height == width and bool((np.diagonal(scores) > 1 - 1e-9).all())
    rows = _names(names, height, "names")
    columns = rows if is_square and column_names is None else _names(column_names, width, "column_names")
    percent = 100 * scores
    if is_square:
        np.fill_diagonal(percent, np.nan)
    row_order, column_order = np.arange(height), np.arange(width)
    if sort:
        row_order = _order(percent)
        column_order = row_order if is_square else _order(percent.T)
    figure = new_figure(min(4 + 0.4 * width, 14), min(2.5 + 0.4 * height, 12))
    axes = figure.add_subplot()
    _draw(axes, percent[np.ix_(row_order, column_order)], figure)
    _name_axis(axes.yaxis, [rows[index] for index in row_order])
    _name_axis(axes.xaxis, [columns[index] for index in column_order])
    has_long_names = width > 1 and max(map(len, columns)) > 3
    axes.tick_params(axis="x", rotation=90 if has_long_names else 0)
    axes.set_title(escape_controls(title) if title else f"BLEU of {height} × {width} texts")
    finish_figure(figure, target)
    return figure


def _names(names: Sequence[str] | None, size: int, what: str) -> list[str]:
    if names is None:
        return list(map(str, range(size)))
    if isinstance(names, str) or len(names) != size:
        raise ValueError(f"{what} must be a list of {size} names, got {short_repr(names)}")
    return [shorten(escape_controls(str(name)), LONGEST_NAME) for name in names]


def _order(percent: Floats) -> Ints:
    """Return the indices of the rows in order of descending mean score."""
    means = np.nan_to_num(percent).mean(axis=1)
    return np.argsort(-means, kind="stable")


def _draw(axes: Axes, percent: Floats, figure: Figure) -> None:
    from matplotlib import colormaps

    colours = colormaps["viridis"].with_extremes(bad=_EMPTY)
    present = percent[~np.isnan(percent)]
    highest = float(present.max(initial=0.0)) or 1.0
    image = axes.imshow(percent, cmap=colours, vmin=0, vmax=highest, aspect="auto", interpolation="nearest")
    figure.colorbar(image, ax=axes, label="BLEU in percent")
    axes.set_xlabel("reference")
    axes.set_ylabel("hypothesis")
    if max(percent.shape) > _MOST_NUMBERS:
        return
    for (row, column), value in np.ndenumerate(percent):
        if not np.isnan(value):
            colour = "white" if value < 0.6 * highest else "black"
            axes.text(column, row, f"{value:.0f}", ha="center", va="center", color=colour, fontsize="small")


def _name_axis(axis: Any, names: list[str]) -> None:
    """Label the rows or the columns: all of them, or every n-th one if there are more than `_MOST_NAMES`."""
    step = -(-len(names) // _MOST_NAMES)
    named = range(0, len(names), step)
    axis.set_ticks(named, [names[index] for index in named])
