"""Oracle BLEU: the best that a choice from each n-best list could reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from .._config import BleuConfig, BleuOptions, fit_to_kind, require_one_score
from .._counting import SegmentCounts, apply_config
from .._counts import orders_to_count
from .._dialects import config_of
from .._formula import score_tables
from .._score import BleuScore
from .._statistics import BleuStatistics, check_statistics, merge_statistics, require_segments, score, score_sentences
from .._validation import Floats, Ints, short_repr
from .ngrams import grams_by_order, on_both_sides
from .texts import Segments, as_references, as_segments, chunk_bounds, read_texts, tokenize_texts

if TYPE_CHECKING:
    from typing_extensions import Unpack


_PURPOSE = "candidates are chosen by"


@dataclass(frozen=True)
class OracleResult:
    """The best, the worst and the mean that n-best lists hold; scores on a scale of 0 to 1.

    >>> oracle_bleu([["a b c d", "a b x d"], ["e f", "g h"]], ["a b c d", "e f"], max_order=2)  # doctest: +ELLIPSIS
    OracleResult(best=1.0, mean=0.6847, worst=0.3536, 2 segments, signature='oracle:sentence|nrefs:1|tok:13a|...')
    """

    best: BleuScore
    """Corpus score of the best candidate of each list."""
    worst: BleuScore
    """Corpus score of the worst candidate of each list."""
    mean: float
    """Corpus score of the mean counts of each list: what a random choice from each list gives."""
    best_index: Ints
    """Index of the best candidate of each list, shape (segments,); of equally good ones, the first."""
    worst_index: Ints
    """Index of the worst candidate of each list, shape (segments,); of equally bad ones, the first."""
    scores: list[Floats] = field(repr=False)
    """Sentence scores of all candidates, one array per list."""
    signature: str
    """Every choice that made the scores; ``oracle:sentence``: candidates are chosen by their sentence scores."""

    def __repr__(self) -> str:
        """Show the three scores."""
        scores = f"best={self.best.bleu:.4}, mean={self.mean:.4}, worst={self.worst.bleu:.4}"
        return f"OracleResult({scores}, {len(self.scores)} segments, signature={self.signature!r})"


def oracle_bleu(
    nbest: Any, references: Any, dialect: str = "sacrebleu", **options: Unpack[BleuOptions]
) -> OracleResult:
    """Choose the best candidate of each list by its sentence score, and score the choice as a corpus.

    The choice is made for each sentence alone, so another choice can have a slightly higher corpus score.

    Args:
        nbest: one list of texts per segment, of any sizes; or of lists of tokens or token ids.
        references: for each segment one or more references.
        dialect: name in `DIALECTS`.
        **options: override the dialect's choices: any field of `BleuConfig`.

    Returns:
        Corpus scores of the best choice, of the worst, and of the mean; the indices; all sentence scores.

    Raises:
        TypeError: a text, or an option, of a wrong type.
        ValueError: an empty list, a segment without reference, or another number of segments.

    >>> result = oracle_bleu([["a b x d", "a b c d"], ["e f", "g h"]], ["a b c d", "e f"], max_order=2)
    >>> result.best_index.tolist(), result.best.bleu, round(result.worst.bleu, 4)
    ([1, 0], 1.0, 0.3536)
    """
    candidates = as_segments(nbest, "nbest")
    if not candidates.is_batch:
        raise TypeError("nbest must hold one list of candidates per segment; for one segment try nbest=[nbest]")
    config = fit_to_kind(config_of(dialect, options), candidates.kind)
    require_one_score(config, _PURPOSE)
    own = as_references(references, candidates)
    sizes = [left + right for left, right in zip(candidates.sizes, own.sizes, strict=True)]
    chunks = [count_candidates(candidates, own, config, first, last) for first, last in chunk_bounds(sizes)]
    return _choose(merge_statistics(chunks), np.array(candidates.sizes, np.int64))


def oracle_of_systems(systems: Mapping[str, BleuStatistics]) -> OracleResult:
    """Choose for each segment the system with the best sentence score, and score the choice as a corpus.

    It shows what a perfect combination of the systems could reach. No text is counted again.

    Args:
        systems: statistics of each system by its name, one row per segment, as `system_statistics` gives them.

    Returns:
        What `oracle_bleu` gives for lists of one candidate per system; an index counts the systems in their order.

    Raises:
        TypeError: anything but statistics by name.
        ValueError: no system or no segment, totals, different numbers of segments, statistics that were counted in
            different ways, or several lists of weights.

    >>> from bleu_metric import system_statistics
    >>> systems = system_statistics({"A": ["a b x d", "e f"], "B": ["a b c d", "g h"]}, ["a b c d", "e f"], max_order=2)
    >>> result = oracle_of_systems(systems)
    >>> result.best_index.tolist(), result.best.bleu, round(result.worst.bleu, 4)
    ([1, 0], 1.0, 0.3536)
    """
    if not isinstance(systems, Mapping):
        raise TypeError(f"systems must be a dict of name -> BleuStatistics, got {short_repr(systems)}")
    if not systems:
        raise ValueError("there are no systems to choose from; give the statistics of at least one")
    statistics = list(systems.values())
    for name, own in systems.items():
        check_statistics(f"systems[{name!r}]", own)
        require_segments(own, "choose among systems")
        if len(own) != len(statistics[0]):
            raise ValueError(f"system {name!r} has {len(own)} segments, the first system {len(statistics[0])}")
    if not len(statistics[0]):
        raise ValueError("these statistics have no segments to choose for")
    segments, number = len(statistics[0]), len(statistics)
    by_system = merge_statistics(statistics)
    require_one_score(by_system.config, _PURPOSE)
    by_segment = np.arange(segments * number).reshape(number, segments).T.ravel()
    return _choose(by_system[by_segment], np.full(segments, number))


def _choose(statistics: BleuStatistics, sizes: Ints) -> OracleResult:
    """Choose from each list of candidates; `statistics`: one row per candidate; `sizes`: candidates per list."""
    ends = np.cumsum(sizes)
    starts: Ints = ends - sizes
    scores = np.split(score_sentences(statistics), ends[:-1])
    best = np.array([int(np.argmax(each)) for each in scores], np.int64)
    worst = np.array([int(np.argmin(each)) for each in scores], np.int64)
    return OracleResult(
        score(statistics[starts + best]),
        score(statistics[starts + worst]),
        _mean_score(statistics, starts, scores),
        best,
        worst,
        scores,
        f"oracle:sentence|{statistics.signature()}",
    )


def count_candidates(
    candidates: Segments, references: Segments, config: BleuConfig, first: int, last: int
) -> BleuStatistics:
    """Count each candidate against all references of its segment: one row per candidate."""
    of_candidates, of_references = (np.array(side.sizes[first:last], np.int64) for side in (candidates, references))
    numbers = np.arange(last - first)
    texts, references_read = read_texts(candidates, first, last), read_texts(references, first, last)
    values, lengths = (pa.concat_arrays([texts[0], references_read[0]]), np.append(texts[1], references_read[1]))
    segments = np.append(np.repeat(numbers, of_candidates), np.repeat(numbers, of_references))
    tokens = tokenize_texts(values, lengths, segments, candidates.kind, config)
    rows = int(of_candidates.sum())
    matches = np.zeros((rows, orders_to_count(config)), np.int64)
    for order, (grams, _) in enumerate(grams_by_order(tokens, matches.shape[1], on_both_sides(rows))):
        features = grams.features()
        split = int(np.searchsorted(grams.text, rows))
        in_references = np.zeros(len(features), bool)
        in_references[features[split:]] = True
        matched = in_references.take(features[:split])
        matches[:, order] = np.bincount(grams.text[:split][matched], minlength=rows)
    per_candidate = np.repeat(of_references, of_candidates)
    first_reference = np.repeat(np.cumsum(of_references) - of_references, of_candidates)
    starts = np.cumsum(per_candidate) - per_candidate
    places = np.arange(per_candidate.sum()) + np.repeat(first_reference - starts, per_candidate)
    reference_lengths = tokens.lengths[rows:].take(places)
    return apply_config(SegmentCounts(matches, tokens.lengths[:rows], reference_lengths, starts), config)


def _mean_score(statistics: BleuStatistics, starts: Ints, scores: list[Floats]) -> float:
    config = statistics.config
    if config.average == "sentence":
        return float(np.mean([each.mean() for each in scores]))
    sizes = np.diff(starts, append=len(statistics))
    means = np.add.reduceat(statistics.table, starts, axis=0) / sizes[:, np.newaxis]
    total: Any = means.sum(axis=0)
    if config.depends_on_segment_order:
        total[-3:] = means[-1, -3:]
    return float(score_tables(total, config).bleu[0])
