"""The results that only the command line shows: scores in several metrics or languages, and settings of dialects."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from .._bootstrap import GroupScores, Interval, interval_columns
from .._config import DEFAULT, BleuConfig
from .._display import BLEU, Metric, amount, percent
from .._names import DialectName
from .._options import OPTIONS
from .._result import Column, Result, Row, is_signature, stacked, typed_word
from .._score import BleuScore, Scores
from .._statistics import MetricStatistics
from ..comparison.find import FoundSettings
from ..comparison.groups import GroupComparisons

# --- score ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MetricScore(Result):
    """The score of a metric beside BLEU, without an interval."""

    statistics: MetricStatistics

    def to_dict(self) -> Row:
        """Return the score and its signature."""
        return {"score": self.statistics.score(), "signature": self.statistics.signature()}

    def title(self, digits: int = 1) -> str:
        """Return the score."""
        metric = self.statistics.metric
        return f"{metric.name} {metric.text(self.statistics.score(), digits)}"

    def notes(self) -> list[str]:
        """Return the signature."""
        return [f"{self.statistics.metric.name}: {self.statistics.signature()}"]


class FileScores(GroupScores):
    """The score of a file, as a table with one row."""

    head = "system"

    def title(self, digits: int = 1) -> str:
        """Return no title, because the row says everything."""
        return ""


@dataclass(frozen=True)
class Names(Result):
    """The numbers of lines, or the labels of documents: the first column of a table of their scores."""

    head: str
    names: Sequence[int | str]

    def rows(self, in_percent: bool = False) -> list[Row]:
        """Return one row per name."""
        return [{self.head: name} for name in self.names]

    def columns(self, digits: int = 1) -> list[Column]:
        """Return the column of the names."""
        return [Column(self.head, list(map(str, self.names)), is_text=self.head != "line")]


@dataclass(frozen=True)
class WithMetrics(Result):
    """A result with more columns for each metric: one score per row, and the interval of a result with one row."""

    result: Result
    scores: Mapping[Metric, Sequence[float]]
    signatures: Sequence[str] = ()
    """The signatures of the metrics, after their names."""
    intervals: Mapping[Metric, Interval] = field(default_factory=dict)
    remark: str = ""
    """The end of the title."""

    def facts(self) -> Row:
        """Return the facts about the result, and the signatures."""
        return {**self.result.facts(), "signatures": list(self.signatures)}

    def rows(self, in_percent: bool = False) -> list[Row]:
        """Return the rows of the result, with the scores and the ends of the intervals."""
        rows = self.result.rows(in_percent)
        for metric, scores in self.scores.items():
            for row, score in zip(rows, scores, strict=True):
                row[metric.key] = (metric.scale if in_percent else 1) * score
            if metric in self.intervals:
                [interval] = self.intervals[metric].rows(in_percent)
                rows[0] |= {f"{metric.key}_low": interval["low"], f"{metric.key}_high": interval["high"]}
        return rows

    def title(self, digits: int = 1) -> str:
        """Return the title of the result, such as "BLEU, chrF2 of 3 groups", and the remark."""
        metrics = ", ".join([BLEU.name, *(metric.name for metric in self.scores)])
        return self.result.title(digits).replace(f"{BLEU.name} of", f"{metrics} of", 1) + self.remark

    def columns(self, digits: int = 1) -> list[Column]:
        """Return the columns of the result and of the metrics."""
        columns = self.result.columns(digits)
        rows_compete = any(column.bold for column in columns)
        for metric, scores in self.scores.items():
            best = (min if metric.lower_is_better else max)(scores)
            bold = [row for row, score in enumerate(scores) if rows_compete and score == best]
            columns.append(
                Column(metric.name, [metric.text(score, digits) for score in scores], metric.name, bold=bold)
            )
            columns += interval_columns([self.intervals.get(metric)], digits)
        return columns

    def notes(self) -> list[str]:
        """Return the notes of the result, and the signatures."""
        return [*self.result.notes(), *self.signatures]


class DialectScores(Scores[BleuScore]):
    """The scores of all dialects, which do not compete."""

    head = "dialect"

    def title(self, digits: int = 1) -> str:
        """Return no title, because the table says everything."""
        return ""

    def notes(self) -> list[str]:
        """Return no signatures: the names say the settings."""
        return []


class LanguageScores(GroupScores):
    """The scores of groups with a language each, and their mean."""

    def facts(self) -> Row:
        """Return the mean of the scores."""
        return {"mean_of_groups": fmean(score.bleu for score in self.values())}

    def title(self, digits: int = 1) -> str:
        """Return the mean of the scores in percent."""
        return f"mean BLEU of {amount(len(self), 'group')}: {percent(self.facts()['mean_of_groups'], digits)}"

    def notes(self) -> list[str]:
        """Return the signature of each group, because the tokenizers differ."""
        notes = [note for note in super().notes() if not is_signature(note)]
        return [*notes, *(f"{label}: {(score.interval or score).signature}" for label, score in self.items())]


# --- compare --------------------------------------------------------------------------------------------------------


class LanguageComparisons(GroupComparisons):
    """Comparisons in groups with a language each, and the mean of each system's scores."""

    def facts(self) -> Row:
        """Return the mean of each system's scores."""
        scores: dict[str, list[float]] = {}
        for comparison in self.values():
            for system in (comparison.baseline, *comparison.systems):
                scores.setdefault(system.name, []).append(system.interval.score)
        return {"mean_of_groups": {name: fmean(of_system) for name, of_system in scores.items()}, **super().facts()}

    def rows(self, in_percent: bool = False) -> list[Row]:
        """Return the rows of the groups, and one row per system with its mean."""
        scale = BLEU.scale if in_percent else 1
        means = self.facts()["mean_of_groups"].items()
        about = {"group": "mean"}
        of_systems = [{**about, "system": name, "metric": BLEU.name, "score": scale * mean} for name, mean in means]
        return [*super().rows(in_percent), *of_systems]

    def columns(self, digits: int = 1) -> list[Column]:
        """Return the table of the groups, with the means below."""
        columns = super().columns(digits)
        means = self.facts()["mean_of_groups"]
        empty = [""] * len(means)
        cells = {
            "group": [f"mean of {amount(len(self), 'group')}", *empty[1:]],
            "system": list(means),
            BLEU.name: [percent(mean, digits) for mean in means.values()],
        }
        best = [row for row, mean in enumerate(means.values()) if mean == max(means.values())]
        bold = {BLEU.name: best}
        return stacked(
            [columns, [one._replace(cells=cells.get(one.head, empty), bold=bold.get(one.head, ())) for one in columns]]
        )

    def notes(self) -> list[str]:
        """Return the notes of the groups, with the signature of each group, because the tokenizers differ."""
        notes = [note for note in super().notes() if not is_signature(note)]
        return [*notes, *(f"{label}: {comparison.signature}" for label, comparison in self.items())]


