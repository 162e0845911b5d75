"""Draw texts and tables with rich, which fits them to the width of a terminal and adds styles.

In a pipe or a file, texts and tables have no styles, and their lines do not wrap. Rich takes long to import, so this
module is imported only for the output format "text".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

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
    """Convert a `Table` to rich's table class, and make it fit the width of the console.

    If the table is too wide, shorten names to `_LONG_NAME`, then drop columns in `table.spare`, then shorten names to
    `_SHORT_NAME`, and finally break the cells of all columns into lines.
    """
    table = table._replace(rows=[list(map(printable, row)) for row in table.rows])
    columns = zip(table.heads, *table.rows, strict=True)
    widths = {index: max(map(cell_len, column)) for index, column in enumerate(columns)}
    names = [index for index, head in enumerate(table.heads) if index == 0 or head == "system"]
    spare = [table.heads.index(head) for head in table.spare]
    attempts = [(spare[:number], names, _LONG_NAME) for number in range(len(spare) + 1)]
    attempts += [(spare, names, _SHORT_NAME), (spare, list(widths), 1)]
    for dropped, narrowed, least in attempts:
        kept = {index: width for index, width in widths.items() if index not in dropped}
        fitting = _narrow(kept, narrowed, least, console.width)
        if fitting:
            return _rich_table(console, table, fitting, names)
    return _rich_table(console, table, widths, names)  # rich cuts cells if the console is narrower than about 30


def _narrow(widths: dict[int, int], narrowed: Collection[int], least: int, room: int) -> dict[int, int]:
    """Narrow the columns in `narrowed` to one width, the largest with which the table fits.

    Args:
        widths: a dict from the index of each shown column to its width.
        narrowed: the columns that may be narrowed.
        least: the smallest width to which they may be narrowed.
        room: the width of the console.

    Returns:
        The new `widths`. An empty dict if the table is too wide even with `least`.

    >>> _narrow({0: 30, 1: 4, 2: 25}, [0, 2], least=10, room=50)
    {0: 21, 1: 4, 2: 21}
    """
    gaps = sum(_PADDING) * 2 * (len(widths) - 1)
    for limit in range(max(*widths.values(), least), least - 1, -1):
        fitting = {index: min(width, limit) if index in narrowed else width for index, width in widths.items()}
        if sum(fitting.values()) + gaps <= room:
            return fitting
    return {}


def _rich_table(console: Console, table: Table, widths: dict[int, int], names: Collection[int]) -> RenderableType:
    """Convert a `Table` to rich's table class. Show the columns in `widths`, and fit their cells to these widths.

    Names, which are in the columns `names`, are shortened. Other cells are broken into lines.
    """
    # Imported here because most scores are shown without a table
    from rich.table import Table as RichTable

    shown = RichTable(
        box=_BOX, show_edge=False, pad_edge=False, padding=_PADDING, border_style="dim", header_style="dim"
    )
    for index, width in widths.items():
        head = _break(console, table.heads[index], "/", width)
        shown.add_column(head, justify="left" if index in table.left else "right", no_wrap=True)
    for number, row in enumerate(table.rows):
        cells = []
        for index, width in widths.items():
            text = row[index]
            style = _BAR_STYLE if text.startswith(BAR) else ""
            if (number, index) in table.bold:
                style = "bold"
            fitting = _shorten(text, width) if index in names else _break(console, text, "/", width)
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
