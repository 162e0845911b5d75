"""Which n-grams of a prediction match, and the sentences that a report shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .._config import BleuConfig
from .._corpus import Batch, Corpus
from .._counting import tokenize_batch
from .._score import score_sentences
from .._statistics import BleuStatistics
from .._tokenize import Tokenization, token_strings

_MOST_CHARACTERS = 4000  # of a text that are shown
_MOST_REFERENCES = 10  # of a segment that are shown
_NOT_SPACE = re.compile(r"\S")

TokenList = Sequence[Hashable]
Piece = tuple[str, str]  # the space before a token, and the token


class Matches(NamedTuple):
    """The matched n-grams of one prediction."""

    counts: list[int]  # of orders 1 to N
    longest: list[int]  # for each token: the longest order of which it is part of a matched n-gram; 0: none


def find_matches(tokens: TokenList, references: Sequence[TokenList], max_order: int = 4) -> Matches:
    """Find the n-grams of a prediction that count as matched.

    An n-gram matches as often as it occurs in the reference that has most of it. If the prediction has more, the first
    ones match.

    >>> find_matches("the the cat".split(), ["the cat sat".split(), "a cat".split()], max_order=2)
    Matches(counts=[2, 1], longest=[1, 2, 2])
    """
    counts = [0] * max_order
    longest = [0] * len(tokens)
    ngrams: list[list[int]] = []
    for order in range(1, max_order + 1):
        ngrams = _number_longer(ngrams) if ngrams else _number([tokens, *references])
        of_prediction, *of_references = ngrams
        starts = _matched(of_prediction, of_references)
        if not starts:
            break  # nor does a longer one match
        counts[order - 1] = len(starts)
        _mark(longest, starts, order)
    return Matches(counts, longest)


def _number(texts: Sequence[Sequence[Hashable]]) -> list[list[int]]:
    """Give equal tokens or n-grams equal numbers."""
    numbers: dict[Hashable, int] = {}
    return [[numbers.setdefault(item, len(numbers)) for item in text] for text in texts]


def _number_longer(ngrams: list[list[int]]) -> list[list[int]]:
    """Number the n-grams that are longer by a token: each is a pair of neighbours of this length."""
    return _number([list(pairwise(text)) for text in ngrams])


def _matched(of_prediction: list[int], of_references: list[list[int]]) -> list[int]:
    """Find where the n-grams that count as matched start."""
    unused: Counter[int] = Counter()
    for reference in of_references:
        for ngram, count in Counter(reference).items():  # |= would walk through `unused` each time
            unused[ngram] = max(unused[ngram], count)
    starts = []
    for start, ngram in enumerate(of_prediction):
        if unused[ngram]:
            unused[ngram] -= 1
            starts.append(start)
    return starts


def _mark(longest: list[int], starts: list[int], order: int) -> None:
    """Note the order at every token of the n-grams that start there."""
    end = 0
    for start in starts:
        for place in range(max(start, end), start + order):
            longest[place] = order
        end = start + order


class Run(NamedTuple):
    """Neighbouring tokens with the same longest match, and the spaces between them."""

    order: int  # the longest order of a matched n-gram that they are part of; 0: none, or a space
    text: str


class Sentence(NamedTuple):
    """One segment with the outputs of all systems."""

    number: int  # counted from 1
    scores: list[float]  # of each system, from 0 to 1
    predictions: list[list[Run]]  # of each system
    references: list[str]


def read_sentences(
    corpora: Mapping[str, Corpus], statistics: Mapping[str, BleuStatistics], rows: Iterable[int] | None = None
) -> list[Sentence]:
    """Read sentences of systems that share their references.

    Args:
        corpora: system -> its corpus.
        statistics: system -> its counts, with a row per segment.
        rows: which segments to read, counted from 0; by default all.
    """
    if any(counts.config.has_many_weights for counts in statistics.values()):
        raise ValueError("weights is a list of lists: sentences are shown for one list of weights")
    if rows is None:
        rows = range(len(next(iter(statistics.values()))))
    scores = [score_sentences(counts) for counts in statistics.values()]
    sentences = []
    for row in rows:
        segments = [_read_segment(corpora[system], row, counts.config) for system, counts in statistics.items()]
        sentences.append(
            Sentence(
                number=row + 1,
                scores=[float(of_system[row]) for of_system in scores],
                predictions=[runs for runs, _ in segments],
                references=segments[0][1],
            )
        )
    return sentences


def token_lists(batch: Batch, config: BleuConfig) -> list[list[str]]:
    """Tokenize the texts of a batch as they are counted: all references, then all predictions."""
    if batch.kind == "ids":
        ends = np.cumsum(batch.lengths)[:-1]
        return [list(map(str, ids.tolist())) for ids in np.split(batch.values.to_numpy(), ends)]
    how = Tokenization(config.tokenizer, config.lowercase, config.strip, config.whitespace)
    return token_strings(tokenize_batch(batch, how))


def _read_segment(corpus: Corpus, row: int, config: BleuConfig) -> tuple[list[Run], list[str]]:
    """Read the prediction with its matches, and the references."""
    batch = corpus.read(row, row + 1)
    *references, prediction = token_lists(batch, config)
    longest = find_matches(prediction, references, config.max_order).longest
    if batch.kind == "text":
        *texts, text = batch.values.to_pylist()
        runs = _runs_of_text(text, prediction, longest)
    else:
        texts = [" ".join(tokens) for tokens in references]
        runs = _join_runs(_with_spaces(prediction), longest)
    return runs, _shorten_references(texts)


def _runs_of_text(text: str, tokens: list[str], longest: list[int]) -> list[Run]:
    """Show a text as it was written, or its tokens where they are not parts of the text."""
    pieces = _find_pieces(text, tokens)
    if pieces is None:
        return _join_runs(_with_spaces(tokens), longest)
    runs = _join_runs(pieces, longest)
    end = _uncounted_end(text, pieces)
    return [*runs, Run(0, end)] if end else runs


def _with_spaces(tokens: list[str]) -> list[Piece]:
    return [(" ", token) for token in tokens]


def _find_pieces(text: str, tokens: list[str]) -> list[Piece] | None:
    """Find each token in the text, as the text writes it; None where the tokens are not simply parts of the text."""
    lowered = text.lower()
    if len(lowered) != len(text):  # the places would differ
        lowered = text
    pieces = []
    end = 0
    for token in tokens:
        found = _NOT_SPACE.search(text, end)
        start = found.start() if found else len(text)
        if not (text.startswith(token, start) or lowered.startswith(token, start)):
            return None
        space = text[end:start]
        end = start + len(token)
        pieces.append((space, text[start:end]))
    return pieces


def _uncounted_end(text: str, pieces: list[Piece]) -> str:
    """Find what follows the last token; a tokenizer may remove it, as mteval's does with ``<skipped>``."""
    size = _size(pieces)
    if size > _MOST_CHARACTERS:
        return ""  # not shown either
    end = text[size:].rstrip()
    return _shorten_text(end if pieces else end.lstrip())


