"""Write a report about one or more systems: one self-contained HTML file with scores, charts and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np

from .._config import BleuConfig, BleuOptions, fit_to_kind, require_one_score
from .._corpus import Corpus
from .._counting import count_corpus
from .._dialects import Dialect, config_of
from .._display import segments_note
from .._score import BleuScore
from .._smoothing import SMOOTHINGS
from .._statistics import BleuStatistics, score_sentences
from .._storage import write_atomically
from .._validation import Ints, check_count, short_repr
from .._zero_score import warn_of_zero
from ..comparison.ranking import Ranking, rank_systems
from ..comparison.result import MIN_SEGMENTS
from ..comparison.systems import corpora_of_systems, join_systems
from . import html
from .html import Distribution, Section
from .lengths import LengthBucket, bin_scores, score_lengths
from .sentences import matched_shares, read_sentences

Files = Mapping[str, Sequence[str]]  # description of files, e.g. "References" -> their names
_LARGEST = 3  # maximum number of sentences in the note on the largest losses


def report(
    path: str | Path,
    predictions: Any,
    references: Any,
    dialect: Dialect = "default",
    *,
    title: str | None = None,
    source: Any = None,
    shown: int = 5000,
    confidence: float = 0.95,
    digits: int = 1,
    **options: Unpack[BleuOptions],
) -> None:
    """Write one self-contained HTML file with the main result, scores with intervals, charts and sentences.

    The main result comes first, then the systems in order of their scores. In the list of sentences, words that do
    not match are highlighted. The list can be searched, filtered, sorted and saved as CSV. If there are several systems
    and several segments, `paired_bootstrap` compares each system with the first one.

    Args:
        path: where to write the file. An existing file is replaced once the new one is complete.
        predictions: as for `corpus_bleu`; or, for several systems, a mapping from names to predictions.
        references: as for `corpus_bleu`; all systems have the same references.
        dialect: name in `DIALECTS`, `BleuConfig` or signature.
        title: title of the report.
        source: the source texts to show beside the outputs, one for each segment.
        shown: maximum number of segments in the list of sentences, at least 2. If there are more segments, the list
            has those with the highest and the lowest scores.
        confidence: level of the bootstrap intervals, between 0 and 1.
        digits: digits after the decimal point of scores in percent, 1 or 2.
        **options: override the dialect's settings; several lists of weights are refused.

    Raises:
        TypeError, ValueError: as for `corpus_bleu`. If there are several systems, the error names the system.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report(Path(folder, "report.html"), ["the cat sat on the mat"], ["the cat sat on a mat"], title="Mats")
    ...     "Mats</title>" in Path(folder, "report.html").read_text(encoding="utf-8")
    True
    """
    look = Look(title, source, shown, confidence, digits)
    scores, config = write_report(path, predictions, references, dialect, look, **options)
    for name, system_score in scores.items():
        if warn_of_zero(system_score, config, name):  # warn about one system only
            break


class Look(NamedTuple):
    """The options of a report that do not affect the scores; see `report`."""

    title: str | None = None
    source: Any = None
    shown: int = 5000
    confidence: float = 0.95
    digits: int = 1
    files: Files | None = None
    """The scored files, which the page lists."""


def write_report(
    path: str | Path,
    predictions: Any,
    references: Any,
    dialect: Dialect,
    look: Look,
    **options: Unpack[BleuOptions],
) -> tuple[dict[str, BleuScore], BleuConfig]:
    """Write the file as `report` does, but without warnings. Return the score of each system and the configuration."""
    look = look._replace(shown=check_count("shown", look.shown, 2), digits=check_count("digits", look.digits, 1, 2))
    systems = predictions if isinstance(predictions, Mapping) else {"": predictions}
    corpora, statistics = _count_systems(systems, references, config_of(dialect, options))
    counted_by = next(iter(statistics.values())).config
    require_one_score(counted_by, "a report shows")
    source = _read_source(look.source, len(next(iter(statistics.values()))))
    ranking = rank_systems(statistics, look.confidence)
    in_order = {system.name: system.score for system in ranking.systems}
    scores = {name: in_order[name] for name in statistics}
    baseline = list(in_order).index(ranking.baseline)
    buckets = score_lengths([statistics[name] for name in in_order], baseline, look.confidence)
    rows, notes = _choose_rows(list(statistics.values()), look.shown)
    worst = _where_worst_loses(ranking, statistics, buckets, rows)
    sentences = read_sentences(corpora, statistics, rows.tolist(), source)
    sentences_html = html.sentence_list(sentences, list(statistics), counted_by.max_order, look.digits)
    has_table = len(scores) > 1  # if there is one score, the summary already shows its parts
    part_table = html.part_table(in_order, ranking.baseline, look.digits) if has_table else ""
    sections = [
        _summary(ranking, html.zero_notes(scores, counted_by), look.digits, worst),
        _charts(ranking, statistics, buckets, look),
        *([Section("parts", "Parts of the scores", part_table)] if has_table else []),
        Section("sentences", "Sentences", sentences_html, [*notes, *_zero_scores(statistics)]),
        _settings(ranking, statistics, dialect, look.files or {}),
    ]
    found = html.finding(ranking, look.digits)
    page = html.report_page(look.title or "BLEU report", _subtitle(statistics), found, sections)
    write_atomically(path, page.encode())
    return scores, counted_by


def _read_source(source: Any, segments: int) -> list[str] | None:
    """Return the source texts as a list, or None if there are none. Raise an error unless each segment has one text."""
    if source is None:
        return None
    if isinstance(source, str) or not hasattr(source, "__len__"):
        raise TypeError(f"source must be a list of texts, one for each segment; got {short_repr(source)}")
    texts = source.to_pylist() if hasattr(source, "to_pylist") else list(source)
    if len(texts) != segments:
        raise ValueError(f"{len(texts)} source texts but {segments} segments: give one source text for each segment")
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"source[{index}] holds {short_repr(text)} where a text is expected")
    return texts


def _where_worst_loses(
    ranking: Ranking, statistics: Mapping[str, BleuStatistics], buckets: Sequence[LengthBucket], rows: Ints
) -> str:
    """Return a sentence as HTML: in which segments the system with the lowest score loses most to the baseline.

    If the baseline itself has the lowest score, it is compared with the best system. The sentence is empty if there are
    too few segments, or if the two scores are equal.
    """
    best, worst = ranking.systems[0], ranking.systems[-1]
    baseline = next(system for system in ranking.systems if system.name == ranking.baseline)
    other = best if worst.name == ranking.baseline else baseline
    if ranking.comparison is None or ranking.comparison.has_too_few_segments or worst.bleu >= other.bleu:
        return ""
    low, high = (ranking.systems.index(system) for system in (worst, other))
    losses = [
        (bucket.scores[low].value - bucket.scores[high].value, bucket)
        for bucket in buckets
        if bucket.segments >= MIN_SEGMENTS
    ]
    loss, bucket = min(losses, key=itemgetter(0), default=(0.0, None))
    differences = (score_sentences(statistics[worst.name]) - score_sentences(statistics[other.name]))[rows]
    largest = [int(index) for index in np.argsort(differences, kind="stable")[:_LARGEST] if differences[index] < 0]
    return html.worst_note(
        worst.name, other.name, bucket if loss < 0 else None, loss, [int(rows[index]) + 1 for index in largest]
    )


def _count_systems(
    systems: Mapping[Any, Any], references: Any, config: BleuConfig
) -> tuple[dict[str, Corpus], dict[str, BleuStatistics]]:
    """Read and count the outputs of all systems. Return each system's corpus and counts. Errors name the system."""
    for name in systems:
        if not isinstance(name, str):
            raise TypeError(f"predictions must map names to predictions, got the name {name!r}; names must be strings")
        if not name and len(systems) > 1:
            raise ValueError("one of several systems has the name ''; give each a name, e.g. {'A': …, 'B': …}")
    corpora = corpora_of_systems(systems, references)
    joined = join_systems(corpora)
    statistics = count_corpus(joined, [fit_to_kind(config, joined.layout.kind)])
    return corpora, dict(zip(systems, statistics, strict=True))


