"""The sentences of a report. Each text is split into runs: adjacent tokens whose longest matches are equally long."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

import numpy as np

from .._bootstrap import summands
from .._config import BleuConfig, require_one_score
from .._corpus import Batch, Corpus
from .._counting import tokenize_batch
from .._display import escape_controls
from .._statistics import BleuStatistics, score_sentences
from .._tokenize import token_strings
from .._validation import Floats, Ints
from ..comparison.systems import join_systems
from .matches import find_matches

MARKED_ORDERS = 4  # tokens with this mark stand out in no way; the style sheet marks the lower orders
_MOST_CHARACTERS = 4000  # maximum number of characters shown per text
_MOST_REFERENCES = 10  # maximum number of references shown per segment
_READ_AT_ONCE = 500  # segments
_SPACES = re.compile(r"\s*")


class Run(NamedTuple):
    """Adjacent tokens with the same mark, and the spaces before each token."""

    mark: str
    """One digit: the highest order of a matched n-gram that contains the tokens. It is `MARKED_ORDERS` from this order
    on, and also if the text has no longer n-grams: a text of one word can only match by one word. In a reference, one
    digit per system, because the systems' outputs match different n-grams."""
    text: str


class Sentence(NamedTuple):
    """One segment with the outputs of all systems."""

    number: int  # number of the segment, counted from 1
    scores: list[float]  # one per system, from 0 to 1
    effects: list[float]  # one per system: see `corpus_effects`
    predictions: list[list[Run]]  # the runs of each system's output
    references: list[list[Run]]  # the runs of each reference
    source: str


def read_sentences(
    corpora: Mapping[str, Corpus],
    statistics: Mapping[str, BleuStatistics],
    rows: Iterable[int] | None = None,
    source: Sequence[str] | None = None,
) -> list[Sentence]:
    """Return one `Sentence` for each segment in `rows`. All systems must have the same references.

    Args:
        corpora: system -> its corpus.
        statistics: system -> its counts, with a row per segment.
        rows: indices of the segments to read. By default, all segments are read.
        source: the source text of each segment.
    """
    config = next(iter(statistics.values())).config
    require_one_score(config, "a sentence is shown with")
    counts = statistics.values()
    scores = np.stack([score_sentences(of_system) for of_system in counts], axis=1).tolist()
    effects = np.stack([corpus_effects(of_system) for of_system in counts], axis=1).tolist()
    chosen = np.arange(len(scores)) if rows is None else np.array(list(rows), np.int64)
    texts = _read_texts(join_systems(corpora), chosen, config)
    sentences = []
    for row, (predictions, references) in zip(chosen.tolist(), texts, strict=True):
        source_text = "" if source is None else source[row]
        sentences.append(
            Sentence(
                number=row + 1,
                scores=scores[row],
                effects=effects[row],
                predictions=predictions,
                references=references,
                source=escape_controls(_shorten(source_text)),
            )
        )
    return sentences


def corpus_effects(statistics: BleuStatistics) -> Floats:
    """Compute each sentence's effect: the corpus score minus the score of the corpus without this sentence.

    A sentence with a negative effect lowers the corpus score. These are the influences of the jackknife (Efron 1982,
    https://doi.org/10.1137/1.9781611970319). A sentence's effect on the difference between two systems is the
    difference between its effects on their scores.

    Args:
        statistics: the counts of one system, with one row per segment.

    Returns:
        Effects on a scale of -1 to 1, of shape (segments,). The effect of the only sentence of a corpus is 0.

    >>> from bleu_metric import corpus_statistics
    >>> corpus_effects(corpus_statistics(["a b", "x"], ["a b", "a"], max_order=1)).round(3).tolist()
    [0.667, -0.333]
    """
    segments = len(statistics)
    if segments == 1:
        return np.zeros(1)
    if statistics.config.average == "sentence":
        scores = score_sentences(statistics)
        return (scores - scores.mean()) / (segments - 1)  # type: ignore[no-any-return]
    table, score, last = summands(statistics)
    corpus = statistics._counts.sum().rows
    others = corpus - table
    if last:  # columns that are not summed: those of the corpus's last segment
        others[:, -last:] = table[-1, -last:]
        others[-1, -last:] = table[-2, -last:]
    effects: Floats = score(corpus[np.newaxis])[0, 0] - score(others)[:, 0]
    return effects


def token_lists(batch: Batch, config: BleuConfig) -> list[list[str]]:
    """Return the counted tokens of each text of a batch: first of all references, then of all predictions."""
    if batch.kind == "ids":
        starts = np.cumsum(batch.lengths)[:-1]
        ids_of_texts = np.split(batch.values.to_numpy(), starts)
        return [list(map(str, ids.tolist())) for ids in ids_of_texts]
    tokens = tokenize_batch(batch.kind, batch.values, batch.lengths, config._tokenization)
    return token_strings(tokens)


_Texts = tuple[list[list[Run]], list[list[Run]]]  # the runs of a segment's outputs, and those of its references


def _read_texts(corpus: Corpus, rows: Ints, config: BleuConfig) -> Iterator[_Texts]:
    """Yield the runs of each segment in `rows`.

    Consecutive segments are read together, at most `_READ_AT_ONCE` at a time.
    """
    starts = np.flatnonzero(np.diff(rows) != 1) + 1
    for consecutive in np.split(rows, starts):
        for start in range(0, len(consecutive), _READ_AT_ONCE):
            some = consecutive[start : start + _READ_AT_ONCE].tolist()
            batch = corpus.read(some[0], some[-1] + 1)
            yield from _texts_of_batch(batch, config)


