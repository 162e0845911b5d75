"""Drop-in replacement for torchtext's BLEU: import ``bleu_metric.compat.torchtext``, not ``torchtext.data.metrics``.

torchtext is archived, and its last version, 0.18.0, cannot be imported with a current torch. This module needs neither
torchtext nor torch. Scores here are float64. torchtext's scores are float32, and differ from the seventh digit onwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .._statistics import score
from ._inputs import Tokens, assert_same_length, count_tokens
from ._library import Lookup, pass_on

__all__ = ["bleu_score"]


def bleu_score(
    candidate_corpus: Sequence[Tokens],
    references_corpus: Sequence[Iterable[Tokens]],
    max_n: int = 4,
    weights: Sequence[float] = (0.25, 0.25, 0.25, 0.25),
) -> float:
    """Compute the BLEU of tokenized texts.

    The reference with the length closest to the prediction's sets the brevity penalty. If two references are equally
    close, the first one is used.

    Args:
        candidate_corpus: for each segment, the tokens of the prediction.
        references_corpus: for each segment, a list of references. Each reference is a list of tokens.
        max_n: the highest n-gram order.
        weights: one weight per n-gram order.

    Returns:
        BLEU from 0 to 1. It is 0.0 if an n-gram order has no match, or if there is no segment.

    Raises:
        AssertionError: the number of weights is not `max_n`, or the numbers of predictions and of lists of references
            differ.
        ValueError: a segment has no reference.

    Warns:
        UserWarning: a text is a string instead of a list of words.

    >>> candidate_corpus = [["A", "small", "first", "test"], ["Second", "one"]]
    >>> references_corpus = [[["A", "small", "first", "test"], ["Other", "words"]], [["No", "match"]]]
    >>> bleu_score(candidate_corpus, references_corpus)
    0.8408964152537145
    """
    if max_n != len(weights):
        raise AssertionError(f"weights must have max_n numbers: got {len(weights)} weights for max_n={max_n}")
    assert_same_length(candidate_corpus, references_corpus)
    if not len(candidate_corpus):
        return 0.0

    statistics = count_tokens(
        "torchtext", candidate_corpus, references_corpus, dialect="torchtext", weights=tuple(weights)
    )
    return score(statistics).bleu


__getattr__: Lookup = pass_on(__name__, "torchtext", "", "data", "data.metrics")
