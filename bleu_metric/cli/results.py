"""Build the output of each command: its text, its JSON, its rows (TSV, CSV) and its table (Markdown, LaTeX)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .._bootstrap import Interval
from .._config import BleuConfig
from .._dialects import DEFAULT
from .._display import percent, printable
from .._groups import GroupScore
from .._options import OPTIONS
from .._score import CAVEAT, BleuScore, length_note, precision_lines, score_table, score_text
from .._tables import Table, align
from ..comparison.dialects import Explanation
from ..comparison.groups import GroupComparisons, groups_table
from ..comparison.result import Comparison, about_test, comparison_table, star_notes
from .inputs import InputFiles
from .options import typed_word
from .output import Output, Row
from .terminal import INDENT, Barred, Note, Part, Signature, Title

if TYPE_CHECKING:
    from ..many.distinct import DistinctNgrams
    from ..many.self_bleu import SelfBleu


# --- score ----------------------------------------------------------------------------------------------------------


class ScoreResult(NamedTuple):
    """The result of `bleu-metric score`. A field is None if the user did not type the option that it needs."""

    files: InputFiles
    note: str
    """The number of segments (or of documents and segments) and the names of the scored files."""
    score: BleuScore
    interval: Interval | None
    sentences: list[Any] | None
    groups: Mapping[Any, GroupScore] | None
    digits: int

    def output(self) -> Output:
        """Return the result in every format."""
        table = self._table()
        content = self._content()
        notes = [self.note, self._signature]
        return Output(self._text(table), content, self._rows(content), table, notes)

    @property
    def _signature(self) -> str:
        """Return the interval's signature or, without an interval, sacrebleu's if there is one, else bleu_metric's."""
        if self.interval is not None:
            return self.interval.signature
        return self.score.sacrebleu_signature or self.score.signature

    def _text(self, table: Table) -> Iterator[Part]:
        """Yield the parts of the text: the segment scores, the corpus score with its notes, and the group scores."""
        if self.sentences is not None:
            yield sentences_text(self.sentences, self.digits)
        title = f"BLEU {score_text(self.score.bleu, self.interval, self.digits)}"
        files = self.files.reference_files
        words = f"{INDENT}{files} files of references" if files > 1 else ""
        yield Title(title, words)
        yield from map(Barred, precision_lines(self.score), self.score.precisions)
        yield Note(length_note(self.score))
        yield Note(self.note)
        yield Note(CAVEAT)
        yield Signature(self._signature)
        if self.groups is not None:
            yield ""
            yield table

    def _table(self) -> Table:
        """Return the table for Markdown and LaTeX: one row per group or, without groups, a single row."""
        if self.groups is not None:
            return score_table(self.groups, "group", self.digits)
        [system] = self.files.systems
        return score_table({system: self.score}, "system", self.digits)

    def _content(self) -> Row:
        """Return the JSON output."""
        [system] = self.files.systems
        content: Row = {"system": system, **self.score.to_dict()}
        content["segments"] = self.files.segments
        content["sacrebleu_signature"] = self.score.sacrebleu_signature
        if self.interval is not None:
            content["interval"] = self.interval.to_dict()
            content["citation"] = self.score.citation(self.interval).sentence
        if self.groups is not None:
            content["groups"] = _dicts(self.groups, "group")
        if self.sentences is not None:
            content["sentence_bleu"] = self.sentences
        return content

    def _rows(self, content: Row) -> Iterable[Row]:
        """Return the rows of TSV and CSV: one per segment, one per group, or a single one for the system."""
        if self.sentences is not None:
            return ({"line": line, "bleu": bleu} for line, bleu in enumerate(self.sentences, 1))
        if self.groups is not None:
            return _dicts(self.groups, "group")
        return [content]


def sentences_text(scores: Sequence[Any], digits: int) -> str:
    """Return one line per segment, with the number of the segment and its score in percent."""
    rows = [(str(number), percent(bleu, digits)) for number, bleu in enumerate(scores, 1)]
    return "\n".join(align(rows, left=()))


def _dicts(scores: Mapping[Any, BleuScore], what: str) -> list[Row]:
    """Return one row per score. `what` is the key for the name of the score, such as "group"."""
    return [{what: name, **score.to_dict()} for name, score in scores.items()]


# --- Tables ---------------------------------------------------------------------------------------------------------


def systems_output(scores: Mapping[str, BleuScore], note: str, digits: int) -> Output:
    """Return the output of a comparison without a test: one row per system, a note and the common signature."""
    table = score_table(scores, "system", digits, bold_best=True)
    rows = _dicts(scores, "system")
    first, *_ = scores.values()
    return _in_tables([table], {"systems": rows}, rows, [Note(note), Signature(first.signature)])


