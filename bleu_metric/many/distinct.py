"""Distinct n-grams: the share of the n-grams of a set of texts that differ from one another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._config import BleuConfig, fit_to_kind
from .._dialects import config_of
from .._labels import Label, factorize_labels
from .._validation import Bools
from .ngrams import Grams, grams_by_order
from .texts import chunk_bounds, flat_texts, read_texts, tokenize_texts


@dataclass(frozen=True)
class DistinctNgrams:
    """How many n-grams of orders 1 to N a set of texts has, and how many different ones.

    >>> distinct_n(["a b a b", "a b"], max_order=2)
    DistinctNgrams(ratios=[0.3333, 0.5], 2 texts, 6 tokens, tok:whitespace|case:mixed)
    """

    distinct: list[int]
    """Different n-grams of each order."""
    totals: list[int]
    """All n-grams of each order."""
    texts: int
    """How many texts the set has."""
    tokenization: str
    """How tokens were made, as signatures write it."""

    @property
    def ratios(self) -> list[float]:
        """Different n-grams per n-gram, of each order, as most code has it; 0.0 where there is no n-gram.

        >>> distinct_n(["a b a"], max_order=2).ratios
        [0.6666666666666666, 1.0]
        """
        return [self._divided(order, total) for order, total in enumerate(self.totals)]

    @property
    def per_token(self) -> list[float]:
        """Different n-grams per token, of each order, as Li et al. 2016 write it; 0.0 where there is no token.

        >>> distinct_n(["a b a"], max_order=2).per_token
        [0.6666666666666666, 0.6666666666666666]
        """
        return [self._divided(order, self.totals[0]) for order in range(len(self.totals))]

    def _divided(self, order: int, by: int) -> float:
        return self.distinct[order] / by if by else 0.0

    def __repr__(self) -> str:
        """Show the ratios."""
        ratios = [round(ratio, 4) for ratio in self.ratios]
        return f"DistinctNgrams(ratios={ratios}, {self.texts} texts, {self.totals[0]} tokens, {self.tokenization})"


def distinct_n(
    texts: Any, max_order: int = 4, *, groups: Any = None, tokenizer: Any = "whitespace", lowercase: bool | str = False
) -> DistinctNgrams | dict[Label, DistinctNgrams]:
    """Count the different n-grams of a set of texts (Li et al. 2016): the more diverse the texts, the more.

    The ratio falls with the number of tokens, so that only sets of about the same size compare.

    Args:
        texts: N strings, or N lists of tokens, or N lists of token ids.
        max_order: longest n-gram.
        groups: one label per text, e.g. its prompt: each group is a set of its own.
        tokenizer: as in `BleuConfig`.
        lowercase: as in `BleuConfig`.

    Returns:
        The numbers of n-grams and their ratios; with `groups`, label -> those of the group.

    Raises:
        TypeError: a text, a label, or an option, of a wrong type.
        ValueError: no text, or an option that is not accepted.

    >>> distinct_n(["the cat sat", "the cat ran"], max_order=2).distinct
    [4, 3]
    """
    rows = flat_texts(texts, "texts")
    number = len(rows.texts)
    options = {"tokenizer": tokenizer, "lowercase": lowercase, "max_order": max_order}
    config = fit_to_kind(config_of("default", options), rows.kind)
    labels, group_of_text = factorize_labels([0] * number if groups is None else groups, number)
    order = np.argsort(group_of_text, kind="stable")
    sizes = np.bincount(group_of_text).tolist()
    arranged = rows._replace(texts=[rows.texts[index] for index in order.tolist()], sizes=sizes)
    counted: list[DistinctNgrams] = []
    for first, last in chunk_bounds(sizes):
        own = np.repeat(np.arange(last - first), sizes[first:last])
        tokens = tokenize_texts(*read_texts(arranged, first, last), own, rows.kind, config)
        orders = [_count(grams, own, last - first) for grams, _ in grams_by_order(tokens, config.max_order, _all)]
        for group in range(last - first):
            distinct, totals = zip(*(counts[group] for counts in orders), strict=True)
            counted.append(DistinctNgrams(list(distinct), list(totals), sizes[first + group], _tokenization(config)))
    return counted[0] if groups is None else dict(zip(labels, counted, strict=True))


def _all(grams: Grams) -> Bools:
    return np.ones(len(grams.ids), bool)


def _count(grams: Grams, group_of_text: Any, groups: int) -> list[tuple[int, int]]:
    """Different and all n-grams of each group."""
    group = group_of_text.take(grams.text)
    is_last = grams.ids == np.arange(len(grams.ids))  # an id is the last position of an equal n-gram
    distinct = np.bincount(group[is_last], minlength=groups).tolist()
    return list(zip(distinct, np.bincount(group, minlength=groups).tolist(), strict=True))


def _tokenization(config: BleuConfig) -> str:
    return "|".join(config.signature().split("|")[:2])
