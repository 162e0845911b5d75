"""Build the output of each command: its text, its JSON, its rows (TSV, CSV) and its table (Markdown, LaTeX)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from .._bootstrap import GroupScores, Interval
from .._config import DEFAULT, BleuConfig
from .._display import BLEU, Metric, Table, align, amount, percent, printable
from .._options import OPTIONS
from .._score import CAVEAT, BleuScore, length_note, precision_lines, score_table, score_text
from .._statistics import MetricStatistics
from ..comparison.find import FoundSettings
from ..comparison.groups import GroupComparisons, groups_table
from ..comparison.metrics import MetricComparisons, metrics_table, verdicts_by_metric
from ..comparison.result import BOOTSTRAP, Comparison, about_test, comparison_table, few_notes, star_notes
from .drawing import INDENT, Barred, Note, Part, Signature, Title
from .inputs import InputFiles
from .options import typed_word
from .output import Output, Row, in_percent

if TYPE_CHECKING:
    from ..many.self_bleu import SelfBleu


_ENOUGH_SEGMENTS = 100  # then about 95 % of the 95 % intervals contain the true score; with 10 segments, only 88 % do

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
    if interval is not None:
        content["interval"] = interval.to_dict()
        content["citation"] = score.citation(interval).sentence
    signatures = [(interval or score).signature, *_of_sacrebleu(score)]

    few = []
    if interval is not None and len(files.references) < _ENOUGH_SEGMENTS:
        few = [Note(f"with fewer than {_ENOUGH_SEGMENTS} segments, intervals are too narrow")]
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
        *few,
        *map(Signature, signatures),
    ]
    table = score_table({system: score}, "system", digits)
    if interval is not None:
        column = table.heads.index("BLEU")
        [cells] = table.rows
        table = table._replace(rows=[[*cells[:column], score_text(score.bleu, interval, digits), *cells[column + 1 :]]])
    return Output(text, content, rows=[in_percent(content)], tables=[table], notes=[files.note, *signatures])


def _of_sacrebleu(score: BleuScore, comparison: Comparison | None = None) -> list[str]:
    """Return a list with sacrebleu's signature of the score, or [] if there is none.

    If the p-values are computed as in sacrebleu, the signature also has ``bs:1000|seed:12345``, for example.
    """
    signature = score.sacrebleu_signature
    if not signature:
        return []
    if comparison is not None and comparison.p_values == "sacrebleu":
        key = "bs" if comparison.test == BOOTSTRAP else "ar"
        signature = signature.replace("|", f"|{key}:{comparison.n_trials}|seed:{comparison.seed}|", 1)
    return [f"sacrebleu: {signature}"]


def add_metric(output: Output, statistics: MetricStatistics, interval: Interval | None, digits: int) -> None:
    """Add a metric beside BLEU to the output of `bleu-metric score`."""
    metric = statistics.metric
    score = statistics.score()
    signature = statistics.signature()
    shown = metric.text(score, digits)
    content: Row = {"score": score, "signature": signature}
    if interval:
        signature = content["signature"] = interval.signature
        shown += f" {metric.brackets(interval.low, interval.high, digits)}"
        content["interval"] = interval.to_dict()

    output.text += [Title(f"{metric.name} {shown}"), Signature(signature)]
    output.content.setdefault("metrics", {})[metric.name] = content
    output.rows = [{**row, metric.name: metric.scale * score} for row in output.rows]
    output.tables = [_with_column(output.tables[0], metric.name, [shown])]
    output.notes = [*output.notes, f"{metric.name}: {signature}"]


def _with_column(table: Table, head: str, cells: Sequence[str]) -> Table:
    rows = [[*row, cell] for row, cell in zip(table.rows, cells, strict=True)]
    return table._replace(heads=[*table.heads, head], rows=rows)


Columns = Mapping[Metric, Sequence[float]]  # the scores of metrics beside BLEU, one per row


def add_groups(output: Output, groups: GroupScores, others: Columns, digits: int) -> None:
    """Add the scores of groups to the output of `bleu-metric score`. Tables then have one row per group."""
    output.content["groups"] = _rows_of_scores(groups, "group")
    output.rows = list(map(in_percent, output.content["groups"]))
    output.tables = [score_table(groups, "group", digits)]
    _add_columns(output, output.content["groups"], others, digits)
    output.text += ["", *output.tables]


def _add_columns(output: Output, rows: Sequence[Row], others: Columns, digits: int) -> None:
    """Add the scores of other metrics to the table, to `rows` (JSON) and to ``output.rows`` (TSV, CSV)."""
    for metric, scores in others.items():
        output.tables = [_with_column(output.tables[0], metric.name, [metric.text(score, digits) for score in scores])]
        for row, shown_row, score in zip(rows, output.rows, scores, strict=True):
            row[metric.name] = score
            shown_row[metric.name] = metric.scale * score


def add_sentences(output: Output, scores: Sequence[Any], others: Columns, digits: int) -> None:
    """Add the scores of segments to the output of `bleu-metric score`. TSV and CSV then have one row per segment."""
    columns = {BLEU: scores, **others}
    cells = [
        [str(line), *(metric.text(score, digits) for metric, score in zip(columns, of_segment, strict=True))]
        for line, of_segment in enumerate(zip(*columns.values(), strict=True), 1)
    ]
    heads = [["line", *(metric.name for metric in columns)]] if others else []
    lines = align([*heads, *cells], left_aligned=())  # all columns have numbers
    output.text = [*lines, *output.text]
    output.rows = [in_percent({"line": line, "bleu": bleu}) for line, bleu in enumerate(scores, 1)]
    for metric, values in columns.items():
        output.content["sentence_bleu" if metric is BLEU else f"sentence_{metric.name}"] = values
    for metric, values in others.items():
        for row, score in zip(output.rows, values, strict=True):
            row[metric.name] = metric.scale * score


def _rows_of_scores(scores: Mapping[Any, BleuScore], key_of_name: str) -> list[Row]:
    """Return one row per score, such as {"group": "news", "bleu": 0.5, ...} for the key "group"."""
    return [{key_of_name: name, **score.to_dict()} for name, score in scores.items()]


def languages_output(scores: GroupScores, note: str, digits: int) -> Output:
    """Return the output of ``score --target-language @group``: one row per group, and the mean of all groups."""
    rows = _rows_of_scores(scores, "group")
    mean = fmean(score.bleu for score in scores.values())
    title = f"mean BLEU of {amount(len(scores), 'group')}: {percent(mean, digits)}"
    notes = [note, *(f"{label}: {(score.interval or score).signature}" for label, score in scores.items())]
    output = _in_tables(
        [score_table(scores, "group", digits)],
        content={"mean_of_groups": mean, "groups": rows},
        rows=list(map(in_percent, rows)),
        notes=[Note(notes[0]), *map(Signature, notes[1:])],
    )
    output.text = [Title(title), *output.text]
    output.notes = [title, *output.notes]
    return output


def compared_languages_output(compared: GroupComparisons, note: str, digits: int) -> Output:
    """Return the output of ``compare --target-language @group``: all groups, and each system's mean."""
    comparisons = list(compared.values())
    scores_of: dict[str, list[float]] = {}
    for comparison in comparisons:
        for system in (comparison.baseline, *comparison.systems):
            scores_of.setdefault(system.name, []).append(system.interval.score)
    means = {name: fmean(scores) for name, scores in scores_of.items()}

    table = groups_table(compared, digits)
    first_cell = f"mean of {amount(len(compared), 'group')}"
    rows = [*table.rows]
    for name, mean in means.items():
        cells = {"group": first_cell, "system": name, "BLEU": percent(mean, digits)}
        rows.append([cells.get(head, "") for head in table.heads])
        first_cell = ""
    content = {
        "mean_of_groups": means,
        "groups": [{"group": label, **result.to_dict()} for label, result in compared.items()],
    }
    means_as_rows = [{"group": "mean", "system": name, "score": mean} for name, mean in means.items()]
    notes = [*star_notes(comparisons), *few_notes(comparisons), note, printable(about_test(comparisons[0]))]
    signatures = [f"{label}: {result.signature}" for label, result in compared.items()]
    return _in_tables(
        [table._replace(rows=rows)],
        content,
        list(map(in_percent, [*compared.rows(), *means_as_rows])),
        [*map(Note, notes), *map(Signature, signatures)],
    )


