"""Explanation of a score of 0 although words match, with the options that would give a score above 0.

One n-gram order without a match makes the geometric mean 0. This is normal for short texts: `hello there` has no
4-gram, so even a perfect match has a BLEU of 0. The number is correct, but it gives no information about the texts.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from ._config import BleuConfig
from ._formula import score_row
from ._score import BleuScore

# Scores below this count as zero: NLTK's method0 and the long-double rule return tiny positive numbers instead of 0
AS_GOOD_AS_ZERO = 1e-12
_SHORT = 4  # tokens: NLTK's auto_reweigh changes the weights of shorter texts
_NGRAMS = 100  # of each order that has any, when the scores of other options are compared

Flags = tuple[bool, ...]  # one per order


@dataclass(frozen=True)
class ZeroCause:
    """The reason for a score of 0, and the options that raise it."""

    reason: str
    remedies: tuple[dict[str, Any], ...]
    """Options by name and value. Each entry by itself gives a score above 0."""

    def message(self) -> str:
        """Return the text of a warning for callers of a function with options.

        >>> ZeroCause("no 4-gram matches", ({"max_order": 2},)).message()
        'BLEU is 0.00: no 4-gram matches. For a score above 0, pass max_order=2'
        """
        return self._message

    @cached_property
    def _message(self) -> str:
        choices = [", ".join(f"{name}={value!r}" for name, value in options.items()) for options in self.remedies]
        advice = f". For a score above 0, pass {' or '.join(choices)}" if choices else ""
        return f"BLEU is 0.00: {self.reason}{advice}"


def why_zero(score: BleuScore, config: BleuConfig) -> ZeroCause | None:
    """Return the n-gram order that makes a score 0 although shorter n-grams match.

    Args:
        score: the score of a corpus.
        config: the configuration of the score.

    Returns:
        The cause; None if the score is above 0, if nothing matches, or if the brevity penalty makes it 0.

    >>> from bleu_metric import BleuConfig, score_dialects
    >>> (score,) = score_dialects(["hello there"], ["hello there"], ["default"]).values()
    >>> score.bleu, why_zero(score, BleuConfig()).reason
    (0.0, 'no prediction has 3 tokens, so no 3-gram can match')
    """
    lowest = min(score.bleu) if isinstance(score.bleu, list) else score.bleu
    is_penalized = score.brevity_penalty <= AS_GOOD_AS_ZERO
    if lowest > AS_GOOD_AS_ZERO or is_penalized or not score.counts[0]:
        return None
    order = next(_deciding_orders(score, config), None)
    if order is None:
        return None
    length = min(score.translation_length, max(_SHORT, config.max_order))
    has_matches, has_ngrams = tuple(map(bool, score.counts)), tuple(map(bool, score.totals))
    return _find_cause(config._for_ready_tokens, order, length, has_matches, has_ngrams)  # a tokenizer may have no hash


def _deciding_orders(score: BleuScore, config: BleuConfig) -> Iterator[int]:
    """Yield the orders without a match that no smoothing raises above 0."""
    for index, (matches, precision) in enumerate(zip(score.counts, score.precisions, strict=True)):
        if matches:
            continue
        has_weight = any(index < len(weights) and weights[index] for weights in config.weight_lists())
        if config.zero_score == "any-order" or (has_weight and precision <= AS_GOOD_AS_ZERO):
            yield index + 1


@lru_cache(maxsize=1000)  # it takes longer than the score of a pair, and loops score many pairs that are 0
def _find_cause(config: BleuConfig, order: int, length: int, has_matches: Flags, has_ngrams: Flags) -> ZeroCause:
    """Return the cause of a score of 0, from an order without a match. Test which of the usual options raise the score.

    Only the orders that have matches and n-grams decide whether a score is 0. Therefore the test counts 1 match of 100
    n-grams for each such order.
    """
    if has_ngrams[order - 1] and length >= order:
        reason = f"no {order}-gram of the predictions is in their references"
    else:
        reason = f"no prediction has {order} tokens, so no {order}-gram can match"

    def helps(options: dict[str, Any]) -> bool:
        other = config.with_options(options)
        if other.depends_on_segment_order:  # a score does not contain the counts of the last segment
            return False
        used = slice(other.max_order)
        row = [*map(int, has_matches[used]), *(_NGRAMS * flag for flag in has_ngrams[used]), length, length]
        return min(score_row(row, other).bleu) > AS_GOOD_AS_ZERO

    singles: list[dict[str, Any]] = [{"effective_order": True}, {"smoothing": "exp"}]
    remedies = [*filter(helps, singles)] or [*filter(helps, [{"smoothing": "exp", "effective_order": True}])]
    shorter = {"max_order": has_matches.index(False)}
    if config.weights is None and helps(shorter):
        remedies.insert(0, shorter)
    return ZeroCause(reason, tuple(remedies))


def warn_of_zero(score: BleuScore, config: BleuConfig, name: str = "", caller: int = 2) -> bool:
    """Warn if a single n-gram order makes a score 0.

    Args:
        score: the score of a corpus.
        config: the configuration of the score.
        name: of the system or split, for the warning.
        caller: levels from the function that calls this one up to the code to which the warning belongs.

    Returns:
        True if it warned.
    """
    cause = why_zero(score, config)
    if cause is None:
        return False
    head = f"{name!r}: " if name else ""
    warnings.warn(head + cause.message(), stacklevel=caller + 1)
    return True
