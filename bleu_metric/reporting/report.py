"""A report about one system or several as one HTML file that loads nothing: scores, pictures, sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._config import BleuConfig, BleuOptions, fit_to_kind
from .._corpus import Corpus
from .._counting import count_corpus
from .._dialects import Dialect, config_of
from .._display import segments_note
from .._score import BleuScore
from .._smoothing import SMOOTHINGS
from .._statistics import BleuStatistics, score_sentences
from .._storage import write_atomically
from .._validation import Ints, check_count
from .._zero_score import warn_of_zero
from ..comparison.ranking import Ranking
from ..comparison.systems import corpora_of_systems, join_systems
from . import html
from .html import Section
from .panels import PlotData, page_panels
from .plots import panel_figure, plot_data, to_svg
from .sentences import matched_shares, read_sentences

if TYPE_CHECKING:
    from typing_extensions import Unpack

Files = Mapping[str, Sequence[str]]  # what they hold -> their names


def report(
    path: str | Path,
    predictions: Any,
    references: Any,
    dialect: Dialect = "default",
    *,
    title: str | None = None,
    shown: int = 5000,
    confidence: float = 0.95,
    **options: Unpack[BleuOptions],
) -> None:
    """Write one self-contained HTML file: scores in percent, intervals, pictures, sentences with matched n-grams.

    A summary comes first, the systems in order of their scores. Sentences can be searched, filtered and ordered. If
    there are several systems and several segments, `paired_bootstrap` compares each system with the first one.

    Args:
        path: where to write the file. An existing file is replaced once the new one is complete.
        predictions: as for `corpus_bleu`; or a mapping of names to the predictions of several systems.
        references: as for `corpus_bleu`; all systems share them.
        dialect: name in `DIALECTS`, `BleuConfig` or signature.
        title: heading of the report.
        shown: most segments in the list of sentences, at least 2. If there are more, it has those with the highest
            and those with the lowest scores.
        confidence: level of the bootstrap intervals, between 0 and 1.
        **options: override the dialect's settings; several lists of weights are refused.

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
    dialect: Dialect,
    title: str | None,
    shown: int = 5000,
    confidence: float = 0.95,
    files: Files | None = None,
    **options: Unpack[BleuOptions],
) -> tuple[dict[str, BleuScore], BleuConfig]:
    """Write the file as `report` does, without a warning; give the score of each system and how it was counted.

    `files`: names of files for the report's list of what was scored, by what they hold.
    """
    shown = check_count("shown", shown, 2)
    missing = [name for name in ("Jinja2", "matplotlib") if find_spec(name.lower()) is None]
    if missing:
        raise ImportError(f'a report needs {" and ".join(missing)}: pip install "bleu_metric[report]"')
    systems = predictions if isinstance(predictions, Mapping) else {"": predictions}
    corpora, statistics = _count_systems(systems, references, config_of(dialect, options))
    data = plot_data(statistics, confidence)
    ranking = data.ranking
    in_order = {system.name: system.score for system in ranking.systems}
    scores = {name: in_order[name] for name in statistics}
    counted_by = next(iter(statistics.values())).config
    has_table = len(scores) > 1  # the panel of a single score has its parts
    sections = [
        _summary(ranking, html.zero_notes(scores, counted_by)),
        _distributions(data),
        *([Section("parts", "Parts of the scores", html.part_table(in_order))] if has_table else []),
        _sentences(corpora, statistics, shown),
        _settings(ranking, statistics, dialect, files or {}),
    ]
    page = html.report_page(title=title or "BLEU report", subtitle=_subtitle(statistics), sections=sections)
    write_atomically(path, page.encode())
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
    statistics = count_corpus(joined, [fit_to_kind(config, joined.layout.kind)])
    return corpora, dict(zip(systems, statistics, strict=True))


def _now() -> datetime:
    return datetime.now(timezone.utc)


def _subtitle(statistics: Mapping[str, BleuStatistics]) -> str:
    """Say how much was scored, and when."""
    first, *others = statistics.values()
    parts = [segments_note(len(first)), f"{_now():%Y-%m-%d}"]
    return " · ".join([f"{len(statistics)} systems", *parts] if others else parts)


