"""Oracle BLEU: the corpus score that the best candidate of each n-best list would reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Unpack

import numpy as np

from .._config import BleuConfig, BleuOptions, fit_to_kind
from .._corpus import as_corpus
from .._counting import count_corpus
from .._counts import CountTable
from .._dialects import DEFAULT, Dialect, config_of
from .._formula import bleu_of_rows
from .._score import BleuScore
from .._statistics import BleuStatistics, merge_statistics, score, score_sentences
from .._validation import Floats, Ints
from ..comparison.checks import check_systems
from .texts import as_batch, as_rows, check_same_number


@dataclass(frozen=True)
class OracleResult:
    """Corpus scores of the best, the worst and the average candidates of n-best lists, on a scale of 0 to 1.

    >>> oracle_bleu([["a b c d", "a b x d"], ["e f", "g h"]], ["a b c d", "e f"], max_order=2)  # doctest: +ELLIPSIS
    OracleResult(best=<BleuScore 100.0: ...>, worst=<BleuScore 35.4: ...>, mean=0.68..., signature='oracle:...')
    """

    best: BleuScore
    """Corpus score of the best candidates. The best candidate of a list has the highest sentence score."""
    worst: BleuScore
    """Corpus score of the worst candidates. The worst candidate of a list has the lowest sentence score."""
    mean: float
    """Corpus score of an average candidate from each list. Each list's counts are averaged over its candidates, these
    means are summed over all lists, and the sum is scored. With ``average="sentence"``, it is the mean of the lists'
    mean sentence scores."""
    best_index: Ints = field(repr=False)
    """Index of each list's best candidate, shape (segments,). If several are equally good, the first one."""
    worst_index: Ints = field(repr=False)
    """Index of each list's worst candidate, shape (segments,). If several are equally bad, the first one."""
    scores: list[Floats] = field(repr=False)
    """Sentence scores of all candidates: one array of shape (candidates,) per list."""
    signature: str
    """All settings that determine the scores. It begins with ``oracle:sentence``, because candidates are chosen by
    sentence score."""


def oracle_bleu(
    nbest: Any, references: Any, dialect: Dialect = DEFAULT, **options: Unpack[BleuOptions]
) -> OracleResult:
    """Choose the candidate with the best sentence score from each n-best list, and score these candidates as a corpus.

    Each choice ignores the other lists. Therefore, other candidates can have a slightly higher corpus score.

    Args:
        nbest: one list of candidates per segment. Lists can have different lengths. A candidate is a string, a list of
            tokens or a list of token ids.
        references: for each segment, one reference or a list of references, as for `corpus_bleu`.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        **options: override the dialect's settings: any field of `BleuConfig`.

    Returns:
        The corpus scores of the best, the worst and the average candidates, the indices of the best and of the worst
            candidates, and all sentence scores.

    Raises:
        TypeError: a text or an option has the wrong type.
        ValueError: a list is empty, a segment has no reference, `nbest` and `references` have different numbers of
            segments.

    >>> result = oracle_bleu([["a b x d", "a b c d"], ["e f", "g h"]], ["a b c d", "e f"], max_order=2)
    >>> result.best_index.tolist(), result.best.bleu, round(result.worst.bleu, 4)
    ([1, 0], 1.0, 0.3536)
    """
    candidates = as_batch(nbest, "nbest", "candidates")
    config = config_of(dialect, options)
    references = as_rows(references, "references")
    check_same_number("nbest", candidates.sizes, "references", references)

    references_of_candidates = [references[segment] for segment in candidates.segment_of_text.tolist()]
    try:
        statistics = _count(candidates.texts, references_of_candidates, config)
    except (TypeError, ValueError):
        # This error has an index of the flat list. Read both arguments again, to raise one with the caller's indices
        candidates.read()
        first_candidates = [candidates.texts[start] for start in candidates.bounds[:-1].tolist()]
        _count(first_candidates, references, config)
        raise
    return _choose(statistics, candidates.bounds)


