"""Count the n-grams of single segments, and find those that match, to highlight words in a report."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .._config import BleuConfig, tokenization_of
from .._corpus import Corpus
from .._ngrams import Ngrams, Tokens, most_in_one
from .._tokens import tokenize
from ..comparison.systems import join_systems

ORDERS = 2  # the largest order of n-grams that are counted to highlight words
_MOST_READ = 500  # maximum number of segments that are read at once


class Segment(NamedTuple):
    """The texts of one segment, their tokens, and the n-grams of the references."""

    outputs: Sequence[Any]  # one text per system
    references: Sequence[Any]
    output_tokens: Sequence[Tokens]
    reference_tokens: Sequence[Tokens]
    limits: list[Ngrams]  # for each order, how often an n-gram can match


def read_segments(corpora: Mapping[str, Corpus], config: BleuConfig, rows: Sequence[int]) -> Iterator[Segment]:
    """Yield the segments at the indices `rows`. All systems must have the same references."""
    corpus, options = join_systems(corpora), tokenization_of(config)
    for first in range(0, len(rows), _MOST_READ):
        batch = _pick_rows(corpus, rows[first : first + _MOST_READ]).checked()
        for outputs, references in zip(zip(*batch.systems, strict=True), batch.references, strict=True):
            output_tokens = tokenize(outputs, batch.kind, options)
            reference_tokens = tokenize(references, batch.kind, options)
            limits = most_in_one(reference_tokens, ORDERS)
            yield Segment(outputs, references, output_tokens, reference_tokens, limits)


def _pick_rows(corpus: Corpus, rows: Sequence[int]) -> Corpus:
    """Return a corpus with only the rows at the indices `rows`."""

    def pick(texts: Any) -> Any:
        return [texts[row] for row in rows]

    return corpus._replace(systems=tuple(map(pick, corpus.systems)), references=pick(corpus.references))


def matching_orders(tokens: Tokens, limits: Sequence[Ngrams], longest: int) -> list[int]:
    """Return, for each token, the order of the longest matching n-gram that contains it, or 0.

    An n-gram matches as often as `limits` allow. If it occurs more often, those occurrences match whose neighbours
    match as well, and of equal ones the first: in the example, the other text has "b" once, after "a".

    Args:
        tokens: the tokens of a text.
        limits: from `most_in_one`, of at least `longest` orders.
        longest: the largest order to look for.

    >>> matching_orders("b_ab", most_in_one(["xab"], 2), longest=1)
    [0, 0, 1, 1]
    """
    orders = [0] * len(tokens)
    for order, limit in enumerate(limits[:longest], 1):
        starts_of_ngrams: dict[Any, list[int]] = {}
        for start, ngram in enumerate(zip(*[tokens[first:] for first in range(order)], strict=False)):
            if ngram in limit:
                starts_of_ngrams.setdefault(ngram, []).append(start)
        if not starts_of_ngrams:
            break  # no longer n-gram can match
        for ngram, starts in starts_of_ngrams.items():
            allowed = limit[ngram]
            if len(starts) > allowed:
                longer = limits[order] if order < len(limits) else {}
                starts.sort(key=lambda start: -_n_around(tokens, start, order, longer))
            for start in starts[:allowed]:
                orders[start : start + order] = [order] * order
    return orders


def _n_around(tokens: Tokens, start: int, order: int, longer: Container[Any]) -> int:
    """Return how many of the two longer n-grams around an n-gram are in `longer`: 0, 1 or 2."""
    before, after = tokens[max(start - 1, 0) : start + order], tokens[start : start + order + 1]
    return (tuple(before) in longer) + (tuple(after) in longer)
