"""One table, drawn for a terminal or written in Markdown or LaTeX.

A table has a name in its first column and numbers in the others. Cells are plain text: what has a meaning in Markdown,
in LaTeX or in Rich's markup is escaped here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .._display import printable
from .terminal import Terminal

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.measure import Measurement
    from rich.table import Table as RichTable
    from rich.text import Text

_LEAST_NAME = 12  # columns of a terminal that a name gets, however many numbers stand beside it
_GAP = 2
_RULED_IN_ASCII = "    \n    \n -- \n" + "    \n" * 5  # eight lines, as Rich describes a table's borders
_MARKDOWN = re.compile(r"[\\`*<>\[\]|~&]|(?<![^\W_])_|_(?![^\W_])")  # in a word, an underscore means nothing
_LATEX = str.maketrans(
    {
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "^": r"\^{}",
        "~": r"\textasciitilde{}",
        "\\": r"\textbackslash{}",
        "<": r"\ensuremath{<}",
        ">": r"\ensuremath{>}",
    }
)


@dataclass(frozen=True)
class Table:
    """Heads and rows of cells, all of one length."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    left_aligned: frozenset[int] = frozenset({0})
    """Columns whose cells begin at the left; numbers end at the right."""
    emphasized: frozenset[tuple[int, int]] = frozenset()
    """The (row, column) of cells that are bold on a terminal."""

    def write(self, output_format: str, terminal: Terminal) -> str:
        """Write the table as ``"text"``, ``"markdown"`` or ``"latex"``."""
        if output_format == "markdown":
            return self._to_markdown()
        if output_format == "latex":
            return self._to_latex()
        return self._to_text(terminal)

    def _to_text(self, terminal: Terminal) -> str:
        """Draw it; names are shortened to the room that the numbers leave."""
        placeholders = ["x"] * len(self.rows)
        numbers_width = terminal.console().measure(self._to_rich("x", placeholders, terminal)).maximum - 1
        room = max(_LEAST_NAME, terminal.width - numbers_width)
        names = [terminal.fit_name(row[0], room) for row in self.rows]
        return terminal.draw(self._to_rich(self.heads[0], names, terminal))

    def _to_rich(self, head: str, names: Sequence[str], terminal: Terminal) -> RichTable:
        """Make a table of Rich, with its own head and names in the first column."""
        from rich.box import SIMPLE_HEAD, Box
        from rich.table import Table as RichTable

        box = SIMPLE_HEAD if terminal.is_unicode else Box(_RULED_IN_ASCII, ascii=True)
        drawn = RichTable(box=box, show_edge=False, pad_edge=False, padding=(0, _GAP - 1, 0, 0))
        for place, text in enumerate([head, *self.heads[1:]]):
            may_break = any("/" in row[place] for row in self.rows) and place > 0
            justify = "left" if place in self.left_aligned else "right"
            drawn.add_column(text, justify=justify, no_wrap=not may_break)  # type: ignore[arg-type]
        for row_number, (name, row) in enumerate(zip(names, self.rows, strict=True)):
            cells = [name, *row[1:]]
            styles = ["bold" if (row_number, place) in self.emphasized else "" for place in range(len(cells))]
            drawn.add_row(*(_Cell(text, style) for text, style in zip(cells, styles, strict=True)))
        return drawn

    def _to_markdown(self) -> str:
        names = [_MARKDOWN.sub(r"\\\g<0>", printable(row[0])) for row in self.rows]
        head, *rows = self._padded(names)
        rule = "|" + "|".join("-" * (_width(cell) + 2) for cell in head) + "|"
        lines = ["| " + " | ".join(cells) + " |" for cells in (head, *rows)]
        return "\n".join([lines[0], rule, *lines[1:]])

    def _to_latex(self) -> str:
        head, *rows = self._padded([printable(row[0]) for row in self.rows])
        alignment = "".join("l" if place in self.left_aligned else "r" for place in range(len(self.heads)))
        return "\n".join(
            [
                f"\\begin{{tabular}}{{{alignment}}}",
                "\\toprule",
                _latex_row(head),
                "\\midrule",
                *map(_latex_row, rows),
                "\\bottomrule",
                "\\end{tabular}",
            ]
        )

    def _padded(self, names: Sequence[str]) -> list[list[str]]:
        """Pad all cells, heads first, so that the source of a table can be read, too."""
        rows = [[name.strip(), *row[1:]] for name, row in zip(names, self.rows, strict=True)]
        widths = [_width(head) + 2 for head in self.heads]
        for row in rows:
            widths = [max(width, _width(cell)) for width, cell in zip(widths, row, strict=True)]
        return [
            [self._pad(cell, place, width) for place, (cell, width) in enumerate(zip(row, widths, strict=True))]
            for row in [list(self.heads), *rows]
        ]

    def _pad(self, cell: str, place: int, width: int) -> str:
        spaces = " " * (width - _width(cell))
        return cell + spaces if place in self.left_aligned else spaces + cell


def _latex_row(cells: Sequence[str]) -> str:
    escaped = [cell.translate(_LATEX) for cell in cells]
    # LaTeX takes [ and * after the end of the row before for a part of the command that ends it
    protection = "{}" if escaped[0].startswith(("[", "*")) else ""
    return f" {protection}" + " & ".join(escaped) + " \\\\"


def _width(text: str) -> int:
    """How many columns a text takes."""
    from rich.cells import cell_len

    return cell_len(text)


@dataclass(frozen=True)
class _Cell:
    """A cell that breaks after slashes where its column is narrow; Rich breaks at spaces alone."""

    content: str
    style: str

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        from rich.measure import Measurement

        longest_part = max(map(_width, break_after("/", self.content, 1)))
        return Measurement(longest_part, _width(self.content))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        from rich.text import Text

        lines = break_after("/", self.content, options.max_width)
        yield Text("\n".join(lines), self.style)


def break_after(separator: str, text: str, width: int) -> list[str]:
    """Break a text after separators, so that lines have at most `width` characters if its parts have.

    >>> break_after("/", "84.1/61.2/49.5/36.1", 10)
    ['84.1/61.2/', '49.5/36.1']
    """
    *parts, last = text.split(separator)
    lines = [""]
    for part in [*(part + separator for part in parts), last]:
        if lines[-1] and len(lines[-1]) + len(part) > width:
            lines.append("")
        lines[-1] += part
    return lines