def _size(pieces: list[Piece]) -> int:
    return sum(len(space) + len(token) for space, token in pieces)


def _join_runs(pieces: list[Piece], longest: list[int]) -> list[Run]:
    """Join neighbouring tokens with the same longest match, up to the length that is shown."""
    runs: list[Run] = []
    size = 0
    for place, ((space, token), order) in enumerate(zip(pieces, longest, strict=True)):
        size += len(space) + len(token)
        if size > _MOST_CHARACTERS and place == 0:
            left_out = _size(pieces) - _MOST_CHARACTERS
            return [Run(order, token[:_MOST_CHARACTERS]), Run(0, f" {_note(left_out, 'characters')}")]
        if size > _MOST_CHARACTERS:
            left_out = len(pieces) - place
            return [*runs, Run(0, f" {_note(left_out, 'tokens')}")]
        if runs and runs[-1].order == order:
            runs[-1] = Run(order, runs[-1].text + space + token)
            continue
        if space and runs:
            runs.append(Run(0, space))
        runs.append(Run(order, token))
    return runs


def _shorten_references(texts: list[str]) -> list[str]:
    shown = [_shorten_text(text) for text in texts[:_MOST_REFERENCES]]
    left_out = len(texts) - _MOST_REFERENCES
    return [*shown, _note(left_out, "references")] if left_out > 0 else shown


def _shorten_text(text: str) -> str:
    left_out = len(text) - _MOST_CHARACTERS
    return f"{text[:_MOST_CHARACTERS]} {_note(left_out, 'characters')}" if left_out > 0 else text


def _note(number: int, what: str) -> str:
    return f"… ({number:,} more {what})"
