"""Standard output and standard error: how wide they are, how lines wrap, how progress shows.

Rich is imported where something is drawn or wrapped, and nowhere else: it takes about 40 ms of the processor, which a
score as JSON, as TSV or in a pipe does without.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from .._display import printable, shorten

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress

_PIPE_WIDTH = 10_000  # lines that go into a pipe are not wrapped
_SECONDS_UNTIL_PROGRESS = 1.0


@dataclass(frozen=True)
class Terminal:
    """What standard output can show."""

    is_terminal: bool
    width: int
    is_unicode: bool = True

    @classmethod
    def current(cls) -> Terminal:
        """Look at standard output."""
        is_terminal = sys.stdout.isatty()
        width = shutil.get_terminal_size().columns if is_terminal else _PIPE_WIDTH
        encoding = sys.stdout.encoding or ""
        return cls(is_terminal, width, is_unicode="utf" in encoding.lower())

    @property
    def bar(self) -> str:
        """What a bar is made of."""
        return "█" if self.is_unicode else "#"

    def console(self) -> Console:
        """Make a console of Rich that takes texts as they are, without markup."""
        from rich.console import Console

        return Console(width=self.width, force_terminal=self.is_terminal, markup=False, emoji=False, highlight=False)

    def draw(self, renderable: RenderableType) -> str:
        """Draw what Rich can draw; no line ends in spaces."""
        console = self.console()
        with console.capture() as capture:
            console.print(renderable)
        return "\n".join(line.rstrip() for line in capture.get().split("\n")).rstrip("\n")

    def wrap(self, text: str) -> str:
        """Wrap lines at spaces where they are too long for the terminal; what is wrapped keeps the line's indent."""
        if not self.is_terminal:
            return text
        from rich.console import Group
        from rich.padding import Padding
        from rich.text import Text

        lines = []
        for line in text.split("\n"):
            content = line.lstrip(" ")
            indent = len(line) - len(content)
            lines.append(Padding(Text.from_ansi(content), (0, 0, 0, indent)))
        return self.draw(Group(*lines))

    def fit_name(self, name: str, width: int) -> str:
        """Make control characters visible, and leave out the middle of a name that takes more than `width` columns.

        >>> Terminal(True, 80).fit_name("my_very_long_experiment_beam5", 16)
        'my_very…nt_beam5'
        """
        from rich.cells import cell_len

        visible = printable(name)
        fitted, characters = visible, width
        while cell_len(fitted) > width:  # a character takes up to two columns
            fitted = shorten(visible, characters)
            if not self.is_unicode:
                fitted = fitted.replace("…", "...")
            characters -= 1
        return fitted


def echo(text: str) -> None:
    """Print to standard output, with styles on a terminal that wants them."""
    try:
        click.echo(text, color=False if os.environ.get("NO_COLOR") else None)
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


@contextmanager
def progress_bar(unit: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function to call with (done, total): it shows a bar on standard error after a second.

    It shows nothing if standard error is not a terminal.
    """
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    bar = _LateBar(unit)
    try:
        yield bar.report
    finally:
        bar.remove()


class _LateBar:
    """A bar that begins to show when the work turns out to be long."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.start = time.monotonic()
        self.progress: Progress | None = None

    def report(self, done: int, total: int) -> None:
        """Show how much is done."""
        is_late = time.monotonic() - self.start >= _SECONDS_UNTIL_PROGRESS
        if self.progress is None and is_late and done < total:
            self._show(total)
        if self.progress is not None:
            self.progress.update(self.progress.task_ids[0], completed=done, total=total)

    def _show(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self.progress = Progress(
            TextColumn(self.unit),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self.progress.add_task(self.unit, total=total)
        self.progress.start()

    def remove(self) -> None:
        """Leave the terminal as it was."""
        if self.progress is not None:
            self.progress.stop()
