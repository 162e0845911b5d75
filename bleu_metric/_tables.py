"""Tables of results to paste into Markdown and LaTeX. Callers pass cells as plain text; this module escapes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from operator import add
from typing import Any, NamedTuple

from ._display import Readable, as_list, level_text, pad_cells, percents, printable
from ._score import BleuScore, interval_bounds

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
    """The columns of words, which are left-aligned. All other columns hold numbers, which are right-aligned."""
    bold: Collection[tuple[int, int]] = ()
    """The (row, column) positions of the cells to emphasize."""
    spare: Sequence[str] = ()
    """The headings of columns that a narrow terminal leaves out, the first one first."""

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
        """Return the heads and the rows. Cells are escaped and padded, and the bold ones are put into `bold`."""
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
        """Return one value per column: `left` for those of words, `right` for those of numbers."""
        columns = range(len(self.heads))
        return [left if column in self.left else right for column in columns]


def _escape_markdown(cell: str, is_word: bool) -> str:
    """Return a cell without characters that Markdown reads as marks. Numbers such as [1.0, 2.0] need no escape."""
    return _MARKDOWN.sub(r"\\\g<0>", cell) if is_word else cell


def _escape_latex(cell: str, is_word: bool) -> str:
    """Return a cell as LaTeX. At the start of a row, [ and * would belong to the command that ends the row before."""
    protection = "{}" if is_word and cell.startswith(("[", "*")) else ""
    return protection + cell.translate(_LATEX)


class Tabular(Readable):
    """The base class of results that have one row per system or group."""

    def _table(self, digits: int) -> Table:
        raise NotImplementedError

    def to_markdown(self, digits: int = 1) -> str:
        """Return the table as Markdown. Among systems, the best is bold.

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
        r"""Return the table as LaTeX. Among systems, the best is bold. LaTeX needs the package booktabs.

        Args:
            digits: number of digits after the decimal point of scores.

        >>> from bleu_metric import corpus_bleu
        >>> print(corpus_bleu(["a b"], ["a b"], groups=["news"], max_order=1).to_latex().splitlines()[4])
         news  &        1 & 100.0 & 100.0      &   1.000 & 1.000 \\
        """
        return self._table(digits).to_latex()


def score_table(scores: Mapping[Any, BleuScore], what: str, digits: int = 1) -> Table:
    """Return a table with one row per system, dialect or group. `what` is the heading of the first column.

    Numbers of segments and intervals are shown if scores have them. Of systems, the best is bold.

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


def _best_rows(scores: Iterable[BleuScore]) -> list[int]:
    """Return the numbers of the rows with the highest score. Of several scores, the first counts."""
    first_scores = [as_list(score.bleu)[0] for score in scores]
    best = max(first_scores)
    return [row for row, bleu in enumerate(first_scores) if bleu == best]


def _level_of(scores: Iterable[Any]) -> float | None:
    """Return the confidence level of the scores' intervals, or None if no score has an interval."""
    intervals = [getattr(score, "interval", None) for score in scores]
    return next((interval.confidence for interval in intervals if interval), None)


def _cells(score: Any, level: float | None, digits: int) -> dict[str, str]:
    """Return one row of the table as a dict: heading of a column -> cell of this score."""
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
    """Return the bounds in percent, or an empty text if there is no interval: a group may have only one segment."""
    if interval is None:
        return ""
    return "/".join(interval_bounds(interval, digits))
