"""Print texts and tables. On a terminal, lines have styles and wrap; in a pipe or a file, lines are plain."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import click

from .._display import Table, pad_cells, printable, shorten, terminal_width
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


class Title(NamedTuple):
    """The main result, in bold."""

    text: str


class Note(NamedTuple):
    """An indented text."""

    text: str


class Signature(NamedTuple):
    """An indented signature, whose lines break between its settings."""

    text: str


class Barred(NamedTuple):
    """An indented line about a number from 0 to 1, such as a precision. On a wide terminal, a bar follows."""

    text: str
    share: float


Part = str | Title | Note | Signature | Barred | Table
"""One part of the text that a command prints. A string is printed unchanged."""


def show(parts: Iterable[Part]) -> None:
    """Print texts and tables to standard output, each on lines of its own."""
    is_terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if is_terminal else _PIPE_WIDTH
    text = "\n".join(line for part in parts for line in _lines_of(part, width))
    has_styles = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    echo(text if has_styles else click.unstyle(text))


def _lines_of(part: Part, width: int) -> list[str]:
    """Return the lines of a `Part`, with styles."""
    if isinstance(part, str):
        return [part]
    if isinstance(part, Title):
        return [click.style(line, bold=True) for line in _wrap(part.text, width)]
    if isinstance(part, Barred):
        return [_with_bar(INDENT + part.text, part.share, width)]
    if isinstance(part, Table):
        return _table_lines(part, width)
    is_dim = isinstance(part, Signature)
    # A note breaks at the slashes of long paths
    lines = _wrap(part.text, width - len(INDENT), "|" if is_dim else "/")
    return [INDENT + click.style(line, dim=is_dim) for line in lines]


def _with_bar(line: str, share: float, width: int) -> str:
    """Append a bar to a line, if the output is a terminal and the longest bar fits."""
    if width == _PIPE_WIDTH or len(line + INDENT) + _BAR_WIDTH > width:
        return line
    bar_width = round(_BAR_WIDTH * min(share, 1))  # a smoothed precision can exceed 1
    return line + INDENT + click.style(BAR * bar_width, **_BAR_STYLE)


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


def _table_lines(table: Table, width: int) -> list[str]:
    """Return the lines of a table, headings first, narrowed to `width`."""
    table = table._replace(rows=[list(map(printable, row)) for row in table.rows])
    widths = _fitting_widths(table, width)
    lines: list[Sequence[str]] = []  # the cells of each line
    styles = []  # the styles of these cells
    for row, texts in enumerate([table.heads, *table.rows], -1):  # the row of the headings is -1
        cells = [_cell(table, row, column, texts[column], widths[column]) for column in widths]
        styles_of_row = [_style(table, row, column, texts[column]) for column in widths]
        for line in zip_longest(*cells, fillvalue=""):  # several lines if a cell wraps
            lines.append(line)
            styles.append(styles_of_row)

    left_aligned = [place for place, column in enumerate(widths) if column in table.left_aligned]
    padded = pad_cells(lines, left_aligned)
    return [_GAP.join(map(_styled, *line)).rstrip() for line in zip(padded, styles, strict=True)]


def _cell(table: Table, row: int, column: int, text: str, width: int) -> list[str]:
    """Return the lines of a cell. A name is shortened to `width`. Any other text wraps."""
    if row >= 0 and _has_names(table, column):
        return [_shorten(text, width)]
    return _wrap(text, width, "/")


def _style(table: Table, row: int, column: int, text: str) -> dict[str, Any]:
    """Return the style of a cell, as arguments of `click.style`. The row of the headings is -1."""
    if row < 0:
        return {"dim": True}
    if (row, column) in table.bold_cells:
        return {"bold": True}
    return _BAR_STYLE if text.startswith(BAR) else {}


def _styled(cell: str, style: dict[str, Any]) -> str:
    """Add a style to the text of a padded cell, not to the spaces around the text."""
    text = cell.strip()
    return cell.replace(text, click.style(text, **style)) if text and style else cell


def _fitting_widths(table: Table, room: int) -> dict[int, int]:
    """Return column index -> width, so that the table fits into `room`.

    The first of these steps that suffices: shorten names to `_LONG_NAME`; drop columns in `table.optional_heads`;
    shorten names to `_SHORT_NAME`; wrap all cells.
    """
    all_columns = range(len(table.heads))
    names = [column for column in all_columns if _has_names(table, column)]
    optional = table.optional_heads
    # (headings of dropped columns, indices of narrowed columns, least width of a narrowed column)
    attempts: list[tuple[Sequence[str], Sequence[int], int]]
    attempts = [(optional[:n_dropped], names, _LONG_NAME) for n_dropped in range(len(optional) + 1)]
    attempts += [(optional, names, _SHORT_NAME), (optional, all_columns, 1)]

    columns = list(enumerate(zip(table.heads, *table.rows, strict=True)))
    for dropped_heads, narrowed, least_width in attempts:
        widths = {index: max(map(terminal_width, texts)) for index, texts in columns if texts[0] not in dropped_heads}
        limited_widths = _narrow(widths, narrowed, least_width, room)
        if limited_widths:
            return limited_widths
    return widths  # even the last attempt is too wide


def _has_names(table: Table, column: int) -> bool:
    """Return whether a column has names, such as systems or groups. Names are shortened, not wrapped."""
    return column == 0 or table.heads[column] == "system"


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


def _shorten(name: str, width: int) -> str:
    """Replace the middle of a name with "…" to fit `width`. The ends are kept, because names often differ there."""
    n_characters = width
    # Chinese characters, for example, are twice as wide, so fewer may fit
    while terminal_width(shorten(name, n_characters)) > width:
        n_characters -= 1
    return shorten(name, n_characters)
