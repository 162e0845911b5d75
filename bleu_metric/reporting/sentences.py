"""Prepare the list of sentences of a report: split each text into runs, adjacent tokens that get the same highlight."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple, TypeVar

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

MARKED_ORDERS = 4  # tokens with this mark are not highlighted; the style sheet highlights tokens with a lower mark
_MOST_CHARACTERS = 4000  # maximum number of characters shown per text
_MOST_REFERENCES = 10  # maximum number of references shown per segment
_READ_AT_ONCE = 500  # maximum number of segments in a batch
_UNMARKED = str(MARKED_ORDERS)
_SPACES = re.compile(r"\s*")
_Item = TypeVar("_Item")


class Run(NamedTuple):
    """Adjacent tokens with the same mark, including the spaces before each token."""

    mark: str
    """A digit: the order of the longest matched n-gram that contains each token, at most `MARKED_ORDERS`. If
    the text or `max_order` allows no longer match, the digit is also `MARKED_ORDERS`, so a matched text of one word is
    not highlighted. In a reference, the mark has one digit per system, because outputs match different n-grams."""
    text: str


class Sentence(NamedTuple):
    """One segment: its source, its references and the outputs of all systems."""

    number: int  # number of the segment, counted from 1
    scores: list[float]  # one per system, from 0 to 1
    effects: list[float]  # one per system, as `corpus_effects` returns them
    predictions: list[list[Run]]  # the runs of each system's output
    references: list[list[Run]]  # the runs of each reference
    source: str


def read_sentences(
    corpora: Mapping[str, Corpus],
    statistics: Mapping[str, BleuStatistics],
    rows: Iterable[int],
    source: Sequence[str] | None = None,
) -> list[Sentence]:
    """Return one `Sentence` for each segment in `rows`. All systems must have the same references.

    Args:
        corpora: a dict from each system's name to its corpus.
        statistics: a dict from each system's name to its counts, with one row per segment.
        rows: indices of the segments to read, in ascending order.
        source: the source text of each segment of the corpus; None if there are no source texts.
    """
    counts = list(statistics.values())
    config = counts[0].config
    require_one_score(config, "a sentence is shown with")
    scores = np.transpose([score_sentences(of_system) for of_system in counts]).tolist()
    effects = np.transpose([corpus_effects(of_system) for of_system in counts]).tolist()
    chosen = list(rows)
    corpus = join_systems(corpora)
    texts: list[_Texts] = []
    for first, last in _consecutive(chosen):
        texts += _texts_of_batch(corpus.read(first, last), config)
    sentences = []
    for row, (predictions, references) in zip(chosen, texts, strict=True):
        source_text = source[row] if source else ""
        sentence = Sentence(
            number=row + 1,
            scores=scores[row],
            effects=effects[row],
            predictions=predictions,
            references=references,
            source=escape_controls(_shorten(source_text)),
        )
        sentences.append(sentence)
    return sentences


def _consecutive(rows: list[int]) -> Iterator[tuple[int, int]]:
    """Split ascending rows into ranges of at most `_READ_AT_ONCE` consecutive rows. Yield (first, last + 1) of each.

    >>> list(_consecutive([0, 1, 2, 5, 7, 8]))
    [(0, 3), (5, 6), (7, 9)]
    """
    first = 0
    for index, row in enumerate(rows, 1):
        is_last = index == len(rows) or rows[index] != row + 1
        if is_last or index - first == _READ_AT_ONCE:
            yield rows[first], row + 1
            first = index


def corpus_effects(statistics: BleuStatistics) -> Floats:
    """Compute each sentence's effect: the corpus score minus the score of the corpus without this sentence.

    A sentence with a negative effect lowers the corpus score. Effects are the influence values of the jackknife (Efron
    1982, https://doi.org/10.1137/1.9781611970319). To get a sentence's effect on the difference between two systems,
    subtract its effect on one system's score from its effect on the other system's score.

    Args:
        statistics: the counts of one system, with one row per segment.

    Returns:
        Effects on a scale of -1 to 1, of shape (segments,). If the corpus has only one sentence, its effect is 0.

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
    corpus = statistics._counts.sum().rows[np.newaxis]
    others = corpus - table
    if last:  # columns that are not summed, but copied from the corpus's last segment
        of_last = table[:, -last:]
        others[:, -last:] = of_last[-1]
        others[-1, -last:] = of_last[-2]
    effects = score(corpus) - score(others)
    return effects[:, 0]


def token_lists(batch: Batch, config: BleuConfig) -> list[list[str]]:
    """Return the tokens of each text of a batch as BLEU counts them: first all references, then all predictions."""
    if batch.kind == "ids":
        starts = np.cumsum(batch.lengths)[:-1]
        ids_of_texts = np.split(batch.values.to_numpy(), starts)
        return [list(map(str, ids.tolist())) for ids in ids_of_texts]
    tokens = tokenize_batch(batch.kind, batch.values, batch.lengths, config._tokenization)
    return token_strings(tokens)


_Texts = tuple[list[list[Run]], list[list[Run]]]  # one segment: (runs of each output, runs of each reference)


def _texts_of_batch(batch: Batch, config: BleuConfig) -> Iterator[_Texts]:
    """Yield, for each segment of a batch, the runs of its outputs and the runs of its references."""
    tokens = token_lists(batch, config)
    marks = _marks_of_texts(tokens, batch, config.max_order)
    written = batch.values.to_pylist() if batch.kind == "text" else [None] * len(tokens)
    digits = [batch.systems] * batch.references + [1] * (len(tokens) - batch.references)
    texts = list(map(_join_runs, written, tokens, marks, digits))
    references = texts[: batch.references]
    outputs = texts[batch.references :]
    references_of_segments = _split(references, batch.references_per_segment.tolist())
    for segment, of_segment in enumerate(references_of_segments):
        left_out = len(of_segment) - _MOST_REFERENCES
        if left_out > 0:
            note = Run(_UNMARKED * batch.systems, _note(left_out, "references"))
            of_segment[_MOST_REFERENCES:] = [[note]]
        yield outputs[segment :: batch.segments], of_segment


def _split(items: list[_Item], sizes: Iterable[int]) -> list[list[_Item]]:
    """Split a list into consecutive parts of the given sizes.

    >>> _split([1, 2, 3], [2, 0, 1])
    [[1, 2], [], [3]]
    """
    bounds = accumulate(sizes, initial=0)
    return [items[start:end] for start, end in pairwise(bounds)]


def _marks_of_texts(tokens: list[list[str]], batch: Batch, max_order: int) -> list[list[str]]:
    """Return one list per text, with the mark of each token. `Run` explains marks."""
    orders = find_matches(tokens, batch.references_per_segment, max_order)
    lengths = [len(of_text) for of_text in tokens]
    longest_possible = np.repeat(np.minimum(lengths, max_order), lengths)
    marks = _split(_digits(orders, longest_possible), lengths)
    systems = np.repeat(range(batch.systems), batch.segments)
    for text, system in enumerate(systems.tolist(), batch.references):
        marks[text] = [mark[system] for mark in marks[text]]
    return marks


def _digits(orders: Ints, longest_possible: Ints) -> list[str]:
    """Convert orders of shape (systems, tokens) into one mark per token, with one digit per system.

    `longest_possible`, of shape (tokens,): the order of the longest n-gram in the text of each token.

    >>> _digits(np.array([[1, 0, 2], [0, 4, 2]]), np.array([4, 4, 2]))
    ['10', '04', '44']
    """
    digits = np.where(orders < longest_possible, orders, MARKED_ORDERS)
    digits = np.minimum(digits, MARKED_ORDERS) + ord("0")
    rows = np.ascontiguousarray(digits.T, np.uint8)  # one row of characters per token
    marks = rows.view(f"S{len(orders)}").astype(str)
    return marks.ravel().tolist()


def _join_runs(written: str | None, tokens: list[str], marks: list[str], digits: int) -> list[Run]:
    """Join adjacent tokens with equal marks into runs. Text after the last token shown becomes a run without highlight.

    `written`: the original text; None if it is unknown. `digits`: the number of digits in each mark.
    """
    whole, ends = _token_ends(written, tokens)
    text = _shorten(whole)
    shown = ends[: bisect_right(ends, _MOST_CHARACTERS)]
    runs = []
    start = 0
    for mark, group in groupby(range(len(shown)), marks.__getitem__):
        end = shown[max(group)]
        runs.append(Run(mark, text[start:end]))
        start = end
    if start < len(text):
        runs.append(Run(_UNMARKED * digits, text[start:]))
    if text.isprintable():
        return runs
    return [Run(mark, escape_controls(part)) for mark, part in runs]


def _token_ends(written: str | None, tokens: list[str]) -> tuple[str, list[int]]:
    """Return the text to show and the position at which each token ends.

    If there is no original text, or if it does not contain the tokens, the text to show is the tokens joined by spaces.
    """
    if written is not None:
        text = written.strip()
        ends = _find_tokens(text, tokens)
        if ends is not None:
            return text, ends
    lengths_with_space = [len(token) + 1 for token in tokens]
    ends = [end - 1 for end in accumulate(lengths_with_space)]
    return " ".join(tokens), ends


def _find_tokens(text: str, tokens: list[str]) -> list[int] | None:
    """Return the position in the text at which each token ends. Tokens may be lower-cased.

    Return None if the tokenizer changed characters otherwise, or removed any but whitespace before a token.
    """
    lowered = text.lower()
    if len(lowered) != len(text):  # lower-casing added or removed characters, so positions would be wrong
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
    """Return the sentences as JSON for the page's script: one list per sentence, with scores and effects in percent."""
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
    """Return one line per run: its mark, then its text. Texts contain no line ends, because symbols replace them."""
    return "\n".join([mark + text for mark, text in runs])
