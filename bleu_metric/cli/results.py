"""What each command prints: the parts of its text, its table, its rows and its JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .._config import BleuConfig
from .._dialects import DEFAULT
from .._display import align, as_list, percent, printable, segments_note
from .._groups import GroupScore
from .._options import OPTIONS
from .._score import CAVEAT, BleuScore, length_note, meaning, precision_lines, score_title
from .._tables import Table, score_table
from ..comparison.groups import group_table
from ..comparison.result import about_test, comparison_table, star_note
from .options import typed_word
from .output import Output, Row
from .terminal import INDENT, Barred, Note, Part, Signature, Title

if TYPE_CHECKING:
    from .._bootstrap import Interval
    from ..comparison.dialects import Explanation
    from ..comparison.groups import GroupComparisons
    from ..comparison.result import Comparison
    from ..many.distinct import DistinctNgrams
    from ..many.self_bleu import SelfBleu


def scored_note(segments: int, references: Sequence[str], systems: Sequence[str]) -> str:
    """Return a note that names the number of segments and all files that were scored.

    >>> scored_note(9, ["a.txt", "b.txt"], ["hyp.txt"])
    '9 segments of hyp.txt against 2 files of references: a.txt, b.txt'
    """
    against = listed(references)
    if len(references) > 1:
        against = f"{_number_of_files(references)}: {against}"
    return f"{segments_note(segments)} of {listed(systems)} against {against}"


def _number_of_files(references: Sequence[str]) -> str:
    return f"{len(references)} files of references"


def listed(files: Iterable[str]) -> str:
    """Return the names of files, in one line."""
    return ", ".join(map(printable, files))


# --- score ----------------------------------------------------------------------------------------------------------


class ScoreResult(NamedTuple):
    """The result of `bleu-metric score`. A part that the user did not ask for is None."""

    system: str
    scored: str
    """The `scored_note`."""
    references: Sequence[str]
    segments: int
    score: BleuScore
    interval: Interval | None
    sentences: list[Any] | None
    groups: Mapping[Any, GroupScore] | None
    digits: int

    def output(self) -> Output:
        """Return the result in every format."""
        signature = self.score.sacrebleu_signature or self.score.signature
        if self.interval is not None:
            signature = self.interval.signature
        table = self._table()
        content = self._content()
        return Output(self._text(signature, table), content, self._rows(content), table, [self.scored, signature])

    @property
    def _has_one_score(self) -> bool:
        return not isinstance(self.score.bleu, list)

    def _text(self, signature: str, table: Table) -> Iterator[Part]:
        if self.sentences is not None:
            yield sentences_text(self.sentences, self.digits)
        words = ""
        if len(self.references) > 1:
            words += INDENT + _number_of_files(self.references)
        if self._has_one_score:
            words += INDENT + meaning(self.score)
        yield Title(score_title(self.score.bleu, self.interval, self.digits), words)
        for line, precision in zip(precision_lines(self.score), self.score.precisions, strict=True):
            yield Barred(line, precision)
        for note in (length_note(self.score), self.scored, CAVEAT):
            yield Note(note)
        yield Signature(signature)
        if self.groups is not None:
            yield ""
            yield table

    def _table(self) -> Table:
        if self.groups is not None:
            return score_table(self.groups, "group", self.digits)
        return score_table({self.system: self.score}, "system", self.digits)._replace(bold=())

    def _content(self) -> Row:
        content: Row = {"system": self.system, **self.score.to_dict(), "segments": self.segments}
        content["sacrebleu_signature"] = self.score.sacrebleu_signature
        content["meaning"] = meaning(self.score) if self._has_one_score else None
        if self.interval is not None:
            content["interval"] = self.interval.to_dict()
            content["citation"] = self.score.citation(self.interval).sentence if self._has_one_score else None
        if self.groups is not None:
            content["groups"] = _dicts(self.groups, "group")
        if self.sentences is not None:
            content["sentence_bleu"] = self.sentences
        return content

    def _rows(self, content: Row) -> Iterable[Row]:
        if self.sentences is not None:
            return ({"line": line, "bleu": bleu} for line, bleu in enumerate(self.sentences, 1))
        if self.groups is not None:
            return _dicts(self.groups, "group")
        return [content]


def sentences_text(scores: Sequence[Any], digits: int) -> str:
    """Return one line per segment, with the number of the segment and its scores in percent."""
    rows = []
    for number, bleu in enumerate(scores, 1):
        percents = [percent(score, digits) for score in as_list(bleu)]
        rows.append([str(number), *percents])
    return "\n".join(align(rows, left=()))


def _dicts(scores: Mapping[Any, BleuScore], what: str) -> list[Row]:
    return [{what: name, **score.to_dict()} for name, score in scores.items()]


# --- Tables ---------------------------------------------------------------------------------------------------------


def systems_output(scores: Mapping[str, BleuScore], notes: Sequence[str], digits: int) -> Output:
    """Return one row per system. The notes and the signature follow."""
    signature = next(iter(scores.values())).signature
    rows = _dicts(scores, "system")
    return _in_tables([score_table(scores, "system", digits)], {"systems": rows}, rows, notes, signature)


def dialects_output(scores: Mapping[str, BleuScore], notes: Sequence[str], digits: int) -> Output:
    """Return one row per dialect. The notes follow."""
    rows = _dicts(scores, "dialect")
    return _in_tables([score_table(scores, "dialect", digits)], rows, rows, notes)


def comparison_output(
    comparison: Comparison,
    scores: Mapping[str, BleuScore],
    groups: GroupComparisons | None,
    notes: Sequence[str],
    digits: int,
) -> Output:
    """Return one row per system, with its score, its interval and its difference from the baseline; then the groups.

    Formats that hold one table have that of the groups, if there are groups.
    """
    content = comparison.to_dict()
    content["systems"] = systems = []
    for compared in content.pop("rows"):
        name = compared.pop("name")
        del compared["score"]
        systems.append({"system": name, **scores[name].to_dict(), **compared})
    rows = [{**row, "has_too_few_segments": comparison.has_too_few_segments} for row in systems]
    tables = [comparison_table(comparison, digits)]
    comparisons = [comparison]
    if groups is not None:
        content["groups"] = [{"group": label, **of_group.to_dict()} for label, of_group in groups.items()]
        rows = groups.rows()
        tables.append(group_table(groups, digits))
        comparisons += groups.values()
    notes = [star_note(comparisons), *notes, printable(about_test(comparison))]
    return _in_tables(tables, content, rows, notes, comparison.signature)


def _in_tables(
    tables: Sequence[Table], content: Any, rows: list[Row], notes: Iterable[str] = (), signature: str = ""
) -> Output:
    """Return an output whose text has tables, and the notes and the signature below them. The last one is to paste."""
    notes = list(filter(None, notes))
    text: list[Part] = []
    for table in tables:
        text += [table, ""]
    text += map(Note, notes)
    if signature:
        text.append(Signature(signature))
        notes.append(signature)
    is_table_last = text[-1] == ""
    return Output(text[:-1] if is_table_last else text, content, rows, tables[-1], notes)


def settings_output(dialects: Mapping[str, BleuConfig]) -> Output:
    """Return the settings of each dialect. Text and tables list only those that differ from the default dialect."""
    rows, cells = [], []
    for name, config in dialects.items():
        rows.append({"dialect": name, **_settings(config)})
        notable = _notable_settings(config).items()
        words = [f"{option}={typed_word(value)}" for option, value in notable]
        cells.append([name, ", ".join(words)])
    heads = ["dialect", f"settings that differ from those of {DEFAULT}"]
    return _in_tables([Table(heads, cells, left=(0, 1))], rows, rows)


def _notable_settings(config: BleuConfig) -> Row:
    """Return the settings that differ from the default dialect. For the default dialect itself, return all settings."""
    default = _settings(BleuConfig())
    chosen = {option: value for option, value in _settings(config).items() if value is not None}
    differing = {option: value for option, value in chosen.items() if value != default[option]}
    return differing or chosen


def _settings(config: BleuConfig) -> Row:
    return {option: getattr(config, option) for option in OPTIONS}


# --- explain, self-BLEU ---------------------------------------------------------------------------------------------


def explanation_output(explanation: Explanation, note: str) -> Output:
    """Return what each setting contributes to a difference."""
    heads = ("option", "old", "new", "change", "after")
    return Output([f"{explanation}\n", Note(note)], explanation.to_dict(), explanation.rows(), heads=heads)


def self_output(result: SelfBleu, distinct: DistinctNgrams, files: str) -> Output:
    """Return Self-BLEU, that of each group, and the ratios of distinct n-grams."""
    text: list[Part] = [Title(f"Self-BLEU {percent(result.bleu)}"), ""]
    if result.groups is not None:
        rows = [[percent(bleu, 2), printable(str(label))] for label, bleu in result.groups.items()]
        text += map(Note, align(rows, left=(1,)))
        text.append("")
    ratios = [f"{percent(ratio)} %" for ratio in distinct.ratios]
    text += [
        Note(f"{result.texts:,} texts of {files}, definition {result.definition}"),
        Note(f"distinct n-grams of orders 1 to 4: {', '.join(ratios)}"),
        Signature(result.signature),
    ]
    content = {
        "bleu": result.bleu,
        "definition": result.definition,
        "groups": result.groups,
        "texts": result.texts,
        "signature": result.signature,
        "distinct": distinct.ratios,
    }
    return Output(text, content)
