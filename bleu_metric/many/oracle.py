"""Oracle BLEU: the score of the best candidates from n-best lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Unpack

import numpy as np

from .._config import BleuConfig, BleuOptions, fit_to_kind, require_one_score
from .._counting import SegmentCounts, apply_config
from .._counts import counts_by_name
from .._dialects import Dialect, config_of
from .._formula import score_tables
from .._score import BleuScore
from .._statistics import BleuStatistics, check_statistics, merge_statistics, require_segments, score, score_sentences
from .._validation import Floats, Ints, check_type
from .ngrams import common, grams_by_order, on_both_sides
from .texts import Segments, as_batch, as_references, in_chunks, tokenize_segments

_PURPOSE = "candidates are chosen by"


@dataclass(frozen=True)
class OracleResult:
    """The best, the worst and the mean score of n-best lists, on a scale of 0 to 1.

    >>> oracle_bleu([["a b c d", "a b x d"], ["e f", "g h"]], ["a b c d", "e f"], max_order=2)  # doctest: +ELLIPSIS
    OracleResult(best=1.0, mean=0.6847, worst=0.3536, 2 segments, signature='oracle:sentence|nrefs:1|tok:13a|...')
    """

    best: BleuScore
    """Corpus score of the lists' best candidates."""
    worst: BleuScore
    """Corpus score of the lists' worst candidates."""
    mean: float
    """Score of a random choice from each list: the corpus score of the lists' mean counts. With ``average="sentence"``,
    it is the mean of the lists' mean sentence scores."""
    best_index: Ints
    """Index of each list's best candidate, shape (segments,). In a tie, it is the first of the best candidates."""
    worst_index: Ints
    """Index of each list's worst candidate, shape (segments,). In a tie, it is the first of the worst candidates."""
    scores: list[Floats] = field(repr=False)
    """Sentence scores of all candidates, one array per list."""
    signature: str
    """Every setting of the scores. ``oracle:sentence`` means that candidates are chosen by their sentence scores."""

    def __repr__(self) -> str:
        """Return the best, the mean and the worst score as text."""
        scores = f"best={self.best.bleu:.4}, mean={self.mean:.4}, worst={self.worst.bleu:.4}"
        return f"OracleResult({scores}, {len(self.scores)} segments, signature={self.signature!r})"


def oracle_bleu(
    nbest: Any, references: Any, dialect: Dialect = "sacrebleu", **options: Unpack[BleuOptions]
) -> OracleResult:
    """Choose the best candidate of each list by its sentence score, and score these candidates as a corpus.

    The choice from one list does not depend on the other lists. Therefore another choice can have a slightly higher
    corpus score.

    Args:
        nbest: one list of candidates per segment, of any sizes. A candidate is a text, or a list of tokens or of token
            ids.
        references: one or more references per segment.
        dialect: name in `DIALECTS`, `BleuConfig` or signature.
        **options: override the dialect's settings: any field of `BleuConfig`.

    Returns:
        The corpus scores of the best and of the worst candidates, their indices, the score of a random choice, and all
            sentence scores.

    Raises:
        TypeError: a text or an option has the wrong type.
        ValueError: a list is empty, a segment has no reference, or the numbers of segments differ.

    >>> result = oracle_bleu([["a b x d", "a b c d"], ["e f", "g h"]], ["a b c d", "e f"], max_order=2)
    >>> result.best_index.tolist(), result.best.bleu, round(result.worst.bleu, 4)
    ([1, 0], 1.0, 0.3536)
    """
    candidates = as_batch(nbest, "nbest", "candidates")
    config = fit_to_kind(config_of(dialect, options), candidates.kind)
    require_one_score(config, _PURPOSE)
    against = as_references(references, candidates)
    parts = [count_candidates(rows, columns, config) for rows, columns in in_chunks(candidates, against)]
    return _choose(merge_statistics(parts), candidates.sizes)