# --- dialects -------------------------------------------------------------------------------------------------------


class DialectSettings(Result, dict[DialectName, BleuConfig]):
    """The settings of each dialect. Tables show only those that differ from the default dialect's, which has all."""

    def rows(self, in_percent: bool = False) -> list[Row]:
        """Return one row per dialect, with all its settings."""
        return [{"dialect": name, **_settings(config)} for name, config in self.items()]

    def columns(self, digits: int = 1) -> list[Column]:
        """Return a table with one row per dialect."""
        default = _settings(BleuConfig())
        shown = []
        for config in self.values():
            chosen = {option: value for option, value in _settings(config).items() if value is not None}
            differing = {option: value for option, value in chosen.items() if value != default[option]}
            # Nothing differs in the default dialect
            shown.append(", ".join(f"{option}={typed_word(value)}" for option, value in (differing or chosen).items()))
        head = f"settings that differ from those of {DEFAULT}"
        return [Column("dialect", list(self), is_text=True), Column(head, shown, is_text=True)]


def _settings(config: BleuConfig) -> Row:
    return {option: getattr(config, option) for option in OPTIONS}


# --- find -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BestSetting(Result):
    """The setting that fits a number best, with its command, and the number of the others."""

    found: FoundSettings
    files: Sequence[str]
    """The files as they were typed, predictions first."""

    def title(self, digits: int = 1) -> str:
        """Return how many scores fit the number."""
        return self.found.title()

    def notes(self) -> list[str]:
        """Return the command that computes the score, and how to see the other settings."""
        best, *others = self.found.settings
        [first, *_] = self.found.columns()[0].cells
        command = f"bleu-metric score {shlex.join(self.files)} {best.settings}"
        how = f"{best.settings} ({best.texts})" if best.texts else command
        more = [f"--all shows {amount(len(others), 'other setting')}"] * bool(others)
        return [f"{first} {best.fit}: {how}", *more, *self.found.notes()]
