"""Draw a heat map of pairwise scores. Needs matplotlib."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .._display import escape_controls
from .._validation import Floats, Ints, short_repr
from .figures import check_path, drawn_name, finish_figure, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

_MOST_NUMBERS = 14  # with more rows or columns, cells show colours without numbers
_MOST_NAMES = 40  # with more rows or columns, only every second, third, … name is drawn
_LONGEST_HORIZONTAL = 3  # if one column has a longer name, the names of all columns are vertical
_EMPTY = "#d9dde2"  # colour of empty cells
_DARK_BELOW = 0.6  # share of the highest score; cells with lower scores are dark, so their numbers are white
_ALMOST_1 = 1 - 1e-9  # rounding errors can make the score of a text with itself slightly smaller than 1


def plot_pairwise(
    scores: Floats,
    path: str | Path | None = None,
    *,
    names: Sequence[str] | None = None,
    column_names: Sequence[str] | None = None,
    sort: bool = True,
    title: str | None = None,
) -> Figure:
    """Draw the matrix that `pairwise_bleu` returns as a heat map, in percent.

    If the matrix is square and every score on its diagonal is 1, rows and columns are assumed to be the same texts. The
    diagonal is then left empty, so that the colours distinguish the other scores. If there are at most 14 rows and 14
    columns, each cell that is not empty shows its score.

    Args:
        scores: array of shape (N, M), on a scale of 0 to 1.
        path: the file to write, as ``.png``, ``.svg`` or ``.pdf``. By default nothing is written.
        names: names of the rows. By default, each row is named by its index.
        column_names: names of the columns. The default is `names` if rows and columns are the same texts, else indices.
        sort: if True, sort rows and columns by descending mean score, so that outliers come last.
        title: title of the figure.

    Returns:
        A matplotlib ``Figure`` that is not registered with pyplot.

    Raises:
        ImportError: matplotlib is not installed.
        TypeError: `scores` is not a two-dimensional array.
        ValueError: `scores` is empty, a list of names has the wrong length, or `path` does not end in
            ``.png``, ``.svg`` or ``.pdf``.

    >>> from bleu_metric import pairwise_bleu
    >>> figure = plot_pairwise(pairwise_bleu(["a b c", "a b d", "x b c"], max_order=2))
    >>> [text.get_text() for text in figure.axes[0].texts][:4]
    ['58', '58', '58', '29']
    """
    _check_scores(scores)
    target = None if path is None else check_path(path)
    height, width = scores.shape
    rows = _names_to_draw("names", names, height)
    columns = _names_to_draw("column_names", column_names, width)
    percent = 100 * scores
    are_same_texts = height == width and np.diagonal(scores).min() > _ALMOST_1
    if are_same_texts:
        np.fill_diagonal(percent, np.nan)  # NaN: an empty cell
        columns = rows if column_names is None else columns
    if sort:
        row_order = _order(percent)
        column_order = row_order if are_same_texts else _order(percent.T)
        percent = percent[row_order][:, column_order]
        rows = [rows[index] for index in row_order]
        columns = [columns[index] for index in column_order]
    # 0.4 inches per cell, plus space for the names. Because of the limits, cells of a large matrix are smaller
    figure = new_figure(min(4 + 0.4 * width, 14), min(2.5 + 0.4 * height, 12))
    axes = figure.add_subplot()
    _draw(axes, percent, rows, columns)
    axes.set_title(escape_controls(title) if title else f"BLEU of {height} × {width} texts")
    finish_figure(figure, target)
    return figure


def _check_scores(scores: object) -> None:
    """Raise an error unless `scores` is an array with two dimensions and at least one item."""
    if not isinstance(scores, np.ndarray) or scores.ndim != 2:
        raise TypeError(f"scores must be an array of shape (N, M), as pairwise_bleu returns; got {short_repr(scores)}")
    if not scores.size:
        raise ValueError("scores is empty; give at least one row and one column")


def _names_to_draw(argument: str, names: Sequence[str] | None, size: int) -> list[str]:
    """Return `size` names, shortened for drawing. The default is the indices "0", "1" and so on.

    Raise ``ValueError`` if there are more or fewer names. The message contains `argument`, the argument of the caller.
    """
    if names is None:
        return [str(index) for index in range(size)]
    if isinstance(names, str) or len(names) != size:
        raise ValueError(f"{argument} must be a list of {size} names, got {short_repr(names)}")
    return [drawn_name(str(name)) for name in names]


def _order(percent: Floats) -> Ints:
    """Return the indices of the rows in order of descending mean score. An empty cell counts as 0."""
    means = np.nan_to_num(percent).mean(axis=1)
    return np.argsort(-means, kind="stable")


def _draw(axes: Axes, percent: Floats, rows: list[str], columns: list[str]) -> None:
    """Draw the cells, the names of the rows and columns, and a colour bar."""
    from matplotlib import colormaps

    colours = colormaps["viridis"].with_extremes(bad=_EMPTY)
    highest = np.nanmax(percent, initial=0.0) or 1.0
    image = axes.imshow(percent, cmap=colours, vmin=0, vmax=highest, aspect="auto", interpolation="nearest")
    axes.figure.colorbar(image, ax=axes, label="BLEU in percent")
    axes.set_xlabel("reference")
    axes.set_ylabel("hypothesis")
    _name_axis(axes.yaxis, rows)
    _name_axis(axes.xaxis, columns)
    longest_name = max(map(len, columns))
    has_long_names = len(columns) > 1 and longest_name > _LONGEST_HORIZONTAL
    axes.tick_params(axis="x", rotation=90 if has_long_names else 0)
    if max(percent.shape) <= _MOST_NUMBERS:
        _write_scores(axes, percent, highest)


def _write_scores(axes: Axes, percent: Floats, highest: float) -> None:
    """Write each score into its cell: white on the dark colours of low scores, black on the light ones."""
    for (row, column), value in np.ndenumerate(percent):
        if not np.isnan(value):
            colour = "white" if value < _DARK_BELOW * highest else "black"
            axes.text(column, row, f"{value:.0f}", ha="center", va="center", color=colour, fontsize="small")


def _name_axis(axis: Axis, names: list[str]) -> None:
    """Label the rows or the columns. If there are too many, label only every second one, every third one, and so on."""
    step = math.ceil(len(names) / _MOST_NAMES)
    named = range(0, len(names), step)
    axis.set_ticks(named, [names[index] for index in named])
