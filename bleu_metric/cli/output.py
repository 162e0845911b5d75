"""Write scores, tables of scores and the settings of dialects in the format that the user chose."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._config import BleuConfig
from .._dialects import DEFAULT
from .._display import as_list, printable, segments_note
from .._groups import GroupScore
from .._options import OPTIONS
from .._score import CAVEAT, BleuScore, length_note, meaning, precision_lines, score_title
from .._tables import Table, score_table
from ..comparison.groups import group_table
from ..comparison.result import about_test, comparison_table, star_note
from .options import typed_word
from .terminal import BAR, BAR_STYLE, INDENT, drawn, echo, show, stdout_console, wrapped, writes_unicode

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from .._bootstrap import Interval
    from ..comparison.groups import GroupComparisons
    from ..comparison.result import Comparison

Row = dict[str, Any]
_BAR_WIDTH = 24  # width in columns of the bar for a precision of 100 %
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_NO_TABLE = Table([], [])  # of a command that prints neither Markdown nor LaTeX


@dataclass(frozen=True)
class Output:
    """The result of a command, in every format."""

    content: Any
    """What JSON has."""
    rows: Iterable[Row]
    """What TSV and CSV have."""
    text: Callable[[Console], Iterable[RenderableType]]
    """A function that returns what a terminal shows."""
    table: Table = _NO_TABLE
    """What Markdown and LaTeX have, above the notes."""
    notes: Sequence[str] = ()
    heads: Sequence[str] = ()
    """The columns of TSV and CSV. By default, those of the rows."""

    def print(self, output_format: str) -> None:
        """Print the result in one of `TABLE_FORMATS`."""
        if output_format == "text":
            console = stdout_console()
            show(console, *self.text(console))
        elif output_format == "json":
            echo(to_json(self.content))
        elif output_format in ("tsv", "csv"):
            echo(to_table(list(self.rows), output_format, self.heads))
        else:
            print_source(self.table, output_format, self.notes)


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
    digits: int

    def print(self, output_format: str) -> None:
        """Print the output in one of `TABLE_FORMATS`."""
        notes = [self._scored_note, self._signature]
        Output(self._content(), self._rows(), self._text, self._table(), notes).print(output_format)

    @property
    def _signature(self) -> str:
        return self.interval.signature if self.interval else self.score.sacrebleu_signature or self.score.signature

    @property
    def _scored_note(self) -> str:
        return scored_note(self.segments, self.references, [self.hypotheses])

    def _text(self, console: Console) -> list[RenderableType]:
        if self.sentences is not None:
            echo(sentences_text(self.sentences, self.digits))
        several = f"  {len(self.references)} files of references" if len(self.references) > 1 else ""
        words = "" if isinstance(self.score.bleu, list) else f"  {meaning(self.score)}"
        title = score_title(self.score, self.interval, self.digits)
        notes = [length_note(self.score), self._scored_note, CAVEAT]
        parts = [
            _title(title, several + words),
            *_lines_with_bars(console, self.score),
            *notes_below(console, notes, self._signature),
        ]
        return parts if self.groups is None else [*parts, "", drawn(console, self._table())]

    def _table(self) -> Table:
        if self.groups is not None:
            return score_table(self.groups, "group", self.digits)
        return score_table({self.system: self.score}, "system", self.digits)._replace(bold=())

    def _content(self) -> Row:
        has_one_score = not isinstance(self.score.bleu, list)
        content: Row = {"system": self.system, **self.score.to_dict(), "segments": self.segments}
        content["sacrebleu_signature"] = self.score.sacrebleu_signature
        content["meaning"] = meaning(self.score) if has_one_score else None
        if self.interval is not None:
            content["interval"] = self.interval.to_dict()
            content["citation"] = self.score.citation(self.interval).sentence if has_one_score else None
        if self.groups is not None:
            content["groups"] = _json_rows(self.groups, "group")
        if self.sentences is not None:
            content["sentence_bleu"] = self.sentences
        return content

    def _rows(self) -> Iterable[Row]:
        if self.sentences is not None:
            return (flat_row({"line": line, "bleu": bleu}, {}) for line, bleu in enumerate(self.sentences, 1))
        if self.groups is not None:
            return flat_rows(self.groups, "group")
        row = {"system": self.system, **score_row(self.score), "segments": self.segments}
        if self.interval is not None:
            row |= _interval_row(self.interval.to_dict())
        return [row]


def _interval_row(interval: Row) -> Row:
    facts = {name: value for name, value in interval.items() if name != "score"}
    return flat_row(facts, {"signature": "interval_signature"})


# --- Scores as text -------------------------------------------------------------------------------------------------


def _title(title: str, words: str) -> RenderableType:
    from rich.text import Text

    return Text.assemble((title, "bold"), words)


def scored_note(segments: int, references: Sequence[str], systems: Sequence[str]) -> str:
    """Return a note that names the number of segments and all files that were scored.

    >>> scored_note(9, ["a.txt", "b.txt"], ["hyp.txt"])
    '9 segments of hyp.txt against 2 files of references: a.txt, b.txt'
    """
    count = f"{len(references)} files of references: " if len(references) > 1 else ""
    return f"{segments_note(segments)} of {listed(systems)} against {count}{listed(references)}"


def listed(files: Iterable[str]) -> str:
    """Return the names of files, in one line."""
    return ", ".join(map(printable, files))


def _lines_with_bars(console: Console, score: BleuScore) -> list[RenderableType]:
    """Return one line per n-gram order. On a terminal that is wide enough, the line ends with a bar."""
    from rich.text import Text

    lines: list[RenderableType] = []
    for text, precision in zip(precision_lines(score), score.precisions, strict=True):
        line = INDENT + text
        bar = BAR * round(_BAR_WIDTH * min(precision, 1))
        has_room = console.is_terminal and console.width >= len(line) + len(INDENT) + _BAR_WIDTH
        lines.append(Text.assemble(line, INDENT, (bar, BAR_STYLE)) if has_room else Text(line))
    return lines


def notes_below(console: Console, notes: Iterable[str], signature: str = "") -> list[RenderableType]:
    """Return the notes, which wrap at spaces, then the signature, which wraps after a ``|``."""
    shown = [wrapped(console, note) for note in notes]
    return [*shown, wrapped(console, signature, after="|", style="dim")] if signature else shown


def print_source(table: Table, output_format: str, notes: Iterable[str]) -> None:
    """Print a table to paste, in Markdown or LaTeX, and the notes below it."""
    source = table.to_markdown() if output_format == "markdown" else table.to_latex()
    echo(source if writes_unicode(sys.stdout) else source.replace("−", "-"))
    echo("\n".join(as_note(note, output_format) for note in notes))


def sentences_text(scores: Sequence[Any], digits: int) -> str:
    """Return one line per segment, with the number of the segment and its scores in percent."""
    width = len(str(len(scores)))
    form = f"{4 + digits}.{digits}f"
    lines = []
    for number, bleu in enumerate(scores, 1):
        percents = [format(100 * score, form) for score in as_list(bleu)]
        lines.append("  ".join([f"{number:>{width}}", *percents]))
    return "\n".join(lines)


# --- Tables ---------------------------------------------------------------------------------------------------------


def print_scores(
    scores: Mapping[Any, BleuScore], what: str, output_format: str, notes: Sequence[str], signature: str, digits: int
) -> None:
    """Print one row per system or dialect. `what` is the heading of the first column."""
    rows = _json_rows(scores, what)
    content = {"systems": rows} if what == "system" else rows
    table = score_table(scores, what, digits)
    _in_tables(content, flat_rows(scores, what), [table], notes, signature).print(output_format)


def print_comparison(
    comparison: Comparison,
    scores: Mapping[str, BleuScore],
    groups: GroupComparisons | None,
    output_format: str,
    notes: Sequence[str],
    digits: int,
) -> None:
    """Print one row per system, with its score, its interval and its difference from the baseline; then the groups.

    Formats that hold one table have that of the groups, if there are groups.
    """
    content = comparison.to_dict()
    compared = content.pop("rows")
    content["systems"] = [_joined_row(row, scores[row["name"]].to_dict()) for row in compared]
    too_few = {"has_too_few_segments": comparison.has_too_few_segments}
    rows = [_joined_row(row, score_row(scores[row["name"]])) | too_few for row in compared]
    tables = [comparison_table(comparison, digits)]
    comparisons = [comparison]
    if groups is not None:
        content["groups"] = [{"group": label, **of_group.to_dict()} for label, of_group in groups.items()]
        rows = groups.rows()
        tables.append(group_table(groups, digits))
        comparisons += groups.values()
    notes = [star_note(comparisons), *notes, printable(about_test(comparison))]
    _in_tables(content, rows, tables, notes, comparison.signature).print(output_format)


def _in_tables(
    content: Any, rows: list[Row], tables: Sequence[Table], notes: Iterable[str], signature: str = ""
) -> Output:
    """Return an output whose text has tables, and the notes and the signature below them. The last one is to paste."""
    notes = list(filter(None, notes))

    def text(console: Console) -> list[RenderableType]:
        parts = [part for table in tables for part in (drawn(console, table), "")]
        below = notes_below(console, notes, signature)
        return [*parts, *below] if below else parts[:-1]

    return Output(content, rows, text, tables[-1], [*notes, signature] if signature else notes)


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


def print_choices(dialects: Mapping[str, BleuConfig], output_format: str) -> None:
    """Print the settings of each dialect. The format "text" lists only differences from the default dialect."""
    rows = [{"dialect": name, **_choices(config)} for name, config in dialects.items()]
    heads = ["dialect", f"settings that differ from those of {DEFAULT}"]
    notable = [[name, _listed(_notable_choices(config))] for name, config in dialects.items()]
    _in_tables(rows, rows, [Table(heads, notable, left=(0, 1))], []).print(output_format)


def _listed(choices: Row) -> str:
    return ", ".join(f"{option}={_plain(value)}" for option, value in choices.items())


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
    """Return a score, and its interval if it has one, as a row of a table, with one column per value."""
    facts = score.to_dict()
    interval = _interval_row(facts.pop("interval")) if "interval" in facts else {}
    return flat_row(facts, {"precisions": "precision", "counts": "count", "totals": "total"}) | interval


def flat_rows(scores: Mapping[Any, BleuScore], what: str) -> list[Row]:
    """Return a row per system, dialect or group, whose name is in the column `what`."""
    return [{what: name, **score_row(score)} for name, score in scores.items()]


def _json_rows(scores: Mapping[Any, BleuScore], what: str) -> list[Row]:
    return [{what: name, **score.to_dict()} for name, score in scores.items()]


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


def to_table(rows: Sequence[Row], output_format: str, heads: Sequence[str] = ()) -> str:
    """Return the header and the rows as ``"tsv"`` or ``"csv"``. Numbers are not rounded."""
    columns = list(heads or dict.fromkeys(key for row in rows for key in row))
    table = [columns, *([_cell(row.get(key)) for key in columns] for row in rows)]
    if output_format == "tsv":
        return "\n".join(map("\t".join, table))
    lines = io.StringIO()
    csv.writer(lines, lineterminator="\n").writerows(table)
    return lines.getvalue().removesuffix("\n")


def _cell(value: Any) -> str:
    """Return the text of a cell. A text that a spreadsheet would compute, such as ``=1+1``, gets an apostrophe.

    >>> _cell("=1+1"), _cell("- Hello"), _cell("-1.5"), _cell(-1e-05)
    ("'=1+1", "'- Hello", '-1.5', '-1e-05')
    """
    text = printable(_plain(value))
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) and not _NUMBER.fullmatch(text) else text


def to_json(value: Any) -> str:
    """Return indented JSON. Escape control characters and characters that standard output cannot encode."""
    text = json.dumps(value, indent=2, ensure_ascii=not writes_unicode(sys.stdout))
    return re.sub(r"[^\n -~]", _json_character, text)


def _json_character(found: re.Match[str]) -> str:
    return found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1]


def _plain(value: Any) -> str:
    return "" if value is None else typed_word(value)
