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
from .._dialects import DEFAULT, Dialect, config_of
from .._display import segments_note
from .._labels import factorize_labels
from .._smoothing import SMOOTHINGS
from .._statistics import BleuStatistics, score_sentences
from .._storage import check_target, write_atomically
from .._text_warnings import warn_of_scores
from .._validation import Ints, check_count, short_repr
from ..comparison.ranking import Ranking, rank_systems
from ..comparison.result import MIN_SEGMENTS, about_test
from ..comparison.systems import corpora_of_systems, join_systems
from . import html
from .html import Distribution, Section, Shown
from .lengths import Bucket, bin_scores, score_buckets, score_lengths
from .sentences import Sentence, corpus_effects, read_sentences

Files = Mapping[str, Sequence[str]]  # description of files, e.g. "References" -> their names
_LARGEST = 3  # maximum number of sentences in the note on the largest losses
_MOST_GROUPS = 200  # maximum number of rows in the table of groups


def report(
    path: str | Path,
    predictions: Any,
    references: Any,
    dialect: Dialect = DEFAULT,
    *,
    title: str | None = None,
    source: Any = None,
    groups: Any = None,
    max_sentences: int = 5000,
    confidence: float = 0.95,
    digits: int = 1,
    **options: Unpack[BleuOptions],
) -> None:
    """Write one self-contained HTML file with the main result, scores with intervals, charts and sentences.

    The main result comes first, then the systems in order of their scores. If there are several systems and several
    segments, `paired_bootstrap` compares each system with the first one.

    In the list of sentences, words that do not match are highlighted. The list can be searched, filtered, sorted and
    saved as CSV. It begins with the sentences that have the largest effects. The effect of a sentence is the corpus
    score minus the score of the corpus without the sentence. With several systems, it is the difference from the first
    system minus this difference without the sentence.

    Args:
        path: where to write the file. An existing file is replaced once the new one is complete.
        predictions: as for `corpus_bleu`; or, for several systems, a mapping from names to predictions.
        references: as for `corpus_bleu`; all systems have the same references.
        dialect: name in `DIALECTS`, `BleuConfig` or signature.
        title: title of the report.
        source: the source texts to show beside the outputs, one for each segment.
        groups: one label per segment, as for `corpus_bleu`. The report then shows each system's score in each group.
        max_sentences: maximum number of segments in the list of sentences, at least 1. If there are more segments, the
            list has those with the largest effects.
        confidence: level of the bootstrap intervals, between 0 and 1.
        digits: digits after the decimal point of scores in percent, 1 or 2.
        **options: override the dialect's settings; several lists of weights are rejected.

    Raises:
        OSError: the file cannot be written, for example because a write-protected file has its name.
        TypeError, ValueError: as for `corpus_bleu`. If there are several systems, the error names the system.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report(Path(folder, "report.html"), ["the cat sat on the mat"], ["the cat sat on a mat"], title="Mats")
    ...     "Mats</title>" in Path(folder, "report.html").read_text(encoding="utf-8")
    True
    """
    look = Look(title, source, groups, max_sentences, confidence, digits)
    write_report(path, predictions, references, dialect, look, **options)


class Look(NamedTuple):
    """The options of a report that do not affect the scores; see `report`."""

    title: str | None = None
    source: Any = None
    groups: Any = None
    max_sentences: int = 5000
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
) -> None:
    """Write the file as `report` does."""
    look = look._replace(
        max_sentences=check_count("max_sentences", look.max_sentences, 1),
        digits=check_count("digits", look.digits, 1, 2),
    )
    check_target(path)
    systems = predictions if isinstance(predictions, Mapping) else {"": predictions}
    corpora, statistics = _count_systems(systems, references, config_of(dialect, options))
    config = next(iter(statistics.values())).config
    require_one_score(config, "a report shows")
    ranking = rank_systems(statistics, look.confidence)
    page = _page(corpora, statistics, ranking, str(dialect), look)
    write_atomically(path, page.encode())
    scores = {system.name: system.score for system in ranking.systems}
    warn_of_scores(corpora, [config], {name: scores[name] for name in statistics})