# --- Tables ---------------------------------------------------------------------------------------------------------


def systems_output(
    scores: Mapping[str, BleuScore], by_metric: Mapping[str, Mapping[str, Any]], note: str, digits: int
) -> Output:
    """Return the output of a comparison without a test: one row per system, a note and the signatures.

    `by_metric`: {metric: {system: statistics}}, with BLEU first.
    """
    table = score_table(scores, "system", digits, bold_best=True)
    rows = _rows_of_scores(scores, "system")
    shown_rows = list(map(in_percent, rows))
    first_score, *_ = scores.values()  # all signatures are equal
    signatures = [first_score.signature, *_of_sacrebleu(first_score)]
    content: Row = {"systems": rows}
    columns = {}
    _, *others = by_metric.items()
    for name, by_system in others:
        first, *_ = by_system.values()
        columns[first.metric] = [statistics.score() for statistics in by_system.values()]
        signatures.append(f"{name}: {first.signature()}")
        content["signatures"] = signatures
    output = _in_tables([table], content, shown_rows, notes=(Note(note), *map(Signature, signatures)))
    _add_columns(output, rows, columns, digits)
    output.text[0] = output.tables[0]
    return output


def dialects_output(scores: Mapping[str, BleuScore], note: str, digits: int) -> Output:
    """Return the output of `bleu-metric dialects`: one row per dialect, and a note."""
    table = score_table(scores, "dialect", digits)
    rows = _rows_of_scores(scores, "dialect")
    return _in_tables([table], content=rows, rows=list(map(in_percent, rows)), notes=[Note(note)])


