"""Draw a heat map of pairwise scores. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._display import escape_controls, shorten
from .._validation import Floats, Ints, short_repr
from .figures import LONGEST_NAME, check_path, finish_figure, import_matplotlib, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_NUMBERS = 14  # with more rows or columns, cells show colours without numbers
_MOST_NAMES = 40  # with more rows or columns, only every second, third, … name is drawn
_EMPTY = "#d9dde2"  # colour of empty cells


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
    if not isinstance(scores, np.ndarray) or scores.ndim != 2:
        raise TypeError(f"scores must be an array of shape (N, M), as pairwise_bleu returns; got {short_repr(scores)}")
    if not scores.size:
        raise ValueError("scores is empty; give at least one row and one column")
    target = None if path is None else check_path(path)
    import_matplotlib()
    matrix = _Matrix(100 * scores, *_names_of_both(scores, names, column_names))
    if _are_same_texts(scores):
        np.fill_diagonal(matrix.percent, np.nan)
    if sort:
        matrix = matrix.in_order()
    height, width = scores.shape
    figure = new_figure(min(4 + 0.4 * width, 14), min(2.5 + 0.4 * height, 12))
    axes = figure.add_subplot()
    _draw(axes, matrix, figure)
    axes.set_title(escape_controls(title) if title else f"BLEU of {height} × {width} texts")
    finish_figure(figure, target)
    return figure


def _are_same_texts(scores: Floats) -> bool:
    """Return whether rows and columns are probably the same texts: the matrix is square, its diagonal all ones."""
    height, width = scores.shape
    return height == width and bool(np.diagonal(scores).min() > 1 - 1e-9)


class _Matrix(NamedTuple):
    """The scores to draw, with the names of the rows and columns."""

    percent: Floats  # scores in percent; NaN is an empty cell
    rows: list[str]
    columns: list[str]

    def in_order(self) -> _Matrix:
        """Sort rows and columns by descending mean score. If both are the same texts, use the rows' order for both."""
        row_order = _order(self.percent)
        is_square = bool(np.isnan(self.percent).any())
        column_order = row_order if is_square else _order(self.percent.T)
        percent = self.percent[row_order][:, column_order]
        rows = [self.rows[index] for index in row_order]
        columns = [self.columns[index] for index in column_order]
        return _Matrix(percent, rows, columns)


def _names_of_both(
    scores: Floats, names: Sequence[str] | None, column_names: Sequence[str] | None
) -> tuple[list[str], list[str]]:
    """Return the names of the rows and the names of the columns, shortened for drawing."""
    height, width = scores.shape
    rows = _names(names, height, "names")
    if column_names is None and _are_same_texts(scores):
        return rows, rows
    return rows, _names(column_names, width, "column_names")


def _names(names: Sequence[str] | None, size: int, what: str) -> list[str]:
    if names is None:
        return list(map(str, range(size)))
    if isinstance(names, str) or len(names) != size:
        raise ValueError(f"{what} must be a list of {size} names, got {short_repr(names)}")
    shown = [escape_controls(str(name)) for name in names]
    return [shorten(name, LONGEST_NAME) for name in shown]


def _order(percent: Floats) -> Ints:
    """Return the indices of the rows in order of descending mean score."""
    means = np.nan_to_num(percent).mean(axis=1)
    return np.argsort(-means, kind="stable")


def _draw(axes: Axes, matrix: _Matrix, figure: Figure) -> None:
    from matplotlib import colormaps

    colours = colormaps["viridis"].with_extremes(bad=_EMPTY)
    highest = np.nanmax(matrix.percent, initial=0.0) or 1.0
    image = axes.imshow(matrix.percent, cmap=colours, vmin=0, vmax=highest, aspect="auto", interpolation="nearest")
    figure.colorbar(image, ax=axes, label="BLEU in percent")
    axes.set_xlabel("reference")
    axes.set_ylabel("hypothesis")
    _name_axis(axes.yaxis, matrix.rows)
    _name_axis(axes.xaxis, matrix.columns)
    has_long_names = len(matrix.columns) > 1 and max(map(len, matrix.columns)) > 3
    axes.tick_params(axis="x", rotation=90 if has_long_names else 0)
    if max(matrix.percent.shape) > _MOST_NUMBERS:
        return
    for (row, column), value in np.ndenumerate(matrix.percent):
        if not np.isnan(value):
            colour = "white" if value < 0.6 * highest else "black"
            axes.text(column, row, f"{value:.0f}", ha="center", va="center", color=colour, fontsize="small")


def _name_axis(axis: Any, names: list[str]) -> None:
    """Label rows or columns of the heat map. If there are too many, label only every second, third, … one."""
    step = -(-len(names) // _MOST_NAMES)
    named = range(0, len(names), step)
    axis.set_ticks(named, [names[index] for index in named])
