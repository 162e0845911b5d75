"""Display results as one line, as text, and as HTML, Markdown or LaTeX.

Callers pass plain text. This module escapes control characters and the special characters of each format.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Literal, NamedTuple

from ._display import escape_controls, printable, terminal_width

# An underscore inside a word needs no escape
_MARKDOWN = re.compile(r"[\\`*<>\[\]|~&]|(?<![^\W_])_|_(?![^\W_])")
_LATEX = {ord(character): f"\\{character}" for character in "&%$#_{}"}
_LATEX |= {ord(sign): rf"\ensuremath{{{sign}}}" for sign in "<>"}
_LATEX |= {ord("−"): r"\ensuremath{-}", ord("^"): r"\^{}"}
_LATEX |= {ord("~"): r"\textasciitilde{}", ord("\\"): r"\textbackslash{}"}

Escape = Callable[[str], str]  # escapes the special characters of a cell


class Table(NamedTuple):
    """A table of plain text. Each row has one cell per column."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    left_aligned: Collection[int] = (0,)
    """Indices of the columns that contain words. They are left-aligned; all other columns are right-aligned."""
    bold_cells: Collection[tuple[int, int]] = ()
    """The (row, column) positions of the cells that are shown in bold."""
    optional_heads: Sequence[str] = ()
    """Headings of columns that may be dropped, in this order, until the table fits into a narrow terminal."""

    def to_lines(self) -> list[str]:
        """Return the table as lines of text. "-" replaces the minus sign "−", which not all terminals can show.

        >>> Table(["system", "BLEU"], [["A", "50.0"]]).to_lines()
        ['system  BLEU', 'A       50.0']
        """
        if not self.rows:
            return []
        lines = align([self.heads, *self.rows], self.left_aligned)
        return [line.replace("−", "-") for line in lines]

    def to_html(self) -> str:
        """Return the table as HTML, or "" if it has no rows."""
        if not self.rows:
            return ""
        head = _html_row(self.heads, "col")
        rows = "".join(_html_row(row, "row") for row in self.rows)
        return f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"

    def to_markdown(self) -> str:
        r"""Return the table as Markdown.

        >>> print(Table(["system", "BLEU"], [["a_", "9.1"], ["b", "10.0"]], bold_cells=[(1, 1)]).to_markdown())
        | system |     BLEU |
        |--------|---------:|
        | a\_    |      9.1 |
        | b      | **10.0** |
        """
        rows = self._source_cells(escape_word=_escape_markdown, escape_number=str, bold_format="**{}**")
        rule = "|"
        for column, head in enumerate(rows[0]):
            end = "-" if column in self.left_aligned else ":"  # ":" right-aligns the column
            rule += "-" * len(head) + f"-{end}|"
        head_line, *row_lines = [f"| {' | '.join(cells)} |" for cells in rows]
        return "\n".join([head_line, rule, *row_lines])

    def to_latex(self) -> str:
        r"""Return the table as LaTeX, which needs the package booktabs.

        >>> print(Table(["system", "BLEU"], [["a_", "9.1"], ["b", "10.0"]], bold_cells=[(1, 1)]).to_latex())
        \begin{tabular}{lr}
        \toprule
         system &          BLEU \\
        \midrule
         a\_    &           9.1 \\
         b      & \textbf{10.0} \\
        \bottomrule
        \end{tabular}
        """
        rows = self._source_cells(_escape_latex_word, _escape_latex, bold_format=r"\textbf{{{}}}")
        alignment = "".join("l" if column in self.left_aligned else "r" for column in range(len(self.heads)))
        head_line, *row_lines = [f" {' & '.join(cells)} \\\\" for cells in rows]
        lines = [
            r"\begin{tabular}{" + alignment + "}",
            r"\toprule",
            head_line,
            r"\midrule",
            *row_lines,
            r"\bottomrule",
            r"\end{tabular}",
        ]
        return "\n".join(lines)

    def _source_cells(self, escape_word: Escape, escape_number: Escape, bold_format: str) -> list[tuple[str, ...]]:
        """Return the headings and the rows, with escaped and padded cells.

        `escape_word`: function that escapes the cells of left-aligned columns. `escape_number`: function that escapes
        all other cells and the headings. `bold_format`: the format of bold cells, such as "**{}**".
        """
        rows = [[escape_number(head) for head in self.heads]]
        for row, texts in enumerate(self.rows):
            cells = []
            for column, text in enumerate(texts):
                escape = escape_word if column in self.left_aligned else escape_number
                cell = escape(printable(text).strip())
                if (row, column) in self.bold_cells:
                    cell = bold_format.format(cell)
                cells.append(cell)
            rows.append(cells)
        return pad_cells(rows, self.left_aligned)


def _escape_markdown(cell: str) -> str:
    """Escape the special characters of Markdown in a cell of words. Numbers, such as [1.0, 2.0], need no escapes."""
    return _MARKDOWN.sub(r"\\\g<0>", cell)


def _escape_latex(cell: str) -> str:
    """Escape the special characters of LaTeX. This is enough for headings and numbers."""
    return cell.translate(_LATEX)


