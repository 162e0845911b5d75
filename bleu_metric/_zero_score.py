"""Why a score is 0 although words match, and which options would give another score.

One order without a match makes the geometric mean 0. In short texts that is the rule: `hello there` has no 4-gram, and
so the BLEU of even a perfect match is 0. The number is right, and it says nothing about the texts.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ._config import BleuConfig
from ._formula import score_row
from ._reference_length import units_per_token
from ._score import BleuScore

# Below are 0 itself and what NLTK's method0 and the smallest long double make of it.
_AS_GOOD_AS_ZERO = 1e-12


@dataclass(frozen=True)
class ZeroCause:
    """Why a score is 0, and what helps."""

    reason: str
    remedies: tuple[dict[str, Any], ...]
    """Options by name and value. Each entry by itself gives a score above 0."""

    def message(self) -> str:
        """Say it to those who pass options to a function.

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
    """Find the order that makes a score 0 although shorter n-grams match.

    Args:
        score: of a corpus.
        config: by which it was scored.

    Returns:
        The cause; None if the score is above 0, if nothing matches, or if the brevity penalty makes it 0.

    >>> from bleu_metric import BleuConfig, score_dialects
    >>> (score,) = score_dialects(["hello there"], ["hello there"], ["default"]).values()
    >>> score.bleu, why_zero(score, BleuConfig()).reason
    (0.0, 'no prediction has 3 tokens, and so there is no 3-gram that could match')
    """
    lowest = min(score.bleu) if isinstance(score.bleu, list) else score.bleu
    if lowest > _AS_GOOD_AS_ZERO or not score.counts[0]:
        return None
    order = next(_deciding_orders(score, config), None)
    if order is None:
        return None
    return _known_cause(order, score, config)


def _deciding_orders(score: BleuScore, config: BleuConfig) -> Iterator[int]:
    """Give the orders without a match that no smoothing raises above 0."""
    for place, (matches, precision) in enumerate(zip(score.counts, score.precisions, strict=True)):
        if matches:
            continue
        has_weight = any(place < len(weights) and weights[place] for weights in config.weight_lists())
        if config.zero_score == "any-order" or (has_weight and precision <= _AS_GOOD_AS_ZERO):
            yield place + 1


_cause_of_pattern: dict[tuple[Any, ...], ZeroCause] = {}
_MOST_PATTERNS = 1000
_SHORT = 4  # tokens, below which NLTK has other weights
_SEVERE_PENALTY = 1e-3


def _known_cause(order: int, score: BleuScore, config: BleuConfig) -> ZeroCause:
    """Give what `_find_cause` gives. It takes longer than to score a pair, and loops score many pairs that are 0.

    Unless the brevity penalty is severe, it depends on which orders have n-grams and matches alone.
    """
    if score.brevity_penalty < _SEVERE_PENALTY or len(_cause_of_pattern) > _MOST_PATTERNS:
        return _find_cause(order, score, config)
    length = min(score.translation_length, max(_SHORT, config.max_order))
    key = (config, order, length, *map(bool, score.counts), *map(bool, score.totals))
    if key not in _cause_of_pattern:
        _cause_of_pattern[key] = _find_cause(order, score, config)
    return _cause_of_pattern[key]


def _find_cause(order: int, score: BleuScore, config: BleuConfig) -> ZeroCause:
    """Say why the score is 0 by an order without a match."""
    if score.totals[order - 1] and score.translation_length >= order:
        reason = f"no {order}-gram of the predictions is in their references"
    else:
        reason = f"no prediction has {order} tokens, and so there is no {order}-gram that could match"
    return ZeroCause(reason, tuple(_remedies(score, config)))


def _remedies(score: BleuScore, config: BleuConfig) -> Iterator[dict[str, Any]]:
    """Give those of the usual options by which the same counts have a score above 0."""
    highest = score.counts.index(0)
    if config.weights is None and _scores_more(score, config, {"max_order": highest}):
        yield {"max_order": highest}
    singles: list[dict[str, Any]] = [{"effective_order": True}, {"smoothing": "exp"}]
    helpful = [options for options in singles if _scores_more(score, config, options)]
    together = {"smoothing": "exp", "effective_order": True}
    if not helpful and _scores_more(score, config, together):
        helpful = [together]
    yield from helpful


def _scores_more(score: BleuScore, config: BleuConfig, options: Mapping[str, Any]) -> bool:
    other = config.with_options(options)
    if other.depends_on_segment_order:  # a score does not hold the counts of the last segment
        return False
    orders = other.max_order
    reference_length = round(score.reference_length * units_per_token(config.reference_length))
    row = [*score.counts[:orders], *score.totals[:orders], score.translation_length, reference_length]
    return min(score_row(row, other).bleu) > _AS_GOOD_AS_ZERO


def warn_of_zero(score: BleuScore, config: BleuConfig, name: str = "", caller: int = 2) -> bool:
    """Warn if one order alone makes a score 0.

    Args:
        score: of a corpus.
        config: by which it was scored.
        name: of the system or split, for the warning.
        caller: levels from the function that calls this one up to the code to which the warning belongs.

    Returns:
        Whether it warned.
    """
    cause = why_zero(score, config)
    if cause is None:
        return False
    head = f"{name!r}: " if name else ""
    warnings.warn(head + cause.message(), stacklevel=caller + 1)
    return True
