"""Distinct n-grams: the number of different n-grams in a set of texts, divided by the number of all n-grams."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._config import BleuConfig, fit_to_kind
from .._labels import Label
from .ngrams import all_grams, grams_by_order
from .texts import Sides, flat_texts, number_groups, read_chunks


@dataclass(frozen=True)
class DistinctNgrams:
    """The number of different n-grams and the number of all n-grams in a set of texts, for each n-gram order.

    >>> distinct_n(["a b a b", "a b"], max_order=2)
    DistinctNgrams(ratios=[0.3333, 0.5], 2 texts, 6 tokens, tok:whitespace|case:mixed)
    """

    distinct: list[int]
    """Number of different n-grams of each order."""
    totals: list[int]
    """Number of all n-grams of each order."""
    texts: int
    """Number of texts in the set."""
    tokenization: str
    """Settings of the tokenization, as in a signature."""

    @property
    def ratios(self) -> list[float]:
        """Return, for each order, the number of different n-grams divided by the number of all n-grams.

        This is the usual definition in code. An order without n-grams has the ratio 0.0.

        >>> distinct_n(["a b a"], max_order=2).ratios
        [0.6666666666666666, 1.0]
        """
        return [count / max(total, 1) for count, total in zip(self.distinct, self.totals, strict=True)]

    @property
    def per_token(self) -> list[float]:
        """Return, for each order, the number of different n-grams divided by the number of tokens.

        This is the definition of Li et al. 2016. Without tokens, all numbers are 0.0.

        >>> distinct_n(["a b a"], max_order=2).per_token
        [0.6666666666666666, 0.6666666666666666]
        """
        return [count / max(self.totals[0], 1) for count in self.distinct]

    def __repr__(self) -> str:
        """Return the ratios as text."""
        ratios = [round(ratio, 4) for ratio in self.ratios]
        return f"DistinctNgrams(ratios={ratios}, {self.texts} texts, {self.totals[0]} tokens, {self.tokenization})"


def distinct_n(
    texts: Any, max_order: int = 4, *, groups: Any = None, tokenizer: Any = "whitespace", lowercase: bool | str = False
) -> DistinctNgrams | dict[Label, DistinctNgrams]:
    """Count the different n-grams of a set of texts (Li et al. 2016). More diverse texts have more of them.

    The ratio falls with the number of tokens, so compare only sets of about the same size.

    Args:
        texts: N strings, or N lists of tokens, or N lists of token ids.
        max_order: the highest n-gram order.
        groups: one label per text, e.g. its prompt. Each group is a separate set.
        tokenizer: as in `BleuConfig`.
        lowercase: as in `BleuConfig`.

    Returns:
        The numbers of n-grams and their ratios. With `groups`, a dict from each label to the `DistinctNgrams` of its
            group.

    Raises:
        TypeError: a text, a label or an option has the wrong type.
        ValueError: there is no text, or an option is not accepted.

    >>> distinct_n(["the cat sat", "the cat ran"], max_order=2).distinct
    [4, 3]
    """
    rows = flat_texts(texts, "texts")
    options = {"tokenizer": tokenizer, "lowercase": lowercase, "max_order": max_order}
    config = fit_to_kind(BleuConfig(**options), rows.kind)
    labels, group = number_groups(groups, len(rows.texts))
    in_order = rows.by_group(np.argsort(group, kind="stable"), group)
    results: list[DistinctNgrams] = []
    for chunk in read_chunks(in_order, in_order, config):
        results += _count_groups(chunk, config)
    return results[0] if groups is None else dict(zip(labels, results, strict=True))


def _count_groups(texts: Sides, config: BleuConfig) -> Iterator[DistinctNgrams]:
    """Count the n-grams of each group. Every segment of `texts` is one group. Yield one result per group."""
    sizes = texts.hypotheses.sizes
    distinct = np.zeros((len(sizes), config.max_order), np.int64)
    totals = np.zeros_like(distinct)
    for order, grams in enumerate(grams_by_order(texts.tokens, config.max_order, all_grams)):
        group = texts.segment_of_text.take(grams.text)
        # An id is the position of the last equal n-gram, so each different n-gram is counted once
        is_last = grams.ids == np.arange(len(grams.ids))
        distinct[:, order] = np.bincount(group[is_last], minlength=len(sizes))
        totals[:, order] = np.bincount(group, minlength=len(sizes))
    tokenization = "|".join(config.signature().split("|")[:2])
    for of_group in zip(distinct.tolist(), totals.tolist(), sizes.tolist(), strict=True):
        yield DistinctNgrams(*of_group, tokenization)
