"""Print texts and tables. On a terminal, lines have styles and wrap. In a pipe, they wrap if ``COLUMNS`` is set."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest
from typing import Any

import click

from .._display import printable, shorten, terminal_width
from .._result import Column, Result, all_notes, has_heads, is_signature, padded
from .terminal import echo

INDENT = "  "
BAR = "━"
_BAR_STYLE: dict[str, Any] = {"fg": "cyan"}
_GAP = "  "  # between two columns of a table
_BAR_WIDTH = 24  # width of the bar for a share of 100 %, in characters
_PIPE_WIDTH = 1_000_000  # in characters; no line is so long, so none wraps
# Fewest characters of a shortened name: _LONG_NAME at first, _SHORT_NAME if the table is still too wide
_SHORT_NAME = 10
_LONG_NAME = 20


def draw(results: Sequence[Result], digits: int, notes: Iterable[str]) -> None:
    """Print results to standard output: their titles and tables, and then all their notes and `notes`."""
    is_terminal = sys.stdout.isatty()
    keeps_width = is_terminal or os.environ.get("COLUMNS")
    width = shutil.get_terminal_size().columns if keeps_width else _PIPE_WIDTH
    lines: list[str] = []
    for result in results:
        title, columns = printable(result.title(digits)), result.columns(digits)
        if lines and lines[-1] and has_heads(columns):
            lines.append("")
        lines += [click.style(line, bold=True) for line in _wrap(title, width) if line]
        if is_terminal:
            columns = [*columns, *(_bars(column) for column in columns if column.shares)]
        lines += _table_lines(columns, width)
    for note in all_notes(results, notes):
        # A note breaks at the slashes of long paths
        for line in _wrap(printable(note), width - len(INDENT), "|" if is_signature(note) else "/"):
            lines.append(INDENT + click.style(line, dim=is_signature(note)))
    text = "\n".join(lines)
    has_styles = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    echo(text if has_styles else click.unstyle(text))


def _bars(column: Column) -> Column:
    """Return a column of bars, which a narrow terminal leaves out first. A smoothed precision can exceed 1."""
    bars = [BAR * round(_BAR_WIDTH * min(share, 1)) for share in column.shares]
    return Column("", [*bars, *[""] * (len(column.cells) - len(bars))], is_text=True, spare=9)


def _wrap(text: str, width: int, sign: str = "") -> list[str]:
    """Break a text into lines at spaces, after `sign`, and inside words that are wider than `width`.

    >>> _wrap("tok:13a|case:mixed|order:4", 19, "|")
    ['tok:13a|case:mixed|', 'order:4']
    """
    lines = [""]
    for word in re.split(f"(?<=[ {sign}])", text):
        for piece in [word] if terminal_width(word.rstrip()) <= width else word:
            if lines[-1] and terminal_width((lines[-1] + piece).rstrip()) > width:
                lines.append("")
            lines[-1] += piece
    return [line.rstrip() for line in lines]


# --- Tables ---------------------------------------------------------------------------------------------------------


def _table_lines(columns: Sequence[Column], width: int) -> list[str]:
    """Return the lines of a table, headings first, narrowed to `width`. An empty line follows.

    A table without headings is indented, and no empty line follows.
    """
    if not columns or not columns[0].cells:
        return []
    indent = "" if has_heads(columns) else INDENT
    widths = _fitting_widths(columns, width - len(indent))
    shown = [columns[index] for index in widths]
    lines: list[Sequence[str]] = []  # the cells of each line
    styles = []  # the styles of these cells
    for row in range(-1 if has_heads(columns) else 0, len(columns[0].cells)):  # the row of the headings is -1
        cells = [_cell(columns, index, row, width) for index, width in widths.items()]
        for line in zip_longest(*cells, fillvalue=""):  # several lines if a cell wraps
            lines.append(line)
            styles.append([_style(column, row) for column in shown])

    rows = padded(zip(*lines, strict=True), shown)
    texts = [indent + _GAP.join(map(_styled, *line)).rstrip() for line in zip(rows, styles, strict=True)]
    return [text.replace("−", "-") for text in texts] + [""] * has_heads(columns)


def _text(column: Column, row: int) -> str:
    return printable(column.head if row < 0 else column.cells[row])


def _cell(columns: Sequence[Column], index: int, row: int, width: int) -> list[str]:
    """Return the lines of a cell. A name is shortened to `width` in the middle. Any other text wraps."""
    text = _text(columns[index], row)
    if row >= 0 and _has_names(columns, index):
        n_characters = width
        # Chinese characters, for example, are twice as wide, so fewer may fit
        while terminal_width(shorten(text, n_characters)) > width:
            n_characters -= 1
        return [shorten(text, n_characters)]
    return _wrap(text, width, "/")


def _style(column: Column, row: int) -> dict[str, Any]:
    """Return the style of a cell, as arguments of `click.style`. The row of the headings is -1."""
    if row < 0:
        return {"dim": True}
    if row in column.bold:
        return {"bold": True}
    return _BAR_STYLE if column.cells[row].startswith(BAR) else {}


def _styled(cell: str, style: dict[str, Any]) -> str:
    """Add a style to the text of a padded cell, not to the spaces around the text."""
    text = cell.strip()
    return cell.replace(text, click.style(text, **style)) if text and style else cell


def _fitting_widths(columns: Sequence[Column], room: int) -> dict[int, int]:
    """Return column index -> width, so that the table fits into `room`.

    The first of these steps that suffices: shorten names to `_LONG_NAME`; leave out spare columns; shorten names to
    `_SHORT_NAME`; wrap all cells.
    """
    all_columns = range(len(columns))
    names = [index for index in all_columns if _has_names(columns, index)]
    spares = sorted({column.spare for column in columns}, reverse=True)
    # (columns that are less spare than this number are kept, indices of narrowed columns, least width of these)
    attempts: list[tuple[int, Sequence[int], int]] = [(most + 1, names, _LONG_NAME) for most in spares]
    attempts += [(1, names, _LONG_NAME), (1, names, _SHORT_NAME), (1, all_columns, 1)]

    needed = {
        index: max(terminal_width(_text(column, row)) for row in range(-1, len(column.cells)))
        for index, column in enumerate(columns)
    }
    for limit, narrowed, least_width in attempts:
        widths = {index: width for index, width in needed.items() if columns[index].spare < limit}
        limited_widths = _narrow(widths, narrowed, least_width, room)
        if limited_widths:
            return limited_widths
    return widths  # even the last attempt is too wide


def _has_names(columns: Sequence[Column], index: int) -> bool:
    """Return whether a column has names, such as systems or groups. Names are shortened, not wrapped."""
    return index == 0 or columns[index].head == "system"


def _narrow(widths: dict[int, int], columns: Collection[int], least_width: int, room: int) -> dict[int, int]:
    """Limit the columns in `columns` to the same width, the largest with which the table fits into `room`.

    `widths`: index -> width of each column. Return {} if the table does not fit with the limit `least_width`.

    >>> _narrow({0: 30, 1: 4, 2: 25}, [0, 2], least_width=10, room=50)
    {0: 21, 1: 4, 2: 21}
    """
    room_of_columns = room - len(_GAP) * (len(widths) - 1)
    # At least `least_width`, so that the loop runs if all columns are narrower
    widest = max(*widths.values(), least_width)

    for limit in reversed(range(least_width, widest + 1)):
        limited_widths = {column: min(width, limit) if column in columns else width for column, width in widths.items()}
        if sum(limited_widths.values()) <= room_of_columns:
            return limited_widths
    return {}
