"""Which n-grams of a sentence have a match, and the sentences that a report shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .._config import BleuConfig
from .._corpus import Batch, Corpus
from .._counting import tokenize_batch
from .._score import score_sentences
from .._statistics import BleuStatistics
from .._tokenize import Tokenization, token_strings

Tokens = Sequence[Hashable]


class Matches(NamedTuple):
    """The matched n-grams of one prediction."""

    counts: list[int]  # of orders 1 to N
    longest: list[int]  # for each token: the longest order of which it is part of a matched n-gram; 0: none


def find_matches(tokens: Tokens, references: Sequence[Tokens], max_order: int = 4) -> Matches:
    """Find them: of equal n-grams the first ones match, as many as the reference has that has most of them.

    >>> find_matches("the the cat".split(), ["the cat sat".split(), "a cat".split()], max_order=2)
    Matches(counts=[2, 1], longest=[1, 2, 2])
    """
    counts, longest = [], [0] * len(tokens)
    for order in range(1, max_order + 1):
        left = _most_in_one_reference(references, order)
        matched = 0
        for start, ngram in enumerate(_ngrams(tokens, order)):
            if left[ngram]:
                left[ngram] -= 1
                matched += 1
                longest[start : start + order] = [order] * order
        counts.append(matched)
    return Matches(counts, longest)


def _most_in_one_reference(references: Sequence[Tokens], order: int) -> Counter[tuple[Hashable, ...]]:
    most: Counter[tuple[Hashable, ...]] = Counter()
    for reference in references:
        for ngram, times in Counter(_ngrams(reference, order)).items():  # no |=, which looks through all of both
            most[ngram] = max(most[ngram], times)
    return most


def _ngrams(tokens: Tokens, order: int) -> list[tuple[Hashable, ...]]:
    return [tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1)]


_LONGEST = 4000  # characters of a text that are shown
_MOST = 10  # references of a segment that are shown
_NO_SPACE = re.compile(r"\S")


class Run(NamedTuple):
    """Neighbouring tokens of which the same order matched, and the spaces between them."""

    order: int  # the longest order of a matched n-gram they are part of; 0: none, or space
    text: str


class Sentence(NamedTuple):
    """One segment with the outputs of all systems."""

    number: int  # counted from 1
    scores: list[float]  # of each system, 0-1
    predictions: list[list[Run]]  # of each system
    references: list[str]


def sentences(
    counted: Mapping[str, Corpus], statistics: Mapping[str, BleuStatistics], picked: Iterable[int] | None = None
) -> list[Sentence]:
    """Read the picked rows (counted from 0; all by default) of systems that share their references.

    `counted`: system -> its rows, from `columns`. `statistics`: system -> its counts, with a row per segment.
    """
    if any(rows.config.has_many_weights for rows in statistics.values()):
        raise ValueError("weights is a list of lists: sentences are shown for one list of weights")
    scores = {system: score_sentences(rows) for system, rows in statistics.items()}
    picked = range(len(next(iter(statistics.values())))) if picked is None else picked
    shown = []
    for row in map(int, picked):
        texts = [_read(counted[system], row, rows.config) for system, rows in statistics.items()]
        predictions, references = [runs for runs, _ in texts], texts[0][1]
        shown.append(Sentence(row + 1, [float(scores[system][row]) for system in statistics], predictions, references))
    return shown


def token_lists(batch: Batch, config: BleuConfig) -> list[list[str]]:
    """Cut the texts of a batch as they are counted: all references, then all predictions."""
    if batch.kind == "ids":
        ends = np.cumsum(batch.lengths)[:-1]
        return [list(map(str, ids.tolist())) for ids in np.split(batch.values.to_numpy(), ends)]
    how = Tokenization(config.tokenizer, config.lowercase, config.strip, config.whitespace)
    return token_strings(tokenize_batch(batch, how))


def _read(counted: Corpus, row: int, config: BleuConfig) -> tuple[list[Run], list[str]]:
    """The prediction with its matches, and the references."""
    batch = counted.read(row, row + 1)
    *references, prediction = token_lists(batch, config)
    texts = batch.values.to_pylist() if batch.kind == "text" else [" ".join(tokens) for tokens in references]
    longest = find_matches(prediction, references, config.max_order).longest
    pieces = _pieces(texts[-1], prediction) if batch.kind == "text" else None
    uncounted = _after(texts[-1], pieces) if pieces is not None else ""
    pieces = pieces or [(" ", token) for token in prediction]
    shown = [_cut(text) for text in texts[: min(len(references), _MOST)]]
    runs = _runs(pieces, longest)
    return [*runs, *([Run(0, uncounted)] if uncounted else [])], [*shown, *_rest(len(references) - _MOST, "references")]


def _pieces(text: str, tokens: list[str]) -> list[tuple[str, str]] | None:
    """The space before each token, and the token as the text writes it; None where they are not simply its parts."""
    pieces, place = [], 0
    lowered = text.lower()
    lowered = lowered if len(lowered) == len(text) else text
    for token in tokens:
        found = _NO_SPACE.search(text, place)
        start = found.start() if found else len(text)
        if not (text.startswith(token, start) or lowered.startswith(token, start)):
            return None
        pieces.append((text[place:start], text[start : start + len(token)]))
        place = start + len(token)
    return pieces


def _after(text: str, pieces: list[tuple[str, str]]) -> str:
    """What the tokenization removes at the end, such as mteval's ``<skipped>``: it was said, if not counted."""
    size = sum(len(gap) + len(token) for gap, token in pieces)
    if size > _LONGEST:
        return ""  # the end is not shown
    rest = text[size:].rstrip()
    return _cut(rest if pieces else rest.lstrip())


def _runs(pieces: list[tuple[str, str]], longest: list[int]) -> list[Run]:
    """Put tokens of the same order together, up to the length that is shown."""
    runs: list[Run] = []
    size = 0
    for place, ((gap, token), order) in enumerate(zip(pieces, longest, strict=True)):
        size += len(gap) + len(token)
        if size > _LONGEST and not runs:  # the first token alone is too long
            whole = sum(len(gap) + len(token) for gap, token in pieces)
            return [
                Run(order, token[:_LONGEST]),
                *(Run(0, f" {rest}") for rest in _rest(whole - _LONGEST, "characters")),
            ]
        if size > _LONGEST:
            return [*runs, *(Run(0, f" {rest}") for rest in _rest(len(pieces) - place, "tokens"))]
        if runs and runs[-1].order == order:
            runs[-1] = Run(order, runs[-1].text + gap + token)
        else:
            runs += [Run(0, gap), Run(order, token)] if gap and place else [Run(order, token)]
    return runs


def _cut(text: str) -> str:
    return " ".join([text[:_LONGEST], *_rest(len(text) - _LONGEST, "characters")])


def _rest(number: int, what: str) -> list[str]:
    return [f"… ({number:,} more {what})"] if number > 0 else []
