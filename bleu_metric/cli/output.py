"""Write scores, tables of scores and the settings of dialects in the format that the user chose."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from .._config import OPTIONS, BleuConfig
from .._display import as_list, percents, printable, segments_note
from .._groups import GroupScore
from .._score import CAVEAT, BleuScore, length_note, meaning, precision_lines, score_title
from .._zero_score import why_zero
from ..comparison.result import comparison_table as table_of
from .options import spelled_choice
from .table import Table
from .terminal import Terminal, break_after, writes_unicode

if TYPE_CHECKING:
    from .._bootstrap import Interval
    from ..comparison.result import Comparison

Row = dict[str, Any]
_BAR_WIDTH = 24  # width in columns of the bar for a precision of 100 %
_INDENT = "  "
DELIMITERS = {"tsv": "\t", "csv": ","}


@dataclass(frozen=True)
class ScoreOutput:
    """The output of `bleu-metric score`. A part that the user did not ask for is None."""

    system: str
    hypotheses: str
    references: Sequence[str]
    segments: int
    score: BleuScore
    interval: Interval | None
    sentences: list[Any] | None
    groups: Mapping[Any, GroupScore] | None
    dialect: str
    digits: int

    def write(self, output_format: str, terminal: Terminal) -> str:
        """Return the output as ``"text"``, ``"json"``, ``"tsv"`` or ``"csv"``."""
        if output_format == "text":
            return self._to_text(terminal)
        if output_format == "json":
            return self._to_json()
        return self._to_table(output_format, terminal)

    def _to_json(self) -> str:
        has_one_score = not isinstance(self.score.bleu, list)
        content: dict[str, Any] = {"system": self.system, **self.score.to_dict(), "segments": self.segments}
        content["meaning"] = meaning(self.score) if has_one_score else None
        if self.interval is not None:
            content["interval"] = self.interval.to_dict()
            content["citation"] = self.score.citation(self.interval).sentence if has_one_score else None
        if self.groups is not None:
            content["groups"] = [{"group": label, **score.to_dict()} for label, score in self.groups.items()]
        if self.sentences is not None:
            content["sentence_bleu"] = self.sentences
        return to_json(content)

    def _to_table(self, output_format: str, terminal: Terminal) -> str:
        if self.sentences is not None:
            facts = [{"line": line, "bleu": bleu} for line, bleu in enumerate(self.sentences, 1)]
            return to_table([flat_row(row, {}) for row in facts], output_format)
        if self.groups is not None:
            return scores_table(self.groups, "group", output_format, terminal)
        row = {"system": self.system, **score_row(self.score), "segments": self.segments}
        if self.interval is not None:
            row.update(_interval_row(self.interval))
        return to_table([row], output_format)

    def _to_text(self, terminal: Terminal) -> str:
        note = scored_note(self.segments, self.references, self.hypotheses)
        notes = [*dialect_notes(self.dialect), note, CAVEAT]
        parts = [score_text(self.score, len(self.references), notes, self.interval, terminal, self.digits)]
        if self.sentences is not None:
            parts.insert(0, sentences_text(self.sentences, self.digits))
        if self.groups is not None:
            parts += ["", scores_table(self.groups, "group", "text", terminal, self.digits)]
        return "\n".join(parts)


def _interval_row(interval: Interval) -> Row:
    facts = interval.to_dict()
    del facts["score"]
    return flat_row(facts, {"signature": "interval_signature"})


# --- Scores as text -------------------------------------------------------------------------------------------------


def score_text(
    score: BleuScore, files: int, notes: Sequence[str], interval: Interval | None, terminal: Terminal, digits: int
) -> str:
    """Return the text of one score: its parts, meaning and signature. `files` is the number of reference files."""
    signature = interval.signature if interval else score.signature
    head = [click.style(score_title(score, interval, digits), bold=True)]
    if files > 1:
        head.append(f"{files} files of references")
    if not isinstance(score.bleu, list):
        head.append(meaning(score))
    notes = [length_note(score), *notes]
    lines = [*_lines_with_bars(score, terminal), notes_text(notes, signature, terminal)]
    return "\n".join([terminal.wrap("  ".join(head)), *lines])


def dialect_notes(dialect: str) -> list[str]:
    """Return a list with the note that papers report the dialect sacrebleu. For that dialect, the list is empty."""
    is_of_papers = dialect == "sacrebleu"
    return [] if is_of_papers else ["Without -d, the dialect is default. Papers report sacrebleu: add -d sacrebleu"]


def scored_note(segments: int, references: Sequence[str], hypotheses: str = "") -> str:
    """Return a note that names the number of segments, the hypotheses and the references.

    >>> scored_note(9, ["a.txt", "b.txt"], "hyp.txt")
    '9 segments of hyp.txt against 2 files of references: a.txt, b.txt'
    """
    of_file = f" of {printable(hypotheses)}" if hypotheses else ""
    count = f"{len(references)} files of references: " if len(references) > 1 else ""
    return f"{segments_note(segments)}{of_file} against {count}{', '.join(map(printable, references))}"


def _lines_with_bars(score: BleuScore, terminal: Terminal) -> list[str]:
    """Return one line per n-gram order. On a terminal that is wide enough, the line ends with a bar."""
    lines = []
    for text, precision in zip(precision_lines(score), score.precisions, strict=True):
        line = _INDENT + text
        bar = terminal.bar * round(_BAR_WIDTH * min(precision, 1))
        has_room = terminal.is_terminal and terminal.width >= len(line) + 2 + _BAR_WIDTH
        lines.append(f"{line}  {click.style(bar, fg='cyan')}" if has_room and bar else line)
    return lines


def notes_text(notes: Iterable[str], signature: str, terminal: Terminal) -> str:
    """Return the notes, then the signature, indented. Notes wrap at spaces, and the signature wraps after a ``|``."""
    lines = [terminal.wrap(note, _INDENT) for note in notes]
    parts = break_after("|", signature, terminal.width - len(_INDENT))
    return "\n".join([*lines, *(_INDENT + click.style(part, dim=True) for part in parts)])


def warn_of_zeros(scores: Mapping[str, BleuScore], config: BleuConfig) -> None:
    """Warn on standard error of each score that is 0 because of one n-gram order. Name the options that help."""
    for name, score in scores.items():
        cause = why_zero(score, config)
        if cause is None:
            continue
        choices = [" ".join(spelled_choice(*choice) for choice in options.items()) for options in cause.remedies]
        advice = f". For a score above 0, add {' or '.join(choices)}" if choices else ""
        system = f"{printable(name)}: " if name else ""
        click.echo(f"bleu-metric: {system}BLEU is 0.00: {cause.reason}{advice}", err=True)


def sentences_text(scores: Sequence[Any], digits: int) -> str:
    """Return one line per segment, with the number of the segment and its scores in percent."""
    width = len(str(len(scores)))
    lines = []
    for number, bleu in enumerate(scores, 1):
        percents = "  ".join(f"{100 * score:{4 + digits}.{digits}f}" for score in as_list(bleu))
        lines.append(f"{number:>{width}}  {percents}")
    return "\n".join(lines)


# --- Tables ---------------------------------------------------------------------------------------------------------


def scores_table(
    scores: Mapping[Any, BleuScore], what: str, output_format: str, terminal: Terminal, digits: int = 1
) -> str:
    """Return a table with one row per system, dialect or group. `what` is the heading of the first column.

    On a terminal, the best system is bold.
    """
    if output_format == "json":
        return to_json([{what: name, **score.to_dict()} for name, score in scores.items()])
    if output_format in DELIMITERS:
        return to_table([{what: name, **score_row(score)} for name, score in scores.items()], output_format)
    has_segments = any(hasattr(score, "segments") for score in scores.values())
    heads = [what, *(["segments"] if has_segments else []), "BLEU", "precisions", "penalty", "ratio"]
    rows = [
        [
            str(name),
            *([f"{score.segments:,}"] if isinstance(score, GroupScore) else []),
            percents(as_list(score.bleu), digits),
            percents(score.precisions, 1),
            f"{score.brevity_penalty:.3f}",
            f"{score.length_ratio:.3f}",
        ]
        for name, score in scores.items()
    ]
    first_scores = [as_list(score.bleu)[0] for score in scores.values()]
    best = [row for row, score in enumerate(first_scores) if what == "system" and score == max(first_scores)]
    table = Table(
        heads,
        rows,
        left_aligned=frozenset({0, heads.index("precisions")}),
        emphasized=frozenset((row, heads.index("BLEU")) for row in best),
    )
    return table.write(output_format, terminal)


def comparison_table(
    comparison: Comparison, scores: Mapping[str, BleuScore], output_format: str, terminal: Terminal, digits: int
) -> str:
    """Return a table with one row per system, the baseline first.

    A row has the score of a system, its interval and its difference from the baseline.
    On a terminal, significant differences are bold.
    """
    if output_format == "json":
        content = comparison.to_dict()
        rows = content.pop("rows")
        systems = [_joined_row(row, scores[row["name"]].to_dict()) for row in rows]
        return to_json({**content, "systems": systems})
    if output_format in DELIMITERS:
        too_few = {"has_too_few_segments": comparison.has_too_few_segments}
        rows = [_joined_row(row, score_row(scores[row["name"]])) | too_few for row in comparison.rows()]
        return to_table(rows, output_format)
    table = table_of(comparison, digits)
    if output_format == "markdown":
        return terminal.encodable(table.to_markdown())
    if output_format == "latex":
        return table.to_latex()
    starred = [row for row, system in enumerate(comparison.systems, 1) if comparison.is_significant(system)]
    bold = frozenset((row, table.heads.index("difference")) for row in starred)
    return Table(table.heads, table.rows, frozenset(table.left), bold).write(output_format, terminal)


def _joined_row(row: Row, score: Row) -> Row:
    """Return one row with the score of a system, its interval and its difference from the baseline."""
    facts = {key: value for key, value in row.items() if key not in ("name", "score")}
    return {"system": row["name"], **score, **facts}


def as_note(text: str, output_format: str) -> str:
    """Return a note to print below a table, formatted as code in Markdown or as a comment in LaTeX."""
    return f"% {text}" if output_format == "latex" else f"\n{_as_code(text)}"


def _as_code(text: str) -> str:
    """Return a text as Markdown code, between one more backtick than the longest run of backticks in the text has."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    mark = "`" * (longest + 1)
    return f"{mark} {text} {mark}" if longest else f"{mark}{text}{mark}"


def choices_table(dialects: Mapping[str, BleuConfig], output_format: str, terminal: Terminal) -> str:
    """Return the settings of each dialect. The format "text" lists only differences from the default dialect."""
    rows = [{"dialect": name, **_choices(config)} for name, config in dialects.items()]
    if output_format == "json":
        return to_json(rows)
    if output_format in DELIMITERS:
        return to_table(rows, output_format)
    choices = {"dialect": "settings that differ from those of default"}
    for name, config in dialects.items():
        notable = _notable_choices(config).items()
        choices[name] = ", ".join(f"{option}={_plain(value)}" for option, value in notable)
    width = max(map(len, choices)) + 2
    lines = [terminal.wrap(text, indent=" " * width) for text in choices.values()]
    return "\n".join(name.ljust(width) + line[width:] for name, line in zip(choices, lines, strict=True))


def _notable_choices(config: BleuConfig) -> Row:
    """Return the settings that differ from the default dialect. For the default dialect itself, return all settings."""
    default = _choices(BleuConfig())
    chosen = {option: value for option, value in _choices(config).items() if value is not None}
    differing = {option: value for option, value in chosen.items() if value != default[option]}
    return differing or chosen


def _choices(config: BleuConfig) -> Row:
    return {option: getattr(config, option) for option in OPTIONS}


# --- JSON, TSV and CSV ----------------------------------------------------------------------------------------------


def score_row(score: BleuScore) -> Row:
    """Return a score as a row of a table, with one column per value."""
    return flat_row(score.to_dict(), {"precisions": "precision", "counts": "count", "totals": "total"})


def flat_row(facts: Mapping[str, Any], names: Mapping[str, str]) -> Row:
    """Return a row with one column per value, or per entry of a list. `names` maps keys to names of columns.

    >>> flat_row({"counts": [3, 1], "bleu": 0.5}, {"counts": "count"})
    {'count_1': 3, 'count_2': 1, 'bleu': 0.5}
    """
    row: Row = {}
    for key, value in facts.items():
        name = names.get(key, key)
        if isinstance(value, list):
            row |= {f"{name}_{number}": entry for number, entry in enumerate(value, 1)}
        else:
            row[name] = value
    return row


def to_table(rows: Sequence[Mapping[str, Any]], output_format: str, heads: Iterable[str] | None = None) -> str:
    """Return the header and the rows as ``"tsv"`` or ``"csv"``. Numbers are not rounded."""
    table = [list(rows[0] if heads is None else heads)]
    table += [[printable(_plain(value)) for value in row.values()] for row in rows]
    if output_format == "csv":
        table = [[_quoted(cell) for cell in cells] for cells in table]
    return "\n".join(DELIMITERS[output_format].join(cells) for cells in table)


def _quoted(cell: str) -> str:
    """Return a cell of a CSV file. It is quoted if it has a comma or a quotation mark (RFC 4180)."""
    escaped = cell.replace('"', '""')
    return f'"{escaped}"' if set(cell) & set(',"') else cell


def to_json(value: Any) -> str:
    """Return indented JSON. Escape control characters and characters that standard output cannot encode."""
    text = json.dumps(value, indent=2, ensure_ascii=not writes_unicode(sys.stdout))
    return re.sub(r"[^\n -~]", _json_character, text)


def _json_character(found: re.Match[str]) -> str:
    return found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1]


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
