"""Scores for groups of segments, such as documents, systems, domains or ranges of lengths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._bootstrap import Interval, bootstrap, check_resampling
from ._display import amount, brackets, level_text, percent
from ._labels import Label, rows_by_group
from ._score import BleuScore, score_table
from ._statistics import BleuStatistics, check_statistics, require_segments, score
from ._tables import Summary, Table, Tabular


@dataclass(frozen=True, kw_only=True, repr=False)
class GroupScore(BleuScore):
    """The score of a group of segments: a `BleuScore` that also has the group's number of segments.

    >>> from bleu_metric import corpus_bleu
    >>> corpus_bleu(["a b", "c"], ["a b", "c"], groups=["news", "news"], max_order=1)["news"].segments
    2
    """

    segments: int
    """Number of segments in the group."""
    interval: Interval | None = None
    """The bootstrap interval; None if no confidence was passed to `score_groups`, or if the group has one segment."""

    def to_dict(self) -> dict[str, Any]:
        """Return all fields by name, as plain Python values. If there is no interval, the field ``interval`` is absent.

        >>> from bleu_metric import corpus_bleu
        >>> corpus_bleu(["a b", "c"], ["a b", "c"], groups=["news", "news"])["news"].to_dict()["segments"]
        2
        """
        fields = super().to_dict()
        if self.interval is None:
            del fields["interval"]
        else:
            fields["interval"] = self.interval.to_dict()
        return fields

    def _summary(self) -> Summary:
        """Return the parts of the display. The line of a `BleuScore` is followed by the number of segments."""
        summary = super()._summary()
        return summary._replace(line=f"{summary.line}, {amount(self.segments, 'segment')}")

    def _cells(self, digits: int) -> dict[str, str]:
        """Return the row of this score in a table of groups: heading -> cell.

        The segments come first, then the score, the interval if there is one, and the other cells of a `BleuScore`.
        """
        cells = super()._cells(digits)
        first_cells = {"segments": f"{self.segments:,}", "BLEU": cells["BLEU"]}
        if self.interval is not None:
            heading = f"{level_text(self.interval.confidence)} interval"
            first_cells[heading] = brackets(self.interval.low, self.interval.high, digits)
        return first_cells | cells  # "BLEU" keeps its position in `first_cells`


class GroupScores(Tabular, dict[Label, GroupScore]):
    """The scores of groups: a dict of label -> score. ``print`` shows them as a table, in percent.

    >>> from bleu_metric import corpus_bleu
    >>> scores = corpus_bleu(["a b", "c", "d"], ["a b", "c", "e"], groups=["news", "news", "chat"], max_order=1)
    >>> scores
    <GroupScores news 100.0, chat 0.0>
    >>> print(scores)  # doctest: +ELLIPSIS
    BLEU of 2 groups, 3 segments
      group  segments   BLEU  precisions  penalty  ratio
      news          2  100.0  100.0         1.000  1.000
      chat          1    0.0  0.0           1.000  1.000
      nrefs:1|tok:13a|case:mixed|order:1|...
    """

    def _table(self, digits: int) -> Table:
        return score_table(self, "group", digits)

    def _summary(self) -> Summary:
        """Return the parts of the display: the scores on one line, and the table with the signatures below."""
        scores = [f"{label} {percent(group.bleu)}" for label, group in self.items()]
        n_segments = sum(group.segments for group in self.values())
        # An interval's signature also has the settings of the resampling
        signatures = {(group.interval or group).signature for group in self.values()}
        return Summary(
            line=", ".join(scores),
            headline=f"BLEU of {amount(len(self), 'group')}, {amount(n_segments, 'segment')}",
            notes=sorted(signatures),
            table=self._table(digits=1),
        )


def score_groups(
    statistics: BleuStatistics,
    groups: Any,
    confidence: float | None = None,
    n_resamples: int = 1000,
    seed: int = 12345,
) -> GroupScores:
    """Score each group of segments as a corpus of its own.

    Args:
        statistics: one row per segment, from `corpus_statistics`.
        groups: a list, array or column with one label per segment. A label is a string or an integer.
        confidence: compute an interval for each group of at least two segments, as `bootstrap` does. 0.95 means a 95 %
            interval; None means no intervals.
        n_resamples: number of resamples, as for `bootstrap`.
        seed: seed of the resamples, as for `bootstrap`.

    Returns:
        A dict of label -> score, in the order in which the labels first occur. In each signature, ``nrefs``
        (references per segment) describes the whole corpus.

    Raises:
        TypeError: a label is missing or has a wrong type.
        ValueError: the number of labels is wrong, a label does not fit into 64 bits or is not UTF-8, the statistics
            are a sum instead of one row per segment, or `bootstrap` would reject the settings of the resampling.

    >>> from bleu_metric import corpus_statistics
    >>> statistics = corpus_statistics(["a b", "a c", "b c"], ["a b", "a b", "b c"], max_order=1)
    >>> scores = score_groups(statistics, ["news", "chat", "news"])
    >>> {label: (score.bleu, score.segments) for label, score in scores.items()}
    {'news': (1.0, 2), 'chat': (0.5, 1)}
    """
    check_statistics("statistics", statistics)
    require_segments(statistics, "group segments")
    if confidence is not None:
        check_resampling(n_resamples, seed, confidence)

    scores = GroupScores()
    for label, rows in rows_by_group(groups, len(statistics)).items():
        group = statistics[rows]
        n_segments = len(group)
        interval = None
        if confidence is not None and n_segments > 1:
            interval = bootstrap(group, n_resamples, seed, confidence)
        fields = vars(score(group))
        scores[label] = GroupScore(**fields, segments=n_segments, interval=interval)
    return scores