def oracle_of_systems(systems: Mapping[str, BleuStatistics]) -> OracleResult:
    """Choose the system with the best sentence score for each segment, and score these sentences as a corpus.

    The result shows the score that a perfect combination of the systems could reach. It is computed from the systems'
    counts, so you need no texts.

    Args:
        systems: system name -> statistics with one row per segment, as `system_statistics` returns them.

    Returns:
        The result of `oracle_bleu` for lists of one candidate per system, in the order of `systems`.

    Raises:
        TypeError: `systems` is not a dict from name to statistics.
        ValueError: there is no system or no segment, statistics are totals, the numbers of segments differ, the
            statistics were counted with different options, or `weights` is a list of lists.

    >>> from bleu_metric import system_statistics
    >>> systems = system_statistics({"A": ["a b x d", "e f"], "B": ["a b c d", "g h"]}, ["a b c d", "e f"], max_order=2)
    >>> result = oracle_of_systems(systems)
    >>> result.best_index.tolist(), result.best.bleu, round(result.worst.bleu, 4)
    ([1, 0], 1.0, 0.3536)
    """
    check_type("systems", systems, Mapping, "a dict of name -> BleuStatistics")
    segments = None
    for name, statistics in systems.items():
        check_statistics(f"systems[{name!r}]", statistics)
        require_segments(statistics, "choose among systems")
        segments = len(statistics) if segments is None else segments
        if len(statistics) != segments:
            raise ValueError(f"system {name!r} has {len(statistics)} segments, but the first system has {segments}")
    if not segments:
        raise ValueError("there is nothing to choose from; give at least one system that has at least one segment")
    by_system = merge_statistics(list(systems.values()))
    require_one_score(by_system.config, _PURPOSE)
    by_segment = np.arange(len(by_system)).reshape(-1, segments).T.ravel()
    return _choose(by_system[by_segment], np.full(segments, len(systems)))


def _choose(statistics: BleuStatistics, sizes: Ints) -> OracleResult:
    """Choose the best and the worst candidate of each list, and score them.

    `statistics` has one row per candidate, and `sizes` has the number of candidates in each list.
    """
    starts = np.cumsum(sizes) - sizes
    scores = np.split(score_sentences(statistics), starts[1:])
    best = np.array([np.argmax(candidates) for candidates in scores], np.int64)
    worst = np.array([np.argmin(candidates) for candidates in scores], np.int64)
    mean = _mean_score(statistics, starts, scores)
    best_score, worst_score = score(statistics[starts + best]), score(statistics[starts + worst])
    signature = f"oracle:sentence|{statistics.signature()}"
    return OracleResult(best_score, worst_score, mean, best, worst, scores, signature)


def count_candidates(candidates: Segments, references: Segments, config: BleuConfig) -> BleuStatistics:
    """Count each candidate against all references of its segment. Return one row of counts per candidate."""
    tokens = tokenize_segments([candidates, references], config)
    number = len(candidates.texts)
    lengths, reference_lengths = tokens.lengths[:number], tokens.lengths[number:]
    matches = np.zeros((number, config.columns.highest_order), np.int64)
    for order, grams in enumerate(grams_by_order(tokens, matches.shape[1], on_both_sides(number))):
        features = grams.features()
        split = grams.start_of(number)
        matched = common(features, split).take(features[:split])
        matches[:, order] = np.bincount(grams.text[:split][matched], minlength=number)
    # The references of a segment are repeated for each of its candidates
    segments = candidates.segment_of_text()
    starts = np.cumsum(references.sizes) - references.sizes
    sizes = references.sizes.take(segments)
    listed = concatenate_ranges(starts.take(segments), sizes)
    listed_starts = np.cumsum(sizes) - sizes
    counts = SegmentCounts(matches, lengths, reference_lengths.take(listed), listed_starts)
    return apply_config(counts, config)


def concatenate_ranges(starts: Ints, sizes: Ints) -> Ints:
    """Return ranges of whole numbers as one array. Each range has one start and one size.

    >>> concatenate_ranges(np.array([7, 0]), np.array([2, 3]))
    array([7, 8, 0, 1, 2])
    """
    offsets = np.cumsum(sizes) - sizes
    ranges: Ints = np.arange(sizes.sum()) + np.repeat(starts - offsets, sizes)
    return ranges


def _mean_score(statistics: BleuStatistics, starts: Ints, scores: list[Floats]) -> float:
    config = statistics.config
    if config.average == "sentence":
        return float(np.mean([candidates.mean() for candidates in scores]))
    sizes = np.diff(starts, append=len(statistics))
    means = np.add.reduceat(statistics.table, starts, axis=0) / sizes[:, np.newaxis]
    total: Any = means.sum(axis=0)
    counts_by_name(total, config).last_segment[...] = counts_by_name(means[-1], config).last_segment
    return float(score_tables(total, config)[0])
