"""Print a result in the format that the user chose: text, JSON, TSV, CSV, Markdown or LaTeX."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, assert_never

from .._display import printable
from .._result import BOLD, Column, Result, Row, all_notes, csv, latex, markdown, tsv
from .drawing import draw
from .terminal import echo, writes_unicode

Format = Literal["text", "json", "tsv", "csv", "markdown", "latex"]


class Together(NamedTuple):
    """Several results of one command."""

    printed: Sequence[Result]
    """The results that are shown as text, one below the other."""
    pasted: Sequence[Result]
    """The results whose rows are TSV and CSV, and whose tables are Markdown and LaTeX."""
    content: Row
    """The object that is written as JSON."""


def show(result: Result | Together, output_format: Format, digits: int = 1, notes: Sequence[str] = ()) -> None:
    """Print a result. `digits`: of scores after the decimal point. `notes`: more notes, such as the names of files."""
    if isinstance(result, Result):
        result = Together([result], [result], {} if output_format == "text" else result.to_dict())
    match output_format:
        case "text":
            draw(result.printed, digits, notes)
        case "json":
            echo(to_json(result.content))
        case "tsv":
            echo(tsv(result.pasted))
        case "csv":
            echo(csv(result.pasted))
        case "markdown":
            echo(_markdown_page(result.pasted, digits, notes))
        case "latex":
            below_each = [all_notes([pasted], notes) for pasted in result.pasted]
            tables = [pasted.columns(digits) for pasted in result.pasted]
            captions = [
                _caption(pasted.title(digits), table) for pasted, table in zip(result.pasted, tables, strict=True)
            ]
            echo("\n".join(map(latex, tables, captions, below_each)))
        case _:
            assert_never(output_format)


def _markdown_page(results: Sequence[Result], digits: int, notes: Sequence[str]) -> str:
    """Return the tables, and below them what their bold scores mean, their titles and notes."""
    tables = [result.columns(digits) for result in results]
    bold = [BOLD] * any(column.bold for table in tables for column in table)
    below = [*bold, *dict.fromkeys(result.title(digits) for result in results), *all_notes(results, notes)]
    return "\n\n".join([*map(markdown, tables), *(as_code(printable(line)) for line in below if line)])


def _caption(title: str, columns: Sequence[Column]) -> str:
    """Return a title with a capital letter, or the names of the metrics if there is no title."""
    return title[:1].upper() + title[1:] or ", ".join(column.metric for column in columns if column.metric)


def as_code(text: str) -> str:
    """Return a text as Markdown code. If the text has n backticks in a row, delimit the code with n + 1 backticks."""
    runs = re.findall("`+", text)
    if not runs:
        return f"`{text}`"
    delimiter = max(runs, key=len) + "`"
    return f"{delimiter} {text} {delimiter}"


def to_json(value: Any) -> str:
    """Return indented JSON. Escape control characters and characters that standard output cannot encode."""
    text = json.dumps(value, indent=2, ensure_ascii=not writes_unicode(sys.stdout))
    return re.sub(r"[^\n -~]", lambda match: match[0] if match[0].isprintable() else json.dumps(match[0])[1:-1], text)
