"""Tables of results to paste into Markdown and LaTeX. Callers pass cells as plain text; this module escapes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from ._display import Readable, as_list, brackets, percents, printable
from ._score import BleuScore

_MARKDOWN = re.compile(r"[\\`*<>\[\]|~&]|(?<![^\W_])_|_(?![^\W_])")  # an underscore inside a word needs no escape
_LATEX = str.maketrans({character: f"\\{character}" for character in "&%$#_{}"})
_LATEX |= str.maketrans({"^": r"\^{}", "~": r"\textasciitilde{}", "\\": r"\textbackslash{}"})
_LATEX |= str.maketrans({"−": r"\ensuremath{-}"})
_LATEX |= str.maketrans({sign: rf"\ensuremath{{{sign}}}" for sign in "<>"})


class Table(NamedTuple):
    """A table of plain text. Each row has one cell per column."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: Collection[int] = (0,)
    """The columns of words, which are left-aligned. All other columns hold numbers, which are right-aligned."""
    bold: Collection[tuple[int, int]] = ()
    """The (row, column) positions of the cells to emphasize."""

    def to_markdown(self) -> str:
        r"""Return the table as Markdown.

        >>> print(Table(["system", "BLEU"], [["a_", "9.1"], ["b", "10.0"]], bold=[(1, 1)]).to_markdown())
        | system |     BLEU |
        |--------|---------:|
        | a\_    |      9.1 |
        | b      | **10.0** |
        """
        heads, *rows = self._marked(_escape_markdown, "**{}**")
        widths = _widths([heads, *rows])
        ends = ["-" if column in self.left else ":" for column in range(len(heads))]
        rule = "|".join("-" * (width + 1) + end for width, end in zip(widths, ends, strict=True))
        head, *lines = [f"| {' | '.join(cells)} |" for cells in self._padded([heads, *rows], widths)]
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
        cells = self._marked(_escape_latex, r"\textbf{{{}}}")
        head, *lines = [f" {' & '.join(row)} \\\\" for row in self._padded(cells, _widths(cells))]
        alignment = "".join("l" if column in self.left else "r" for column in range(len(self.heads)))
        start = [f"\\begin{{tabular}}{{{alignment}}}", "\\toprule"]
        return "\n".join([*start, head, "\\midrule", *lines, "\\bottomrule", "\\end{tabular}"])

    def _marked(self, escape: Callable[[str, bool], str], bold: str) -> list[list[str]]:
        """Return the heads and the rows. Cells are escaped, and the bold ones are put into `bold`."""
        heads = [escape(head, False) for head in self.heads]
        marked = [heads]
        for number, row in enumerate(self.rows):
            cells = [escape(printable(cell).strip(), column in self.left) for column, cell in enumerate(row)]
            for column in range(len(cells)):
                if (number, column) in self.bold:
                    cells[column] = bold.format(cells[column])
            marked.append(cells)
        return marked

    def _padded(self, rows: Sequence[Sequence[str]], widths: Sequence[int]) -> list[list[str]]:
        """Return the rows with spaces, so that the columns are aligned in the source."""
        padded = []
        for row in rows:
            columns = enumerate(zip(row, widths, strict=True))
            padded.append([cell.ljust(size) if at in self.left else cell.rjust(size) for at, (cell, size) in columns])
        return padded


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


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
    values = list(scores.values())
    columns = {what: list(map(str, scores))}
    segments = [getattr(score, "segments", None) for score in values]
    if any(segments):
        columns["segments"] = [f"{number:,}" for number in segments]
    columns["BLEU"] = [percents(as_list(score.bleu), digits) for score in values]
    intervals = [getattr(score, "interval", None) for score in values]
    level = next((interval.confidence for interval in intervals if interval), None)
    if level is not None:
        columns[f"{100 * level:g} % interval"] = [_interval_cell(interval, digits) for interval in intervals]
    columns["precisions"] = [percents(score.precisions, 1) for score in values]
    columns["penalty"] = [f"{score.brevity_penalty:.3f}" for score in values]
    columns["ratio"] = [f"{score.length_ratio:.3f}" for score in values]
    heads = list(columns)
    rows = list(zip(*columns.values(), strict=True))
    first = [as_list(score.bleu)[0] for score in values]
    best = [row for row, bleu in enumerate(first) if what == "system" and bleu == max(first)]
    column = heads.index("BLEU")
    return Table(heads, rows, (0, heads.index("precisions")), [(row, column) for row in best])


def _interval_cell(interval: Any, digits: int) -> str:
    """Return the bounds in percent, or an empty text if there is no interval: a group may have only one segment."""
    if interval is None:
        return ""
    ends = zip(as_list(interval.low), as_list(interval.high), strict=True)
    return "/".join(brackets(low, high, digits) for low, high in ends)
