"""Explain why a score is 0, and find the options that would give a score above 0.

A single n-gram order without a match makes the geometric mean 0. Short texts often score 0: `hello there` has no
4-gram, so even a perfect match has a BLEU of 0. The number is correct, but it gives no information about the texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ._config import BleuConfig
from ._formula import bleu_of_row
from ._score import BleuScore
from ._validation import short_repr, warn

# A score below this counts as 0. NLTK's method0 and zero_precision="long-double" return tiny numbers instead of 0
AS_GOOD_AS_ZERO = 1e-12
_SHORT = 4  # tokens; NLTK's auto_reweigh changes the weights for shorter texts
_NGRAMS = 100  # `_gives_a_score` scores made-up counts of this many n-grams per order
_NO_MATCH = "no token of the predictions is in their references; check that both are in the same order and language"

Flags = tuple[bool, ...]  # one per n-gram order


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
    order = next(_deciding_orders(score, config), None)
    if order is None:
        return ""
    length = min(score.translation_length, max(_SHORT, config.max_order))
    has_matches = tuple(map(bool, score.counts))
    has_ngrams = tuple(map(bool, score.totals))
    # The arguments of a cached function must be hashable. A tokenizer function may not be, so "none" replaces it
    return _explain(config._for_ready_tokens, order, length, has_matches, has_ngrams)


def _deciding_orders(score: BleuScore, config: BleuConfig) -> Iterator[int]:
    """Yield each n-gram order that has no match and makes the score 0 despite the smoothing, if any is set."""
    for index, (matches, precision) in enumerate(zip(score.counts, score.precisions, strict=True)):
        if matches:
            continue
        has_weight = any(index < len(weights) and weights[index] for weights in config.weight_lists)
        if config.zero_score == "any-order" or (has_weight and precision <= AS_GOOD_AS_ZERO):
            yield index + 1


@lru_cache(maxsize=1000)  # a call is slower than scoring one pair, and loops over pairs often repeat its arguments
def _explain(config: BleuConfig, order: int, length: int, has_matches: Flags, has_ngrams: Flags) -> str:
    """Explain why the given n-gram order makes the score 0, and name the options that give a score above 0."""
    if has_ngrams[order - 1] and length >= order:
        reason = f"no {order}-gram of the predictions is in their references"
    else:
        reason = f"no prediction has {order} tokens, so no {order}-gram can match"

    def helps(options: dict[str, Any]) -> bool:
        return _gives_a_score(config.with_options(options), length, has_matches, has_ngrams)

    singles: list[dict[str, Any]] = [{"effective_order": True}, {"smoothing": "exp"}]
    remedies = [*filter(helps, singles)] or [*filter(helps, [{"smoothing": "exp", "effective_order": True}])]
    shorter = {"max_order": has_matches.index(False)}
    if config.weights is None and helps(shorter):
        remedies.insert(0, shorter)
    choices = [", ".join(f"{name}={value!r}" for name, value in options.items()) for options in remedies]
    advice = f". For a score above 0, pass {' or '.join(choices)}" if choices else ""
    return f"BLEU is 0.00: {reason}{advice}"


def _gives_a_score(config: BleuConfig, length: int, has_matches: Flags, has_ngrams: Flags) -> bool:
    """Return whether the configuration would give a score above 0.

    The answer depends only on which orders have matches and n-grams. Therefore this function scores made-up counts: 1
    match for each order with matches, and 100 n-grams for each order with n-grams.
    """
    if config._depends_on_segment_order:  # the counts of the last segment are not known here
        return False
    used = slice(config.max_order)
    matches = map(int, has_matches[used])
    totals = [_NGRAMS * flag for flag in has_ngrams[used]]
    made_up = [*matches, *totals, length, length]
    return min(bleu_of_row(made_up, config).bleu) > AS_GOOD_AS_ZERO


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
