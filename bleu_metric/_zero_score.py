"""Explain why a score is 0, and find the options that would give a score above 0.

A single n-gram order without a match makes the geometric mean 0. Short texts often score 0: `hello there` has no
4-gram, so even a perfect match has a BLEU of 0. The number is correct, but it gives no information about the texts.
"""

from __future__ import annotations

from typing import Any

from ._config import BleuConfig, weights_of
from ._display import amount
from ._score import BleuScore
from ._validation import short_repr, warn

# A score below this counts as 0, because NLTK's method0 returns tiny numbers instead of 0
AS_GOOD_AS_ZERO = 1e-12
_NO_MATCH = "no token of the predictions is in their references; check that both are in the same order and language"


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
    is_penalized = score.brevity_penalty <= AS_GOOD_AS_ZERO
    if score.bleu > AS_GOOD_AS_ZERO or is_penalized or not score.reference_length:
        return ""
    if not score.counts[0]:
        return f"BLEU is 0.00: {_NO_MATCH}"
    order = _deciding_order(score, config)
    if order is None:
        return ""

    if score.totals[order - 1] and score.translation_length >= order:
        reason = f"no {order}-gram of the predictions is in their references"
    else:
        reason = f"no prediction has {amount(order, 'token')}, so no {order}-gram can match"

    remedies = _remedies(score, config)
    choices = " or ".join(map(_as_arguments, remedies))
    advice = f". For a score above 0, pass {choices}" if choices else ""
    return f"BLEU is 0.00: {reason}{advice}"


def _deciding_order(score: BleuScore, config: BleuConfig) -> int | None:
    """Return the lowest n-gram order that has no match and makes the score 0, or None if there is no such order."""
    orders = zip(score.counts, score.precisions, weights_of(config), strict=True)
    for order, (matches, precision, weight) in enumerate(orders, 1):
        makes_mean_zero = weight and precision <= AS_GOOD_AS_ZERO
        if not matches and (config.zero_score == "any-order" or makes_mean_zero):
            return order
    return None


def _remedies(score: BleuScore, config: BleuConfig) -> list[dict[str, Any]]:
    """Return up to two sets of options, each of which gives a score above 0 for the same texts.

    The first set keeps only the orders below the first one without a match. The second set keeps all orders: it leaves
    out those without n-grams, and smooths the others.
    """
    remedies: list[dict[str, Any]] = []
    if config.weights is None:
        # If there is no 3-gram match, its count has the index 2, and max_order=2 keeps the orders below
        remedies.append({"max_order": score.counts.index(0)})
    # With this rule, neither smoothing nor the effective order has an effect
    if config.zero_score == "any-order":
        return remedies

    without_match = [index for index, matches in enumerate(score.counts) if not matches]
    # With this floor, the formula counts at least one n-gram of each order
    has_floor = config.total_floor == "corpus"
    have_ngrams = [score.totals[index] > 0 or has_floor for index in without_match]
    # NLTK's method0, for example, smooths to a tiny number
    is_smoothed = any(score.precisions[index] for index in without_match)

    options: dict[str, Any] = {}
    if any(have_ngrams) or is_smoothed:
        options["smoothing"] = "exp"
    if not all(have_ngrams) or config.average == "sentence":
        options |= {"effective_order": True, "auto_reweigh": False}

    changed_options = {name: value for name, value in options.items() if getattr(config, name) != value}
    if changed_options:
        remedies.append(changed_options)
    return remedies


def _as_arguments(options: dict[str, Any]) -> str:
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
        prefix = f"{short_repr(name)}: " if name else ""
        warn(prefix + explanation)
