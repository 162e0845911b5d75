"""Display results as one line, as text, and as HTML, Markdown or LaTeX.

Callers pass plain text. This module escapes control characters and the special characters of each format.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from operator import add
from typing import Any, NamedTuple

from ._display import as_list, escape_controls, interval_bounds, level_text, percents, printable

_MARKDOWN = re.compile(r"[\\`*<>\[\]|~&]|(?<![^\W_])_|_(?![^\W_])")  # an underscore inside a word needs no escape
_LATEX = str.maketrans(
    {
        **{character: f"\\{character}" for character in "&%$#_{}"},
        **{sign: rf"\ensuremath{{{sign}}}" for sign in "<>"},
        "−": r"\ensuremath{-}",
        "^": r"\^{}",
        "~": r"\textasciitilde{}",
        "\\": r"\textbackslash{}",
    }
)


class Table(NamedTuple):
    """A table of plain text. Each row has one cell per column."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: Collection[int] = (0,)
    """Indices of the columns that contain words. They are left-aligned; all other columns are right-aligned."""
    bold: Collection[tuple[int, int]] = ()
    """The (row, column) positions of the cells that are shown in bold."""
    spare: Sequence[str] = ()
    """The headings of columns to drop, in this order, until the table fits into a narrow terminal."""

    def to_lines(self) -> list[str]:
        """Return the table as lines of text. "-" replaces the minus sign "−", which not all terminals can show.

        >>> Table(["system", "BLEU"], [["A", "50.0"]]).to_lines()
        ['system  BLEU', 'A       50.0']
        """
        rows = [[cell.replace("−", "-") for cell in row] for row in self.rows]
        return align([self.heads, *rows], self.left) if rows else []

    def to_html(self) -> str:
        """Return the table as HTML, or "" if it has no rows."""
        if not self.rows:
            return ""
        head = _html_row(self.heads, "col")
        rows = "".join(_html_row(row, "row") for row in self.rows)
        return f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"

    def to_markdown(self) -> str:
        r"""Return the table as Markdown.

        >>> print(Table(["system", "BLEU"], [["a_", "9.1"], ["b", "10.0"]], bold=[(1, 1)]).to_markdown())
        | system |     BLEU |
        |--------|---------:|
        | a\_    |      9.1 |
        | b      | **10.0** |
        """
        rows = self._source_cells(_escape_markdown, "**{}**")
        hyphens = ["-" * (len(head) + 1) for head in rows[0]]
        ends = self._of_columns("-", ":")
        rule = "|".join(map(add, hyphens, ends))
        head, *lines = [f"| {' | '.join(cells)} |" for cells in rows]
        return "\n".join([head, f"|{rule}|", *lines])

    def to_latex(self) -> str:
        r"""Return the table as LaTeX. It needs the package booktabs.

        >>> print(Table(["system", "BLEU"], [["a_", "9.1"], ["b", "10.0"]], bold=[(1, 1)]).to_latex())
        \begin{tabular}{lr}
        \toprule
         system &          BLEU \\
        \midrule
         a\_    &           9.1 \\
         b      & \textbf{10.0} \\
        \bottomrule
        \end{tabular}
        """
        cells = self._source_cells(_escape_latex, r"\textbf{{{}}}")
        head, *lines = [f" {' & '.join(row)} \\\\" for row in cells]
        alignment = "".join(self._of_columns("l", "r"))
        start = f"\\begin{{tabular}}{{{alignment}}}"
        end = "\\end{tabular}"
        return "\n".join([start, "\\toprule", head, "\\midrule", *lines, "\\bottomrule", end])

    def _source_cells(self, escape: Callable[[str, bool], str], bold: str) -> list[tuple[str, ...]]:
        """Return the headings and the rows, with escaped and padded cells. `bold`: a format such as "**{}**"."""
        heads = [escape(head, False) for head in self.heads]
        are_words = self._of_columns(True, False)
        rows = []
        for row in self.rows:
            texts = [printable(cell).strip() for cell in row]
            rows.append(list(map(escape, texts, are_words)))
        for number, column in self.bold:
            cell = rows[number][column]
            rows[number][column] = bold.format(cell)
        return pad_cells([heads, *rows], self.left)

    def _of_columns(self, left: Any, right: Any) -> list[Any]:
        """Return a list with `left` for each column of words and `right` for each column of numbers."""
        columns = range(len(self.heads))
        return [left if column in self.left else right for column in columns]


def _escape_markdown(cell: str, is_word: bool) -> str:
    """Escape the special characters of Markdown in a cell. Cells of numbers, such as [1.0, 2.0], stay as they are."""
    return _MARKDOWN.sub(r"\\\g<0>", cell) if is_word else cell


def _escape_latex(cell: str, is_word: bool) -> str:
    """Escape the special characters of LaTeX in a cell.

    If a cell of words begins with [ or *, put {} first. Otherwise LaTeX reads this character as an argument of the row
    break.
    """
    protection = "{}" if is_word and cell.startswith(("[", "*")) else ""
    return protection + cell.translate(_LATEX)


