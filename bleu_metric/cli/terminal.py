"""Print texts and tables to standard output, and draw progress bars.

On a terminal, rich fits them to its width, and adds styles. In a pipe or a file, they are plain text whose lines do not
wrap. rich is imported when the first text is printed: JSON, TSV, CSV and errors do without it.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from .._display import printable, shorten

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.measure import Measurement

    from .._tables import Table

INDENT = "  "
BAR, BAR_STYLE = "━", "cyan"
_PIPE_WIDTH = 1_000_000  # columns; so many that no line wraps
_ASCII = str.maketrans({"−": "-", "…": "~", "─": "-", "·": ",", BAR: "="})
_LEAST_NAME = 10  # columns of a name that is shortened to fit
_LEAST_WANTED = ("p",)  # left out if a table does not fit: p (Holm) decides
_RULE_BELOW_THE_HEADS = "    \n    \n ── \n" + "    \n" * 5  # in the notation of `rich.box.Box`
_LONGEST_MESSAGE = 300  # characters; names and texts of users may be of any length
_SECONDS_UNTIL_PROGRESS = 1.0


def stdout_console() -> Console:
    """Return rich's view of standard output. A pipe is so wide that no line wraps."""
    from rich.console import Console

    console = Console(markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    return console


def writes_unicode(stream: object) -> bool:
    """Return whether a stream can write every character."""
    encoding = getattr(stream, "encoding", None) or ""
    return "utf" in encoding.lower()


def show(console: Console, *parts: RenderableType) -> None:
    """Print texts and tables, each on lines of its own."""
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    text = "\n".join(line.rstrip(" ") for line in captured.get().split("\n"))
    echo(text.removesuffix("\n") if writes_unicode(sys.stdout) else text.removesuffix("\n").translate(_ASCII))


def echo(text: str) -> None:
    """Print a text and a line feed to standard output, as they are."""
    try:
        click.echo(text, color=True)
    except BrokenPipeError:  # the reader of the pipe has ended. Python must not fail again when it flushes at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def say(message: str) -> None:
    """Print a message as one line on standard error."""
    line = printable(" ".join(message.splitlines()))
    click.echo(f"bleu-metric: {shorten(line, _LONGEST_MESSAGE)}", err=True)


# --- Notes and tables -----------------------------------------------------------------------------------------------


def wrapped(console: Console, text: str, after: str = " ", style: str = "") -> RenderableType:
    """Return a text as indented lines, which break after spaces or after another character."""
    from rich.text import Text

    lines = _broken(console, text, after, console.width - len(INDENT))
    return Text("\n".join(INDENT + line for line in lines), style)


def _broken(console: Console, text: str, after: str, width: int) -> list[str]:
    """Return the lines of a text. rich breaks at spaces only, so some are added, then removed."""
    from rich.text import Text

    if Text(text).cell_len <= width:
        return [text]
    is_word = after == " "
    lines = Text(text if is_word else text.replace(after, f"{after} ")).wrap(console, max(width, 1))
    return [line.plain.rstrip() if is_word else line.plain.rstrip().replace(f"{after} ", after) for line in lines]


class _Name(NamedTuple):
    """A name in a table. If it does not fit, its middle is left out, because names often differ at their ends."""

    name: str

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        from rich.cells import cell_len
        from rich.measure import Measurement

        width = cell_len(self.name)
        return Measurement(min(width, _LEAST_NAME), width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.cells import cell_len
        from rich.text import Text

        fitted, characters = self.name, options.max_width
        while cell_len(fitted) > options.max_width:  # a character may take two columns: the first cut may be too wide
            fitted = shorten(self.name, characters)
            characters -= 1
        yield Text(fitted, no_wrap=True)


def _parts(text: str) -> list[str]:
    """Return the parts of a text between the places where its line may break."""
    return re.split("(?<=/)| ", text)


class _Numbers(NamedTuple):
    """The numbers of a cell. If they do not fit, the cell continues on the next line after a slash."""

    text: str
    style: str

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        from rich.measure import Measurement

        return Measurement(max(map(len, _parts(self.text))), len(self.text))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        yield Text("\n".join(_broken(console, self.text, "/", options.max_width)), self.style)


class _Column(NamedTuple):
    """One column of a table. Only names are shortened."""

    place: int
    texts: Sequence[str]
    """The heading, and then a text per row."""

    @property
    def has_names(self) -> bool:
        return self.place == 0 or self.texts[0] == "system"

    @property
    def width(self) -> int:
        """Return the columns of the terminal that the texts need on one line each."""
        widest = max(map(len, self.texts))
        return min(widest, _LEAST_NAME) if self.has_names else widest

    @property
    def least_width(self) -> int:
        """Return the columns of the terminal that the texts need if their lines break wherever they may."""
        return self.width if self.has_names else max(len(part) for text in self.texts for part in _parts(text))

    def cell(self, row: int, is_bold: bool) -> RenderableType:
        text = self.texts[row + 1]
        if self.has_names:
            return _Name(printable(text))
        bar = BAR_STYLE if text.startswith(BAR) else ""
        return _Numbers(text, "bold" if is_bold else bar)


def drawn(console: Console, table: Table) -> RenderableType:
    """Return a table as rich draws it. If it does not fit, the column p is left out, and then the cells wrap."""
    from rich.box import Box
    from rich.table import Table as RichTable

    columns = [_Column(place, texts) for place, texts in enumerate(zip(table.heads, *table.rows, strict=True))]
    if not _fit(console, columns):
        columns = [column for column in columns if column.texts[0] not in _LEAST_WANTED]
    may_wrap = not _fit(console, columns)
    look: dict[str, Any] = {"box": Box(_RULE_BELOW_THE_HEADS, ascii=True), "border_style": "dim", "header_style": "dim"}
    shown = RichTable(show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), **look)
    for column in columns:
        justify: Any = "left" if column.place in table.left else "right"
        width = column.least_width if may_wrap else None
        shown.add_column(column.texts[0], justify=justify, min_width=width, no_wrap=not (may_wrap or column.has_names))
    for row in range(len(table.rows)):
        shown.add_row(*(column.cell(row, (row, column.place) in table.bold) for column in columns))
    return shown


def _fit(console: Console, columns: Sequence[_Column]) -> bool:
    return sum(column.width for column in columns) + len(INDENT) * (len(columns) - 1) <= console.width


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
