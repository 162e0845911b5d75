"""The sentences of a report. Each text is split into runs: adjacent tokens whose longest matches are equally long."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import numpy as np

from .._config import BleuConfig, require_one_score
from .._corpus import Batch, Corpus
from .._counting import tokenize_batch
from .._display import escape_controls
from .._statistics import BleuStatistics, score_sentences
from .._tokenize import Tokenization, token_strings
from .._validation import Floats, Ints
from ..comparison.systems import join_systems
from .matches import find_matches

MARKED_ORDERS = 4  # tokens in a match of this order or a longer one have no mark; the style sheet marks all others
_MOST_CHARACTERS = 4000  # maximum number of characters shown per text
_MOST_REFERENCES = 10  # maximum number of references shown per segment
_READ_AT_ONCE = 500  # segments
_NOT_SPACE = re.compile(r"\S")


class Run(NamedTuple):
    """Adjacent tokens with the same `orders`, and the spaces before each token."""

    orders: str
    """One digit: the highest order of a matched n-gram that contains the token, at most MARKED_ORDERS. In a reference,
    one digit per system, because the systems' outputs match different n-grams."""
    text: str


class Sentence(NamedTuple):
    """One segment with the outputs of all systems."""

    number: int  # number of the segment, counted from 1
    scores: list[float]  # one per system, from 0 to 1
    matched: float  # share of matched n-grams, over all systems and n-gram orders
    predictions: list[list[Run]]  # the runs of each system's output
    references: list[list[Run]]  # the runs of each reference
    source: str


def read_sentences(
    corpora: Mapping[str, Corpus],
    statistics: Mapping[str, BleuStatistics],
    rows: Iterable[int] | None = None,
    source: Sequence[str] | None = None,
) -> list[Sentence]:
    """Return one `Sentence` for each segment in `rows`. All systems have the same references.

    Args:
        corpora: system -> its corpus.
        statistics: system -> its counts, with a row per segment.
        rows: indices of the segments to read. By default, all segments are read.
        source: the source text of each segment.
    """
    config = next(iter(statistics.values())).config
    require_one_score(config, "a sentence is shown with")
    scores = np.stack([score_sentences(counts) for counts in statistics.values()], axis=1)
    matched = matched_shares(list(statistics.values()))
    chosen = np.arange(len(matched)) if rows is None else np.array(list(rows), np.int64)
    texts = _read_texts(join_systems(corpora), chosen, config)
    return [
        Sentence(row + 1, scores[row].tolist(), float(matched[row]), predictions, references, _source_of(source, row))
        for row, (predictions, references) in zip(chosen.tolist(), texts, strict=True)
    ]


def _source_of(source: Sequence[str] | None, row: int) -> str:
    return "" if source is None else escape_controls(_shorten(source[row]))


def matched_shares(statistics: Sequence[BleuStatistics]) -> Floats:
    """Compute for each segment the share of its n-grams that match, of all systems and n-gram orders together."""
    matches = np.sum([counts.matches for counts in statistics], axis=(0, 2))
    totals = np.sum([counts.totals for counts in statistics], axis=(0, 2))
    shares: Floats = matches / np.maximum(totals, 1)
    return shares


def token_lists(batch: Batch, config: BleuConfig) -> list[list[str]]:
    """Return the counted tokens of each text of a batch: first of all references, then of all predictions."""
    if batch.kind == "ids":
        ends = np.cumsum(batch.lengths)[:-1]
        return [list(map(str, ids.tolist())) for ids in np.split(batch.values.to_numpy(), ends)]
    how = Tokenization(config.tokenizer, config.lowercase, config.strip, config.whitespace)
    return token_strings(tokenize_batch(batch.kind, batch.values, batch.lengths, how))


def _read_texts(corpus: Corpus, rows: Ints, config: BleuConfig) -> Iterator[tuple[list[list[Run]], list[list[Run]]]]:
    """Yield, for each segment in `rows`, the runs of its outputs and of its references.

    Consecutive segments are read together, at most `_READ_AT_ONCE` at a time.
    """
    for run in np.split(rows, np.flatnonzero(np.diff(rows) != 1) + 1):
        for start in range(0, len(run), _READ_AT_ONCE):
            part = run[start : start + _READ_AT_ONCE]
            yield from _texts_of_batch(corpus.read(int(part[0]), int(part[-1]) + 1), config)


