"""Print texts and tables to standard output, and draw progress bars.

On a terminal, rich fits them to its width, and adds styles. In a pipe or a file, they are plain text whose lines do not
wrap. rich is imported when the first text is printed: JSON, TSV, CSV and errors do without it.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from .._display import printable, shorten
from .._tables import Table

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

INDENT = "  "
BAR, BAR_STYLE = "━", "cyan"
_BAR_WIDTH = 24  # width in columns of the bar for a share of 100 %
_PIPE_WIDTH = 1_000_000  # columns; so many that no line wraps
_ASCII = str.maketrans({"−": "-", "…": "~", "─": "-", "·": ",", BAR: "="})
_LEAST_NAME = 10  # columns of a name that is shortened to fit
_LONG_NAME = 16  # columns that a name gets before a table loses a second column
_RULE_BELOW_THE_HEADS = "    \n    \n ── \n" + "    \n" * 5  # in the notation of `rich.box.Box`
_LONGEST_MESSAGE = 300  # characters; names and texts of users may be of any length
_SECONDS_UNTIL_PROGRESS = 1.0


class Title(NamedTuple):
    """The main result in bold, and the words after it."""

    text: str
    words: str = ""


class Note(NamedTuple):
    """An indented text, whose lines break after spaces or after another character."""

    text: str
    after: str = " "
    style: str = ""


class Barred(NamedTuple):
    """An indented line that states a share. On a wide terminal, a bar at its end shows the share."""

    text: str
    share: float


class Verbatim(NamedTuple):
    """Lines that are printed as they are."""

    text: str


Part = str | Title | Note | Barred | Verbatim | Table


def show(*parts: Part) -> None:
    """Print texts and tables, each on lines of its own."""
    from rich.console import Console

    console = Console(markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    text = "\n".join(_drawn(console, part) for part in parts)
    echo(text if writes_unicode(sys.stdout) else text.translate(_ASCII))


def _drawn(console: Console, part: Part) -> str:
    """Return a part as it is printed."""
    if isinstance(part, Verbatim):
        return part.text
    with console.capture() as captured:
        console.print(_renderable(console, part))
    lines = captured.get().removesuffix("\n").split("\n")
    return "\n".join(line.rstrip(" ") for line in lines)


def _renderable(console: Console, part: Title | Note | Barred | Table | str) -> RenderableType:
    from rich.text import Text

    if isinstance(part, Title):
        return Text.assemble((part.text, "bold"), part.words)
    if isinstance(part, Note):
        lines = _broken(console, part.text, part.after, console.width - len(INDENT))
        return Text("\n".join(INDENT + line for line in lines), part.style)
    if isinstance(part, Barred):
        return _with_bar(console, INDENT + part.text, part.share)
    return part if isinstance(part, str) else _rich_table(console, part)


def _with_bar(console: Console, line: str, share: float) -> RenderableType:
    from rich.text import Text

    has_room = console.width >= len(line) + len(INDENT) + _BAR_WIDTH
    if not (console.is_terminal and has_room):
        return line
    bar = BAR * round(_BAR_WIDTH * min(share, 1))
    return Text.assemble(line, INDENT, (bar, BAR_STYLE))


def writes_unicode(stream: object) -> bool:
    """Return whether a stream can write every character."""
    encoding = getattr(stream, "encoding", None) or ""
    return "utf" in encoding.lower()


def echo(text: str) -> None:
    """Print a text and a line feed to standard output, as they are."""
    try:
        click.echo(text, color=True)
    except BrokenPipeError:  # the reader of the pipe has ended. Python must not fail again when it flushes at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def say(message: str) -> None:
    """Print a message as one line on standard error. On a terminal, the line breaks between words."""
    text = printable(" ".join(message.splitlines()))
    line = f"bleu-metric: {shorten(text, _LONGEST_MESSAGE)}"
    if sys.stderr.isatty():
        line = click.wrap_text(line, shutil.get_terminal_size().columns, subsequent_indent=INDENT)
    click.echo(line, err=True)


# --- Tables -----------------------------------------------------------------------------------------------------


def _broken(console: Console, text: str, after: str, width: int) -> list[str]:
    """Return the lines of a text. rich breaks at spaces only, so some are added, then removed."""
    from rich.text import Text

    if Text(text).cell_len <= width:
        return [text]
    is_word = after == " "
    lines = Text(text if is_word else text.replace(after, f"{after} ")).wrap(console, max(width, 1))
    return [line.plain.rstrip() if is_word else line.plain.rstrip().replace(f"{after} ", after) for line in lines]


@dataclass
class _Column:
    """One column of a table. Names are shortened to fit; other texts continue on the next line."""

    place: int
    texts: Sequence[str]
    """The heading, and then a text per row."""

    @property
    def has_names(self) -> bool:
        """Whether the texts are names, of systems or of what has a row."""
        return self.place == 0 or self.texts[0] == "system"

    @cached_property
    def widest(self) -> int:
        """The columns of the terminal that the longest text needs."""
        from rich.cells import cell_len

        return max(map(cell_len, self.texts))

    @cached_property
    def narrowest(self) -> int:
        """The columns of the terminal that are enough if names are shortened, and other texts wrap."""
        if self.has_names:
            return min(self.widest, _LEAST_NAME)
        parts = [part for text in self.texts for part in re.split("(?<=/)| ", text)]  # after a slash, and at a space
        return max(map(len, parts))

    def width(self, longest_name: int, longest_cell: int) -> int:
        """Return the width of the column, given the longest texts that are not shortened and do not wrap."""
        longest = longest_name if self.has_names else longest_cell
        return min(self.widest, max(longest, self.narrowest))

    def fitted(self, console: Console, width: int) -> list[str]:
        """Return the texts, fitted to a width."""
        if self.has_names:
            return [_shortened(text, width) for text in self.texts]
        return ["\n".join(_broken(console, text, "/", width)) for text in self.texts]


def _shortened(name: str, width: int) -> str:
    """Return a name without its middle if it does not fit, because names often differ at their ends."""
    from rich.cells import cell_len

    fitted, characters = name, width
    while cell_len(fitted) > width:  # a character may take two columns: the first cut may be too wide
        fitted = shorten(name, characters)
        characters -= 1
    return fitted


def _rich_table(console: Console, table: Table) -> RenderableType:
    """Return a table for rich. If it does not fit, spare columns go, then names are cut, then cells wrap."""
    from rich.box import Box
    from rich.table import Table as RichTable
    from rich.text import Text

    box = Box(_RULE_BELOW_THE_HEADS, ascii=True)
    look: dict[str, Any] = {"box": box, "border_style": "dim", "header_style": "dim"}
    shown = RichTable(show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), **look)
    cells = []
    for column, width in _fitted(table, console.width):
        head, *texts = column.fitted(console, width)
        justify: Any = "left" if column.place in table.left else "right"
        shown.add_column(head, justify=justify, no_wrap=True)
        styles = [BAR_STYLE if text.startswith(BAR) else "" for text in texts]
        for row, place in table.bold:
            if place == column.place:
                styles[row] = "bold"
        cells.append(map(Text, texts, styles))
    for texts_of_row in zip(*cells, strict=True):
        shown.add_row(*texts_of_row)
    return shown


def _fitted(table: Table, width: int) -> list[tuple[_Column, int]]:
    """Return the columns that fit into the width of a terminal, and their widths."""
    for columns, longest_name, longest_cell in _attempts(table, width):
        widths = [column.width(longest_name, longest_cell) for column in columns]
        spaces = len(INDENT) * (len(columns) - 1)
        if sum(widths) + spaces <= width:
            break
    return list(zip(columns, widths, strict=True))


def _attempts(table: Table, width: int) -> Iterator[tuple[list[_Column], int, int]]:
    """Yield columns, the length of the longest name and that of the longest other cell, the best attempt first."""
    texts = zip(table.heads, *table.rows, strict=True)
    columns = [_Column(place, list(map(printable, column))) for place, column in enumerate(texts)]
    yield columns, width, width
    for spare in table.spare:
        columns = [column for column in columns if column.texts[0] != spare]
        for longest_name in range(width, _LONG_NAME - 1, -1):
            yield columns, longest_name, width
    for longest_name in range(width, _LEAST_NAME - 1, -1):
        yield columns, longest_name, width
    for longest_cell in range(width, 0, -1):
        yield columns, _LEAST_NAME, longest_cell


# --- Progress -------------------------------------------------------------------------------------------------------


@contextmanager
def progress_bar(unit: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that the caller calls with the number of units done and the total number of units.

    The function draws a bar on standard error, if that is a terminal, when more than one second has passed.
    """
    start = time.monotonic()
    bar: Any = None

    def report(done: int, total: int) -> None:
        nonlocal bar
        if bar is None and done < total and time.monotonic() - start >= _SECONDS_UNTIL_PROGRESS and sys.stderr.isatty():
            bar = _started_bar(unit)
        if bar is not None:
            bar.update(0, completed=done, total=total, refresh=done == total)

    try:
        yield report
    finally:
        if bar is not None:
            bar.stop()


def _started_bar(unit: str) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(unit)
    bar.start()
    return bar