def _count(candidates: Sequence[Any], references: Sequence[Any], config: BleuConfig) -> BleuStatistics:
    """Count the matches of each candidate with its references. Return one row per candidate."""
    corpus = as_corpus(candidates, references)
    (statistics,) = count_corpus(corpus, [fit_to_kind(config, corpus.layout.kind)])
    return statistics


def oracle_of_systems(systems: Mapping[str, BleuStatistics]) -> OracleResult:
    """Choose the system with the best sentence score for each segment, and score the chosen outputs as a corpus.

    The result shows how high a perfect choice among the systems could score. It is computed from n-gram counts, so you
    need no texts.

    Args:
        systems: system name -> statistics with one row per segment, as `system_statistics` returns them.

    Returns:
        The result of `oracle_bleu` with one list per segment: the outputs of all systems, in the order of `systems`.

    Raises:
        TypeError: `systems` is not a dict from name to statistics.
        ValueError: there is no system or no segment, the systems have different numbers of segments, statistics are
            already summed over segments or were counted with different options.

    >>> from bleu_metric import system_statistics
    >>> systems = system_statistics({"A": ["a b x d", "e f"], "B": ["a b c d", "g h"]}, ["a b c d", "e f"], max_order=2)
    >>> result = oracle_of_systems(systems)
    >>> result.best_index.tolist(), result.best.bleu, round(result.worst.bleu, 4)
    ([1, 0], 1.0, 0.3536)
    """
    check_systems(systems, "choose among")
    n_systems = len(systems)
    by_system = merge_statistics(list(systems.values()))
    # For 2 systems and 3 segments, reorder the rows of system A (0, 1, 2) and system B (3, 4, 5) to 0, 3, 1, 4, 2, 5
    rows_of_systems = np.arange(len(by_system)).reshape(n_systems, -1)
    by_segment = by_system[rows_of_systems.T.ravel()]
    bounds = np.arange(0, len(by_segment) + 1, n_systems)
    return _choose(by_segment, bounds)


def _choose(statistics: BleuStatistics, bounds: Ints) -> OracleResult:
    """Choose the best and the worst candidate of each list, and score both choices as corpora.

    `statistics`: one row per candidate, list by list. `bounds`: list i has the rows bounds[i] to bounds[i + 1] - 1.
    For lists of 2 and 3 candidates, the bounds are [0, 2, 5]. If candidate 1 is the best of each list, its rows are 1
    and 3. `np.split` needs only the inner bound, [2].
    """
    first_rows = bounds[:-1]
    scores = np.split(score_sentences(statistics), first_rows[1:])
    best = np.array([np.argmax(list_scores) for list_scores in scores], np.int64)
    worst = np.array([np.argmin(list_scores) for list_scores in scores], np.int64)
    return OracleResult(
        best=score(statistics[first_rows + best]),
        worst=score(statistics[first_rows + worst]),
        mean=_mean_score(statistics, bounds, scores),
        best_index=best,
        worst_index=worst,
        scores=scores,
        signature=f"oracle:sentence|{statistics.signature()}",
    )


def _mean_score(statistics: BleuStatistics, bounds: Ints, scores: list[Floats]) -> float:
    """Return the score of an average candidate from each list, as `OracleResult.mean` defines it.

    `statistics` and `bounds`: as for `_choose`. `scores`: the sentence scores of each list's candidates.
    """
    config = statistics.config
    if config.average == "sentence":
        return float(np.mean([list_scores.mean() for list_scores in scores]))

    sizes = np.diff(bounds)
    sums = np.add.reduceat(statistics.table, bounds[:-1], axis=0)  # (lists, columns)
    means: Any = sums / sizes[:, np.newaxis]
    total = CountTable(means.sum(axis=0), config)
    # These columns describe the last segment, so they are copied from the last list instead of summed
    last_list = CountTable(means[-1], config)
    total.last_segment[...] = last_list.last_segment  # writes into `total`
    return float(bleu_of_rows(total))
