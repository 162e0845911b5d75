"""Tables of systems, dialects or groups, for a terminal, a paper or a program."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ._cli_views import Terminal, as_list, flat, percents, shortened, to_json, tsv
from ._lines import shown
from ._score import BleuScore

if TYPE_CHECKING:
    from ._comparison import Comparison

_STYLES = {"text": "simple", "markdown": "github", "latex": "latex_booktabs"}
FORMS = ("text", "json", "tsv", "markdown", "latex")
Row = dict[str, Any]
_MARKUP = re.compile(r"[\\`*<>\[\]|~&]|(?<![^\W_])_|_(?![^\W_])")  # in a word, an underscore means nothing


def scores_table(scores: Mapping[Any, BleuScore], what: str, form: str, terminal: Terminal) -> str:
    """Show a row per system, dialect or group; on a terminal the best is bold."""
    rows = [{what: name, **flat(score)} for name, score in scores.items()]
    if form == "json":
        return to_json([{what: name, **score.to_dict()} for name, score in scores.items()])
    if form == "tsv":
        return tsv(rows)
    bleu = {name: as_list(score.bleu)[0] for name, score in scores.items()}
    best = max(bleu.values())
    cells = [
        [
            _cell(str(name), terminal.width - 60, form),
            *([f"{score.segments:,}"] if hasattr(score, "segments") else []),
            click.style(percents(as_list(score.bleu), 2), bold=form == "text" and bleu[name] == best),
            percents(score.precisions, 1),
            f"{score.brevity_penalty:.3f}",
            f"{score.length_ratio:.3f}",
        ]
        for name, score in scores.items()
    ]
    heads = [what, *(["segments"] if len(cells[0]) > 5 else []), "BLEU", "precisions", "penalty", "ratio"]
    return _drawn(heads, cells, form)


def comparison_table(comparison: Comparison, scores: Mapping[str, BleuScore], form: str, terminal: Terminal) -> str:
    """Show a row per system, the baseline first, and below how they were compared."""
    if form == "json":
        about = comparison.to_dict()
        rows = about.pop("rows")
        return to_json({**about, "systems": [_merged(row, scores[row["name"]].to_dict()) for row in rows]})
    if form == "tsv":
        return tsv([_merged(row, flat(scores[row["name"]])) for row in comparison.rows()])
    cells = [
        [
            _cell(row["name"], terminal.width - 58, form),
            f"{100 * row['score']:.2f}",
            f"[{100 * row['low']:.1f}, {100 * row['high']:.1f}]",
            "" if row["delta"] is None else f"{100 * row['delta']:+.2f}",
            "" if row["p_value"] is None else f"{row['p_value']:.4f}",
            "" if row["p_adjusted"] is None else f"{row['p_adjusted']:.4f}",
        ]
        for row in comparison.rows()
    ]
    heads = ["system", "BLEU", f"{100 * comparison.confidence:g} % interval", "difference", "p", "p (Holm)"]
    return _drawn(heads, cells, form)


def _cell(name: str, width: int, form: str) -> str:
    """Make a name fit a terminal; what is pasted elsewhere keeps it whole."""
    return shortened(name, max(12, width)) if form == "text" else shown(name)


def _merged(row: Row, score: Row) -> Row:
    """Everything about a system: its score, its interval, how it differs from the baseline."""
    return {"system": row["name"], **score, **{key: row[key] for key in row if key not in ("name", "score")}}


def as_note(text: str, form: str) -> str:
    """Put a line below a table, in the table's own language."""
    return {"markdown": f"\n{_as_code(text)}", "latex": f"% {text}"}.get(form, f"  {text}")


def _as_code(text: str) -> str:
    """Quote a text that may hold backticks by more of them."""
    marks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{marks} {text} {marks}" if "`" in text else f"`{text}`"


def _drawn(heads: Sequence[str], cells: Sequence[Sequence[str]], form: str) -> str:
    from tabulate import tabulate  # takes 0.1 s, and most commands print no table

    if form == "markdown":
        cells = [[_MARKUP.sub(r"\\\g<0>", row[0]), *row[1:]] for row in cells]  # names; the rest is numbers
    aligned = ["left" if head in (heads[0], "precisions") else "right" for head in heads]
    table: str = tabulate(cells, heads, _STYLES[form], disable_numparse=True, colalign=aligned)
    # Behind the end of a row, LaTeX takes [ for a length and * for a command's
    return re.sub(r"(?m)^ ?(?=[\[*])", " {}", table) if form == "latex" else table
