"""Count each text of a group against the other texts of the group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._config import BleuConfig, columns_of, depends_on_segment_order
from .._formula import effective_lengths, units_per_token
from .._ngrams import Tokens, ngrams
from .._statistics import BleuStatistics, segment_row
from .._validation import typed


def count_against_others(texts: Sequence[Tokens], config: BleuConfig) -> BleuStatistics:
    """Count each text of a group with all other texts as its references. Return one row per text."""
    columns = columns_of(config)
    matches = zip(*[_matches_with_others(texts, order) for order in range(1, columns.highest_order + 1)], strict=True)
    lengths = list(map(len, texts))
    rows = [
        segment_row(found, length, reference_length, columns)
        for found, length, reference_length in zip(
            matches, lengths, _reference_lengths(lengths, config.reference_length), strict=True
        )
    ]
    return BleuStatistics(np.array(rows, np.int64), config, (len(texts) - 1,) * 2)


def _matches_with_others(texts: Sequence[Tokens], order: int) -> list[int]:
    """Count the matches of each text, each n-gram at most as often as in a single other text."""
    counts = [ngrams(text, order) for text in texts]
    best: dict[Any, tuple[int, int, int]] = {}  # n-gram -> its largest count, the text with it, the second largest
    for index, found in enumerate(counts):
        for gram, count in found.items():
            most, owner, second = best.get(gram, (0, -1, 0))
            best[gram] = (count, index, most) if count > most else (most, owner, max(second, count))
    matches = []
    for index, found in enumerate(counts):
        limits = ((count, best[gram]) for gram, count in found.items())
        matches.append(sum(min(count, second if owner == index else most) for count, (most, owner, second) in limits))
    return matches


def _reference_lengths(lengths: list[int], rule: str) -> list[int]:
    """Return the effective reference length of each text, with the lengths of all other texts."""
    all_lengths, bounds = np.array(lengths), np.array([0, len(lengths) - 1])
    found: dict[int, int] = {}  # texts of equal lengths have the same effective length
    for index, own in enumerate(lengths):
        if own not in found:
            others = np.delete(all_lengths, index)
            found[own] = int(effective_lengths(rule, all_lengths[[index]], others, bounds)[0])
    return [found[own] for own in lengths]


def count_against_each_other(texts: Sequence[Tokens], config: BleuConfig) -> BleuStatistics:
    """Count each text with each other text as its only reference. Return one row per text: the sum over its pairs."""
    if depends_on_segment_order(config) or config.reference_length == "closest-below-9999":
        raise ValueError(
            "this definition adds up the counts of all pairs of texts, so it does not accept options that need more "
            f"than sums: {typed('smoothing', 'method5')}, 'method6' and 'method7', "
            f"{typed('reference_length', 'closest-below-9999')}"
        )
    columns, n_others, n_tokens = columns_of(config), len(texts) - 1, sum(map(len, texts))
    by_order = []  # for each order, the sum of each text's matches with each other text
    for order in range(1, config.max_order + 1):
        counts = [ngrams(text, order) for text in texts]
        features = [[(gram, nth) for gram, count in found.items() for nth in range(count)] for found in counts]
        texts_with = Counter(feature for own in features for feature in own)
        by_order.append([sum(texts_with[feature] - 1 for feature in own) for own in features])
    rows = []
    for text, matches in zip(texts, zip(*by_order, strict=True), strict=True):
        others = (n_tokens - len(text)) * units_per_token(config.reference_length)
        once = segment_row(matches, len(text), others, columns)
        totals = [n_others * total for total in once[config.max_order : -1]]
        rows.append([*matches, *totals, others])
    return BleuStatistics(np.array(rows, np.int64), config)
