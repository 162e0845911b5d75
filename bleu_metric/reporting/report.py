"""Write a report about one or more systems: one self-contained HTML file with scores, charts and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from .._advice import Advice, advise
from .._config import DEFAULT, BleuConfig, BleuOptions, Dialect
from .._corpus import Corpus, as_rows, check_texts, rows_by_group
from .._display import amount
from .._files import check_target, write_atomically
from .._names import TestName
from .._statistics import BleuStatistics, score
from .._validation import check_count, row_of
from ..comparison.checks import statistics_by_metric
from ..comparison.paired import Scored, compare_all_pairs
from ..comparison.result import Comparison
from ..comparison.sacrebleu_metrics import check_metric_names
from ..comparison.systems import Metrics, corpora_of_systems, count_metrics, count_systems
from .html import page_file, render
from .lengths import compare_in_groups, compare_lengths
from .sentences import corpus_effects, read_sentences

_MOST_GROUPS = 200  # maximum number of groups in the table of groups
_MOST_IN_ORDER = 20  # more groups are sorted: those with significant differences come first


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
    baseline: str | None = None,
    test: TestName = "bootstrap",
    n_resamples: int | None = None,
    seed: int = 12345,
    confidence: float = 0.95,
    digits: int = 1,
    metrics: Metrics = (),
    jobs: int = 1,
    segment_scores: Mapping[str, Mapping[str, Scored]] | None = None,
    files: Mapping[str, Sequence[str]] | None = None,
    **options: Unpack[BleuOptions],
) -> None:
    """Write one self-contained HTML file with the main result, scores with intervals, charts and sentences.

    The main result comes first: which system is the best, or which systems are not significantly different. If there
    are several systems and several segments, a paired test compares all pairs. The systems follow in descending order
    of scores, each with its difference from the best one or from `baseline`. The report lists likely mistakes in the
    texts, which are also warnings.

    In the list of sentences, words that do not match are highlighted. Readers can search, filter and sort the list, and
    save it as CSV. The list begins with the sentences that have the largest effects or, for one system, those that
    lower its score most. The effect of a sentence is the corpus score minus the score of the corpus without the
    sentence. For several systems, the difference from the best system or `baseline` replaces the corpus score.

    Args:
        path: the file to write. An existing file is replaced only after the new one is complete.
        predictions: as for `corpus_bleu`. For several systems, pass a mapping from names to predictions.
        references: as for `corpus_bleu`; all systems have the same references.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        title: title of the report.
        source: the source texts to show with the outputs, one for each segment.
        groups: one label per segment, as for `corpus_bleu`. The report then shows each system's score in each group,
            and the list of sentences can be filtered by group.
        max_sentences: maximum number of segments in the list of sentences, at least 1. If there are more, the list has
            the segments with the largest effects.
        baseline: the name of the system from which differences are computed. By default the one with the best BLEU.
        test: "bootstrap", "approximate-randomization" or "none". With "none", there are neither tests nor intervals.
        n_resamples: number of resamples, as for `paired_bootstrap`.
        seed: seed of the random numbers.
        confidence: confidence level of the intervals and tests, between 0 and 1.
        digits: digits after the decimal point of scores in percent, 1 or 2.
        metrics: metrics to show beside BLEU, as for `system_statistics`.
        jobs: the number of processes that count chrF and TER, as for `system_statistics`.
        segment_scores: scores of further metrics. For each metric, a dict from names to lists of one number per
            segment, where higher is better. For a single system, the name is "".
        files: the scored files to list, as a mapping from descriptions to names: ``{"References": ["ref.txt"]}``.
        **options: override the dialect's settings.

    Raises:
        OSError: the file cannot be written, e.g. because it exists and is write-protected.
        TypeError, ValueError: for the same reasons as `corpus_bleu`. If there are several systems, the message names
            the system.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report(Path(folder, "report.html"), ["the cat sat on the mat"], ["the cat sat on a mat"], title="Mats")
    ...     "Mats</title>" in Path(folder, "report.html").read_text(encoding="utf-8")
    True
    """
    max_sentences = check_count("max_sentences", max_sentences, 1)
    digits = check_count("digits", digits, 1, 2)
    check_target(path)
    systems = predictions if isinstance(predictions, Mapping) else {"": predictions}
    if "" in systems and len(systems) > 1:
        raise ValueError("one of several systems has the name ''; give each a name, e.g. {'A': …, 'B': …}")

    corpora = corpora_of_systems(systems, references)
    statistics, config = count_systems(corpora, dialect, options)
    n_segments = len(next(iter(statistics.values())))
    sources = None if source is None else _read_source(source, n_segments)

    settings: dict[str, Any] = {"test": test, "n_resamples": n_resamples, "seed": seed, "confidence": confidence}
    beside_bleu = {name: chosen for name, chosen in check_metric_names(metrics).items() if name != "bleu"}
    counted = count_metrics(corpora, beside_bleu, config, {}, jobs)
    comparison = compare_all_pairs(statistics, baseline=baseline, **settings)
    # The baseline comes first, then the others from best to worst, also in the list of sentences
    ranked = [system.name for system in comparison.ranked]
    names = sorted(ranked, key=lambda name: name != comparison.baseline.name)
    corpora, statistics = {name: corpora[name] for name in names}, {name: statistics[name] for name in names}
    rows_of_groups = {} if groups is None else rows_by_group(groups, n_segments)
    group_of_segment = np.full(n_segments, -1)
    for index, rows_of_group in enumerate(rows_of_groups.values()):
        group_of_segment[rows_of_group] = index
    notes = advise(corpora, [config], {name: score(counts) for name, counts in statistics.items()})
    sentences = read_sentences(
        corpora,
        statistics,
        _segments_with_largest_effects(list(statistics.values()), max_sentences),
        sources,
        group_of_segment.tolist(),
    )
    of_all = {"baseline": names[0], **settings}
    lengths = compare_lengths(statistics, **settings)
    # All groups count in the correction of p-values, as in `compare_groups`
    by_group = _largest(compare_in_groups(statistics, rows_of_groups, **settings))
    in_parts = {f"in the group {label}": part for label, part in by_group.items()}
    in_parts |= {f"in segments of {label} reference tokens": part for label, part in lengths.items()}
    page = render(
        "report",
        title=title or "BLEU report",
        now=datetime.now(UTC),
        dialect=str(dialect),
        files=files or {},
        config=config,
        digits=digits,
        comparison=comparison,
        others=_compare_others(statistics, counted, segment_scores or {}, of_all),
        notes=notes,
        mended=_compare_mended(notes, corpora, config, of_all),
        lengths=lengths,
        groups=by_group,
        parts=in_parts,
        are_sorted=len(by_group) > _MOST_IN_ORDER and comparison.is_tested,
        group_names=list(map(str, rows_of_groups)),
        sentences=sentences,
        system_names=list(statistics),
        style=page_file("style.css"),
        script=page_file("script.js"),
    )
    write_atomically(path, page.encode())


def _compare_mended(
    notes: Sequence[Advice], corpora: Mapping[str, Corpus], config: BleuConfig, settings: Mapping[str, Any]
) -> Comparison | None:
    """Compare the systems without those mistakes that a program can mend. Return None if there is no such mistake."""
    findings = [advice.finding for advice in notes if advice.finding.is_mendable]
    if not findings:
        return None
    systems = {name: corpus.predictions[:] for name, corpus in corpora.items()}
    references = next(iter(corpora.values())).references[:]  # the same for all systems
    options: Any = {}
    for finding in findings:
        systems = {name: finding.mend(texts) for name, texts in systems.items()}
        references = finding.mend(references)
        options |= finding.options
    counted, _ = count_systems(corpora_of_systems(systems, references), config, options)
    return compare_all_pairs(counted, **settings)


def _compare_others(
    statistics: Mapping[str, BleuStatistics],
    counted: Mapping[str, Mapping[str, Any]],
    segment_scores: Mapping[str, Mapping[str, Scored]],
    settings: Mapping[str, Any],
) -> dict[str, Comparison]:
    """Compare all pairs of systems in each metric except BLEU.

    `statistics`: counts of BLEU. `counted`: counts of chrF and TER. `settings`: arguments of `compare_all_pairs`.
    """
    for metric in segment_scores:
        if metric in ("BLEU", *counted):
            raise ValueError(f"segment_scores has the name {metric!r}, which another metric of the report has")
    by_metric = statistics_by_metric({"BLEU": statistics, **counted, **segment_scores})

    del by_metric["BLEU"]
    return {
        metric: compare_all_pairs({name: systems[name] for name in statistics}, **settings)
        for metric, systems in by_metric.items()
    }


def _read_source(source: Any, n_segments: int) -> Sequence[str]:
    """Return the source texts as a sequence. Raise an error if there is not one string per segment."""
    rows = as_rows(source, "source")
    if len(rows) != n_segments:
        raise ValueError(
            f"{amount(len(rows), 'source text')} but {amount(n_segments, 'segment')}: give one per segment"
        )
    name_row = partial(row_of, "source")
    return check_texts(rows[:], "text", name_row)


def _largest(groups: Mapping[Any, Comparison]) -> dict[Any, Comparison]:
    """Return the `_MOST_GROUPS` largest groups, in the order of `groups`; of many, those with differences first."""
    largest = set(sorted(groups, key=lambda label: groups[label].segments, reverse=True)[:_MOST_GROUPS])
    labels = [label for label in groups if label in largest]
    if len(labels) > _MOST_IN_ORDER:
        labels.sort(key=lambda label: not any(map(groups[label].is_significant, groups[label].systems)))
    return {label: groups[label] for label in labels}


def _segments_with_largest_effects(statistics: Sequence[BleuStatistics], max_segments: int) -> list[int]:
    """Return the indices, in ascending order, of at most `max_segments` segments: those with the largest effects.

    For one system, `corpus_effects` returns the effects. For several systems, a segment's effect is the largest
    absolute effect on a difference from the first system, the baseline.
    """
    n_segments = len(statistics[0])
    if n_segments <= max_segments:
        return list(range(n_segments))

    effects = np.array([corpus_effects(counts) for counts in statistics])  # shape (systems, segments)
    if len(statistics) > 1:
        # The effects on the differences from the first system
        effects = effects[1:] - effects[0]

    largest_of_segment = np.abs(effects).max(axis=0)
    descending = np.argsort(-largest_of_segment, kind="stable")
    return sorted(descending[:max_segments].tolist())
