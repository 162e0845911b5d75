"""How much each sentence changes the score of its corpus."""

from __future__ import annotations

import numpy as np

from .._bootstrap import summands
from .._statistics import BleuStatistics, score_sentences
from .._validation import Floats


def corpus_effects(statistics: BleuStatistics) -> Floats:
    """Compute each sentence's effect: the corpus score minus the score of the corpus without this sentence.

    A sentence with a negative effect lowers the corpus score. These are the influences of the jackknife (Efron 1982,
    https://doi.org/10.1137/1.9781611970319). A sentence's effect on the difference between two systems is the
    difference between its effects on their scores.

    Args:
        statistics: the counts of one system, with one row per segment.

    Returns:
        Effects on a scale of -1 to 1, of shape (segments,). The effect of the only sentence of a corpus is 0.

    >>> from bleu_metric import corpus_statistics
    >>> corpus_effects(corpus_statistics(["a b", "x"], ["a b", "a"], max_order=1)).round(3).tolist()
    [0.667, -0.333]
    """
    segments = len(statistics)
    if segments == 1:
        return np.zeros(1)
    if statistics.config.average == "sentence":
        scores = score_sentences(statistics)
        return (scores - scores.mean()) / (segments - 1)  # type: ignore[no-any-return]
    table, score, last = summands(statistics)
    corpus = statistics._counts.sum().rows
    others = corpus - table
    if last:  # columns that are not summed: those of the corpus's last segment
        others[:, -last:] = table[-1, -last:]
        others[-1, -last:] = table[-2, -last:]
    effects: Floats = score(corpus[np.newaxis])[0, 0] - score(others)[:, 0]
    return effects
