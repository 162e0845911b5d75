"""Print a result in the format that the user chose: text, JSON, TSV, CSV, Markdown or LaTeX."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from .._display import printable
from .._result import BOLD, Result, Row, all_notes, csv, latex, markdown, tsv
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


def show(result: Result | Together, output_format: Format, digits: int = 1, notes: Iterable[str] = ()) -> None:
    """Print a result. `digits`: of scores after the decimal point. `notes`: more notes, such as the names of files."""
    if isinstance(result, Result):
        result = Together([result], [result], {} if output_format == "text" else result.to_dict())
    if output_format == "text":
        draw(result.printed, digits, notes)
    elif output_format == "json":
        echo(to_json(result.content))
    elif output_format in ("tsv", "csv"):
        echo((tsv if output_format == "tsv" else csv)(result.pasted))
    else:
        tables = [pasted.columns(digits) for pasted in result.pasted]
        titles = [pasted.title(digits) for pasted in result.pasted]
        if output_format == "markdown":
            has_bold = any(column.bold for table in tables for column in table)
            below = [*dict.fromkeys(titles), *all_notes(result.pasted, notes)]
            lines = filter(None, [*[BOLD] * has_bold, *below])
            echo("\n\n".join([*map(markdown, tables), *map(as_code, map(printable, lines))]))
        else:
            captions = [
                title[:1].upper() + title[1:] or ", ".join(column.metric for column in table if column.metric)
                for table, title in zip(tables, titles, strict=True)
            ]
            below_each = [all_notes([pasted], notes) for pasted in result.pasted]
            echo("\n".join(map(latex, tables, captions, below_each)))


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