def dialects_output(scores: Mapping[str, BleuScore], note: str, digits: int) -> Output:
    """Return the output of `bleu-metric dialects`: one row per dialect, and a note."""
    table = score_table(scores, "dialect", digits)
    rows = _dicts(scores, "dialect")
    return _in_tables([table], rows, rows, [Note(note)])


def comparison_output(
    comparison: Comparison, scores: Mapping[str, BleuScore], groups: GroupComparisons | None, note: str, digits: int
) -> Output:
    """Return the output of a comparison: a table of the systems and, if `groups` is not None, a table of the groups.

    Each system has a row with its score, its interval and its difference from the baseline. Markdown, LaTeX, TSV and
    CSV have only the last of these tables.
    """
    systems = [_compared_row(row, scores[row["name"]]) for row in comparison.rows()]
    content = {**comparison.to_dict(), "systems": systems}
    del content["rows"]  # because `systems` contains the same values
    tables = [comparison_table(comparison, digits)]
    comparisons = [comparison]
    if groups is None:
        rows = [{**row, "has_too_few_segments": comparison.has_too_few_segments} for row in systems]
    else:
        rows = groups.rows()
        content["groups"] = [{"group": label, **of_group.to_dict()} for label, of_group in groups.items()]
        tables.append(groups_table(groups, digits))
        comparisons += groups.values()
    test = printable(about_test(comparison))
    notes = [Note(text) for text in (*star_notes(comparisons), note, test)]
    return _in_tables(tables, content, rows, [*notes, Signature(comparison.signature)])


def _compared_row(row: Row, score: BleuScore) -> Row:
    """Return the row of one system: its score, its interval and its difference from the baseline."""
    added = {key: fact for key, fact in row.items() if key not in ("name", "score")}
    return {"system": row["name"], **score.to_dict(), **added}


def _in_tables(
    tables: Sequence[Table], content: Any, rows: list[Row], notes: Sequence[Note | Signature] = ()
) -> Output:
    """Return an output of tables, with notes below them. Markdown and LaTeX have only the last table.

    `content`: the value for JSON. `rows`: the rows for TSV and CSV.
    """
    text: list[Part] = [tables[0]]
    for table in tables[1:]:
        text += ["", table]
    if notes:
        text += ["", *notes]
    return Output(text, content, rows, tables[-1], [note.text for note in notes])


def settings_output(dialects: Mapping[str, BleuConfig]) -> Output:
    """Return an output with the settings of each dialect. Text and tables omit those that equal the default's."""
    rows: list[Row] = []
    cells = []
    for name, config in dialects.items():
        settings = {option: getattr(config, option) for option in OPTIONS}
        rows.append({"dialect": name, **settings})
        notable = ", ".join(_notable_settings(settings))
        cells.append([name, notable])
    heads = ["dialect", f"settings that differ from those of {DEFAULT}"]
    table = Table(heads, cells, left=(0, 1))
    return _in_tables([table], rows, rows)


def _notable_settings(settings: Row) -> list[str]:
    """Return the settings that differ from the default dialect's. For the default dialect, return all settings."""
    default = BleuConfig()
    chosen = {option: value for option, value in settings.items() if value is not None}
    differing = {option: value for option, value in chosen.items() if value != getattr(default, option)}
    return [f"{option}={typed_word(value)}" for option, value in (differing or chosen).items()]


# --- explain, self-BLEU ---------------------------------------------------------------------------------------------


def explanation_output(explanation: Explanation, note: str) -> Output:
    """Return the output of `bleu-metric explain`: what each setting contributes to the difference."""
    heads = ("option", "old", "new", "change")
    return Output([f"{explanation}\n", Note(note)], explanation.to_dict(), explanation.rows(), heads=heads)


def self_output(result: SelfBleu, distinct: DistinctNgrams, files: str) -> Output:
    """Return the output of `bleu-metric self-bleu`: the scores of all texts and of each group, and distinct n-grams."""
    content = {name: value for name, value in vars(result).items() if name != "text_scores"}
    content["distinct"] = distinct.ratios
    return Output(_self_text(result, distinct, files), content)


def _self_text(result: SelfBleu, distinct: DistinctNgrams, files: str) -> Iterator[Part]:
    """Yield the parts of the text: the score of all texts, the scores of the groups, and notes."""
    yield Title(f"Self-BLEU {percent(result.bleu)}")
    yield ""
    if result.groups is not None:
        rows = [[percent(bleu, 2), printable(str(label))] for label, bleu in result.groups.items()]
        yield from map(Note, align(rows, left=(1,)))
        yield ""
    yield Note(f"{result.texts:,} texts of {files}, definition {result.definition}")
    ratios = ", ".join(f"{percent(ratio)} %" for ratio in distinct.ratios)
    yield Note(f"distinct n-grams of orders 1 to 4: {ratios}")
    yield Signature(result.signature)
