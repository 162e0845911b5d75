"""Draw texts and tables with rich, which fits them to the width of a terminal and adds styles.

In a pipe or a file, texts and tables have no styles, and their lines do not wrap. Rich takes long to import, so this
module is imported only for the output format "text".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from rich.box import SIMPLE, Box
from rich.cells import cell_len
from rich.console import Console, RenderableType
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
_GAP = 2  # width of the space between two columns: the padding, and the line of the box, which is a space
_BAR_WIDTH = 24  # width of the bar for a share of 100 %, in characters
_PIPE_WIDTH = 1_000_000  # in characters. No line wraps, because none is so long
# Names may be shortened to this number of characters before other cells wrap
_SHORT_NAME = 10
# Names may be shortened to this number of characters before columns in `Table.optional_heads` are dropped
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
        return Text(part.text, "bold")
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


def _fitting_table(console: Console, table: Table) -> RenderableType:
    """Convert a `Table` to rich's table class, and make it fit the width of the console."""
    table = table._replace(rows=[list(map(printable, row)) for row in table.rows])
    for dropped, narrowed, least in _attempts(table):
        widths = _natural_widths(table, dropped)
        fitting = _narrow(widths, narrowed, least, console.width)
        if fitting:
            break
    return _rich_table(console, table, fitting or widths)  # rich cuts cells if the console is extremely narrow


def _attempts(table: Table) -> Iterator[tuple[Sequence[str], Collection[int], int]]:
    """Yield ways to make a table fit: headings of dropped columns, indices of narrowed columns, their smallest width.

    First shorten names to `_LONG_NAME`, then drop columns in `table.optional_heads`, then shorten names to
    `_SHORT_NAME`, and finally break the cells of all columns into lines.
    """
    columns = range(len(table.heads))
    names = [index for index in columns if _has_names(table, index)]
    yield [], names, _LONG_NAME
    for number, _ in enumerate(table.optional_heads, 1):
        yield table.optional_heads[:number], names, _LONG_NAME
    yield table.optional_heads, names, _SHORT_NAME
    yield table.optional_heads, columns, 1


def _has_names(table: Table, index: int) -> bool:
    """Return whether a column has names, such as those of systems or groups, which are shortened instead of broken."""
    return index == 0 or table.heads[index] == "system"


def _natural_widths(table: Table, dropped: Collection[str]) -> dict[int, int]:
    """Return a dict from the index of each column to the width of its longest text. Omit the columns in `dropped`."""
    columns = zip(table.heads, *table.rows, strict=True)
    widths = {}
    for index, (head, *cells) in enumerate(columns):
        if head not in dropped:
            widths[index] = max(map(cell_len, [head, *cells]))
    return widths


def _narrow(widths: dict[int, int], narrowed: Collection[int], least: int, room: int) -> dict[int, int]:
    """Limit the widths of the columns in `narrowed` to one number, the largest with which the table fits.

    Args:
        widths: a dict from the index of each column to its width.
        narrowed: the indices of the columns that may become narrower.
        least: the smallest number to which they may be limited.
        room: the width of the console.

    Returns:
        The limited widths. An empty dict if the table does not fit.

    >>> _narrow({0: 30, 1: 4, 2: 25}, [0, 2], least=10, room=50)
    {0: 21, 1: 4, 2: 21}
    """
    room_of_columns = room - _GAP * (len(widths) - 1)
    for limit in range(max(*widths.values(), least), least - 1, -1):
        limited = dict(widths)
        for index in widths.keys() & narrowed:
            limited[index] = min(widths[index], limit)
        if sum(limited.values()) <= room_of_columns:
            return limited
    return {}


def _rich_table(console: Console, table: Table, widths: dict[int, int]) -> RenderableType:
    """Convert a `Table` to rich's table class. Show the columns in `widths`, and fit their cells to these widths."""
    # Imported here because most scores are shown without a table
    from rich.table import Table as RichTable

    shown = RichTable(
        box=_BOX, show_edge=False, pad_edge=False, padding=_PADDING, border_style="dim", header_style="dim"
    )
    for index, width in widths.items():
        head = _break(console, table.heads[index], "/", width)
        shown.add_column(head, justify="left" if index in table.left_aligned else "right", no_wrap=True)
    for number, row in enumerate(table.rows):
        cells = []
        for index, width in widths.items():
            text = row[index]
            fitting = _shorten(text, width) if _has_names(table, index) else _break(console, text, "/", width)
            style = _BAR_STYLE if text.startswith(BAR) else ""
            if (number, index) in table.bold_cells:
                style = "bold"
            cells.append(Text(fitting, style))
        shown.add_row(*cells)
    return shown


def _shorten(name: str, width: int) -> str:
    """Shorten a name to `width` columns. "…" replaces its middle, because names often differ at their ends."""
    characters = width
    # Some characters are two columns wide, so fewer characters may fit
    while cell_len(shorten(name, characters)) > width:
        characters -= 1
    return shorten(name, characters)
