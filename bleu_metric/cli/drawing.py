"""Draw texts and tables with rich, which fits them to the width of a terminal and adds styles.

In a pipe or a file, they are plain text whose lines do not wrap. This module is imported when the first text is shown,
because rich takes long to import: JSON, TSV, CSV and errors do without it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.box import SIMPLE, Box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.text import Text

from .._display import printable, shorten
from .._tables import Table
from .terminal import BAR, INDENT, Barred, Note, Part, Signature, Title, echo

_BAR_STYLE = "cyan"
_BOX = Box(str(SIMPLE), ascii=True)  # a rule below the heads, which `echo` replaces on terminals without Unicode
_BAR_WIDTH = 24  # width in columns of the bar for a share of 100 %
_PIPE_WIDTH = 1_000_000  # columns; so many that no line wraps
_LEAST_NAME = 10  # columns of a name that is shortened to fit, before other cells wrap
_LONG_NAME = 20  # columns that a name gets before a table loses a spare column


def show(parts: Iterable[Part]) -> None:
    """Print texts and tables to standard output, each on lines of its own."""
    console = Console(markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    echo("\n".join(_drawn(console, part) for part in parts))


def _drawn(console: Console, part: Part) -> str:
    """Return a part as it is printed. A string is not changed."""
    if isinstance(part, str):
        return part
    with console.capture() as captured:
        console.print(_renderable(console, part))
    lines = captured.get().removesuffix("\n").split("\n")
    return "\n".join(line.rstrip(" ") for line in lines)


def _renderable(console: Console, part: Title | Note | Signature | Barred | Table) -> RenderableType:
    """Return a part for rich."""
    if isinstance(part, Title):
        return Text.assemble((part.text, "bold"), part.words)
    if isinstance(part, Note):
        return Padding.indent(Text(part.text), len(INDENT))
    if isinstance(part, Signature):
        return Padding.indent(_Broken(part.text, "dim", after="|"), len(INDENT))
    if isinstance(part, Barred):
        return _with_bar(console, INDENT + part.text, part.share)
    return _rich_table(console, part)


def _with_bar(console: Console, line: str, share: float) -> RenderableType:
    """Return a line with a bar at its end. There is no bar in a pipe or without room for the longest bar."""
    has_room = console.width >= len(line) + len(INDENT) + _BAR_WIDTH
    if not (console.is_terminal and has_room):
        return line
    bar = BAR * round(_BAR_WIDTH * min(share, 1))
    return Text.assemble(line, INDENT, (bar, _BAR_STYLE))


# --- Texts that know how to fit -------------------------------------------------------------------------------------


@dataclass
class _Fitting:
    """A text that rich measures, and then draws in the width that it has."""

    text: str
    style: str = ""

    def __rich_measure__(self, _console: Console, _options: ConsoleOptions) -> Measurement:
        """Return the fewest columns in which the text can be drawn, and those of the whole text."""
        return Measurement(1, cell_len(self.text))


@dataclass
class _Broken(_Fitting):
    """A text whose lines break at spaces, and after one more character, such as a slash."""

    after: str = "/"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines of the text."""
        if cell_len(self.text) <= options.max_width:
            yield Text(self.text, self.style)
            return
        spaced = self.text.replace(self.after, f"{self.after} ")  # rich breaks lines at spaces only
        for line in Text(spaced).wrap(console, options.max_width):
            text = line.plain.replace(f"{self.after} ", self.after)
            yield Text(text.rstrip(), self.style)


@dataclass
class _Name(_Fitting):
    """A name. Without enough room, it loses its middle, because names often differ at their ends."""

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the name, shortened to the width of its column."""
        characters = options.max_width
        while cell_len(shorten(self.text, characters)) > options.max_width:  # a character may take two columns
            characters -= 1
        yield Text(shorten(self.text, characters), self.style)


# --- Tables ---------------------------------------------------------------------------------------------------------


class _Column(NamedTuple):
    """One column of a table."""

    place: int
    head: str
    cells: tuple[str, ...]

    @property
    def has_names(self) -> bool:
        """Whether the cells are names, of systems or of what has a row."""
        return self.place == 0 or self.head == "system"

    def width(self, longest_name: int) -> int:
        """Return the width of the column, if names are shortened to `longest_name`."""
        widest = max(map(cell_len, [self.head, *self.cells]))
        return min(widest, longest_name) if self.has_names else widest


def _rich_table(console: Console, table: Table) -> RenderableType:
    """Return a table for rich. If it does not fit, spare columns go, then names are cut, then cells wrap."""
    from rich.table import Table as RichTable  # imported here because most scores are shown without a table

    columns = _columns(table, console.width)
    cells_wrap = not _fit(columns, console.width, _LEAST_NAME)
    look: dict[str, Any] = {"box": _BOX, "border_style": "dim", "header_style": "dim"}
    shown = RichTable(show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), **look)
    for column in columns:
        justify: Any = "left" if column.place in table.left else "right"
        may_shrink = cells_wrap or column.has_names
        shown.add_column(column.head, justify=justify, no_wrap=not may_shrink)
    for row in range(len(table.rows)):
        cells = [_cell(column, row, table.bold) for column in columns]
        shown.add_row(*cells)
    return shown


def _columns(table: Table, width: int) -> list[_Column]:
    """Return the columns of a table, without spare ones if the names would have too little room."""
    rows = [list(map(printable, row)) for row in table.rows]
    cells_of_columns = zip(*rows, strict=True)
    columns = list(map(_Column, range(len(table.heads)), table.heads, cells_of_columns))
    for spare in table.spare:
        if not _fit(columns, width, _LONG_NAME):
            columns = [column for column in columns if column.head != spare]
    return columns


def _fit(columns: Iterable[_Column], width: int, longest_name: int) -> bool:
    """Return whether the columns fit into a width, if names are shortened to `longest_name`."""
    widths = [column.width(longest_name) for column in columns]
    spaces = len(INDENT) * (len(widths) - 1)
    return sum(widths) + spaces <= width


def _cell(column: _Column, row: int, bold: Collection[tuple[int, int]]) -> RenderableType:
    """Return the cell of a row for rich. `bold`: the (row, column) positions of bold cells."""
    text = column.cells[row]
    style = _BAR_STYLE if text.startswith(BAR) else ""
    if (row, column.place) in bold:
        style = "bold"
    return _Name(text, style) if column.has_names else _Broken(text, style)
