"""Write tables as text for a terminal, as Markdown or as LaTeX.

A table has names in its first column and numbers in the others. Callers pass cells as plain text. This module escapes
the characters that have a special meaning in Markdown or LaTeX.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import click

from .._display import printable
from .terminal import Terminal, break_after, columns_of, split_after

_LEAST_NAME = 12  # smallest width of the first column, in columns of the terminal
_GAP = "  "
_MARKDOWN = re.compile(r"[\\`*<>\[\]|~&]|(?<![^\W_])_|_(?![^\W_])")  # an underscore inside a word needs no escape
_LATEX = str.maketrans({character: f"\\{character}" for character in "&%$#_{}"})
_LATEX |= str.maketrans({"^": r"\^{}", "~": r"\textasciitilde{}", "\\": r"\textbackslash{}"})
_LATEX |= str.maketrans({"−": r"\ensuremath{-}"})
_LATEX |= str.maketrans({sign: rf"\ensuremath{{{sign}}}" for sign in "<>"})


@dataclass(frozen=True)
class Table:
    """A table. `heads` are the headings of its columns. Each row has one cell per column."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    left_aligned: frozenset[int] = frozenset({0})
    """The left-aligned columns. All other columns are right-aligned."""
    emphasized: frozenset[tuple[int, int]] = frozenset()
    """The (row, column) positions of the cells that are bold on a terminal."""

    def write(self, output_format: str, terminal: Terminal) -> str:
        """Return the table as ``"text"``, ``"markdown"`` or ``"latex"``."""
        if output_format == "markdown":
            return terminal.encodable(self._to_markdown())
        if output_format == "latex":
            return self._to_latex()
        return terminal.encodable(self._to_text(terminal))

    def _to_text(self, terminal: Terminal) -> str:
        """Return the table as lines of text that fit the terminal if possible."""
        widths = self._widths_on(terminal)
        rule = terminal.rule * (sum(widths) + len(_GAP) * (len(widths) - 1))
        lines = [*self._row_lines(self.heads, widths), rule]
        for number, (name, *numbers) in enumerate(self.rows):
            cells = [terminal.fit_name(name, widths[0]), *numbers]
            bold = {column for row, column in self.emphasized if row == number}
            lines += self._row_lines(cells, widths, bold)
        return "\n".join(lines)

    def _widths_on(self, terminal: Terminal) -> list[int]:
        """Compute column widths that fit the terminal. Names are shortened first, then cells break after slashes."""
        columns = list(zip(*self._visible_rows(), strict=True))
        widths = [max(map(columns_of, column)) for column in columns]
        excess = sum(widths) + len(_GAP) * (len(widths) - 1) - terminal.width
        for index, column in enumerate(columns):
            parts = [part for cell in column for part in split_after("/", cell)]
            least = max(map(columns_of, parts)) if index else _LEAST_NAME
            saved = max(0, min(excess, widths[index] - least))
            widths[index] -= saved
            excess -= saved
        return widths

    def _visible_rows(self) -> list[list[str]]:
        """Return the heads and all rows. Control characters in names are escaped."""
        rows = [[printable(name).strip(), *numbers] for name, *numbers in self.rows]
        return [list(self.heads), *rows]

    def _row_lines(self, cells: Sequence[str], widths: Sequence[int], bold: Collection[int] = ()) -> list[str]:
        """Return the lines of one row. A cell that is wider than its column continues on the next line."""
        name, *numbers = cells
        broken = [[name], *(break_after("/", cell, width) for cell, width in zip(numbers, widths[1:], strict=True))]
        lines = []
        for texts in zip_longest(*broken, fillvalue=""):
            styled = [click.style(text, bold=True) if index in bold else text for index, text in enumerate(texts)]
            lines.append(_GAP.join(self._padded(styled, widths)).rstrip())
        return lines

    def _to_markdown(self) -> str:
        heads, *rows = self._visible_rows()
        escaped = [[_MARKDOWN.sub(r"\\\g<0>", name), *numbers] for name, *numbers in rows]
        widths = _source_widths(heads, escaped)
        rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
        head, *lines = ["| " + " | ".join(self._padded(row, widths)) + " |" for row in (heads, *escaped)]
        return "\n".join([head, rule, *lines])

    def _to_latex(self) -> str:
        heads, *rows = self._visible_rows()
        widths = _source_widths(heads, rows)
        head, *lines = [_latex_row(self._padded(row, widths)) for row in (heads, *rows)]
        alignment = "".join("l" if index in self.left_aligned else "r" for index in range(len(heads)))
        start = f"\\begin{{tabular}}{{{alignment}}}\n\\toprule"
        end = "\\bottomrule\n\\end{tabular}"
        return "\n".join([start, head, "\\midrule", *lines, end])

    def _padded(self, cells: Sequence[str], widths: Sequence[int]) -> list[str]:
        """Return the cells of a row, padded with spaces to the given widths and aligned as `left_aligned` says."""
        padded = []
        for index, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            spaces = " " * (width - columns_of(cell))
            padded.append(cell + spaces if index in self.left_aligned else spaces + cell)
        return padded


def _source_widths(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """Compute column widths that align the cells in the Markdown or LaTeX source."""
    room = [f"{head}  " for head in heads]
    return [max(map(columns_of, column)) for column in zip(room, *rows, strict=True)]


def _latex_row(cells: Sequence[str]) -> str:
    escaped = [cell.translate(_LATEX) for cell in cells]
    # LaTeX would read [ or * at the start of a row as part of the command that ends the previous row
    protection = "{}" if escaped[0].startswith(("[", "*")) else ""
    return f" {protection}" + " & ".join(escaped) + " \\\\"
