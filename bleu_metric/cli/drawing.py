"""Draw texts and tables with rich, which fits them to the width of a terminal and adds styles.

In a pipe or a file, texts and tables have no styles, and their lines do not wrap. Rich takes long to import, so this
module is imported only for the output format "text".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

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
# The box draws a line below the headings. With ascii=True, rich keeps this line for output that is not Unicode, and
# `echo` replaces its characters
_BOX = Box(str(SIMPLE), ascii=True)
_PADDING = (0, 1, 0, 0)  # characters above, right of, below and left of a cell
_BAR_WIDTH = 24  # width of the bar for a share of 100 %, in characters
_PIPE_WIDTH = 1_000_000  # in characters. No line wraps, because none is so long
# Names may be shortened to this number of characters before other cells wrap
_SHORT_NAME = 10
# Names may be shortened to this number of characters before columns in `Table.spare` are dropped
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
    return re.sub(" *\n", "\n", captured.get()).removesuffix("\n")


def _renderable(console: Console, part: Title | Note | Signature | Barred | Table) -> RenderableType:
    """Convert a `Part` to an object that rich can print."""
    if isinstance(part, Title):
        return Text.assemble((part.text, "bold"), part.words)
    if isinstance(part, Barred):
        return _with_bar(console, INDENT + part.text, part.share)
    if isinstance(part, Table):
        return _fitting_table(console, part)
    if isinstance(part, Signature):
        lines = _break(console, part.text, "|", console.width - len(INDENT))
        return Padding.indent(Text(lines, "dim"), len(INDENT))
    return Padding.indent(Text(part.text), len(INDENT))


def _with_bar(console: Console, line: str, share: float) -> RenderableType:
    """Append a bar to a line. In a pipe, or if the longest bar would not fit, return the line without a bar."""
    has_room = console.width >= len(line) + len(INDENT) + _BAR_WIDTH
    if not (console.is_terminal and has_room):
        return line
    bar = BAR * round(_BAR_WIDTH * min(share, 1))
    return Text.assemble(line, INDENT, (bar, _BAR_STYLE))


def _break(console: Console, text: str, sign: str, width: int) -> str:
    """Break a text that is wider than `width` into lines. A line may end at a space or after `sign`."""
    if cell_len(text) <= width:
        return text
    # Rich breaks lines only at spaces, so add a space after each sign, and remove these spaces from the lines
    lines = Text(text.replace(sign, f"{sign} ")).wrap(console, width)
    return "\n".join(line.plain.replace(f"{sign} ", sign).rstrip() for line in lines)


# --- Tables ---------------------------------------------------------------------------------------------------------


@dataclass
class _Cell:
    """A cell that rich can draw narrower than its text. The text then breaks at spaces and after slashes."""

    text: str
    style: str
    least_width: int
    """The smallest width at which rich may draw the cell. A text that is shorter needs only its own width."""

    def __rich_measure__(self, _console: Console, _options: ConsoleOptions) -> Measurement:
        """Return the smallest width of the cell, and the width of its whole text."""
        width = cell_len(self.text)
        return Measurement(min(self.least_width, width), width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the text, broken into lines that fit."""
        yield Text(_break(console, self.text, "/", options.max_width), self.style)


class _Name(_Cell):
    """A cell with a name. If it does not fit, "…" replaces its middle, because names often differ at their ends."""

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the name, shortened to the width of its column."""
        characters = options.max_width
        # Some characters are two columns wide, so fewer characters may fit
        while cell_len(shorten(self.text, characters)) > options.max_width:
            characters -= 1
        yield Text(shorten(self.text, characters), self.style)


def _fitting_table(console: Console, table: Table) -> RenderableType:
    """Convert a `Table` to rich's table class, and make it fit the width of the console.

    If the table is too wide, shorten names to `_LONG_NAME`, then drop columns in `table.spare`, then shorten names to
    `_SHORT_NAME`, and finally wrap cells.
    """
    unlimited = console.options.update(width=_PIPE_WIDTH)
    attempts = [(table.spare[:number], _LONG_NAME) for number in range(len(table.spare) + 1)]
    attempts.append((table.spare, _SHORT_NAME))
    for dropped, least_name in attempts:
        shown = _rich_table(table, dropped, least_name)
        least_width = console.measure(shown, options=unlimited).minimum
        if least_width <= console.width:
            return shown
    return _rich_table(table, table.spare, least_name=1, wraps=True)


def _rich_table(table: Table, dropped: Iterable[str], least_name: int, wraps: bool = False) -> RenderableType:
    """Convert a `Table` to rich's table class, without the columns in `dropped`.

    Names may be shortened to `least_name` characters. If `wraps` is true, the cells of other columns may wrap.
    """
    # Imported here because most scores are shown without a table
    from rich.table import Table as RichTable

    shown = RichTable(
        box=_BOX, show_edge=False, pad_edge=False, padding=_PADDING, border_style="dim", header_style="dim"
    )
    columns = []
    for index, head in enumerate(table.heads):
        if head in dropped:
            continue
        has_names = index == 0 or head == "system"
        kind, least_width = _Cell, 1 if wraps else _PIPE_WIDTH
        if has_names:
            kind, least_width = _Name, least_name
        shown.add_column(
            _Cell(head, "", least_width),
            justify="left" if index in table.left else "right",
            no_wrap=not (has_names or wraps),
        )
        columns.append(_cells(table, index, kind, least_width))
    for row in zip(*columns, strict=True):
        shown.add_row(*row)
    return shown


def _cells(table: Table, index: int, kind: type[_Cell], least_width: int) -> list[_Cell]:
    """Return the cells of the column at this index."""
    cells = []
    for number, row in enumerate(table.rows):
        text = printable(row[index])
        style = _BAR_STYLE if text.startswith(BAR) else ""
        if (number, index) in table.bold:
            style = "bold"
        cells.append(kind(text, style, least_width))
    return cells
