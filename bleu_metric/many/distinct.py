"""Distinct-n: the number of different n-grams in a set of texts, divided by the number of all n-grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from .._config import BleuConfig, fit_to_kind
from .._corpus import Label
from .._display import amount
from .._ngrams import Tokens, ngrams
from .texts import flat_texts, number_groups


@dataclass(frozen=True)
class DistinctNgrams:
    """For each n-gram order, the number of different n-grams and the number of all n-grams in a set of texts.

    >>> distinct_n(["a b a b", "a b"], max_order=2)
    DistinctNgrams(ratios=[0.3333, 0.5], 2 texts, 6 tokens, tok:whitespace|case:mixed)
    """

    distinct: list[int]
    """Number of different n-grams of each order, from 1 to ``max_order``."""
    totals: list[int]
    """Number of all n-grams of each order, with repetitions."""
    texts: int
    """Number of texts in the set."""
    tokenization: str
    """The part of the signature with the tokenizer and the lowercasing, e.g. ``tok:whitespace|case:mixed``."""

    @property
    def ratios(self) -> list[float]:
        """Return, for each order, the number of different n-grams divided by the number of all n-grams.

        This is distinct-n as most implementations define it. An order without n-grams has the ratio 0.0.

        >>> distinct_n(["a b a"], max_order=2).ratios
        [0.6666666666666666, 1.0]
        """
        pairs = zip(self.distinct, self.totals, strict=True)
        return [count / max(total, 1) for count, total in pairs]

    @property
    def per_token(self) -> list[float]:
        """Return, for each order, the number of different n-grams divided by the number of tokens.

        This is distinct-n as Li et al. 2016 define it. If there are no tokens, all ratios are 0.0.

        >>> distinct_n(["a b a"], max_order=2).per_token
        [0.6666666666666666, 0.6666666666666666]
        """
        return [count / max(self.totals[0], 1) for count in self.distinct]

    def __repr__(self) -> str:
        """Return a string with the ratios, rounded to 4 digits, and the numbers of texts and tokens."""
        ratios = [round(ratio, 4) for ratio in self.ratios]
        size = f"{amount(self.texts, 'text')}, {amount(self.totals[0], 'token')}"
        return f"DistinctNgrams(ratios={ratios}, {size}, {self.tokenization})"


def distinct_n(
    texts: Any, max_order: int = 4, *, groups: Any = None, tokenizer: Any = "whitespace", lowercase: bool | str = False
) -> DistinctNgrams | dict[Label, DistinctNgrams]:
    """Count the different n-grams of a set of texts (distinct-n, Li et al. 2016). Diverse texts have higher ratios.

    Larger sets usually have lower ratios, so compare only sets with about the same number of tokens.

    Args:
        texts: a list of strings, of lists of tokens, or of lists of token ids.
        max_order: the highest n-gram order.
        groups: one label per text, e.g. its prompt. The n-grams of each group are counted separately.
        tokenizer: splits strings into tokens; as in `BleuConfig`.
        lowercase: whether and how to lowercase the texts; as in `BleuConfig`.

    Returns:
        The numbers of different and of all n-grams, and their ratios. With `groups`, a dict of label ->
        `DistinctNgrams`.

    Raises:
        TypeError: a text, a label or an option has the wrong type.
        ValueError: there is no text, or an option is not accepted.

    >>> distinct_n(["the cat sat", "the cat ran"], max_order=2).distinct
    [4, 3]
    """
    segment = flat_texts(texts)
    config = BleuConfig(tokenizer=tokenizer, lowercase=lowercase, max_order=max_order)
    config = fit_to_kind(config, segment.kind)
    labels, group_of_text = number_groups(groups, n_texts=len(segment.texts))
    sorted_by_group = np.argsort(group_of_text, kind="stable")
    by_group = segment.by_group(sorted_by_group, sizes=np.bincount(group_of_text))
    results = [_count_group(tokens, config) for tokens in by_group.tokens(config)]
    return results[0] if groups is None else dict(zip(labels, results, strict=True))


def _count_group(texts: Sequence[Tokens], config: BleuConfig) -> DistinctNgrams:
    orders = range(1, config.max_order + 1)
    counts = [Counter(chain.from_iterable(ngrams(text, order).elements() for text in texts)) for order in orders]
    tokenizer, case, *_ = config.signature().split("|")
    totals = [found.total() for found in counts]
    return DistinctNgrams(list(map(len, counts)), totals, len(texts), f"{tokenizer}|{case}")
