"""A report about one system or several as one HTML file that loads nothing: scores, pictures, sentences."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._arrays import Floats, Ints
from .._bleu import fit_config
from .._bootstrap import bootstrap
from .._config import BleuConfig, BleuOptions
from .._corpus import Corpus
from .._counting import count_corpus
from .._dialects import config_of
from .._score import BleuScore, score, score_sentences
from .._smoothing import SMOOTHINGS
from .._statistics import BleuStatistics
from .._storage import write_atomically
from .._validation import check_count
from .._zero_score import warn_of_zero
from ..comparison.paired import paired_bootstrap
from ..comparison.systems import corpora_of_systems, join_systems
from .html import Table, report_page, score_panel, sentence_table, system_table, zero_notes
from .panels import PlotData, panels
from .plots import panel_figure, plot_data, to_svg
from .sentences import read_sentences

if TYPE_CHECKING:
    from typing_extensions import Unpack

_TOP = 10  # sentences in each of the tables of the best, the worst and the most different
_MOST_PANELS = 2  # systems that have a panel each


class Section(NamedTuple):
    """Which sentences a table shows."""

    heading: str
    note: str
    rows: Ints  # counted from 0


def report(
    path: str | Path,
    predictions: Any,
    references: Any,
    dialect: str = "default",
    *,
    title: str | None = None,
    shown: int = 2000,
    confidence: float = 0.95,
    **options: Unpack[BleuOptions],
) -> None:
    """Write one self-contained HTML file: scores in percent, intervals, pictures, sentences with matched n-grams.

    If there are several systems and several segments, `paired_bootstrap` compares each system with the first one.

    Args:
        path: where to write the file. An existing file is replaced once the new one is complete.
        predictions: as for `corpus_bleu`; or a mapping of names to the predictions of several systems.
        references: as for `corpus_bleu`; all systems share them.
        dialect: name in `DIALECTS`.
        title: heading of the report.
        shown: most segments in the table of all sentences, at least 2. If there are more, it shows the best and the
            worst.
        confidence: level of the bootstrap intervals, between 0 and 1.
        **options: override the dialect's choices; several lists of weights are refused.

    Raises:
        ImportError: Jinja2 or matplotlib is not installed.
        TypeError, ValueError: as for `corpus_bleu`. If there are several systems, the error names the system.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report(Path(folder, "report.html"), ["the cat sat on the mat"], ["the cat sat on a mat"], title="Mats")
    ...     "Mats</title>" in Path(folder, "report.html").read_text(encoding="utf-8")
    True
    """
    scores, config = write_report(path, predictions, references, dialect, title, shown, confidence, **options)
    for name, system_score in scores.items():
        if warn_of_zero(system_score, config, name):  # one warning is enough
            break


def write_report(
    path: str | Path,
    predictions: Any,
    references: Any,
    dialect: str,
    title: str | None,
    shown: int = 2000,
    confidence: float = 0.95,
    **options: Unpack[BleuOptions],
) -> tuple[dict[str, BleuScore], BleuConfig]:
    """Write the file as `report` does, without a warning; give the score of each system and how it was counted."""
    shown = check_count("shown", shown, 2)
    systems = predictions if isinstance(predictions, Mapping) else {"": predictions}
    corpora, statistics = _count_systems(systems, references, config_of(dialect, options))
    data = plot_data(statistics)
    scores = {name: score(counts) for name, counts in statistics.items()}
    counted_by = next(iter(statistics.values())).config
    html = report_page(
        title=title or "BLEU report",
        about=[*_about(statistics), *zero_notes(scores, counted_by)],
        scores=_scores(scores, statistics, confidence),
        pictures=_pictures(data),
        tables=_tables(corpora, statistics, shown),
    )
    write_atomically(path, html.encode())
    return scores, counted_by


def _count_systems(
    systems: Mapping[Any, Any], references: Any, config: BleuConfig
) -> tuple[dict[str, Corpus], dict[str, BleuStatistics]]:
    """Read and count all systems; an error names the system that it is about."""
    for name in systems:
        if not isinstance(name, str):
            raise TypeError(f"predictions must map names to predictions, got the name {name!r}")
        if not name and len(systems) > 1:
            raise ValueError("one of several systems has the name ''; give each a name, e.g. {'A': …, 'B': …}")
    corpora = corpora_of_systems(systems, references)
    joined = join_systems(corpora)
    statistics = count_corpus(joined, [fit_config(config, joined)])
    return corpora, dict(zip(systems, statistics, strict=True))


def _about(statistics: Mapping[str, BleuStatistics]) -> list[str]:
    """Say what a reader needs to know before the numbers."""
    first, *others = statistics.values()
    sizes = f"Segments: {len(first):,}"
    if others:
        sizes += f", systems: {len(statistics)}"
    zeros = sum(int((score_sentences(counts) == 0).sum()) for counts in statistics.values())
    if not zeros:
        return [sizes]
    zero_scores = f"Sentence scores of 0: {zeros:,}."
    if not SMOOTHINGS[first.config.smoothing].fills_zeros:
        zero_scores += (
            ' A score is 0 where an order has no match; an option such as smoothing="exp" tells such sentences apart.'
        )
    return [sizes, zero_scores]


def _scores(scores: Mapping[str, BleuScore], statistics: Mapping[str, BleuStatistics], confidence: float) -> list[str]:
    """Make a table of the systems, if there are several, and a panel for each of a few."""
    (first, baseline), *others = statistics.items()
    has_one_segment = len(baseline) == 1  # then there is nothing to resample
    if not others:
        interval = None if has_one_segment else bootstrap(baseline, confidence=confidence)
        return [score_panel(scores[first], first, interval)]
    if has_one_segment:
        return [system_table(scores)]
    comparison = paired_bootstrap(baseline, dict(others), confidence=confidence, baseline_name=first)
    table = system_table(scores, comparison)
    if len(scores) > _MOST_PANELS:
        return [table]
    compared = (comparison.baseline, *comparison.systems)
    panels = [score_panel(scores[system.name], system.name, system.interval) for system in compared]
    return [table, *panels]


def _pictures(data: PlotData) -> list[tuple[str, str]]:
    """Draw the pictures: heading and ``<svg>`` element of each."""
    return [(heading, to_svg(panel_figure(data, draw), heading)) for heading, draw in panels(data).items()]


def _tables(corpora: Mapping[str, Corpus], statistics: Mapping[str, BleuStatistics], shown: int) -> list[Table]:
    """Make the tables of sentences."""
    sections = _sections(statistics, shown)
    rows = np.unique(np.concatenate([section.rows for section in sections])).tolist()
    sentences = dict(zip(rows, read_sentences(corpora, statistics, rows), strict=True))
    systems = list(statistics)
    max_order = statistics[systems[0]].config.max_order
    tables = []
    for section in sections:
        in_section = [sentences[row] for row in section.rows.tolist()]
        tables.append((section.heading, section.note, sentence_table(in_section, systems, max_order)))
    return tables


def _sections(statistics: Mapping[str, BleuStatistics], shown: int) -> list[Section]:
    """Choose which sentences to show under which heading."""
    scores = np.stack([score_sentences(counts) for counts in statistics.values()])
    worst_first = _rank(scores, list(statistics.values()))
    order_note = ", by their mean score" if len(scores) > 1 else ""
    return [
        *_differences(list(statistics), scores),
        *_best_and_worst(worst_first, order_note),
        _all_sentences(worst_first, order_note, shown),
    ]


def _best_and_worst(worst_first: Ints, order_note: str) -> list[Section]:
    segments = len(worst_first)
    rows = min(_TOP, segments // 2)
    if not rows:
        return []
    note = f"{rows} of {segments:,}{order_note}."
    return [
        Section("Best sentences", note, worst_first[::-1][:rows]),
        Section("Worst sentences", note, worst_first[:rows]),
    ]


def _all_sentences(worst_first: Ints, order_note: str, shown: int) -> Section:
    """All sentences, or the best and the worst of them if there are more than are shown."""
    segments = len(worst_first)
    if segments <= shown:
        return Section("All sentences", "", np.arange(segments))
    worst = worst_first[: shown // 2]
    best = worst_first[segments - (shown - len(worst)) :]
    note = (
        f"{shown:,} of {segments:,} segments: the {len(best):,} best and the {len(worst):,} worst{order_note}. "
        f"The {segments - shown:,} between them are left out."
    )
    return Section("Sentences", note, np.sort(np.concatenate([worst, best])))


def _rank(scores: Floats, statistics: list[BleuStatistics]) -> Ints:
    """Rank the rows from the worst to the best mean score; equal scores, often all 0, by their share of matches."""
    matches = np.sum([counts.matches for counts in statistics], axis=(0, 2))
    totals = np.sum([counts.totals for counts in statistics], axis=(0, 2))
    match_shares = matches / np.maximum(totals, 1)
    mean_scores = scores.mean(axis=0).round(12)
    return np.lexsort((match_shares, mean_scores))


def _differences(names: list[str], scores: Floats) -> list[Section]:
    """Choose the sentences where the systems differ most; of two systems, in either direction."""
    if len(names) == 1:
        return []
    if len(names) > 2:
        spread = scores.max(axis=0) - scores.min(axis=0)
        return [Section("Where the systems differ most", "By the range of their scores.", _largest(spread))]
    first, second = names
    gain = scores[1] - scores[0]
    note = "The largest differences."
    sections = [
        Section(f"Where {second} is better than {first}", note, _largest(gain)),
        Section(f"Where {first} is better than {second}", note, _largest(-gain)),
    ]
    return [section for section in sections if len(section.rows)]


def _largest(values: Floats) -> Ints:
    """Find the rows with the largest values above 0, the largest first."""
    rows = np.argsort(-values, kind="stable")[:_TOP]
    return rows[values[rows] > 0]