def _html_row(texts: Sequence[str], scope: str) -> str:
    """Return an HTML table row. `scope`: "col" if all cells are headers, "row" if only the first cell is a header."""
    name, *others = map(_escaped, texts)
    first = f'<th scope="{scope}" style="text-align: left">{name}</th>'
    cells = [_html_cell(other, is_header=scope == "col") for other in others]
    return f"<tr>{first}{''.join(cells)}</tr>"


def _html_cell(text: str, is_header: bool) -> str:
    if is_header and text:  # an empty cell is no header
        return f'<th scope="col">{text}</th>'
    return f"<td>{text}</td>"


def _escaped(text: str) -> str:
    from html import escape  # imported only when needed: most programs show no HTML

    return escape(escape_controls(text))


class Summary(NamedTuple):
    """The parts of a result's display. All strings are plain text, which `to_text` and `to_html` escape."""

    line: str
    """The main result on one line."""
    headline: str
    notes: Sequence[str]
    """Lines below the table; the signature comes last."""
    table: Table = Table((), ())

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
        headline = f"<p><strong>{_escaped(self.headline)}</strong></p>"
        notes = "<br>".join(map(_escaped, self.notes))
        return f"<div>{headline}{self.table.to_html()}<p><small>{notes}</small></p></div>"


class Readable:
    """The base class of results, which displays them: one line for `repr`, text for `print`, HTML for notebooks."""

    def _summary(self) -> Summary:
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
        r"""Return the table as LaTeX, for the package booktabs. If the rows are systems, the best score is bold.

        Args:
            digits: number of digits after the decimal point of scores.

        >>> from bleu_metric import corpus_bleu
        >>> print(corpus_bleu(["a b"], ["a b"], groups=["news"], max_order=1).to_latex().splitlines()[4])
         news  &        1 & 100.0 & 100.0      &   1.000 & 1.000 \\
        """
        return self._table(digits).to_latex()


def score_table(scores: Mapping[Any, Any], what: str, digits: int = 1) -> Table:
    """Return a table with one row per system, dialect or group. `what` is the heading of the first column.

    If scores have a number of segments or an interval, there is a column for it. If `what` is "system", the best score
    is bold.

    >>> from bleu_metric import score_systems
    >>> score_table(score_systems({"A": ["a b"], "B": ["a c"]}, ["a b"], max_order=1), "system").bold
    [(0, 1)]
    """
    level = _level_of(scores.values())
    rows = []
    for name, score in scores.items():
        rows.append({what: str(name), **_cells(score, level, digits)})
    heads = list(rows[0]) if rows else [what]
    words = [column for column, head in enumerate(heads) if head in (what, "precisions")]
    bold = []
    if what == "system":
        column = heads.index("BLEU")
        bold = [(row, column) for row in _best_rows(scores.values())]
    cells = [list(row.values()) for row in rows]
    return Table(heads, cells, words, bold)


def _best_rows(scores: Iterable[Any]) -> list[int]:
    """Return the indices of the rows with the highest score. If a score is a list, its first number is compared."""
    first_scores = [as_list(score.bleu)[0] for score in scores]
    best = max(first_scores)
    return [row for row, bleu in enumerate(first_scores) if bleu == best]


def _level_of(scores: Iterable[Any]) -> float | None:
    """Return the confidence level of the scores' intervals, or None if no score has an interval."""
    intervals = [getattr(score, "interval", None) for score in scores]
    return next((interval.confidence for interval in intervals if interval), None)


def _cells(score: Any, level: float | None, digits: int) -> dict[str, str]:
    """Return the cells of one score as a dict of column heading -> cell. `level`: the confidence level, if any."""
    cells = {}
    if hasattr(score, "segments"):
        cells["segments"] = f"{score.segments:,}"
    cells["BLEU"] = percents(as_list(score.bleu), digits)
    if level is not None:
        cells[f"{level_text(level)} interval"] = _interval_cell(score.interval, digits)
    cells["precisions"] = percents(score.precisions, 1)
    cells["penalty"] = f"{score.brevity_penalty:.3f}"
    cells["ratio"] = f"{score.length_ratio:.3f}"
    return cells


def _interval_cell(interval: Any, digits: int) -> str:
    """Return the bounds in percent, or "" for None: a group with only one segment has no interval."""
    if interval is None:
        return ""
    return "/".join(interval_bounds(interval, digits))


def align(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> list[str]:
    """Return one line per row. Columns listed in `left` are left-aligned; all others are right-aligned.

    >>> align([["a", "10"], ["long", "5"]])
    ['a     10', 'long   5']
    """
    return ["  ".join(cells).rstrip() for cells in pad_cells(rows, left)]


def pad_cells(rows: Sequence[Sequence[str]], left: Collection[int]) -> list[tuple[str, ...]]:
    """Pad all cells of a column to one width. Columns listed in `left` are left-aligned; all others are right-aligned.

    >>> pad_cells([["a", "10"], ["long", "5"]], [0])
    [('a   ', '10'), ('long', ' 5')]
    """
    columns = []
    for number, column in enumerate(zip(*rows, strict=True)):
        width = max(map(len, column))
        pad = str.ljust if number in left else str.rjust
        columns.append([pad(cell, width) for cell in column])
    return list(zip(*columns, strict=True))
