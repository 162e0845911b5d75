"""Which n-grams of a prediction match, and the sentences that a report shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from .._config import BleuConfig, require_one_score
from .._corpus import Batch, Corpus
from .._counting import tokenize_batch
from .._statistics import BleuStatistics, score_sentences
from .._tokenize import Tokenization, token_strings
from .._validation import Floats, Ints
from ..comparison.systems import join_systems

_MOST_CHARACTERS = 4000  # of a text that are shown
_MOST_REFERENCES = 10  # of a segment that are shown
_READ_AT_ONCE = 500  # segments
_NOT_SPACE = re.compile(r"\S")

TokenList = Sequence[Hashable]
Piece = tuple[str, str]  # the space before a token, and the token


class Matches(NamedTuple):
    """The matched n-grams of one prediction."""

    counts: list[int]  # of orders 1 to N
    longest: list[int]  # for each token: the longest order of which it is part of a matched n-gram; 0: none
    in_references: list[list[int]]  # the same of the first references: what of them is in the prediction, as often


def find_matches(tokens: TokenList, references: Sequence[TokenList], max_order: int = 4) -> Matches:
    """Find the n-grams of a prediction that count as matched.

    An n-gram matches as often as it occurs in the reference that has most of it. If the prediction has more, the first
    ones match.

    >>> find_matches("the the cat".split(), ["the cat sat".split(), "a cat".split()], max_order=2)
    Matches(counts=[2, 1], longest=[1, 2, 2], in_references=[[2, 2, 0], [0, 1]])
    """
    counts = [0] * max_order
    longest = [0] * len(tokens)
    in_references = [[0] * len(reference) for reference in references[:_MOST_REFERENCES]]
    ngrams: list[list[int]] = []
    for order in range(1, max_order + 1):
        ngrams = _number_longer(ngrams) if ngrams else _number([tokens, *references])
        of_prediction, *of_references = ngrams
        starts = _matched(of_prediction, of_references)
        if not starts:
            break  # nor does a longer one match
        counts[order - 1] = len(starts)
        _mark(longest, starts, order)
        for marks, ngrams_of_one in zip(in_references, of_references, strict=False):
            _mark(marks, _matched(ngrams_of_one, [of_prediction]), order)
    return Matches(counts, longest, in_references)


def _number(texts: Sequence[Sequence[Hashable]]) -> list[list[int]]:
    """Number tokens or n-grams; equal ones have equal numbers."""
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
        for index in range(max(start, end), start + order):
            longest[index] = order
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


class _Text(NamedTuple):
    """One text, as it was written, and its tokens."""

    written: str | None  # None if only the tokens were given
    tokens: list[str]


class _Segment(NamedTuple):
    """One segment: the output of each system, and all references."""

    predictions: list[_Text]
    references: list[_Text]


def read_sentences(
    corpora: Mapping[str, Corpus], statistics: Mapping[str, BleuStatistics], rows: Iterable[int] | None = None
) -> list[Sentence]:
    """Read sentences of systems that share their references.

    Args:
        corpora: system -> its corpus.
        statistics: system -> its counts, with a row per segment.
        rows: which segments to read, counted from 0; by default all.
    """
    config = next(iter(statistics.values())).config
    require_one_score(config, "a sentence is shown with")
    scores = [score_sentences(counts) for counts in statistics.values()]
    matched = matched_shares(list(statistics.values()))
    chosen = np.arange(len(matched)) if rows is None else np.array(list(rows), np.int64)
    sentences = []
    for row, segment in zip(chosen.tolist(), _read_segments(join_systems(corpora), chosen, config), strict=True):
        predictions, references = _mark_matches(segment, config.max_order)
        sentences.append(
            Sentence(
                number=row + 1,
                scores=[float(of_system[row]) for of_system in scores],
                predictions=predictions,
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
    return token_strings(tokenize_batch(batch.kind, batch.values, batch.lengths, how))


def _read_segments(corpus: Corpus, rows: Ints, config: BleuConfig) -> Iterator[_Segment]:
    """Read the rows, those that follow one another together."""
    ends_of_runs = np.flatnonzero(np.diff(rows) != 1) + 1
    for run in np.split(rows, ends_of_runs):
        for start in range(0, len(run), _READ_AT_ONCE):
            part = run[start : start + _READ_AT_ONCE]
            yield from _segments_of_batch(corpus.read(int(part[0]), int(part[-1]) + 1), config)


def _segments_of_batch(batch: Batch, config: BleuConfig) -> Iterator[_Segment]:
    tokens = token_lists(batch, config)
    written = batch.values.to_pylist() if batch.kind == "text" else [None] * len(tokens)
    texts = list(map(_Text, written, tokens))
    ends = np.cumsum(batch.references_per_segment).tolist()
    for index, (start, end) in enumerate(pairwise([0, *ends])):
        yield _Segment(texts[ends[-1] + index :: batch.segments], texts[start:end])


def _mark_matches(segment: _Segment, max_order: int) -> tuple[list[list[Run]], list[list[ReferenceRun]]]:
    """Mark what matches in each output, and in the first references."""
    tokens = [reference.tokens for reference in segment.references]
    matches = [find_matches(prediction.tokens, tokens, max_order) for prediction in segment.predictions]
    predictions = []
    for prediction, found in zip(segment.predictions, matches, strict=True):
        runs = _join_runs(prediction, found.longest, 0)
        predictions.append([Run(order, text) for order, text in runs])
    references = []
    for index, reference in enumerate(segment.references[:_MOST_REFERENCES]):
        orders = zip(*(found.in_references[index] for found in matches), strict=True)
        runs_of_all = _join_runs(reference, list(orders), (0,) * len(matches))
        references.append([ReferenceRun(marks, text) for marks, text in runs_of_all])
    left_out = len(segment.references) - len(references)
    if left_out:
        references.append([ReferenceRun((), _note(left_out, "references"))])
    return predictions, references


def _join_runs(text: _Text, marks: Sequence[Any], unmarked: Any) -> list[tuple[Any, str]]:
    """Join neighbouring tokens that are marked alike, up to the length that is shown: the mark and text of each run."""
    pieces, end = _pieces_of_text(text.written, text.tokens)
    runs: list[tuple[Any, str]] = []
    size = 0
    for index, ((space, token), mark) in enumerate(zip(pieces, marks, strict=True)):
        size += len(space) + len(token)
        if size > _MOST_CHARACTERS and index == 0:
            left_out = _size(pieces) - _MOST_CHARACTERS
            return [(mark, token[:_MOST_CHARACTERS]), (unmarked, f" {_note(left_out, 'characters')}")]
        if size > _MOST_CHARACTERS:
            return [*runs, (unmarked, f" {_note(len(pieces) - index, 'tokens')}")]
        if runs and runs[-1][0] == mark:
            runs[-1] = (mark, runs[-1][1] + space + token)
            continue
        if space and runs:
            runs.append((unmarked, space))
        runs.append((mark, token))
    return [*runs, (unmarked, end)] if end else runs


def _pieces_of_text(text: str | None, tokens: list[str]) -> tuple[list[Piece], str]:
    """Show a text as it was written, or its tokens where there is no text or they are not parts of it."""
    pieces = None if text is None else _find_pieces(text, tokens)
    if text is None or pieces is None:
        return [(" ", token) for token in tokens], ""
    return pieces, _uncounted_end(text, pieces)


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


def _shorten_text(text: str) -> str:
    left_out = len(text) - _MOST_CHARACTERS
    return f"{text[:_MOST_CHARACTERS]} {_note(left_out, 'characters')}" if left_out > 0 else text


def _note(number: int, what: str) -> str:
    return f"… ({number:,} more {what})"
