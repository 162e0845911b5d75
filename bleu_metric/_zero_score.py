"""Explain why a score is 0, and find the options that would give a score above 0.

A single n-gram order without a match makes the geometric mean 0. Short texts often score 0: `hello there` has no
4-gram, so even a perfect match has a BLEU of 0. The number is correct, but it gives no information about the texts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from ._config import BleuConfig, depends_on_segment_order, fit_to_kind
from ._formula import bleu_of_row
from ._score import BleuScore
from ._validation import short_repr, warn

# A score below this counts as 0. NLTK's method0 and zero_precision="long-double" return tiny numbers instead of 0
AS_GOOD_AS_ZERO = 1e-12
_SHORTEST_NOT_REWEIGHED = 4  # number of tokens; NLTK's auto_reweigh changes the weights for shorter texts
_MADE_UP_NGRAMS = 100  # n-grams per order, see `_is_positive`
_NO_MATCH = "no token of the predictions is in their references; check that both are in the same order and language"

Options = dict[str, Any]


class _ZeroScore(NamedTuple):
    """Facts about a score of 0 that show which options would change it. The tuples have one flag per n-gram order."""

    config: BleuConfig
    has_matches: tuple[bool, ...]
    has_ngrams: tuple[bool, ...]
    length: int  # number of tokens of the predictions, limited to the largest number that matters

    def helpful(self, *candidates: Options) -> list[Options]:
        """Return the candidates that would give a score above 0."""
        return [options for options in candidates if self._is_positive(self.config.with_options(options))]

    def _is_positive(self, config: BleuConfig) -> bool:
        """Return whether a configuration gives a score above 0.

        This function scores made-up counts: 1 match for each order with matches, and 100 n-grams for each order with
        n-grams. Other numbers above 0 would give the same answer.
        """
        if depends_on_segment_order(config):  # the counts of the last segment are not known here
            return False
        used = slice(config.max_order)
        matches = map(int, self.has_matches[used])
        totals = [_MADE_UP_NGRAMS * flag for flag in self.has_ngrams[used]]
        made_up = [*matches, *totals, self.length, self.length]
        return min(bleu_of_row(made_up, config).bleu) > AS_GOOD_AS_ZERO


def why_zero(score: BleuScore, config: BleuConfig) -> str:
    r"""Explain a score of 0.

    Args:
        score: the score of a corpus.
        config: the configuration of the score.

    Returns:
        The cause, and the options that would give a score above 0. The string is empty if the score is above 0, if the
        references have no tokens, if the brevity penalty makes the score 0, or if no n-gram order is the cause.

    >>> from bleu_metric import BleuConfig, score_dialects
    >>> (score,) = score_dialects(["hello there"], ["hello there"], ["papineni"]).values()
    >>> print(*why_zero(score, BleuConfig(smoothing="none")).split(". "), sep="\n")
    BLEU is 0.00: no prediction has 3 tokens, so no 3-gram can match
    For a score above 0, pass max_order=2 or effective_order=True
    """
    lowest = min(score.bleu) if isinstance(score.bleu, list) else score.bleu
    is_penalized = score.brevity_penalty <= AS_GOOD_AS_ZERO
    if lowest > AS_GOOD_AS_ZERO or is_penalized or not score.reference_length:
        return ""
    if not score.counts[0]:
        return f"BLEU is 0.00: {_NO_MATCH}"
    order = _deciding_order(score, config)
    if order is None:
        return ""
    # A cached function needs hashable arguments. A tokenizer function can be unhashable, and has no effect here, so
    # the tokenizer "none" replaces it
    hashable = fit_to_kind(config, "tokens", config.unit)
    has_matches = tuple(map(bool, score.counts))
    has_ngrams = tuple(map(bool, score.totals))
    length = min(score.translation_length, max(_SHORTEST_NOT_REWEIGHED, config.max_order))
    return _explain(_ZeroScore(hashable, has_matches, has_ngrams, length), order)


def _deciding_order(score: BleuScore, config: BleuConfig) -> int | None:
    """Return the lowest n-gram order that has no match and makes the score 0, or None if there is no such order."""
    for index, (matches, precision) in enumerate(zip(score.counts, score.precisions, strict=True)):
        if matches:
            continue
        weights = [weights[index] for weights in config.weight_lists if index < len(weights)]
        is_smoothed = precision > AS_GOOD_AS_ZERO
        if config.zero_score == "any-order" or (any(weights) and not is_smoothed):
            return index + 1
    return None


@lru_cache(maxsize=1000)  # a call is slower than scoring one pair, and loops over pairs often repeat its arguments
def _explain(zero: _ZeroScore, order: int) -> str:
    """Explain why the given n-gram order makes the score 0, and name the options that give a score above 0."""
    if zero.has_ngrams[order - 1] and zero.length >= order:
        reason = f"no {order}-gram of the predictions is in their references"
    else:
        reason = f"no prediction has {order} tokens, so no {order}-gram can match"
    remedies = zero.helpful({"effective_order": True}, {"smoothing": "exp"})
    if not remedies:
        remedies = zero.helpful({"smoothing": "exp", "effective_order": True})
    if zero.config.weights is None:
        shorter = {"max_order": zero.has_matches.index(False)}
        remedies = zero.helpful(shorter) + remedies
    choices = " or ".join(map(_as_arguments, remedies))
    advice = f". For a score above 0, pass {choices}" if remedies else ""
    return f"BLEU is 0.00: {reason}{advice}"


def _as_arguments(options: Options) -> str:
    """Return options as they are typed in a call, such as "max_order=2, smoothing='exp'"."""
    return ", ".join(f"{name}={value!r}" for name, value in options.items())


def warn_of_zero(score: BleuScore, config: BleuConfig, name: str = "") -> None:
    """Warn if a score is 0, unless the predictions or the references have no tokens.

    Args:
        score: the score of a corpus.
        config: the configuration of the score.
        name: the name of the system or split, with which the warning begins; "" for none.
    """
    explanation = why_zero(score, config)
    if explanation:
        head = f"{short_repr(name)}: " if name else ""
        warn(head + explanation)
