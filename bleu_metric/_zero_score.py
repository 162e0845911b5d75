"""Explain why a score is 0, and find the options that would give a score above 0.

A single n-gram order without a match makes the geometric mean 0. Short texts often score 0: `hello there` has no
4-gram, so even a perfect match has a BLEU of 0. The number is correct, but it gives no information about the texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from ._config import BleuConfig
from ._formula import bleu_of_row
from ._score import BleuScore
from ._validation import short_repr, warn

# A score below this counts as 0. NLTK's method0 and zero_precision="long-double" return tiny numbers instead of 0
AS_GOOD_AS_ZERO = 1e-12
_SHORT = 4  # in tokens; NLTK's auto_reweigh changes the weights for shorter texts
_NGRAMS = 100  # `_find_cause` tests options with made-up counts of this many n-grams per order

Flags = tuple[bool, ...]  # one per n-gram order


@dataclass(frozen=True)
class ZeroCause:
    """The reason for a score of 0, and the options that would give a score above 0."""

    reason: str
    remedies: tuple[dict[str, Any], ...]
    """Alternatives: each dict contains option names and values, and gives a score above 0 by itself."""

    def message(self) -> str:
        """Return the text of a warning. It names the options to pass.

        >>> ZeroCause("no 4-gram matches", ({"max_order": 2},)).message()
        'BLEU is 0.00: no 4-gram matches. For a score above 0, pass max_order=2'
        """
        return self._message

    @cached_property
    def _message(self) -> str:
        choices = [", ".join(f"{name}={value!r}" for name, value in options.items()) for options in self.remedies]
        advice = f". For a score above 0, pass {' or '.join(choices)}" if choices else ""
        return f"BLEU is 0.00: {self.reason}{advice}"


_NO_MATCH = ZeroCause(
    "no token of the predictions is in their references; check that both are in the same order and language", ()
)


def why_zero(score: BleuScore, config: BleuConfig) -> ZeroCause | None:
    """Find out why a score is 0.

    Args:
        score: the score of a corpus.
        config: the configuration of the score.

    Returns:
        The cause. None if the score is above 0, if there is nothing to compare, or if the brevity penalty makes it 0.

    >>> from bleu_metric import BleuConfig, score_dialects
    >>> (score,) = score_dialects(["hello there"], ["hello there"], ["papineni"]).values()
    >>> score.bleu, why_zero(score, BleuConfig()).reason
    (0.0, 'no prediction has 3 tokens, so no 3-gram can match')
    """
    lowest = min(score.bleu) if isinstance(score.bleu, list) else score.bleu
    is_penalized = score.brevity_penalty <= AS_GOOD_AS_ZERO
    if lowest > AS_GOOD_AS_ZERO or is_penalized or not score.reference_length:
        return None
    if not score.counts[0]:
        return _NO_MATCH
    order = next(_deciding_orders(score, config), None)
    if order is None:
        return None
    length = min(score.translation_length, max(_SHORT, config.max_order))
    has_matches, has_ngrams = tuple(map(bool, score.counts)), tuple(map(bool, score.totals))
    # The cached function needs hashable arguments. A tokenizer may not be hashable, so it is left out
    return _find_cause(config._for_ready_tokens, order, length, has_matches, has_ngrams)


def _deciding_orders(score: BleuScore, config: BleuConfig) -> Iterator[int]:
    """Yield the orders whose lack of matches makes the score 0, in spite of any smoothing."""
    for index, (matches, precision) in enumerate(zip(score.counts, score.precisions, strict=True)):
        if matches:
            continue
        has_weight = any(index < len(weights) and weights[index] for weights in config.weight_lists())
        if config.zero_score == "any-order" or (has_weight and precision <= AS_GOOD_AS_ZERO):
            yield index + 1


@lru_cache(maxsize=1000)  # it is slower than scoring one pair, and loops over pairs often repeat its arguments
def _find_cause(config: BleuConfig, order: int, length: int, has_matches: Flags, has_ngrams: Flags) -> ZeroCause:
    """Return the cause of a score of 0: an order without a match, and the usual options that raise the score.

    Whether a score is 0 depends only on which orders have matches and which have n-grams. Therefore options are tested
    by scoring made-up counts: 1 match for each order with matches, and 100 n-grams for each order with n-grams.
    """
    if has_ngrams[order - 1] and length >= order:
        reason = f"no {order}-gram of the predictions is in their references"
    else:
        reason = f"no prediction has {order} tokens, so no {order}-gram can match"

    def helps(options: dict[str, Any]) -> bool:
        other = config.with_options(options)
        if other.depends_on_segment_order:  # a score has no counts of the corpus's final segment
            return False
        used = slice(other.max_order)
        row = [*map(int, has_matches[used]), *(_NGRAMS * flag for flag in has_ngrams[used]), length, length]
        return min(bleu_of_row(row, other).bleu) > AS_GOOD_AS_ZERO

    singles: list[dict[str, Any]] = [{"effective_order": True}, {"smoothing": "exp"}]
    remedies = [*filter(helps, singles)] or [*filter(helps, [{"smoothing": "exp", "effective_order": True}])]
    shorter = {"max_order": has_matches.index(False)}
    if config.weights is None and helps(shorter):
        remedies.insert(0, shorter)
    return ZeroCause(reason, tuple(remedies))


def warn_of_zero(score: BleuScore, config: BleuConfig, name: str = "") -> None:
    """Warn if a score is 0, except if predictions or references are empty.

    Args:
        score: the score of a corpus.
        config: the configuration of the score.
        name: the system or split that the warning names.
    """
    cause = why_zero(score, config)
    if cause is not None:
        head = f"{short_repr(name)}: " if name else ""
        warn(head + cause.message())
