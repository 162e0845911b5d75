"""Prepare the list of sentences of a report: split each text into runs, adjacent tokens that get the same highlight."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, islice, repeat, zip_longest
from typing import NamedTuple

import numpy as np

from .._bootstrap import summands
from .._config import BleuConfig
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


class Sentence(NamedTuple):
    """One segment: its source, its references and the outputs of all systems. The page's script reads it from JSON.

    A text has one line per run: a mark, and the tokens of the run with the spaces before each token. A mark is a digit:
    the order of the longest matched n-gram that contains each token, at most `MARKED_ORDERS`. If the text or
    `max_order` allows no longer match, the digit is also `MARKED_ORDERS`, so a matched text of one word is not
    highlighted. In a reference, the mark has one digit per system, because outputs match different n-grams.
    """

    number: int  # number of the segment, counted from 1
    scores: list[float]  # one per system, in percent
    effects: list[float]  # one per system, as `corpus_effects` returns them, in percent
    predictions: list[str]  # one text per system
    references: list[str]
    source: str  # the source text without marks


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
    config = next(iter(statistics.values())).config
    scores = np.transpose([score_sentences(counts) for counts in statistics.values()])
    effects = np.transpose([corpus_effects(counts) for counts in statistics.values()])
    score_percents = (100 * scores).round(4).tolist()
    effect_percents = (100 * effects).round(6).tolist()
    corpus = join_systems(corpora)
    sentences = []
    for first, end in _ranges(list(rows)):
        texts = _texts_of_batch(corpus.read(first, end), config)
        for row, (predictions, references) in enumerate(texts, first):
            source_text = escape_controls(_shorten(source[row])) if source else ""
            numbers = (row + 1, score_percents[row], effect_percents[row])
            sentences.append(Sentence(*numbers, predictions, references, source_text))
    return sentences


def _ranges(rows: list[int]) -> Iterator[tuple[int, int]]:
    """Split ascending rows into ranges of at most `_READ_AT_ONCE` consecutive rows. Yield (first, last + 1) of each.

    >>> list(_ranges([0, 1, 2, 5, 7, 8]))
    [(0, 3), (5, 6), (7, 9)]
    """
    gaps = np.flatnonzero(np.diff(rows) > 1)
    for consecutive in np.split(rows, gaps + 1):
        for start in range(0, len(consecutive), _READ_AT_ONCE):
            read_at_once = consecutive[start : start + _READ_AT_ONCE].tolist()
            yield read_at_once[0], read_at_once[-1] + 1


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
    table, score, columns_of_last = summands(statistics)
    corpus = statistics._counts.sum().rows[np.newaxis]
    others = corpus - table  # row i: the counts of the corpus without sentence i
    if columns_of_last:  # these columns are not sums: they describe the corpus's last sentence
        last_columns = table[:, -columns_of_last:]
        others[:, -columns_of_last:] = last_columns[-1]
        others[-1, -columns_of_last:] = last_columns[-2]
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


def _texts_of_batch(batch: Batch, config: BleuConfig) -> Iterator[tuple[list[str], list[str]]]:
    """Yield, for each segment of a batch, the outputs and the references. `Sentence` explains the form of a text."""
    tokens = token_lists(batch, config)
    originals = batch.values.to_pylist() if batch.kind == "text" else [None] * len(tokens)
    orders = _orders_of_texts(tokens, batch, config.max_order)
    texts = map(_split_into_runs, originals, tokens, orders, repeat(config.max_order))
    references = [list(islice(texts, number)) for number in batch.references_per_segment.tolist()]
    outputs = list(texts)  # the outputs of the first system, those of the second system, …
    for segment, references_of_segment in enumerate(references):
        more = len(references_of_segment) - _MOST_REFERENCES
        if more > 0:
            mark = _UNMARKED * batch.systems
            references_of_segment[_MOST_REFERENCES:] = [f"{mark}… ({more:,} more references)"]
        yield outputs[segment :: batch.segments], references_of_segment


def _orders_of_texts(tokens: list[list[str]], batch: Batch, max_order: int) -> list[Ints]:
    """Return, for each text, the order of the longest matched n-gram that contains each of its tokens.

    The array of a reference has the shape (systems, tokens of the text). That of an output has the shape (1, tokens).
    """
    orders = find_matches(tokens, batch.references_per_segment, max_order)
    ends = np.cumsum(list(map(len, tokens)))
    of_texts = np.split(orders, ends[:-1], axis=1)
    for output in range(len(of_texts) - batch.references):
        system = output // batch.segments
        text = batch.references + output
        of_texts[text] = of_texts[text][system : system + 1]
    return of_texts


def _marks(orders: Ints, max_order: int) -> list[str]:
    """Return the mark of each token of a text, as `Sentence` explains. `orders`: an array from `_orders_of_texts`.

    >>> _marks(np.array([[1, 0, 3], [0, 2, 2]]), max_order=2)
    ['10', '04', '44']
    """
    systems, tokens = orders.shape
    longest_possible = min(tokens, max_order)
    digits = np.where(orders < min(longest_possible, MARKED_ORDERS), orders, MARKED_ORDERS)
    characters = (digits + ord("0")).astype(np.uint8)
    joined = characters.T.tobytes().decode()  # the marks of all tokens, such as "100444" for three tokens
    return [joined[start : start + systems] for start in range(0, len(joined), systems)]


def _split_into_runs(original: str | None, tokens: list[str], orders: Ints, max_order: int) -> str:
    """Return a text as one line per run, as `Sentence` explains. Text after the last token is a run without highlight.

    `original`: the text that was tokenized; None if it is unknown. `orders`: an array from `_orders_of_texts`.
    """
    whole, ends = _token_ends(original, tokens)
    text = _shorten(whole)
    shown = bisect_right(ends, _MOST_CHARACTERS)
    marks = _marks(orders, max_order)
    runs = []
    start = 0
    for end, mark, next_mark in zip_longest(ends[:shown], marks[:shown], marks[1:shown]):
        if mark != next_mark:
            runs.append(mark + text[start:end])
            start = end
    if start < len(text):
        runs.append(_UNMARKED * len(orders) + text[start:])
    return "\n".join(map(escape_controls, runs))


def _token_ends(original: str | None, tokens: list[str]) -> tuple[str, list[int]]:
    """Return the text to show and the position at which each token ends.

    If there is no original text, or if it does not contain the tokens, the text to show is the tokens joined by spaces.
    """
    if original is not None:
        text = original.strip()
        ends = _find_tokens(text, tokens)
        if ends is not None:
            return text, ends
    lengths_with_space = [len(token) + 1 for token in tokens]
    ends = [end - 1 for end in accumulate(lengths_with_space)]
    return " ".join(tokens), ends


def _find_tokens(text: str, tokens: list[str]) -> list[int] | None:
    """Return the position in the text at which each token ends. Tokens may be lower-cased.

    Return None if the tokenizer changed characters otherwise, or removed any but whitespace before a token.

    >>> _find_tokens("The cat.", ["the", "cat", "."]), _find_tokens("The cat.", ["a"])
    ([3, 7, 8], None)
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
    """Return the first 4,000 characters of a text and, if it is longer, the number of the other characters."""
    more = len(text) - _MOST_CHARACTERS
    return f"{text[:_MOST_CHARACTERS]} … ({more:,} more characters)" if more > 0 else text
