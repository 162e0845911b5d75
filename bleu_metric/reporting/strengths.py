"""Find what each of two systems does better: the n-grams that only one of them matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from .._config import BleuConfig, tokenization_of
from .._corpus import Corpus
from .._display import shorten
from .._ngrams import most_in_one, ngrams
from .._tokens import tokenize
from ..comparison.systems import join_systems
from .sentences import MOST_READ, pick_rows

_MOST_NGRAMS = 10  # maximum number of n-grams that are listed per system
_LONGEST_NGRAM = 60  # longer n-grams are shortened to this number of characters
Ngram = tuple[str, ...]


class Strengths(NamedTuple):
    """What each of two systems does better."""

    names: Sequence[str]
    ngrams: list[list[tuple[str, int, int]]]
    """One list per system. An item is an n-gram, the number of matches of only this system, and of only the other
    system. No n-gram of a list contains another n-gram of the list."""


def find_strengths(corpora: Mapping[str, Corpus], config: BleuConfig, *names: str) -> Strengths:
    """Compare the matches of two systems. Matches are clipped, as in BLEU, segment by segment.

    Let a be the number of matches of only this system, and b of only the other system. N-grams are sorted by McNemar's
    statistic, (a - b) / sqrt(a + b). Neither frequent nor rare n-grams come first.

    Args:
        corpora: system's name -> corpus.
        config: the configuration of the scores.
        *names: the names of the two systems.
    """
    corpus = join_systems({name: corpora[name] for name in names})
    only: tuple[Counter[Ngram], Counter[Ngram]] = (Counter(), Counter())  # n-grams that only one system matches
    options = tokenization_of(config)
    for first in range(0, corpus.segments, MOST_READ):
        batch = pick_rows(corpus, range(corpus.segments)[first : first + MOST_READ]).checked()
        outputs = zip(*[tokenize(texts, batch.kind, options) for texts in batch.systems], strict=True)
        for texts, both in zip(batch.references, outputs, strict=True):
            limits = most_in_one([list(map(str, tokens)) for tokens in tokenize(texts, batch.kind, options)], config.max_order)
            for order, limit in enumerate(limits, 1):
                one, other = (limit & ngrams(list(map(str, tokens)), order) for tokens in both)
                only[0].update(one - other)
                only[1].update(other - one)

    return Strengths(names, [_most_one_sided(*only), _most_one_sided(*reversed(only))])


def _most_one_sided(only_here: Counter[Ngram], only_there: Counter[Ngram]) -> list[tuple[str, int, int]]:
    """Return the n-grams of one system for `Strengths.ngrams`, sorted as `find_strengths` describes."""

    def surplus(ngram: Ngram) -> float:
        here, there = only_here[ngram], only_there[ngram]
        return (here - there) / sqrt(here + there)

    one_sided = [ngram for ngram in only_here if only_here[ngram] > only_there[ngram]]
    listed: list[tuple[str, int, int]] = []
    for ngram in sorted(one_sided, key=surplus, reverse=True):
        text = f" {' '.join(ngram)} "
        # "Bildschirm auf das" tells nothing new after "Bildschirm auf"
        if not any(text in f" {other} " or f" {other} " in text for other, *_ in listed):
            listed.append((text.strip(), only_here[ngram], only_there[ngram]))
        if len(listed) == _MOST_NGRAMS:
            break
    return [(shorten(text, _LONGEST_NGRAM), here, there) for text, here, there in listed]
