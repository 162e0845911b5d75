"""Which n-grams of a prediction match, and the sentences that a report shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .._arrays import Floats
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


class ReferenceRun(NamedTuple):
    """Neighbouring tokens of a reference that all systems match alike, and the spaces between them."""

    orders: tuple[int, ...]  # for each system: the longest order of a matched n-gram; empty where it is not looked at
    text: str


class Sentence(NamedTuple):
    """One segment with the outputs of all systems."""

    number: int  # counted from 1
    scores: list[float]  # of each system, from 0 to 1
    predictions: list[list[Run]]  # of each system
    references: list[list[ReferenceRun]]
    matched: float  # the share of all n-grams of all systems that match


class _Reference(NamedTuple):
    """One reference of a segment, beside one prediction."""

    pieces: list[Piece]
    longest: list[int]  # as in `Matches`
    end: str  # what follows the last token


class _Segment(NamedTuple):
    """One segment of one system."""

    prediction: list[Run]
    references: list[_Reference]  # those that are shown
    reference_count: int


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
    matched = matched_shares(list(statistics.values()))
    sentences = []
    for row in rows:
        segments = [_read_segment(corpora[system], row, counts.config) for system, counts in statistics.items()]
        references = [_reference_runs(beside) for beside in zip(*(own.references for own in segments), strict=True)]
        left_out = segments[0].reference_count - len(references)
        if left_out > 0:
            references.append([ReferenceRun((), _note(left_out, "references"))])
        sentences.append(
            Sentence(
                number=row + 1,
                scores=[float(of_system[row]) for of_system in scores],
                predictions=[own.prediction for own in segments],
                references=references,
                matched=float(matched[row]),
            )
        )
    return sentences


def matched_shares(statistics: Sequence[BleuStatistics]) -> Floats:
    """Find which share of the n-grams of each segment match, over all systems and orders."""
    matches = np.sum([counts.matches for counts in statistics], axis=(0, 2))
    totals = np.sum([counts.totals for counts in statistics], axis=(0, 2))
    shares: Floats = matches / np.maximum(totals, 1)
    return shares


def token_lists(batch: Batch, config: BleuConfig) -> list[list[str]]:
    """Tokenize the texts of a batch as they are counted: all references, then all predictions."""
    if batch.kind == "ids":
        ends = np.cumsum(batch.lengths)[:-1]
        return [list(map(str, ids.tolist())) for ids in np.split(batch.values.to_numpy(), ends)]
    how = Tokenization(config.tokenizer, config.lowercase, config.strip, config.whitespace)
    return token_strings(tokenize_batch(batch, how))


def _read_segment(corpus: Corpus, row: int, config: BleuConfig) -> _Segment:
    """Read the prediction with its matches, and the first references with theirs."""
    batch = corpus.read(row, row + 1)
    *references, prediction = token_lists(batch, config)
    texts = batch.values.to_pylist() if batch.kind == "text" else [None] * (len(references) + 1)
    longest = find_matches(prediction, references, config.max_order).longest
    runs = _runs_of_text(texts[-1], prediction, longest)
    shown = []
    for text, tokens in zip(texts[:_MOST_REFERENCES], references[:_MOST_REFERENCES], strict=False):
        pieces, end = _pieces_of_text(text, tokens)
        # What of the reference is in the prediction, as often as it is there: what is not marked is missing.
        found = find_matches(tokens, [prediction], config.max_order).longest
        shown.append(_Reference(pieces, found, end))
    return _Segment(runs, shown, len(references))


def _reference_runs(beside: Sequence[_Reference]) -> list[ReferenceRun]:
    """Join what each system matches of one reference."""
    marks = list(zip(*(reference.longest for reference in beside), strict=True))
    nothing = (0,) * len(beside)
    numbers: dict[tuple[int, ...], int] = {nothing: 0}  # runs are told apart by one number
    numbered = [numbers.setdefault(orders, len(numbers)) for orders in marks]
    by_number = list(numbers)
    runs = _with_end(_join_runs(beside[0].pieces, numbered), beside[0].end)
    return [ReferenceRun(by_number[run.order], run.text) for run in runs]


def _runs_of_text(text: str | None, tokens: list[str], longest: list[int]) -> list[Run]:
    pieces, end = _pieces_of_text(text, tokens)
    return _with_end(_join_runs(pieces, longest), end)


def _with_end(runs: list[Run], end: str) -> list[Run]:
    return [*runs, Run(0, end)] if end else runs


def _pieces_of_text(text: str | None, tokens: list[str]) -> tuple[list[Piece], str]:
    """Show a text as it was written, or its tokens where there is no text or they are not parts of it."""
    pieces = None if text is None else _find_pieces(text, tokens)
    if text is None or pieces is None:
        return _with_spaces(tokens), ""
    return pieces, _uncounted_end(text, pieces)


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


def _shorten_text(text: str) -> str:
    left_out = len(text) - _MOST_CHARACTERS
    return f"{text[:_MOST_CHARACTERS]} {_note(left_out, 'characters')}" if left_out > 0 else text


def _note(number: int, what: str) -> str:
    return f"… ({number:,} more {what})"
