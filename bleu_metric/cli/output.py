"""Print a result in the format that the user chose: text, JSON, TSV, CSV, Markdown or LaTeX."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

import click

from .._display import Table, printable
from .._validation import unknown_message
from ..comparison.result import STAR_NOTE
from .drawing import Note, Part, show
from .options import typed_word
from .terminal import echo, writes_unicode

Row = dict[str, Any]
Format = Literal["text", "json", "tsv", "csv", "markdown", "latex"]
_BOLD = "Bold: the best score in its column"
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
# A spreadsheet reads a cell that begins with one of these signs as a formula, also in quotation marks. In some
# countries, a semicolon ends a cell
_START_OF_FORMULA = re.compile('(^|;)(?="*[-=+@])')


@dataclass
class Output:
    """The result of a command, in every format."""

    text: list[Part]
    """The parts to print in the format "text"."""
    content: Any
    """The value to print as JSON."""
    rows: Sequence[Row] = ()
    """The rows to print as TSV or CSV."""
    tables: Sequence[Table] = ()
    """The tables to print as Markdown or LaTeX, above the notes."""
    notes: Sequence[str] = ()

    def print(self, output_format: Format, columns: str | None = None) -> None:
        """Print the result in one of `TABLE_FORMATS`. `columns`: the columns of tables, such as "system,BLEU"."""
        if columns is not None:
            tables = [*self.tables, *(part for part in self.text if isinstance(part, Table))]
            names = _names_of_columns(columns, tables)
            self.tables = [table.with_columns(names) for table in self.tables]
            self.text = [part.with_columns(names) if isinstance(part, Table) else part for part in self.text]
            if not any("" in table.heads for table in self.tables):  # a column of stars has no heading
                self.notes = [note for note in self.notes if not note.startswith(STAR_NOTE)]
                self.text = [
                    part for part in self.text if not (isinstance(part, Note) and part.text.startswith(STAR_NOTE))
                ]
        if any(table.bold_cells for table in self.tables):
            self.notes = [_BOLD, *self.notes]  # Markdown and LaTeX
        if output_format == "text":
            show(self.text)
        elif output_format == "json":
            echo(to_json(self.content))
        elif output_format == "markdown":
            notes = [f"\n{as_code(note)}" for note in self.notes]
            echo("\n".join(["\n\n".join(table.to_markdown() for table in self.tables), *notes]))
        elif output_format == "latex":
            caption = ". ".join(note.removesuffix(".") for note in self.notes)
            echo("\n".join(table.to_latex(caption) for table in self.tables))
        else:
            echo(to_table(self.rows, output_format))


def _names_of_columns(typed: str, tables: Iterable[Table]) -> list[str]:
    """Return the names in ``--columns``. Raise ``click.UsageError`` for a name that no table has."""
    names = list(filter(None, map(str.strip, typed.split(","))))
    heads = dict.fromkeys(head for table in tables for head in table.heads if head)
    for name in names:
        if name not in heads:
            raise click.UsageError(f"--columns: {unknown_message('column', name, heads)}")
    if not names:
        raise click.UsageError(f"--columns needs names, such as {','.join(list(heads)[:2])}")
    return names


def as_code(text: str) -> str:
    """Return a text as Markdown code. If the text has n backticks in a row, delimit the code with n + 1 backticks."""
    runs = re.findall("`+", text)
    if not runs:
        return f"`{text}`"
    delimiter = max(runs, key=len) + "`"
    return f"{delimiter} {text} {delimiter}"


# --- TSV and CSV ----------------------------------------------------------------------------------------------------


# Columns with scores and differences of scores
_SCORES = {
    *("bleu", "precisions", "score", "low", "high", "mean", "half_width", "delta", "delta_low", "delta_high"),
}


def in_percent(row: Mapping[str, Any], scale: float = 100) -> Row:
    """Return a row with its scores multiplied by `scale`, usually to percent.

    >>> in_percent({"system": "A", "bleu": 0.5, "precisions": [0.5, 0.25], "p_value": 0.5})
    {'system': 'A', 'bleu': 50.0, 'precisions': [50.0, 25.0], 'p_value': 0.5}
    """

    def scaled(value: Any) -> Any:
        return value if value is None else scale * value

    shown: Row = {}
    for key, value in row.items():
        if key == "interval":
            shown[key] = in_percent(value, scale)
        elif key in _SCORES:
            shown[key] = list(map(scaled, value)) if isinstance(value, list) else scaled(value)
        else:
            shown[key] = value
    return shown


def _flat_row(facts: Mapping[str, Any]) -> Row:
    """Flatten a row: each entry of a list and each value of an interval becomes a column of its own.

    >>> _flat_row({"counts": [3, 1], "bleu": 0.5})
    {'count_1': 3, 'count_2': 1, 'bleu': 0.5}
    """
    row: Row = {}
    for key, value in facts.items():
        if isinstance(value, list):
            name = key.removesuffix("s")
            row |= {f"{name}_{number}": entry for number, entry in enumerate(value, 1)}
        elif key == "interval":
            # Without the score, which the row already has
            row |= {name: part for name, part in value.items() if name not in ("score", "signature")}
            row["interval_signature"] = value["signature"]
        else:
            row[key] = value
    return row


def to_table(rows: Iterable[Row], output_format: Literal["tsv", "csv"]) -> str:
    """Return the header and the rows as TSV or CSV. Numbers are not rounded."""
    flat_rows = list(map(_flat_row, rows))
    columns = list(dict.fromkeys(chain.from_iterable(flat_rows)))  # each key once, in order
    lines = [columns]
    lines += [[_cell(row.get(key)) for key in columns] for row in flat_rows]

    if output_format == "tsv":
        return "\n".join(map("\t".join, lines))
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue().removesuffix("\n")


def _cell(value: Any) -> str:
    """Return the text of a cell, after an apostrophe if a spreadsheet would read the text as a formula.

    >>> _cell("=1+1"), _cell("a;=1+1"), _cell("-1.5"), _cell(-1e-05)
    ("'=1+1", "a;'=1+1", '-1.5', '-1e-05')
    """
    if value is None:
        return ""
    text = printable(typed_word(value))
    return text if _NUMBER.fullmatch(text) else _START_OF_FORMULA.sub(r"\1'", text)


# --- JSON -----------------------------------------------------------------------------------------------------------


def to_json(value: Any) -> str:
    """Return indented JSON. Escape control characters and characters that standard output cannot encode."""
    text = json.dumps(value, indent=2, ensure_ascii=not writes_unicode(sys.stdout))
    return re.sub(r"[^\n -~]", lambda match: match[0] if match[0].isprintable() else json.dumps(match[0])[1:-1], text)