def _page(
    corpora: Mapping[str, Corpus],
    statistics: Mapping[str, BleuStatistics],
    ranking: Ranking,
    dialect: str,
    look: Look,
) -> str:
    """Return the page as HTML."""
    first = next(iter(statistics.values()))
    source = _read_source(look.source, len(first))
    best_first = [statistics[name] for name in ranking.names]
    shown = Shown(ranking.names, ranking.names.index(ranking.baseline), look.confidence, look.digits)
    buckets = score_lengths(best_first, shown.baseline, look.confidence)
    rows, notes = _choose_rows(list(statistics.values()), look.max_sentences)
    sentences = read_sentences(corpora, statistics, rows.tolist(), source)
    sentences_html = html.sentence_list(sentences, list(statistics), first.config.max_order, look.digits)
    worst = _where_worst_loses(ranking, list(statistics), buckets, sentences)
    sections = [
        _summary(ranking, first.config, look.digits, worst),
        *_groups(best_first, look.groups, shown),
        _charts(best_first, buckets, shown),
        *_parts(ranking, look.digits),
        Section("sentences", "Sentences", sentences_html, [*notes, *_zero_scores(best_first)]),
        _settings(ranking, len(first), dialect, look.files or {}),
    ]
    title = look.title or "BLEU report"
    found = html.finding(ranking, look.digits)
    return html.report_page(title, _subtitle(len(statistics), len(first)), found, sections)


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
    ranking: Ranking, names: Sequence[str], buckets: Sequence[Bucket], sentences: Sequence[Sentence]
) -> str:
    """Return a sentence as HTML: in which segments the system with the lowest score loses most to the baseline.

    If the baseline itself has the lowest score, it is compared with the best system. The sentence is empty if there are
    too few segments, or if the two scores are equal. `names`: the systems in the order of the sentences' effects.
    """
    best, worst = ranking.systems[0], ranking.systems[-1]
    other = ranking.baseline_system
    if other is worst:
        other = best
    if ranking.comparison is None or ranking.comparison.has_too_few_segments or worst.bleu >= other.bleu:
        return ""
    loss, bucket = _largest_loss(buckets, ranking.names.index(worst.name), ranking.names.index(other.name))
    numbers = _largest_losses(sentences, names.index(worst.name), names.index(other.name))
    return html.worst_note(worst.name, other.name, bucket, loss, numbers)


def _largest_loss(buckets: Sequence[Bucket], system: int, other: int) -> tuple[float, Bucket | None]:
    """Return the largest loss of a system to another system in a bucket, and this bucket; (0, None) without a loss.

    Buckets with few segments are left out.
    """
    losses: list[tuple[float, Bucket | None]] = [(0.0, None)]
    for bucket in buckets:
        if bucket.segments >= MIN_SEGMENTS:
            difference = bucket.scores[system].value - bucket.scores[other].value
            losses.append((difference, bucket))
    return min(losses, key=itemgetter(0))


def _largest_losses(sentences: Sequence[Sentence], system: int, other: int) -> list[int]:
    """Return the numbers of the sentences that lower the difference between two systems most, at most `_LARGEST`."""
    losses = []
    for sentence in sentences:
        effect = sentence.effects[system] - sentence.effects[other]
        if effect < 0:
            losses.append((effect, sentence.number))
    return [number for _, number in sorted(losses)[:_LARGEST]]


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


def _subtitle(systems: int, segments: int) -> str:
    """Return a line of text: the number of systems (if there are several), the number of segments, and the date."""
    parts = [segments_note(segments), f"{_now():%Y-%m-%d}"]
    if systems > 1:
        parts.insert(0, f"{systems} systems")
    return " · ".join(parts)


def _summary(ranking: Ranking, config: BleuConfig, digits: int, worst: str) -> Section:
    """Return the first section: one score and its parts, or several systems in order of their scores."""
    notes = html.zero_notes({system.name: system.score for system in ranking.systems}, config)
    first, *others = ranking.systems
    if others:
        return Section("summary", "Systems", html.system_summary(ranking, notes, digits, worst))
    return Section("summary", "Score", html.score_panel(first.score, digits, has_headline=False), notes)