def _now() -> datetime:
    return datetime.now(UTC)


def _subtitle(statistics: Mapping[str, BleuStatistics]) -> str:
    """Return a line of text: the number of systems (if there are several), the number of segments, and the date."""
    first, *others = statistics.values()
    parts = [segments_note(len(first)), f"{_now():%Y-%m-%d}"]
    return " · ".join([f"{len(statistics)} systems", *parts] if others else parts)


def _summary(ranking: Ranking, notes: Sequence[str], digits: int, worst: str) -> Section:
    """Return the first section: one score and its parts, or several systems in order of their scores."""
    first, *others = ranking.systems
    if others:
        return Section("summary", "Systems", html.system_summary(ranking, notes, digits, worst))
    return Section("summary", "Score", html.score_panel(first.score, digits, has_headline=False), notes)


def _charts(
    ranking: Ranking, statistics: Mapping[str, BleuStatistics], buckets: Sequence[LengthBucket], look: Look
) -> Section:
    """Return the section of charts: scores by reference length, and each system's distribution of sentence scores."""
    names = [system.name for system in ranking.systems]
    distributions = []
    for name in names:
        scores = score_sentences(statistics[name])
        percents = bin_scores(scores).tolist()
        distributions.append(Distribution(float(np.median(scores)), int((scores == 0).sum()), percents))
    drawn = html.charts(names, names.index(ranking.baseline), buckets, distributions, look.confidence, look.digits)
    return Section("distributions", "Where the scores come from", drawn)


def _zero_scores(statistics: Mapping[str, BleuStatistics]) -> list[str]:
    """Return a list with one note: how many sentence scores are 0. If no score is 0, the list is empty."""
    zeros = sum(int((score_sentences(counts) == 0).sum()) for counts in statistics.values())
    if not zeros:
        return []
    config = next(iter(statistics.values())).config
    note = f"Sentence scores of 0: {zeros:,}. Equal scores are ordered by the share of their n-grams that match."
    if not SMOOTHINGS[config.smoothing].fills_zeros:
        note += (
            ' A score is 0 if an n-gram order has no match; an option such as smoothing="exp" separates such sentences.'
        )
    return [note]


def _choose_rows(statistics: list[BleuStatistics], shown: int) -> tuple[Ints, list[str]]:
    """Return the indices of the segments to list, and a list of notes.

    If there are more than `shown` segments, those with the highest and the lowest scores are listed, and a note says
    how many are left out. Otherwise all segments are listed, and there is no note.
    """
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
    """Return the indices of the segments, from the lowest mean score of the systems to the highest.

    Segments with equal scores, often 0, are ordered by their share of matched n-grams.
    """
    scores = np.stack([score_sentences(counts) for counts in statistics])
    return np.lexsort((matched_shares(statistics), scores.mean(axis=0).round(12)))


def _settings(ranking: Ranking, statistics: Mapping[str, BleuStatistics], dialect: Dialect, files: Files) -> Section:
    """Return the section that lists the files, the date and the settings of the scores."""
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