def _escape_latex_word(cell: str) -> str:
    """Escape the special characters of LaTeX in a cell that may be the first one of a row.

    If the cell begins with [ or *, put {} first. Otherwise LaTeX reads this character as an argument of the row break.
    """
    escaped = _escape_latex(cell)
    return "{}" + escaped if cell.startswith(("[", "*")) else escaped


def _html_row(texts: Sequence[str], scope: Literal["col", "row"]) -> str:
    """Return an HTML table row. `scope`: "col" if all cells are headers, "row" if only the first cell is a header."""
    first, *others = map(_escape_html, texts)
    cells = [f'<th scope="{scope}" style="text-align: left">{first}</th>']
    for text in others:
        if scope == "col" and text:  # an empty cell is not a header
            cells.append(f'<th scope="col">{text}</th>')
        else:
            cells.append(f"<td>{text}</td>")
    return f"<tr>{''.join(cells)}</tr>"


def _escape_html(text: str) -> str:
    """Escape control characters and the special characters of HTML."""
    from html import escape  # imported here, because most programs show no HTML

    return escape(escape_controls(text))


class Summary(NamedTuple):
    """The parts of a result's display. All strings are plain text, which `to_text` and `to_html` escape."""

    line: str
    """The main result on one line."""
    headline: str
    notes: Sequence[str]
    """Lines below the table; the signature comes last."""
    table: Table = Table(heads=(), rows=())  # no table

    def to_text(self) -> str:
        """Return the display as text for a terminal.

        >>> print(Summary("", "BLEU 50.00", ["made up"], Table(["system", "BLEU"], [["A", "50.0"]])).to_text())
        BLEU 50.00
          system  BLEU
          A       50.0
          made up
        """
        lines = [self.headline, *self.table.to_lines(), *self.notes]
        return "\n  ".join(map(printable, lines))

    def to_html(self) -> str:
        """Return the display as HTML, which inherits the colours and fonts of the page.

        >>> Summary("", "BLEU 50.00", ["a < b"]).to_html()
        '<div><p><strong>BLEU 50.00</strong></p><p><small>a &lt; b</small></p></div>'
        """
        headline = f"<p><strong>{_escape_html(self.headline)}</strong></p>"
        notes = "<br>".join(map(_escape_html, self.notes))
        return f"<div>{headline}{self.table.to_html()}<p><small>{notes}</small></p></div>"


class Readable:
    """The base class of results, which displays them: one line for `repr`, text for `print`, HTML for notebooks."""

    def _summary(self) -> Summary:
        """Return the parts of the display. Each class overrides this method."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {printable(self._summary().line)}>"

    def __str__(self) -> str:
        return self._summary().to_text()

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return self._summary().to_html()


class Tabular(Readable):
    """The base class of results that have one row per system or group."""

    def _table(self, digits: int) -> Table:
        """Return the table. Scores have `digits` digits after the decimal point. Each class overrides this method."""
        raise NotImplementedError

    def to_markdown(self, digits: int = 1) -> str:
        """Return the table as Markdown. If the rows are systems, the best score is bold.

        Args:
            digits: number of digits after the decimal point of scores.

        >>> from bleu_metric import corpus_bleu
        >>> print(corpus_bleu(["a b", "c"], ["a b", "d"], groups=["news", "chat"], max_order=1).to_markdown())
        | group | segments |  BLEU | precisions | penalty | ratio |
        |-------|---------:|------:|------------|--------:|------:|
        | news  |        1 | 100.0 | 100.0      |   1.000 | 1.000 |
        | chat  |        1 |   0.0 | 0.0        |   1.000 | 1.000 |
        """
        return self._table(digits).to_markdown()

    def to_latex(self, digits: int = 1) -> str:
        r"""Return the table as LaTeX for the package booktabs. If the rows are systems, the best score is bold.

        Args:
            digits: number of digits after the decimal point of scores.

        >>> from bleu_metric import corpus_bleu
        >>> print(corpus_bleu(["a b"], ["a b"], groups=["news"], max_order=1).to_latex().splitlines()[4])
         news  &        1 & 100.0 & 100.0      &   1.000 & 1.000 \\
        """
        return self._table(digits).to_latex()


def align(rows: Sequence[Sequence[str]], left_aligned: Collection[int] = (0,)) -> list[str]:
    """Return one line per row. `left_aligned`: indices of the left-aligned columns. All others are right-aligned.

    >>> align([["a", "10"], ["long", "5"]])
    ['a     10', 'long   5']
    """
    return ["  ".join(cells).rstrip() for cells in pad_cells(rows, left_aligned)]


def pad_cells(rows: Sequence[Sequence[str]], left_aligned: Collection[int]) -> list[tuple[str, ...]]:
    """Pad all cells of a column to one width.

    `left_aligned`: indices of the left-aligned columns. All others are right-aligned.

    >>> pad_cells([["a", "10"], ["long", "5"]], [0])
    [('a   ', '10'), ('long', ' 5')]
    """
    columns = zip(*rows, strict=True)
    padded_columns = []
    for index, column in enumerate(columns):
        width = max(map(terminal_width, column))
        spaces = [" " * (width - terminal_width(cell)) for cell in column]
        pairs = zip(column, spaces, strict=True)
        padded_columns.append([cell + space if index in left_aligned else space + cell for cell, space in pairs])
    return list(zip(*padded_columns, strict=True))
