"""Print to standard output and standard error, and show progress."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from .._display import printable, shorten
from .._validation import Progress

_ASCII = str.maketrans({"−": "-", "≤": "<=", "…": "~", "·": "/", "━": "="})
# Maximum number of characters of a message, which may quote the user's names and texts, or list 100 names
_LONGEST_MESSAGE = 3000
_SECONDS_UNTIL_PROGRESS = 1.0
_SECONDS_UNTIL_NOTE = 30.0


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
        line = click.wrap_text(line, width, subsequent_indent="  ")
    click.echo(line, err=True)


@contextmanager
def progress_bar(unit: str) -> Iterator[Progress]:
    """Yield a function that shows the progress of long work on standard error.

    On a terminal, ``show(3, 10)`` shows "3 of 10 segments (30%)", but nothing in the first second. The line is cleared
    in the end. Elsewhere, the first call after 30 seconds prints one line.
    """
    start = time.monotonic()
    is_terminal = sys.stderr.isatty()
    is_shown = False

    def show(done: int, total: int) -> None:
        nonlocal is_shown
        seconds = time.monotonic() - start
        text = f"{done:,} of {total:,} {unit} ({done / total:.0%})"
        if is_terminal and seconds >= _SECONDS_UNTIL_PROGRESS:
            click.echo(f"\r{text}", err=True, nl=False)
            is_shown = True
        elif not is_terminal and not is_shown and seconds >= _SECONDS_UNTIL_NOTE:
            say(f"{text} after {seconds:.0f} s")
            is_shown = True

    try:
        yield show
    finally:
        if is_terminal and is_shown:
            click.echo("\r\x1b[K", err=True, nl=False)
