"""Build the output of each command: its text, its JSON, its rows (TSV, CSV) and its table (Markdown, LaTeX)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .._bootstrap import GroupScores, Interval
from .._config import DEFAULT, BleuConfig
from .._display import Table, align, amount, percent, printable
from .._options import OPTIONS
from .._score import CAVEAT, BleuScore, length_note, precision_lines, score_table, score_text
from ..comparison.find import FoundSettings
from ..comparison.groups import GroupComparisons, groups_table
from ..comparison.result import Comparison, about_test, comparison_table, star_notes
from .drawing import INDENT, Barred, Note, Part, Signature, Title
from .inputs import InputFiles
from .options import typed_word
from .output import Output, Row

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
        "segments": len(files.references),
        "sacrebleu_signature": score.sacrebleu_signature,
    }
    signature = score.sacrebleu_signature or score.signature
    if interval is not None:
        content["interval"] = interval.to_dict()
        content["citation"] = score.citation(interval).sentence
        signature = interval.signature

    title = f"BLEU {score_text(score.bleu, interval, digits)}"
    if files.n_reference_files > 1:
        title += f"{INDENT}{files.n_reference_files} files of references"
    barred_lines = map(Barred, precision_lines(score), score.precisions)
    text: list[Part] = [
        Title(title),
        *barred_lines,
        Note(length_note(score)),
        Note(files.note),
        Note(CAVEAT),
        Signature(signature),
    ]
    table = score_table({system: score}, "system", digits)
    return Output(text, content, rows=[content], table=table, notes=[files.note, signature])


def add_groups(output: Output, groups: GroupScores, digits: int) -> None:
    """Add the scores of groups to the output of `bleu-metric score`. Tables then have one row per group."""
    output.table = score_table(groups, "group", digits)
    output.rows = _rows_of_scores(groups, "group")
    output.content["groups"] = output.rows
    output.text += ["", output.table]


def add_sentences(output: Output, scores: Sequence[Any], digits: int) -> None:
    """Add the scores of segments to the output of `bleu-metric score`. TSV and CSV then have one row per segment."""
    cells = [(str(line), percent(bleu, digits)) for line, bleu in enumerate(scores, 1)]
    lines = align(cells, left_aligned=())  # both columns have numbers, so neither is left-aligned
    output.text = [*lines, *output.text]
    output.content["sentence_bleu"] = scores
    output.rows = [{"line": line, "bleu": bleu} for line, bleu in enumerate(scores, 1)]


def _rows_of_scores(scores: Mapping[Any, BleuScore], key_of_name: str) -> list[Row]:
    """Return one row per score: its name below the key `key_of_name`, such as "group", and its facts."""
    return [{key_of_name: name, **score.to_dict()} for name, score in scores.items()]


# --- Tables ---------------------------------------------------------------------------------------------------------


def systems_output(scores: Mapping[str, BleuScore], note: str, digits: int) -> Output:
    """Return the output of a comparison without a test: one row per system, a note and the common signature."""
    table = score_table(scores, "system", digits, bold_best=True)
    rows = _rows_of_scores(scores, "system")
    first_score, *_ = scores.values()  # all signatures are equal
    notes = (Note(note), Signature(first_score.signature))
    return _in_tables([table], content={"systems": rows}, rows=rows, notes=notes)


def dialects_output(scores: Mapping[str, BleuScore], note: str, digits: int) -> Output:
    """Return the output of `bleu-metric dialects`: one row per dialect, and a note."""
    table = score_table(scores, "dialect", digits)
    rows = _rows_of_scores(scores, "dialect")
    return _in_tables([table], content=rows, rows=rows, notes=[Note(note)])


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
        name = row.pop("name")
        del row["score"]  # it is also in `scores`
        verdict = {"has_too_few_segments": comparison.has_too_few_segments}
        rows.append({"system": name, **scores[name].to_dict(), **row, **verdict})
    content["systems"] = rows
    tables = [comparison_table(comparison, digits)]
    comparisons = [comparison]

    if groups is not None:
        content["groups"] = [{"group": label, **result.to_dict()} for label, result in groups.items()]
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
    first_table, *other_tables = tables
    text: list[Part] = [first_table]
    for table in other_tables:
        text += ["", table]
    if notes:
        text += ["", *notes]
    return Output(text, content, rows, table=tables[-1], notes=[note.text for note in notes])


def settings_output(dialects: Mapping[str, BleuConfig]) -> Output:
    """Return an output with the settings of each dialect. Text and tables omit those that equal the default's.

    For the default dialect, they show all settings.
    """
    rows: list[Row] = []
    cells = []
    default = BleuConfig()
    for name, config in dialects.items():
        settings = {option: getattr(config, option) for option in OPTIONS}
        rows.append({"dialect": name, **settings})

        set_values = {option: value for option, value in settings.items() if value is not None}
        differing = {option: value for option, value in set_values.items() if value != getattr(default, option)}
        notable = differing or set_values  # nothing differs in the default dialect
        cells.append([name, ", ".join(f"{option}={typed_word(value)}" for option, value in notable.items())])

    heads = ["dialect", f"settings that differ from those of {DEFAULT}"]
    table = Table(heads, cells, left_aligned=(0, 1))
    return _in_tables([table], content=rows, rows=rows)


def found_output(found: FoundSettings, note: str) -> Output:
    """Return the output of `bleu-metric find`: how many settings fit, a table of them, and notes."""
    summary = found._summary()
    notes = [*summary.notes, note]
    text: list[Part] = [Title(summary.headline), summary.table, "", *map(Note, notes)]
    notes = [summary.headline, *notes]
    return Output(text, found.to_dict(), found.rows(), table=summary.table, notes=notes)


# --- self-BLEU ---------------------------------------------------------------------------------------------


def self_output(result: SelfBleu, distinct: DistinctNgrams, files: str) -> Output:
    """Return the output of `bleu-metric self-bleu`: the scores of all texts and of each group, and distinct n-grams."""
    content = {**vars(result), "distinct": distinct.ratios}
    del content["text_scores"]  # a NumPy array, or None
    ratios = ", ".join(f"{percent(ratio)} %" for ratio in distinct.ratios)
    text: list[Part] = [
        Title(f"Self-BLEU {percent(result.bleu)}"),
        Note(f"{amount(result.texts, 'text')} of {files}, definition {result.definition}"),
        Note(f"distinct n-grams of orders 1 to 4: {ratios}"),
        Signature(result.signature),
    ]

    if result.groups is not None:
        rows = [(str(label), percent(bleu, 2)) for label, bleu in result.groups.items()]
        text += ["", Table(["group", "Self-BLEU"], rows)]
    return Output(text, content)