def _texts_of_batch(batch: Batch, config: BleuConfig) -> Iterator[tuple[list[list[Run]], list[list[Run]]]]:
    tokens = token_lists(batch, config)
    written = batch.values.to_pylist() if batch.kind == "text" else [None] * len(tokens)
    matches = find_matches(tokens, batch.references_per_segment, config.max_order)
    ends = [0, *np.cumsum([len(of_text) for of_text in tokens]).tolist()]
    first_output = int(np.sum(batch.references_per_segment))
    of_references, of_outputs = (_digits(marks) for marks in (matches.in_references, matches.longest[np.newaxis]))

    def runs(text: int) -> list[Run]:
        marks = of_references if text < first_output else of_outputs
        return _join_runs(written[text], tokens[text], marks[ends[text] : ends[text + 1]])

    last_references = np.cumsum(batch.references_per_segment).tolist()
    for segment, (start, end) in enumerate(pairwise([0, *last_references])):
        references = [runs(text) for text in range(start, min(end, start + _MOST_REFERENCES))]
        if end - start > _MOST_REFERENCES:
            full = str(MARKED_ORDERS) * len(matches.in_references)
            references.append([Run(full, _note(end - start - _MOST_REFERENCES, "references"))])
        yield [runs(text) for text in range(first_output + segment, len(tokens), batch.segments)], references


def _digits(orders: Ints) -> list[str]:
    """Convert an array of orders, of shape (systems, tokens), into one string per token, with one digit per system."""
    digits = (np.minimum(orders.T, MARKED_ORDERS) + ord("0")).astype(np.uint8)
    width = digits.shape[1]
    together = digits.tobytes().decode()
    return [together[start : start + width] for start in range(0, len(together), width)]


def _join_runs(written: str | None, tokens: list[str], marks: list[str]) -> list[Run]:
    """Return the runs of a text: adjacent tokens with equal marks. A note replaces the end of a very long text."""
    text, ends = _token_ends(written, tokens)
    unmarked = str(MARKED_ORDERS) * len(marks[0]) if marks else str(MARKED_ORDERS)
    start = len(text) - len(text.lstrip())
    shown = next((index for index, end in enumerate(ends) if end > _MOST_CHARACTERS), len(ends))
    left_out = ""
    if ends and not shown:  # the first token alone is too long
        left_out = f" {_note(len(text) - _MOST_CHARACTERS, 'characters')}"
        ends[0] = _MOST_CHARACTERS
        shown = 1
    elif shown < len(ends):
        left_out = f" {_note(len(ends) - shown, 'tokens')}"
    else:
        left_out = _shorten(text[ends[-1] if ends else start :].rstrip())
    runs = []
    for mark, group in groupby(range(shown), marks.__getitem__):
        end = ends[max(group)]
        runs.append(Run(mark, text[start:end]))
        start = end
    if left_out:
        runs.append(Run(unmarked, left_out))
    return runs if text.isprintable() else [Run(mark, escape_controls(part)) for mark, part in runs]


def _token_ends(written: str | None, tokens: list[str]) -> tuple[str, list[int]]:
    """Return the text to show and the position at which each token ends.

    If there is no original text, or if it does not contain the tokens, the text to show is the tokens joined by spaces.
    """
    ends = None if written is None else _find_tokens(written, tokens)
    if written is not None and ends is not None:
        return written, ends
    lengths = np.array([len(token) for token in tokens], np.int64)
    return " ".join(tokens), (np.cumsum(lengths + 1) - 1).tolist()


def _find_tokens(text: str, tokens: list[str]) -> list[int] | None:
    """Return the position in the text at which each token ends. Tokens may be lower-cased.

    Only white space may be between two tokens. Return None if there are other characters, because then the tokenizer
    changed the text.
    """
    lowered = text.lower()
    if len(lowered) != len(text):  # lower-casing added or removed characters, so that positions would differ
        lowered = text
    ends = []
    end = 0
    for token in tokens:
        if text.startswith(token, end + 1) and text[end] == " ":  # the most frequent case: one space before the token
            end += 1
        elif not text.startswith(token, end):
            found = _NOT_SPACE.search(text, end)
            end = found.start() if found else len(text)
            if not (text.startswith(token, end) or lowered.startswith(token, end)):
                return None
        end += len(token)
        ends.append(end)
    return ends


def _shorten(text: str) -> str:
    left_out = len(text) - _MOST_CHARACTERS
    return f"{text[:_MOST_CHARACTERS]} {_note(left_out, 'characters')}" if left_out > 0 else text


def _note(number: int, what: str) -> str:
    return f"… ({number:,} more {what})"


def as_json(rows: Sequence[Sentence]) -> list[list[Any]]:
    """Return sentences as lists for the page's script. Each line of a text is a run: its digits, then its text."""
    return [
        [
            row.number,
            [round(score, 6) for score in row.scores],
            round(row.matched, 6),
            ["\n".join([orders + text for orders, text in runs]) for runs in row.predictions],
            ["\n".join([orders + text for orders, text in runs]) for runs in row.references],
            row.source,
        ]
        for row in rows
    ]
