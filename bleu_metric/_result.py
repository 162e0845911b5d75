"""The base class of all results, and what writes them: as text, HTML, Markdown, LaTeX, JSON, TSV and CSV.

A result says its title, its facts (`rows`), its table (`columns`) and its notes once, as plain text and numbers. Each
writer here escapes control characters and the special characters of its format.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Literal, NamedTuple

from ._display import escape_controls, printable, terminal_width

Row = dict[str, Any]
BOLD = "Bold: the best score of the systems compared"


class Column(NamedTuple):
    """A column of a table."""

    head: str
    cells: Sequence[str]
    metric: str = ""
    """The name of the metric whose scores the column has."""
    is_text: bool = False
    """Whether the column has words, and is left-aligned. All other columns are right-aligned."""
    bold: Collection[int] = ()
    """The rows whose cells are bold."""
    spare: int = 0
    """A narrow terminal leaves out the columns with the highest number first, and those with 0 never."""
    in_papers: bool = True
    """Whether Markdown and LaTeX have the column."""
    shares: Sequence[float] = ()
    """Numbers from 0 to 1 that a wide terminal draws as bars behind the first rows."""


class Result:
    """The base class of results. `print` shows text, notebooks show HTML, and methods return other formats."""

    def title(self, digits: int = 1) -> str:
        """Return the main result as one line, or "" if the table says everything."""
        return ""

    def facts(self) -> Row:
        """Return what describes all rows, such as the settings of a test, as plain Python values."""
        return {}

    def rows(self, in_percent: bool = False) -> list[Row]:
        """Return one dict of plain Python values per row, e.g. for pandas.

        Args:
            in_percent: whether scores are multiplied by 100, except those of metrics that are not shown in percent.
        """
        raise NotImplementedError

    def columns(self, digits: int = 1) -> list[Column]:
        """Return the table. `digits`: the number of digits of scores after the decimal point."""
        return []

    def notes(self) -> list[str]:
        """Return sentences about the table. Signatures, which have a "|", come last."""
        return []

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values: the facts, and the rows."""
        return {**self.facts(), "rows": self.rows()}

    def to_markdown(self, digits: int = 1) -> str:
        """Return the table as Markdown, without the columns that papers do not print.

        Args:
            digits: number of digits after the decimal point of scores.

        >>> from bleu_metric import score_systems
        >>> print(score_systems({"A": ["a b"], "B": ["a c"]}, ["a b"], max_order=1).to_markdown())
        | system |      BLEU |
        |--------|----------:|
        | A      | **100.0** |
        | B      |      50.0 |
        """
        return markdown(self.columns(digits))

    def to_latex(self, digits: int = 1, caption: str = "") -> str:
        r"""Return the table as LaTeX for the package booktabs, without the columns that papers do not print.

        Args:
            digits: number of digits after the decimal point of scores.
            caption: if it is given, the table is a float with a label, and the signatures are below the table.

        >>> from bleu_metric import score_systems
        >>> print(score_systems({"A": ["a b"]}, ["a b"], max_order=1).to_latex().splitlines()[4])
         A      & \textbf{100.0} \\
        """
        return latex(self.columns(digits), caption, self.notes())

    def to_tsv(self) -> str:
        """Return the rows with their names as TSV, with scores in percent. Numbers are not rounded."""
        return tsv([self])

    def to_csv(self) -> str:
        """Return the rows with their names as CSV, with scores in percent. Numbers are not rounded."""
        return csv([self])

    def __repr__(self) -> str:
        """Return the name and the score of each row or, if rows have no score and no name, the title."""
        columns = self.columns()
        names = next((column.cells for column in columns if column.is_text), [])
        scores = next((column.cells for column in columns if column.metric), [])
        pairs = [f"{name} {score.strip()}" for name, score in zip(names, scores, strict=False)]
        line = ", ".join(pairs) if pairs and all(names) else self.title()
        return f"<{type(self).__name__} {printable(line)}>"

    def __str__(self) -> str:
        lines = [*filter(None, [self.title()]), *table_lines(self.columns()), *(f"  {note}" for note in self.notes())]
        return "\n".join(map(printable, lines))

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows, without colours and fonts of its own."""
        title = f"<p><strong>{_escape_html(self.title())}</strong></p>" if self.title() else ""
        notes = "<br>".join(map(_escape_html, self.notes()))
        return f"<div>{title}{html(self.columns())}<p><small>{notes}</small></p></div>"


def all_notes(results: Iterable[Result], more: Iterable[str] = ()) -> list[str]:
    """Return the notes of several results and `more` notes, each once, and signatures last."""
    notes = dict.fromkeys([*chain.from_iterable(result.notes() for result in results), *more])
    return sorted(notes, key=is_signature)


def is_signature(note: str) -> bool:
    """Return whether a note is a signature, which wraps between its settings. A metric's name may precede it.

    >>> is_signature("chrF2: nrefs:1|case:mixed"), is_signature("4 segments of a|b.txt")
    (True, False)
    """
    return re.match(r"(.*: )?\w+:[^|]*\|", note) is not None


def stacked(tables: Iterable[Sequence[Column]]) -> list[Column]:
    """Return one table with the rows of several tables. Cells are empty where a table lacks a column of the widest one.

    >>> [column] = stacked([[Column("BLEU", ["9.1", "8.0"], bold=[0])], [Column("BLEU", ["7.5"], bold=[0])]])
    >>> column.cells, column.bold
    (['9.1', '8.0', '7.5'], [0, 2])
    """
    by_head = [{column.head: column for column in table} for table in tables]
    columns = []
    for head, first in max(by_head, key=len).items():
        cells: list[str] = []
        bold: list[int] = []
        for table in by_head:
            empty = first._replace(cells=[""] * len(next(iter(table.values())).cells), bold=())
            column = table.get(head, empty)
            bold += [len(cells) + row for row in column.bold]
            cells += column.cells
        columns.append(first._replace(cells=cells, bold=bold))
    return columns


# --- Text -----------------------------------------------------------------------------------------------------------


def table_lines(columns: Sequence[Column]) -> list[str]:
    """Return the lines of a table, with "-" instead of "−" (U+2212), which some terminals cannot show.

    If no column has a heading, the rows are indented like notes.

    >>> table_lines([Column("system", ["A"], is_text=True), Column("BLEU", ["50.0"])])
    ['system  BLEU', 'A       50.0']
    """
    if not columns or not columns[0].cells:
        return []
    rows = padded([[column.head, *column.cells] for column in columns], columns)
    lines = ["  ".join(cells).rstrip().replace("−", "-") for cells in rows]
    return lines if has_heads(columns) else [f"  {line}" for line in lines[1:]]


def has_heads(columns: Sequence[Column]) -> bool:
    """Return whether any column has a heading."""
    return any(column.head for column in columns)


def padded(texts_of_columns: Iterable[Sequence[str]], columns: Sequence[Column]) -> list[tuple[str, ...]]:
    """Return the rows of a table whose cells have the width of their column.

    `texts_of_columns`: the texts of each column; the first is its heading. `columns`: say how texts are aligned.
    """
    padded_columns = []
    for texts, column in zip(texts_of_columns, columns, strict=True):
        width = max(map(terminal_width, texts))
        spaces = [" " * (width - terminal_width(text)) for text in texts]
        pairs = zip(texts, spaces, strict=True)
        padded_columns.append([text + space if column.is_text else space + text for text, space in pairs])
    return list(zip(*padded_columns, strict=True))


# --- HTML, Markdown, LaTeX ------------------------------------------------------------------------------------------

# An underscore inside a word needs no escape
_MARKDOWN = re.compile(r"[\\`*<>\[\]|~&]|(?<![^\W_])_|_(?![^\W_])")
_LATEX = {ord(character): f"\\{character}" for character in "&%$#_{}"}
_LATEX |= {ord(sign): rf"\ensuremath{{{sign}}}" for sign in "<>"}
_LATEX |= {ord("−"): r"\ensuremath{-}", ord("≤"): r"\ensuremath{\le}", ord("^"): r"\^{}"}
_MOST_WIDE = 5  # number of columns that fit on a page in normal type
_LATEX |= {ord("~"): r"\textasciitilde{}", ord("\\"): r"\textbackslash{}"}


def html(columns: Sequence[Column]) -> str:
    """Return a table as HTML, or "" if it has no rows."""
    if not columns or not columns[0].cells:
        return ""
    head, *rows = zip(*([column.head, *column.cells] for column in columns), strict=True)
    lines = "".join(_html_row(row, "row") for row in rows)
    top = f"<thead>{_html_row(head, 'col')}</thead>" if has_heads(columns) else ""
    return f"<table>{top}<tbody>{lines}</tbody></table>"


def _html_row(texts: Sequence[str], scope: Literal["col", "row"]) -> str:
    """Return a row of an HTML table. `scope`: "col" if all cells are headers, "row" if only the first cell is."""
    first, *others = map(_escape_html, texts)
    cells = [f'<th scope="col">{text}</th>' if scope == "col" and text else f"<td>{text}</td>" for text in others]
    return f'<tr><th scope="{scope}" style="text-align: left">{first}</th>{"".join(cells)}</tr>'


def _escape_html(text: str) -> str:
    from html import escape  # imported here, because most programs show no HTML

    return escape(escape_controls(text))


def markdown(columns: Sequence[Column]) -> str:
    r"""Return a table as Markdown.

    >>> print(markdown([Column("system", ["a_", "b"], is_text=True), Column("BLEU", ["9.1", "10.0"], bold=[1])]))
    | system |     BLEU |
    |--------|---------:|
    | a\_    |      9.1 |
    | b      | **10.0** |
    """
    columns = [column for column in columns if column.in_papers]
    if not columns:
        return ""
    # Numbers, such as [1.0, 2.0], need no escapes, except their stars
    rows = _source_cells(
        columns, lambda word: _MARKDOWN.sub(r"\\\g<0>", word), lambda number: number.replace("*", r"\*"), "**{}**"
    )
    rule = "|"
    for column, head in zip(columns, rows[0], strict=True):
        rule += "-" * len(head) + f"-{'-' if column.is_text else ':'}|"  # ":" right-aligns the column
    head_line, *row_lines = [f"| {' | '.join(cells)} |" for cells in rows]
    return "\n".join([head_line, rule, *row_lines])


def latex(columns: Sequence[Column], caption: str = "", notes: Sequence[str] = ()) -> str:
    r"""Return a table as LaTeX for the package booktabs.

    With a caption, the table is a float, with what a reader needs of the notes in small type: the signatures, and what
    bold scores and stars mean. All notes follow as comments.

    >>> print(latex([Column("system", ["a_", "b"], is_text=True), Column("BLEU", ["9.1", "10.0"], bold=[1])]))
    \begin{tabular}{lr}
    \toprule
     system &          BLEU \\
    \midrule
     a\_    &           9.1 \\
     b      & \textbf{10.0} \\
    \bottomrule
    \end{tabular}
    """
    columns = [column for column in columns if column.in_papers]
    if not columns:
        return ""
    alignment = "".join("l" if column.is_text else "r" for column in columns)
    rows = _source_cells(columns, _escape_latex, _escape_latex, r"\textbf{{{}}}")
    head_line, *row_lines = [f" {' & '.join(row)} \\\\" for row in rows]
    lines = [rf"\begin{{tabular}}{{{alignment}}}", r"\toprule", head_line, r"\midrule"]
    lines += [*row_lines, r"\bottomrule", r"\end{tabular}"]
    if caption:
        metrics = [column.metric for column in columns if column.metric] or ["scores"]
        label = re.sub(r"[^\w-]", "", f"{metrics[0]}-{columns[0].head}").lower()
        small = [BOLD] * any(column.bold for column in columns) + [note for note in notes if note.startswith("*")]
        small += [note if ": " in note else f"BLEU: {note}" for note in notes if is_signature(note)]
        before = ["% needs \\usepackage{booktabs}", r"\begin{table}", r"\centering"]
        before += [r"\small\setlength{\tabcolsep}{3pt}"] * (len(columns) > _MOST_WIDE)
        lines = [*before, *lines, rf"\caption{{{_latex_text(caption)}}}", rf"\label{{tab:{label}}}"]
        lines += [rf"\par{{\footnotesize {_latex_text(line)}\par}}" for line in small]
        lines += [r"\end{table}", *(f"% {printable(note)}" for note in notes)]
    return "\n".join(lines)


def _latex_text(text: str) -> str:
    """Return a line of text as LaTeX. A line may break after each setting of a signature."""
    words = map(_escape_latex, printable(text).split(" "))
    return " ".join(words).replace("|", r"\textbar\allowbreak{}")


Escape = Callable[[str], str]


def _source_cells(
    columns: Sequence[Column], escape_word: Escape, escape_number: Escape, bold: str
) -> list[tuple[str, ...]]:
    """Return the headings and the rows, escaped and padded. `bold`: the format of bold cells, such as "**{}**"."""
    texts_of_columns = []
    for column in columns:
        escape = escape_word if column.is_text else escape_number
        texts = [escape_word(printable(column.head))]
        for row, cell in enumerate(column.cells):
            text = escape(printable(cell).strip())
            texts.append(bold.format(text) if row in column.bold else text)
        texts_of_columns.append(texts)
    return padded(texts_of_columns, columns)


def _escape_latex(cell: str) -> str:
    """Escape the special characters of LaTeX, and two hyphens, which LaTeX would print as a dash."""
    escaped = re.sub("-(?=-)", "-{}", cell.translate(_LATEX))
    # LaTeX reads [ or * at the start of a row as an argument of the row break
    return "{}" + escaped if cell.startswith(("[", "*")) else escaped


# --- TSV, CSV -------------------------------------------------------------------------------------------------------

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
# A spreadsheet reads a cell that begins with one of these signs as a formula, also in quotation marks. In some
# countries, a semicolon ends a cell
_START_OF_FORMULA = re.compile('(^|;)(?="*[-=+@])')


def tsv(results: Iterable[Result]) -> str:
    """Return the rows of results as one TSV table: their names, and scores in percent."""
    return "\n".join(map("\t".join, _spreadsheet(results)))


def csv(results: Iterable[Result]) -> str:
    """Return the rows of results as one CSV table: their names, and scores in percent."""
    from csv import writer  # imported here, because most programs write no CSV

    text = io.StringIO()
    writer(text, lineterminator="\n").writerows(_spreadsheet(results))
    return text.getvalue().removesuffix("\n")


def _spreadsheet(results: Iterable[Result]) -> list[list[str]]:
    """Return the cells of all rows, names first. Each entry of a list has a cell of its own."""
    rows = [_flat(row) for result in results for row in result.rows(in_percent=True)]
    names = list(dict.fromkeys(chain.from_iterable(rows)))  # each name once, in order
    names.sort(key="group".__ne__)  # the label comes first; rows about all segments have none
    lines: list[list[Any]] = [names, *([row.get(name) for name in names] for row in rows)]
    return [list(map(_spreadsheet_cell, line)) for line in lines]


def _flat(row: Mapping[str, Any]) -> Row:
    """Give each entry of a list a name of its own.

    >>> _flat({"counts": [3, 1], "bleu": 0.5})
    {'count_1': 3, 'count_2': 1, 'bleu': 0.5}
    """
    flat: Row = {}
    for name, value in row.items():
        if isinstance(value, list):
            flat |= {f"{name.removesuffix('s')}_{number}": entry for number, entry in enumerate(value, 1)}
        else:
            flat[name] = value
    return flat


def _spreadsheet_cell(value: Any) -> str:
    """Return the text of a cell, after an apostrophe if a spreadsheet would read the text as a formula.

    >>> _spreadsheet_cell("=1+1"), _spreadsheet_cell("a;=1+1"), _spreadsheet_cell("-1.5"), _spreadsheet_cell(-1e-05)
    ("'=1+1", "a;'=1+1", '-1.5', '-1e-05')
    """
    if value is None:
        return ""
    text = printable(typed_word(value))
    return text if _NUMBER.fullmatch(text) else _START_OF_FORMULA.sub(r"\1'", text)


def typed_word(value: object) -> str:
    """Return a value as it is typed: True -> "yes", False -> "no", [0.5, 0.5] -> "0.5,0.5"."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