def comparison_output(
    comparisons: MetricComparisons,
    scores: Mapping[str, BleuScore],
    groups: Mapping[str, GroupComparisons | None],
    note: str,
    digits: int,
) -> Output:
    """Return the output of a comparison: a table of the systems and, if there are groups, a table of groups per metric.

    With groups, Markdown, LaTeX, TSV and CSV have only the tables of groups. Without groups, `groups` has None for each
    metric.
    """
    comparison, *others = comparisons.values()
    content = comparison.to_dict()
    shown_rows, systems = [], []
    for row in content.pop("rows"):
        own_score = scores[row["system"]]
        parts = own_score.to_dict()
        del parts["signature"]  # `row` has the complete signature
        last = {
            "sacrebleu_signature": own_score.sacrebleu_signature,
            "has_too_few_segments": comparison.has_too_few_segments,
        }
        shown_rows.append(in_percent({**row, **parts, **last}))
        del shown_rows[-1]["bleu"], row["score"]  # "bleu" and "score" are equal
        systems.append({"system": row["system"], **parts, **row, **last})
    content["systems"] = systems
    table = metrics_table(comparisons, digits) if others else comparison_table(comparison, digits)
    tables = [table]
    if others:
        content["metrics"] = {name: result.to_dict() for name, result in comparisons.items()}
        shown_rows = [in_percent(row, comparisons[row["metric"]].metric.scale) for row in comparisons.rows()]

    # The table of several metrics has no stars if it has ranks
    tested = [] if others and comparison.is_ranking else list(comparisons.values())
    verdicts = verdicts_by_metric(comparisons) if others else [comparison.verdict()]
    for metric, by_group in groups.items():
        if by_group is None:
            continue
        facts = [{"group": label, **result.to_dict()} for label, result in by_group.items()]
        content["groups" if metric == comparison.metric.name else f"groups_{metric}"] = facts
        rows = [{"metric": metric, **row} if others else row for row in by_group.rows()]
        shown_rows = [] if len(tables) == 1 else shown_rows
        shown_rows += [in_percent(row, comparisons[metric].metric.scale) for row in rows]
        table_of_groups = groups_table(by_group, digits)
        if others:
            first_head, *heads = table_of_groups.heads
            table_of_groups = table_of_groups._replace(heads=[f"{metric}: {first_head}", *heads])
        tables.append(table_of_groups)
        tested += by_group.values()

    few = [] if comparison.has_too_few_segments else few_notes(tested)  # a verdict has its own advice
    notes = [*verdicts, *star_notes(tested), *few, note, printable(about_test(comparison))]
    signatures = [f"{name}: {result.signature}" if others else result.signature for name, result in comparisons.items()]
    first_score, *_ = scores.values()  # all have the same settings
    signatures += _of_sacrebleu(first_score, comparison)
    return _in_tables(tables, content, shown_rows, [*map(Note, notes), *map(Signature, signatures)])


def _in_tables(
    tables: Sequence[Table], content: Any, rows: list[Row], notes: Sequence[Note | Signature] = ()
) -> Output:
    """Return an output of tables, with notes below. If there are several tables, Markdown and LaTeX omit the first one.

    `content`: the value for JSON. `rows`: the rows for TSV and CSV.
    """
    first_table, *other_tables = tables
    text: list[Part] = [first_table]
    for table in other_tables:
        text += ["", table]
    if notes:
        text += ["", *notes]
    return Output(text, content, rows, tables=other_tables or tables, notes=[note.text for note in notes])


def settings_output(dialects: Mapping[str, BleuConfig]) -> Output:
    """Return an output with the settings of each dialect.

    Text and tables show only the settings that differ from the default dialect, but all settings of that dialect.
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
    rows = list(map(in_percent, found.rows()))
    return Output(text, found.to_dict(), rows, tables=[summary.table], notes=notes)


# --- self-BLEU ---------------------------------------------------------------------------------------------


def self_output(result: SelfBleu, files: str) -> Output:
    """Return the output of `bleu-metric self-bleu`: the scores of all texts and of each group."""
    content = {**vars(result)}
    del content["text_scores"]  # a NumPy array, or None
    text: list[Part] = [
        Title(f"Self-BLEU {percent(result.bleu)}"),
        Note(f"{amount(result.texts, 'text')} of {files}, definition {result.definition}"),
        Signature(result.signature),
    ]

    if result.groups is not None:
        rows = [(str(label), percent(bleu, 2)) for label, bleu in result.groups.items()]
        text += ["", Table(["group", "Self-BLEU"], rows)]
    return Output(text, content)