def _summary(ranking: Ranking, notes: Sequence[str]) -> Section:
    """Show one score and its parts, or all systems in order."""
    first, *others = ranking.systems
    if others:
        return Section("summary", "Systems", html.system_summary(ranking, notes))
    panel = html.score_panel(first.score, first.name, first.interval)
    return Section("summary", "Score", panel, notes)


def _distributions(data: PlotData) -> Section:
    """Draw what the summary does not show."""
    drawn = []
    for panel in page_panels(data):
        picture = to_svg(panel_figure(data, panel), panel.heading)
        drawn.append((panel.heading, panel.note, picture))
    return Section("distributions", "Where the scores come from", html.pictures(drawn))


def _sentences(corpora: Mapping[str, Corpus], statistics: Mapping[str, BleuStatistics], shown: int) -> Section:
    """Make the list of sentences."""
    rows, notes = _choose_rows(list(statistics.values()), shown)
    sentences = read_sentences(corpora, statistics, rows.tolist())
    systems = list(statistics)
    max_order = statistics[systems[0]].config.max_order
    notes = [*notes, *_zero_scores(statistics)]
    return Section("sentences", "Sentences", html.sentence_list(sentences, systems, max_order), notes)


def _zero_scores(statistics: Mapping[str, BleuStatistics]) -> list[str]:
    """Say how many sentences have a score of 0, and what tells them apart."""
    zeros = sum(int((score_sentences(counts) == 0).sum()) for counts in statistics.values())
    if not zeros:
        return []
    config = next(iter(statistics.values())).config
    note = f"Sentence scores of 0: {zeros:,}. Equal scores are ordered by how many of their n-grams match."
    if not SMOOTHINGS[config.smoothing].fills_zeros:
        note += (
            ' A score is 0 where an order has no match; an option such as smoothing="exp" tells such sentences apart.'
        )
    return [note]


def _choose_rows(statistics: list[BleuStatistics], shown: int) -> tuple[Ints, list[str]]:
    """Choose all rows, or those with the highest and the lowest scores if there are more than are shown."""
    segments = len(statistics[0])
    if segments <= shown:
        return np.arange(segments), []
    lowest_first = _rank(statistics)
    low = shown // 2
    high = shown - low
    chosen = np.concatenate([lowest_first[:low], lowest_first[segments - high :]])
    by_mean = ", by their mean score" if len(statistics) > 1 else ""
    note = (
        f"{shown:,} of {segments:,} segments: the {high:,} with the highest and the {low:,} with the lowest "
        f"scores{by_mean}. The {segments - shown:,} between them are left out."
    )
    return np.sort(chosen), [note]


def _rank(statistics: list[BleuStatistics]) -> Ints:
    """Rank the rows from the lowest to the highest mean score; equal ones, often all 0, by their share of matches."""
    scores = np.stack([score_sentences(counts) for counts in statistics])
    return np.lexsort((matched_shares(statistics), scores.mean(axis=0).round(12)))


def _settings(ranking: Ranking, statistics: Mapping[str, BleuStatistics], dialect: Dialect, files: Files) -> Section:
    """List the files, the date, and how the numbers were made."""
    first = next(iter(statistics.values()))
    system = next(system for system in ranking.systems if system.name == ranking.baseline)
    signature = system.score.signature
    facts: list[tuple[str, Sequence[str]]] = [
        *files.items(),
        ("Written", [f"{_now():%Y-%m-%d %H:%M} UTC"]),
        ("Segments", [f"{len(first):,}"]),
        ("Dialect", [str(dialect)]),
    ]
    if ranking.comparison is not None:
        facts.append(("Compared by", [html.isolate_names(ranking.comparison.about(), [ranking.baseline])]))
        signature = ranking.comparison.signature
    elif system.interval is not None:
        facts.append(("Interval", [f"{system.interval.n_resamples:,} resamples, seed {system.interval.seed}"]))
        signature = system.interval.signature
    return Section("settings", "Files and settings", html.settings(facts, {"Signature": signature}))