def _groups(counts: Sequence[BleuStatistics], groups: Any, shown: Shown) -> list[Section]:
    """Return a list with the section of the groups' scores. If there are no groups, the list is empty."""
    if groups is None:
        return []
    labels, group_of_segment = factorize_labels(groups, len(counts[0]))
    notes = []
    if len(labels) > _MOST_GROUPS:
        sizes = np.bincount(group_of_segment)
        largest = np.argsort(-sizes, kind="stable")[:_MOST_GROUPS]
        is_shown = np.isin(group_of_segment, largest)
        counts = [of_system[is_shown] for of_system in counts]
        group_of_segment = group_of_segment[is_shown]
        notes = [f"The {_MOST_GROUPS} largest of {len(labels):,} groups."]
    scored = score_buckets(counts, group_of_segment, list(map(str, labels)), shown.baseline, shown.confidence)
    return [Section("groups", "Groups", html.group_table(scored, shown), notes)]


def _charts(statistics: Sequence[BleuStatistics], buckets: Sequence[Bucket], shown: Shown) -> Section:
    """Return the section of charts: scores by reference length, and each system's distribution of sentence scores."""
    distributions = []
    for counts in statistics:
        scores = score_sentences(counts)
        percents = bin_scores(scores).tolist()
        zeros = int((scores == 0).sum())
        distributions.append(Distribution(float(np.median(scores)), zeros, percents))
    return Section("distributions", "Where the scores come from", html.charts(buckets, distributions, shown))


def _parts(ranking: Ranking, digits: int) -> list[Section]:
    """Return a list with the table of the scores' parts. For one score it is empty: the summary shows the parts."""
    if len(ranking.systems) == 1:
        return []
    scores = {system.name: system.score for system in ranking.systems}
    return [Section("parts", "Parts of the scores", html.part_table(scores, ranking.baseline, digits))]


def _zero_scores(statistics: Sequence[BleuStatistics]) -> list[str]:
    """Return a list with one note: how many sentence scores are 0. If no score is 0, the list is empty."""
    zeros = sum(int((score_sentences(counts) == 0).sum()) for counts in statistics)
    if not zeros:
        return []
    note = f"Sentence scores of 0: {zeros:,}. Equal scores are ordered by their effects."
    if not SMOOTHINGS[statistics[0].config.smoothing].fills_zeros:
        note += (
            ' A score is 0 if an n-gram order has no match; an option such as smoothing="exp" separates such sentences.'
        )
    return [note]


def _choose_rows(statistics: Sequence[BleuStatistics], most: int) -> tuple[Ints, list[str]]:
    """Return the indices of the segments to list, and a list of notes.

    If there are more than `most` segments, those with the largest effects are listed, and a note says how many are left
    out. Otherwise all segments are listed, and there is no note.
    """
    segments = len(statistics[0])
    if segments <= most:
        return np.arange(segments), []
    first, *others = (corpus_effects(counts) for counts in statistics)
    effects = [effect - first for effect in others] or [first]
    largest = np.abs(effects).max(axis=0)
    chosen = np.argsort(-largest, kind="stable")[:most]
    changed = "differences" if others else "score"
    note = (
        f"{most:,} of {segments:,} segments: those with the largest effects on the {changed}. "
        f"The other {segments - most:,} are left out."
    )
    return np.sort(chosen), [note]


def _settings(ranking: Ranking, segments: int, dialect: str, files: Files) -> Section:
    """Return the section that lists the files, the date and the settings of the scores."""
    baseline = ranking.baseline_system
    signature = baseline.score.signature
    facts: list[tuple[str, Sequence[str]]] = [
        *files.items(),
        ("Written", [f"{_now():%Y-%m-%d %H:%M} UTC"]),
        ("Segments", [f"{segments:,}"]),
        ("Dialect", [dialect]),
    ]
    if ranking.comparison is not None:
        facts.append(("Compared by", [html.isolate_names(about_test(ranking.comparison), [ranking.baseline])]))
        signature = ranking.comparison.signature
    elif baseline.interval is not None:
        resampling = f"{baseline.interval.n_resamples:,} resamples, seed {baseline.interval.seed}"
        facts.append(("Interval", [resampling]))
        signature = baseline.interval.signature
    return Section("settings", "Files and settings", html.settings(facts, {"Signature": signature}))
