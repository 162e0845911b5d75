"""Count the n-grams of single segments, and find those that match, to highlight words in a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from .._config import BleuConfig, tokenization_of
from .._corpus import Corpus
from .._ngrams import Ngrams, Tokens, most_in_one
from .._tokens import tokenize
from ..comparison.systems import join_systems

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
            limits = most_in_one(reference_tokens, config.max_order)
            yield Segment(outputs, references, output_tokens, reference_tokens, limits)


def _pick_rows(corpus: Corpus, rows: Sequence[int]) -> Corpus:
    """Return a corpus with only the rows at the indices `rows`."""

    def pick(texts: Any) -> Any:
        return [texts[row] for row in rows]

    return corpus._replace(systems=tuple(map(pick, corpus.systems)), references=pick(corpus.references))


def matching_orders(tokens: Tokens, limits: Sequence[Ngrams]) -> list[int]:
    """Return, for each token, the order of the longest matching n-gram that contains it, or 0.

    An n-gram matches as often as `limits` allow, from the first occurrence on. `limits`: from `most_in_one`.

    >>> matching_orders("abca", most_in_one(["abx"], 2))
    [2, 2, 0, 0]
    """
    orders = [0] * len(tokens)
    for order, limit in enumerate(limits, 1):
        remaining, starts = dict(limit), []
        for start, gram in enumerate(zip(*[tokens[first:] for first in range(order)], strict=False)):
            if remaining.get(gram):
                remaining[gram] -= 1
                starts.append(start)
        if not starts:
            break  # no longer n-gram can match
        for offset, start in product(range(order), starts):
            orders[start + offset] = order
    return orders