def _texts_of_batch(batch: Batch, config: BleuConfig) -> Iterator[_Texts]:
    """Yield the runs of each segment of a batch, whose texts are all references and then the outputs of each system."""
    tokens = token_lists(batch, config)
    marks = _marks_of_texts(tokens, batch, config.max_order)
    written = batch.values.to_pylist() if batch.kind == "text" else [None] * len(tokens)
    unmarked = str(MARKED_ORDERS)
    unmarked_reference = unmarked * batch.systems
    outputs = batch.systems * batch.segments
    unmarked_texts = [unmarked_reference] * batch.references + [unmarked] * outputs
    texts = list(map(_join_runs, written, tokens, marks, unmarked_texts))
    bounds = accumulate(batch.references_per_segment.tolist(), initial=0)
    for segment, (start, end) in enumerate(pairwise(bounds)):
        references = texts[start:end]
        if len(references) > _MOST_REFERENCES:
            note = Run(unmarked_reference, _note(len(references) - _MOST_REFERENCES, "references"))
            references[_MOST_REFERENCES:] = [[note]]
        predictions = texts[batch.references + segment :: batch.segments]
        yield predictions, references


def _marks_of_texts(tokens: list[list[str]], batch: Batch, max_order: int) -> list[list[str]]:
    """Return the marks of the tokens of each text: see `Run`."""
    orders = find_matches(tokens, batch.references_per_segment, max_order)
    lengths = [len(of_text) for of_text in tokens]
    longest_possible = np.repeat(np.minimum(lengths, max_order), lengths)
    digits = _digits(orders, longest_possible)
    bounds = accumulate(lengths, initial=0)
    marks = [digits[start:end] for start, end in pairwise(bounds)]
    for text in range(batch.references, len(tokens)):
        system = (text - batch.references) // batch.segments
        marks[text] = [of_token[system] for of_token in marks[text]]
    return marks


def _digits(orders: Ints, longest_possible: Ints) -> list[str]:
    """Convert orders of shape (systems, tokens) into one mark per token, with one digit per system.

    `longest_possible`: (tokens,), the highest order of n-grams in the token's text.

    >>> _digits(np.array([[1, 0, 2], [0, 4, 2]]), np.array([4, 4, 2]))
    ['10', '04', '44']
    """
    orders = np.where(orders < longest_possible, orders, MARKED_ORDERS)
    digits = np.minimum(orders, MARKED_ORDERS) + ord("0")
    rows = np.ascontiguousarray(digits.T, np.uint8)  # one row of characters per token
    marks: list[str] = rows.view(f"S{len(orders)}").astype(str).ravel().tolist()
    return marks


def _join_runs(written: str | None, tokens: list[str], marks: list[str], unmarked: str) -> list[Run]:
    """Return the runs of a text: adjacent tokens with equal marks, then the rest of the text, which is `unmarked`.

    If there is no text as it was written, or if it does not contain the tokens, the tokens are joined by spaces.
    """
    text = "" if written is None else written.strip()
    ends = _find_tokens(text, tokens)
    if ends is None:
        text = " ".join(tokens)
        ends = [end - 1 for end in accumulate(len(token) + 1 for token in tokens)]
    shown = ends[: bisect_right(ends, _MOST_CHARACTERS)]
    text = _shorten(text)
    runs = []
    start = 0
    for mark, group in groupby(range(len(shown)), marks.__getitem__):
        end = shown[max(group)]
        runs.append(Run(mark, text[start:end]))
        start = end
    if start < len(text):
        runs.append(Run(unmarked, text[start:]))
    return runs if text.isprintable() else [Run(mark, escape_controls(part)) for mark, part in runs]


def _find_tokens(text: str, tokens: list[str]) -> list[int] | None:
    """Return the position in the text at which each token ends. Tokens may be lower-cased.

    Only whitespace may be between two tokens. Return None if there are other characters, because then the tokenizer
    changed the text.
    """
    lowered = text.lower()
    if len(lowered) != len(text):  # lower-casing added or removed characters, so that positions would differ
        lowered = text
    ends = []
    end = 0
    for token in tokens:
        start = _SPACES.match(text, end).end()  # type: ignore[union-attr]
        if not text.startswith(token, start) and not lowered.startswith(token, start):
            return None
        end = start + len(token)
        ends.append(end)
    return ends


def _shorten(text: str) -> str:
    left_out = len(text) - _MOST_CHARACTERS
    return f"{text[:_MOST_CHARACTERS]} {_note(left_out, 'characters')}" if left_out > 0 else text


def _note(number: int, what: str) -> str:
    return f"… ({number:,} more {what})"


def as_json(rows: Sequence[Sentence]) -> str:
    """Return sentences as JSON for the page's script. Scores and effects are in percent."""
    lists = [
        [
            row.number,
            _percents(row.scores, 4),
            _percents(row.effects, 6),
            list(map(_lines, row.predictions)),
            list(map(_lines, row.references)),
            row.source,
        ]
        for row in rows
    ]
    return json.dumps(lists, ensure_ascii=False, separators=(",", ":"))


def _percents(numbers: Sequence[float], digits: int) -> list[float]:
    return [round(100 * number, digits) for number in numbers]


def _lines(runs: Sequence[Run]) -> str:
    """Return a text with one line per run: its mark, then its text. Texts have visible symbols for line ends."""
    return "\n".join([mark + text for mark, text in runs])
