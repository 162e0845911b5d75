"""Draw texts and tables with rich, which fits them to the width of a terminal and adds styles.

In a pipe or a file, texts and tables have no styles, and their lines do not wrap. Rich takes long to import, so this
module is imported only when a text is shown. JSON, TSV, CSV and error messages do not need it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from rich.box import SIMPLE, Box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.text import Text

from .._display import printable, shorten
from .._tables import Table
from .terminal import BAR, INDENT, Barred, Note, Part, Signature, Title, echo

_BAR_STYLE = "cyan"
# A line below the headings. ascii=True stops rich from replacing it if output is not Unicode, because `echo` does so
_BOX = Box(str(SIMPLE), ascii=True)
_PADDING = (0, 1, 0, 0)  # characters above, right of, below and left of a cell
_BAR_WIDTH = 24  # width of the bar for a share of 100 %, in characters
_PIPE_WIDTH = 1_000_000  # characters; so many that no line wraps
# Names are shortened to this number of characters before other cells wrap
_LEAST_NAME = 10
# Columns in `Table.spare` are dropped until names of this number of characters fit
_LONG_NAME = 20


def show(parts: Iterable[Part]) -> None:
    """Print texts and tables to standard output, each on lines of its own."""
    console = Console(markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    echo("\n".join(_drawn(console, part) for part in parts))


def _drawn(console: Console, part: Part) -> str:
    """Return a `Part` as the text to print. A string is returned unchanged."""
    if isinstance(part, str):
        return part
    with console.capture() as captured:
        console.print(_renderable(console, part))
    lines = captured.get().removesuffix("\n").split("\n")
    return "\n".join(line.rstrip(" ") for line in lines)


def _renderable(console: Console, part: Title | Note | Signature | Barred | Table) -> RenderableType:
    """Convert a `Part` to an object that rich can print."""
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
    """Append a bar to a line. In a pipe, or if the longest bar would not fit, return the line without a bar."""
    has_room = console.width >= len(line) + len(INDENT) + _BAR_WIDTH
    if not (console.is_terminal and has_room):
        return line
    bar = BAR * round(_BAR_WIDTH * min(share, 1))
    return Text.assemble(line, INDENT, (bar, _BAR_STYLE))


# --- Texts that fit a given width -----------------------------------------------------------------------------------


@dataclass
class _Fitting:
    """Base class of texts that rich can draw in less space than the whole text needs."""

    text: str
    style: str = ""

    def __rich_measure__(self, _console: Console, _options: ConsoleOptions) -> Measurement:
        """Return the smallest width, which is one character, and the width of the whole text."""
        return Measurement(1, cell_len(self.text))


@dataclass
class _Broken(_Fitting):
    """A text whose lines break at spaces, and after one more character: the value of the field `after`."""

    after: str = "/"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines of the text."""
        if cell_len(self.text) <= options.max_width:
            yield Text(self.text, self.style)
            return
        # Rich breaks lines at spaces only. Add a space where a line may break, and remove it from each line
        spaced = self.text.replace(self.after, f"{self.after} ")
        for line in Text(spaced).wrap(console, options.max_width):
            text = line.plain.replace(f"{self.after} ", self.after)
            yield Text(text.rstrip(), self.style)


@dataclass
class _Name(_Fitting):
    """A name. If it does not fit, "…" replaces its middle, because names often differ at their ends."""

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the name, shortened to the width of its column."""
        characters = options.max_width
        # Some characters are twice as wide
        while cell_len(shorten(self.text, characters)) > options.max_width:
            characters -= 1
        yield Text(shorten(self.text, characters), self.style)


# --- Tables ---------------------------------------------------------------------------------------------------------


class _Column(NamedTuple):
    """One column of a table."""

    head: str
    justify: JustifyMethod
    has_names: bool
    """Whether the cells are names, which may be shortened."""
    cells: list[_Fitting]

    def width(self, longest_name: int) -> int:
        """Return the width of the column in characters, after its names are shortened to `longest_name` characters."""
        widest = max(cell_len(text) for text in (self.head, *(cell.text for cell in self.cells)))
        return min(widest, longest_name) if self.has_names else widest


def _rich_table(console: Console, table: Table) -> RenderableType:
    """Convert a table to a table of rich.

    If the table is too wide, shorten names to `_LONG_NAME`, then drop columns in `table.spare`, then shorten names to
    `_LEAST_NAME`, and finally wrap cells.
    """
    # Imported here because most scores are shown without a table
    from rich.table import Table as RichTable

    columns = [_column(table, index) for index in range(len(table.heads))]
    columns = _drop_spare(columns, table.spare, console.width)
    fits = _fit(columns, console.width, _LEAST_NAME)
    shown = RichTable(
        box=_BOX, show_edge=False, pad_edge=False, padding=_PADDING, border_style="dim", header_style="dim"
    )
    for column in columns:
        shown.add_column(column.head, justify=column.justify, no_wrap=fits and not column.has_names)
    for row in zip(*(column.cells for column in columns), strict=True):
        shown.add_row(*row)
    return shown


def _column(table: Table, index: int) -> _Column:
    """Return the column of a table at this index."""
    head = table.heads[index]
    has_names = index == 0 or head == "system"
    cells: list[_Fitting] = []
    for number, row in enumerate(table.rows):
        text = printable(row[index])
        style = _BAR_STYLE if text.startswith(BAR) else ""
        if (number, index) in table.bold:
            style = "bold"
        cells.append(_Name(text, style) if has_names else _Broken(text, style))
    return _Column(head, "left" if index in table.left else "right", has_names, cells)


def _drop_spare(columns: list[_Column], spare: Iterable[str], width: int) -> list[_Column]:
    """Drop columns with headings in `spare`, one after another, until names of `_LONG_NAME` fit into `width`."""
    for head in spare:
        if not _fit(columns, width, _LONG_NAME):
            columns = [column for column in columns if column.head != head]
    return columns


def _fit(columns: Iterable[_Column], width: int, longest_name: int) -> bool:
    """Return whether the columns fit into `width`, after names are shortened to `longest_name` characters."""
    widths = [column.width(longest_name) for column in columns]
    spaces = len(INDENT) * (len(widths) - 1)
    return sum(widths) + spaces <= width
