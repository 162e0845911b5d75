"""Find what each of two systems does better: the n-grams that only one of them matches."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import Any

from .._display import shorten
from .._ngrams import most_in_one
from .matches import Segment

_MOST_NGRAMS = 10  # maximum number of n-grams that are listed per system
_LONGEST_NGRAM = 60  # longer n-grams are shortened to this number of characters
_LEAST_SURPLUS = 2  # of McNemar's statistic; chance alone exceeds this in 1 of 20 n-grams
Ngram = tuple[Any, ...]


class Strengths:
    """What each of two systems does better: the n-grams of the references that only one of them matches.

    Args:
        first: the index of the first system in `Segment.outputs`.
        second: the index of the second system.
    """

    def __init__(self, first: int, second: int) -> None:
        self._systems = first, second
        self._only: tuple[Counter[Ngram], Counter[Ngram]] = (Counter(), Counter())

    def add(self, segment: Segment) -> None:
        """Count the matches of a segment that only one system has. Matches are clipped, as in BLEU."""
        of_systems = (most_in_one([segment.output_tokens[index]], len(segment.limits)) for index in self._systems)
        for limit, one, other in zip(segment.limits, *of_systems, strict=True):
            for ngram, most in limit.items():
                surplus = min(one.get(ngram, 0), most) - min(other.get(ngram, 0), most)
                if surplus:
                    self._only[surplus < 0][ngram] += abs(surplus)

    @property
    def ngrams(self) -> list[list[tuple[str, int, int]]]:
        """Return one list per system. No n-gram of a list contains another n-gram of the list.

        An item is an n-gram, the number of matches of only this system, and of only the other system. Let these numbers
        be a and b. N-grams are sorted by McNemar's statistic, (a - b) / sqrt(a + b). Neither frequent nor rare n-grams
        come first. N-grams that chance often makes as one-sided are left out, and punctuation and single letters.
        """
        return [_most_one_sided(*self._only), _most_one_sided(*reversed(self._only))]


def _most_one_sided(only_here: Counter[Ngram], only_there: Counter[Ngram]) -> list[tuple[str, int, int]]:
    """Return the n-grams of one system for `Strengths.ngrams`."""

    def surplus(ngram: Ngram) -> float:
        here, there = only_here[ngram], only_there[ngram]
        return (here - there) / sqrt(here + there)

    def has_word(ngram: Ngram) -> bool:
        return sum(map(str.isalnum, "".join(map(str, ngram)))) > 1

    one_sided = [ngram for ngram in only_here if surplus(ngram) >= _LEAST_SURPLUS and has_word(ngram)]
    listed: list[tuple[str, int, int]] = []
    for ngram in sorted(one_sided, key=surplus, reverse=True):
        text = f" {' '.join(map(str, ngram))} "
        # "Bildschirm auf das" tells nothing new after "Bildschirm auf"
        if not any(text in f" {other} " or f" {other} " in text for other, *_ in listed):
            listed.append((text.strip(), only_here[ngram], only_there[ngram]))
        if len(listed) == _MOST_NGRAMS:
            break
    return [(shorten(text, _LONGEST_NGRAM), here, there) for text, here, there in listed]
