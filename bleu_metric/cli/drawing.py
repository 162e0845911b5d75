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
# Width of the space between two columns: the padding, and the line of the box, which is a space
_GAP = 2
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
    texts = [_text_of(console, part) for part in parts]
    echo("\n".join(texts))


def _text_of(console: Console, part: Part) -> str:
    """Return a `Part` as the text to print. A string is returned unchanged."""
    if isinstance(part, str):
        return part
    with console.capture() as captured:
        console.print(_renderable(console, part))
    lines = re.sub(" *\n", "\n", captured.get())  # rich pads lines with spaces
    return lines.removesuffix("\n")


def _renderable(console: Console, part: Title | Note | Signature | Barred | Table) -> RenderableType:
    """Convert a `Part` to an object that rich can print."""
    if isinstance(part, Title):
        return Text(part.text, "bold")
    if isinstance(part, Barred):
        return _with_bar(console, INDENT + part.text, part.share)
    if isinstance(part, Table):
        return _fitting_table(console, part)
    is_signature = isinstance(part, Signature)
    # A note breaks at the slashes of long paths
    lines = _break(console, part.text, "|" if is_signature else "/", console.width - len(INDENT))
    return Padding.indent(Text(lines, "dim" if is_signature else ""), len(INDENT))


def _with_bar(console: Console, line: str, share: float) -> RenderableType:
    """Append a bar to a line. In a pipe, or if the longest bar would not fit, return the line without a bar."""
    width_with_bar = len(line) + len(INDENT) + _BAR_WIDTH
    if not console.is_terminal or width_with_bar > console.width:
        return line
    bar_width = round(_BAR_WIDTH * min(share, 1))  # a smoothed precision can exceed 1
    return Text.assemble(line, INDENT, (BAR * bar_width, _BAR_STYLE))


def _break(console: Console, text: str, sign: str, width: int) -> str:
    """Break a text that is wider than `width` into lines. A line may end at a space or after `sign`."""
    if cell_len(text) <= width:
        return text
    # Rich breaks lines only at spaces, so add a space after each sign, and remove these spaces from the lines
    spaced_text = Text(text.replace(sign, f"{sign} "))
    wrapped_lines = [line.plain.replace(f"{sign} ", sign) for line in spaced_text.wrap(console, width)]
    return "\n".join(map(str.rstrip, wrapped_lines))


# --- Tables ---------------------------------------------------------------------------------------------------------


def _fitting_table(console: Console, table: Table) -> RenderableType:
    """Convert a `Table` to rich's table class, and make it fit the width of the console."""
    table = table._replace(rows=[list(map(printable, row)) for row in table.rows])
    for dropped_heads, columns, least_width in _attempts(table):
        widths = _natural_widths(table, dropped_heads)
        limited_widths = _narrow(widths, columns, least_width, console.width)
        if limited_widths:
            return _rich_table(console, table, limited_widths)
    # Even the last attempt is too wide, so rich cuts cells
    return _rich_table(console, table, widths)


def _attempts(table: Table) -> Iterator[tuple[Sequence[str], Collection[int], int]]:
    """Yield ways to make a table fit: headings of dropped columns, indices of narrowed columns, their smallest width.

    First shorten names to `_LONG_NAME`, then drop columns in `table.optional_heads`, then shorten names to
    `_SHORT_NAME`, and finally break the cells of all columns into lines.
    """
    all_columns = range(len(table.heads))
    columns_of_names = [column for column in all_columns if _has_names(table, column)]
    for n_dropped in range(len(table.optional_heads) + 1):
        yield table.optional_heads[:n_dropped], columns_of_names, _LONG_NAME
    yield table.optional_heads, columns_of_names, _SHORT_NAME
    yield table.optional_heads, all_columns, 1


def _has_names(table: Table, column: int) -> bool:
    """Return whether a column has names, such as those of systems or groups, which are shortened instead of broken."""
    return column == 0 or table.heads[column] == "system"


def _natural_widths(table: Table, dropped_heads: Collection[str]) -> dict[int, int]:
    """Return a dict from the index of each column to the width of its longest text. Omit columns in `dropped_heads`."""
    widths = {}
    for column, texts in enumerate(zip(table.heads, *table.rows, strict=True)):
        if table.heads[column] not in dropped_heads:
            widths[column] = max(map(cell_len, texts))
    return widths


def _narrow(widths: dict[int, int], columns: Collection[int], least_width: int, room: int) -> dict[int, int]:
    """Limit the widths of some columns to one number, the largest with which the table fits.

    Args:
        widths: a dict from the index of each column to its width.
        columns: the indices of the columns that may become narrower.
        least_width: the smallest number to which they may be limited.
        room: the width of the console.

    Returns:
        The limited widths. An empty dict if the table does not fit.

    >>> _narrow({0: 30, 1: 4, 2: 25}, [0, 2], least_width=10, room=50)
    {0: 21, 1: 4, 2: 21}
    """
    room_of_columns = room - _GAP * (len(widths) - 1)
    # At least `least_width`, so that the loop tries one limit even if all columns are narrower
    widest = max(*widths.values(), least_width)

    for limit in reversed(range(least_width, widest + 1)):
        limited_widths = dict(widths)
        for column in widths.keys() & columns:  # `widths` does not contain dropped columns
            limited_widths[column] = min(widths[column], limit)
        if sum(limited_widths.values()) <= room_of_columns:
            return limited_widths
    return {}


def _rich_table(console: Console, table: Table, widths: dict[int, int]) -> RenderableType:
    """Convert a `Table` to rich's table class. Show the columns in `widths`, and fit their cells to these widths."""
    # Imported here because most scores are shown without a table
    from rich.table import Table as RichTable

    rich_table = RichTable(
        box=_BOX, show_edge=False, pad_edge=False, padding=_PADDING, border_style="dim", header_style="dim"
    )
    for column, width in widths.items():
        head = _break(console, table.heads[column], "/", width)
        is_left_aligned = column in table.left_aligned
        rich_table.add_column(head, justify="left" if is_left_aligned else "right", no_wrap=True)
    for row in range(len(table.rows)):
        cells = [_cell(console, table, row, column, width) for column, width in widths.items()]
        rich_table.add_row(*cells)
    return rich_table


def _cell(console: Console, table: Table, row: int, column: int, width: int) -> Text:
    """Return one cell with its style. Shorten a name to `width`, and break any other text into lines of this width."""
    text = table.rows[row][column]
    style = ""
    if (row, column) in table.bold_cells:
        style = "bold"
    elif text.startswith(BAR):
        style = _BAR_STYLE

    if _has_names(table, column):
        return Text(_shorten(text, width), style)
    return Text(_break(console, text, "/", width), style)


def _shorten(name: str, width: int) -> str:
    """Shorten a name to `width` columns. "…" replaces its middle, because names often differ at their ends."""
    n_characters = width
    # Some characters are two columns wide, so fewer characters may fit
    while cell_len(shorten(name, n_characters)) > width:
        n_characters -= 1
    return shorten(name, n_characters)
