"""Print to standard output and standard error, show progress, and define the parts that `drawing` draws."""

from __future__ import annotations

import shutil
import sys
import time
from contextlib import ExitStack
from typing import Any, NamedTuple

import click

from .._display import printable, shorten
from .._tables import Table

INDENT = "  "
BAR = "━"
_ASCII = str.maketrans({"−": "-", "─": "-", "…": "~", "·": "/", BAR: "="})
# Maximum number of characters of a message. It is limited because messages quote the user's names and texts
_LONGEST_MESSAGE = 300
_SECONDS_UNTIL_PROGRESS = 1.0


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
    """An indented line about a number from 0 to 1, such as a precision. On a wide terminal, it ends with a bar."""

    text: str
    share: float


Part = str | Title | Note | Signature | Barred | Table
"""One part of the text that a command prints. A string is printed unchanged."""


def writes_unicode(stream: object) -> bool:
    """Return whether a stream has an encoding that can represent every character, such as UTF-8."""
    encoding = getattr(stream, "encoding", None) or ""
    return "utf" in encoding.lower()


def echo(text: str) -> None:
    """Print a text and a line feed to standard output. If the encoding is not Unicode, replace signs such as "…"."""
    if not writes_unicode(sys.stdout):
        text = text.translate(_ASCII)
    click.echo(text, color=True)


def say(message: str) -> None:
    """Print a message as one line on standard error. On a terminal, wrap the line between words."""
    text = printable(" ".join(message.splitlines()))
    line = f"bleu-metric: {shorten(text, _LONGEST_MESSAGE)}"
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns
        line = click.wrap_text(line, width, subsequent_indent=INDENT)
    click.echo(line, err=True)


class ProgressBar(ExitStack):
    """A context manager that shows the progress of long work on standard error, if standard error is a terminal.

    Call the object with the number of units, such as segments, that are done, and the total number of units.
    """

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit
        self._start = time.monotonic()
        self._bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        """Update the bar. Do not show it in the first second."""
        seconds = time.monotonic() - self._start
        if self._bar is None and seconds >= _SECONDS_UNTIL_PROGRESS and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            # With transient=True, the bar disappears at the end
            self._bar = self.enter_context(Progress(console=Console(stderr=True), transient=True))
            self._bar.add_task(self._unit)
        if self._bar is not None:
            self._bar.update(task_id=0, completed=done, total=total)
