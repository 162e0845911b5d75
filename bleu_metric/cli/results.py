"""Build the output of each command: its text, its JSON, its rows (TSV, CSV) and its table (Markdown, LaTeX)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .._bootstrap import Interval
from .._config import BleuConfig
from .._dialects import DEFAULT
from .._display import percent, printable
from .._groups import GroupScores
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


def score_output(score: BleuScore, interval: Interval | None, files: InputFiles, digits: int) -> Output:
    """Return the output of `bleu-metric score`: the score with its interval, its precisions, its lengths, and notes."""
    [system] = files.systems
    content: Row = {
        "system": system,
        **score.to_dict(),
        "segments": files.segments,
        "sacrebleu_signature": score.sacrebleu_signature,
    }
    signature = score.sacrebleu_signature or score.signature
    if interval is not None:
        content["interval"] = interval.to_dict()
        content["citation"] = score.citation(interval).sentence
        signature = interval.signature
    title = f"BLEU {score_text(score.bleu, interval, digits)}"
    if files.reference_files > 1:
        title += f"{INDENT}{files.reference_files} files of references"
    text: list[Part] = [
        Title(title),
        *map(Barred, precision_lines(score), score.precisions),
        Note(length_note(score)),
        Note(files.note),
        Note(CAVEAT),
        Signature(signature),
    ]
    table = score_table({system: score}, "system", digits)
    return Output(text, content, [content], table, [files.note, signature])


def add_groups(output: Output, groups: GroupScores, digits: int) -> None:
    """Add the scores of groups to the output of `bleu-metric score`. Tables then have one row per group."""
    output.table = score_table(groups, "group", digits)
    output.rows = _dicts(groups, "group")
    output.content["groups"] = output.rows
    output.text += ["", output.table]


def add_sentences(output: Output, scores: Sequence[Any], digits: int) -> None:
    """Add the scores of segments to the output of `bleu-metric score`. TSV and CSV then have one row per segment."""
    cells = [(str(line), percent(bleu, digits)) for line, bleu in enumerate(scores, 1)]
    output.text = [*align(cells, left_aligned=()), *output.text]
    output.content["sentence_bleu"] = scores
    output.rows = [{"line": line, "bleu": bleu} for line, bleu in enumerate(scores, 1)]


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
    content = comparison.to_dict()
    rows = []
    for row in content.pop("rows"):
        name, _ = row.pop("name"), row.pop("score")  # the score is also in `scores`
        verdict = {"has_too_few_segments": comparison.has_too_few_segments}
        rows.append({"system": name, **scores[name].to_dict(), **row, **verdict})
    content["systems"] = rows
    tables = [comparison_table(comparison, digits)]
    comparisons = [comparison]
    if groups is not None:
        content["groups"] = [{"group": label, **of_group.to_dict()} for label, of_group in groups.items()]
        rows = groups.rows()
        tables.append(groups_table(groups, digits))
        comparisons += groups.values()
    notes = [*star_notes(comparisons), note, printable(about_test(comparison))]
    return _in_tables(tables, content, rows, [*map(Note, notes), Signature(comparison.signature)])


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
    table = Table(heads, cells, left_aligned=(0, 1))
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
    return Output([f"{explanation}\n", Note(note)], explanation.to_dict())


def self_output(result: SelfBleu, distinct: DistinctNgrams, files: str) -> Output:
    """Return the output of `bleu-metric self-bleu`: the scores of all texts and of each group, and distinct n-grams."""
    content = {**vars(result), "distinct": distinct.ratios}
    del content["text_scores"]
    ratios = ", ".join(f"{percent(ratio)} %" for ratio in distinct.ratios)
    text: list[Part] = [
        Title(f"Self-BLEU {percent(result.bleu)}"),
        Note(f"{result.texts:,} texts of {files}, definition {result.definition}"),
        Note(f"distinct n-grams of orders 1 to 4: {ratios}"),
        Signature(result.signature),
    ]
    if result.groups is not None:
        rows = [(str(label), percent(bleu, 2)) for label, bleu in result.groups.items()]
        text += ["", Table(["group", "Self-BLEU"], rows)]
    return Output(text, content)
