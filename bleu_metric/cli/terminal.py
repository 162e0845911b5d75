"""Measure the terminal, wrap lines to its width, print to standard output, and draw progress bars."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import click

from .._display import printable, shorten

_PIPE_WIDTH = 10_000  # columns; so many that lines written to a pipe or file do not wrap
_SECONDS_UNTIL_PROGRESS = 1.0
_SECONDS_BETWEEN_BARS = 0.1
_BAR_WIDTH = 30
_CLEAR_LINE = "\r\x1b[K"


@dataclass(frozen=True)
class Terminal:
    """Standard output: whether it is a terminal, its width in columns, and whether it can write every character."""

    is_terminal: bool
    width: int
    is_unicode: bool = True

    @classmethod
    def current(cls) -> Terminal:
        """Return a description of the current standard output."""
        is_terminal = sys.stdout.isatty()
        width = shutil.get_terminal_size().columns if is_terminal else _PIPE_WIDTH
        return cls(is_terminal, width, writes_unicode(sys.stdout))

    @property
    def bar(self) -> str:
        """The character that bars are drawn with."""
        return "█" if self.is_unicode else "#"

    @property
    def rule(self) -> str:
        """The character that horizontal rules are drawn with."""
        return "─" if self.is_unicode else "-"

    def encodable(self, table: str) -> str:
        """Return the table. If standard output cannot write every character, minus signs are replaced with hyphens."""
        return table if self.is_unicode else table.replace("−", "-")

    def wrap(self, text: str, indent: str = "") -> str:
        """Return the text broken at spaces into lines that fit the terminal. Each line begins with `indent`."""
        lines = break_after(" ", text, self.width - len(indent))
        return "\n".join(indent + line.rstrip() for line in lines)

    def fit_name(self, name: str, width: int) -> str:
        """Return a name with its control characters escaped, and shortened in the middle to `width` columns.

        >>> Terminal(True, 80).fit_name("my_very_long_experiment_beam5", 16)
        'my_very…nt_beam5'
        """
        visible = printable(name)
        fitted, characters = visible, width
        while columns_of(fitted) > width:  # a character may take two columns: the first cut may be too wide
            fitted = shorten(visible, characters)
            if not self.is_unicode:
                fitted = fitted.replace("…", "...")
            characters -= 1
        return fitted


def writes_unicode(stream: object) -> bool:
    """Return whether a stream can write every character."""
    encoding = getattr(stream, "encoding", None) or ""
    return "utf" in encoding.lower()


def columns_of(text: str) -> int:
    r"""Count the terminal columns of a text. Styles and combining marks count as 0, wide characters as 2.

    >>> columns_of("cat"), columns_of("猫"), columns_of("e\u0301"), columns_of("\x1b[1mcat\x1b[0m")
    (3, 2, 1, 3)
    """
    plain = click.unstyle(text)
    if plain.isascii():
        return len(plain)
    marks = sum(unicodedata.category(character) in ("Mn", "Me", "Cf") for character in plain)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in plain)
    return len(plain) - marks + wide


def break_after(separator: str, text: str, width: int) -> list[str]:
    """Split a text after separators into lines of at most `width` columns. A part wider than `width` is cut.

    >>> break_after("/", "84.1/61.2/49.5/36.1", 10)
    ['84.1/61.2/', '49.5/36.1']
    """
    lines = [""]
    for part in split_after(separator, text):
        if lines[-1] and columns_of(lines[-1] + part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
        while columns_of(lines[-1].rstrip()) > width > 1:
            start = _longest_start(lines[-1], width)
            lines[-1:] = [lines[-1][:start], lines[-1][start:]]
    return lines


def split_after(separator: str, text: str) -> list[str]:
    """Split a text after each separator.

    >>> split_after("/", "84.1/61.2")
    ['84.1/', '61.2']
    """
    return re.split(f"(?<={re.escape(separator)})", text)


def _longest_start(text: str, width: int) -> int:
    """Return how many characters from the start of a text fit into `width` columns."""
    return next(end for end in range(width, 0, -1) if columns_of(text[:end]) <= width)


def echo(text: str) -> None:
    """Print to standard output. Styles are kept only on a terminal, and only if NO_COLOR is not set."""
    try:
        click.echo(text, color=False if os.environ.get("NO_COLOR") else None)
    except BrokenPipeError:  # the reader of the pipe has ended. Python must not fail again when it flushes at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


@contextmanager
def progress_bar(unit: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that the caller calls with the number of units done and the total number of units.

    The function draws a bar on standard error, if that is a terminal, when more than one second has passed.
    """
    start = time.monotonic()
    next_bar = start + _SECONDS_UNTIL_PROGRESS
    is_drawn = False

    def report(done: int, total: int) -> None:
        nonlocal next_bar, is_drawn
        now = time.monotonic()
        if done < total and now >= next_bar and sys.stderr.isatty():
            _draw_bar(unit, done, total, now - start)
            next_bar = now + _SECONDS_BETWEEN_BARS
            is_drawn = True

    try:
        yield report
    finally:
        if is_drawn:
            click.echo(_CLEAR_LINE, nl=False, err=True)


def _draw_bar(unit: str, done: int, total: int, seconds: float) -> None:
    """Draw a bar that shows the progress, with an estimate of the remaining time."""
    filled = "█" if writes_unicode(sys.stderr) else "#"
    bar = (filled * (_BAR_WIDTH * done // total)).ljust(_BAR_WIDTH)
    rest = f", {seconds * (total - done) / done:.0f} s left" if done else ""
    click.echo(f"{_CLEAR_LINE}{unit} {bar} {done:,}/{total:,}{rest}", nl=False, err=True)
